// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"fmt"
	"sync/atomic"

	"pangolin/history"
	"pangolin/internal/memo"
	"pangolin/oracle"
)

// ID is a monitor state: everything about a history so far that matters to its
// further judgement. IDs are numbers of one Monitor, in order of first
// appearance; never let one influence a result (use Content). 0 is Rejected.
type ID uint32

// Rejected is the state of a history of which no continuation has the property.
const Rejected ID = 0

// A Monitor follows histories, one event after the other, and judges them. Its states
// are small numbers, so that a search can carry one in each of its states. It may be used
// by several goroutines at once.
//
// HistoryMonitor judges by call and return alone. What else may decide, such as where
// in its code a call takes effect, is another implementation's affair: the search knows
// this interface only.
type Monitor interface {
	// InitialAt is the state before any event of a collection that has been used already.
	InitialAt(s oracle.State) ID
	// Call and Result number what Invoke and Respond take.
	Call(op int, args history.Tuple) oracle.CallID
	Result(t history.Tuple) oracle.ResultID
	// Invoke and Respond are the states after an event; Rejected (and false) says that no
	// continuation of the history has the property.
	Invoke(id ID, thread int, c oracle.CallID) ID
	Respond(id ID, thread int, r oracle.ResultID) (ID, bool)
	// CompleteOK and StuckOK judge a history that ends here.
	CompleteOK(id ID) bool
	StuckOK(id ID, stuck ThreadSet) (ok bool, offender int)
	// Busy is the set of threads with a pending call.
	Busy(id ID) ThreadSet

	Symmetric
	Renamer

	// Bytes estimates the memory of the monitor.
	Bytes() int64
	// Err is the first error; after one, rejections mean nothing.
	Err() error
}

// Symmetric is what a monitor needs for searches in which threads change places.
type Symmetric interface {
	// Rename is the state with the threads permuted.
	Rename(id ID, p Perm) ID
	// Signature is a hash of the state as one thread sees it: the same in every run,
	// the same under every permutation of the other threads, and moving along when
	// the thread itself is renumbered.
	Signature(id ID, thread int) uint64
	// Content is a hash of the state that is the same in every run.
	Content(id ID) uint64
}

// Renamer is what a monitor needs for searches in which values get other names.
type Renamer interface {
	// Renamable says whether values can be renamed at all.
	Renamable() bool
	// Renaming numbers a renaming, for RenameValues.
	Renaming(r oracle.Renaming) oracle.RenamingID
	// RenameValues is the state with the values renamed.
	RenameValues(id ID, r oracle.RenamingID) ID
	// Names are the values that the state depends on.
	Names(id ID) oracle.Names
}

// HistoryMonitor is the Monitor of a property: a specification automaton, determinised as
// it goes. What has been computed before is found without a lock.
//
// Respond rejects as soon as the property's state allows: L at the response that
// no order explains; QC at the response that leaves no call pending; SC never,
// because calls still to come may justify results already seen. So at the end of
// a complete history (and, when every prefix that leaves no call pending counts as a
// history of a smaller client, at each of those) CompleteOK must be asked.
type HistoryMonitor struct {
	auto    *oracle.Automaton
	judge   judge
	threads int
	initial ID

	states *store
	memo   memo.Table
	small  [smallResults]atomic.Uint32 // ResultID+1 of common results
}

// judge is a property. Its methods are pure functions of the words of a monitor state.
type judge interface {
	initial(s oracle.StateID) []byte
	invoke(words string, thread int, c oracle.CallID) []byte
	// respond returns nil to reject.
	respond(words string, thread int, r oracle.ResultID) []byte
	complete(words string) bool
	// blocked returns the first stuck thread whose waiting is not justified, else one whose partner
	// is stuck as well; -1: none.
	blocked(words string, stuck ThreadSet) int
	permute(words string, p Perm) []byte
	rename(words string, r oracle.RenamingID) []byte
	names(words string, n *oracle.Names)
	// describe returns a hash of the content, and adds the hashes as each thread sees the state to
	// signatures.
	describe(words string, signatures []uint64) (content uint64)
	busy(words string) ThreadSet
}

// NewMonitor makes a monitor for so many threads, 1 to MaxThreads.
func NewMonitor(a *oracle.Automaton, p Property, threads int) (*HistoryMonitor, error) {
	j, err := newJudge(a, p, threads)
	if err != nil {
		return nil, err
	}
	return newMonitor(a, j, threads)
}

func newMonitor(a *oracle.Automaton, j judge, threads int) (*HistoryMonitor, error) {
	if threads < 1 || threads > MaxThreads {
		return nil, fmt.Errorf("%d threads: a monitor follows 1 to %d", threads, MaxThreads)
	}
	m := &HistoryMonitor{auto: a, judge: j, threads: threads, states: newStore(threads)}
	m.initial = m.intern(j.initial(0))
	return m, nil
}

// Initial is the state before any event.
func (m *HistoryMonitor) Initial() ID { return m.initial }

// InitialAt is the state before any event of a collection that has been used
// already: s comes from oracle.Advance. (Treating that use as calls of a thread would
// be wrong for SC, which lets other threads' calls come before them.)
func (m *HistoryMonitor) InitialAt(s oracle.State) ID {
	return m.intern(m.judge.initial(m.auto.StateID(s)))
}

// Follow is the state after a whole history, and the number of its events up to
// and including the one that was rejected, if there is one.
func (m *HistoryMonitor) Follow(from ID, h history.History) (id ID, events int) {
	id = from
	for i, e := range h.Events {
		if e.Phase == history.Invoke {
			id = m.Invoke(id, e.Thread, m.Call(e.Method, e.Args))
		} else {
			id, _ = m.Respond(id, e.Thread, m.Result(e.Result))
		}
		if id == Rejected {
			return Rejected, i + 1
		}
	}
	return id, len(h.Events)
}

// States is the number of states met so far.
func (m *HistoryMonitor) States() int { return m.states.size() }

// Bytes estimates the memory of the monitor, without the oracle's.
func (m *HistoryMonitor) Bytes() int64 { return m.states.bytes.Load() + m.memo.Bytes() }

// Err is the oracle's first error; after one, rejections mean nothing.
func (m *HistoryMonitor) Err() error { return m.auto.Err() }

// Call numbers a call, for Invoke. Keep the number: finding it hashes the call.
func (m *HistoryMonitor) Call(op int, args history.Tuple) oracle.CallID {
	return m.auto.CallID(oracle.Call{Op: op, Args: args})
}

// Result numbers a result, for Respond. Small ones are found quickly.
func (m *HistoryMonitor) Result(t history.Tuple) oracle.ResultID {
	at := smallResult(t)
	if at < 0 {
		return m.auto.ResultID(t)
	}
	if r := m.small[at].Load(); r != 0 {
		return oracle.ResultID(r - 1)
	}
	r := m.auto.ResultID(t)
	m.small[at].Store(uint32(r) + 1)
	return r
}

// The kinds of keys of the memo; a key also has the state, and the details of the event.
const (
	onInvoke uint64 = iota << 29
	onRespond
	onPermute
	onRename
	onComplete
	onStuck
	onAnnounce
	onTogether // the last one: keys have three bits for the kind
)

func memoKey(id ID, what, detail uint64) uint64 { return uint64(id)<<32 | what | detail }

// Invoke is the state after a thread, counted from 0 and idle, has called c.
func (m *HistoryMonitor) Invoke(id ID, thread int, c oracle.CallID) ID {
	if id == Rejected {
		return Rejected
	}
	key := memoKey(id, onInvoke, uint64(thread)<<16|uint64(c))
	if v, ok := m.memo.Get(key); ok {
		return ID(v)
	}
	words := m.states.words(id)
	if m.judge.busy(words).Has(thread) {
		panic(fmt.Sprintf("consist: thread %d invokes during a call", thread))
	}
	return m.remember(key, m.judge.invoke(words, thread, c))
}

// Respond is the state after a thread's call has returned r; Rejected and false
// if no continuation of the history has the property.
func (m *HistoryMonitor) Respond(id ID, thread int, r oracle.ResultID) (ID, bool) {
	if id == Rejected {
		return Rejected, false
	}
	key := memoKey(id, onRespond, uint64(thread)<<16|uint64(r))
	if v, ok := m.memo.Get(key); ok {
		return ID(v), v != uint32(Rejected)
	}
	words := m.states.words(id)
	if !m.judge.busy(words).Has(thread) {
		panic(fmt.Sprintf("consist: thread %d responds without a call", thread))
	}
	next := m.remember(key, m.judge.respond(words, thread, r))
	return next, next != Rejected
}

// CompleteOK reports whether a complete history that ends here has the
// property. It panics if a call is pending.
func (m *HistoryMonitor) CompleteOK(id ID) bool {
	if id == Rejected {
		return false
	}
	key := memoKey(id, onComplete, 0)
	if v, ok := m.memo.Get(key); ok {
		return v != 0
	}
	words := m.states.words(id)
	if busy := m.judge.busy(words); busy != 0 {
		panic(fmt.Sprintf("consist: threads %b are busy at the end of a complete history", busy))
	}
	ok, v := m.judge.complete(words), uint32(0)
	if ok {
		v = 1
	}
	m.memo.Put(key, v)
	return ok
}

// StuckOK reports whether a stuck history that ends here has the property, and if
// not, for which of the stuck threads no order fits, or whose partner is stuck as well
// (-1 if the history was rejected before). The stuck threads must be those with a pending call.
func (m *HistoryMonitor) StuckOK(id ID, stuck ThreadSet) (ok bool, offender int) {
	if id == Rejected {
		return false, -1
	}
	key := memoKey(id, onStuck, uint64(stuck))
	if v, ok := m.memo.Get(key); ok {
		return v == 0, int(v) - 1
	}
	words := m.states.words(id)
	if busy := m.judge.busy(words); busy != stuck || stuck == 0 {
		panic(fmt.Sprintf("consist: threads %b are busy, %b said to be stuck", busy, stuck))
	}
	offender = m.judge.blocked(words, stuck)
	m.memo.Put(key, uint32(offender+1))
	return offender < 0, offender
}

// Rename is the state with the threads permuted.
func (m *HistoryMonitor) Rename(id ID, p Perm) ID {
	if id == Rejected {
		return Rejected
	}
	key := memoKey(id, onPermute, uint64(p))
	if v, ok := m.memo.Get(key); ok {
		return ID(v)
	}
	return m.remember(key, m.judge.permute(m.states.words(id), p))
}

// Content is a hash of the state that is the same in every run.
func (m *HistoryMonitor) Content(id ID) uint64 {
	if id == Rejected {
		return 0
	}
	return m.states.content(id)
}

// Signature is a hash of the state as one thread sees it: the same in every run,
// the same under every permutation of the other threads, and moving along when
// the thread itself is renumbered.
func (m *HistoryMonitor) Signature(id ID, thread int) uint64 {
	if id == Rejected {
		return 0
	}
	return m.states.signatures(id)[thread]
}

// Busy is the set of threads with a pending call.
func (m *HistoryMonitor) Busy(id ID) ThreadSet {
	if id == Rejected {
		return 0
	}
	return m.judge.busy(m.states.words(id))
}

func (m *HistoryMonitor) remember(key uint64, words []byte) ID {
	id := m.intern(words)
	m.memo.Put(key, uint32(id))
	return id
}

func (m *HistoryMonitor) intern(words []byte) ID {
	if words == nil {
		return Rejected
	}
	return m.states.intern(words, m.judge.describe)
}

// Common results are numbered through an array: at most one integer in -16..47, or such an integer
// and a bool.
const (
	smallValues  = 64
	smallOffset  = 16
	smallKinds   = 6 // number of values of history.Kind
	smallResults = smallValues * (smallKinds + 2)
)

func smallResult(t history.Tuple) int {
	first := t.At(0)
	v := first.Int + smallOffset
	if v < 0 || v >= smallValues || int(first.Kind) >= smallKinds || t.At(2).Kind != history.None {
		return -1
	}
	second := t.At(1)
	switch {
	case second.Kind == history.None:
		return int(first.Kind)*smallValues + int(v)
	case first.Kind == history.Int && second.Kind == history.Bool:
		return (smallKinds+int(second.Int&1))*smallValues + int(v)
	}
	return -1
}
