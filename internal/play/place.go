// SPDX-License-Identifier: BSD-3-Clause

package play

import (
	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
)

// Place is where a cursor of a search stands: one state of the collection and its threads. It has two forms. Machine
// holds the state in a vm.Machine and executes every step. Parts names the state by the numbers of its parts
// (internal/vm/parts), and recalls steps that have been executed before; what it cannot answer from
// the parts it asks the machine.
//
// Both give the same answers, the same events and the same states: the contract is TestPlace in this package.
// Threads are counted from 0; the clients' threads come first. Behind Append the threads may stand in the
// order in which they were saved, or as before.
type Place interface {
	// Reset leaves the state and gives the machine, in which a new execution is to begin.
	Reset() *vm.Machine
	// Stand brings the machine into the state, to be looked at or moved.
	Stand() *vm.Machine
	// Follow does the same, and from now on the machine executes every step.
	Follow() *vm.Machine

	// Threads is how many there are; Idle, Enabled and Anonymous (nothing holds its number) tell of one of them.
	Threads() int
	Idle(thread int) bool
	Enabled(thread int) bool
	Anonymous(thread int) bool
	// Tag is the word of the cursor's that a thread has, and SetTag gives it one.
	Tag(thread int) uint64
	SetTag(thread int, tag uint64)
	// Count gives the clients' threads the tags with these counts, and that of the one that moved last (-1: nobody) its mark; Counts
	// reads both.
	Count(counts []uint64, last int)
	Counts(counts []uint64) (last int)
	// Root points to the collection.
	Root() uint64
	// Ended says that the program has: the machine stands here, and no thread goes on.
	Ended() bool
	// Race gives two accesses that threads stand at and that race with each other. The machine stands here then.
	Race() (r vm.Race, ok bool)
	// Deep says that a thread has so many calls of functions in progress, or more.
	Deep(calls int) bool

	// Take executes a turn, or recalls it. The events are valid until the next turn. Rest takes a turn that is somebody else's:
	// the place stays as it is.
	Take(t *Turn, ch *explore.Choices) *Events
	Rest()

	// A state is saved in four steps. Sort finds the canonical order of the threads, in which perm[k] comes to place k;
	// whole forbids to name the state by its parts. Items then lists the items in the order of their new
	// names, and Keys is the set of the offsets of keys that the state holds. Rank gives these keys the words of their ranks
	// among the offsets in present (0: they have them); it is false if the place has changed its form to do so, and then all
	// of it begins again with Sort. Append appends the words.
	Sort(whole bool) (perm []int)
	Items() []uint8
	Keys() uint64
	Rank(present uint64) bool
	Append(dst []uint64) []uint64
	// Load reads what Append has written.
	Load(words []uint64)
}

// Turn is what a thread does between two states.
type Turn struct {
	Thread int
	Begins bool        // it begins with a call:
	Call   client.Step // this one
	Number uint32      // of the call, from 1 on: those with the same number have the same arguments; 0: not known
	Fresh  int         // the name of the item that the call brings; -1: it brings none
	Alone  bool        // the thread goes on to the end of its call
}

// Events are what others learn of a turn.
type Events struct {
	Race     *vm.Race // with the first access of the call, which is not made then; nil: none
	Site     *vm.Site // the site that the thread has passed, of the functions in Options.Sites; nil: none
	Said     []vm.Announcement
	Returned []Return // in the order of the threads
}

// Return is a call that has come to its end.
type Return struct {
	Thread, Operation int
	Words             []uint64 // its results
	Panic             string   // the text with which it has panicked; "": it has returned
}

// Options say what a place is for, and of whom it asks what it does not know itself.
type Options struct {
	Machine    vm.Options // without Tie, Items, Numbers and Watch, which follow from what is below
	Clients    int        // threads that make calls
	Operations []subject.Operation
	// Words are the arguments of the call with which a turn begins, the collection first.
	Words func(call *client.Step) []uint64
	// View is a signature of a thread as others see it, for threads that are equal otherwise; Tie is the number of an order of
	// the threads, in which items are named in the order given.
	View func(thread int) uint64
	Tie  func(perm []int, items []uint8) uint64

	Renamed
	Races bool   // are looked for before the first access of a call
	Fuse  bool   // the first access of a call is made in the turn that begins it
	Sites []bool // by function: where passed sites are told; nil: nowhere
	Store *Store // of states as parts; nil: the machine executes everything
	// Untagged: parts are saved without the tags of their threads, which whoever loads them sets again.
	Untagged bool
}

// The tag of a client's thread: whether it is busy, whether it moved last, its operation, and its count in the plan.
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

// OperationOf is the operation in a tag, and CountOf the count.
func OperationOf(tag uint64) int { return int(tag >> tagOp & (opLimit - 1)) }
func CountOf(tag uint64) uint64  { return tag >> tagOwn & (ownLimit - 1) }

// Counted is a tag with another count; one that is about no call, if the tag is 0.
func Counted(tag, count uint64) uint64 {
	return tag&(Busy|(opLimit-1)<<tagOp) | count<<tagOwn
}

// count gives tags their counts, and the one at last its mark.
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

// NewPlace makes a place in which no execution has begun.
func NewPlace(img *vm.Image, opt *Options) Place {
	m := newMachine(img, opt)
	if opt.Store == nil {
		return m
	}
	return newParts(m, opt.Store)
}

// Stuck says that no thread that is busy, or was started by a call, can go on.
func Stuck(p Place) bool {
	for i := range p.Threads() {
		if !p.Idle(i) && p.Enabled(i) {
			return false
		}
	}
	return true
}
