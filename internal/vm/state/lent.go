// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"fmt"
	"slices"

	"pangolin/internal/ir"
)

// unsafe.String makes a string of memory: the string's bytes are that memory's, which "must not be modified as long as the
// returned string value exists" (package unsafe). A string is a word here, the number of a text, and no reference
// to memory. So the text is taken at once, and two things are remembered:
//
//   - the array has been lent (IsLent, part of the state);
//   - the word says that its bytes are somebody's memory (Borrowed). Words that are cut of it say so too, and equal
//     texts are equal with and without. A copy (strings.Clone, string(b), a concatenation) does not say so.
//
// A write to a lent array is looked at before it is made: if a borrowed string that is still in use, or that an operation has
// given to its caller, stands in the array where it is written, what follows has no meaning here. That is a fault, and the
// verdict unknown, not violated: of two arrays that hold the same text the machine does not know which
// one a string is made of. If there is no such string, the write is one like any other:
//
//	key := unsafe.String(&buf[0], n)
//	v, ok := index[key]  // key is used for the last time
//	buf = buf[:0]        // may be written again
//	index[key] = v       // instead: key stays in use, and the next write is a fault
//
// What the standard library does with unsafe.String is not looked at: strings.Builder, for one, never writes what it has lent.

// Borrowed is a bit in the word of a string made by unsafe.String, and of strings that are cut from
// it.
const Borrowed uint64 = 1 << 62

// IsLent is the flag of an array whose bytes a borrowed string may consist of.
const IsLent uint16 = 1 << 11

const headLent uint64 = 1 << 24 // of an IsLent array: a word behind the header tells which words were given away

// given is the range of words of a lent array, from the low half to the high one, that belong to
// strings that stay in use for ever.
type given uint64

func givenSpan(from, to int) given { return given(uint64(uint32(from)) | uint64(to)<<32) }

func (g given) overlaps(from, to int) bool {
	return g != 0 && from < int(g>>32) && int(uint32(g)) < to
}

// Lend records that words of an array are the bytes of a string; forEver: nobody may ever write
// there.
func (m *State) Lend(p uint64, n int, forEver bool) {
	id := ObjectID(p)
	if m.Objs[id].Flags&IsLent == 0 {
		m.Touch(id)
		m.setLent(id, 0)
	}
	if forEver {
		m.setLent(id, givenSpan(Offset(p), Offset(p)+n))
	}
}

func (m *State) setLent(id int, g given) {
	if m.lent == nil {
		m.lent = map[int]given{}
	}
	m.lent[id] = g
	m.Objs[id].Flags |= IsLent
}

// Lends reports whether some array has been lent.
func (m *State) Lends() bool { return len(m.lent) > 0 }

// GiveAway records that a string stays in use for ever, because it was returned to a caller.
func (m *State) GiveAway(w uint64) {
	if w&Borrowed == 0 {
		return
	}
	text := m.Text(w)
	for id, g := range m.lent {
		o := &m.Objs[id]
		if id >= len(m.Objs) || o.Flags&IsLent == 0 {
			continue
		}
		for _, from := range m.standsIn(o, text) {
			to := from + len(text)
			if g != 0 {
				from, to = min(from, int(uint32(g))), max(to, int(g>>32))
			}
			g = givenSpan(from, to)
		}
		if g != m.lent[id] {
			m.Touch(id)
			m.lent[id] = g
		}
	}
}

// standsIn lists the places in an array at which a text occurs.
func (m *State) standsIn(o *Object, text string) (list []int) {
	words := m.Mem[o.At : o.At+o.Words()]
	for i := 0; len(text) > 0 && i+len(text) <= len(words); i++ {
		same := true
		for k := range len(text) {
			if words[i+k] != uint64(text[k]) {
				same = false
				break
			}
		}
		if same {
			list = append(list, i)
		}
	}
	return list
}

// checkLent checks a write to a lent array.
func (m *State) checkLent(p uint64, n int) {
	o, from := &m.Objs[p>>32], Offset(p)
	if !m.Tracking {
		return
	}
	if m.lent[ObjectID(p)].overlaps(from, from+n) {
		m.clobbered("bytes of a string that a caller has got from unsafe.String, or that unsafe.StringData shows")
		return
	}
	m.Peered = true
	for _, w := range m.borrowed() {
		text := m.Text(w)
		for _, at := range m.standsIn(o, text) {
			if at < from+n && from < at+len(text) {
				m.clobbered(fmt.Sprintf("the bytes of %q, a string made by unsafe.String that is still in use", text))
				return
			}
		}
	}
}

func (m *State) clobbered(what string) {
	m.Fail(FaultUnsupported, "this writes "+what+": a string must not change, and in the machine it does not")
}

// borrowed lists the borrowed strings in use: those in registers, and those in objects that can be
// reached.
func (m *State) borrowed() (list []uint64) {
	see := func(words []uint64, i int, kind ir.Kind) {
		w := words[i]
		switch kind {
		case ir.String:
		case ir.IfaceData:
			t := m.Dynamic(words[i-1])
			if t == nil || t.Size != 1 || t.Layout()[0] != ir.String {
				return
			}
		default:
			return
		}
		if w&Borrowed != 0 && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	var work []uint32
	for _, id := range m.dirty {
		work = append(work, uint32(id))
	}
	for _, p := range m.Kept {
		work = append(work, uint32(p>>32))
	}
	for _, t := range m.Thread {
		work = append(work, uint32(t.Panics>>32))
		for i := range t.Frames {
			f := &t.Frames[i]
			regs := t.Regs[f.Base:]
			for _, l := range m.LiveIn(f, i == len(t.Frames)-1) {
				see(regs, int(l.Reg), l.Kind)
				work = append(work, uint32(m.Reference(regs, int(l.Reg), l.Kind)))
			}
		}
	}
	seen := map[uint32]bool{0: true}
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[id] {
			continue
		}
		seen[id] = true
		o := &m.Objs[id]
		words := m.Mem[o.At : o.At+o.Words()]
		for i := range words {
			see(words, i, o.Info.Layout[i%len(o.Info.Layout)])
		}
		work = m.References(work, o)
	}
	return list
}
