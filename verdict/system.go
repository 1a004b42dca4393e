// SPDX-License-Identifier: BSD-3-Clause

package verdict

// System describes a labelled transition system.
type System struct {
	Type        string  `json:"type"` // "system"
	Of          string  `json:"of"`   // a collection or a file
	Side        string  `json:"side"` // code, self, oracle, or the equivalence of a quotient; "" for a file
	File        string  `json:"file"` // the file to which it was written; "": none
	States      int     `json:"states"`
	Transitions int     `json:"transitions"`
	Labels      int     `json:"labels"` // number of visible labels
	Seconds     float64 `json:"seconds"`
	Schema      int     `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Comparison is the result of comparing two systems.
type Comparison struct {
	Type        string `json:"type"` // "comparison"
	Left        string `json:"left"`
	Right       string `json:"right"`
	Equivalence string `json:"equivalence"`
	// Preorder: only inclusion was asked for, of the left system's traces in the right one's.
	Preorder bool `json:"preorder"`
	Holds    bool `json:"holds"`
	// Trace is, for a trace equivalence, a shortest trace that only the system Has has.
	Trace []string `json:"trace,omitempty"`
	Has   string   `json:"has,omitempty"`
	// Formula is, for a bisimulation, a formula that holds in the left system and not in the right one; Words is the same in words.
	Formula string `json:"formula,omitempty"`
	Words   string `json:"words,omitempty"`
	// SameTraces: a bisimulation does not hold, but the systems have the same weak traces.
	SameTraces bool    `json:"same_traces"`
	Seconds    float64 `json:"seconds"`
	Schema     int     `json:"schema"` // the constant Schema; whoever prints the line sets it
}
