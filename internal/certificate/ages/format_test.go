// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"math"
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
	numbers "pangolin/internal/vm/number"
)

// What the machine computes of two constants is among what the checker tries, in every format: -1 without a sign is a great number.
func TestArithmetic_KnowsFormats(t *testing.T) {
	words := []uint64{0, 1, 2, 99, 127, 128, 255, 1 << 20, 1<<20 + 1, 1<<63 - 1, 1 << 63, 1<<64 - 1, 1<<64 - 2, 1<<64 - 1<<20, math.Float64bits(2), math.Float64bits(-2), math.Float64bits(5e-324), math.Float64bits(math.NaN()), math.Float64bits(math.Inf(1)), uint64(math.Float32bits(1))}
	for num := ir.I8; num <= ir.F64; num++ {
		for _, a := range words {
			a := num.Wrap(a)
			for _, b := range words {
				b := num.Wrap(b)
				less, most := isLess(num, a, b, false), isLess(num, a, b, true)
				same := isLess(num, a, b, true) && isLess(num, b, a, true)
				for op, yes := range map[ir.Op]bool{ir.OpLt: less, ir.OpLe: most, ir.OpEq: same, ir.OpNe: !same} {
					want := uint64(0)
					if yes {
						want = 1
					}
					tries(t, ir.Instr{Op: op, Num: num}, [2]uint64{a, b}, want)
				}
				for _, op := range []ir.Op{ir.OpAdd, ir.OpSub} {
					second := b
					if op == ir.OpSub && num < ir.F32 {
						second = -b
					} else if op == ir.OpSub {
						continue
					}
					want, _ := numbers.Arith(ir.OpAdd, num, a, second)
					tries(t, ir.Instr{Op: op, Num: num}, [2]uint64{a, b}, want)
				}
			}
			for to := ir.I8; to <= ir.F64 && num < ir.F32; to++ {
				w := []uint64{a}
				numbers.Convert(num, to, w, w)
				tries(t, ir.Instr{Op: ir.OpConvert, Num: num, N: int32(to)}, [2]uint64{a}, w[0])
			}
			want := uint64(0)
			if a == 0 {
				want = 1
			}
			tries(t, ir.Instr{Op: ir.OpNot}, [2]uint64{a}, want)
		}
	}
	tries(t, ir.Instr{Op: ir.OpEq, Num: ir.C128}, [2]uint64{}, 0) // the second words differ
	tries(t, ir.Instr{Op: ir.OpConvert, Num: ir.F64, N: int32(ir.I64)}, [2]uint64{100}, 0)
	tries(t, ir.Instr{Op: ir.OpEq, Num: ir.Str}, [2]uint64{1, 2}, 1)
}

// tries executes an instruction on constants, and fails unless an execution of it gives a word.
func tries(t *testing.T, in ir.Instr, operands [2]uint64, want uint64) {
	t.Helper()
	in.Dst, in.A, in.B = 0, ir.Const(0), ir.Const(1)
	c := &checker{s: &subject.Subject{Prog: &ir.Program{Consts: operands[:], ConstKinds: []ir.Kind{ir.Scalar, ir.Scalar}}}}
	found := false
	err := c.executions(func() (*thread, error) {
		th := &thread{calls: []call{{&ir.Func{}, 0, map[ir.Reg]word{}}}}
		return th, c.arithmetic(th, &th.calls[0], &in)
	}, func(th *thread) error {
		w := th.calls[0].regs[0]
		found = found || w.sort == unknown || w == word{n: int(want)}
		return nil
	})
	if err != nil || !found {
		t.Errorf("%v from format %d to %d of %#x: no execution gives %#x (%v)", in.Op, in.Num, in.N, operands, want, err)
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

// Each value is read as it is written, and nothing else is a value.
func TestRead_ReadsWhatIsWritten(t *testing.T) {
	for _, text := range []string{"0", "-5", "7", "?", "item k", "item other", "word", "cell 1.2", "private 0.1"} {
		if w, err := read(text); err != nil || w.String() != text {
			t.Errorf("%q is read as %v (%v)", text, w, err)
		}
	}
	for _, text := range []string{"", "+1", "01", "1.5", "item", "item  k", "item 3", "word 0", "cell", "cell 1", "cell 1.2.3", "cell -1.0", "cell 1.-1", "cell x.y", "private 0.01", "none", "9223372036854775808"} {
		if w, err := read(text); err == nil {
			t.Errorf("%q is read as %v", text, w)
		}
	}
}
