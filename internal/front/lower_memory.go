// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// promote finds variables that live in registers instead of memory: those
// whose address is used for nothing but loads and stores of the whole or of
// constant parts, and those that closures capture by value. Nothing else can
// observe them.
func (lo *lowerer) promote() {
	for _, v := range lo.fn.Locals {
		t := lo.pointee(v)
		if v.Heap || t.Size > maxPromoted || !lo.onlyAccessed(v, v) {
			continue
		}
		lo.assignPlaces(v, lo.value(t))
	}
	for _, b := range lo.fn.Blocks {
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok && lo.c.byValue[v] {
				lo.assignPlaces(v, lo.value(lo.pointee(v)))
			}
		}
	}
}

// maxPromoted is the size in words up to which a variable goes to registers.
const maxPromoted = 24

func (lo *lowerer) pointee(addr ssa.Value) *ir.Type {
	return lo.c.types.of(deref(addr.Type()))
}

func deref(t types.Type) types.Type { return t.Underlying().(*types.Pointer).Elem() }

func (lo *lowerer) onlyAccessed(addr, top ssa.Value) bool {
	for _, ref := range *addr.Referrers() {
		ok := false
		switch ref := ref.(type) {
		case *ssa.UnOp:
			ok = ref.Op == token.MUL
		case *ssa.Store:
			ok = ref.Val != addr
		case *ssa.FieldAddr:
			ok = lo.onlyAccessed(ref, top)
		case *ssa.IndexAddr:
			_, in := constIndex(ref)
			ok = in && lo.onlyAccessed(ref, top)
		case *ssa.DebugRef:
			ok = true
		}
		if !ok {
			return false
		}
	}
	return true
}

// constIndex returns the index of an array element if it is a constant in
// range.
func constIndex(v *ssa.IndexAddr) (int, bool) {
	ptr, ok := v.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return 0, false
	}
	c, ok := v.Index.(*ssa.Const)
	if !ok || c.Value == nil {
		return 0, false
	}
	i, exact := constant.Int64Val(constant.ToInt(c.Value))
	return int(i), exact && i >= 0 && i < ptr.Elem().Underlying().(*types.Array).Len()
}

// assignPlaces notes the registers of an address and of those derived from it.
func (lo *lowerer) assignPlaces(addr ssa.Value, r ir.Reg) {
	lo.places[addr] = r
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.FieldAddr:
			f := lo.pointee(addr).Fields[ref.Field]
			lo.assignPlaces(ref, lo.part(r, f.Offset, f.Type))
		case *ssa.IndexAddr:
			i, _ := constIndex(ref)
			elem := lo.pointee(addr).Elem
			lo.assignPlaces(ref, lo.part(r, i*elem.Size, elem))
		}
	}
}

func (lo *lowerer) load(v *ssa.UnOp) {
	if lo.compared[v] {
		return
	}
	t := lo.typeOf(v)
	if r, ok := lo.places[v.X]; ok {
		lo.move(lo.reg(v), r, t.Size)
		return
	}
	lo.emit(ir.Instr{Op: ir.OpLoad, Dst: lo.reg(v), A: lo.reg(v.X), T: t})
}

func (lo *lowerer) store(v *ssa.Store) {
	t := lo.typeOf(v.Val)
	if r, ok := lo.places[v.Addr]; ok {
		lo.move(r, lo.reg(v.Val), t.Size)
		return
	}
	lo.emit(ir.Instr{Op: ir.OpStore, A: lo.reg(v.Addr), B: lo.reg(v.Val), T: t})
}

func (lo *lowerer) alloc(v *ssa.Alloc) {
	t := lo.pointee(v)
	if r, ok := lo.places[v]; ok {
		lo.zeroed(r, t.Size)
		return
	}
	lo.emit(ir.Instr{Op: ir.OpNew, Dst: lo.reg(v), T: t})
}

func (lo *lowerer) memory(instr ssa.Instruction) {
	switch v := instr.(type) {
	case *ssa.Alloc:
		lo.alloc(v)
	case *ssa.Store:
		lo.store(v)
	case *ssa.FieldAddr:
		if _, ok := lo.places[v]; ok {
			return
		}
		s := lo.pointee(v.X)
		lo.emit(ir.Instr{Op: ir.OpField, Dst: lo.reg(v), A: lo.reg(v.X), N: int32(s.Fields[v.Field].Offset), X: int32(v.Field), T: s})
	case *ssa.IndexAddr:
		lo.indexAddr(v)
	case *ssa.Index:
		lo.index(v)
	case *ssa.Slice:
		lo.slice(v)
	case *ssa.MakeSlice:
		lo.emit(ir.Instr{Op: ir.OpMakeSlice, Dst: lo.reg(v), A: lo.reg(v.Len), B: lo.reg(v.Cap), T: lo.typeOf(v).Elem})
	case *ssa.SliceToArrayPointer:
		arr := lo.pointee(v)
		lo.emit(ir.Instr{Op: ir.OpArrayPtr, Dst: lo.reg(v), A: lo.reg(v.X), N: int32(arr.Len), T: arr.Elem})
	}
}

func (lo *lowerer) indexAddr(v *ssa.IndexAddr) {
	if _, ok := lo.places[v]; ok {
		return
	}
	t := lo.typeOf(v.X)
	if t.Class == ir.Slice {
		lo.emit(ir.Instr{Op: ir.OpElem, Dst: lo.reg(v), A: lo.reg(v.X), B: lo.reg(v.Index), X: unsigned64(v.Index), T: t.Elem})
		return
	}
	arr := lo.pointee(v.X)
	lo.emit(ir.Instr{Op: ir.OpArrayElem, Dst: lo.reg(v), A: lo.reg(v.X), B: lo.reg(v.Index), N: int32(arr.Len), X: unsigned64(v.Index), T: arr.Elem})
}

func (lo *lowerer) index(v *ssa.Index) {
	t := lo.typeOf(v.X)
	if t.Class == ir.StringClass {
		lo.emit(ir.Instr{Op: ir.OpStrIndex, Dst: lo.reg(v), A: lo.reg(v.X), B: lo.reg(v.Index), X: unsigned64(v.Index)})
		return
	}
	lo.emit(ir.Instr{Op: ir.OpIndex, Dst: lo.reg(v), A: lo.reg(v.X), B: lo.reg(v.Index), N: int32(t.Len), X: unsigned64(v.Index), T: t.Elem})
}

func (lo *lowerer) slice(v *ssa.Slice) {
	in := ir.Instr{Dst: lo.reg(v), A: lo.reg(v.X), B: lo.optional(v.Low), C: lo.optional(v.High), N: int32(lo.optional(v.Max)),
		X: unsigned64(v.Low, v.High, v.Max)}
	switch t := lo.typeOf(v.X); t.Class {
	case ir.StringClass:
		in.Op, in.N = ir.OpStrSlice, 0
	case ir.Slice:
		in.Op, in.T = ir.OpSlice, t.Elem
	default:
		in.Op, in.T = ir.OpSliceArr, lo.pointee(v.X)
	}
	lo.emit(in)
}

// unsigned64 is the set of those indices that are unsigned numbers of 64 bits, which the text of a
// panic prints as such: 1<<63 as 9223372036854775808.
func unsigned64(indices ...ssa.Value) (set int32) {
	for i, v := range indices {
		if v == nil {
			continue
		}
		if b, ok := v.Type().Underlying().(*types.Basic); ok && (b.Kind() == types.Uint || b.Kind() == types.Uint64 || b.Kind() == types.Uintptr) {
			set |= 1 << i
		}
	}
	return set
}

func (lo *lowerer) optional(v ssa.Value) ir.Reg {
	if v == nil {
		return ir.NoReg
	}
	return lo.reg(v)
}

func (lo *lowerer) maps(instr ssa.Instruction) {
	switch v := instr.(type) {
	case *ssa.MakeMap:
		lo.emit(ir.Instr{Op: ir.OpMakeMap, Dst: lo.reg(v), T: lo.typeOf(v)})
	case *ssa.MapUpdate:
		lo.emit(ir.Instr{Op: ir.OpMapSet, A: lo.reg(v.Map), B: lo.reg(v.Key), C: lo.reg(v.Value), T: lo.typeOf(v.Map)})
	case *ssa.Lookup:
		lo.emit(ir.Instr{Op: ir.OpMapGet, Ok: v.CommaOk, Dst: lo.reg(v), A: lo.reg(v.X), B: lo.reg(v.Index), T: lo.typeOf(v.X)})
	case *ssa.Range:
		if isString(v.X.Type()) {
			lo.move(lo.reg(v), lo.reg(v.X), 1)
			lo.zeroed(lo.reg(v).Word(1), 1)
			return
		}
		lo.emit(ir.Instr{Op: ir.OpMapRange, Dst: lo.reg(v), A: lo.reg(v.X), T: lo.typeOf(v.X)})
	case *ssa.Next:
		if v.IsString {
			lo.emit(ir.Instr{Op: ir.OpStrNext, Dst: lo.reg(v), A: lo.reg(v.Iter)})
			return
		}
		lo.emit(ir.Instr{Op: ir.OpMapNext, Dst: lo.reg(v), A: lo.reg(v.Iter), T: lo.rangeType(v)})
	}
}

func (lo *lowerer) channels(instr ssa.Instruction) {
	switch v := instr.(type) {
	case *ssa.MakeChan:
		lo.emit(ir.Instr{Op: ir.OpMakeChan, Dst: lo.reg(v), A: lo.reg(v.Size), T: lo.typeOf(v)})
	case *ssa.Send:
		lo.emit(ir.Instr{Op: ir.OpSend, A: lo.reg(v.Chan), B: lo.reg(v.X), T: lo.typeOf(v.Chan)})
	case *ssa.Select:
		lo.selectInstr(v)
	}
}

// selectInstr gives each received value registers of its own, behind those of
// the index and the flag.
func (lo *lowerer) selectInstr(v *ssa.Select) {
	dst := lo.reg(v)
	sel := &ir.Select{Blocking: v.Blocking}
	offset := 2
	for _, st := range v.States {
		c := ir.SelectCase{Send: st.Dir == types.SendOnly, Chan: lo.reg(st.Chan), Elem: lo.typeOf(st.Chan).Elem, Pos: lo.c.pos.of(st.Pos)}
		if c.Send {
			c.Val = lo.reg(st.Send)
		} else {
			c.Val = lo.part(dst, offset, c.Elem)
			offset += c.Elem.Size
		}
		sel.Cases = append(sel.Cases, c)
	}
	lo.c.out.Selects = append(lo.c.out.Selects, sel)
	lo.emit(ir.Instr{Op: ir.OpSelect, Dst: dst, X: int32(len(lo.c.out.Selects) - 1)})
}
