// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"cmp"
	"slices"
)

// A state may remember one access of the past, the tracked one, and who knows of it: the
// threads and the synchronisation objects that its thread has told, directly or through
// others, by what the memory model calls synchronisation. That is all of the happens-before
// relation that a data race with this access depends on (doc/races.md). A thread that knows
// of it cannot race with it any more, whatever it does.
//
//	x = 1; mu.Unlock()        the write is tracked; its thread knows, and so does mu
//	mu.Lock(); print(x)       who locks mu knows as well: no race
//	if !mu.TryLock() { x = 2 }  who fails does not: a race

// Tracked is the access that a state remembers.
type Tracked struct {
	On bool
	P  uint64
	// Words, Write and Atomic are as in an access.
	Words         int
	Write, Atomic bool
	Caller        bool      // made by the caller of an operation
	At            [3]uint64 // function, file and line, as String words
	Knowing       []Carrier // parts from which a thread can learn of it, in no order
}

// Carrier is a part of a synchronisation object that passes on knowledge of the tracked access.
type Carrier struct {
	P    uint64
	Part uint64 // the part's number
}

// Forget ends the tracking.
func (m *State) Forget() {
	m.Tracked.On, m.Tracked.Knowing = false, m.Tracked.Knowing[:0]
	for _, t := range m.Thread {
		t.Knows = false
	}
}

// Tells records that a part of a synchronisation object passes on what thread t knows, in addition
// to what it knew.
func (m *State) Tells(t *Thread, p, part uint64) {
	if c := (Carrier{p, part}); t.Knows && !slices.Contains(m.Tracked.Knowing, c) {
		m.Tracked.Knowing = append(m.Tracked.Knowing, c)
	}
}

// Silences records that a part knows nothing any more.
func (m *State) Silences(p, part uint64) {
	m.Tracked.Knowing = slices.DeleteFunc(m.Tracked.Knowing, func(c Carrier) bool { return c == Carrier{p, part} })
}

// Learns records that thread t learns what a part of a synchronisation object knows.
func (m *State) Learns(t *Thread, p, part uint64) {
	t.Knows = t.Knows || slices.Contains(m.Tracked.Knowing, Carrier{p, part})
}

// spent reports whether nobody can race with the tracked access any more, because every thread
// knows of it.
func (m *State) spent() bool {
	return !slices.ContainsFunc(m.Thread, func(t *Thread) bool { return !t.Knows })
}

// trackedWords is the number of words of a saved tracked access, without what knows of it.
const trackedWords = 6

// saveTracked appends the tracked access, with objects by their new numbers, and its length in
// words. Memory to which nothing leads cannot be accessed, and synchronisation objects to which
// nothing leads tell nobody; they are left out.
func (m *State) saveTracked(dst []uint64) []uint64 {
	t, at := &m.Tracked, len(dst)
	if t.On {
		p, _ := m.renumbered(t.P)
		flags := uint64(0)
		for i, b := range []bool{t.Write, t.Atomic, t.Caller} {
			if b {
				flags |= 1 << i
			}
		}
		dst = append(dst, p, uint64(t.Words), flags, t.At[0], t.At[1], t.At[2])
		known := slices.Clone(t.Knowing)
		for i := range known {
			known[i].P, _ = m.renumbered(known[i].P)
		}
		slices.SortFunc(known, func(a, b Carrier) int { return cmp.Or(cmp.Compare(a.P, b.P), cmp.Compare(a.Part, b.Part)) })
		for _, c := range known {
			if c.P != 0 {
				dst = append(dst, c.P, c.Part)
			}
		}
	}
	return append(dst, uint64(len(dst)-at))
}

// renumbered is a pointer in the state that is being saved; false if the object is not part of it.
func (m *State) renumbered(p uint64) (uint64, bool) {
	id := int(p >> 32)
	if id <= m.img.BaseCount() {
		return p, true
	}
	n := m.enc.renum[id]
	return uint64(n)<<32 | p&0xffffffff, n != 0
}

// Renumbering returns a function that translates pointers to those of the state saved last; false
// if nothing there leads to the object.
func (m *State) Renumbering() func(p uint64) (uint64, bool) {
	m.numberAgain()
	return m.renumbered
}

// loadTracked reads the tracked access at the end of a saved state and returns the words before it.
func (m *State) loadTracked(words []uint64) []uint64 {
	n := int(words[len(words)-1])
	w := words[len(words)-1-n : len(words)-1]
	t := &m.Tracked
	t.On, t.Knowing = n > 0, t.Knowing[:0]
	if t.On {
		t.P, t.Words, t.At = w[0], int(w[1]), [3]uint64(w[3:6])
		t.Write, t.Atomic, t.Caller = w[2]&1 != 0, w[2]&2 != 0, w[2]&4 != 0
		for i := trackedWords; i < n; i += 2 {
			t.Knowing = append(t.Knowing, Carrier{w[i], w[i+1]})
		}
	}
	return words[:len(words)-1-n]
}

// reachesTracked reports whether something leads to the tracked access's memory in the state that
// is being saved. It is called before threads are encoded, because their heads tell whether they
// know of it.
func (m *State) reachesTracked() bool {
	id := uint32(m.Tracked.P >> 32)
	if int(id) <= m.img.BaseCount() {
		return true
	}
	seen := make([]bool, len(m.Objs))
	var work []uint32
	visit := func(id uint32) {
		if id != 0 && !seen[id] {
			seen[id] = true
			work = append(work, id)
		}
	}
	for i := 1; i <= m.img.BaseCount(); i++ {
		visit(uint32(i))
	}
	for _, p := range m.Kept {
		visit(uint32(p >> 32))
	}
	var refs []uint32
	for _, t := range m.Thread {
		refs = m.threadReferences(refs[:0], t)
		for _, r := range refs {
			visit(r)
		}
	}
	for len(work) > 0 && !seen[id] {
		o := &m.Objs[work[len(work)-1]]
		work = work[:len(work)-1]
		if o.Info == nil {
			continue
		}
		refs = m.References(refs[:0], o)
		for _, r := range refs {
			visit(r)
		}
	}
	return seen[id]
}
