// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// Ghosts names functions of the package whose calls are compiled to ghost instructions. Their
// bodies mean nothing.
type Ghosts struct {
	// Bracket is func(begin bool), called with constants: ghost code begins or ends.
	Bracket string
	// Announce, followed by a number of words, is func(rule int, words ...int) with so many
	// parameters.
	Announce map[string]bool
	// Enter and Leave are func(slots *T), called by the bottom function of a thread: what ghost
	// code keeps for the call; Slots is func(thread int) *T, which finds it from any thread.
	Enter, Leave, Slots string
	// Threads and Thread are func() int: how many places of threads there are, and that of the
	// running one.
	Threads, Thread string
}

// ghost compiles the call of a ghost function; false: it is none.
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
