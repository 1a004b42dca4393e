// SPDX-License-Identifier: BSD-3-Clause

package transfer

import (
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
)

// mostElements is how many elements a slice has at most: each is a node's words of its own.
const mostElements = 8

// makeSlice makes a slice of a known length, which is an array for good: it is never grown, and nobody
// takes a part of it. Only the constructor makes them. Which element a word belongs to does not count for what is
// known of words, as with cells of one type.
func (m *Machine) makeSlice(t *thread, f *frame, in *ir.Instr) bool {
	n, c := m.get(f, in.A), m.get(f, in.B)
	switch {
	case m.p != nil:
		return m.outside(t, "a slice that is made by an operation")
	case !n.IsConst() || n != c || n.Value() < 1 || n.Value() > mostElements || in.T.Size == 0:
		return m.outside(t, "a slice that does not have 1 to %d elements", mostElements)
	case len(m.d.Mutexes(in.T.ID)) > 0:
		return m.outside(t, "locks in a slice")
	case m.d.Link(in.T.ID) >= 0:
		return m.outside(t, "a slice of cells that form chains")
	}
	size := int(n.Value()) * in.T.Size
	if size > largest {
		return m.outside(t, "an object of %d words", size)
	}
	copy(f.regs[in.Dst:], []shape.Word{shape.Ref(t.view.New(in.T.ID, size), 0), n, n})
	f.pc++
	return true
}

// element gives the address of an element of a slice.
func (m *Machine) element(t *thread, f *frame, in *ir.Instr) bool {
	a, n, i := m.get(f, in.A), m.get(f, in.A.Word(1)), m.get(f, in.B)
	switch {
	case !i.IsConst() || !n.IsConst():
		return m.outside(t, "an element of a slice that is not known")
	case i.Value() >= n.Value():
		return m.wrong(t, "an index may be out of range")
	case !m.pointer(t, a):
		return false
	}
	f.regs[in.Dst] = shape.Ref(a.Node(), a.Off()+int(i.Value())*in.T.Size)
	f.pc++
	return true
}

// choose goes on with each number below n.
func (m *Machine) choose(t *thread, n shape.Word) bool {
	if f := t.top(); f.fn.Code[f.pc].Op != ir.OpCall {
		return m.outside(t, "a deferred call of mark.Choose")
	}
	if !n.IsConst() || n.Value() < 1 || n.Value() > mostElements {
		return m.outside(t, "a choice that is not one of 1 to %d", mostElements)
	}
	for x := range n.Value() {
		other := m.clone(t)
		m.resume(other, []shape.Word{shape.Const(x)})
		m.fork(other)
	}
	return false
}
