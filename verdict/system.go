// SPDX-License-Identifier: BSD-3-Clause

package verdict

// System is a labelled transition system that was made, read or reduced.
type System struct {
	Type        string  `json:"type"` // "system"
	Of          string  `json:"of"`   // a collection or a file
	Side        string  `json:"side"` // what it is: code, self, oracle, or the quotient under an equivalence; "" of a file
	File        string  `json:"file"` // that it was written to; "" if it was not
	States      int     `json:"states"`
	Transitions int     `json:"transitions"`
	Labels      int     `json:"labels"` // that are not internal
	Seconds     float64 `json:"seconds"`
	Schema      int     `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Comparison says whether two systems are equivalent.
type Comparison struct {
	Type        string `json:"type"` // "comparison"
	Left        string `json:"left"`
	Right       string `json:"right"`
	Equivalence string `json:"equivalence"`
	// Preorder says that only inclusion was asked for: the left system's traces in the right one's.
	Preorder bool `json:"preorder"`
	Holds    bool `json:"holds"`
	// Trace, of trace equivalences, is a shortest trace of Has that the other has not.
	Trace []string `json:"trace,omitempty"`
	Has   string   `json:"has,omitempty"`
	// Formula, of bisimulations, holds of the left system and not of the right one; Words reads it
	// aloud.
	Formula string `json:"formula,omitempty"`
	Words   string `json:"words,omitempty"`
	// SameTraces says, where a bisimulation does not hold, that the systems have the same
	// weak traces.
	SameTraces bool    `json:"same_traces"`
	Seconds    float64 `json:"seconds"`
	Schema     int     `json:"schema"` // the constant Schema; whoever prints the line sets it
}
