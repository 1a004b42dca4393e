// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"bytes"
	"fmt"
	"slices"

	"pangolin/history"
	"pangolin/oracle"
)

// Follower is a PolicyMonitor for one goroutine that follows one history at a time, as a search
// does between loading a state and saving the next one. It computes each state instead of numbering
// it and remembering its transitions, which is cheaper for a policy: its states are one state of
// the oracle, or a few, not sets of configurations.
//
// The states that it returns are *loose* until Settle gives them a number. A loose state is a value
// in one of two places: one has the state after the last event, the other the same state with
// threads or values renamed. It is valid until the next event or renaming; using it later panics. A
// settled state is valid for ever, and is the monitor's state.
type Follower struct {
	m      *PolicyMonitor
	judge  *announced
	places [2]place
	last   ID // number of the newest loose state
	words  []byte
	coded  [][]byte
	// For announcements in any order: the ways before them, the ways after one order, and the list
	// of orders by length.
	before, one []announcedState
	orders      [MaxThreads + 1][][]int
}

// place is where a loose state is stored: its ways (one, unless the policy speculates) and its ID.
// Rejected: nothing is stored.
type place struct {
	id   ID
	ways []announcedState
	// named is a settled state in which the same values occur, because it differs in the order of
	// threads only; Rejected: none.
	named ID
	// described tells whether content and signatures, the hashes of the state, are computed.
	described  bool
	content    uint64
	signatures [MaxThreads]uint64
}

// loose marks the ID of a loose state, inRenamed the second place; the other bits are a number.
const (
	loose     ID = 1 << 31
	inRenamed ID = 1 << 30
)

// The two places.
const (
	behindEvents = iota
	behindRenaming
)

// Follower makes a follower of the monitor.
func (m *PolicyMonitor) Follower() *Follower { return &Follower{m: m, judge: m.open} }

// Loose reports whether a state is loose.
func (f *Follower) Loose(id ID) bool { return id&loose != 0 }

// at brings a state's ways into a place, to be changed by an event. A settled state's are read; a
// loose state's are there already, or are copied from the other place.
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

// read reads the ways of a settled state.
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

// find returns the place of a loose state.
func (f *Follower) find(id ID) *place {
	for i := range f.places {
		if f.places[i].id == id {
			return &f.places[i]
		}
	}
	panic(fmt.Sprintf("consist: state %x is not followed any more", id))
}

// changed makes the ways in a place a new loose state; Rejected if there are none.
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

// needed leaves the ways out that another one makes superfluous, as speculation does. Each is
// compared with those that have been kept and those that come later, so that of equal ones the last
// is kept.
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

// announced applies an announcement to ways, in place, and returns those that are left.
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
		ways = append(ways, ways...) // the second half are the ways in which it was not announced
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

// AnnounceAll is the loose state after announcements in any order. Without speculation all orders
// must lead to the same state, which the monitor checks.
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

// CompleteOK reports whether a history with all calls returned may end here.
func (f *Follower) CompleteOK(id ID) bool { return f.m.CompleteOK(f.Settle(id)) }

// StuckOK reports whether the threads may wait for ever here, and otherwise which of them may not.
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

// Rename is the loose state with the threads permuted. The state before stays valid.
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

// Signature is a hash of the state as one thread sees it, equal to the monitor's for the settled
// state.
func (f *Follower) Signature(id ID, thread int) uint64 {
	if id&loose == 0 {
		return f.m.Signature(id, thread)
	}
	return f.described(id).signatures[thread]
}

// Content is a hash of the state, equal to the monitor's for the settled state.
func (f *Follower) Content(id ID) uint64 {
	if id&loose == 0 {
		return f.m.Content(id)
	}
	return f.described(id).content
}

// described returns the place of a loose state after computing its hashes.
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

// Renamable reports whether values in the oracle's states can be renamed.
func (f *Follower) Renamable() bool { return f.m.Renamable() }

// Renaming numbers a renaming of values.
func (f *Follower) Renaming(r oracle.Renaming) oracle.RenamingID { return f.m.Renaming(r) }

// RenameValues is the loose state with its values renamed. The state before stays valid.
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
	ways := f.needed(p) // superfluous ways name nothing
	for i := range ways {
		f.judge.namesIn(&ways[i], &n)
	}
	return n
}

// Bytes estimates the memory of the monitor.
func (f *Follower) Bytes() int64 { return f.m.Bytes() }

// Err is the first error of the oracle's code; nil if there was none.
func (f *Follower) Err() error { return f.m.Err() }

var _ Announcing = (*Follower)(nil)
