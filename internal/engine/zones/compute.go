// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"pangolin/internal/engine"
	"pangolin/internal/ir"
)

// compute executes an instruction on numbers and addresses. Items are not looked at.
func (m *machine) compute(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	a := m.get(f, in.A)
	var b value
	if in.Op != ir.OpNot && in.Op != ir.OpConvert {
		b = m.get(f, in.B)
	}
	v := value{form: unknown}
	switch {
	case in.Op == ir.OpConvert && a.isItem() && in.Num == ir.I64 && ir.Num(in.N) == ir.I64:
		v = a
	case a.isItem() || b.isItem():
		return m.outside(t, "%s of items", in.Op)
	case in.Op == ir.OpNot:
		if a.form == constant {
			v = truth(a == null)
		}
	case in.Op == ir.OpConvert:
		same := in.Num == ir.I64 && ir.Num(in.N) == ir.I64
		if same || engine.IsInteger(in.Num) && engine.IsInteger(ir.Num(in.N)) && a.form == constant && a.x >= 0 && a.x <= 127 {
			v = a
		}
	case in.Op == ir.OpAdd || in.Op == ir.OpSub:
		if a.isAddress() || b.isAddress() {
			return m.outside(t, "%s of addresses", in.Op)
		}
		v = sum(in, a, b)
	case a.isAddress() || b.isAddress():
		return m.sameAddress(t, in, a, b)
	default:
		return m.compare(t, in, a, b)
	}
	f.Regs[in.Dst] = v
	f.PC++
	return true
}

// mostApart is how far numbers may be from a position of which something is known.
const mostApart = 4

// sum adds a constant to a number, or subtracts it. Positions are counted, so that no number near one is too large for 64 bits.
func sum(in *ir.Instr, a, b value) value {
	if in.Op == ir.OpAdd && a.form == constant {
		a, b = b, a
	}
	if in.Num != ir.I64 || b.form != constant || a.form != constant && a.form != number {
		return value{form: unknown}
	}
	x := int64(a.x) + int64(b.x)
	if in.Op == ir.OpSub {
		x = int64(a.x) - int64(b.x)
	}
	if a.form == constant {
		return constOf(x)
	}
	if x < -mostApart || x > mostApart {
		return value{form: unknown}
	}
	a.x = int32(x)
	return a
}

// decides goes on with the result of a comparison for each way in which two things may compare: -1 less, 0 equal, 1 greater.
func (m *machine) decides(t *thread, in *ir.Instr, way int) *thread {
	return t.gives(in, truth(map[ir.Op]bool{ir.OpEq: way == 0, ir.OpNe: way != 0, ir.OpLt: way < 0, ir.OpLe: way <= 0}[in.Op]))
}

// compare compares numbers.
func (m *machine) compare(t *thread, in *ir.Instr, a, b value) bool {
	switch {
	case a.form == constant && b.form == constant && engine.IsOrdered(in.Num, int64(a.x), int64(b.x)):
		way := 0
		if a.x < b.x {
			way = -1
		} else if a.x > b.x {
			way = 1
		}
		m.follow(m.decides(t, in, way))
	case a.form == number && b.form == number && in.Num == ir.I64:
		m.positions(t, in, [2]int{m.of(int(a.v)), m.of(int(b.v))}, int(b.x-a.x))
	default:
		m.follow(t.gives(in, null))
		m.follow(t.gives(in, truth(true)))
	}
	return false
}

// positions goes on with each way in which x(v[0]) may compare with x(v[1]) + c.
func (m *machine) positions(t *thread, in *ir.Instr, v [2]int, c int) {
	if n := m.decides(t, in, -1); n.z.learn(v[0], v[1], c-1) {
		m.follow(n)
	}
	if n := m.decides(t, in, 0); n.z.equal(v[0], v[1], c) {
		m.follow(n)
	}
	if n := m.decides(t, in, 1); n.z.learn(v[1], v[0], -c-1) {
		m.follow(n)
	}
}

// sameAddress compares two addresses, or one with nil.
func (m *machine) sameAddress(t *thread, in *ir.Instr, a, b value) bool {
	known := func(v value) bool {
		return v == null || v.form == fixed || v.form == cell || v.form == offer || v.form == private
	}
	switch {
	case !known(a) || !known(b) || in.Op != ir.OpEq && in.Op != ir.OpNe:
		return m.outside(t, "a comparison of addresses of words of the collection")
	case a.form == cell && b.form == cell && a.x == b.x:
		m.positions(t, in, [2]int{m.of(int(a.v)), m.of(int(b.v))}, 0)
	case a == b:
		m.follow(m.decides(t, in, 0))
	case a.form == offer && (b.form == offer || b.form == cell) || a.form == cell && b.form == offer: // an offer that was taken back may be in the chain now
		m.follow(m.decides(t, in, 0))
		m.follow(m.decides(t, in, 1))
	default:
		m.follow(m.decides(t, in, 1))
	}
	return false
}
