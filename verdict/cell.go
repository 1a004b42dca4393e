package verdict

import "encoding/json"

// Infinite is the published verdict of a cell whose state space is infinite.
const Infinite = "infinite"

// Cell is one entry of a study's table, ours and the published one.
type Cell struct {
	Type   string `json:"type"` // "cell"
	Study  string `json:"study"`
	Row    string `json:"row"`
	Config string `json:"config"`
	// Verdict is ours, Class that of the violation if there is one.
	Verdict Status `json:"verdict"`
	Class   string `json:"class,omitempty"`
	// Expected is the published verdict; "" if the paper did not run the cell.
	Expected  string  `json:"expected"`
	Differs   bool    `json:"differs"`             // from the published verdict
	Explained bool    `json:"explained,omitempty"` // the expectations say why it differs
	Seconds   float64 `json:"seconds"`             // searching and loading
	// Published is in seconds of the paper's machine (see the study); nil if it has none, or its search did not end.
	Published *float64    `json:"published_seconds"`
	Clients   json.Number `json:"clients"`
	States    uint64      `json:"states"`
	Preempt   *int        `json:"preempt"` // bound on preemptions; nil: none
	// Note says what is worth knowing: of a difference why, of a violation what, of an
	// unknown verdict how far the search got.
	Note   string `json:"note"`
	Schema int    `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Judgement is unknown if our verdict is, violated if the cell differs from the paper and nothing says why.
func (c *Cell) Judgement() Status {
	switch {
	case c.Verdict == Unknown:
		return Unknown
	case c.Differs && !c.Explained:
		return Violated
	}
	return Verified
}

// Table is the cells of a study in the order of its rows, each row in the order of the
// columns.
type Table struct {
	Columns []string // all that the study has
	Cells   []Cell
	Seconds float64 // for all together
}
