// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// Two panics that SSA words differently from gc: if a function that is ranged over calls the loop's
// body once too often, and if a method value is taken of a nil interface.

// The messages of the panics that SSA adds to a range over a function.
const (
	ssaContinued = "yield function called after range loop exit"
	ssaSwallowed = "iterator call did not preserve panic"
)

// rangePanic is the function of the prelude that panics as gc does instead, with its arguments: the
// state of the loop (READY, BUSY, DONE, or the number of an exit). "" if p is another panic.
func rangePanic(p *ssa.Panic) (name string, args []ssa.Value) {
	made, ok := p.X.(*ssa.MakeInterface)
	if !ok || p.Pos().IsValid() { // panics of the program have a position
		return "", nil
	}
	text, ok := made.X.(*ssa.Const)
	if !ok || text.Value == nil || text.Value.Kind() != constant.String {
		return "", nil
	}
	switch constant.StringVal(text.Value) {
	case ssaSwallowed:
		return "rangeSwallowed", nil
	case ssaContinued:
		if len(p.Block().Preds) != 1 {
			return "", nil
		}
		from := p.Block().Preds[0]
		branch, _ := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if branch == nil {
			return "", nil
		}
		if ready, ok := branch.Cond.(*ssa.BinOp); ok {
			return "rangeContinued", []ssa.Value{ready.X}
		}
	}
	return "", nil
}

func (lo *lowerer) panics(p *ssa.Panic) {
	if name, args := rangePanic(p); name != "" {
		lo.call(&ir.Call{Kind: ir.CallStatic, Func: lo.c.ir[lo.c.b.models.named(name)], Fn: ir.NoReg, Args: lo.args(args)}, ir.NoReg, ir.OpCall)
	}
	lo.emit(ir.Instr{Op: ir.OpPanic, A: lo.reg(p.X)})
}

// checksReceiver reports whether a type assertion is SSA's check that the interface of a method
// value is not nil.
func checksReceiver(v *ssa.TypeAssert) bool {
	if v.CommaOk || len(*v.Referrers()) > 0 || !types.Identical(v.AssertedType, v.X.Type()) {
		return false
	}
	list := v.Block().Instrs
	for i, instr := range list[:len(list)-1] {
		if instr != ssa.Instruction(v) {
			continue
		}
		bound, ok := list[i+1].(*ssa.MakeClosure)
		return ok && strings.HasPrefix(bound.Fn.(*ssa.Function).Synthetic, "bound method wrapper")
	}
	return false
}
