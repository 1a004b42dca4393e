// SPDX-License-Identifier: BSD-3-Clause

package play

import (
	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
)

// Place is one state of a collection and its threads, in which a cursor of a search is. It has two forms. Machine keeps the state in a
// vm.Machine and executes every step. Parts represents the state by the numbers of its parts (internal/vm/parts), recalls steps that
// were executed before, and asks the machine for the rest.
//
// Both return the same answers, events and states: TestPlace in this package is the contract. Threads are counted from 0; the clients'
// threads come first. After Append the order of the threads is either the one that was saved or the one before.
type Place interface {
	// Reset leaves the state, and returns the machine for a new execution to begin in.
	Reset() *vm.Machine
	// Stand brings the machine into the state and returns it, to be inspected or moved.
	Stand() *vm.Machine
	// Follow does the same, and from then on the machine executes every step.
	Follow() *vm.Machine

	// Threads is the number of threads. Idle, Enabled and Anonymous (no word of the state contains the thread's number) tell
	// about one of them.
	Threads() int
	Idle(thread int) bool
	Enabled(thread int) bool
	Anonymous(thread int) bool
	// Tag is a word that the cursor stores with a thread; SetTag changes it.
	Tag(thread int) uint64
	SetTag(thread int, tag uint64)
	// Count stores the counts in the tags of the clients' threads, and marks the thread that moved last (-1: none); Counts
	// reads both.
	Count(counts []uint64, last int)
	Counts(counts []uint64) (last int)
	// Root is the pointer to the collection.
	Root() uint64
	// Ended reports whether the program has ended: then the machine is in this state, and no thread continues.
	Ended() bool
	// Race returns two accesses that threads are about to make and that race with each other. The machine is in this state
	// then.
	Race() (r vm.Race, ok bool)
	// Deep reports whether a thread has at least so many function calls in progress.
	Deep(calls int) bool

	// Take executes a turn, or recalls it. The events are valid until the next turn. Rest tells the place that another agent takes a
	// turn, which does not change the place.
	Take(t *Turn, ch *explore.Choices) *Events
	Rest()

	// A state is saved in four steps. Sort finds the canonical order of the threads: thread perm[k] comes to index k; whole forbids to
	// represent the state by its parts. Items lists the items in the order of their new names, and Keys the set of the offsets of the
	// keys in the state. Rank replaces each key by its rank in the set present (0: they are ranks already); it returns false if the
	// place had to change its form, and then everything starts again with Sort. Append appends the words.
	Sort(whole bool) (perm []int)
	Items() []uint8
	Keys() uint64
	Rank(present uint64) bool
	Append(dst []uint64) []uint64
	// Load loads a state that Append has written.
	Load(words []uint64)
}

// Turn is the step of a thread between two states.
type Turn struct {
	Thread int
	Begins bool        // it begins with a call
	Call   client.Step // that call
	Number uint32      // of the call, from 1 on: calls with the same number have the same arguments; 0: not known
	Fresh  int         // the name of the call's new item; -1: it has none
	Alone  bool        // the thread runs to the end of its call
}

// Events are the observable effects of a turn.
type Events struct {
	Race     *vm.Race          // a race of the call's first access, which is then not executed; nil: none
	Site     int               // the number of the site that the thread passed (Options.Site); 0: none
	Said     []vm.Announcement // by ghost code of a policy
	Returned []Return          // in the order of the threads
}

// Return is a call that has ended.
type Return struct {
	Thread, Operation int
	Words             []uint64 // its result words
	Panic             string   // the text of its panic; "": it has returned
}

// Options configure a place.
type Options struct {
	Machine    vm.Options // without Tie, Items, Numbers and Watch, which follow from what is below
	Clients    int        // threads that make calls
	Operations []subject.Operation
	// Words returns the argument words of the call with which a turn begins, the collection first.
	Words func(call *client.Step) []uint64
	// View returns a signature by which otherwise equal threads are sorted. Tie returns the number of an order of the threads, given
	// the items in the order of their names; the least is chosen among orders of equal threads.
	View func(thread int) uint64
	Tie  func(perm []int, items []uint8) uint64

	Renamed
	Races bool              // look for races before the first access of a call
	Fuse  bool              // execute the first access of a call in the turn that begins it
	Sites []bool            // by function: report the sites that are passed there; nil: none
	Site  func(vm.Site) int // the number of a site, at least 1; 0: it is not reported
	Store *Store            // makes the place one of Parts; nil: a Machine
	// Untagged: the tags of threads are not saved with their parts; whoever loads the state sets them again.
	Untagged bool
}

// Bits of the tag of a client's thread: whether it is busy, whether it moved last, its operation, and its count in the plan.
const (
	Busy     uint64 = 1
	Last     uint64 = 2
	tagOp           = 2  // shift, 8 bits; 0 for an idle thread
	tagOwn          = 10 // shift, 22 bits
	opLimit         = 1 << 8
	ownLimit        = 1 << 22
)

// BusyWith is the tag of a thread that executes an operation, without its count.
func BusyWith(operation int) uint64 { return Busy | uint64(operation)<<tagOp }

// OperationOf is the operation in a tag, and CountOf its count.
func OperationOf(tag uint64) int { return int(tag >> tagOp & (opLimit - 1)) }
func CountOf(tag uint64) uint64  { return tag >> tagOwn & (ownLimit - 1) }

// Counted returns the tag with another count. A tag of 0 belongs to an idle thread.
func Counted(tag, count uint64) uint64 {
	return tag&(Busy|(opLimit-1)<<tagOp) | count<<tagOwn
}

// count stores counts in tags, and marks the one at last.
func count(tags, counts []uint64, last int) {
	for i, n := range counts {
		tags[i] = Counted(tags[i], n)
	}
	if last >= 0 && last < len(counts) { // others than clients have no tags
		tags[last] |= Last
	}
}

// counts reads what count has written.
func counts(tags, counts []uint64) (last int) {
	last = -1
	for i := range counts {
		counts[i] = CountOf(tags[i])
		if tags[i]&Last != 0 {
			last = i
		}
	}
	return last
}

// NewPlace makes a place, in the form that Options.Store selects. Reset must be called first.
func NewPlace(img *vm.Image, opt *Options) Place {
	m := newMachine(img, opt)
	if opt.Store == nil {
		return m
	}
	return newParts(m, opt.Store)
}

// Stuck reports whether no thread that has something to do can continue.
func Stuck(p Place) bool {
	for i := range p.Threads() {
		if !p.Idle(i) && p.Enabled(i) {
			return false
		}
	}
	return true
}
