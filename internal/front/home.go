// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// The home of an append. In s.items = append(s.items, x) the place s.items holds the old slice
// while append is executed, and the result afterwards. To decide whether anything else leads to the
// array (vm/room.go), that place need not be counted.

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
	if addr := homeOf(v, load.X); addr != nil && lo.isSet(addr, v) {
		if _, register := lo.places[addr]; !register {
			return lo.reg(addr)
		}
	}
	return ir.NoReg
}

// homeOf returns the address of the next instruction with an effect, if it stores an append's
// result into place.
func homeOf(v *ssa.Call, place ssa.Value) ssa.Value {
	list := v.Block().Instrs
	for _, instr := range list[slices.Index(list, ssa.Instruction(v))+1:] {
		switch instr := instr.(type) {
		case *ssa.Store:
			if instr.Val == v && samePlace(instr.Addr, place) {
				return instr.Addr
			}
			return nil
		case *ssa.FieldAddr, *ssa.DebugRef:
		default:
			return nil
		}
	}
	return nil
}

// isSet reports whether an address has been computed before v.
func (lo *lowerer) isSet(addr ssa.Value, v *ssa.Call) bool {
	instr, ok := addr.(ssa.Instruction)
	if !ok || instr.Block() != v.Block() {
		return true
	}
	list := v.Block().Instrs
	return slices.Index(list, instr) < slices.Index(list, ssa.Instruction(v))
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
