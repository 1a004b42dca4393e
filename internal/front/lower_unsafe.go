// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// Before there was unsafe.StringData, code converted a pointer to a string into one to a
// reflect.StringHeader: (*reflect.StringHeader)(unsafe.Pointer(&s)).Data, converted into an
// unsafe.Pointer at once, is the string's data, and Len its length. This is compiled; other uses of
// such a pointer, and numbers of addresses, are not supported.

// Nor was there unsafe.String: *(*string)(unsafe.Pointer(&b)) of a slice b of bytes is unsafe.String(unsafe.SliceData(b), len(b)), because the
// header of a string is the beginning of that of a slice. This is compiled where such a pointer to a string is only read through.

// isTaken recognises such a pointer, and returns that to the slice.
func isTaken(v ssa.Value) (slice ssa.Value, ok bool) {
	to, ok := v.(*ssa.Convert)
	if !ok || !isPointerToString(to.Type()) {
		return nil, false
	}
	from, ok := to.X.(*ssa.Convert)
	if !ok || !isPointerToBytes(from.X.Type()) {
		return nil, false
	}
	for _, ref := range *to.Referrers() {
		if read, ok := ref.(*ssa.UnOp); !ok || read.Op != token.MUL {
			return nil, false
		}
	}
	return from.X, true
}

// takeText compiles the read of a string that takes the bytes of a slice, whose address it is given.
func (lo *lowerer) takeText(v *ssa.UnOp, slice ssa.Value) {
	t := lo.c.types.of(slice.Type().Underlying().(*types.Pointer).Elem())
	bytes := lo.value(t)
	lo.emit(ir.Instr{Op: ir.OpLoad, Dst: bytes, A: lo.reg(slice), T: t})
	lo.emit(ir.Instr{Op: ir.OpBytesToStr, Dst: lo.reg(v), A: bytes, N: lo.users()})
}

// isHeader recognises a pointer to a StringHeader that is used only in these two ways, and returns
// the pointer to the string.
func isHeader(v ssa.Value) (str ssa.Value, ok bool) {
	to, ok := v.(*ssa.Convert)
	if !ok || !isStringHeader(to.Type()) {
		return nil, false
	}
	from, ok := to.X.(*ssa.Convert)
	if !ok || !isPointerToString(from.X.Type()) {
		return nil, false
	}
	for _, ref := range *to.Referrers() {
		if field, ok := ref.(*ssa.FieldAddr); !ok || !onlyRead(field) {
			return nil, false
		}
	}
	return from.X, true
}

// onlyRead reports whether a field of a header is only read, and its data only converted to a pointer.
func onlyRead(field *ssa.FieldAddr) bool {
	for _, ref := range *field.Referrers() {
		read, ok := ref.(*ssa.UnOp)
		if !ok || read.Op != token.MUL {
			return false
		}
		if field.Field != 0 {
			continue
		}
		for _, use := range *read.Referrers() {
			if to, ok := use.(*ssa.Convert); !ok || !isUnsafePointer(to.Type()) {
				return false
			}
		}
	}
	return true
}

func isStringHeader(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "reflect" && named.Obj().Name() == "StringHeader"
}

func isPointerToString(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	b, ok := p.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.String
}

func isPointerToBytes(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	s, ok := p.Elem().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

func isUnsafePointer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// headerField returns the string and the field of its header that v reads.
func headerField(v ssa.Value) (str ssa.Value, field int, ok bool) {
	read, ok := v.(*ssa.UnOp)
	if !ok || read.Op != token.MUL {
		return nil, 0, false
	}
	addr, ok := read.X.(*ssa.FieldAddr)
	if !ok {
		return nil, 0, false
	}
	str, ok = isHeader(addr.X)
	return str, addr.Field, ok
}

// known compiles an instruction that reads the header of a string or compares addresses. It is
// false for other instructions.
func (lo *lowerer) known(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Convert:
		if str, field, ok := headerField(v.X); ok && field == 0 {
			bytes := lo.regs(ir.Pointer, ir.Scalar, ir.Scalar)
			lo.emit(ir.Instr{Op: ir.OpStrToBytes, Dst: bytes, A: lo.text(str), X: lo.users(), T: lo.c.types.of(types.NewSlice(types.Typ[types.Byte]))})
			lo.move(lo.reg(v), bytes, 1)
			return true
		}
		if pointer, bytes, ok := shifted(v); ok {
			lo.shift(v, pointer, bytes)
			return true
		}
		_, isHead := isHeader(v)
		_, taken := isTaken(v)
		return isHead || taken || isComparedAddress(v) || isShifted(v)
	case *ssa.FieldAddr:
		_, ok := isHeader(v.X)
		return ok
	case *ssa.BinOp:
		return isSum(v) || lo.addresses(v)
	case *ssa.UnOp:
		if slice, ok := isTaken(v.X); ok && v.Op == token.MUL {
			lo.takeText(v, slice)
			return true
		}
		str, field, ok := headerField(v)
		if ok && field == 1 {
			lo.emit(ir.Instr{Op: ir.OpStrLen, Dst: lo.reg(v), A: lo.text(str)})
		}
		return ok
	}
	return false
}

// text loads a string.
func (lo *lowerer) text(address ssa.Value) ir.Reg {
	t := lo.c.types.of(types.Typ[types.String])
	r := lo.value(t)
	lo.emit(ir.Instr{Op: ir.OpLoad, Dst: r, A: lo.reg(address), T: t})
	return r
}

// unsupportedAddress tells why an instruction cannot be compiled that uses a constant number as an
// address: unsafe.Pointer(uintptr(0x400000)). In the machine the number could be that of an object.
func unsupportedAddress(instr ssa.Instruction) string {
	var buf [8]*ssa.Value
	for _, op := range instr.Operands(buf[:0]) {
		c, ok := (*op).(*ssa.Const)
		if ok && c.Value != nil && isUnsafePointer(c.Type()) && c.Uint64() != 0 {
			return "a number is used as an address (unsafe.Pointer of a constant)"
		}
	}
	return ""
}

// isComparedAddress reports whether v is the number of an address that is only compared with that
// of another pointer. The pointers are compared instead.
func isComparedAddress(v ssa.Value) bool {
	c, ok := v.(*ssa.Convert)
	if !ok || !isUnsafePointer(c.X.Type()) || isUnsafePointer(c.Type()) || len(*c.Referrers()) == 0 {
		return false
	}
	for _, ref := range *c.Referrers() {
		b, ok := ref.(*ssa.BinOp)
		if !ok || b.Op != token.EQL && b.Op != token.NEQ || !fromPointer(b.X) || !fromPointer(b.Y) {
			return false
		}
	}
	return true
}

// Before unsafe.Add, code went on in memory by unsafe.Pointer(uintptr(p) + n), in one expression, as package unsafe allows it. That is unsafe.Add.

// shifted says that v is such an expression; it gives p and n.
func shifted(v *ssa.Convert) (pointer, bytes ssa.Value, ok bool) {
	sum, ok := v.X.(*ssa.BinOp)
	if !ok || !isUnsafePointer(v.Type()) || !isSum(sum) {
		return nil, nil, false
	}
	return sum.X.(*ssa.Convert).X, sum.Y, true
}

// isSum says that v is the sum in such an expression, and used for nothing else.
func isSum(v *ssa.BinOp) bool {
	from, ok := v.X.(*ssa.Convert)
	if v.Op != token.ADD || !ok || !isUnsafePointer(from.X.Type()) || len(*from.Referrers()) != 1 || len(*v.Referrers()) != 1 {
		return false
	}
	to, ok := (*v.Referrers())[0].(*ssa.Convert)
	return ok && isUnsafePointer(to.Type())
}

// isShifted says that v is the address of p in such an expression.
func isShifted(v *ssa.Convert) bool {
	if !isUnsafePointer(v.X.Type()) || len(*v.Referrers()) != 1 {
		return false
	}
	sum, ok := (*v.Referrers())[0].(*ssa.BinOp)
	return ok && sum.X == ssa.Value(v) && isSum(sum)
}

// shift calls unsafe.Add.
func (lo *lowerer) shift(v *ssa.Convert, pointer, bytes ssa.Value) {
	result := []*ir.Type{lo.c.types.of(v.Type())}
	fn := lo.c.external("unsafe.Add", []*ir.Type{lo.c.types.of(pointer.Type()), lo.c.types.of(bytes.Type())}, result)
	lo.call(&ir.Call{Kind: ir.CallStatic, Func: fn, Fn: ir.NoReg, Args: lo.args([]ssa.Value{pointer, bytes}), Result: result}, lo.reg(v), ir.OpCall)
}

func fromPointer(v ssa.Value) bool {
	c, ok := v.(*ssa.Convert)
	return ok && isUnsafePointer(c.X.Type())
}

// addresses compiles a comparison of two addresses as one of the pointers.
func (lo *lowerer) addresses(v *ssa.BinOp) bool {
	if !isComparedAddress(v.X) || !isComparedAddress(v.Y) {
		return false
	}
	dst := lo.reg(v)
	lo.compare(dst, lo.c.types.of(types.Typ[types.UnsafePointer]), lo.reg(v.X.(*ssa.Convert).X), lo.reg(v.Y.(*ssa.Convert).X))
	if v.Op == token.NEQ {
		lo.emit(ir.Instr{Op: ir.OpNot, Dst: dst, A: dst})
	}
	return true
}
