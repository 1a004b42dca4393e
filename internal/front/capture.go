// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// SSA gives closures the addresses of the variables they capture. A variable
// that is assigned once, before anything else happens to it, can be captured by
// its value instead, as Go's compiler does it, too. That matters here: reading a
// variable in memory that threads share is a step of its own for every search.

// captures is the set of variables, and of closures' free variables that stand
// for them, which are captured by value.
type captures map[ssa.Value]bool

// maxCaptured is the size in words up to which values are copied.
const maxCaptured = 16

// captured finds the variables of a function that are captured by value.
func (c *compiler) captured(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			v, ok := instr.(*ssa.Alloc)
			if !ok || !v.Heap || c.byValue[v] || c.types.of(deref(v.Type())).Size > maxCaptured {
				continue
			}
			g := group{members: map[ssa.Value]bool{}}
			if !g.add(v) || len(g.free) == 0 {
				continue
			}
			for m := range g.members {
				c.byValue[m] = true
			}
			for _, f := range g.free {
				c.byValue[f] = true
			}
		}
	}
}

// group is everything in SSA that stands for one variable of the source. This is usually one Alloc.
// The variable of a three-clause loop, new in each iteration, is two of them and a phi of their
// addresses.
type group struct {
	members map[ssa.Value]bool
	free    []ssa.Value // the free variables that stand for it in closures
}

// add adds an address of the variable to the group. It is false if something happens to the address
// that forbids copying the variable.
func (g *group) add(addr ssa.Value) bool {
	if g.members[addr] {
		return true
	}
	g.members[addr] = true
	switch v := addr.(type) {
	case *ssa.Alloc:
		if !assignedFirst(v) {
			return false
		}
	case *ssa.Phi:
		for _, edge := range v.Edges {
			if !g.add(edge) {
				return false
			}
		}
	default:
		return false
	}
	return g.onlyRead(addr)
}

// assignedFirst says whether all stores to v are in its own block and nothing
// but loads happens to it there before the last of them. They dominate all
// other uses then, and are executed once for each v.
func assignedFirst(v *ssa.Alloc) bool {
	stores := 0
	for _, ref := range *v.Referrers() {
		if s, ok := ref.(*ssa.Store); ok {
			if s.Val == v || s.Block() != v.Block() {
				return false
			}
			stores++
		}
	}
	for _, instr := range v.Block().Instrs {
		if stores == 0 {
			return true
		}
		switch instr := instr.(type) {
		case *ssa.Store:
			if instr.Addr == v {
				stores--
			}
		case *ssa.UnOp, *ssa.Phi:
		default:
			if uses(instr, v) {
				return false
			}
		}
	}
	return true
}

// onlyRead says whether an address is used, besides the first stores, only to
// read from it, also inside closures.
func (g *group) onlyRead(addr ssa.Value) bool {
	for _, ref := range *addr.Referrers() {
		ok := false
		switch ref := ref.(type) {
		case *ssa.UnOp:
			ok = ref.Op == token.MUL
		case *ssa.Store:
			ok = ref.Addr == addr && isAlloc(addr)
		case *ssa.FieldAddr:
			inner := group{members: g.members}
			ok = inner.onlyRead(ref) && len(inner.free) == 0
		case *ssa.Phi:
			ok = g.members[addr] && g.add(ref)
		case *ssa.MakeClosure:
			ok = g.capture(ref, addr)
		case *ssa.DebugRef:
			ok = true
		}
		if !ok {
			return false
		}
	}
	return true
}

func isAlloc(v ssa.Value) bool {
	_, ok := v.(*ssa.Alloc)
	return ok
}

// capture adds a closure's free variable to the group; false as for add.
func (g *group) capture(m *ssa.MakeClosure, addr ssa.Value) bool {
	fn := m.Fn.(*ssa.Function)
	if fn.Parent() == nil || len(*fn.Referrers()) != 1 {
		return false
	}
	i := slices.Index(m.Bindings, addr)
	if slices.Index(m.Bindings[i+1:], addr) >= 0 {
		return false
	}
	g.free = append(g.free, fn.FreeVars[i])
	return g.onlyRead(fn.FreeVars[i])
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
