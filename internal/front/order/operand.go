// SPDX-License-Identifier: BSD-3-Clause

package order

import (
	"go/ast"
	"go/token"
	"go/types"
	"runtime"
)

// orderer collects what is executed ahead of the rest of a statement.
type orderer struct {
	*rewriter
	out []ast.Stmt
}

// orderer begins a statement, of which nothing is executed ahead yet.
func (r *rewriter) orderer() *orderer { return &orderer{rewriter: r} }

// copied evaluates e now and gives the variable that holds its value:
//
//	y = len(x.sl) + f(1)    becomes    value1 := len(x.sl); value2 := f(1); y = value1 + value2
func (o *orderer) copied(e ast.Expr) ast.Expr {
	if o.isConstant(e) {
		return e
	}
	t := o.info.TypeOf(e)
	if tuple, ok := t.(*types.Tuple); ok {
		if tuple.Len() == 0 {
			o.out = append(o.out, &ast.ExprStmt{X: e})
			return e
		}
		t = tuple.At(0).Type() // the comma-ok form of what has one value here
	}
	def, use := o.variable(t, e.Pos())
	o.out = append(o.out, define(e.Pos(), []ast.Expr{def}, e))
	return use
}

// cheap copies what is no variable or constant.
func (o *orderer) cheap(e ast.Expr) ast.Expr {
	switch x := ast.Unparen(e).(type) {
	case nil:
		return nil
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		if o.info.Selections[x] == nil {
			return x // another package's variable
		}
	}
	return o.copied(e)
}

// addressed copies what has no address, because gc passes it by address.
func (o *orderer) addressed(e ast.Expr) ast.Expr {
	if o.isAddressable(e) {
		return e
	}
	return o.copied(e)
}

// isAddressable says whether an expression stands for memory, so that gc can pass its address: x, *p, x.f, a[i], not m[k] or f().
func (o *orderer) isAddressable(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := o.info.Uses[e].(*types.Var)
		return ok
	case *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		if o.info.Selections[e] == nil {
			return true
		}
		return isPointer(o.info.TypeOf(e.X)) || o.isAddressable(e.X)
	case *ast.IndexExpr:
		switch o.info.TypeOf(e.X).Underlying().(type) {
		case *types.Slice, *types.Pointer:
			return true
		case *types.Array:
			return o.isAddressable(e.X)
		}
	}
	return false
}

// isPointer says whether a type is a pointer, by its underlying type.
func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// exprs orders operands one after the other.
func (o *orderer) exprs(list []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(list))
	for i, e := range list {
		out[i] = o.expr(e)
	}
	return out
}

// expr executes the calls in e and returns what is left to evaluate.
func (o *orderer) expr(e ast.Expr) ast.Expr {
	if e == nil || o.isConstant(e) || o.isType(e) {
		return e
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		done := o.edit(e, o.expr)
		if e.Op == token.ARROW {
			return o.copied(done)
		}
		return done
	case *ast.BinaryExpr:
		return o.binary(e)
	case *ast.IndexExpr:
		done := o.index(e)
		if o.instrumented && o.isEntry(e) {
			return o.copied(done)
		}
		return done
	case *ast.SliceExpr:
		return o.slice(e)
	case *ast.TypeAssertExpr:
		done := o.edit(e, o.expr)
		if isDirect(o.info.TypeOf(e)) && !o.instrumented {
			return done
		}
		return o.copied(done)
	case *ast.CallExpr:
		return o.callExpr(e)
	case *ast.CompositeLit:
		return o.literal(e)
	}
	return o.edit(e, o.expr)
}

// targets orders the places that are assigned to.
func (o *orderer) targets(list []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(list))
	for i, e := range list {
		if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok && o.isEntry(x) {
			out[i] = o.index(x)
		} else {
			out[i] = o.expr(e)
		}
	}
	return out
}

// isEntry says whether e is an entry of a map.
func (o *orderer) isEntry(e *ast.IndexExpr) bool {
	if o.isInstance(e.X) {
		return false
	}
	_, ok := o.info.TypeOf(e.X).Underlying().(*types.Map)
	return ok
}

// binary orders both sides of an operator. && and || may leave out the second one, and == may convert one side to the interface type of the
// other.
func (o *orderer) binary(e *ast.BinaryExpr) ast.Expr {
	switch e.Op {
	case token.LAND, token.LOR:
		return o.logical(e)
	case token.EQL, token.NEQ:
		return o.comparison(e)
	}
	return o.edit(e, o.expr)
}

// logical evaluates the second operand, and its calls, only if the first leaves it open:
//
//	println(x.n, y > 0 && f(1) > x.n)    becomes
//	value1 := y > 0
//	if value1 { value2 := f(1); value1 = value2 > x.n }
//	println(x.n, value1)
func (o *orderer) logical(e *ast.BinaryExpr) ast.Expr {
	x := o.expr(e.X)
	def, use := o.variable(o.info.TypeOf(e), e.Pos())
	o.out = append(o.out, define(e.Pos(), []ast.Expr{def}, x))
	inner := o.orderer()
	y := inner.expr(e.Y)
	inner.out = append(inner.out, &ast.AssignStmt{Lhs: []ast.Expr{use}, TokPos: e.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{y}})
	cond := ast.Expr(use)
	if e.Op == token.LOR {
		cond = o.not(use)
	}
	o.out = append(o.out, &ast.IfStmt{If: e.Pos(), Cond: cond, Body: &ast.BlockStmt{Lbrace: e.Pos(), List: inner.out, Rbrace: e.Pos()}})
	return use
}

// not makes the expression !e.
func (r *rewriter) not(e ast.Expr) ast.Expr {
	n := &ast.UnaryExpr{OpPos: e.Pos(), Op: token.NOT, X: e}
	r.info.Types[n] = types.TypeAndValue{Type: types.Default(r.info.TypeOf(e))}
	return n
}

// comparison orders operands that may be converted to each other's interface type, and
// copies structs and arrays that have no address.
func (o *orderer) comparison(e *ast.BinaryExpr) ast.Expr {
	tx, ty := o.info.TypeOf(e.X), o.info.TypeOf(e.Y)
	ordered := o.edit(e, func(x ast.Expr) ast.Expr {
		if x == e.Y {
			return o.converted(x, tx)
		}
		return o.converted(x, ty)
	})
	if types.IsInterface(tx) != types.IsInterface(ty) {
		return ordered
	}
	switch tx.Underlying().(type) {
	case *types.Struct, *types.Array:
		return o.edit(ordered, o.addressed)
	}
	return ordered
}

// converted orders a value that is assigned to type t.
func (o *orderer) converted(e ast.Expr, t types.Type) ast.Expr {
	done := o.expr(e)
	if e == nil || t == nil || o.isConstant(e) || !types.IsInterface(t) {
		return done
	}
	from := o.info.TypeOf(e)
	if _, tuple := from.(*types.Tuple); tuple || types.IsInterface(from) || !isPassedByAddress(from) {
		return done
	}
	return o.addressed(done)
}

var sizes = types.SizesFor("gc", runtime.GOARCH)

// isPassedByAddress says whether the address of a value of type t is what makes it an
// interface value: not if it fits a register.
func isPassedByAddress(t types.Type) bool {
	if _, generic := t.(*types.TypeParam); generic {
		return true
	}
	size, align := sizes.Sizeof(t), sizes.Alignof(t)
	if size == 2 && align == 2 || (size == 4 || size == 8) && align == size && !hasPointers(t) {
		return false
	}
	switch u := sole(t).Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString == 0
	case *types.Slice:
		return false
	}
	return true
}

// sole is the type of the only field or element, if there is only one.
func sole(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if u.NumFields() == 1 {
			return sole(u.Field(0).Type())
		}
	case *types.Array:
		if u.Len() == 1 {
			return sole(u.Elem())
		}
	}
	return t
}

// hasPointers says whether values of a type hold addresses: pointers, slices, maps and the like, and strings.
func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() > 0 && hasPointers(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if hasPointers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// isDirect says whether interface values hold values of type t themselves.
func isDirect(t types.Type) bool {
	switch u := sole(t).Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}

// index orders an element. A map's key that is passed by address is copied.
func (o *orderer) index(e *ast.IndexExpr) ast.Expr {
	if o.isInstance(e.X) {
		return e
	}
	m, ok := o.info.TypeOf(e.X).Underlying().(*types.Map)
	if !ok {
		return o.edit(e, o.expr)
	}
	return o.edit(e, func(x ast.Expr) ast.Expr {
		if x != e.Index {
			return o.expr(x)
		}
		return o.key(x, o.converted(x, m.Key()), m)
	})
}

// key is the key of a map: e, whose calls are done. A value that becomes an interface
// value has no address as such.
func (o *orderer) key(e, done ast.Expr, m *types.Map) ast.Expr {
	switch {
	case !isSlowKey(m) || o.isConstant(e):
		return done
	case types.IsInterface(m.Key()) && !types.IsInterface(o.info.TypeOf(e)):
		return o.copied(done)
	}
	return o.addressed(done)
}

// isSlowKey says whether the runtime has no fast functions for a map: those for keys of
// four or eight bytes and strings, with elements that are not too large.
func isSlowKey(m *types.Map) bool {
	if hasTypeParameter(m, nil) { // then the size is known to nobody here
		return true
	}
	if sizes.Sizeof(m.Elem()) > 128 {
		return true
	}
	key := sole(m.Key())
	if b, ok := key.Underlying().(*types.Basic); ok {
		if b.Info()&types.IsString != 0 {
			return false
		}
		if b.Info()&(types.IsFloat|types.IsComplex) != 0 {
			return true
		}
	}
	if types.IsInterface(key) {
		return true
	}
	size := sizes.Sizeof(key)
	return size != 4 && size != 8
}

// slice evaluates a slice expression at its place:
//
//	println(x.sl[x.n:], f(1))    becomes
//	value1 := x.n; value2 := x.sl[value1:]; value3 := f(1); println(value2, value3)
func (o *orderer) slice(e *ast.SliceExpr) ast.Expr {
	return o.copied(o.edit(e, func(x ast.Expr) ast.Expr {
		if x == e.X {
			return o.expr(x)
		}
		return o.cheap(o.expr(x))
	}))
}

// hasTypeParameter says whether a type depends on a type parameter, directly or in what it is made
// of; seen are named types that are being looked at.
func hasTypeParameter(t types.Type, seen []types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for _, s := range seen {
			if s == t {
				return false
			}
		}
		for a := range t.TypeArgs().Types() {
			if hasTypeParameter(a, append(seen, t)) {
				return true
			}
		}
		return hasTypeParameter(t.Underlying(), append(seen, t))
	case *types.Array:
		return hasTypeParameter(t.Elem(), seen)
	case *types.Map:
		return hasTypeParameter(t.Key(), seen) || hasTypeParameter(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			if hasTypeParameter(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}
