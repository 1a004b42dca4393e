// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// Ghosts names functions of the package whose calls become ghost instructions; their bodies are not
// executed. Ghost code watches a program without being part of it.
type Ghosts struct {
	// Bracket is func(begin bool), called with constants: ghost code begins or ends.
	Bracket string
	// Announce names functions func(rule int, words ...int); the name ends in the number of words,
	// and so many parameters follow rule.
	Announce map[string]bool
	// Enter and Leave are func(slots *T), called at the beginning and end of a thread's bottom
	// function with the variables that ghost code keeps for the call. Slots is func(thread int) *T
	// and finds those of any thread.
	Enter, Leave, Slots string
	// Threads and Thread are func() int: how many threads may have such variables, and the number
	// of the running one.
	Threads, Thread string
}

// ghost compiles a call of a ghost function. It is false if v calls another function.
func (lo *lowerer) ghost(v *ssa.Call) bool {
	g, common := lo.c.b.ghosts, &v.Call
	fn, ok := common.Value.(*ssa.Function)
	if g == nil || !ok || fn.Pkg != lo.c.b.target {
		return false
	}
	switch {
	case fn.Name() == g.Bracket:
		begin := constant.BoolVal(common.Args[0].(*ssa.Const).Value)
		lo.emit(ir.Instr{Op: ir.OpGhost, Ok: begin})
	case g.Announce[fn.Name()]:
		lo.emit(ir.Instr{Op: ir.OpAnnounce, X: lo.list(lo.args(common.Args))})
	case fn.Name() == g.Enter || fn.Name() == g.Leave:
		lo.emit(ir.Instr{Op: ir.OpSlots, A: lo.reg(common.Args[0]), Ok: fn.Name() == g.Leave})
	case fn.Name() == g.Slots:
		lo.emit(ir.Instr{Op: ir.OpSlotsOf, Dst: lo.reg(v), A: lo.reg(common.Args[0])})
	case fn.Name() == g.Threads || fn.Name() == g.Thread:
		lo.emit(ir.Instr{Op: ir.OpThreads, Dst: lo.reg(v), Ok: fn.Name() == g.Thread})
	default:
		return false
	}
	return true
}
