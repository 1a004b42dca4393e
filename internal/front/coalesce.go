// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"golang.org/x/tools/go/ssa"
)

// coalesce computes values that become a phi's next value directly in the
// phi's register, as in a loop's i++: where the old value is not needed any
// more, no move has to follow on the edge.
func (lo *lowerer) coalesce() {
	for _, b := range lo.fn.Blocks {
		if len(b.Succs) != 1 || lo.live != nil {
			continue
		}
		succ := b.Succs[0]
		pred := predIndex(b, succ)
		for _, instr := range succ.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok {
				break
			}
			if next := phi.Edges[pred]; lo.mayShare(phi, next, b) && !readByOthers(phi, pred) {
				lo.values[next] = lo.reg(phi)
			}
		}
	}
}

func predIndex(b, succ *ssa.BasicBlock) int {
	i := 0
	for succ.Preds[i] != b {
		i++
	}
	return i
}

// mayShare reports whether next, the value that phi is assigned at the end of b, can be computed
// into phi's register. It has to be one word, used by nobody else; behind it b must not read phi or
// use a part of it.
func (lo *lowerer) mayShare(phi *ssa.Phi, next ssa.Value, b *ssa.BasicBlock) bool {
	def, ok := next.(ssa.Instruction)
	if !ok || def.Block() != b || len(*next.Referrers()) != 1 || len(lo.layout(next)) != 1 {
		return false
	}
	switch next.(type) {
	case *ssa.BinOp, *ssa.UnOp:
	default:
		return false
	}
	for _, ref := range *phi.Referrers() {
		if v, ok := ref.(ssa.Value); ok {
			if _, alias := lo.alias(v); alias {
				return false
			}
		}
	}
	behind := false
	for _, instr := range b.Instrs {
		if behind && uses(instr, phi) {
			return false
		}
		behind = behind || instr == def
	}
	return true
}

func uses(instr ssa.Instruction, v ssa.Value) bool {
	var buf [8]*ssa.Value
	for _, op := range instr.Operands(buf[:0]) {
		if *op == v {
			return true
		}
	}
	return false
}

// readByOthers reports whether another phi is assigned phi's old value on the same edge.
func readByOthers(phi *ssa.Phi, pred int) bool {
	for _, instr := range phi.Block().Instrs {
		other, ok := instr.(*ssa.Phi)
		if !ok {
			return false
		}
		if other != phi && other.Edges[pred] == ssa.Value(phi) {
			return true
		}
	}
	return false
}
