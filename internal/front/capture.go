package front

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// SSA gives closures the addresses of the variables they capture. A variable
// that is assigned once, before anything else happens to it, can be captured by
// its value instead, as Go's compiler does, too. That matters here: reading a
// variable in memory that threads share is a step of its own for every search.

// captures is the set of variables, and of closures' free variables that stand
// for them, which are captured by value.
type captures map[ssa.Value]bool

// maxCaptured is the size in words up to which values are copied.
const maxCaptured = 16

// captured finds the variables of a function that are captured by value.
func (c *compiler) captured(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for i, instr := range b.Instrs {
			v, ok := instr.(*ssa.Alloc)
			if !ok || !v.Heap || c.types.of(deref(v.Type())).Size > maxCaptured || !assignedAtOnce(v, b.Instrs[i+1:]) {
				continue
			}
			free, ok := onlyRead(v)
			if !ok || len(free) == 0 {
				continue
			}
			c.byValue[v] = true
			for _, f := range free {
				c.byValue[f] = true
			}
		}
	}
}

// assignedAtOnce says whether the only store to v is among the instructions
// that follow it in its block, before every other use there. It dominates all
// uses then, and is executed once for each v.
func assignedAtOnce(v *ssa.Alloc, following []ssa.Instruction) bool {
	stores := 0
	for _, ref := range *v.Referrers() {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == v {
			stores++
		}
	}
	if stores != 1 {
		return false
	}
	for _, instr := range following {
		if s, ok := instr.(*ssa.Store); ok && s.Addr == v {
			return s.Val != v
		}
		for _, op := range instr.Operands(nil) {
			if *op == v {
				return false
			}
		}
	}
	return false
}

// onlyRead says whether an address is used, besides the one store, only to
// read from it, also inside closures. It returns the free variables that stand
// for it there.
func onlyRead(addr ssa.Value) (free []ssa.Value, ok bool) {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.UnOp:
			ok = ref.Op == token.MUL
		case *ssa.Store:
			ok = ref.Addr == addr && ref.Val != addr && isAlloc(addr)
		case *ssa.FieldAddr:
			var inner []ssa.Value
			inner, ok = onlyRead(ref)
			ok = ok && len(inner) == 0
		case *ssa.MakeClosure:
			var inner []ssa.Value
			inner, ok = captureRead(ref, addr)
			free = append(free, inner...)
		case *ssa.DebugRef:
			ok = true
		default:
			ok = false
		}
		if !ok {
			return nil, false
		}
	}
	return free, true
}

func isAlloc(v ssa.Value) bool {
	_, ok := v.(*ssa.Alloc)
	return ok
}

// captureRead looks at what a closure does with a variable it captures.
func captureRead(m *ssa.MakeClosure, addr ssa.Value) (free []ssa.Value, ok bool) {
	fn := m.Fn.(*ssa.Function)
	if fn.Parent() == nil || len(*fn.Referrers()) != 1 {
		return nil, false
	}
	i := slices.Index(m.Bindings, addr)
	if slices.Index(m.Bindings[i+1:], addr) >= 0 {
		return nil, false
	}
	inner, ok := onlyRead(fn.FreeVars[i])
	return append(inner, fn.FreeVars[i]), ok
}

// freeType is the type of a free variable: that of the variable itself if it
// is captured by value.
func (c *compiler) freeType(v *ssa.FreeVar) *ir.Type {
	if c.byValue[v] {
		return c.types.of(deref(v.Type()))
	}
	return c.types.of(v.Type())
}

// bindings are the values that a closure captures.
func (lo *lowerer) bindings(m *ssa.MakeClosure) []ir.Arg {
	args := make([]ir.Arg, len(m.Bindings))
	for i, b := range m.Bindings {
		if lo.c.byValue[b] {
			args[i] = ir.Arg{Reg: lo.places[b], Type: lo.pointee(b)}
		} else {
			args[i] = ir.Arg{Reg: lo.reg(b), Type: lo.typeOf(b)}
		}
	}
	return args
}
