// SPDX-License-Identifier: BSD-3-Clause

package order

import (
	"go/ast"
	"go/token"
	"go/types"
)

// scan evaluates syntax from left to right, as the SSA builder does, and finds
// whether anything that was read is still to be used when a call, or something like
// it, happens.
type scan struct {
	*rewriter
	pending  int // reads whose values wait to be used
	conflict bool
}

// conflicts says whether a read stands before a call in expressions that are evaluated
// one after the other.
func (r *rewriter) conflicts(list ...ast.Expr) bool {
	s := scan{rewriter: r}
	for _, e := range list {
		s.expr(e)
	}
	return s.conflict
}

// effect happens behind what was read since mark, which it has used.
func (s *scan) effect(mark int) {
	if mark > 0 {
		s.conflict = true
	}
	s.pending = mark
}

// list looks at expressions that are evaluated one after the other.
func (s *scan) list(list []ast.Expr) {
	for _, e := range list {
		s.expr(e)
	}
}

// expr looks at an expression from left to right, and counts the reads that are pending when a call is made.
func (s *scan) expr(e ast.Expr) {
	if e == nil || s.isConstant(e) || s.isType(e) {
		return
	}
	mark := s.pending
	switch e := e.(type) {
	case *ast.Ident:
		if _, ok := s.info.Uses[e].(*types.Var); ok {
			s.pending++
		}
	case *ast.ParenExpr:
		s.expr(e.X)
	case *ast.UnaryExpr:
		s.expr(e.X)
		if e.Op == token.ARROW {
			s.effect(mark)
		}
	case *ast.BinaryExpr:
		s.expr(e.X)
		if e.Op == token.LAND || e.Op == token.LOR {
			s.pending = mark // used, to decide about the other
		}
		s.expr(e.Y)
	case *ast.CallExpr:
		s.call(e)
	case *ast.FuncLit:
	default:
		s.edit(e, func(x ast.Expr) ast.Expr {
			s.expr(x)
			return x
		})
		if _, method := e.(*ast.CompositeLit); !method && !s.isStatic(e) {
			s.pending++
		}
	}
}

// call looks at the function or the receiver, at the arguments, and at the call itself, which is made behind them.
func (s *scan) call(e *ast.CallExpr) {
	mark := s.pending
	if !s.isType(e.Fun) && s.builtin(e) == "" && !s.isStatic(e.Fun) {
		if sel, ok := s.method(e); ok {
			s.expr(sel.X)
			s.pending++
		} else {
			s.expr(e.Fun)
		}
	}
	s.list(e.Args)
	if !s.isType(e.Fun) && hasEffect(s.builtin(e)) {
		s.effect(mark)
	}
}

// hasEffect says whether a call of a builtin function, or of another (""), can change
// what is read, or be told from a read that comes first.
func hasEffect(builtin string) bool {
	switch builtin {
	case "", "append", "copy", "clear", "close", "delete", "panic", "print", "println", "recover":
		return true
	}
	return false
}

// target scans what is evaluated of the left side of an assignment.
func (s *scan) target(e ast.Expr) {
	if _, ok := ast.Unparen(e).(*ast.Ident); ok {
		return // a variable's address
	}
	s.expr(e)
}

// waits says whether evaluating e involves something like a call.
func (r *rewriter) waits(e ast.Expr) bool {
	s := scan{rewriter: r, pending: 1}
	s.expr(e)
	return s.conflict
}
