// SPDX-License-Identifier: BSD-3-Clause

package transfer

import (
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
)

// compute is the result of an instruction on numbers; false if it cannot be modelled, as of items in another format.
func (m *Machine) compute(f *frame, in *ir.Instr) (shape.Word, bool) {
	a := m.get(f, in.A)
	switch in.Op {
	case ir.OpNot:
		if a.IsConst() {
			return truth(a == shape.Nil), true
		}
		return shape.Top, true
	case ir.OpEq, ir.OpNe:
		w, ok := compare(in, a, m.get(f, in.B))
		return w, ok && in.Num.Words() == 1
	case ir.OpLt, ir.OpLe:
		w, ok := m.order(in, a, m.get(f, in.B))
		return w, ok && in.Num.Words() == 1
	case ir.OpEqual:
		return m.equal(f, in)
	case ir.OpConvert:
		return convert(in, a)
	case ir.OpNeg, ir.OpCompl:
		return arithmetic(in, a, shape.Nil)
	case ir.OpDiv, ir.OpRem, ir.OpShl, ir.OpShr:
		return 0, false
	}
	return arithmetic(in, a, m.get(f, in.B))
}

// integer says whether a format is one of integers.
func integer(n ir.Num) bool { return n <= ir.U64 }

// plain says whether a format is that of items: 64-bit integers with a sign. In another format they would be ordered
// differently.
func plain(n ir.Num) bool { return n == ir.I64 }

// compare is the result of OpEq or OpNe.
func compare(in *ir.Instr, a, b shape.Word) (shape.Word, bool) {
	w, ok := equals(in.Num, a, b)
	if in.Op == ir.OpNe && w.IsConst() {
		w = truth(w == shape.Nil)
	}
	return w, ok
}

// equals says whether two words are equal: 1, 0 or Top if that is not known.
func equals(n ir.Num, a, b shape.Word) (shape.Word, bool) {
	switch {
	case a.IsData() || b.IsData():
		if !plain(n) && n != ir.Word {
			return 0, false
		}
		return sameItem(a, b), true
	case a.IsTop() || b.IsTop():
		return shape.Top, true
	case !integer(n):
		return shape.Top, true
	}
	return truth(a == b), true
}

func sameItem(a, b shape.Word) shape.Word {
	switch {
	case !a.IsData() || !b.IsData() || a.Class().OfJ() != b.Class().OfJ():
		return shape.Top
	case a.Class() != b.Class():
		return truth(false)
	case a.Class().Certain():
		return truth(true)
	}
	return shape.Top
}

// order is the result of OpLt or OpLe.
func (m *Machine) order(in *ir.Instr, a, b shape.Word) (shape.Word, bool) {
	switch {
	case a.IsData() && b.IsData():
		if !plain(in.Num) {
			return 0, false
		}
		return m.orderItems(in.Op, a.Class(), b.Class()), true
	case a.IsData() || b.IsData():
		return shape.Top, plain(in.Num)
	case a.IsTop() || b.IsTop() || !integer(in.Num):
		return shape.Top, true
	}
	x, y := a.Value(), b.Value()
	if in.Op == ir.OpLe && x == y {
		return truth(true), true
	}
	if in.Num.Signed() {
		return truth(int64(x) < int64(y)), true
	}
	return truth(x < y), true
}

// orderItems compares items of which the classes are known. In a domain that is not ordered
// Above says only that an item differs from k.
func (m *Machine) orderItems(op ir.Op, a, b shape.Class) shape.Word {
	switch {
	case a == b && a == shape.Equal:
		return truth(op == ir.OpLe)
	case a == b || !m.d.Ordered:
		return shape.Top
	}
	return truth(a < b)
}

// equal is OpEqual on values of several words.
func (m *Machine) equal(f *frame, in *ir.Instr) (shape.Word, bool) {
	result := truth(true)
	for i, kind := range in.T.Layout() {
		if kind != ir.Scalar && kind != ir.Pointer && kind != ir.Unsafe {
			return 0, false
		}
		leaf, _ := in.T.LeafAt(i)
		w, ok := equals(ir.NumOf(leaf), m.get(f, in.A.Word(i)), m.get(f, in.B.Word(i)))
		switch {
		case !ok:
			return 0, false
		case w == shape.Nil:
			return w, true
		case w.IsTop():
			result = w
		}
	}
	return result, true
}

// convert is OpConvert. An item keeps its class only if it keeps its value.
func convert(in *ir.Instr, a shape.Word) (shape.Word, bool) {
	to := ir.Num(in.N)
	switch {
	case in.Num.Words() > 1 || to.Words() > 1:
		return 0, false
	case a.IsData():
		return a, plain(in.Num) && plain(to)
	case a.IsConst() && integer(in.Num) && integer(to):
		return shape.Const(to.Wrap(a.Value())), true
	}
	return shape.Top, true
}

// arithmetic calculates with numbers; the result of calculating with an item is unknown.
func arithmetic(in *ir.Instr, a, b shape.Word) (shape.Word, bool) {
	if in.Num.Words() > 1 {
		return 0, false
	}
	if !a.IsConst() || !b.IsConst() || !integer(in.Num) {
		return shape.Top, true
	}
	x, y := a.Value(), b.Value()
	switch in.Op {
	case ir.OpAdd:
		x += y
	case ir.OpSub:
		x -= y
	case ir.OpMul:
		x *= y
	case ir.OpAnd:
		x &= y
	case ir.OpOr:
		x |= y
	case ir.OpXor:
		x ^= y
	case ir.OpAndNot:
		x &^= y
	case ir.OpNeg:
		x = -x
	case ir.OpCompl:
		x = ^x
	}
	if w := in.Num.Wrap(x); int64(w) <= counted && int64(w) >= -counted {
		return shape.Const(w), true
	}
	return shape.Top, true
}

// counted is how far is counted: beyond, a number that was calculated is unknown, so that one
// that grows without end has an end here.
const counted = 1 << 10
