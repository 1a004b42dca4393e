// SPDX-License-Identifier: BSD-3-Clause

package transfer

import (
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
)

// liveness knows which registers of a function are read later, at the instructions where an execution may stop.
type liveness struct {
	live   *ir.Live
	before [][]ir.Reg // by instruction; nil: not asked yet
	during [][]ir.Reg
}

// liveIn is the liveness of a function's registers. The code behind a recovered panic is ignored, for a panic is an
// alarm.
func (m *Machine) liveIn(f *ir.Func) *liveness {
	l := m.live[f.ID]
	if l == nil {
		plain := *f
		plain.Recover, plain.DeferReg = -1, ir.NoReg
		l = &liveness{live: ir.NewLive(m.d.Prog, &plain), before: make([][]ir.Reg, len(f.Code)), during: make([][]ir.Reg, len(f.Code))}
		m.live[f.ID] = l
	}
	return l
}

// at lists the live registers of a frame at an instruction; called says that the frame waits for a call to return.
func (m *Machine) at(f *ir.Func, pc int, called bool) []ir.Reg {
	l := m.liveIn(f)
	if called && f.Code[pc].Op == ir.OpCall {
		if l.during[pc] == nil {
			l.during[pc] = append([]ir.Reg{}, l.live.During(pc)...)
		}
		return l.during[pc]
	}
	if l.before[pc] == nil {
		l.before[pc] = append([]ir.Reg{}, l.live.Before(pc)...)
	}
	return l.before[pc]
}

// Live lists the live registers of a function at an instruction, in the order of View.Regs. innermost says that the
// frame is the last one of its view.
func (m *Machine) Live(f *ir.Func, pc int, innermost bool) []ir.Reg { return m.at(f, pc, !innermost) }

// DeferredWords is how many words of a deferred call a view lists.
func DeferredWords(c *ir.Call) int {
	n := c.FnWords()
	for _, a := range c.Args {
		n += a.Type.Size
	}
	return n
}

// flatten writes the calls of a thread as the frames and registers of a view.
func (m *Machine) flatten(t *thread) ([]shape.Frame, []shape.Word) {
	if len(t.frames) == 0 {
		return nil, nil
	}
	frames := make([]shape.Frame, len(t.frames))
	regs := make([]shape.Word, 0, 24)
	for i := range t.frames {
		f := &t.frames[i]
		for _, r := range m.at(f.fn, f.pc, i < len(t.frames)-1) {
			regs = append(regs, f.regs[r])
		}
		frames[i] = shape.Frame{Func: int32(f.fn.ID), PC: int32(f.pc)}
		for _, d := range f.defers {
			frames[i].Defers = append(frames[i].Defers, int32(d.call.ID))
			regs = append(regs, d.words...)
		}
	}
	return frames, regs
}

// expand is the inverse of flatten: it gives a thread the calls of a view.
func (m *Machine) expand(t *thread, v *shape.View) {
	at := v.Ghosts()
	for i := range v.Frames {
		fn := m.d.Prog.Funcs[v.Frames[i].Func]
		f := t.push(fn, int(v.Frames[i].PC))
		for _, r := range m.at(fn, f.pc, i < len(v.Frames)-1) {
			f.regs[r] = v.Regs[at]
			at++
		}
		for _, id := range v.Frames[i].Defers {
			c := m.d.Prog.Calls[id]
			n := DeferredWords(c)
			f.defers = append(f.defers, deferred{c, append([]shape.Word(nil), v.Regs[at:at+n]...)})
			at += n
		}
	}
}

// Access is the access to memory that the thread of a view is about to make.
type Access struct {
	At    shape.Word // the address, or Nil: it is about to do something else
	Words int
	Write bool
	Plain bool // not atomically
}

// Next is the access that the thread of a view is about to make. Taking and giving back locks does not count: it
// cannot race.
func (m *Machine) Next(v *shape.View) Access {
	f, in := m.standing(v)
	if in == nil {
		return Access{}
	}
	a := Access{Words: 1}
	switch in.Op {
	case ir.OpLoad:
		a.Words, a.Plain = in.T.Size, true
	case ir.OpStore:
		a.Words, a.Plain, a.Write = in.T.Size, true, true
	case ir.OpAtomicLoad:
	case ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicCAS, ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
		a.Write = true
	default:
		return Access{}
	}
	a.At = m.operand(v, f, in.A)
	return a
}

// standing is the innermost call of a view and the instruction that it executes next; nil if the view is idle.
func (m *Machine) standing(v *shape.View) (*shape.Frame, *ir.Instr) {
	if v.Idle() {
		return nil, nil
	}
	f := &v.Frames[len(v.Frames)-1]
	return f, &m.d.Prog.Funcs[f.Func].Code[f.PC]
}

// operand is the value of an operand of the innermost call of a view.
func (m *Machine) operand(v *shape.View, f *shape.Frame, r ir.Reg) shape.Word {
	if r < 0 {
		return m.constant(r)
	}
	// The registers of the innermost frame stand at the end, before what it has deferred.
	at := len(v.Regs)
	for _, id := range f.Defers {
		at -= DeferredWords(m.d.Prog.Calls[id])
	}
	regs := m.at(m.d.Prog.Funcs[f.Func], int(f.PC), false)
	for i, x := range regs {
		if x == r {
			return v.Regs[at-len(regs)+i]
		}
	}
	return shape.Nil
}

// Settled says whether the thread of a view is about to make an access that gives the same result whenever it is made
// from now on. No write of another thread has to be applied to such a view before the access is made.
func (m *Machine) Settled(v *shape.View) bool {
	f, in := m.standing(v)
	if in == nil || in.Op != ir.OpAtomicLoad && in.Op != ir.OpAtomicCAS {
		return false
	}
	get := func(r ir.Reg) shape.Word { return m.operand(v, f, r) }
	a := get(in.A)
	if !a.IsRef() || !v.Nodes[a.Node()].Shared {
		return false
	}
	site := shape.Site{Func: int(f.Func), PC: int(f.PC)}
	if n := len(v.Frames) - 2; n >= 0 {
		site.Caller, site.Call = int(v.Frames[n].Func), int(v.Frames[n].PC)
	}
	typ := int(v.Nodes[a.Node()].Type)
	return !m.d.Returning(site) && m.d.Mutable(typ, a.Off()) && !m.d.Plain(typ, a.Off()) && m.settled(v, a, in, get)
}

// GoOn executes the thread of a settled view up to the next stop.
func (m *Machine) GoOn(v *shape.View) *Result {
	t := m.resumed(v)
	t.moved = true
	return m.run(t)
}
