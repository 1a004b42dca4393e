// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"pangolin/internal/engine"
	"pangolin/internal/ir"
)

// compute executes an instruction on numbers. Items are not looked at: that the items of two Puts can be followed in place of all rests on it.
func (m *machine) compute(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	a := m.get(f, in.A)
	var b value
	if in.Op != ir.OpNot && in.Op != ir.OpConvert {
		b = m.get(f, in.B)
	}
	switch {
	case in.Op == ir.OpConvert && a.kind == item && in.Num == ir.I64 && ir.Num(in.N) == ir.I64:
		f.Regs[in.Dst] = a
	case a.kind == item || b.kind == item:
		return m.outside(t, "%s of items", in.Op)
	case in.Op == ir.OpNot:
		return m.decided(t, in, a.kind == unknown, a == null)
	case in.Op == ir.OpConvert:
		if in.Num != ir.I64 || ir.Num(in.N) != ir.I64 {
			if !engine.IsInteger(in.Num) || !engine.IsInteger(ir.Num(in.N)) || a.kind != constant || a.x < 0 || a.x > 127 {
				a = value{kind: unknown}
			}
		}
		f.Regs[in.Dst] = a
	case in.Op == ir.OpAdd || in.Op == ir.OpSub:
		return m.add(t, in, a, b)
	case isAddress(a) || isAddress(b):
		return m.compareAddresses(t, in, a, b)
	default:
		return m.compareNumbers(t, in, a, b)
	}
	f.PC++
	return true
}

func isAddress(v value) bool {
	return v.kind == box || v.kind == root || v.kind == array || v.kind == elem || v.kind == cell
}

// compareAddresses compares with nil. Two addresses are not compared.
func (m *machine) compareAddresses(t *thread, in *ir.Instr, a, b value) bool {
	if a != null && b != null || in.Op != ir.OpEq && in.Op != ir.OpNe {
		return m.outside(t, "a comparison of addresses")
	}
	return m.decided(t, in, false, in.Op == ir.OpNe)
}

// decided goes on with the result of a comparison; open: with both.
func (m *machine) decided(t *thread, in *ir.Instr, open, result bool) bool {
	if open {
		c := m.fork(t)
		c.set(in.Dst, truth(!result))
		c.frames.Top().PC++
	}
	t.set(in.Dst, truth(result))
	t.frames.Top().PC++
	return true
}

// compareNumbers goes on with each pair of classes that the numbers may have, and each result.
func (m *machine) compareNumbers(t *thread, in *ir.Instr, a, b value) bool {
	if a.kind == constant && b.kind == constant && engine.IsOrdered(in.Num, int64(a.x), int64(b.x)) {
		return m.decided(t, in, false, map[ir.Op]bool{ir.OpEq: a.x == b.x, ir.OpNe: a.x != b.x, ir.OpLt: a.x < b.x, ir.OpLe: a.x <= b.x}[in.Op])
	}
	as, bs := a.numbers(t.positive), b.numbers(t.positive)
	if as == nil || bs == nil || in.Num != ir.I64 {
		return m.decided(t, in, true, true)
	}
	for _, x := range as {
		for _, y := range bs {
			for _, less := range []int{-1, 0, 1} { // x is less than y, equal, greater
				one := x.x == y.x && (class(x.x) == lower || class(x.x) == higher)
				if x.x < y.x && less >= 0 || x.x > y.x && less <= 0 || one && less != 0 {
					continue
				}
				c := m.fork(t)
				c.learn(in.A, a, x, y.beside(less))
				c.learn(in.B, b, y, x.beside(-less))
				result := map[ir.Op]bool{ir.OpEq: less == 0, ir.OpNe: less != 0, ir.OpLt: less < 0, ir.OpLe: less <= 0}[in.Op]
				c.set(in.Dst, truth(result))
				c.frames.Top().PC++
			}
		}
	}
	return false
}

// beside is the bound that a number has which compares so with v: -1 it is less, 0 equal, 1 greater.
func (v value) beside(sign int) bound {
	switch {
	case sign < 0 && v.b >= upTo:
		return under
	case sign <= 0:
		return v.b
	}
	return free
}

// learn notes the bound that a comparison gives to the number x, which register r has; was is what was known of it.
func (t *thread) learn(r ir.Reg, was, x value, b bound) {
	x.b = max(x.b, b)
	if was == null && x.b == under {
		t.positive = true
	}
	t.set(r, x)
}

// add adds to a number or subtracts from it.
func (m *machine) add(t *thread, in *ir.Instr, a, b value) bool {
	f := t.frames.Top()
	if in.Op == ir.OpAdd && a.kind == constant {
		a, b = b, a
	}
	with := func(v value) bool {
		f.Regs[in.Dst] = v
		f.PC++
		return true
	}
	switch {
	case isAddress(a) || isAddress(b):
		return m.outside(t, "%s of addresses", in.Op)
	case in.Num != ir.I64 || b.kind != constant:
		return with(value{kind: unknown})
	case a.kind == constant && in.Op == ir.OpAdd:
		return with(constOf(int64(a.x) + int64(b.x)))
	case a.kind == constant:
		return with(constOf(int64(a.x) - int64(b.x)))
	}
	by := b.x
	if in.Op == ir.OpSub {
		by = -by
	}
	switch {
	case by == 0:
		return with(a)
	case a.kind == next && by == -1: // what the counter had before 1 was added
		return with(value{number, under, a.x})
	case by != 1 && by != -1:
		return with(value{kind: unknown})
	}
	list := a.numbers(t.positive)
	if list == nil {
		return with(value{kind: unknown})
	}
	for _, v := range list {
		if by > 0 && class(v.x) == above && v.b == free || by < 0 && class(v.x) == negative { // it could become too large for 64 bits
			c := m.fork(t)
			c.set(in.Dst, value{kind: unknown})
			c.frames.Top().PC++
			continue
		}
		near, b := class(v.x).follows(), free
		if v.b == under {
			b = upTo
		}
		if by < 0 {
			near, b = class(v.x).precedes(), free
			if v.b >= upTo {
				b = under
			}
		}
		for _, n := range near {
			c := m.fork(t)
			c.set(in.Dst, value{number, b, int32(n)})
			c.frames.Top().PC++
		}
	}
	return false
}
