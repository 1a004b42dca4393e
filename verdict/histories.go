// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Histories are the histories with which the clients of a scope can end, judged one by one.
type Histories struct {
	Type       string    `json:"type"` // "histories"
	Collection string    `json:"collection"`
	Oracle     string    `json:"oracle"`
	Scope      Scope     `json:"scope"`
	List       []History `json:"list"`
	Incomplete string    `json:"incomplete,omitempty"` // why there may be more
	Schema     int       `json:"schema"`               // the constant Schema; whoever prints the line sets it
}

// History is one of them.
type History struct {
	// Events are invocations and responses in order: "1:Add(2)" is thread 1 calling Add,
	// "1=true" its return.
	Events []string `json:"events"`
	// Stuck is how many of the calls never return.
	Stuck int `json:"stuck"`
	// Has are the properties that it has by permutations of its calls.
	Has []Property `json:"has"`
}
