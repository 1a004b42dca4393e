// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"pangolin/internal/certificate"
	"pangolin/internal/ir"
)

// Arithmetic and comparisons of numbers and items, as far as they are known.

// top is an unknown number.
var top = word{Form: certificate.Top}

func isItem(w word) bool { return w.Form == certificate.Item }

// compute executes an instruction on numbers. If the result of a comparison is not known, the thread continues with both results.
func (c *Checker) compute(s *state, f *frame, in *ir.Instr) (bool, error) {
	if in.Op < ir.OpAdd || in.Op > ir.OpConvert || in.Op == ir.OpDiv || in.Op == ir.OpRem || in.Op == ir.OpShl || in.Op == ir.OpShr {
		return false, c.reject(s, "%s has no meaning in a proof", in.Op)
	}
	a, b := c.get(f, in.A), zero
	if in.Op != ir.OpNot && in.Op != ir.OpNeg && in.Op != ir.OpCompl && in.Op != ir.OpConvert {
		b = c.get(f, in.B)
	}
	if a == lost || b == lost || in.Num.Words() > 1 {
		return false, c.reject(s, "%s of something that is not known", in.Op)
	}
	var w word
	ok := true
	switch in.Op {
	case ir.OpNot:
		w = top
		if known(a) {
			w = truth(a == zero)
		}
	case ir.OpEq, ir.OpNe:
		if w, ok = same(in.Num, a, b); in.Op == ir.OpNe && known(w) {
			w = truth(w == zero)
		}
	case ir.OpLt, ir.OpLe:
		w, ok = c.before(in, a, b)
	case ir.OpEqual:
		w, ok = c.sameValues(f, in)
	case ir.OpConvert:
		w, ok = converted(in, a)
	default:
		w = calculated(in.Op, in.Num, a, b)
	}
	if !ok {
		return false, c.reject(s, "%s of items in format %s", in.Op, in.Num)
	}
	if w == top && in.Op >= ir.OpNot && in.Op <= ir.OpEqual {
		other := s.clone()
		other.top().regs[in.Dst] = zero
		other.top().pc++
		c.fork(other)
		w = number(1)
	}
	f.regs[in.Dst] = w
	f.pc++
	return true, nil
}

func isInteger(n ir.Num) bool { return n <= ir.U64 }

// same compares two words of format n: the result is 1, 0 or top; false if words of this format cannot be compared.
func same(n ir.Num, a, b word) (word, bool) {
	switch {
	case isItem(a) || isItem(b):
		if n != ir.I64 && n != ir.Word {
			return zero, false
		}
		if !isItem(a) || !isItem(b) || a.OfJ() != b.OfJ() || a == b && !sure(a) {
			return top, true
		}
		return truth(a == b), true
	case a == top || b == top || !isInteger(n):
		return top, true
	}
	return truth(a == b), true
}

// sameValues compares two values of several words, word by word.
func (c *Checker) sameValues(f *frame, in *ir.Instr) (word, bool) {
	result := number(1)
	for i, kind := range in.T.Layout() {
		leaf, _ := in.T.LeafAt(i)
		a, b := c.get(f, in.A.Word(i)), c.get(f, in.B.Word(i))
		if kind != ir.Scalar && kind != ir.Pointer && kind != ir.Unsafe || a == lost || b == lost {
			return zero, false
		}
		w, ok := same(ir.NumOf(leaf), a, b)
		switch {
		case !ok:
			return zero, false
		case w == zero:
			return zero, true
		case w == top:
			result = top
		}
	}
	return result, true
}

// before is the result of OpLt or OpLe: 1, 0 or top.
func (c *Checker) before(in *ir.Instr, a, b word) (word, bool) {
	switch {
	case isItem(a) || isItem(b):
		switch {
		case in.Num != ir.I64:
			return zero, false
		case !isItem(a) || !isItem(b):
			return top, true
		case a.N == certificate.Equal && b.N == certificate.Equal:
			return truth(in.Op == ir.OpLe), true
		case a.N == b.N || !c.ordered:
			return top, true
		}
		return truth(a.N < b.N), true
	case a == top || b == top || !isInteger(in.Num) || a.IsRef() || b.IsRef():
		return top, true
	case a == b:
		return truth(in.Op == ir.OpLe), true
	case in.Num.Signed():
		return truth(a.N < b.N), true
	}
	return truth(uint64(int64(a.N)) < uint64(int64(b.N))), true
}

// converted is the result of OpConvert; false if an item would not keep its value.
func converted(in *ir.Instr, a word) (word, bool) {
	to := ir.Num(in.N)
	switch {
	case to.Words() > 1:
		return zero, false
	case isItem(a):
		return a, in.Num == ir.I64 && to == ir.I64
	case known(a) && isInteger(in.Num) && isInteger(to):
		return constant(int64(to.Wrap(uint64(int64(a.N))))), true
	}
	return top, true
}

// calculated is the result of integer arithmetic; top if an operand is not known, or the result exceeds mostCounted.
func calculated(op ir.Op, n ir.Num, a, b word) word {
	if !known(a) || !known(b) || !isInteger(n) {
		return top
	}
	x, y := int64(a.N), int64(b.N)
	switch op {
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
	default:
		return top
	}
	if x = int64(n.Wrap(uint64(x))); x > mostCounted || x < -mostCounted {
		return top
	}
	return number(int32(x))
}

// mostCounted is the greatest number that is tracked, so that counters do not make endless views.
const mostCounted = 1 << 10
