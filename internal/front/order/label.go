// SPDX-License-Identifier: BSD-3-Clause

package order

import (
	"go/ast"
	"go/token"
	"go/types"
)

// labeled rewrites a labelled statement. What is executed ahead of a loop, switch or
// select stands before its label, so that break and continue still find it; goto
// statements get a label of their own, in front of all.
func (r *rewriter) labeled(s *ast.LabeledStmt) ([]ast.Stmt, ast.Stmt) {
	ahead, done := r.stmt(s.Stmt)
	if done == s.Stmt && len(ahead) == 0 {
		return nil, s
	}
	c := *s
	if len(ahead) == 0 {
		c.Stmt = done
		return nil, &c
	}
	if !isTarget(done) {
		c.Stmt = r.together(ahead, done)
		return nil, &c
	}
	c.Stmt = done
	label := r.info.Defs[s.Label]
	if r.jumped[label] {
		first := &ast.Ident{NamePos: s.Label.NamePos, Name: s.Label.Name}
		r.info.Defs[first] = types.NewLabel(s.Label.NamePos, r.pkg, s.Label.Name)
		r.relabelled[label] = first
		ahead = append([]ast.Stmt{&ast.LabeledStmt{Label: first, Colon: s.Colon, Stmt: &ast.EmptyStmt{Semicolon: s.Colon}}}, ahead...)
	}
	return ahead, &c
}

// isTarget says whether break, and of loops continue, can name the label of a statement.
func isTarget(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	}
	return false
}

// jumps finds the labels that goto statements name.
func (r *rewriter) jumps(body *ast.BlockStmt) map[types.Object]bool {
	found := map[types.Object]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			found[r.info.Uses[b.Label]] = true
		}
		return true
	})
	return found
}

// jumpElsewhere gives goto statements their new labels: of an identifier only the object
// is looked at.
func (r *rewriter) jumpElsewhere(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			if first := r.relabelled[r.info.Uses[b.Label]]; first != nil {
				r.info.Uses[b.Label] = r.info.Defs[first]
			}
		}
		return true
	})
}
