// SPDX-License-Identifier: BSD-3-Clause

// Package number computes with the words in which the machine holds numbers: integers
// by their bits, floats by theirs, a complex number as two floats.
//
// It takes words and their format (ir.Num) and gives words, as compiled Go code would
// on this machine's processor. It knows no memory, no threads and no instructions
// beyond their codes.
package number

import (
	"math"

	"pangolin/internal/ir"
)

// Float is the float that a word of a float type, or half of a complex one, holds.
func Float(t *ir.Type, w uint64) float64 {
	if t.Class == ir.Float32 || t.Class == ir.Complex64 {
		return float64(math.Float32frombits(uint32(w)))
	}
	return math.Float64frombits(w)
}

// Arith computes an arithmetic instruction on words of any format that takes one
// word; ok is false for a division by zero.
func Arith(op ir.Op, num ir.Num, a, b uint64) (x uint64, ok bool) {
	switch num {
	case ir.F32:
		return uint64(math.Float32bits(float(op, math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))))), true
	case ir.F64:
		return math.Float64bits(float(op, math.Float64frombits(a), math.Float64frombits(b))), true
	}
	x, ok = integer(op, num, a, b)
	return num.Wrap(x), ok
}

// float computes in the operands' own precision.
func float[F float32 | float64](op ir.Op, a, b F) F {
	switch op {
	case ir.OpAdd:
		return a + b
	case ir.OpSub:
		return a - b
	case ir.OpMul:
		return a * b
	case ir.OpDiv:
		return a / b
	default:
		return -a
	}
}

func integer(op ir.Op, num ir.Num, a, b uint64) (x uint64, ok bool) {
	switch op {
	case ir.OpMul:
		return a * b, true
	case ir.OpDiv, ir.OpRem:
		return divide(op, num, a, b)
	case ir.OpAnd:
		return a & b, true
	case ir.OpOr:
		return a | b, true
	case ir.OpXor:
		return a ^ b, true
	case ir.OpAndNot:
		return a &^ b, true
	case ir.OpNeg:
		return -a, true
	case ir.OpCompl:
		return ^a, true
	case ir.OpAdd:
		return a + b, true
	default: // OpSub
		return a - b, true
	}
}

func divide(op ir.Op, num ir.Num, a, b uint64) (x uint64, ok bool) {
	switch {
	case b == 0:
		return 0, false
	case num.Signed() && int64(b) == -1: // the one quotient that overflows
		if op == ir.OpDiv {
			return -a, true
		}
		return 0, true
	case num.Signed() && op == ir.OpDiv:
		return uint64(int64(a) / int64(b)), true
	case num.Signed():
		return uint64(int64(a) % int64(b)), true
	case op == ir.OpDiv:
		return a / b, true
	default:
		return a % b, true
	}
}

// Shift shifts a by n, OpShl or OpShr; n is not negative.
func Shift(op ir.Op, num ir.Num, a, n uint64) uint64 {
	n = min(n, 64)
	var x uint64
	switch {
	case op == ir.OpShl:
		x = a << n
	case num.Signed():
		x = uint64(int64(a) >> n)
	default:
		x = a >> n
	}
	return num.Wrap(x)
}

// Words is how many words a number takes.
func Words(num ir.Num) int {
	if num == ir.C64 || num == ir.C128 {
		return 2
	}
	return 1
}

// Complex reads a number of a float or complex format.
func Complex(num ir.Num, w []uint64) complex128 {
	switch num {
	case ir.F32:
		return complex(float64(math.Float32frombits(uint32(w[0]))), 0)
	case ir.F64:
		return complex(math.Float64frombits(w[0]), 0)
	case ir.C64:
		return complex(float64(math.Float32frombits(uint32(w[0]))), float64(math.Float32frombits(uint32(w[1]))))
	default:
		return complex(math.Float64frombits(w[0]), math.Float64frombits(w[1]))
	}
}

// SetComplex writes a complex number in format C64 or C128.
func SetComplex(num ir.Num, dst []uint64, c complex128) {
	if num == ir.C64 {
		dst[0] = uint64(math.Float32bits(float32(real(c))))
		dst[1] = uint64(math.Float32bits(float32(imag(c))))
		return
	}
	dst[0], dst[1] = math.Float64bits(real(c)), math.Float64bits(imag(c))
}

// ComplexArith computes an arithmetic instruction on complex numbers; b is not
// looked at by OpNeg.
func ComplexArith(op ir.Op, num ir.Num, a, b complex128) complex128 {
	switch {
	case op == ir.OpNeg:
		return -a
	case op == ir.OpAdd:
		return a + b
	case op == ir.OpSub:
		return a - b
	case op == ir.OpMul && num == ir.C64: // in the operands' precision, as compiled code does
		return complex128(complex64(a) * complex64(b))
	case op == ir.OpMul:
		return a * b
	default:
		return a / b
	}
}

// Less decides OpLt, or with orEqual OpLe, for floats.
func Less(num ir.Num, a, b uint64, orEqual bool) bool {
	if num == ir.F32 {
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		return x < y || orEqual && x == y
	}
	x, y := math.Float64frombits(a), math.Float64frombits(b)
	return x < y || orEqual && x == y
}

// Convert converts a number of one format to another one.
func Convert(from, to ir.Num, w, dst []uint64) {
	a := w[0]
	switch {
	case from >= ir.C64:
		SetComplex(to, dst, Complex(from, w))
	case from >= ir.F32:
		dst[0] = fromFloat(real(Complex(from, w)), to)
	case to == ir.F32 && from.Signed():
		dst[0] = uint64(math.Float32bits(float32(int64(a))))
	case to == ir.F32:
		dst[0] = uint64(math.Float32bits(float32(a)))
	case to == ir.F64 && from.Signed():
		dst[0] = math.Float64bits(float64(int64(a)))
	case to == ir.F64:
		dst[0] = math.Float64bits(float64(a))
	default:
		dst[0] = to.Wrap(a)
	}
}

// fromFloat converts a float to format to. Go leaves open what comes of a value that does not fit: it is what gc's code gives on
// amd64, whatever processor this runs on. There int32(x) is one instruction, which gives -1<<31 for what does not fit, smaller types
// are cut out of that, and uint32(x) is cut out of int64(x).
func fromFloat(x float64, to ir.Num) uint64 {
	const half = 1 << 63
	switch to {
	case ir.F32:
		return uint64(math.Float32bits(float32(x)))
	case ir.F64:
		return math.Float64bits(x)
	case ir.U64:
		if x < half {
			return uint64(truncated(x, 63))
		}
		return uint64(truncated(x-half, 63)) | half
	case ir.I64, ir.U32:
		return to.Wrap(uint64(truncated(x, 63)))
	default:
		return to.Wrap(uint64(truncated(x, 31)))
	}
}

// Fits says that the result of a conversion is fixed by Go: an integer that is made of a float holds the float's whole part.
func Fits(from, to ir.Num, w []uint64) bool {
	if from != ir.F32 && from != ir.F64 || to >= ir.F32 {
		return true
	}
	whole := math.Trunc(real(Complex(from, w)))
	if to.Signed() {
		limit := math.Ldexp(1, int(to.Bits())-1)
		return whole >= -limit && whole < limit
	}
	return whole >= 0 && whole < math.Ldexp(1, int(to.Bits()))
}

// truncated is the whole part of x, or the smallest number of bits and a sign if that does not fit.
func truncated(x float64, bits int) int64 {
	limit := math.Ldexp(1, bits)
	if whole := math.Trunc(x); whole >= -limit && whole < limit {
		return int64(whole)
	}
	return -1 << bits
}
