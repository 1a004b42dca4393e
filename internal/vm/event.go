// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// What an access means to people. A search has no use for it and never asks: an event is
// described when a witness is executed once more, before the access (what is there, by
// which name) and behind it (what has become of it).

// Event is an access of a thread to memory that others can reach, or a call that
// synchronises, with what people want to know of it. Values are written as Go writes
// them, objects by type and number.
type Event struct {
	Op       ir.Op
	Function string // of OpCall: the built-in function, "Lock"
	Object   string // "node#3", or the name of a global; "" if none is accessed
	Type     string // the object's
	Field    string // path within the object, ".next"
	Old, New string // what stands there before and after; New is empty if nothing is written
	// Of OpAtomicCAS: what is expected, what is to take its place, and whether it did.
	Expected, Proposed string
	Done               bool
	Place              // in the user's frame
	Stack              []Frame

	after func() string // gives New
}

// Upcoming describes the access that thread i is about to make; nil if its next
// instruction is none. Finish completes it when the instruction has been executed.
func (m *Machine) Upcoming(i int) *Event {
	t := m.Thread[i]
	if t.Idle() {
		return nil
	}
	e := m.describe(t)
	if e == nil {
		return nil
	}
	f := m.userFrame(t)
	if f == nil {
		f = t.Top()
	}
	e.Place, e.Stack = m.placeIn(f), m.calls(t)
	return e
}

// Finish adds the value that an access has written.
func (e *Event) Finish() {
	if e.after != nil {
		e.New = e.after()
	}
}

// describe returns what is known of the access that a thread stands at before it is made.
func (m *Machine) describe(t *state.Thread) *Event {
	in := t.Instr()
	regs, consts := t.Registers(), m.img.Prog.Consts
	switch in.Op {
	case ir.OpLoad, ir.OpAtomicLoad, ir.OpStore, ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicCAS,
		ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
		p := state.Operand(regs, consts, in.A)
		if p == 0 || !m.shared(p) || in.Op == ir.OpLoad && in.T.Size == 0 || in.Op == ir.OpStore && in.T.Size == 0 {
			return nil
		}
		return m.describeAccess(t, in, p)
	case ir.OpMapGet, ir.OpMapSet, ir.OpMapDel, ir.OpMapClear, ir.OpMapLen:
		p := state.Operand(regs, consts, in.A)
		if p == 0 || !m.shared(p) {
			return nil
		}
		at := m.Location(p)
		return &Event{Op: in.Op, Object: at.Name(), Type: m.Objs[at.Object].Info.Type.Name}
	case ir.OpSelect:
		return &Event{Op: in.Op}
	case ir.OpSend, ir.OpRecv, ir.OpClose:
		return m.describeChannel(t, in)
	case ir.OpCall:
		return m.describeCall(t)
	}
	return nil
}

// describeChannel describes an operation on a channel: which one, and what is sent.
func (m *Machine) describeChannel(t *state.Thread, in *ir.Instr) *Event {
	e := &Event{Op: in.Op, Object: "nil"}
	regs, consts := t.Registers(), m.img.Prog.Consts
	p := state.Operand(regs, consts, in.A)
	if p == 0 {
		return e
	}
	m.nameMemory(e, p)
	e.Field = ""
	if in.Op == ir.OpSend {
		if elem := m.Objs[state.ObjectID(p)].Info; elem.Type.Size == 1 {
			e.New = m.ValueOf([]uint64{state.Operand(regs, consts, in.B)}, 0, elem.Layout[0], state.ScalarAt(elem.Type, 0)).Text
		}
	}
	return e
}

func (m *Machine) describeCall(t *state.Thread) *Event {
	c := m.builtinAt(t)
	if c == nil || c.b == nil || c.b.visible == never {
		return nil
	}
	name := c.fn.Name
	if called := m.libraryCall(t); called != "" { // inside a model, whose own words say nothing to people
		name = called
	}
	e := &Event{Op: ir.OpCall, Function: name[strings.LastIndex(name, ".")+1:]}
	if len(c.args) == 0 || c.b.visible != ifShared {
		return e
	}
	if !m.shared(c.args[0]) {
		return nil
	}
	m.nameMemory(e, c.args[0])
	return e
}

// nameMemory names the memory that an event accesses.
func (m *Machine) nameMemory(e *Event, p uint64) {
	at := m.Location(p)
	e.Object, e.Type, e.Field = at.Name(), m.Objs[at.Object].Info.Type.Name, at.Inside()
}

// describeAccess describes an access to p.
func (m *Machine) describeAccess(t *state.Thread, in *ir.Instr, p uint64) *Event {
	n := 1
	if in.Op == ir.OpLoad || in.Op == ir.OpStore {
		n = in.T.Size
	}
	e := &Event{Op: in.Op, Old: m.ValueText(p, n)}
	m.nameMemory(e, p)
	if in.Op == ir.OpLoad || in.Op == ir.OpAtomicLoad {
		return e
	}
	e.after = func() string { return m.ValueText(p, n) }
	if in.Op == ir.OpAtomicCAS {
		regs, consts := t.Registers(), m.img.Prog.Consts
		want := state.Operand(regs, consts, in.B)
		e.Expected, e.Proposed = m.WordText(p, want), m.WordText(p, state.Operand(regs, consts, in.C))
		e.Done = want == m.Words(p, 1)[0]
	}
	return e
}
