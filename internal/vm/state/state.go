// SPDX-License-Identifier: BSD-3-Clause

// Package state holds one state of a program: a heap of typed objects, threads with
// frames of word registers, what has been printed, and how the program ended. It gives the
// state's canonical form, flat words that are equal for states that differ in nothing that
// matters, and makes such words the state again.
//
// What all states of a program have in common is its Ground: code, types, first contents
// of memory. What belongs to a state and which states are one is in Settings. Beside the
// state stands what is observed of the program's dealings with memory: the assumptions of
// the reductions (frozen and guarded classes, items, keys, numbers of threads), and whether
// they were breached.
//
// The package executes nothing: package vm does, whose Machine has a State as its
// ground floor and moves it. It does not search, and knows no operations and no properties.
package state

// State is one state of a program: memory, threads, what has been printed, and how the
// program ended. It can be saved as canonical words and loaded again.
type State struct {
	img *Ground
	Settings
	heap
	crew
	watch
	End     End
	Failure *Fault
	Out     Output
	Kept    []uint64 // pointers that an engine wants to keep: the roots
	Tracked Tracked  // only if Hunting
	// Hashes are the values of the hash function chosen so far, four bits for each.
	Hashes uint64
	// Addresses are the addresses that objects have been given.
	Addresses Addresses
	enc       encoder
}

// Settings tell what belongs to a state, and which states are equal.
type Settings struct {
	WholeProgram bool // thread 0 is main, whose return ends the program
	Tracking     bool // keep IsShared up to date; needed if accesses are scheduling points
	Fusing       bool // a step goes on to the next visible access
	Symmetry     bool // sort threads when a state is saved
	ForLife      bool // threads keep their places, see places.go
	Items        bool // see items.go
	Numbers      bool // see numbers.go
	Hashing      bool // values of the hash function belong to the state
	OneOfMany    bool // there are threads besides those of the state, see graft.go
	Hunting      bool // the state may remember an access, see tracked.go
	TieNumber    func(perm []int) uint64
	Limits       Limits
}

// Limits bound what a program may use.
type Limits struct {
	HeapWords  int
	Frames     int
	Goroutines int
	Output     int // bytes
	Strings    int64
}

// heap is a state's memory.
type heap struct {
	Objs  []Object // by number; object 0 does not exist
	Mem   []uint64
	Free  []int32 // numbers of freed objects
	dirty []int32 // base objects that may differ from their first contents
	Moved bool    // the collector has moved base objects
	Maps  map[int]*MapIndex
	lent  map[int]given // see lent.go
	order []uint64      // scratch of sortEntries
	slots map[int]int32 // by object with an address: the slot and, in the lowest bits, the place in it
}

// crew is a state's threads.
type crew struct {
	Thread    []*Thread
	Spare     []*Thread // retired threads, kept for their buffers
	nextID    int       // number of the next thread
	created   int       // number of threads ever created
	Places    []int     // by thread: its place when the state was loaded
	nextPlace int
	settled   int // number of places before the running step
	vacant    int // number of places without a thread
	crowd     survey
}

// watch is what is observed of the program's dealings with memory: assumptions, and
// whether they were breached.
type watch struct {
	Guards      *Guards // nil: nothing is assumed to be guarded
	Frozen      Frozen  // nil: nothing is assumed to be frozen
	breached    int
	Follows     bool // record who holds locks, and what was ever shared
	Watching    bool // record what is done with items, keys and numbers
	Inspected   bool // see items.go
	Miscompared bool // see keys.go
	Misnumbered bool // see numbers.go
	Asked       bool // some code was told the number of a thread
	Ghost       bool // ghost code is being executed, whose reads are no accesses
	Peered      bool // the step has looked at other threads or changed them
	Wrote       bool // it has written memory that others have known
	Passed      bool // the step has passed over an access that others could make as well, since its visible one
	Acquired    bool // the step's visible access has taken a lock, and nothing has been released since, see vm/ghost.go
	Undecided   bool // the step has ended because it has decided much, and not at a visible access
}

// NewState makes a state in which nothing has happened.
func NewState(g *Ground, s Settings) State {
	return State{img: g, Settings: s, watch: watch{breached: -1}}
}

// BaseCount is the number of base objects; they have the numbers 1 to baseCount.
func (img *Ground) BaseCount() int { return len(img.Base) - 1 }

// Reset brings the state into the program's initial state, without threads.
func (m *State) Reset() {
	m.RetireThreads(0)
	m.Mem = append(m.Mem[:0], m.img.BaseMem...)
	m.Objs = append(m.Objs[:0], m.img.Base...)
	m.Free, m.dirty = m.Free[:0], m.dirty[:0]
	m.End, m.Failure = End{}, nil
	m.Kept, m.Hashes, m.Addresses = m.Kept[:0], 0, Addresses{}
	m.Out.reset()
	m.nextID = 0
	m.Maps, m.lent = nil, nil
	m.Forget()
}
