// SPDX-License-Identifier: BSD-3-Clause

package state

import "pangolin/internal/ir"

// One thread of many. An engine that reasons thread by thread has states with one thread: the
// memory that all threads reach, what this thread alone leads to, and the thread. Such a state
// is taken apart into what is common and what is the thread's own, and a thread is put into
// another memory: that which a step of a thread that is not there has left behind.
//
// What others may know although this state does not show it has to stay visible: with
// Settings.OneOfMany all that has ever been shared (IsKnown) counts as shared.

// Parts are where the parts of a saved state with at most one thread begin, in words: the thread,
// the objects to which base objects or roots lead, and those to which only the thread leads. The
// words before the thread are common to all threads.
type Parts struct{ Thread, Objects, Own int }

// Parts are the parts of the state saved last.
func (m *State) Parts() Parts { return m.enc.parts }

// Common lists the objects to which base objects or roots lead, by number in the state saved last,
// without the base objects.
func (m *State) Common() []uint32 {
	return m.enc.order[:int(m.enc.global)-m.img.BaseCount()]
}

// Canonical is the pointer that the state saved last has for p; 0 if the object is not in it.
func (m *State) Canonical(p uint64) uint64 {
	id := int(p &^ ReadHold >> 32)
	if id <= m.img.BaseCount() {
		return p
	}
	if id >= len(m.enc.renum) || m.enc.renum[id] == 0 {
		return 0
	}
	return uint64(m.enc.renum[id])<<32 | p&0xffffffff
}

// Cell is an object of a saved state. References in its words are numbers in that state.
type Cell struct {
	Head, Aux uint64
	Words     []uint64
	To        []uint32 // by word: the number of the object that it refers to, 0 if to none
}

// Known reports whether another thread may know the object.
func (c *Cell) Known() bool { return c.Head&headKnown != 0 }

// Cells reads all objects in words of a saved state.
func (m *State) Cells(words []uint64) []Cell {
	var list []Cell
	for len(words) > 0 {
		c := Cell{Head: words[0]}
		info := m.img.Types[c.Head&0xffffff]
		n, at := int(int32(c.Head>>32))*info.Type.Size, headerWords(c.Head)
		if c.Head&(headChan|headOpen) != 0 {
			c.Aux = words[at-1]
		}
		c.Words, c.To = words[at:at+n], make([]uint32, n)
		for i, k := 0, 0; i < n; i++ {
			c.To[i] = uint32(m.Reference(c.Words, i, info.Layout[k]))
			if k++; k == len(info.Layout) {
				k = 0
			}
		}
		list, words = append(list, c), words[at+n:]
	}
	return list
}

// Count is the number of objects in words of a saved state.
func (m *State) Count(words []uint64) int {
	n := 0
	for len(words) > 0 {
		words = words[headerWords(words[0])+int(int32(words[0]>>32))*m.img.Types[words[0]&0xffffff].Type.Size:]
		n++
	}
	return n
}

// Is reports whether object id has exactly the contents of a cell.
func (m *State) Is(id int, c *Cell) bool {
	o := &m.Objs[id]
	if uint64(uint32(o.Count)) != c.Head>>32 || o.Flags&Held != heldIn(c.Head) || o.Flags&(IsChan|IsOpen) != 0 && uint64(o.Aux) != c.Aux || o.Words() != len(c.Words) {
		return false
	}
	for i, w := range m.Mem[o.At : o.At+len(c.Words)] {
		if w != c.Words[i] {
			return false
		}
	}
	return true
}

// HoldsNoReference reports whether word k of object id is a number, or a part of one, whatever it holds.
func (m *State) HoldsNoReference(id, k int) bool {
	layout := m.Objs[id].Info.Layout
	return layout[k%len(layout)] == ir.Scalar
}

// BaseImage appends the changed base objects as they are.
func (m *State) BaseImage(dst []uint64) []uint64 {
	for id := 1; id <= m.img.BaseCount(); id++ {
		o := &m.Objs[id]
		if o.Flags&IsDirty == 0 || m.Pristine(id) {
			continue
		}
		dst = append(dst, uint64(id)|uint64(o.Flags&Held)<<32, uint64(uint32(o.Count))|uint64(o.Aux)<<32)
		dst = append(dst, m.Mem[o.At:o.At+o.Words()]...)
	}
	return dst
}

// Graft adds the thread of another saved state to this one, with the objects to which only it
// leads. Object n of that state (base objects not counted) is object to[n-1] here; objects that to
// does not list, or lists as 0, are created from the words. Likewise the number of a thread that is named n there (see Numbering) is
// numbers[n] here; those that numbers does not list, or lists as NoNumber, are new ones here.
func (m *State) Graft(words []uint64, p Parts, to []uint32, numbers []int) {
	ids := append(make([]uint32, 0, len(to)+8), to...)
	made := len(m.Objs)
	r := reader{m: m, rest: words[p.Own:]}
	for n := m.Count(words[p.Objects:p.Own]); len(r.rest) > 0; n++ {
		var o Object
		at := len(m.Mem)
		if r.object(&o, 0); n < len(ids) && ids[n] != 0 { // the object exists here
			m.Mem = m.Mem[:at]
			continue
		}
		for len(ids) <= n {
			ids = append(ids, 0)
		}
		ids[n] = uint32(len(m.Objs))
		m.Objs = append(m.Objs, o)
		r.lend(len(m.Objs) - 1)
	}
	r.rest = words[p.Thread:p.Objects]
	r.thread()
	for id := made; id < len(m.Objs); id++ {
		m.relateObject(&m.Objs[id], ids)
	}
	t := m.Thread[len(m.Thread)-1]
	m.relateThread(t, ids)
	if m.Numbers {
		m.renumberGraft(made, t, m.Numbering(words, p), numbers)
	}
}

// NoNumber stands for a number that no thread of a state has, and that nothing there holds.
const NoNumber = -1

// renumberGraft gives what was grafted (objects from number made on, and thread t) numbers of threads, see Graft. n is how the words name
// them.
func (m *State) renumberGraft(made int, t *Thread, n Numbering, numbers []int) {
	next := m.leastNumber(made)
	for _, k := range numbers {
		next = max(next, k+1)
	}
	here := make([]int, n.All)
	for k := range here {
		if k < len(numbers) && numbers[k] != NoNumber {
			here[k] = numbers[k]
			continue
		}
		here[k] = next
		next++
	}
	if next > maxNames {
		m.Misnumbered = true
		return
	}
	rename := func(words []uint64) {
		for i, w := range words {
			if IsNumber(w) {
				words[i] = renumbered(w, uint64(here[numberOf(w)]))
			}
		}
	}
	for id := made; id < len(m.Objs); id++ {
		o := &m.Objs[id]
		rename(m.Mem[o.At : o.At+o.Words()])
	}
	m.eachLive(t, rename)
	t.id, t.anonymous = here[n.Own], false
	m.nextID = next
}

// leastNumber is a number above all that objects below a number hold, and that threads but the last one have or hold.
func (m *State) leastNumber(made int) int {
	least := 0
	for id := 1; id < made; id++ {
		o := &m.Objs[id]
		least = max(least, NumbersIn(m.Mem[o.At:o.At+o.Words()]))
	}
	for _, t := range m.Thread[:len(m.Thread)-1] {
		least = max(least, t.id+1)
		m.eachLive(t, func(words []uint64) { least = max(least, NumbersIn(words)) })
	}
	return least
}

// eachLive calls see with each live register of a thread.
func (m *State) eachLive(t *Thread, see func(words []uint64)) {
	for i := range t.Frames {
		f := &t.Frames[i]
		for _, l := range m.LiveIn(f, i == len(t.Frames)-1) {
			at := int(f.Base) + int(l.Reg)
			see(t.Regs[at : at+1])
		}
	}
}

// Ungraft removes all threads, and objects from number objects on, whose words are those from number words on: what Graft has added
// to a state without threads that had so many.
func (m *State) Ungraft(objects, words int) {
	m.RetireThreads(0)
	m.Objs, m.Mem = m.Objs[:objects], m.Mem[:words]
}

// related translates a pointer of the other state; ref is the number of its object there.
func (m *State) related(p, ref uint64, ids []uint32) uint64 {
	if base := uint64(m.img.BaseCount()); ref > base {
		return uint64(ids[ref-base-1])<<32 | p&0xffffffff
	}
	return p
}

// relateObject translates the references in an object.
func (m *State) relateObject(o *Object, ids []uint32) {
	size := o.Info.Type.Size
	for at := o.At; len(o.Info.Refs) > 0 && at < o.At+o.Words(); at += size {
		w := m.Mem[at : at+size]
		for _, k := range o.Info.Refs {
			w[k] = m.related(w[k], m.Reference(w, int(k), o.Info.Layout[k]), ids)
		}
	}
}

// relateThread translates the references in a thread.
func (m *State) relateThread(t *Thread, ids []uint32) {
	for i := range t.Frames {
		f := &t.Frames[i]
		regs := t.Regs[f.Base:]
		for _, l := range m.LiveIn(f, i == len(t.Frames)-1) {
			regs[l.Reg] = m.related(regs[l.Reg], m.Reference(regs, int(l.Reg), l.Kind), ids)
		}
	}
	for i, p := range t.Held {
		t.Held[i] = m.related(p, p>>32, ids)
	}
	t.Panics = m.related(t.Panics, t.Panics>>32, ids)
}
