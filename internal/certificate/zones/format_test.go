// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"math"
	"slices"
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
	numbers "pangolin/internal/vm/number"
)

// operand is a word of the machine, and a value that is true of it. A variable is that of a list, which has the integers that the variables are.
type operand struct {
	bits uint64
	word word
}

// The variables have these values. No number that is followed is near to the ends of 64 bits.
var valued = []int64{0, 1, 5, 1 << 40}

// operands are constants, and positions with a constant more.
func operands(num ir.Num) (out []operand) {
	for _, x := range []uint64{0, 1, 2, 99, 127, 128, 255, 1 << 20, 1<<20 + 1, 1<<63 - 1, 1 << 63, 1<<64 - 1, 1<<64 - 2, 1<<64 - 1<<20, math.Float64bits(2), math.Float64bits(-2), math.Float64bits(5e-324), math.Float64bits(math.NaN()),
		math.Float64bits(math.Inf(1)), uint64(math.Float32bits(1))} {
		out = append(out, operand{num.Wrap(x), constantOf(num.Wrap(x))})
	}
	if num == ir.I64 || num == ir.U64 || num == ir.Word {
		for v, x := range valued {
			for _, k := range []int{-4, -1, 0, 2, 4} {
				out = append(out, operand{uint64(x + int64(k)), word{sort: variable, n: v, k: k}})
			}
		}
	}
	return out
}

// constantOf is what the checker makes of a constant.
func constantOf(bits uint64) word {
	if x := int64(bits); x <= mostNumber && x >= -mostNumber {
		return word{n: int(x)}
	}
	return word{sort: unknown}
}

// What the machine computes of two numbers is among what the checker tries, in every format: -1 without a sign is a great number.
func TestArithmetic_KnowsFormats(t *testing.T) {
	for num := ir.Word; num <= ir.F64; num++ {
		for _, a := range operands(num) {
			for _, b := range operands(num) {
				same := a.bits == b.bits
				if num != ir.Word {
					less, most := isLess(num, a.bits, b.bits, false), isLess(num, a.bits, b.bits, true)
					same = most && isLess(num, b.bits, a.bits, true)
					tries(t, ir.Instr{Op: ir.OpLt, Num: num}, [2]operand{a, b}, bit(less))
					tries(t, ir.Instr{Op: ir.OpLe, Num: num}, [2]operand{a, b}, bit(most))
					for _, op := range []ir.Op{ir.OpAdd, ir.OpSub} {
						want, _ := numbers.Arith(op, num, a.bits, b.bits)
						tries(t, ir.Instr{Op: op, Num: num}, [2]operand{a, b}, want)
					}
				}
				tries(t, ir.Instr{Op: ir.OpEq, Num: num}, [2]operand{a, b}, bit(same))
				tries(t, ir.Instr{Op: ir.OpNe, Num: num}, [2]operand{a, b}, bit(!same))
			}
			for to := ir.I8; to <= ir.F64 && num < ir.F32 && num > ir.Word; to++ {
				w := []uint64{a.bits}
				numbers.Convert(num, to, w, w)
				tries(t, ir.Instr{Op: ir.OpConvert, Num: num, N: int32(to)}, [2]operand{a, a}, w[0])
			}
			if a.word.sort != variable {
				tries(t, ir.Instr{Op: ir.OpNot}, [2]operand{a, a}, bit(a.bits == 0))
			}
		}
	}
	zero, hundred := operand{}, operand{100, word{n: 100}}
	tries(t, ir.Instr{Op: ir.OpEq, Num: ir.C128}, [2]operand{zero, zero}, 0) // the second words differ
	tries(t, ir.Instr{Op: ir.OpConvert, Num: ir.F64, N: int32(ir.I64)}, [2]operand{hundred, hundred}, 0)
	tries(t, ir.Instr{Op: ir.OpEq, Num: ir.Str}, [2]operand{{1, word{n: 1}}, {2, word{n: 2}}}, 1)
}

func bit(yes bool) uint64 {
	if yes {
		return 1
	}
	return 0
}

// tries executes an instruction, and fails unless an execution of it gives a word, and notes nothing of the variables that is not so.
func tries(t *testing.T, in ir.Instr, of [2]operand, want uint64) {
	t.Helper()
	in.Dst, in.A, in.B = 2, 0, 1
	c := &checker{s: &subject.Subject{Prog: &ir.Program{}}}
	found := false
	err := c.executions(func() (*thread, error) {
		th := &thread{calls: []call{{&ir.Func{}, 0, map[ir.Reg]word{0: of[0].word, 1: of[1].word}}}}
		for range valued {
			th.fresh()
		}
		return th, c.arithmetic(th, &th.calls[0], &in)
	}, func(th *thread) error {
		w := th.calls[0].regs[2]
		is := w.sort == unknown || w.sort == number && w.n == int(int64(want)) || w.sort == variable && uint64(valued[w.n]+int64(w.k)) == want
		untrue := slices.ContainsFunc(th.list, func(b bound) bool { return valued[b.a] > valued[b.b]+int64(b.c) })
		found = found || is && !untrue
		return nil
	})
	if err != nil || !found {
		t.Errorf("%v from format %d to %d of %v: no execution gives %#x (%v)", in.Op, in.Num, in.N, of, want, err)
	}
}

// isLess says whether a is less than b in a format, or with orEqual at most as much.
func isLess(num ir.Num, a, b uint64, orEqual bool) bool {
	switch {
	case num >= ir.F32:
		return numbers.Less(num, a, b, orEqual)
	case num.Signed():
		return int64(a) < int64(b) || orEqual && a == b
	}
	return a < b || orEqual && a == b
}

// Items are not looked at: they are neither compared, nor computed with, nor conditions, nor converted but to what an int is. Neither are addresses.
func TestArithmetic_RefusesItemsAndAddresses(t *testing.T) {
	one, position := word{n: 1}, word{sort: variable}
	for _, w := range []word{{sort: itemOwn}, {sort: itemCell}, {sort: itemOffer}, {sort: root}, {sort: element}, {sort: constant}, {sort: cell}, {sort: offer}, {sort: private}} {
		for _, in := range []ir.Instr{{Op: ir.OpEq, Num: ir.I64}, {Op: ir.OpNe}, {Op: ir.OpLt, Num: ir.I64}, {Op: ir.OpLe, Num: ir.U64}, {Op: ir.OpAdd, Num: ir.I64}, {Op: ir.OpSub, Num: ir.I64}, {Op: ir.OpNot},
			{Op: ir.OpConvert, Num: ir.I64, N: int32(ir.I32)}, {Op: ir.OpConvert, Num: ir.I64, N: int32(ir.U64)}, {Op: ir.OpConvert, Num: ir.I64, N: int32(ir.F64)}} {
			for _, other := range []word{one, position, {sort: unknown}} {
				c := &checker{s: &subject.Subject{Prog: &ir.Program{}}}
				th := &thread{calls: []call{{&ir.Func{}, 0, map[ir.Reg]word{0: w, 1: other}}}}
				th.fresh()
				in.Dst, in.A, in.B = 2, 0, 1
				if err := c.arithmetic(th, &th.calls[0], &in); !refuses(err) {
					t.Errorf("%v of %v and %v: %v", in.Op, w, other, err)
				}
			}
		}
	}
	c := &checker{s: &subject.Subject{Prog: &ir.Program{}}}
	th := &thread{calls: []call{{&ir.Func{}, 0, map[ir.Reg]word{0: {sort: itemOwn}}}}}
	if err := c.arithmetic(th, &th.calls[0], &ir.Instr{Op: ir.OpConvert, Num: ir.I64, N: int32(ir.I64), Dst: 1}); err != nil || th.calls[0].regs[1] != (word{sort: itemOwn}) {
		t.Errorf("an item as an int: %v", err)
	}
	if _, err := c.truth(th, position); !refuses(err) {
		t.Errorf("a position is a condition: %v", err)
	}
}
