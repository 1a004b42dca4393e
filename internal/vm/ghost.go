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
// Ghost code changes nothing: what it writes to memory that others know, a panic in it, and a
// call that others may notice end the execution with a fault.

// Announcement is an operation that ghost code announces.
type Announcement struct {
	Thread int // its place, as Machine.Step has it
	Rule   int
	Words  []uint64
}

// Announced lists what was announced since the state was loaded, or since Hear.
func (m *Machine) Announced() []Announcement { return m.announced }

// Hear forgets what was announced.
func (m *Machine) Hear() { m.announced = m.announced[:0] }

// ghost executes OpGhost.
func (m *Machine) ghost(in *ir.Instr) control {
	if in.Ok && !m.gate(m.Passed) {
		return ctlStop
	}
	m.Ghost, m.Passed = in.Ok, false
	return ctlNext
}

// announce executes OpAnnounce.
func (m *Machine) announce(t *state.Thread, in *ir.Instr, regs []uint64) control {
	words := m.appendArgs(nil, m.img.Prog.Lists[in.X], regs)
	m.announced = append(m.announced, Announcement{slices.Index(m.Thread, t), int(words[0]), words[1:]})
	return ctlNext
}

// ghostFollows says that ghost code stands behind the call that a thread stands at: then
// the call is a scheduling point, so that both have one moment.
func (m *Machine) ghostFollows(t *state.Thread) bool {
	f := t.Top()
	next := int(f.PC) + 1
	return next < len(f.Code.Instrs) && f.Code.Instrs[next].Op == ir.OpGhost
}

// ghostFails ends the execution: a point must not do what it does.
func (m *Machine) ghostFails(what string) control {
	m.Fail(FaultUnsupported, "a linearization point's condition or operation "+what)
	return ctlStop
}
