// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"fmt"
	"strings"
)

// Scope is what a verdict covers. Engines that bound clients set Bounds and, if they cover several scopes, the others in And; other bounds
// are in Limits, so that a new engine needs no field here. A scope without either covers everything that the subject can do.
type Scope struct {
	*Bounds
	And    []Bounds `json:"and,omitempty"`
	Limits []Limit  `json:"limits,omitempty"`
	Time   string   `json:"time,omitempty"` // when timers fire: any, or virtual; "": nothing waits for one
}

// AnyNumber is the value of a limit that bounds nothing: "threads, calls", "any number".
const AnyNumber = "any number"

// Limit is a bound of another sort: "items at a time", "2". A Range is that of all values which occur: "values", "0..1". With Operations
// it bounds how often these change the content, or are called, all together: "effects", "2", [Next]; "calls", "8", [Enqueue].
type Limit struct {
	Name       string   `json:"name"`
	Value      string   `json:"value"`
	Range      bool     `json:"range,omitempty"`
	Operations []string `json:"operations,omitempty"`
}

// Text is the limit as part of a sentence: "items at a time up to 2", "values 0..1", "at most 2 effects of Next in all", "at most 8 calls
// of Enqueue in all".
func (l *Limit) Text() string {
	switch {
	case len(l.Operations) > 0:
		return fmt.Sprintf("at most %s %s of %s in all", l.Value, l.Name, strings.Join(l.Operations, ", "))
	case l.Range:
		return l.Name + " " + l.Value
	}
	return l.Name + " up to " + l.Value
}

// Bounds are the clients that a verdict covers.
type Bounds struct {
	Preset  string `json:"preset,omitempty"` // name of the configuration, "D"; "" if the bounds are of none
	Threads [2]int `json:"threads"`          // from, to
	Steps   [2]int `json:"steps"`            // number of calls of all threads together
	PreAdds [2]int `json:"preadds"`          // additions before the threads start
	Beforehand
	Values    int    `json:"values"`
	PerThread int    `json:"per_thread,omitempty"` // if not 0: calls of each thread; Steps is then the total
	Endless   bool   `json:"any_steps,omitempty"`  // each thread calls for ever; Steps is 0..0 then
	Items     int    `json:"items,omitempty"`      // if Endless: greatest number of generic items in use at a time
	Keyed     bool   `json:"keyed,omitempty"`      // operations take keys, which were 0, 1, … below Values; without it none do, or keys stood for all of their order
	Hash      string `json:"hash"`
	Preempt   *int   `json:"preempt"` // greatest number of preemptions; nil: not bounded
	Fair      bool   `json:"fair"`
	Roles     string `json:"roles,omitempty"`
	Options
}

// Beforehand describes restrictions on pre-adds besides their number; the zero value is none.
type Beforehand struct {
	Adder string   `json:"preadds_by,omitempty"`   // the only operation that makes pre-adds, though others add as well
	Keys  KeysUsed `json:"preadds_keys,omitempty"` // which keys
}

// KeysUsed tells which keys pre-adds have.
type KeysUsed string

// AnyKeys: all possible keys. FixedKeys: 0, 1, …, one for each pre-add. AscendingKeys: any keys in ascending order.
const (
	AnyKeys       KeysUsed = ""
	FixedKeys     KeysUsed = "fixed"
	AscendingKeys KeysUsed = "ascending"
)

// Options are choices that make a scope smaller.
type Options struct {
	ThreadSymmetry     bool `json:"thread_symmetry"`
	GenericValues      bool `json:"generic_values"`
	AddsDominant       bool `json:"adds_dominant"`
	DistinctPriorities bool `json:"distinct_priorities"`
}

// Dropped is a scope that the user had not asked for (an extra one, or the usual one where it is too large) and that was not searched to its end, so that nothing is known about it:
// {"2x5", "limit of 131072 states reached", 131072, 409600}.
type Dropped struct {
	Scope string `json:"scope"` // its name
	Why   string `json:"why"`
	// States and Transitions count the part that was searched, and are not included in the verdict's; 0: not begun.
	States      uint64 `json:"states,omitempty"`
	Transitions uint64 `json:"transitions,omitempty"`
}
