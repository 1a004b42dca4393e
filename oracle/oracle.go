// SPDX-License-Identifier: BSD-3-Clause

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
// is asked for all its outcomes instead of being told the observed one;
// isAccepting(stuck) is asked for one call at a time (Spec.MayBlock), because
// Fig. 1 lets enqueue block where dequeue does not; and calls may be partners
// (PartnerSpec), of which a sequential history shows nothing.
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

	// PartnerSpec tells of calls that serve each other: in no history may both be
	// stuck, although each may be without the other.
	PartnerSpec interface{ Partners(a, b Call) bool }

	// PureSpec tells that whenever c returns result, in any state, the state
	// stays as it is.
	PureSpec interface {
		Pure(c Call, result history.Tuple) bool
	}

	// LenientSpec tells of calls that may fail because of others: c may return result, and changes nothing, if another call is in progress
	// at some moment between its invocation and its response. Only linearizability knows of it.
	LenientSpec interface {
		Lenient() bool // some calls may
		MayFail(c Call, result history.Tuple) bool
	}

	// TurnSpec tells what a call c does that begins in s while another call, first, waits, which has not taken effect in s. Behind lists the results with which c may return though it changes nothing, and
	// says whether c may wait for ever because first does. Only linearizability knows of it.
	TurnSpec interface {
		Turns() bool // Behind says something of some calls
		Behind(s State, first, c Call) (results []history.Tuple, waits bool)
	}

	// LastingSpec tells of operations whose calls take effect at two moments. The first is the call as it was made, and its result, the
	// ticket, is returned to nobody. The second is a call of the operation end with the ticket as arguments, and has the result.
	LastingSpec interface {
		Ends(op int) (end int, lasts bool)
	}

	// PanickingSpec tells of which operations a call may panic.
	PanickingSpec interface{ Panics(op int) bool }

	// RenamableSpec treats some arguments and results as names, the renaming
	// of which leads from one correct history to another. Each method replaces
	// every name by what f returns for it.
	RenamableSpec interface {
		MapState(s State, f NameMap) State
		MapCall(c Call, f NameMap) Call
		MapResult(c Call, result history.Tuple, f NameMap) history.Tuple
	}
)

// Domain is a domain of names.
type Domain uint8

// The domains.
const (
	Keys       Domain = iota // of sets and maps
	Items                    // merely stored
	Priorities               // for which a renaming must be monotone
)

// NameMap gives a name's new name, or looks at it and gives it back.
type NameMap func(d Domain, name int64) int64

// MaxNames is the number of values, 0 to MaxNames-1, that can be renamed.
const MaxNames = 32

// ValueMap maps the value i to ValueMap[i]; values from MaxNames on, and
// negative ones, stay as they are.
type ValueMap [MaxNames]uint8

// Renaming maps the values of each domain.
type Renaming [3]ValueMap

// Names is a set of values 0 to MaxNames-1 for each domain, one bit each.
type Names [3]uint32

// Identity maps every value to itself.
func Identity() ValueMap {
	var m ValueMap
	for i := range m {
		m[i] = uint8(i)
	}
	return m
}

// NoRenaming leaves every domain as it is.
func NoRenaming() Renaming { return noRenaming }

var noRenaming = Renaming{Identity(), Identity(), Identity()}

// Name is the new name; it is a NameMap.
func (r *Renaming) Name(d Domain, name int64) int64 {
	if name < 0 || name >= MaxNames {
		return name
	}
	return int64(r[d][name])
}

// Add adds a name to the set and returns it; it is a NameMap that only looks.
func (n *Names) Add(d Domain, name int64) int64 {
	if name >= 0 && name < MaxNames {
		n[d] |= 1 << name
	}
	return name
}
