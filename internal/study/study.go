// Package study repeats the experiments of published papers and puts what Pangolin
// finds beside what was published.
//
// It takes the case studies of package collections with the expectations that stand
// beside them, verifies each in the paper's configurations, and gives one Cell for
// each entry of the paper's table. It knows no engine: it asks package pangolin, as any
// program can. It does not print progress and does not judge: a cell that differs
// from the paper says so, and why if the expectations know.
package study

import (
	"encoding/json"

	"pangolin/verdict"
)

// Infinite is the published verdict of a cell whose state space is infinite.
const Infinite = "infinite"

// Cell is one entry of a table, ours and the published one.
type Cell struct {
	Type   string `json:"type"` // "cell"
	Study  string `json:"study"`
	Row    string `json:"row"`
	Config string `json:"config"`
	// Verdict is ours, Class that of the violation if there is one.
	Verdict verdict.Status `json:"verdict"`
	Class   string         `json:"class,omitempty"`
	// Expected is the published verdict; "" if the paper did not run the cell.
	Expected  string  `json:"expected"`
	Differs   bool    `json:"differs"`             // from the published verdict
	Explained bool    `json:"explained,omitempty"` // the expectations say why it differs
	Seconds   float64 `json:"seconds"`             // searching and loading
	// Published is in seconds of the paper's machine (see the study); nil if it has none.
	Published *float64    `json:"published_seconds"`
	Clients   json.Number `json:"clients"`
	States    uint64      `json:"states"`
	Preempt   *int        `json:"preempt"` // bound on preemptions; nil: none
	// Note says what is worth knowing: of a difference why, of a violation what, of an
	// unknown verdict how far the search got.
	Note string `json:"note"`
}

// ExitCode is 1 if a cell differs from the paper and the expectations do not say why,
// else 3 if one is unknown, else 0.
func ExitCode(cells []Cell) int {
	code := 0
	for _, c := range cells {
		switch {
		case c.Verdict == verdict.Unknown:
			code = max(code, 3)
		case c.Differs && !c.Explained:
			return 1
		}
	}
	return code
}
