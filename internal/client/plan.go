// SPDX-License-Identifier: BSD-3-Clause

package client

import (
	"pangolin/history"
)

// Plan says which calls a thread may make next. The words it keeps in a state are its own: a
// count for all threads and one for each.
type Plan interface {
	// Start gives the counts of an initial state; variant numbers the initial states from 0.
	Start(variant int) (pre []Step, all uint64, each []uint64)
	// Variants is the number of initial states.
	Variants() int
	// Calls appends the calls that an idle thread may make; index into the plan's own
	// numbering, which is below MaxCalls.
	Calls(dst []int, all, own uint64) []int
	// Make gives a call and the counts behind it.
	Make(call int, all, own uint64) (step Step, nextAll, nextOwn uint64)
	// Done says that a client may end here, with these threads busy: none of the others
	// has to make another call, and the calls so far are one of the scope's clients.
	Done(all uint64, own []uint64, busy ThreadSet) bool
}

// MaxCalls is how many calls a plan can number: a move has 23 bits for one.
const MaxCalls = 1<<23 - 1

// The count of all threads has 48 bits. Above them a system notes how many items and keys a
// state has.
const (
	ItemsShift = 48 // shift, 8 bits
	KeysShift  = 56 // likewise
	CountMask  = 1<<ItemsShift - 1
)

// ThreadSet is a set of threads, counted from 0, one bit each.
type ThreadSet uint8

// Has reports whether a thread is in the set.
func (s ThreadSet) Has(thread int) bool { return s>>thread&1 != 0 }

// Gap is the argument that stands for a new key before key k, where keys are held by rank.
func Gap(k int) history.Value { return history.IntValue(int64(-k - 1)) }
