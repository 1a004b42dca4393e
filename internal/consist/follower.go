// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"bytes"
	"fmt"
	"slices"

	"pangolin/history"
	"pangolin/oracle"
)

// Follower is a PolicyMonitor for one goroutine that follows one history at a time, as a search does between
// loading a state and saving the next one. A state of a policy is one of the oracle, or a few, and not a set of configurations, so
// that computing what it becomes is cheaper than to number every state on the way and to remember what came of it.
//
// States that it gives are *loose*, until Settle gives them their numbers: they are kept as values, in two places. One has
// the state behind the last event, the other one has that state with threads or values renamed. So a loose state is
// good until the next event or renaming; using it later is a fault of the caller, and panics. A state that is settled
// may be used for ever, and is the same as that of the monitor.
type Follower struct {
	m      *PolicyMonitor
	judge  *announced
	places [2]place
	last   ID // number of the last loose state
	words  []byte
	coded  [][]byte
	// For announcements in any order: the ways before them, those of one order, and the orders of so many.
	before, one []announcedState
	orders      [MaxThreads + 1][][]int
}

// place holds a loose state: its ways, which are one unless the policy speculates, and its ID, which is Rejected if there is no state.
type place struct {
	id   ID
	ways []announcedState
	// named is a settled state in which the same values occur, as it differs in the order of threads; Rejected: none.
	named ID
	// described says that the hashes are known: content of the state, and signatures of the state as each thread sees it.
	described  bool
	content    uint64
	signatures [MaxThreads]uint64
}

// loose is in the ID of a loose state; inRenamed says in which place it is, and the rest is a number.
const (
	loose     ID = 1 << 31
	inRenamed ID = 1 << 30
)

// The places.
const (
	behindEvents = iota
	behindRenaming
)

// Follower makes one.
func (m *PolicyMonitor) Follower() *Follower { return &Follower{m: m, judge: m.open} }

// Loose says that a state has no number yet.
func (f *Follower) Loose(id ID) bool { return id&loose != 0 }

// at brings the ways of a state into a place, where an event is about to change them: those of a settled state are read, those of a
// loose one are there already or are copied from the other place.
func (f *Follower) at(id ID, where int) *place {
	p := &f.places[where]
	if id&loose == 0 {
		f.read(p, f.m.states.words(id))
		p.named = id
	} else if p.id != id {
		other := f.find(id)
		p.ways, p.named = append(p.ways[:0], other.ways...), other.named
	}
	p.id, p.described = Rejected, false
	return p
}

// read reads the ways of a state.
func (f *Follower) read(p *place, words string) {
	if !f.m.several {
		p.resize(1)
		f.judge.read(&p.ways[0], words)
		return
	}
	r := reader{words}
	p.resize(int(r.u16()))
	for i := range p.ways {
		n := int(r.u16())
		f.judge.read(&p.ways[i], r.rest[:n])
		r.rest = r.rest[n:]
	}
}

func (p *place) resize(n int) { p.ways = slices.Grow(p.ways[:0], n)[:n] }

// find is a loose state, wherever it is.
func (f *Follower) find(id ID) *place {
	for i := range f.places {
		if f.places[i].id == id {
			return &f.places[i]
		}
	}
	panic(fmt.Sprintf("consist: state %x is not followed any more", id))
}

// changed is the new loose state in a place; Rejected if no way is left.
func (f *Follower) changed(where int) ID {
	p := &f.places[where]
	if len(p.ways) == 0 {
		return Rejected
	}
	f.last = (f.last + 1) &^ (loose | inRenamed)
	p.id = loose | f.last
	if where == behindRenaming {
		p.id |= inRenamed
	} else {
		p.named = Rejected
	}
	return p.id
}

// Settle is the number of a state.
func (f *Follower) Settle(id ID) ID {
	if id&loose == 0 {
		return id
	}
	p := f.find(id)
	if f.m.several {
		f.words = f.set(f.words[:0], f.needed(p))
	} else {
		f.words = f.judge.append(f.words[:0], &p.ways[0])
	}
	return f.m.intern(f.words)
}

// set appends the words of a set of ways, as speculation writes them, in the order of their words.
func (f *Follower) set(dst []byte, ways []announcedState) []byte {
	for len(f.coded) < len(ways) {
		f.coded = append(f.coded, nil)
	}
	coded := f.coded[:len(ways)]
	for i := range ways {
		coded[i] = f.judge.append(coded[i][:0], &ways[i])
	}
	slices.SortFunc(coded, bytes.Compare)
	w := writer{dst}
	w.u16(uint16(len(coded)))
	for _, one := range coded {
		w.u16(uint16(len(one)))
		w.buf = append(w.buf, one...)
	}
	return w.buf
}

// needed leaves the ways out that another one makes superfluous, as speculation does. Each is compared with those that have
// been kept and those that come later, so that of equal ones the last is kept.
func (f *Follower) needed(p *place) []announcedState {
	left := 0
	for i := range p.ways {
		superfluous := false
		for k := 0; k < len(p.ways) && !superfluous; k++ {
			superfluous = (k < left || k > i) && f.judge.within(&p.ways[i], &p.ways[k])
		}
		if !superfluous {
			p.ways[left] = p.ways[i]
			left++
		}
	}
	p.ways = p.ways[:left]
	return p.ways
}

// InitialAt is the monitor's state for the empty history of an object in state s.
func (f *Follower) InitialAt(s oracle.State) ID { return f.m.InitialAt(s) }

// Call numbers a call of operation op: calls with the same arguments have one number.
func (f *Follower) Call(op int, args history.Tuple) oracle.CallID { return f.m.Call(op, args) }

// Result numbers what a call returned.
func (f *Follower) Result(t history.Tuple) oracle.ResultID { return f.m.Result(t) }

// Invoke is the loose state after a call.
func (f *Follower) Invoke(id ID, thread int, c oracle.CallID) ID {
	if id == Rejected {
		return Rejected
	}
	p := f.at(id, behindEvents)
	if p.ways[0].calls[thread] != 0 {
		panic(fmt.Sprintf("consist: thread %d invokes during a call", thread))
	}
	for i := range p.ways {
		f.judge.invoked(&p.ways[i], thread, c)
	}
	return f.changed(behindEvents)
}

// Respond is the loose state after a response.
func (f *Follower) Respond(id ID, thread int, r oracle.ResultID) (ID, bool) {
	if id == Rejected {
		return Rejected, false
	}
	p := f.at(id, behindEvents)
	if p.ways[0].calls[thread] == 0 {
		panic(fmt.Sprintf("consist: thread %d responds without a call", thread))
	}
	left := 0
	for i := range p.ways {
		if f.judge.responds(&p.ways[i], thread, r) {
			p.ways[left] = p.ways[i]
			left++
		}
	}
	p.ways = p.ways[:left]
	id = f.changed(behindEvents)
	return id, id != Rejected
}

// Announce is the loose state after an announcement.
func (f *Follower) Announce(id ID, a Announcement) ID {
	if id == Rejected {
		return Rejected
	}
	p := f.at(id, behindEvents)
	p.ways = f.announced(p.ways, a)
	return f.changed(behindEvents)
}

// announced are ways behind an announcement, in their place.
func (f *Follower) announced(ways []announcedState, a Announcement) []announcedState {
	if len(ways) == 0 {
		return ways
	}
	if !a.Own && ways[0].calls.get(a.Thread) != a.Call {
		if a.May {
			return ways
		}
		return ways[:0] // M6
	}
	before := len(ways)
	if a.May && f.m.several {
		ways = append(ways, ways...) // the second half has not announced
	}
	left := 0
	for i := range ways {
		if i >= before || f.judge.announces(&ways[i], a) {
			ways[left] = ways[i]
			left++
		}
	}
	return ways[:left]
}

// AnnounceAll is the loose state after announcements in any order. Without speculation all orders must come to the same; that is
// left to the monitor.
func (f *Follower) AnnounceAll(id ID, list []Announcement) ID {
	switch {
	case id == Rejected:
		return Rejected
	case len(list) == 1:
		return f.Announce(id, list[0])
	case !f.m.several || len(list) > MaxThreads:
		return f.m.AnnounceAll(f.Settle(id), list)
	}
	if f.orders[len(list)] == nil {
		f.orders[len(list)] = orders(len(list))
	}
	p := f.at(id, behindEvents)
	f.before = append(f.before[:0], p.ways...)
	p.ways = p.ways[:0]
	for _, order := range f.orders[len(list)] {
		f.one = append(f.one[:0], f.before...)
		for _, k := range order {
			f.one = f.announced(f.one, list[k])
		}
		p.ways = append(p.ways, f.one...)
	}
	return f.changed(behindEvents)
}

// CompleteOK says whether a history may end here, with all calls returned.
func (f *Follower) CompleteOK(id ID) bool { return f.m.CompleteOK(f.Settle(id)) }

// StuckOK says whether threads may wait for ever here, and otherwise which of them may not.
func (f *Follower) StuckOK(id ID, stuck ThreadSet) (ok bool, offender int) {
	return f.m.StuckOK(f.Settle(id), stuck)
}

// Busy is the set of threads with a pending call.
func (f *Follower) Busy(id ID) ThreadSet {
	if id&loose == 0 {
		return f.m.Busy(id)
	}
	return f.find(id).ways[0].calls.busy()
}

// Rename is the loose state with the threads permuted. The one behind the last event remains.
func (f *Follower) Rename(id ID, p Perm) ID {
	if id == Rejected {
		return Rejected
	}
	at := f.at(id, behindRenaming)
	for i := range at.ways {
		f.judge.permuted(&at.ways[i], p)
	}
	return f.changed(behindRenaming)
}

// Signature is a hash of the state as one thread sees it: the same number that the monitor gives for the settled state.
func (f *Follower) Signature(id ID, thread int) uint64 {
	if id&loose == 0 {
		return f.m.Signature(id, thread)
	}
	return f.described(id).signatures[thread]
}

// Content is a hash of the state: the same number that the monitor gives for the settled state.
func (f *Follower) Content(id ID) uint64 {
	if id&loose == 0 {
		return f.m.Content(id)
	}
	return f.described(id).content
}

// described is the place of a loose state, with its hashes.
func (f *Follower) described(id ID) *place {
	p := f.find(id)
	if p.described {
		return p
	}
	clear(p.signatures[:])
	if signatures := p.signatures[:f.m.threads]; !f.m.several {
		p.content = f.judge.described(&p.ways[0], signatures)
	} else {
		p.content = 0
		ways := f.needed(p)
		for i := range ways {
			var room [MaxThreads]uint64
			p.content = addWay(p.content, f.judge.described(&ways[i], room[:len(signatures)]), signatures, &room)
		}
	}
	p.described = true
	return p
}

// Renamable says whether values of the oracle's states can be given other names.
func (f *Follower) Renamable() bool { return f.m.Renamable() }

// Renaming numbers a renaming of values.
func (f *Follower) Renaming(r oracle.Renaming) oracle.RenamingID { return f.m.Renaming(r) }

// RenameValues is the loose state with its values renamed. The one behind the last event remains.
func (f *Follower) RenameValues(id ID, r oracle.RenamingID) ID {
	if id == Rejected {
		return Rejected
	}
	p := f.at(id, behindRenaming)
	for i := range p.ways {
		f.judge.renamed(&p.ways[i], r)
	}
	p.named = Rejected
	return f.changed(behindRenaming)
}

// Names is the set of values that occur in a state.
func (f *Follower) Names(id ID) (n oracle.Names) {
	if id&loose == 0 {
		return f.m.Names(id)
	}
	p := f.find(id)
	if p.named != Rejected {
		return f.m.Names(p.named)
	}
	ways := f.needed(p) // superfluous ones name nothing
	for i := range ways {
		f.judge.namesIn(&ways[i], &n)
	}
	return n
}

// Bytes is about the memory that the monitor takes.
func (f *Follower) Bytes() int64 { return f.m.Bytes() }

// Err is the first error of the oracle's code; nil if there was none.
func (f *Follower) Err() error { return f.m.Err() }

var _ Announcing = (*Follower)(nil)
