// SPDX-License-Identifier: BSD-3-Clause

package number

import (
	"math"
	"testing"

	"pangolin/internal/ir"
)

// interesting are values at which formats and operations differ.
func interesting() []uint64 {
	return []uint64{0, 1, 2, 3, 7, 63, 64, 65, 127, 128, 255, 256, 1 << 31, 1<<31 - 1, 1 << 32, 1 << 62, 1 << 63, 1<<63 - 1,
		math.MaxUint64, math.MaxUint64 - 1}
}

func TestArith_IsThatOfGo(t *testing.T) {
	ops := []struct {
		op  ir.Op
		i32 func(a, b int32) int32
		u8  func(a, b uint8) uint8
	}{
		{ir.OpAdd, func(a, b int32) int32 { return a + b }, func(a, b uint8) uint8 { return a + b }},
		{ir.OpSub, func(a, b int32) int32 { return a - b }, func(a, b uint8) uint8 { return a - b }},
		{ir.OpMul, func(a, b int32) int32 { return a * b }, func(a, b uint8) uint8 { return a * b }},
		{ir.OpDiv, func(a, b int32) int32 { return a / b }, func(a, b uint8) uint8 { return a / b }},
		{ir.OpRem, func(a, b int32) int32 { return a % b }, func(a, b uint8) uint8 { return a % b }},
		{ir.OpAnd, func(a, b int32) int32 { return a & b }, func(a, b uint8) uint8 { return a & b }},
		{ir.OpOr, func(a, b int32) int32 { return a | b }, func(a, b uint8) uint8 { return a | b }},
		{ir.OpXor, func(a, b int32) int32 { return a ^ b }, func(a, b uint8) uint8 { return a ^ b }},
		{ir.OpAndNot, func(a, b int32) int32 { return a &^ b }, func(a, b uint8) uint8 { return a &^ b }},
		{ir.OpNeg, func(a, _ int32) int32 { return -a }, func(a, _ uint8) uint8 { return -a }},
		{ir.OpCompl, func(a, _ int32) int32 { return ^a }, func(a, _ uint8) uint8 { return ^a }},
	}
	for _, tc := range ops {
		for _, a := range interesting() {
			for _, b := range interesting() {
				divides := tc.op == ir.OpDiv || tc.op == ir.OpRem
				x, y := int32(a), int32(b)
				got, ok := Arith(tc.op, ir.I32, uint64(int64(x)), uint64(int64(y)))
				if zero := divides && y == 0; ok == zero {
					t.Errorf("%v of %d and %d: ok is %v", tc.op, x, y, ok)
				} else if !zero && got != uint64(int64(tc.i32(x, y))) {
					t.Errorf("%v of %d and %d is %d", tc.op, x, y, int64(got))
				}
				v, w := uint8(a), uint8(b)
				if divides && w == 0 {
					continue
				}
				if got, _ := Arith(tc.op, ir.U8, uint64(v), uint64(w)); got != uint64(tc.u8(v, w)) {
					t.Errorf("%v of %d and %d is %d", tc.op, v, w, got)
				}
			}
		}
	}
}

func TestShift_IsThatOfGo(t *testing.T) {
	for _, a := range interesting() {
		for _, n := range interesting() {
			if got := Shift(ir.OpShl, ir.U64, a, n); got != a<<n {
				t.Errorf("%d << %d is %d", a, n, got)
			}
			if got := Shift(ir.OpShr, ir.I64, a, n); got != uint64(int64(a)>>n) {
				t.Errorf("%d >> %d is %d", int64(a), n, int64(got))
			}
			if x := int8(a); Shift(ir.OpShl, ir.I8, uint64(int64(x)), n) != uint64(int64(x<<n)) {
				t.Errorf("%d << %d differs", x, n)
			}
		}
	}
}

func TestFloats_KeepTheirPrecision(t *testing.T) {
	a, b := float32(0.1), float32(0.2)
	got, _ := Arith(ir.OpAdd, ir.F32, uint64(math.Float32bits(a)), uint64(math.Float32bits(b)))
	if got != uint64(math.Float32bits(a+b)) {
		t.Errorf("0.1+0.2 in 32 bits is %v", math.Float32frombits(uint32(got)))
	}
	nan := math.Float64bits(math.NaN())
	if Less(ir.F64, nan, nan, true) || Less(ir.F64, nan, 0, false) || !Less(ir.F64, 0, 0, true) || Less(ir.F64, 0, 0, false) {
		t.Error("a NaN is less than nothing, and zero is not less than itself")
	}
	c := complex64(complex(1e20, 3))
	w := make([]uint64, 2)
	SetComplex(ir.C64, w, ComplexArith(ir.OpMul, ir.C64, complex128(c), complex128(c)))
	if Complex(ir.C64, w) != complex128(c*c) {
		t.Errorf("a square of complex64 is %v, want %v", Complex(ir.C64, w), c*c)
	}
}

func TestConvert_IsThatOfGo(t *testing.T) {
	dst := make([]uint64, 2)
	one := func(from, to ir.Num, w uint64) uint64 {
		Convert(from, to, []uint64{w, 0}, dst)
		return dst[0]
	}
	minus := ^uint64(0)
	tests := []struct {
		name      string
		got, want uint64
	}{
		{"int to int8", one(ir.I64, ir.I8, 200), uint64(200 - 256 + 1<<64 - 1 + 1)},
		{"-1 to uint16", one(ir.I64, ir.U16, minus), math.MaxUint16},
		{"-1 to float64", one(ir.I64, ir.F64, minus), math.Float64bits(-1)},
		{"the largest uint64 to float32", one(ir.U64, ir.F32, minus), uint64(math.Float32bits(float32(uint64(math.MaxUint64))))},
		{"2.9 to int", one(ir.F64, ir.I64, math.Float64bits(2.9)), 2},
		{"-2.9 to int32", one(ir.F64, ir.I32, math.Float64bits(-2.9)), minus - 1},
		{"0.1 to float32", one(ir.F64, ir.F32, math.Float64bits(0.1)), uint64(math.Float32bits(0.1))},
	}
	for _, tc := range tests {
		if tc.got != tc.want {
			t.Errorf("%s: %#x, want %#x", tc.name, tc.got, tc.want)
		}
	}
}

// Fits is the specification's "if the result type cannot represent the value", of each type at its ends.
func TestFits_IsWhatTheSpecificationFixes(t *testing.T) {
	for _, tc := range []struct {
		to   ir.Num
		x    float64
		want bool
	}{
		{ir.I8, 127.9, true}, {ir.I8, 128, false}, {ir.I8, -128.9, true}, {ir.I8, -129, false},
		{ir.U8, 255.5, true}, {ir.U8, 256, false}, {ir.U8, -0.9, true}, {ir.U8, -1, false},
		{ir.I32, math.MaxInt32, true}, {ir.I32, 1 << 31, false}, {ir.U32, math.MaxUint32, true}, {ir.U32, 1 << 32, false},
		{ir.I64, -1 << 63, true}, {ir.I64, 1 << 63, false}, {ir.U64, 1 << 63, true}, {ir.U64, 1 << 64, false},
		{ir.I64, math.NaN(), false}, {ir.U64, math.Inf(1), false}, {ir.F32, 1e300, true}, {ir.F64, math.NaN(), true},
	} {
		if got := Fits(ir.F64, tc.to, []uint64{math.Float64bits(tc.x)}); got != tc.want {
			t.Errorf("%v to %v: %v", tc.x, tc.to, got)
		}
	}
	if Fits(ir.F32, ir.I8, []uint64{uint64(math.Float32bits(200))}) || !Fits(ir.I64, ir.I8, []uint64{200}) {
		t.Error("a float32 of 200 does not fit int8; an integer is cut off")
	}
}
