// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Ghost code is what a policy wants evaluated together with an access: it stands behind
// the statement that makes it, reads what it likes, and announces. Nothing that it reads is
// an access, and it goes with the step in which the statement has made its last visible
// access. If the step has passed over an access since then (frozen, guarded), that access may
// in truth come later, and what is announced with it as well: so the ghost code has a step of
// its own, at every moment at which the access could be.
//
// That is not needed as long as the thread has only taken a lock and passed over accesses since, if nobody
// can try a lock without waiting: what others do between the taking and such an access they can do before the
// taking as well, for none of it needs the lock. So the whole step may be thought of as made at the moment of
// the access, and is found there. A release ends that: behind it the others may need the lock. Ghost code ends it as
// well, for it has its moment, unless it decides by what is in registers that it does nothing.
//
// Ghost code changes nothing: what it writes to memory that others know, a panic in it, and a
// call that others may notice end the execution with a fault.

// What ghost code keeps for a call, its slots, is an object to which the bottom function of the call's
// thread has a pointer. The thread itself does not look at it. Ghost code of other
// threads finds it through the place of the thread, so that no object that others know refers to it: it
// is private memory, and part of the canonical form, with what it refers to, as long as the call lasts.

// Announcement is an operation that ghost code announces.
type Announcement struct {
	Thread int // the place of who executes the ghost code, as Machine.Step has it
	Rule   int
	Whose  uint64 // whose call it is, as the harness has it
	Words  []uint64
}

// Announced lists what was announced since the state was loaded, or since Hear.
func (m *Machine) Announced() []Announcement { return m.announced }

// Hear forgets what was announced.
func (m *Machine) Hear() { m.announced = m.announced[:0] }

// ghost executes OpGhost.
func (m *Machine) ghost(t *state.Thread, in *ir.Instr) control {
	if in.Ok && !m.gate(m.Passed) {
		return ctlStop
	}
	switch {
	case in.Ok:
		m.silent = m.Acquired && mayBeSilent(t.Top())
		m.Acquired = false
	default:
		m.Acquired, m.silent = m.silent, false
	}
	m.Ghost, m.Passed = in.Ok, false
	return ctlNext
}

// mayBeSilent says that the ghost code that begins where a frame stands calls or announces something on every way
// on which it has read more than registers.
func mayBeSilent(f *state.Frame) bool {
	type place struct {
		pc   int
		read bool
	}
	code, seen := f.Code.Instrs, map[place]bool{}
	var from func(at place) bool
	from = func(at place) bool {
		for ; !seen[at]; at.pc++ {
			seen[at] = true
			switch in := &code[at.pc]; {
			case in.Op == ir.OpGhost:
				return !in.Ok && !at.read
			case in.Op == ir.OpCall || in.Op == ir.OpAnnounce:
				return true
			case in.Op == ir.OpJump:
				at.pc = int(in.N) - 1
			case in.Op == ir.OpIf:
				return from(place{int(in.N), at.read}) && from(place{int(in.X), at.read})
			case in.Op >= ir.OpNew && in.Op != ir.OpMakeIface:
				at.read = true
			}
		}
		return true
	}
	return from(place{pc: int(f.PC) + 1})
}

// announce executes OpAnnounce.
func (m *Machine) announce(t *state.Thread, in *ir.Instr, regs []uint64) control {
	m.silent = false
	words := m.appendArgs(nil, m.img.Prog.Lists[in.X], regs)
	m.announced = append(m.announced, Announcement{slices.Index(m.Thread, t), int(words[0]), words[1], words[2:]})
	return ctlNext
}

// slots executes OpSlots, OpSlotsOf and OpThreads.
func (m *Machine) slots(t *state.Thread, in *ir.Instr, regs []uint64) control {
	switch {
	case in.Op == ir.OpSlotsOf:
		place := int(state.Operand(regs, m.img.Prog.Consts, in.A))
		m.Peered = m.Peered || m.Thread[place] != t
		regs[in.Dst] = m.slotsOf(place)
	case in.Op == ir.OpThreads && in.Ok:
		regs[in.Dst] = uint64(slices.Index(m.Thread, t))
	case in.Op == ir.OpThreads:
		regs[in.Dst] = uint64(len(m.Thread))
	}
	return ctlNext
}

// slotsOf is the pointer to the slots of the thread in a place, between the two OpSlots of its bottom
// function; 0 at other times.
func (m *Machine) slotsOf(place int) uint64 {
	t := m.Thread[place]
	if len(t.Frames) == 0 {
		return 0
	}
	f, reg := &t.Frames[0], ir.NoReg
	for pc := range int(f.PC) {
		switch in := &f.Code.Instrs[pc]; {
		case in.Op != ir.OpSlots:
		case in.Ok:
			reg = ir.NoReg
		default:
			reg = in.A
		}
	}
	if reg == ir.NoReg {
		return 0
	}
	return t.Regs[int(f.Base)+int(reg)]
}

// ghostFollows says that ghost code stands behind the call that a thread stands at, with nothing but
// computing between: then the call is a scheduling point, so that both have one moment.
func (m *Machine) ghostFollows(t *state.Thread) bool {
	f := t.Top()
	for _, in := range f.Code.Instrs[f.PC+1:] {
		if in.Op == ir.OpGhost {
			return true
		}
		if in.Op >= ir.OpNew && in.Op != ir.OpField {
			return false
		}
	}
	return false
}

// ghostFails ends the execution: a point must not do what it does.
func (m *Machine) ghostFails(what string) control {
	m.Fail(FaultUnsupported, "a linearization point's condition or operation "+what)
	return ctlStop
}
