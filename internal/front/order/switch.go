// SPDX-License-Identifier: BSD-3-Clause

package order

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Switches: the expressions of cases are evaluated one after the other until one is equal, so a
// case whose evaluation needs statements of its own cannot stay a case.

// switchStmt rewrites an expression switch. Calls in its cases are made only if the cases before them do not fit, so such a switch becomes
// comparisons one after the other:
//
//	switch { case x.n > f(1): y++ }    becomes
//	value1 := -1; value2 := f(1)
//	if x.n > value2 { value1 = 0 } else { }
//	switch value1 { case 0: y++ }
func (r *rewriter) switchStmt(s *ast.SwitchStmt) (ahead []ast.Stmt, done ast.Stmt) {
	c := *s
	c.Init, c.Tag = r.one(s.Init), r.inner(s.Tag)
	c.Body = r.clauses(s.Body, r.caseClause)
	o := r.orderer()
	inCases := r.casesConflict(s)
	if inCases || s.Tag != nil && r.conflicts(s.Tag) {
		if c.Init != nil {
			o.out = append(o.out, c.Init)
			c.Init = nil
		}
		c.Tag = o.expr(c.Tag)
	}
	if inCases {
		o.choice(&c)
	}
	if c == *s {
		return nil, s
	}
	return o.out, &c
}

// caseClause rewrites the function literals in the expressions of a clause, and its body.
func (r *rewriter) caseClause(s ast.Stmt) ast.Stmt {
	clause := s.(*ast.CaseClause)
	exprs, body := edited(clause.List, r.inner), r.stmts(clause.Body)
	if exprs == nil && body == nil {
		return s
	}
	c := *clause
	if exprs != nil {
		c.List = exprs
	}
	if body != nil {
		c.Body = body
	}
	if obj := r.info.Implicits[clause]; obj != nil {
		r.info.Implicits[&c] = obj
	}
	return &c
}

// casesConflict says whether the expressions of some case have calls that come ahead of reads.
func (r *rewriter) casesConflict(s *ast.SwitchStmt) bool {
	for _, clause := range s.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			if r.conflicts(e) {
				return true
			}
		}
	}
	return false
}

// choice finds the case ahead, with a chain of if statements, so that each expression
// can have statements of its own, and makes the switch one over the cases' numbers.
func (o *orderer) choice(s *ast.SwitchStmt) {
	pos := s.Switch
	def, use := o.variable(types.Typ[types.Int], pos)
	o.out = append(o.out, define(pos, []ast.Expr{def}, o.number(-1, pos)))
	if s.Tag != nil {
		s.Tag = o.copied(s.Tag)
	}
	list := &o.out
	body := *s.Body
	body.List = nil
	for i, x := range s.Body.List {
		clause := *x.(*ast.CaseClause)
		for _, e := range clause.List {
			list = o.chosen(list, s.Tag, e, &ast.AssignStmt{Lhs: []ast.Expr{use}, TokPos: e.Pos(), Tok: token.ASSIGN,
				Rhs: []ast.Expr{o.number(int64(i), e.Pos())}})
		}
		if clause.List != nil {
			clause.List = []ast.Expr{o.number(int64(i), clause.Case)}
		}
		body.List = append(body.List, &clause)
	}
	s.Tag, s.Body = use, &body
}

// chosen appends the test of one case to a list of statements and gives the list of
// those that are executed if it fails.
func (o *orderer) chosen(list *[]ast.Stmt, tag, e ast.Expr, take ast.Stmt) *[]ast.Stmt {
	inner := o.orderer()
	cond := inner.expr(e)
	if tag != nil {
		eq := &ast.BinaryExpr{X: tag, OpPos: e.Pos(), Op: token.EQL, Y: cond}
		o.info.Types[eq] = types.TypeAndValue{Type: types.Typ[types.Bool]}
		cond = eq
	}
	rest := &ast.BlockStmt{Lbrace: e.Pos(), Rbrace: e.Pos()}
	*list = append(append(*list, inner.out...), &ast.IfStmt{If: e.Pos(), Cond: cond, Else: rest,
		Body: &ast.BlockStmt{Lbrace: e.Pos(), List: []ast.Stmt{take}, Rbrace: e.Pos()}})
	return &rest.List
}

// typeSwitch rewrites `switch x := f(a).(type)`: what the expression needs comes ahead, behind the init statement.
func (r *rewriter) typeSwitch(s *ast.TypeSwitchStmt) (ahead []ast.Stmt, done ast.Stmt) {
	c := *s
	c.Init = r.one(s.Init)
	c.Body = r.clauses(s.Body, r.caseClause)
	o := r.orderer()
	assert := switched(s.Assign)
	x := r.inner(assert.X)
	if r.conflicts(assert.X) {
		if c.Init != nil {
			o.out = append(o.out, c.Init)
			c.Init = nil
		}
		x = o.expr(x)
	}
	if x != assert.X {
		a := *assert
		a.X = x
		c.Assign = withAssertion(s.Assign, same(r, &a, assert))
	}
	if c == *s {
		return nil, s
	}
	return o.out, &c
}

// switched is the assertion f(a).(type) of a type switch.
func switched(s ast.Stmt) *ast.TypeAssertExpr {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return ast.Unparen(s.Rhs[0]).(*ast.TypeAssertExpr)
	case *ast.ExprStmt:
		return ast.Unparen(s.X).(*ast.TypeAssertExpr)
	}
	return nil
}

// withAssertion is the assignment or expression of a type switch with another assertion.
func withAssertion(s ast.Stmt, e ast.Expr) ast.Stmt {
	if as, ok := s.(*ast.AssignStmt); ok {
		c := *as
		c.Rhs = []ast.Expr{e}
		return &c
	}
	return &ast.ExprStmt{X: e}
}
