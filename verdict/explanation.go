// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Explanation says why no order of the calls of a history fits.
type Explanation struct {
	Kind     ExplanationKind `json:"kind"`
	Property string          `json:"property"`
	// Calls are the calls that were ordered, as numbers of the history, counted from 1:
	// other calls that are stuck do not take part.
	Calls []int `json:"calls"`
	// Stuck are the threads for which the explanation is: one that may not stay stuck, two
	// of Partners.
	Stuck []int `json:"stuck,omitempty"`
	// Unfinished says that calls without a response were on their way, not stuck.
	Unfinished bool `json:"unfinished,omitempty"`
	// Tried are the longest orders that the oracle follows.
	Tried []Order `json:"tried,omitempty"`
}

// ExplanationKind is what an explanation is about.
type ExplanationKind string

// The kinds.
const (
	NoOrder  ExplanationKind = "no order" // explains the results, or lets the thread stay stuck
	Partners ExplanationKind = "partners" // two calls are stuck that serve each other
)

// Order is an order of calls that the oracle follows up to its end, and why each way to
// go on is wrong.
type Order struct {
	Calls []int `json:"calls"`
	// Rejected is empty if all calls are placed, but the history may not end so.
	Rejected []Rejection `json:"rejected,omitempty"`
}

// Rejection is a call that could come next, but not with its result.
type Rejection struct {
	Call int `json:"call"`
	// Allowed is what the oracle would let it return, instead; none: it cannot return.
	Allowed []Returned `json:"allowed"`
}

// Returned is one way in which a call can return.
type Returned struct {
	Results  []string `json:"results"`
	Panicked bool     `json:"panicked,omitempty"`
}
