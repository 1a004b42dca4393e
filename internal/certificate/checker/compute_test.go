// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"testing"

	"pangolin/internal/certificate"
	"pangolin/internal/ir"
)

// Comparisons and arithmetic of abstract words, against those of all numbers that the words stand for.

func item(class certificate.Class) word { return word{Form: certificate.Item, N: class} }

// values lists numbers that an abstract word stands for, where k is 50 and j is 70.
func values(w word, ordered bool) []int64 {
	switch {
	case known(w):
		return []int64{int64(w.N)}
	case w == top:
		return []int64{-3, 0, 1, 2, 50, 51, 70}
	case w == item(certificate.Below):
		return []int64{48, 49}
	case w == item(certificate.Equal):
		return []int64{50}
	case w == item(certificate.Above) && ordered:
		return []int64{51, 52}
	case w == item(certificate.Above): // without an order: all others
		return []int64{48, 49, 51, 52}
	case w == item(certificate.EqualJ):
		return []int64{70}
	}
	return []int64{68, 71}
}

// A comparison is decided only if all values that the words stand for agree on it.
func TestCompare_CoversAllValues(t *testing.T) {
	for _, ordered := range []bool{true, false} {
		c := &Checker{ordered: ordered}
		words := []word{number(-2), zero, number(1), number(50), top, item(certificate.Equal), item(certificate.Above), item(certificate.EqualJ), item(certificate.OtherJ)}
		if ordered {
			words = append(words, item(certificate.Below))
		}
		certain := 0
		for _, a := range words {
			for _, b := range words {
				if isItem(a) != isItem(b) && a != top && b != top {
					continue // items are no numbers that code computes
				}
				if isItem(a) && isItem(b) && a.OfJ() != b.OfJ() {
					continue // never compared with each other
				}
				for op, holds := range map[ir.Op]func(x, y int64) bool{
					ir.OpEq: func(x, y int64) bool { return x == y },
					ir.OpLt: func(x, y int64) bool { return x < y },
					ir.OpLe: func(x, y int64) bool { return x <= y },
				} {
					if op != ir.OpEq && (a.OfJ() || b.OfJ()) {
						continue // j has no order
					}
					got, ok := same(ir.I64, a, b)
					if op != ir.OpEq {
						got, ok = c.before(&ir.Instr{Op: op, Num: ir.I64}, a, b)
					}
					if !ok || got == top {
						continue
					}
					certain++
					for _, x := range values(a, ordered) {
						for _, y := range values(b, ordered) {
							if truth(holds(x, y)) != got {
								t.Errorf("%v %s %v is %v (ordered: %v), but not of %d and %d", a, op, b, got, ordered, x, y)
							}
						}
					}
				}
			}
		}
		if certain < 40 {
			t.Errorf("only %d comparisons are decided", certain)
		}
	}
}

// What is decided: an item below k is less than k and than all above, and k is k.
func TestCompare_DecidesByClasses(t *testing.T) {
	c := &Checker{ordered: true}
	below, equal, above := item(certificate.Below), item(certificate.Equal), item(certificate.Above)
	for _, x := range []struct {
		op   ir.Op
		a, b word
		want word
	}{
		{ir.OpLt, below, equal, number(1)},
		{ir.OpLt, below, above, number(1)},
		{ir.OpLt, above, equal, zero},
		{ir.OpLt, equal, equal, zero},
		{ir.OpLe, equal, equal, number(1)},
		{ir.OpLt, above, above, top},
		{ir.OpEq, equal, equal, number(1)},
		{ir.OpEq, equal, above, zero},
		{ir.OpEq, above, above, top},
		{ir.OpEq, number(3), number(3), number(1)},
		{ir.OpLt, number(-1), zero, number(1)},
		{ir.OpEq, number(3), top, top},
	} {
		got, ok := same(ir.I64, x.a, x.b)
		if x.op != ir.OpEq {
			got, ok = c.before(&ir.Instr{Op: x.op, Num: ir.I64}, x.a, x.b)
		}
		if got != x.want || !ok {
			t.Errorf("%v %s %v is %v, %v; want %v", x.a, x.op, x.b, got, ok, x.want)
		}
	}
	if _, ok := same(ir.I8, equal, equal); ok {
		t.Error("items are compared as numbers of 8 bits, in which different ones may be equal")
	}
}

// Arithmetic is Go's, of known numbers that are not too large.
func TestCalculated_IsGos(t *testing.T) {
	byte8 := map[ir.Op]func(x, y int8) int8{
		ir.OpAdd: func(x, y int8) int8 { return x + y }, ir.OpSub: func(x, y int8) int8 { return x - y }, ir.OpMul: func(x, y int8) int8 { return x * y },
		ir.OpAnd: func(x, y int8) int8 { return x & y }, ir.OpOr: func(x, y int8) int8 { return x | y }, ir.OpXor: func(x, y int8) int8 { return x ^ y },
		ir.OpAndNot: func(x, y int8) int8 { return x &^ y }, ir.OpNeg: func(x, y int8) int8 { return -x }, ir.OpCompl: func(x, y int8) int8 { return ^x },
	}
	for op, f := range byte8 {
		for x := -128; x < 128; x += 3 {
			for y := -128; y < 128; y += 5 {
				if got, want := calculated(op, ir.I8, number(int32(x)), number(int32(y))), number(int32(f(int8(x), int8(y)))); got != want {
					t.Fatalf("%d %s %d is %v, want %v", x, op, y, got, want)
				}
			}
		}
		for _, w := range []word{top, item(certificate.Equal)} {
			if got := calculated(op, ir.I8, w, number(1)); got != top {
				t.Errorf("%s of %v is %v, which nobody knows", op, w, got)
			}
		}
	}
	if got := calculated(ir.OpAdd, ir.I64, number(mostCounted), number(1)); got != top {
		t.Errorf("a counter beyond %d is %v: views would never end", mostCounted, got)
	}
	if got := calculated(ir.OpSub, ir.U8, zero, number(1)); got != number(255) {
		t.Errorf("uint8(0) - 1 is %v", got)
	}
}
