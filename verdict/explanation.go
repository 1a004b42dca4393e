// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Explanation tells why no order of the calls of a history fits.
type Explanation struct {
	Kind     ExplanationKind `json:"kind"`
	Property string          `json:"property"`
	// Calls lists the calls that were ordered, by their number in the history, counted from 1. Calls that wait for ever take no part,
	// except those of Stuck.
	Calls []int `json:"calls"`
	// Stuck lists the threads whose waiting is explained: one that may not wait, or the two of Partners.
	Stuck []int `json:"stuck,omitempty"`
	// Unfinished: calls without a response were in progress, not waiting for ever.
	Unfinished bool `json:"unfinished,omitempty"`
	// Tried lists the longest orders that the oracle permits.
	Tried []Order `json:"tried,omitempty"`
}

// ExplanationKind is the kind of an explanation.
type ExplanationKind string

// The kinds.
const (
	NoOrder  ExplanationKind = "no order" // no order explains the results, or lets the thread wait for ever
	Partners ExplanationKind = "partners" // two calls wait for ever that could serve each other
)

// Order is an order of calls that the oracle permits up to its end, with the reasons why each continuation is wrong.
type Order struct {
	Calls []int `json:"calls"`
	// Rejected is empty if the order contains all calls, but the history may not end there.
	Rejected []Rejection `json:"rejected,omitempty"`
}

// Rejection is a call that could come next, but not with its result.
type Rejection struct {
	Call int `json:"call"`
	// Allowed lists the results that the oracle permits instead; none: the call cannot return.
	Allowed []Returned `json:"allowed"`
}

// Returned is one way in which a call can return.
type Returned struct {
	Results  []string `json:"results"`
	Panicked bool     `json:"panicked,omitempty"`
}
