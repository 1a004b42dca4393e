// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// initialiser is a package's init function as SSA makes it, of which only a part is compiled. Some
// packages have huge tables: what fills a variable that nothing refers to is left out. Calls in the
// user's packages are always compiled, as they may have effects; those in standard packages only if
// their result is used.
type initialiser struct {
	r     *reacher
	fn    *ssa.Function
	live  map[ssa.Instruction]bool
	into  map[ssa.Value][]ssa.Instruction // writes through an address or into a map, by the variable or object that is written
	begun bool
}

func newInitialiser(r *reacher, fn *ssa.Function) *initialiser {
	return &initialiser{r: r, fn: fn, live: map[ssa.Instruction]bool{}, into: map[ssa.Value][]ssa.Instruction{}}
}

// begin finds the writes, and reaches what is executed in any case.
func (i *initialiser) begin(keepCalls bool) {
	i.begun = true
	for _, b := range i.fn.Blocks {
		for _, instr := range b.Instrs {
			if base := i.base(instr); base != nil {
				i.into[base] = append(i.into[base], instr)
				if i.isLive(base) {
					i.keep(instr)
				}
				continue
			}
			if i.hasEffect(instr, keepCalls) {
				i.keep(instr)
			}
		}
	}
}

// isLive reports whether a variable or object is already known to be needed.
func (i *initialiser) isLive(base ssa.Value) bool {
	switch base := base.(type) {
	case *ssa.Global:
		return i.r.globals[i.r.b.models.global(base)] != nil
	case ssa.Instruction:
		return i.live[base]
	}
	return true
}

// base returns the variable, or the object made in this function, to which a write is confined; nil
// if instr is no such write.
func (i *initialiser) base(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.Store:
		return root(instr.Addr)
	case *ssa.MapUpdate:
		return root(instr.Map)
	}
	return nil
}

func root(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		case *ssa.Slice:
			addr = a.X
		case *ssa.ChangeType:
			addr = a.X
		case *ssa.Global, *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
			return addr
		default:
			return nil
		}
	}
}

// hasEffect reports whether an instruction has an effect besides its result, other than writing to
// an object that the function has made.
func (i *initialiser) hasEffect(instr ssa.Instruction, keepCalls bool) bool {
	switch instr := instr.(type) {
	case *ssa.Call:
		return keepCalls || isInitCall(instr)
	case *ssa.Store, *ssa.MapUpdate, *ssa.Send, *ssa.Go, *ssa.Defer, *ssa.RunDefers, *ssa.Panic,
		*ssa.If, *ssa.Jump, *ssa.Return, *ssa.Select:
		return true
	case *ssa.UnOp, *ssa.BinOp, *ssa.TypeAssert, *ssa.IndexAddr, *ssa.Index, *ssa.SliceToArrayPointer:
		return keepCalls && mayPanic(instr)
	}
	return false
}

func mayPanic(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		_, global := instr.X.(*ssa.Global)
		return !global
	case *ssa.IndexAddr:
		_, constant := instr.Index.(*ssa.Const)
		return !constant
	}
	return true
}

func isInitCall(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	return fn != nil && isInitFunc(fn)
}

// reached records that something refers to g.
func (i *initialiser) reached(g *ssa.Global) {
	if !i.begun {
		return
	}
	for _, w := range i.into[g] {
		i.keep(w)
	}
}

// keep marks an instruction as executed, and what its operands need.
func (i *initialiser) keep(instr ssa.Instruction) {
	if i.live[instr] {
		return
	}
	i.live[instr] = true
	i.r.instruction(instr, true)
	if v, ok := instr.(ssa.Value); ok {
		for _, w := range i.into[v] {
			i.keep(w)
		}
	}
	var buf [8]*ssa.Value
	for _, op := range instr.Operands(buf[:0]) {
		if def, ok := (*op).(ssa.Instruction); ok {
			i.keep(def)
		}
	}
}

// needed reports whether the initialiser does anything but return.
func (i *initialiser) needed() bool {
	for instr := range i.live {
		if _, ok := instr.(*ssa.Return); !ok {
			return true
		}
	}
	return false
}

// statementwise gives the blocks of a package's init function in an order in which those of one statement are next to each other, with what comes
// behind the statement after them: reverse postorder, as there are no loops. SSA has the operands of && and || behind all else: of
// `var a = f() || g(); var b = h()` the call of g would stand behind that of h. Where a statement cannot be executed, vm.Settle leaves out the
// instructions from its first to its last one, which would be those of all that is initialised later.
func statementwise(fn *ssa.Function) []*ssa.BasicBlock {
	seen := make([]bool, len(fn.Blocks))
	var finished []*ssa.BasicBlock
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		seen[b.Index] = true
		for _, s := range b.Succs {
			if !seen[s.Index] {
				visit(s)
			}
		}
		finished = append(finished, b)
	}
	visit(fn.Blocks[0])
	slices.Reverse(finished)
	return finished
}
