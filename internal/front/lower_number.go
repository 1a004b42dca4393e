// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// Operators and conversions. A number is one word, which the machine wraps to the size of its type
// (internal/vm/number); the instruction's ir.Num tells that size.

func (lo *lowerer) num(v ssa.Value) ir.Num { return ir.NumOf(lo.typeOf(v)) }

func (lo *lowerer) unary(v *ssa.UnOp) {
	switch v.Op {
	case token.MUL:
		lo.load(v)
	case token.ARROW:
		lo.emit(ir.Instr{Op: ir.OpRecv, Dst: lo.reg(v), A: lo.reg(v.X), Ok: v.CommaOk, T: lo.typeOf(v.X)})
	case token.NOT:
		lo.emit(ir.Instr{Op: ir.OpNot, Dst: lo.reg(v), A: lo.reg(v.X)})
	case token.SUB:
		lo.emit(ir.Instr{Op: ir.OpNeg, Num: lo.num(v), Dst: lo.reg(v), A: lo.reg(v.X)})
	case token.XOR:
		lo.emit(ir.Instr{Op: ir.OpCompl, Num: lo.num(v), Dst: lo.reg(v), A: lo.reg(v.X)})
	}
}

var arithmetic = map[token.Token]ir.Op{
	token.ADD: ir.OpAdd, token.SUB: ir.OpSub, token.MUL: ir.OpMul, token.QUO: ir.OpDiv, token.REM: ir.OpRem,
	token.AND: ir.OpAnd, token.OR: ir.OpOr, token.XOR: ir.OpXor, token.AND_NOT: ir.OpAndNot,
	token.SHL: ir.OpShl, token.SHR: ir.OpShr,
}

func (lo *lowerer) binary(v *ssa.BinOp) {
	if v.Op == token.EQL || v.Op == token.NEQ {
		lo.equality(v)
		return
	}
	x, y, dst := lo.reg(v.X), lo.reg(v.Y), lo.reg(v)
	switch v.Op {
	case token.LSS:
		lo.emit(ir.Instr{Op: ir.OpLt, Num: lo.num(v.X), Dst: dst, A: x, B: y})
	case token.LEQ:
		lo.emit(ir.Instr{Op: ir.OpLe, Num: lo.num(v.X), Dst: dst, A: x, B: y})
	case token.GTR:
		lo.emit(ir.Instr{Op: ir.OpLt, Num: lo.num(v.X), Dst: dst, A: y, B: x})
	case token.GEQ:
		lo.emit(ir.Instr{Op: ir.OpLe, Num: lo.num(v.X), Dst: dst, A: y, B: x})
	case token.SHL, token.SHR:
		lo.emit(ir.Instr{Op: arithmetic[v.Op], Num: lo.num(v), Dst: dst, A: x, B: y, N: int32(lo.num(v.Y))})
	case token.ADD:
		if isString(v.Type()) {
			lo.emit(ir.Instr{Op: ir.OpConcat, Dst: dst, A: x, B: y})
			return
		}
		fallthrough
	default:
		lo.emit(ir.Instr{Op: arithmetic[v.Op], Num: lo.num(v), Dst: dst, A: x, B: y})
	}
}

// equality compiles == and !=. Comparisons with nil look at one word: the
// pointer of a slice, the type of an interface.
func (lo *lowerer) equality(v *ssa.BinOp) {
	if lo.isInMemory(v.X) || lo.isInMemory(v.Y) {
		lo.inParts(v)
		return
	}
	t := lo.typeOf(v.X)
	x, y, dst := lo.reg(v.X), lo.reg(v.Y), lo.reg(v)
	switch {
	case t.Size == 0:
		lo.move(dst, lo.c.consts.int(1), 1)
	case isNil(v.X):
		lo.emit(ir.Instr{Op: ir.OpEq, Dst: dst, A: y, B: lo.c.consts.zero(lo.typeOf(v.Y))})
	case isNil(v.Y):
		lo.emit(ir.Instr{Op: ir.OpEq, Dst: dst, A: x, B: lo.c.consts.zero(t)})
	default:
		lo.compare(dst, t, x, y)
	}
	if v.Op != token.NEQ {
		return
	}
	if last := &lo.f.Code[len(lo.f.Code)-1]; last.Op == ir.OpEq {
		last.Op = ir.OpNe
		return
	}
	lo.emit(ir.Instr{Op: ir.OpNot, Dst: dst, A: dst})
}

// compare sets dst to whether two values are equal.
func (lo *lowerer) compare(dst ir.Reg, t *ir.Type, x, y ir.Reg) {
	if isOneWord(t) && !mayLeadToNothing(t) {
		lo.emit(ir.Instr{Op: ir.OpEq, Num: ir.NumOf(t), Dst: dst, A: x, B: y})
		return
	}
	lo.emit(ir.Instr{Op: ir.OpEqual, T: t, Dst: dst, A: x, B: y})
}

// isOneWord says whether OpEq compares values of the type.
func isOneWord(t *ir.Type) bool {
	switch t.Class {
	case ir.Struct, ir.Array, ir.Interface:
		return false
	}
	return true
}

// mayLeadToNothing reports whether values of the type may point to variables of size 0, of which
// several may have one address.
func mayLeadToNothing(t *ir.Type) bool {
	return t.Class == ir.UnsafePointer || t.Class == ir.PointerClass && t.Elem.Size == 0
}

// aliasConvert finds conversions that do not change the words.
func (lo *lowerer) aliasConvert(v *ssa.Convert) (ir.Reg, bool) {
	from, to := lo.typeOf(v.X), lo.typeOf(v)
	n := ir.NumOf(from)
	same := n == ir.NumOf(to) && n != ir.Word || from.Class == ir.UnsafePointer && to.Class == ir.UnsafePointer
	if !same {
		return 0, false
	}
	return lo.reg(v.X), true
}

func (lo *lowerer) convert(v *ssa.Convert) {
	if _, ok := lo.aliasConvert(v); ok {
		return
	}
	from, to := lo.typeOf(v.X), lo.typeOf(v)
	dst, x := lo.reg(v), lo.reg(v.X)
	switch {
	case from.Class == ir.UnsafePointer || to.Class == ir.UnsafePointer:
		lo.convertUnsafe(v, from, to)
	case to.Class == ir.StringClass:
		lo.convertToString(from, dst, x)
	case from.Class == ir.StringClass:
		op := ir.OpStrToBytes
		if to.Elem.Class == ir.Int32 {
			op = ir.OpStrToRunes
		}
		lo.emit(ir.Instr{Op: op, Dst: dst, A: x, N: lo.c.open(v.Type()), T: to})
	default:
		lo.emit(ir.Instr{Op: ir.OpConvert, Num: ir.NumOf(from), N: int32(ir.NumOf(to)), Dst: dst, A: x})
	}
}

func (lo *lowerer) convertToString(from *ir.Type, dst, x ir.Reg) {
	switch {
	case from.Class != ir.Slice:
		lo.emit(ir.Instr{Op: ir.OpRuneToStr, Num: ir.NumOf(from), Dst: dst, A: x})
	case from.Elem.Class == ir.Int32:
		lo.emit(ir.Instr{Op: ir.OpRunesToStr, Dst: dst, A: x})
	default:
		lo.emit(ir.Instr{Op: ir.OpBytesToStr, Dst: dst, A: x})
	}
}

// convertUnsafe compiles conversions between pointers, unsafe.Pointer and uintptr. A pointer has a
// number, but no number is a pointer: the way back is not supported.
func (lo *lowerer) convertUnsafe(v *ssa.Convert, from, to *ir.Type) {
	dst, x := lo.reg(v), lo.reg(v.X)
	switch {
	case from.Class == ir.PointerClass:
		lo.move(dst, x, 1)
	case to.Class == ir.PointerClass:
		lo.emit(ir.Instr{Op: ir.OpCast, Dst: dst, A: x, T: to.Elem})
	case from.Class == ir.UnsafePointer:
		lo.emit(ir.Instr{Op: ir.OpAddress, Dst: dst, A: x})
	default:
		lo.noMeaning("conversion of "+from.Name+" to an unsafe.Pointer (pointer arithmetic)", dst, 1)
	}
}

// noMeaning emits an unsupported construct with its result in dst, which is set so that the code
// stays well-formed.
func (lo *assembler) noMeaning(what string, dst ir.Reg, n int) {
	lo.unsupported(what)
	if n > 0 {
		lo.emit(ir.Instr{Op: ir.OpZero, Dst: dst, N: int32(n)})
	}
}

// isFloat says whether values of t are compared as floating-point numbers.
func isFloat(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}
