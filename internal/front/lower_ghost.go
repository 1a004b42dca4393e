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
}

// ghost compiles the call of a ghost function; false: it is none.
func (lo *lowerer) ghost(common *ssa.CallCommon) bool {
	g := lo.c.b.ghosts
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
	default:
		return false
	}
	return true
}
