// SPDX-License-Identifier: BSD-3-Clause

package order

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Statements: what has to be executed ahead of a statement so that its operands are read in gc's
// order is put before it; where only one statement can stand, in a block.

// block rewrites the statements of a block; nil stays nil.
func (r *rewriter) block(b *ast.BlockStmt) *ast.BlockStmt {
	if b == nil {
		return nil
	}
	list := r.stmts(b.List)
	if list == nil {
		return b
	}
	c := *b
	c.List = list
	return &c
}

// stmts rewrites a list of statements; nil if none has changed.
func (r *rewriter) stmts(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	changed := false
	for _, s := range list {
		ahead, done := r.stmt(s)
		out = append(append(out, ahead...), done)
		changed = changed || done != s || len(ahead) > 0
	}
	if !changed {
		return nil
	}
	return out
}

// one rewrites a statement for a place where only one can stand.
func (r *rewriter) one(s ast.Stmt) ast.Stmt {
	if s == nil {
		return nil
	}
	ahead, done := r.stmt(s)
	return r.together(ahead, done)
}

// together puts statements in front of another one, as a block: for places where one statement can stand only, as behind else.
//
//	else if x.n > f(y) { y-- }    becomes    else { value1 := f(y); if x.n > value1 { y-- } }
func (r *rewriter) together(ahead []ast.Stmt, s ast.Stmt) ast.Stmt {
	if len(ahead) == 0 {
		return s
	}
	return &ast.BlockStmt{Lbrace: s.Pos(), List: append(ahead, s), Rbrace: s.End()}
}

// stmt rewrites a statement: what is executed ahead of it, and itself.
func (r *rewriter) stmt(s ast.Stmt) (ahead []ast.Stmt, done ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return r.assignment(s)
	case *ast.ExprStmt:
		return r.exprStmt(s)
	case *ast.SendStmt:
		return r.send(s)
	case *ast.IncDecStmt:
		return r.incDec(s)
	case *ast.GoStmt:
		ahead, call := r.started(s.Call)
		if call == s.Call {
			return nil, s
		}
		return ahead, &ast.GoStmt{Go: s.Go, Call: call}
	case *ast.DeferStmt:
		ahead, call := r.started(s.Call)
		if call == s.Call {
			return nil, s
		}
		return ahead, &ast.DeferStmt{Defer: s.Defer, Call: call}
	case *ast.ReturnStmt:
		return r.returnStmt(s)
	case *ast.DeclStmt:
		return r.declStmt(s)
	case *ast.LabeledStmt:
		return r.labeled(s)
	}
	return r.compound(s)
}

// compound rewrites a statement that contains others.
func (r *rewriter) compound(s ast.Stmt) (ahead []ast.Stmt, done ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return nil, r.block(s)
	case *ast.IfStmt:
		return r.ifStmt(s)
	case *ast.ForStmt:
		return nil, r.forStmt(s)
	case *ast.RangeStmt:
		return r.rangeStmt(s)
	case *ast.SwitchStmt:
		return r.switchStmt(s)
	case *ast.TypeSwitchStmt:
		return r.typeSwitch(s)
	case *ast.SelectStmt:
		return r.selectStmt(s)
	}
	return nil, s
}

// exprStmt rewrites a call, or a receive operation, whose results nobody takes.
func (r *rewriter) exprStmt(s *ast.ExprStmt) ([]ast.Stmt, ast.Stmt) {
	x := r.inner(s.X)
	if r.conflicts(s.X) {
		o := r.orderer()
		x = o.tuple(x)
		return o.out, &ast.ExprStmt{X: x}
	}
	if x == s.X {
		return nil, s
	}
	return nil, &ast.ExprStmt{X: x}
}

// send rewrites `ch <- value`: the channel comes first, then the value.
//
//	x.ch <- f(1)    becomes    value1 := f(1); x.ch <- value1
func (r *rewriter) send(s *ast.SendStmt) ([]ast.Stmt, ast.Stmt) {
	c := *s
	c.Chan, c.Value = r.inner(s.Chan), r.inner(s.Value)
	o := r.orderer()
	if r.conflicts(s.Chan, s.Value) {
		c.Chan = o.expr(c.Chan)
		c.Value = o.converted(c.Value, elemOf(r.info.TypeOf(s.Chan)))
	}
	if c == *s {
		return nil, s
	}
	return o.out, &c
}

// elemOf is the type of what a channel carries; nil of any other type.
func elemOf(t types.Type) types.Type {
	if c, ok := t.Underlying().(*types.Chan); ok {
		return c.Elem()
	}
	return nil
}

// incDec rewrites `x++` and `x--`: of a[f()]++ the call is made once.
func (r *rewriter) incDec(s *ast.IncDecStmt) ([]ast.Stmt, ast.Stmt) {
	x := r.inner(s.X)
	o := r.orderer()
	if r.conflicts(s.X) {
		x = o.targets([]ast.Expr{x})[0]
	}
	if x == s.X {
		return nil, s
	}
	c := *s
	c.X = x
	return o.out, &c
}

// started rewrites the call of a go or defer statement.
func (r *rewriter) started(call *ast.CallExpr) ([]ast.Stmt, *ast.CallExpr) {
	done := r.inner(call).(*ast.CallExpr)
	s := scan{rewriter: r}
	s.call(call)
	if !s.conflict {
		return nil, done
	}
	o := r.orderer()
	c := o.operands(done)
	return o.out, c
}

// ifStmt rewrites an if statement. If calls of the condition come ahead, so does its init statement, which they may need.
//
//	if y := 1; x.n > f(y) { y++ }    becomes
//	y := 1; value1 := f(y); if x.n > value1 { y++ }
func (r *rewriter) ifStmt(s *ast.IfStmt) (ahead []ast.Stmt, done ast.Stmt) {
	c := *s
	c.Init, c.Cond, c.Body, c.Else = r.one(s.Init), r.inner(s.Cond), r.block(s.Body), r.one(s.Else)
	if r.conflicts(s.Cond) {
		if c.Init != nil {
			ahead = append(ahead, c.Init)
			c.Init = nil
		}
		o := r.orderer()
		c.Cond = o.expr(c.Cond)
		ahead = append(ahead, o.out...)
	}
	if c == *s {
		return nil, s
	}
	return ahead, &c
}

// forStmt evaluates a condition with statements at the beginning of the body:
//
//	for x.n < f(1) { y++ }    becomes    for { value1 := f(1); if !(x.n < value1) { break }; y++ }
func (r *rewriter) forStmt(s *ast.ForStmt) ast.Stmt {
	c := *s
	c.Init, c.Cond, c.Post, c.Body = r.one(s.Init), r.inner(s.Cond), r.one(s.Post), r.block(s.Body)
	if s.Cond != nil && r.conflicts(s.Cond) {
		o := r.orderer()
		cond := o.expr(c.Cond)
		leave := &ast.BranchStmt{TokPos: s.Cond.Pos(), Tok: token.BREAK}
		o.out = append(o.out, &ast.IfStmt{If: s.Cond.Pos(), Cond: r.not(cond),
			Body: &ast.BlockStmt{Lbrace: s.Cond.Pos(), List: []ast.Stmt{leave}, Rbrace: s.Cond.Pos()}})
		body := *c.Body
		body.List = append(o.out, c.Body.List...)
		c.Cond, c.Body = nil, &body
	}
	if c == *s {
		return s
	}
	return &c
}

// rangeStmt evaluates what is ranged over. Only the length of an array is needed if
// its elements are not, and that is a constant: of an array of 4 elements
//
//	for i := range x.p.a { y += i }    becomes    for i := range 4 { y += i }
func (r *rewriter) rangeStmt(s *ast.RangeStmt) (ahead []ast.Stmt, done ast.Stmt) {
	c := *s
	c.X, c.Body = r.inner(s.X), r.block(s.Body)
	if n, ok := r.lengthOnly(s); ok {
		c.X = r.number(n, s.X.Pos())
	} else if r.conflicts(s.X) {
		o := r.orderer()
		c.X = o.expr(c.X)
		ahead = o.out
	}
	r.rangeTargets(&c)
	if c == *s {
		return nil, s
	}
	return ahead, &c
}

// lengthOnly returns the length of the array that is ranged over if nothing else of it
// is evaluated: there is no second variable, not even a blank one.
func (r *rewriter) lengthOnly(s *ast.RangeStmt) (int64, bool) {
	if s.Value != nil || r.waits(s.X) {
		return 0, false
	}
	t := r.info.TypeOf(s.X).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	a, ok := t.(*types.Array)
	if !ok {
		return 0, false
	}
	return a.Len(), true
}

// isBlank says whether an expression is the blank identifier.
func isBlank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}

// rangeTargets assigns to variables of its own if the targets' calls do not come first.
func (r *rewriter) rangeTargets(s *ast.RangeStmt) {
	if s.Tok != token.ASSIGN || !r.targetsConflict(s.Key, s.Value) {
		return
	}
	var lhs, rhs []ast.Expr
	var ahead []ast.Stmt
	for _, e := range []*ast.Expr{&s.Key, &s.Value} {
		if *e == nil || isBlank(*e) {
			continue
		}
		def, use := r.variable(r.info.TypeOf(*e), (*e).Pos())
		lhs, rhs = append(lhs, *e), append(rhs, use)
		*e = def
	}
	first, assign := r.assignment(&ast.AssignStmt{Lhs: lhs, TokPos: s.TokPos, Tok: token.ASSIGN, Rhs: rhs})
	ahead = append(append(ahead, first...), assign)
	body := *s.Body
	body.List = append(ahead, s.Body.List...)
	s.Tok, s.Body = token.DEFINE, &body
}

// targetsConflict is conflicts for places that are assigned to: of `a[i], b[f()]` the index i is read.
func (r *rewriter) targetsConflict(list ...ast.Expr) bool {
	s := scan{rewriter: r}
	for _, e := range list {
		if e != nil {
			s.target(e)
		}
	}
	return s.conflict
}

// selectStmt evaluates channels and values of all cases ahead, one after the other.
func (r *rewriter) selectStmt(s *ast.SelectStmt) (ahead []ast.Stmt, done ast.Stmt) {
	conflict := false
	for _, clause := range s.Body.List {
		ch, value, _ := communication(clause.(*ast.CommClause).Comm)
		conflict = conflict || ch != nil && r.conflicts(ch) || value != nil && r.conflicts(value)
	}
	o := r.orderer()
	body := r.clauses(s.Body, func(clause ast.Stmt) ast.Stmt {
		c := *clause.(*ast.CommClause)
		c.Comm = r.comm(c.Comm, o, conflict)
		list := r.stmts(c.Body)
		if list != nil {
			c.Body = list
		} else if c.Comm == clause.(*ast.CommClause).Comm {
			return clause
		}
		return &c
	})
	if body == s.Body {
		return nil, s
	}
	return o.out, &ast.SelectStmt{Select: s.Select, Body: body}
}

// clauses edits the clauses of a switch or select.
func (r *rewriter) clauses(b *ast.BlockStmt, edit func(ast.Stmt) ast.Stmt) *ast.BlockStmt {
	list := edited(b.List, edit)
	if list == nil {
		return b
	}
	c := *b
	c.List = list
	return &c
}

// communication takes a select case apart: channel, value that is sent, and the receive
// operation if it is one.
func communication(s ast.Stmt) (ch, value ast.Expr, recv *ast.UnaryExpr) {
	switch s := s.(type) {
	case *ast.SendStmt:
		return s.Chan, s.Value, nil
	case *ast.ExprStmt:
		recv = ast.Unparen(s.X).(*ast.UnaryExpr)
	case *ast.AssignStmt:
		recv = ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr)
	default:
		return nil, nil, nil
	}
	return recv.X, nil, recv
}

// comm rewrites the communication of a clause. If one of the clauses has a conflict, the channels and values of all of them are evaluated
// ahead, in the order of the source.
func (r *rewriter) comm(s ast.Stmt, o *orderer, conflict bool) ast.Stmt {
	ch, value, recv := communication(s)
	if ch == nil {
		return s
	}
	newChan, newValue := r.inner(ch), r.inner(value)
	if conflict {
		newChan = o.copied(o.expr(newChan))
		if value != nil {
			newValue = o.copied(o.converted(newValue, elemOf(r.info.TypeOf(ch))))
		}
	}
	if newChan == ch && newValue == value {
		return s
	}
	if value != nil {
		return &ast.SendStmt{Chan: newChan, Arrow: s.(*ast.SendStmt).Arrow, Value: newValue}
	}
	c := *recv
	c.X = newChan
	x := same(r, &c, recv)
	if as, ok := s.(*ast.AssignStmt); ok {
		return &ast.AssignStmt{Lhs: as.Lhs, TokPos: as.TokPos, Tok: as.Tok, Rhs: []ast.Expr{x}}
	}
	return &ast.ExprStmt{X: x}
}
