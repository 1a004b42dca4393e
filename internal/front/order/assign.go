// SPDX-License-Identifier: BSD-3-Clause

package order

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// assignment rewrites `L = R`, with any number of sides, and `L op= R`:
//
//	x.a[x.n] = x.f(y)    becomes    value1 := x.f(y); x.a[x.n] = value1
func (r *rewriter) assignment(s *ast.AssignStmt) ([]ast.Stmt, ast.Stmt) {
	if r.assignsItself(s) {
		return nil, &ast.EmptyStmt{Semicolon: s.TokPos}
	}
	whole := s
	s = r.withoutBlanks(s)
	c := *s
	if lhs := edited(s.Lhs, r.inner); lhs != nil {
		c.Lhs = lhs
	}
	if rhs := edited(s.Rhs, r.inner); rhs != nil {
		c.Rhs = rhs
	}
	if !r.assignConflicts(s) {
		if sameList(c.Lhs, whole.Lhs) && sameList(c.Rhs, whole.Rhs) {
			return nil, whole
		}
		return nil, &c
	}
	o := r.orderer()
	if o.mapAppend(&c) || o.appendInPlace(&c) {
		return o.out, &c
	}
	if s.Tok != token.DEFINE {
		c.Lhs = o.targets(c.Lhs)
	}
	if len(c.Lhs) != len(c.Rhs) {
		o.several(&c)
		return o.out, &c
	}
	rhs := make([]ast.Expr, len(c.Rhs))
	for i, e := range c.Rhs {
		rhs[i] = o.converted(e, o.targetType(c.Lhs[i]))
	}
	c.Rhs = rhs
	return o.out, &c
}

// sameList says whether two lists are one slice, so that nothing has been rewritten.
func sameList(a, b []ast.Expr) bool { return len(a) == 0 || &a[0] == &b[0] }

// withoutBlanks leaves out of an assignment what it does not make.
func (r *rewriter) withoutBlanks(s *ast.AssignStmt) *ast.AssignStmt {
	left, right := made(r, s.Lhs, s.Rhs)
	if len(left) == len(s.Lhs) {
		return s
	}
	c := *s
	c.Lhs, c.Rhs = left, right
	return &c
}

// made is what an assignment or a declaration of several makes: a variable that is assigned to the blank
// identifier is not read, if something else is assigned as well.
func made[E ast.Expr](r *rewriter, left []E, right []ast.Expr) ([]E, []ast.Expr) {
	if len(left) != len(right) || !slices.ContainsFunc(left, func(e E) bool { return !isBlank(e) }) {
		return left, right
	}
	var to []E
	var from []ast.Expr
	for i, e := range left {
		if !isBlank(e) || !r.isVariable(right[i]) {
			to, from = append(to, e), append(from, right[i])
		}
	}
	return to, from
}

// isVariable says that an expression is a variable's plain name.
func (r *rewriter) isVariable(e ast.Expr) bool {
	_, plain := ast.Unparen(e).(*ast.Ident)
	return plain && r.named(e) != nil
}

// assignsItself says whether s is `x = x`, of which gc makes nothing if x is a variable.
func (r *rewriter) assignsItself(s *ast.AssignStmt) bool {
	if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return false
	}
	v := r.named(s.Lhs[0])
	return v != nil && v == r.named(s.Rhs[0])
}

// named is the variable that e names, nil if it is another expression.
func (r *rewriter) named(e ast.Expr) types.Object {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		if r.info.Selections[e] != nil {
			return nil
		}
		id = e.Sel
	default:
		return nil
	}
	if v, ok := r.info.Uses[id].(*types.Var); ok {
		return v
	}
	return nil
}

// mapAppend orders `m[k] = append(m[k], ...)`, whose map and key are evaluated once,
// ahead of what is appended:
//
//	x.m[x.n] = append(x.m[x.n], f(1))    becomes
//	value1 := x.m; value2 := x.n; value3 := f(1); value1[value2] = append(value1[value2], value3)
func (o *orderer) mapAppend(c *ast.AssignStmt) bool {
	l, ok := ast.Unparen(c.Lhs[0]).(*ast.IndexExpr)
	call, isCall := ast.Unparen(c.Rhs[0]).(*ast.CallExpr)
	if c.Tok != token.ASSIGN || len(c.Lhs) != 1 || !ok || !isCall || o.builtin(call) != "append" || !o.sameSafe(l, call.Args[0]) {
		return false
	}
	if _, isMap := o.info.TypeOf(l.X).Underlying().(*types.Map); !isMap {
		return false
	}
	entry := o.edit(o.index(l), o.cheap)
	app := *call
	app.Args = append([]ast.Expr{entry}, o.added(call)...)
	c.Lhs, c.Rhs = []ast.Expr{entry}, []ast.Expr{same(o.rewriter, &app, call)}
	return true
}

// appendInPlace orders `x.sl = append(x.sl, ...)`, of which gc computes the address on the left once, before it appends: in
// `(*p).sl = append((*p).sl, y)` the append may write the pointer *p. gc appends in this way neither all elements of another slice nor when it
// instruments code for the race detector: there the address is computed behind the append.
//
//	(*p).sl = append((*p).sl, f(1))    becomes    value1 := f(1); (*p).sl = append((*p).sl, value1)
func (o *orderer) appendInPlace(c *ast.AssignStmt) bool {
	call, isCall := ast.Unparen(c.Rhs[0]).(*ast.CallExpr)
	if c.Tok != token.ASSIGN || len(c.Lhs) != 1 || !isCall || o.builtin(call) != "append" || len(call.Args) < 2 ||
		call.Ellipsis.IsValid() || o.instrumented || !o.sameSafe(c.Lhs[0], call.Args[0]) {
		return false
	}
	c.Lhs = o.targets(c.Lhs)
	c.Rhs = []ast.Expr{o.operands(call)}
	return true
}

// sameSafe says whether two expressions are the same and can be evaluated as one.
func (o *orderer) sameSafe(a, b ast.Expr) bool {
	a, b = ast.Unparen(a), ast.Unparen(b)
	if x, y := o.info.Types[a].Value, o.info.Types[b].Value; x != nil && y != nil {
		return constant.Compare(x, token.EQL, y) && types.Identical(o.info.TypeOf(a), o.info.TypeOf(b))
	}
	switch a := a.(type) {
	case *ast.Ident:
		b, ok := b.(*ast.Ident)
		return ok && o.info.Uses[a] == o.info.Uses[b]
	case *ast.SelectorExpr:
		b, ok := b.(*ast.SelectorExpr)
		if !ok || o.info.Uses[a.Sel] != o.info.Uses[b.Sel] {
			return false
		}
		return o.info.Selections[a] == nil || o.sameSafe(a.X, b.X)
	case *ast.StarExpr:
		b, ok := b.(*ast.StarExpr)
		return ok && o.sameSafe(a.X, b.X)
	case *ast.IndexExpr:
		b, ok := b.(*ast.IndexExpr)
		return ok && o.sameSafe(a.X, b.X) && o.sameSafe(a.Index, b.Index)
	case *ast.UnaryExpr:
		b, ok := b.(*ast.UnaryExpr)
		return ok && a.Op == b.Op && a.Op != token.ARROW && a.Op != token.AND && o.sameSafe(a.X, b.X)
	case *ast.BinaryExpr:
		b, ok := b.(*ast.BinaryExpr)
		arithmetic := a.Op.Precedence() > token.EQL.Precedence()
		return ok && a.Op == b.Op && arithmetic && o.sameSafe(a.X, b.X) && o.sameSafe(a.Y, b.Y)
	case *ast.CallExpr:
		b, ok := b.(*ast.CallExpr)
		return ok && o.isType(a.Fun) && o.isType(b.Fun) && types.Identical(o.info.TypeOf(a), o.info.TypeOf(b)) && o.sameSafe(a.Args[0], b.Args[0])
	}
	return false
}

// several orders an assignment of an expression with several values. They reach the
// left sides' places when these are known, which is behind the evaluation:
//
//	x.n, y = two(x.n, f(1))    becomes
//	value1 := f(1); value2, value3 := two(x.n, value1); x.n, y = value2, value3
func (o *orderer) several(c *ast.AssignStmt) {
	value := o.tuple(c.Rhs[0])
	c.Rhs = []ast.Expr{value}
	if t, ok := o.info.TypeOf(value).(*types.Tuple); ok && c.Tok != token.DEFINE {
		c.Rhs = o.temps(value, t)
	}
}

// assignConflicts says whether the calls in an assignment have to be made ahead of reads on either side: in `a[i] = f()` of i, which f may
// change.
func (r *rewriter) assignConflicts(s *ast.AssignStmt) bool {
	sc := scan{rewriter: r}
	if s.Tok != token.DEFINE {
		for _, e := range s.Lhs {
			sc.target(e)
		}
	}
	sc.list(s.Rhs)
	return sc.conflict
}

// targetType is the type of what is assigned to, nil if anything can be.
func (r *rewriter) targetType(e ast.Expr) types.Type {
	if isBlank(e) {
		return nil
	}
	if id, ok := e.(*ast.Ident); ok {
		if obj := r.info.ObjectOf(id); obj != nil {
			return obj.Type()
		}
	}
	return r.info.TypeOf(e)
}

// assign rewrites an assignment that the package made itself.
func (o *orderer) assign(l, v ast.Expr, pos token.Pos) []ast.Stmt {
	ahead, done := o.assignment(&ast.AssignStmt{Lhs: []ast.Expr{l}, TokPos: pos, Tok: token.ASSIGN, Rhs: []ast.Expr{v}})
	return append(ahead, done)
}

// declStmt rewrites the initialisers of local variables; each of a group gets a
// statement of its own if one of them needs statements ahead.
func (r *rewriter) declStmt(s *ast.DeclStmt) ([]ast.Stmt, ast.Stmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return nil, s
	}
	var out []ast.Stmt
	changed := false
	for _, spec := range d.Specs {
		ahead, done := r.valueSpec(spec.(*ast.ValueSpec))
		out = append(append(out, ahead...), &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: d.TokPos, Tok: token.VAR, Specs: []ast.Spec{done}}})
		changed = changed || done != spec
	}
	if !changed {
		return nil, s
	}
	return out[:len(out)-1], out[len(out)-1]
}

// valueSpec rewrites `x, y = a, b` of a declaration; ahead of it come the statements that it needs.
func (r *rewriter) valueSpec(v *ast.ValueSpec) ([]ast.Stmt, *ast.ValueSpec) {
	v = r.withoutBlankNames(v)
	values := edited(v.Values, r.inner)
	o := r.orderer()
	if r.conflicts(v.Values...) {
		if values == nil {
			values = append(values, v.Values...)
		}
		for i, e := range values {
			if len(values) != len(v.Names) {
				values[i] = o.tuple(e)
			} else {
				values[i] = o.converted(e, r.targetType(v.Names[i]))
			}
		}
	}
	if values == nil {
		return nil, v
	}
	c := *v
	c.Values = values
	return o.out, &c
}

// withoutBlankNames is withoutBlanks of a declaration.
func (r *rewriter) withoutBlankNames(v *ast.ValueSpec) *ast.ValueSpec {
	names, values := made(r, v.Names, v.Values)
	if len(names) == len(v.Names) {
		return v
	}
	c := *v
	c.Names, c.Values = names, values
	return &c
}

// returnStmt rewrites what is returned. A named result that is returned as itself is
// not assigned.
//
//	return x.n, f(1)    becomes    value1 := f(1); return x.n, value1
func (r *rewriter) returnStmt(s *ast.ReturnStmt) ([]ast.Stmt, ast.Stmt) {
	if len(s.Results) == 0 {
		return nil, s
	}
	if r.returnsItself(s) {
		return r.returnNamed(s)
	}
	c := *s
	if res := edited(s.Results, r.inner); res != nil {
		c.Results = res
	}
	if !r.conflicts(s.Results...) {
		if sameList(c.Results, s.Results) {
			return nil, s
		}
		return nil, &c
	}
	o := r.orderer()
	if _, ok := r.info.TypeOf(s.Results[0]).(*types.Tuple); ok && len(s.Results) == 1 {
		c.Results = []ast.Expr{o.tuple(c.Results[0])}
	} else {
		c.Results = o.exprs(c.Results)
	}
	return o.out, &c
}

// returnsItself says whether one of the results is the result's own variable.
func (r *rewriter) returnsItself(s *ast.ReturnStmt) bool {
	if r.results == nil || len(s.Results) != r.results.Len() {
		return false
	}
	for i := range s.Results {
		if r.isResult(s.Results[i], i) {
			return true
		}
	}
	return false
}

// isResult says whether e is the variable of result i.
func (r *rewriter) isResult(e ast.Expr, i int) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && r.info.Uses[id] == types.Object(r.results.At(i))
}

// returnNamed assigns the other results and returns: of the results r and q
//
//	return r, x.n    becomes    q = x.n; return
func (r *rewriter) returnNamed(s *ast.ReturnStmt) ([]ast.Stmt, ast.Stmt) {
	as := &ast.AssignStmt{TokPos: s.Return, Tok: token.ASSIGN}
	for i, e := range s.Results {
		if !r.isResult(e, i) {
			result := r.use(r.results.At(i), s.Return)
			if result.Name == "_" { // it has a variable, which an assignment to _ would pass over
				result.Name = "result"
			}
			as.Lhs, as.Rhs = append(as.Lhs, result), append(as.Rhs, e)
		}
	}
	done := &ast.ReturnStmt{Return: s.Return}
	if len(as.Lhs) == 0 {
		return nil, done
	}
	ahead, assign := r.assignment(as)
	return append(ahead, assign), done
}
