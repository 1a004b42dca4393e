// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// In s.items = append(s.items, x) the place s.items holds, while append is executed, the slice that is appended to; and then the
// result. Whoever asks whether something else leads to the array (vm/room.go) need not count that place: it is the result's
// home.

// home is the address of an append's home, NoReg if it has none: of a store behind it, in the same block, of its result into the place
// that the slice was loaded from, be it cut in between, where nothing in between looks at memory.
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

// homeOf is the address of the store of an append's result into a place, if it is the next that happens.
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

// isSet says that an address is known before v is executed.
func (lo *lowerer) isSet(addr ssa.Value, v *ssa.Call) bool {
	instr, ok := addr.(ssa.Instruction)
	if !ok || instr.Block() != v.Block() {
		return true
	}
	list := v.Block().Instrs
	return slices.Index(list, instr) < slices.Index(list, ssa.Instruction(v))
}

// samePlace says that two addresses are the same whenever both are known: the same value, or the same part of the same
// place.
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
