// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"

	"pangolin/internal/ir"
	"pangolin/internal/vm/layout"
	"pangolin/internal/vm/state"
)

// Loads, stores and atomic accesses. Here it is decided which access is a scheduling point:
// gate is asked with what the state says of the memory. Nobody else reaches it (IsShared):
// none. It is read and never written (FrozenRead), or accessed under its lock (VisibleRead,
// VisibleWrite): none, as long as that is so. An atomic load is always one, for a loop that
// waits for a flag has to be seen waiting.
//
// A scheduling point uses up fuel. A step has fuel for one: the first is executed, and the
// thread stands at the next, so that in every state one can see what each thread is about
// to do. Races are looked for there.

// gate says whether the running thread may make an access now: one to shared
// memory uses up fuel.
func (m *Machine) gate(shared bool) bool {
	if !shared {
		return true
	}
	if m.Ghost {
		m.ghostFails("waits, or does what others may notice")
		return false
	}
	if m.fuel == 0 {
		return false
	}
	m.fuel--
	m.Passed = false
	return true
}

func (m *Machine) shared(p uint64) bool { return m.Objs[p>>32].Flags&state.IsShared != 0 }

func (m *Machine) load(t *state.Thread, in *ir.Instr, regs []uint64) control {
	p := state.Operand(regs, m.img.Prog.Consts, in.A)
	if p == 0 {
		return m.throwError(t, nilMessage)
	}
	n := 1
	if in.Op == ir.OpLoad {
		n = in.T.Size
	}
	if n == 0 {
		return ctlNext
	}
	if o := &m.Objs[p>>32]; !m.gate(o.Flags&state.IsKnown != 0 && !m.FrozenRead(o, state.Offset(p), n) && m.VisibleRead(t, p, n)) {
		return ctlStop
	}
	copy(regs[in.Dst:int(in.Dst)+n], m.Words(p, n))
	return ctlNext
}

func (m *Machine) store(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	p := state.Operand(regs, consts, in.A)
	if p == 0 {
		return m.throwError(t, nilMessage)
	}
	if in.T.Size == 0 {
		return ctlNext
	}
	if !m.gate(m.VisibleWrite(t, p, in.T.Size)) {
		return ctlStop
	}
	m.Write(p, state.Operands(regs, consts, in.B, in.T.Size), m.img.Types[in.T.ID])
	if m.regionOrder == ordersFlags && in.T.Size == 1 && len(m.Objs[p>>32].Info.Refs) == 0 {
		m.note(Signalled, t, p, 0)
	}
	return ctlNext
}

// atomic executes the atomic accesses that write.
func (m *Machine) atomic(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	p := state.Operand(regs, consts, in.A)
	if p == 0 {
		return m.throwError(t, nilMessage)
	}
	if !m.gate(m.VisibleWrite(t, p, 1)) {
		return ctlStop
	}
	b := state.Operand(regs, consts, in.B)
	old, kind := m.Words(p, 1)[0], AtomicUpdate
	switch in.Op {
	case ir.OpAtomicStore:
		m.writeWord(p, b)
		kind = AtomicWrite
	case ir.OpAtomicSwap:
		regs[in.Dst] = old
		m.writeWord(p, b)
	// A compare-and-swap counts as a write although it fails, for races and for frozen fields, as in the memory model
	// (doc of sync/atomic). What it compares, items too, it only compares.
	case ir.OpAtomicCAS:
		if m.Watching {
			m.Compared(old, b)
		}
		c := state.Operand(regs, consts, in.C)
		same := old == b || m.pointerAt(p) && m.equalPointers(old, b)
		regs[in.Dst] = truth(same)
		if same {
			m.writeWord(p, c)
		} else {
			m.CheckFrozen(p, 1) // a plain read races with it all the same
			kind = AtomicRead
		}
	case ir.OpAtomicAdd:
		m.LooksAt(old, b)
		sum := in.Num.Wrap(old + b)
		regs[in.Dst] = sum
		m.writeWord(p, sum)
	case ir.OpAtomicAnd:
		m.LooksAt(old, b)
		regs[in.Dst] = old
		m.writeWord(p, old&b)
	case ir.OpAtomicOr:
		m.LooksAt(old, b)
		regs[in.Dst] = old
		m.writeWord(p, old|b)
	}
	m.note(kind, t, p, 0)
	return ctlNext
}

// pointerAt says that a pointer stands at p.
func (m *Machine) pointerAt(p uint64) bool {
	o := &m.Objs[p>>32]
	switch o.Info.Layout[state.Offset(p)%o.Info.Type.Size] {
	case ir.Pointer, ir.Unsafe:
		return true
	}
	return false
}

// writeWord stores one word; what kind it is follows from the object's layout.
func (m *Machine) writeWord(p, w uint64) {
	id := state.ObjectID(p)
	m.Touch(id)
	m.GhostWrites(id)
	m.CheckWrite(p, 1)
	o := &m.Objs[id]
	m.Mem[o.At+state.Offset(p)] = w
	// What is stored into a shared object becomes shared, with all that it leads to, before anybody else can
	// move: from now on another thread may read it there.
	if o.Flags&state.IsShared == 0 || len(o.Info.Refs) == 0 {
		return
	}
	switch o.Info.Layout[state.Offset(p)%o.Info.Type.Size] {
	case ir.Pointer:
		m.Publish(w >> 32)
	case ir.Unsafe, layout.UnsafeSecond, ir.Code:
		if w&ir.TypeTag == 0 {
			m.Publish(w >> 32)
		}
	}
}

// outOfRange is the runtime's message for an index.
func outOfRange(i, n uint64, unsigned bool) string {
	if int64(i) < 0 && !unsigned {
		return fmt.Sprintf("index out of range [%d]", int64(i))
	}
	return fmt.Sprintf("index out of range [%d] with length %d", i, n)
}

// index executes OpElem, OpArrayElem and OpIndex.
func (m *Machine) index(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	i := state.Operand(regs, consts, in.B)
	n := uint64(in.N)
	if in.Op == ir.OpElem {
		n = state.Operand(regs, consts, in.A.Word(1))
	}
	if in.Op == ir.OpArrayElem && state.Operand(regs, consts, in.A) == 0 {
		return m.throwError(t, nilMessage)
	}
	if i >= n {
		return m.throwBounds(t, outOfRange(i, n, in.X != 0))
	}
	size := in.T.Size
	if in.Op == ir.OpIndex {
		copy(state.Result(regs, in.Dst, size), state.Operands(regs, consts, in.A, size*int(n))[int(i)*size:])
		return ctlNext
	}
	regs[in.Dst] = state.Operand(regs, consts, in.A) + i*uint64(size)
	return ctlNext
}

// cast checks that the memory behind an unsafe.Pointer has the layout of the
// type it is converted to.
func (m *Machine) cast(t *state.Thread, in *ir.Instr, regs []uint64) control {
	p := state.Operand(regs, m.img.Prog.Consts, in.A)
	if p&ir.TypeTag != 0 {
		m.Fail(FaultUnsupported, "an interface's type word is used as a pointer")
		return ctlStop
	}
	if p != 0 && !(m.fits(p, in.T) && (t.Top().Code.Func.Model || m.sameNumbers(p, in.T))) {
		m.Fail(FaultUnsupported, fmt.Sprintf("unsafe.Pointer to memory of type %s is converted to *%s, which has another layout",
			m.Objs[p>>32].Info.Type.Name, in.T.Name))
		return ctlStop
	}
	// The words of a lock are those of this machine: who waits, and for how long, is not in them as it is in the runtime's.
	if p != 0 && !t.Top().Code.Func.Model && m.UncoversLock(p, in.T) {
		m.Fail(FaultUnsupported, fmt.Sprintf("the words of a lock in memory of type %s are used as *%s: they are not those of the runtime",
			m.Objs[p>>32].Info.Type.Name, in.T.Name))
		return ctlStop
	}
	regs[in.Dst] = p
	return ctlNext
}

// fits says whether the words from p on can be used as a value of type t.
func (m *Machine) fits(p uint64, t *ir.Type) bool {
	o := &m.Objs[p>>32]
	flat, n := t.Flatten()
	if state.Offset(p)+n*flat.Size > o.Words() {
		return false
	}
	want, have := m.img.Types[flat.ID].Layout, o.Info.Layout
	for i := range n * flat.Size {
		if !layout.Compatible(want[i%flat.Size], have[(state.Offset(p)+i)%len(have)]) {
			return false
		}
	}
	return true
}

// sameNumbers says whether the words from p on hold numbers in the formats that a
// value of type t has.
func (m *Machine) sameNumbers(p uint64, t *ir.Type) bool {
	return layout.SameNumbers(m.Objs[p>>32].Info.Type, state.Offset(p), t)
}
