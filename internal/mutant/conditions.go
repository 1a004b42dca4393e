// SPDX-License-Identifier: BSD-3-Clause

package mutant

import (
	"go/ast"
	"go/token"
)

// Operators on conditions: negated, constant, with equality moved to the other side, with and and or exchanged.

func negated(s *site, n ast.Node, plant func(...edit)) {
	x := s.atom(n)
	if x == nil {
		return
	}
	opposite := map[token.Token]string{token.EQL: "!=", token.NEQ: "==", token.LSS: ">=", token.LEQ: ">", token.GTR: "<=", token.GEQ: "<"}
	if b, ok := x.(*ast.BinaryExpr); ok {
		plant(s.operator(b, opposite[b.Op]))
		return
	}
	plant(s.insert(x.Pos(), "!"))
}

// always and never put a constant in front of the condition, which is not evaluated then but stays, so that its variables are still used.
func always(s *site, n ast.Node, plant func(...edit)) {
	x := s.atom(n)
	if x == nil {
		return
	}
	if call, _ := s.cas(x); call == nil { // that is cas-succeeds
		plant(s.insert(x.Pos(), "(true || "), s.insert(x.End(), ")"))
	}
}

func never(s *site, n ast.Node, plant func(...edit)) {
	if x := s.atom(n); x != nil {
		plant(s.insert(x.Pos(), "(false && "), s.insert(x.End(), ")"))
	}
}

func boundary(s *site, n ast.Node, plant func(...edit)) {
	next := map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}
	if b, ok := n.(*ast.BinaryExpr); ok && next[b.Op] != "" {
		plant(s.operator(b, next[b.Op]))
	}
}

func connective(s *site, n ast.Node, plant func(...edit)) {
	other := map[token.Token]string{token.LAND: "||", token.LOR: "&&"}
	if b, ok := n.(*ast.BinaryExpr); ok && other[b.Op] != "" {
		// Parentheses keep the operands together, whatever is around.
		plant(s.insert(b.Pos(), "("), s.operator(b, other[b.Op]), s.insert(b.End(), ")"))
	}
}

// operator replaces a binary expression's operator.
func (s *site) operator(b *ast.BinaryExpr, text string) edit {
	at := s.offset(b.OpPos)
	return edit{at, at + len(b.Op.String()), text}
}

// atom returns n if it is an operand of && || or !, the condition of a statement, or a comparison anywhere; else nil.
func (s *site) atom(n ast.Node) ast.Expr {
	x, ok := n.(ast.Expr)
	if !ok {
		return nil
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return nil
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return nil
		}
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			return nil
		}
	}
	t := s.pkg.Info.Types[x]
	if !t.IsValue() || t.Value != nil || t.Type == nil || !isBool(t.Type) {
		return nil
	}
	if _, ok := x.(*ast.BinaryExpr); ok || s.isCondition() {
		return x
	}
	return nil
}

// isCondition reports whether the node is the condition of a statement, or an operand of a logical operator.
func (s *site) isCondition() bool {
	n := s.parent(0)
	for i := 1; ; i++ {
		switch p := s.parent(i).(type) {
		case *ast.ParenExpr:
		case *ast.UnaryExpr:
			return p.Op == token.NOT
		case *ast.BinaryExpr:
			return p.Op == token.LAND || p.Op == token.LOR
		case *ast.IfStmt:
			return p.Cond == n
		case *ast.ForStmt:
			return p.Cond == n
		default:
			return false
		}
		n = s.parent(i)
	}
}
