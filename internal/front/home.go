// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// The home of an append. In s.items = append(s.items, x) the place s.items holds the old slice
// while append is executed, and the result afterwards. To decide whether anything else leads to the
// array (vm/room.go), that place need not be counted. In c.p.list = append(c.p.list, x) the pointer c.p is loaded twice
// before the append; in c.p.list = append(c.p.list, all...) once before it and once behind it. The place is known by that of the slice's load.

// home returns the address of an append's home: the place from which its slice was loaded and into
// which its result is stored, in the same block, with nothing between that looks at memory. The
// result may be cut before it is stored. NoReg: there is none.
func (lo *lowerer) home(v *ssa.Call) ir.Reg {
	if len(v.Call.Args) == 0 {
		return ir.NoReg
	}
	x := v.Call.Args[0]
	for {
		cut, ok := x.(*ssa.Slice)
		if !ok {
			break
		}
		x = cut.X
	}
	load, ok := x.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return ir.NoReg
	}
	if _, register := lo.places[load.X]; register || homeOf(v, load.X, func(a, b ssa.Value) bool { return samePlaceAround(v, a, b) }) == nil {
		return ir.NoReg
	}
	return lo.reg(load.X)
}

// homeOf returns the address of the next instruction with an effect, if it stores an append's
// result into place, which same says of two addresses.
func homeOf(v *ssa.Call, place ssa.Value, same func(a, b ssa.Value) bool) ssa.Value {
	list := v.Block().Instrs
	for _, instr := range list[slices.Index(list, ssa.Instruction(v))+1:] {
		switch instr := instr.(type) {
		case *ssa.Store:
			if instr.Val == v && same(instr.Addr, place) {
				return instr.Addr
			}
			return nil
		case *ssa.UnOp:
			if _, pointer := instr.Type().Underlying().(*types.Pointer); !pointer || instr.Op != token.MUL {
				return nil
			}
		case *ssa.FieldAddr, *ssa.DebugRef:
		default:
			return nil
		}
	}
	return nil
}

// samePlace reports whether two addresses are equal whenever both are known: the same value, or the
// same part of the same place.
func samePlace(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *ssa.FieldAddr:
		b, ok := b.(*ssa.FieldAddr)
		return ok && a.Field == b.Field && samePlace(a.X, b.X)
	case *ssa.IndexAddr:
		b, ok := b.(*ssa.IndexAddr)
		return ok && a.Index == b.Index && samePlace(a.X, b.X)
	}
	return false
}

// samePlaceAround is samePlace of the addresses of a load and a store around an append. Two pointers are equal as well if they are loaded from the same
// place and nothing between writes to it: the append writes no such pointer, and what else is written is a variable made between. Who
// else would write it is in a race with the loads.
func samePlaceAround(v *ssa.Call, a, b ssa.Value) bool {
	if samePlace(a, b) {
		return true
	}
	switch a := a.(type) {
	case *ssa.FieldAddr:
		b, ok := b.(*ssa.FieldAddr)
		return ok && a.Field == b.Field && samePlaceAround(v, a.X, b.X)
	case *ssa.UnOp:
		b, ok := b.(*ssa.UnOp)
		return ok && a.Op == token.MUL && b.Op == token.MUL && samePlaceAround(v, a.X, b.X) && unwritten(v, a, b)
	}
	return false
}

// unwritten reports whether nothing between two loads of the same pointer in a block writes where they load it.
func unwritten(v *ssa.Call, a, b *ssa.UnOp) bool {
	if a.Block() != b.Block() {
		return false
	}
	list := a.Block().Instrs
	i, j := slices.Index(list, ssa.Instruction(a)), slices.Index(list, ssa.Instruction(b))
	between := list[min(i, j)+1 : max(i, j)]
	for _, instr := range between {
		switch instr := instr.(type) {
		case *ssa.Call:
			if instr != v || holds(element(v.Type()), a.Type()) {
				return false
			}
		case *ssa.Store:
			if made, ok := variable(instr.Addr).(*ssa.Alloc); !ok || !slices.Contains(between, ssa.Instruction(made)) {
				return false
			}
		case *ssa.UnOp:
			if instr.Op == token.ARROW {
				return false
			}
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice, *ssa.BinOp, *ssa.Alloc, *ssa.MakeInterface, *ssa.Convert, *ssa.ChangeType, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// variable is that of which an address is a part.
func variable(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		default:
			return addr
		}
	}
}

// holds reports whether a value of type t has a part of type part, or one of which that is not known.
func holds(t, part types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if holds(f.Type(), part) {
				return true
			}
		}
		return false
	case *types.Array:
		return holds(u.Elem(), part)
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	_, parameter := t.(*types.TypeParam)
	return parameter || types.Identical(t.Underlying(), part.Underlying())
}
