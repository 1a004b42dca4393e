// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Chance is something that a step could have done for a thread, and did or did not: take
// a ready case of its select, or serve it where several wait. What Go gives to those who wait
// is that a chance which comes again and again is not missed for ever: select draws
// among the ready cases, and queues are served in their order.
type Chance struct {
	Place int    // the thread's, as Ran has it
	What  uint64 // the instruction that it stands at, and the case
	Taken bool
}

// Chances lists those of the steps since the state was loaded. They are recorded only where
// threads have places for life.
func (m *Machine) Chances() []Chance { return m.chances }

// chance records a chance of a thread at its instruction.
func (m *Machine) chance(t *state.Thread, index int, taken bool) {
	if !m.ForLife {
		return
	}
	for i, u := range m.Thread {
		if u == t {
			f := t.Top()
			what := uint64(f.Code.Func.ID)<<40 | uint64(f.PC)<<8 | uint64(index&0xff)
			m.chances = append(m.chances, Chance{m.Places[i], what, taken})
		}
	}
}

// chooseCase chooses one of a thread's ready communications.
func (m *Machine) chooseCase(t *state.Thread, ready []comm) comm {
	k := m.choose(len(ready))
	for i, c := range ready {
		m.chance(t, c.index, i == k)
	}
	return ready[k]
}

// chooseWaiter chooses one of the flags, a slice of pointers, for which threads await a
// signal.
func chooseWaiter(c *call) control {
	m, n := c.m, int(c.args[1])
	k := m.choose(n)
	for i, flag := range m.Words(c.args[0], n) {
		for _, t := range m.Thread {
			if !t.Idle() && t.Instr().Op == ir.OpCall && m.awaits(t, flag) {
				m.chance(t, 0, i == k)
			}
		}
	}
	c.out[0] = uint64(k)
	return ctlNext
}

// chooseMoment lets the clock go on, or not: who reads it again and again sees it go on at some time. Who
// would see it where it does not go on any more misses that chance for ever, which nobody does in truth.
func chooseMoment(c *call) control {
	k := 0
	if clock := &c.m.img.Prog.Clock; int(c.args[0]) < clock.Jumps {
		if init, ok := c.m.chooser.(*undecided); ok && clock.Late {
			init.early = true
		} else {
			k = c.m.choose(2)
		}
	}
	c.m.chance(c.t, 0, k == 1)
	c.out[0] = c.args[0] + uint64(k)
	return ctlNext
}

// awaits says that a thread stands at the await of a flag.
func (m *Machine) awaits(t *state.Thread, flag uint64) bool {
	c := m.builtinAt(t)
	return c != nil && c.fn.Name == "pangolin/prelude.await" && c.args[0] == flag
}
