// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"cmp"
	"go/ast"
	"slices"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// nameRegisters names the registers that hold variables of the source: parameters, captured
// variables, variables that loops change, and the addresses of variables in memory ("&x"). A
// variable that is set once is just a value in SSA, which has forgotten its name.
func (lo *lowerer) nameRegisters() {
	for _, p := range lo.fn.Params {
		lo.name(p, p.Name())
	}
	for _, v := range lo.fn.FreeVars {
		lo.name(v, v.Name())
	}
	known := identifiers(lo.fn)
	for _, b := range lo.fn.Blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.Phi:
				if known[v.Comment] {
					lo.name(v, v.Comment)
				}
			case *ssa.Alloc:
				if known[v.Comment] {
					lo.name(v, v.Comment)
				}
			}
		}
	}
	slices.SortFunc(lo.f.Names, func(a, b ir.Name) int { return cmp.Compare(a.Reg, b.Reg) })
}

// name names the registers of a value, or of the variable whose address it is.
func (lo *lowerer) name(v ssa.Value, name string) {
	if r, ok := lo.places[v]; ok {
		lo.addName(name, r, lo.pointee(v))
		return
	}
	r, ok := lo.values[v]
	if !ok || name == "" || name == "_" {
		return
	}
	switch v.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		name = "&" + name
	}
	lo.addName(name, r, lo.typeOf(v))
}

func (lo *lowerer) addName(name string, r ir.Reg, t *ir.Type) {
	if r >= 0 && t.Size > 0 {
		lo.f.Names = append(lo.f.Names, ir.Name{Name: name, Reg: r, Type: t})
	}
}

// identifiers are the names that occur in a function's source. SSA's names for phis and variables
// may be its own, such as "complit".
func identifiers(fn *ssa.Function) map[string]bool {
	known := map[string]bool{}
	if fn.Syntax() == nil {
		return known
	}
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name != "_" {
			known[id.Name] = true
		}
		return true
	})
	return known
}
