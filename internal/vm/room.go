// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/layout"
	"pangolin/internal/vm/state"
)

// Whether a slice has room, where the language leaves that open (state/room.go). It is put to the Chooser where it
// makes a difference, and only there.
//
// Appending behind what is sure makes a difference iff something else than the result leads to the array
// afterwards: another slice, a pointer to an element, a field that is not overwritten at once. Then what one side
// writes the other sees if there was room, and does not if there was none. If nothing else leads there, an array that has been
// stretched and a copy of it cannot be told apart: both have the elements and an open capacity. So
//
//	s.items = append(s.items, x)
//
// is no decision as long as nobody else has kept s.items: the instruction knows where its result will be stored
// (ir.OpAppend), and what that place holds now does not count. Who would read it in between is in a race with the store.
//
// cap(s) makes a difference by itself: it is decided there, between what is sure and what gc gives, and the capacity
// is that number from then on. The library's own buffers (bytes.Buffer, strings.Builder) ask too, but
// behave alike whatever they are told: they are told what gc gives, and nothing is decided. What package slices
// asks, it asks of its caller's slices: that is decided.

// demand is a slice, by its pointer and the word for its capacity, that has to have room for need elements.
type demand struct {
	p, c, need uint64
	elem       *ir.Type
}

// hasRoom says whether a slice has room, and decides it if that is open and matters.
func (m *Machine) hasRoom(d demand, matters func(id int) bool) bool {
	sure, usual := m.Room(d.p, d.c, d.elem.Size)
	if d.c != state.OpenCap || d.need <= sure {
		return d.need <= sure
	}
	id := state.ObjectID(d.p)
	if o := &m.Objs[id]; o.Flags&state.IsOpen == 0 || o.Limited() && d.need > usual {
		return false
	}
	words := func(n uint64) int { return state.Offset(d.p) + int(n)*d.elem.Size }
	roomy := d.need <= usual
	if !m.Tracking || !matters(id) {
		if roomy {
			m.Stretch(id, words(d.need))
		}
		return roomy
	}
	// The answers are: as on gc's heap; the other one; and no room, though gc's buffer on the stack is larger than what its heap gives.
	buffer := int(layout.Buffered(d.elem)) * d.elem.Size
	answers := 2
	if words(usual) < buffer && buffer < words(d.need) {
		answers = 3
	}
	switch answer := m.choose(answers); {
	case answer == 2:
		m.Reserve(id, buffer)
		return false
	case roomy == (answer == 0):
		m.Stretch(id, words(d.need))
		return true
	default:
		m.Bound(id, words(d.need-1))
		return false
	}
}

// asksForItself says that a thread executes code of the program, or of package slices, which asks on its behalf.
func (m *Machine) asksForItself(t *state.Thread) bool {
	f := t.Top().Code.Func
	return m.Tracking && (!f.Library() || strings.HasPrefix(f.Name, "slices."))
}

// capOp executes OpCap.
func (m *Machine) capOp(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	p, c := state.Operand(regs, consts, in.A), state.Operand(regs, consts, in.A.Word(2))
	regs[in.Dst] = m.decidedRoom(p, c, in.T, m.asksForItself(t))
	return ctlNext
}

// decidedRoom is the capacity of a slice of elements with pointer p and the word c for its capacity; decide says to decide one that is open.
func (m *Machine) decidedRoom(p, c uint64, elem *ir.Type, decide bool) uint64 {
	if c != state.OpenCap {
		return c
	}
	id := state.ObjectID(p)
	if m.Objs[id].Flags&state.IsOpen != 0 && decide {
		sizes := m.capacities(p, elem)
		m.Reserve(id, state.Offset(p)+int(sizes[m.choose(len(sizes))])*elem.Size)
	}
	_, usual := m.Room(p, c, elem.Size)
	return usual
}

// capacities are those that cap may say of a slice whose capacity is open: what gc gives on its heap, what is sure, and what a
// buffer on gc's stack holds.
func (m *Machine) capacities(p uint64, elem *ir.Type) []uint64 {
	sure, usual := m.Room(p, state.OpenCap, elem.Size)
	list := []uint64{usual}
	if sure != usual {
		list = append(list, sure)
	}
	if b := layout.Buffered(elem); b > usual && !m.Objs[p>>32].Limited() {
		list = append(list, b)
	}
	return list
}

// ledTo says that something leads to an object beside what the running thread's instruction gives, home aside: the
// place, 0 if there is none, that the result will overwrite.
func (m *Machine) ledTo(t *state.Thread, id int, home uint64) bool {
	work := m.threadReferences(nil, t, true)
	if m.Objs[id].Flags&state.IsKnown != 0 {
		if m.OneOfMany {
			return true
		}
		m.Peered = true // what is remembered of a step does not say where others stand
		for _, p := range m.Kept {
			work = append(work, uint32(p>>32))
		}
		for _, u := range m.Thread {
			if u != t {
				work = m.threadReferences(work, u, false)
			}
		}
		for b := 1; b <= m.img.BaseCount(); b++ {
			if id <= m.img.BaseCount() || m.Objs[b].Flags&state.IsDirty != 0 {
				work = append(work, uint32(b))
			}
		}
	}
	return m.reaches(append(work, uint32(id)), 1, id, home)
}

// reaches says whether one of the objects in work, but for the last skip ones of them, is the one that is looked for, or leads to it by
// another way than home.
func (m *Machine) reaches(work []uint32, skip, id int, home uint64) bool {
	for _, w := range work[:len(work)-skip] {
		if int(w) == id {
			return true
		}
	}
	var seen []uint32
	found := false
	for len(work) > 0 && !found {
		from := work[len(work)-1]
		work = work[:len(work)-1]
		o := &m.Objs[from]
		if o.Flags&state.IsMarked != 0 {
			continue
		}
		o.Flags |= state.IsMarked
		seen = append(seen, from)
		ways := 0
		before := len(work)
		work = m.References(work, o)
		for _, to := range work[before:] {
			if int(to) == id {
				ways++
			}
		}
		if home != 0 && state.ObjectID(home) == int(from) && m.Words(home, 1)[0]>>32 == uint64(id) {
			ways--
		}
		found = ways > 0
	}
	for _, w := range seen {
		m.Objs[w].Flags &^= state.IsMarked
	}
	return found
}
