package vm

import (
	"math"

	"pangolin/internal/ir"
)

// floatOp computes in the operands' own precision.
func floatOp[F float32 | float64](op ir.Op, a, b F) F {
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

// number reads an operand of a float or complex format.
func (m *Machine) number(num ir.Num, regs []uint64, r ir.Reg) complex128 {
	consts := m.img.Prog.Consts
	switch num {
	case ir.F32:
		return complex(float64(math.Float32frombits(uint32(value(regs, consts, r)))), 0)
	case ir.F64:
		return complex(math.Float64frombits(value(regs, consts, r)), 0)
	case ir.C64:
		w := values(regs, consts, r, 2)
		return complex(float64(math.Float32frombits(uint32(w[0]))), float64(math.Float32frombits(uint32(w[1]))))
	default:
		w := values(regs, consts, r, 2)
		return complex(math.Float64frombits(w[0]), math.Float64frombits(w[1]))
	}
}

// setComplex writes a complex number in format C64 or C128.
func setComplex(num ir.Num, dst []uint64, c complex128) {
	if num == ir.C64 {
		dst[0] = uint64(math.Float32bits(float32(real(c))))
		dst[1] = uint64(math.Float32bits(float32(imag(c))))
		return
	}
	dst[0], dst[1] = math.Float64bits(real(c)), math.Float64bits(imag(c))
}

func (m *Machine) complexArith(in *ir.Instr, regs []uint64) {
	a := m.number(in.Num, regs, in.A)
	var c complex128
	switch in.Op {
	case ir.OpNeg:
		c = -a
	case ir.OpAdd:
		c = a + m.number(in.Num, regs, in.B)
	case ir.OpSub:
		c = a - m.number(in.Num, regs, in.B)
	case ir.OpMul:
		c = m.complexMul(in, a, m.number(in.Num, regs, in.B))
	default:
		c = a / m.number(in.Num, regs, in.B)
	}
	setComplex(in.Num, regs[in.Dst:], c)
}

// complexMul multiplies in the operands' precision, as compiled code does.
func (m *Machine) complexMul(in *ir.Instr, a, b complex128) complex128 {
	if in.Num == ir.C64 {
		return complex128(complex64(a) * complex64(b))
	}
	return a * b
}

func (m *Machine) floatEq(in *ir.Instr, regs []uint64) bool {
	return m.number(in.Num, regs, in.A) == m.number(in.Num, regs, in.B)
}

// less decides OpLt and OpLe for floats and strings.
func (m *Machine) less(in *ir.Instr, a, b uint64) bool {
	le := in.Op == ir.OpLe
	switch in.Num {
	case ir.F32:
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		return x < y || le && x == y
	case ir.F64:
		x, y := math.Float64frombits(a), math.Float64frombits(b)
		return x < y || le && x == y
	default:
		x, y := m.Text(a), m.Text(b)
		return x < y || le && x == y
	}
}

func (m *Machine) convert(in *ir.Instr, regs []uint64) {
	from, to := in.Num, ir.Num(in.N)
	a := value(regs, m.img.Prog.Consts, in.A)
	dst := regs[in.Dst:]
	switch {
	case from >= ir.C64:
		setComplex(to, dst, m.number(from, regs, in.A))
	case from >= ir.F32:
		dst[0] = fromFloat(real(m.number(from, regs, in.A)), to)
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

// fromFloat converts a float to format to. Where Go leaves the result open (the
// value does not fit), it is what this machine's processor gives.
func fromFloat(x float64, to ir.Num) uint64 {
	switch {
	case to == ir.F32:
		return uint64(math.Float32bits(float32(x)))
	case to == ir.F64:
		return math.Float64bits(x)
	case to == ir.U64:
		return uint64(x)
	default:
		return to.Wrap(uint64(int64(x)))
	}
}
