// SPDX-License-Identifier: BSD-3-Clause

package walk

import (
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// stands says whether thread i stands where a step of the prover ends: before an access that others observe or
// influence, before taking a shared lock, or before giving back a lock of the collection itself. Behind the taking of
// a lock a step ends only before a plain access.
func (w *walker) stands(i int) bool {
	if lock, taking := w.lockAt(i); lock != 0 {
		id := state.ObjectID(lock)
		return taking && w.shared[id] && !w.calls[i].locked || !taking && id == state.ObjectID(w.root)
	}
	visible, _, _ := w.access(i)
	return visible && (!w.calls[i].locked || w.racy(i))
}

// racy says whether a word that thread i is about to access is ever accessed without synchronisation.
func (w *walker) racy(i int) bool {
	t := w.m.Thread[i]
	f := t.Top()
	in := &f.Code.Func.Code[f.PC]
	n := 1
	if in.Op == ir.OpLoad || in.Op == ir.OpStore {
		n = in.T.Size
	}
	at := w.operand(t, f, in.A)
	typ := w.m.Objs[state.ObjectID(at)].Info.Type
	for off := state.Offset(at); off < state.Offset(at)+n; off++ {
		if w.v.Domain.Plain(typ.ID, off) {
			return true
		}
	}
	return false
}

// access describes the access before which thread i stands: visible says that others observe or influence it, settled
// that they did but that its result is fixed from now on, and write that it writes.
func (w *walker) access(i int) (visible, settled, write bool) {
	t := w.m.Thread[i]
	if t.Idle() {
		return false, false, false
	}
	f := t.Top()
	fn := f.Code.Func
	if fn.External {
		return false, false, false
	}
	in := &fn.Code[f.PC]
	n := 1
	write = true
	switch in.Op {
	case ir.OpLoad:
		n, write = in.T.Size, false
	case ir.OpAtomicLoad:
		write = false
	case ir.OpStore:
		n = in.T.Size
	case ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicCAS, ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
	default:
		return false, false, false
	}
	at := w.operand(t, f, in.A)
	if at == 0 || n == 0 || !w.shared[state.ObjectID(at)] {
		return false, false, false
	}
	typ := w.m.Objs[state.ObjectID(at)].Info.Type
	for off := state.Offset(at); off < state.Offset(at)+n; off++ {
		visible = visible || write || w.v.Domain.Mutable(typ.ID, off)
	}
	settled = visible && w.settled(i, in, at)
	return visible && !settled, settled, write
}

// settled says whether thread i is about to make an access that gives the same result whenever it is made from now
// on.
func (w *walker) settled(i int, in *ir.Instr, at uint64) bool {
	t, d := w.m.Thread[i], w.v.Domain
	f := t.Top()
	typ, off := w.m.Objs[state.ObjectID(at)].Info.Type, state.Offset(at)
	if in.Op != ir.OpAtomicLoad && in.Op != ir.OpAtomicCAS || d.Plain(typ.ID, off) || d.Returning(w.site(t)) {
		return false
	}
	n := w.node(state.ObjectID(at))
	if in.Op == ir.OpAtomicLoad {
		return d.Final(w.heap(&w.now), n, off)
	}
	expected := w.word(w.operand(t, f, in.B), typ.Layout()[off%typ.Size])
	return d.Gone(w.heap(&w.now), n, off, expected)
}

// site is the instruction at which a thread stands, with the call that it is part of.
func (w *walker) site(t *state.Thread) shape.Site {
	f := t.Top()
	s := shape.Site{Func: f.Code.Func.ID, PC: int(f.PC)}
	if n := len(t.Frames) - 2; n >= 0 {
		s.Caller, s.Call = t.Frames[n].Code.Func.ID, int(t.Frames[n].PC)
	}
	return s
}

func (w *walker) operand(t *state.Thread, f *state.Frame, r ir.Reg) uint64 {
	if r < 0 {
		return w.v.Program.Prog.Consts[^r]
	}
	return t.Regs[int(f.Base)+int(r)]
}

// lockAt is the lock that thread i is about to take or give back; 0: none. A deferred lock or unlock counts one
// instruction earlier, before the deferred call is entered.
func (w *walker) lockAt(i int) (lock uint64, taking bool) {
	t := w.m.Thread[i]
	if t.Idle() {
		return 0, false
	}
	f := t.Top()
	if f.Code.Func.External {
		return 0, false
	}
	var c *ir.Call
	var first uint64
	switch in := &f.Code.Func.Code[f.PC]; in.Op {
	case ir.OpCall:
		c = w.v.Program.Prog.Calls[in.X]
		if c.Kind != ir.CallStatic || len(c.Args) != 1 {
			return 0, false
		}
		first = w.operand(t, f, c.Args[0].Reg)
	case ir.OpRunDefers:
		list := w.deferred(t, f)
		if len(list) == 0 || list[0].call.Kind != ir.CallStatic || len(list[0].call.Args) != 1 {
			return 0, false
		}
		c, first = list[0].call, list[0].words[2]
	default:
		return 0, false
	}
	switch c.Func.Name {
	case "(*sync.Mutex).Lock":
		return first, true
	case "(*sync.Mutex).Unlock":
		return first, false
	}
	return 0, false
}
