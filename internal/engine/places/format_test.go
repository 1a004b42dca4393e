// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"math"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
	numbers "pangolin/internal/vm/number"
)

// words are constants as programs have them, by the bits: small numbers with and without a sign, and floats, of which two look like small numbers.
var words = []uint64{0, 1, 3, 100, 127, 128, 1<<64 - 1, 1<<64 - 3, math.Float64bits(1), math.Float64bits(-1), math.Float64bits(math.NaN()), uint64(math.Float32bits(2))}

// What the machine computes of two constants is among what the engine goes on with, in every format: -1 without a sign is a great number.
func TestCompute_KnowsFormats(t *testing.T) {
	for num := ir.I8; num <= ir.C128; num++ {
		for _, a := range words {
			for _, b := range words {
				a, b := num.Wrap(a), num.Wrap(b)
				if numbers.Words(num) == 1 {
					less, same := isLess(num, a, b, false), isLess(num, a, b, true) && isLess(num, b, a, true)
					for op, want := range map[ir.Op]bool{ir.OpLt: less, ir.OpLe: less || same, ir.OpEq: same, ir.OpNe: !same} {
						admits(t, ir.Instr{Op: op, Num: num}, a, b, map[bool]uint64{true: 1}[want])
					}
				}
				if num < ir.F32 {
					for to := ir.I8; to <= ir.F64; to++ {
						w := []uint64{a}
						numbers.Convert(num, to, w, w)
						admits(t, ir.Instr{Op: ir.OpConvert, Num: num, N: int32(to)}, a, 0, w[0])
					}
				}
			}
		}
	}
	// Of two words each, of which the second ones differ.
	admits(t, ir.Instr{Op: ir.OpEq, Num: ir.C128}, 0, 0, 0)
	admits(t, ir.Instr{Op: ir.OpConvert, Num: ir.F64, N: int32(ir.I64)}, 100, 0, 0)
}

// admits executes an instruction on constants, and fails unless a thread goes on with a word.
func admits(t *testing.T, in ir.Instr, a, b, want uint64) {
	t.Helper()
	in.Dst, in.A, in.B = 0, ir.Const(0), ir.Const(1)
	fn := &ir.Func{Code: []ir.Instr{in}, NumRegs: 1}
	m := newMachine(&program{prog: &ir.Program{Consts: []uint64{a, b}, ConstKinds: []ir.Kind{ir.Scalar, ir.Scalar}}})
	th := &thread{local: local{frames: engine.NewFrames[value](fn)}}
	if m.compute(th, th.frames.Top(), &in) {
		m.work = append(m.work, th)
	}
	for _, th := range m.work {
		if v := th.frames.Top().Regs[0]; v.kind == unknown || v == constOf(int64(want)) {
			return
		}
	}
	t.Errorf("%v from format %d to %d of %#x and %#x: no thread goes on with %#x", in.Op, in.Num, in.N, a, b, want)
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
