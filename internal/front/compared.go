// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// comparisons tells of each comparison of structs or arrays, by SSA's position of it, where its two
// operands are. SSA loads both operands first, so it cannot tell x == *p from v := *p; x == v; the
// syntax can.
type comparisons map[token.Pos][2]standing

// standing is where an operand of a comparison is: in memory, in a local variable (which may be in
// registers), or, if neither, a value that was computed.
type standing struct {
	memory   bool
	variable token.Pos // position of the local variable's declaration
}

// add records the comparisons of a file.
func (c comparisons) add(f *ast.File, info *types.Info) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && isCompound(info.TypeOf(n.X)) && isCompound(info.TypeOf(n.Y)) {
				c[n.OpPos] = [2]standing{standingOf(n.X, info), standingOf(n.Y, info)}
			}
		case *ast.SwitchStmt: // the value of the switch is copied before it is compared
			for _, clause := range n.Body.List {
				for _, e := range clause.(*ast.CaseClause).List {
					if n.Tag != nil && isCompound(info.TypeOf(e)) {
						c[e.Pos()] = [2]standing{1: standingOf(e, info)}
					}
				}
			}
		}
		return true
	})
}

// isCompound says whether t may be a type of structs or arrays.
func isCompound(t types.Type) bool {
	if _, generic := types.Unalias(t).(*types.TypeParam); generic {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

func standingOf(e ast.Expr, info *types.Info) standing {
	inMemory := standing{memory: true}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := info.Uses[e].(*types.Var)
		switch {
		case !ok:
			return standing{}
		case v.Pkg() != nil && v.Parent() == v.Pkg().Scope():
			return inMemory
		}
		return standing{variable: v.Pos()}
	case *ast.StarExpr:
		return inMemory
	case *ast.SelectorExpr:
		sel := info.Selections[e]
		if sel == nil || sel.Indirect() {
			return inMemory // a variable of another package, or memory reached through a pointer
		}
		return standingOf(e.X, info)
	case *ast.IndexExpr:
		switch info.TypeOf(e.X).Underlying().(type) {
		case *types.Slice, *types.Pointer:
			return inMemory
		case *types.Array:
			return standingOf(e.X, info)
		}
	}
	return standing{}
}

// readsFor reports whether a load from an address reads the operand at s.
func (s standing) readsFor(address ssa.Value) bool {
	if s.memory {
		return true
	}
	for {
		switch a := address.(type) {
		case *ssa.FieldAddr:
			address = a.X
		case *ssa.IndexAddr:
			address = a.X
		case *ssa.Alloc, *ssa.FreeVar:
			return s.variable.IsValid() && address.Pos() == s.variable
		default:
			return false
		}
	}
}
