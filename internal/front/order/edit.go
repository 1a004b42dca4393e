// SPDX-License-Identifier: BSD-3-Clause

package order

import (
	"go/ast"
	"go/types"
)

// Syntax is never changed, because it serves several attempts to load a program: what
// changes is copied, with all nodes above it.

// same gives a copy of an expression the entries of the original.
func same[E ast.Expr](r *rewriter, copied, original E) E {
	if tv, ok := r.info.Types[original]; ok {
		r.info.Types[copied] = tv
	}
	if sel, ok := ast.Expr(original).(*ast.SelectorExpr); ok {
		if s := r.info.Selections[sel]; s != nil {
			r.info.Selections[ast.Expr(copied).(*ast.SelectorExpr)] = s
		}
	}
	return copied
}

// edit applies f to the operands of an expression, in the order in which they are
// evaluated, and returns the expression itself if none has changed. Types, and the
// names of fields, are no operands.
func (r *rewriter) edit(e ast.Expr, f func(ast.Expr) ast.Expr) ast.Expr {
	if r.isConstant(e) || r.isType(e) {
		return e
	}
	if c, operand := copied(e); c != nil && !r.isQualified(e) {
		if x := f(*operand); x != *operand {
			*operand = x
			return same(r, c, e)
		}
		return e
	}
	switch e := e.(type) {
	case *ast.KeyValueExpr:
		return r.editKeyValue(e, f)
	case *ast.BinaryExpr:
		if x, y := f(e.X), f(e.Y); x != e.X || y != e.Y {
			c := *e
			c.X, c.Y = x, y
			return same(r, &c, e)
		}
	case *ast.IndexExpr:
		if r.isInstance(e.X) {
			return e
		}
		if x, i := f(e.X), f(e.Index); x != e.X || i != e.Index {
			c := *e
			c.X, c.Index = x, i
			return same(r, &c, e)
		}
	case *ast.SliceExpr:
		return r.editSlice(e, f)
	case *ast.CallExpr:
		return r.editCall(e, f)
	case *ast.CompositeLit:
		return r.editLiteral(e, f)
	}
	return e
}

// copied is a copy of an expression of one operand, and where the copy has it; nil if it is
// of another form.
func copied(e ast.Expr) (c ast.Expr, operand *ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		c := *e
		return &c, &c.X
	case *ast.SelectorExpr:
		c := *e
		return &c, &c.X
	case *ast.StarExpr:
		c := *e
		return &c, &c.X
	case *ast.UnaryExpr:
		c := *e
		return &c, &c.X
	case *ast.TypeAssertExpr:
		c := *e
		return &c, &c.X
	}
	return nil, nil
}

// isQualified says that an expression is another package's variable, or a method of a type.
func (r *rewriter) isQualified(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && (r.info.Selections[s] == nil || r.isType(s.X))
}

// editKeyValue edits `key: value`. A name of a field is no operand.
func (r *rewriter) editKeyValue(e *ast.KeyValueExpr, f func(ast.Expr) ast.Expr) ast.Expr {
	key := e.Key
	if !r.isFieldName(key) {
		key = f(key)
	}
	if v := f(e.Value); v != e.Value || key != e.Key {
		c := *e
		c.Key, c.Value = key, v
		return &c
	}
	return e
}

// editSlice edits `x[low:high:max]`, of which the bounds may be missing.
func (r *rewriter) editSlice(e *ast.SliceExpr, f func(ast.Expr) ast.Expr) ast.Expr {
	g := func(x ast.Expr) ast.Expr {
		if x == nil {
			return nil
		}
		return f(x)
	}
	c := *e
	c.X, c.Low, c.High, c.Max = f(e.X), g(e.Low), g(e.High), g(e.Max)
	if c == *e {
		return e
	}
	return same(r, &c, e)
}

// editCall edits a call: the function, unless it is a type or a built-in one, and then the arguments.
func (r *rewriter) editCall(e *ast.CallExpr, f func(ast.Expr) ast.Expr) ast.Expr {
	fun := e.Fun
	if !r.isType(fun) && r.builtin(e) == "" {
		fun = f(fun)
	}
	args := edited(e.Args, f)
	if fun == e.Fun && args == nil {
		return e
	}
	c := *e
	c.Fun = fun
	if args != nil {
		c.Args = args
	}
	return same(r, &c, e)
}

// editLiteral edits the elements of a composite literal.
func (r *rewriter) editLiteral(e *ast.CompositeLit, f func(ast.Expr) ast.Expr) ast.Expr {
	elts := edited(e.Elts, f)
	if elts == nil {
		return e
	}
	c := *e
	c.Elts = elts
	return same(r, &c, e)
}

// inner rewrites the function literals in an expression and nothing else.
func (r *rewriter) inner(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	lit, ok := e.(*ast.FuncLit)
	if !ok {
		return r.edit(e, r.inner)
	}
	sig, ok := r.info.TypeOf(lit).Underlying().(*types.Signature)
	if !ok {
		return e
	}
	body := r.function(sig, lit.Body)
	if body == lit.Body {
		return e
	}
	c := *lit
	c.Body = body
	return same(r, &c, lit)
}

// isConstant says whether an expression is a constant or nil: nothing is read for it.
func (r *rewriter) isConstant(e ast.Expr) bool {
	tv := r.info.Types[e]
	return tv.Value != nil || tv.IsNil()
}

// isType says whether an expression is a type, as T in T(x).
func (r *rewriter) isType(e ast.Expr) bool { return r.info.Types[e].IsType() }

// isInstance says whether e is a generic function, which an index instantiates.
func (r *rewriter) isInstance(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := r.info.Uses[e].(*types.Func)
		return ok
	case *ast.SelectorExpr:
		_, ok := r.info.Uses[e.Sel].(*types.Func)
		return ok
	}
	return false
}

// isFieldName says whether a key of a composite literal names a field.
func (r *rewriter) isFieldName(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := r.info.Uses[id].(*types.Var)
	return ok && v.IsField()
}

// builtin names the builtin function that e calls; "" if it calls none.
func (r *rewriter) builtin(e *ast.CallExpr) string {
	var id *ast.Ident
	switch fun := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return ""
	}
	if b, ok := r.info.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// isStatic says whether e names a function, so that nothing is read to call it.
func (r *rewriter) isStatic(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := r.info.Uses[e].(*types.Func)
		return ok
	case *ast.SelectorExpr:
		if s := r.info.Selections[e]; s != nil {
			return s.Kind() == types.MethodExpr
		}
		_, ok := r.info.Uses[e.Sel].(*types.Func)
		return ok
	case *ast.IndexExpr:
		return r.isInstance(e.X)
	case *ast.IndexListExpr:
		return r.isInstance(e.X)
	}
	return false
}

// method returns the selection if e calls a method of a value.
func (r *rewriter) method(e *ast.CallExpr) (*ast.SelectorExpr, bool) {
	sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	s := r.info.Selections[sel]
	return sel, s != nil && s.Kind() == types.MethodVal
}
