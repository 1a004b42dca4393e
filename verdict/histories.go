// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Histories lists the histories with which the clients of a scope can end, each with a judgement.
type Histories struct {
	Type       string    `json:"type"` // "histories"
	Collection string    `json:"collection"`
	Oracle     string    `json:"oracle"`
	Scope      Scope     `json:"scope"`
	List       []History `json:"list"`
	Incomplete string    `json:"incomplete,omitempty"` // why the list may be incomplete; "": it is complete
	Schema     int       `json:"schema"`               // the constant Schema; whoever prints the line sets it
}

// History is one such history.
type History struct {
	// Events are invocations and responses in order: "1:Add(2)" is thread 1 calling Add,
	// "1=true" its return.
	Events []string `json:"events"`
	// Stuck is the number of calls that never return.
	Stuck int `json:"stuck"`
	// Has lists the properties that the history has, judged by permutations of its calls.
	Has []Property `json:"has"`
}
