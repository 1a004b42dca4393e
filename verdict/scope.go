// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Scope is what a verdict covers. Engines that bound clients have Bounds, and if they have
// several, all of which are covered, the others in And; what else an engine bounds stands in
// Limits, so that a new engine needs no field here. A scope without either is everything
// that the subject can do.
type Scope struct {
	*Bounds
	And    []Bounds `json:"and,omitempty"`
	Limits []Limit  `json:"limits,omitempty"`
}

// AnyNumber is the value of a limit that bounds nothing: "threads, calls", "any number".
const AnyNumber = "any number"

// Limit is a bound of one engine's own: "items", "2".
type Limit struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Bounds are the clients that a verdict covers.
type Bounds struct {
	Preset  string `json:"preset,omitempty"` // the letter if the bounds are those of a configuration
	Threads [2]int `json:"threads"`          // from, to
	Steps   [2]int `json:"steps"`            // total over all threads
	PreAdds [2]int `json:"preadds"`
	Beforehand
	Values    int    `json:"values"`
	PerThread int    `json:"per_thread,omitempty"` // if not 0: calls of each thread; Steps is then the total
	Hash      string `json:"hash"`
	Preempt   *int   `json:"preempt"` // nil: unbounded
	Fair      bool   `json:"fair"`
	Roles     string `json:"roles,omitempty"`
	Options
}

// Beforehand is what restricts pre-adds besides their number. It is empty where nothing does.
type Beforehand struct {
	Adder string   `json:"preadds_by,omitempty"`   // the operation that is called, if others add as well
	Keys  KeysUsed `json:"preadds_keys,omitempty"` // which keys
}

// KeysUsed says which keys are added beforehand.
type KeysUsed string

// AnyKeys are all that there can be; FixedKeys are 0, 1, …, one for each pre-add; AscendingKeys are any,
// in ascending order.
const (
	AnyKeys       KeysUsed = ""
	FixedKeys     KeysUsed = "fixed"
	AscendingKeys KeysUsed = "ascending"
)

// Options are the choices that make a scope smaller.
type Options struct {
	ThreadSymmetry     bool `json:"thread_symmetry"`
	GenericValues      bool `json:"generic_values"`
	AddsDominant       bool `json:"adds_dominant"`
	DistinctPriorities bool `json:"distinct_priorities"`
}

// Dropped is a scope beside the verdict's own that nobody asked for and that was not searched whole, so that nothing is
// known of it: {"2x5", "limit of 131072 states reached", 131072, 409600}.
type Dropped struct {
	Scope string `json:"scope"` // its name
	Why   string `json:"why"`
	// States and Transitions are those of the part that was searched, which are none of the verdict's; 0: it was not begun.
	States      uint64 `json:"states,omitempty"`
	Transitions uint64 `json:"transitions,omitempty"`
}
