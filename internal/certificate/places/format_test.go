// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"math"
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
	numbers "pangolin/internal/vm/number"
)

// What the machine computes of two constants is among what the checker tries, in every format: -1 without a sign is a great number.
func TestArithmetic_KnowsFormats(t *testing.T) {
	near := tryNumbers()
	words := []uint64{0, 1, 2, 99, 127, 255, 1<<64 - 1, 1<<64 - 2, math.Float64bits(2), math.Float64bits(-2), math.Float64bits(math.Inf(1)), uint64(math.Float32bits(1))}
	for num := ir.I8; num <= ir.F64; num++ {
		for _, a := range words {
			a := num.Wrap(a)
			for _, b := range words {
				b := num.Wrap(b)
				less, most := isLess(num, a, b, false), isLess(num, a, b, true)
				for op, yes := range map[ir.Op]bool{ir.OpLt: less, ir.OpLe: most, ir.OpEq: most && !less, ir.OpNe: less || !most} {
					want := uint64(0)
					if yes {
						want = 1
					}
					tries(t, near, ir.Instr{Op: op, Num: num}, a, b, want)
				}
			}
			for to := ir.I8; to <= ir.F64 && num < ir.F32; to++ {
				w := []uint64{a}
				numbers.Convert(num, to, w, w)
				tries(t, near, ir.Instr{Op: ir.OpConvert, Num: num, N: int32(to)}, a, 0, w[0])
			}
		}
	}
	tries(t, near, ir.Instr{Op: ir.OpEq, Num: ir.C128}, 0, 0, 0) // the second words differ
	tries(t, near, ir.Instr{Op: ir.OpConvert, Num: ir.F64, N: int32(ir.I64)}, 100, 0, 0)
}

// tries executes an instruction on constants, and fails unless an execution of it gives a word.
func tries(t *testing.T, near *near, in ir.Instr, a, b, want uint64) {
	t.Helper()
	in.Dst, in.A, in.B = 0, ir.Const(0), ir.Const(1)
	c := &checker{near: near, s: &subject.Subject{Prog: &ir.Program{Consts: []uint64{a, b}, ConstKinds: []ir.Kind{ir.Scalar, ir.Scalar}}}}
	found := false
	err := c.executions(func() (*thread, error) {
		th := &thread{calls: []call{{&ir.Func{}, 0, map[ir.Reg]word{}}}}
		return th, c.arithmetic(th, &th.calls[0], &in)
	}, func(th *thread) error {
		w := th.calls[0].regs[0]
		found = found || w.sort == "?" || w == word{n: int(want)}
		return nil
	})
	if err != nil || !found {
		t.Errorf("%v from format %d to %d of %#x and %#x: no execution gives %#x (%v)", in.Op, in.Num, in.N, a, b, want, err)
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
