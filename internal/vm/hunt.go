// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"
	"sync/atomic"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Data races that show in no state. Two threads that stand at accesses that conflict are a
// race, and where every operation whose outcome depends on others is ordered behind them
// these are all races (doc/races.md). An operation that tells without ordering breaks that:
//
//	x = 1; c <- 0           for len(c) == 0 {}; print(x)
//
// Nobody can come to the print before x has been written. So where a search has met such an
// operation, another one looks for races by their definition, that nothing orders two accesses:
// at each access that may be part of one, a thread decides whether it is the first of them,
// and the state remembers it from there on (state/tracked.go), with who knows of it. A thread
// that stands at an access that conflicts, and does not know, is in a race with it. There is one decision for
// each access of each execution, so that no pair is left out; one access at a time keeps states small and of one form.

// Survey is what a search has found out about the accesses of a program, for Hunt: classes of memory
// in which there can be a race. Several machines may write to it.
type Survey struct{ classes []atomic.Uint32 }

// NewSurvey is for the machines of one image.
func (img *Image) NewSurvey() *Survey { return &Survey{make([]atomic.Uint32, img.Classes())} }

// What is known of a class.
const (
	accessedPlainly uint32 = 1 << iota
	writtenPlainly
	accessedAtomically
	writtenAtomically
)

// add notes an access.
func (s *Survey) add(class int, a access) {
	bit := accessedPlainly
	if a.atomic {
		bit = accessedAtomically
	}
	if a.write {
		bit |= bit << 1
	}
	if at := &s.classes[class]; at.Load()&bit != bit {
		at.Or(bit)
	}
}

// may says that an access to a class can be the first of a race.
func (s *Survey) may(class int, a access) bool {
	seen := s.classes[class].Load()
	written := seen&(writtenPlainly|writtenAtomically) != 0
	if a.atomic {
		return seen&accessedPlainly != 0 && (a.write || seen&writtenPlainly != 0)
	}
	return written
}

// Suspects says that there is a class in which there can be a race.
func (s *Survey) Suspects() bool {
	for i := range s.classes {
		seen := s.classes[i].Load()
		if seen&accessedPlainly != 0 && seen&(writtenPlainly|writtenAtomically) != 0 {
			return true
		}
	}
	return false
}

// Hunt makes a machine part of a search for races by what orders them. What has been shared stays shared
// in it, so that all accesses that can be part of one are visible.
type Hunt struct {
	Survey *Survey
	// Surveys makes the machine write down which classes are accessed how, and nothing else. Otherwise it asks at
	// each access that may be part of a race whether it is to be remembered.
	Surveys bool
}

// classesOf calls f with the classes that an access touches.
func (m *Machine) classesOf(a access, f func(class int)) {
	o := &m.Objs[a.p>>32]
	n := a.words
	if n == wholeMap {
		n = 1
	}
	for i := range min(n, o.Info.Type.Size) {
		f(o.ClassAt(state.Offset(a.p) + i))
	}
}

// hunted is what a hunt does before thread t makes the access that it stands at.
func (m *Machine) hunted(t *state.Thread, ch Chooser) {
	m.decides(t, ch)
	m.notesLoad(t)
}

// decides whether to remember the access.
func (m *Machine) decides(t *state.Thread, ch Chooser) {
	if t.Idle() || t.Phase != state.PhaseNone || t.Top().Code.Func.NoRace {
		return
	}
	var room [4]access
	list := m.accesses(t, room[:0])
	list = slices.DeleteFunc(list, func(a access) bool { return a.words == 0 })
	if m.hunt.Surveys {
		for _, a := range list {
			m.classesOf(a, func(class int) { m.hunt.Survey.add(class, a) })
		}
		return
	}
	if m.Tracked.On || len(m.Thread) < 2 {
		return
	}
	list = slices.DeleteFunc(list, func(a access) bool {
		may := false
		m.classesOf(a, func(class int) { may = may || m.hunt.Survey.may(class, a) })
		return !may
	})
	if len(list) == 0 {
		return
	}
	m.chooser, m.tracks = ch, m.decisions
	if k := m.choose(len(list) + 1); k > 0 {
		m.track(t, list[k-1])
	}
}

// track makes the state remember an access.
func (m *Machine) track(t *state.Thread, a access) {
	at := m.userPlace(t)
	m.Forget()
	m.Tracked = state.Tracked{On: true, P: a.p, Words: a.words, Write: a.write, Atomic: a.atomic, Caller: t.Top().Code.Func.Harness,
		At: [3]uint64{m.img.Strings.Word(at.Function), m.img.Strings.Word(at.File), uint64(at.Line)}, Knowing: m.Tracked.Knowing}
	t.Knows = true
}

// Tracks is the number, among the decisions made since the state was loaded, of the one whether an access is
// remembered; -1: there was none. A machine that does not hunt makes none.
func (m *Machine) Tracks() int { return m.tracks }

// Remembers says that the state remembers an access.
func (m *Machine) Remembers() bool { return m.Tracked.On }

// Knows says that thread i knows of the access that the state remembers.
func (m *Machine) Knows(i int) bool { return m.Thread[i].Knows }

// Order puts what thread i has done before whatever thread j does from now on.
func (m *Machine) Order(i, j int) { m.Thread[j].Knows = m.Thread[j].Knows || m.Thread[i].Knows }

// TrackedRace looks for a thread that is about to make an access which conflicts with the one that the state
// remembers, and does not know of it. Its first thread is not known, -1.
func (m *Machine) TrackedRace() (Race, bool) {
	list := m.TrackedRaces()
	if len(list) == 0 {
		return Race{}, false
	}
	return list[0], true
}

// TrackedRaces lists all of them.
func (m *Machine) TrackedRaces() []Race {
	if !m.Tracked.On {
		return nil
	}
	k := &m.Tracked
	first := access{k.P, k.Words, k.Write, k.Atomic}
	var list []Race
	for i, t := range m.Thread {
		if t.Knows || t.Idle() || t.Top().Code.Func.NoRace {
			continue
		}
		var room [4]access
		r := Race{Threads: [2]int{-1, i}, Caller: [2]bool{k.Caller, t.Top().Code.Func.Harness}}
		found := false
		for _, a := range m.accesses(t, room[:0]) {
			if a.conflicts(first) {
				found = true
				r.Write[0], r.Write[1] = k.Write, r.Write[1] || a.write
				if r.What == "" {
					r.What = m.MemoryName(max(a.p, k.P))
				}
			}
		}
		if found {
			r.At = [2]Place{{Function: m.Text(k.At[0]), File: m.Text(k.At[1]), Line: int(k.At[2])}, m.userPlace(t)}
			list = append(list, r)
		}
	}
	return list
}

// Parts of synchronisation objects that know of an access, or not.
const (
	partWord   uint64 = iota // of an atomic variable, a lock given back by a writer, a group, a semaphore
	partReader               // a lock given back by readers
	partClosed               // that a channel is closed
	partSlot                 // the first of as many as the channel's buffer has: those in use, and then those that are free, in the order in which they will be used
)

// synchronised is a Sync between two steps of one machine: n values were in the buffer of channel p before.
type synchronised struct {
	kind SyncKind
	t, u *state.Thread
	p    uint64
	n    int
}

// hunts passes on who knows of the access that the state remembers.
func (m *Machine) hunts(s synchronised) {
	if !m.Tracked.On {
		return
	}
	t, u, p := s.t, s.u, s.p
	switch s.kind {
	case AtomicRead, GroupWaited, Awaited, Acquired, ReadLocked:
		m.Learns(t, p, partWord)
	case AtomicWrite:
		// Who reads it later reads what was written here, and nothing of what was written before.
		m.Silences(p, partWord)
		m.Tells(t, p, partWord)
	case AtomicUpdate:
		m.Learns(t, p, partWord)
		m.Tells(t, p, partWord)
	case Unlocked, GroupDone, Signalled, Released:
		m.Tells(t, p, partWord)
	case Locked:
		m.Learns(t, p, partWord)
		m.Learns(t, p, partReader)
	case ReadUnlocked:
		m.Tells(t, p, partReader)
	case Sent:
		// It takes the first free slot, from which it learns who had received from it.
		slot := partSlot + uint64(s.n)
		m.Learns(t, p, slot)
		m.Silences(p, slot)
		m.Tells(t, p, slot)
	case Received, Discarded:
		if s.kind == Received {
			m.Learns(t, p, partSlot)
		}
		m.Silences(p, partSlot)
		for i := range m.Tracked.Knowing {
			if c := &m.Tracked.Knowing[i]; c.P == p && c.Part > partSlot {
				c.Part--
			}
		}
		if s.kind == Received {
			m.Tells(t, p, partSlot+uint64(m.Objs[p>>32].Room())-1)
		}
	case Met:
		t.Knows = t.Knows || u.Knows
		u.Knows = t.Knows
	case Closed:
		m.Tells(t, p, partClosed)
	case ReceivedClosed:
		m.Learns(t, p, partClosed)
	case Started:
		u.Knows = t.Knows
	case Idled:
		t.Knows = true
	case Joined:
		t.Knows = t.Knows || u.Knows
	}
}

// takenBack says that a thread stops a timer, and takes back what was not received, which orders nothing.
func takenBack(t *state.Thread) bool {
	f := t.Top().Code.Func
	return f.Model && f.Short == "(*timerState).cancel" && t.Instr().Op == ir.OpSelect
}
