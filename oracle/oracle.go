// Package oracle holds sequential specifications of collections and their
// synchronization protocols.
//
// A Spec says what each call may return in each state, in which states a call
// may block for ever, and in which states a complete history may end. New makes
// one for a known kind of collection (set, queue, …) from a list of operations
// that says which Go method plays which role; Functions makes one from the
// user's own code. An Automaton numbers the states of a Spec and remembers
// every outcome, so that oracle code runs at most once per state and call.
//
// The package does not judge concurrent histories (internal/consist does), does
// not find out which method plays which role, and does not run Go code.
//
// Source: COLLECT, section 2.1 and Fig. 1. Deviations: a nondeterministic oracle
// is asked for all its outcomes instead of being told the observed one; and
// isAccepting(stuck) is asked for one call at a time (Spec.MayBlock), because
// Fig. 1 lets enqueue block where dequeue does not.
package oracle

import (
	"pangolin/history"
)

// State is the canonical encoding of a state of a Spec: equal states have equal
// encodings. Only the Spec that made it can read it.
type State string

// Call is an operation, as an index into the collection's list, with arguments.
type Call struct {
	Op   int
	Args history.Tuple
}

// Outcome is one way in which a call may return.
type Outcome struct {
	Result history.Tuple
	Next   State
}

// Spec is a sequential specification. Its methods must be deterministic
// functions of their arguments and safe for concurrent use.
type Spec interface {
	// Initial is the state of a newly made collection.
	Initial() State
	// Outcomes lists every way in which the call may return in s; none if it
	// cannot return. An error means that the oracle itself failed.
	Outcomes(s State, c Call) ([]Outcome, error)
	// MayBlock reports whether a stuck sequential history may end with c
	// invoked in s: isAccepting(true) of COLLECT.
	MayBlock(s State, c Call) bool
	// Accepting reports whether a complete sequential history may end in s:
	// isAccepting(false) of COLLECT.
	Accepting(s State) bool
}

// The interfaces below are optional; a monitor does more with a Spec that has them.
type (
	// NonblockingSpec tells that MayBlock is false everywhere.
	NonblockingSpec interface{ Nonblocking() bool }

	// PureSpec tells that whenever c returns result, in any state, the state
	// stays as it is.
	PureSpec interface {
		Pure(c Call, result history.Tuple) bool
	}

	// RenamableSpec treats some arguments and results as names, the renaming
	// of which leads from one correct history to another.
	RenamableSpec interface {
		RenameState(s State, r *Renaming) State
		RenameCall(c Call, r *Renaming) Call
		RenameResult(c Call, result history.Tuple, r *Renaming) history.Tuple
	}
)

// MaxNames is the number of values, 0 to MaxNames-1, that can be renamed.
const MaxNames = 32

// ValueMap maps the value i to ValueMap[i]; values from MaxNames on, and
// negative ones, stay as they are.
type ValueMap [MaxNames]uint8

// Renaming maps the values of each domain: keys of sets and maps, items that are
// merely stored, and priorities (for which the map must be monotone).
type Renaming struct {
	Keys, Items, Priorities ValueMap
}

// Identity maps every value to itself.
func Identity() ValueMap {
	var m ValueMap
	for i := range m {
		m[i] = uint8(i)
	}
	return m
}

// NoRenaming leaves every domain as it is.
func NoRenaming() Renaming {
	return Renaming{Keys: Identity(), Items: Identity(), Priorities: Identity()}
}

// Apply is the image of v.
func (m *ValueMap) Apply(v int64) int64 {
	if v < 0 || v >= MaxNames {
		return v
	}
	return int64(m[v])
}
