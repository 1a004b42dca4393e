// SPDX-License-Identifier: BSD-3-Clause

package order

import (
	"go/ast"
	"go/types"
)

// callExpr evaluates a call, or another use of parentheses, at its place, unless it is
// an operation that gc does not treat as a call.
func (o *orderer) callExpr(e *ast.CallExpr) ast.Expr {
	if o.isType(e.Fun) {
		return o.conversion(e)
	}
	switch o.builtin(e) {
	case "Add", "Slice", "SliceData", "String", "StringData", "Sizeof", "Offsetof", "Alignof":
		return o.edit(e, o.expr) // package unsafe
	}
	return o.copied(o.operands(e))
}

// conversion orders T(x). A string becomes a slice at its place.
func (o *orderer) conversion(e *ast.CallExpr) ast.Expr {
	to := o.info.TypeOf(e)
	done := o.edit(e, func(x ast.Expr) ast.Expr { return o.converted(x, to) })
	_, slice := to.Underlying().(*types.Slice)
	from, basic := o.info.TypeOf(e.Args[0]).Underlying().(*types.Basic)
	if slice && basic && from.Info()&types.IsString != 0 {
		return o.copied(done)
	}
	return done
}

// operands orders what a call needs and returns the call, which is still to be made.
func (o *orderer) operands(e *ast.CallExpr) *ast.CallExpr {
	c := *e
	switch o.builtin(e) {
	case "":
		c.Fun = o.callee(e)
		c.Args = o.arguments(e)
	case "append":
		c.Args = append([]ast.Expr{o.expr(e.Args[0])}, o.added(e)...)
	case "panic":
		c.Args = []ast.Expr{o.converted(e.Args[0], types.NewInterfaceType(nil, nil))}
	case "delete":
		c.Args = o.exprs(e.Args)
		if m, ok := o.info.TypeOf(e.Args[0]).Underlying().(*types.Map); ok {
			c.Args[1] = o.key(e.Args[1], c.Args[1], m)
		}
	default:
		c.Args = o.exprs(e.Args)
	}
	return same(o.rewriter, &c, e)
}

// added orders what is appended.
func (o *orderer) added(e *ast.CallExpr) []ast.Expr {
	var elem types.Type
	if s, ok := o.info.TypeOf(e).Underlying().(*types.Slice); ok && !e.Ellipsis.IsValid() {
		elem = s.Elem()
	}
	var args []ast.Expr
	for _, a := range e.Args[1:] {
		args = append(args, o.converted(a, elem))
	}
	return args
}

// callee orders the function that is called, or the receiver of its method. One that
// comes out of a call itself is known before the arguments; one in a field is read behind them.
//
//	x.fn(f(1))    becomes    value1 := f(1); x.fn(value1)
func (o *orderer) callee(e *ast.CallExpr) ast.Expr {
	if o.isStatic(e.Fun) {
		return e.Fun
	}
	fun := e.Fun
	if sel, ok := o.method(e); ok {
		if s := o.info.Selections[sel]; !types.IsInterface(s.Recv()) {
			return o.edit(sel, o.expr) // the first argument
		}
		return o.edit(sel, func(x ast.Expr) ast.Expr {
			done := o.expr(x)
			if o.calls(x) {
				return o.copied(done)
			}
			return done
		})
	}
	done := o.expr(fun)
	if o.calls(fun) {
		return o.copied(done)
	}
	return done
}

// calls says whether e contains something that gc takes for a call, but in function
// literals.
func (o *orderer) calls(e ast.Expr) bool {
	found := o.waits(e)
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			switch o.builtin(n) {
			case "len", "cap", "complex", "imag", "real", "make", "max", "min", "Add", "Slice", "SliceData", "String", "StringData":
				found = found || !o.isConstant(n)
			}
		}
		return !found
	})
	return found
}

// arguments orders the arguments of a call. Those that another call returns become
// variables.
//
//	println(x.n, f(1), x.n)    becomes    value1 := f(1); println(x.n, value1, x.n)
func (o *orderer) arguments(e *ast.CallExpr) []ast.Expr {
	if len(e.Args) == 1 {
		if t, ok := o.info.TypeOf(e.Args[0]).(*types.Tuple); ok && t.Len() > 1 {
			if call, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr); ok {
				return o.temps(o.operands(call), t)
			}
		}
	}
	sig, _ := o.info.TypeOf(e.Fun).Underlying().(*types.Signature)
	args := make([]ast.Expr, len(e.Args))
	for i, a := range e.Args {
		args[i] = o.converted(a, parameter(sig, i, e.Ellipsis.IsValid()))
	}
	return args
}

// parameter is the type to which argument i is assigned, nil if it is not known.
func parameter(sig *types.Signature, i int, ellipsis bool) types.Type {
	if sig == nil {
		return nil
	}
	last := sig.Params().Len() - 1
	if !sig.Variadic() || i < last || ellipsis {
		return sig.Params().At(i).Type()
	}
	if s, ok := sig.Params().At(last).Type().(*types.Slice); ok {
		return s.Elem()
	}
	return nil
}

// temps evaluates an expression with several values and gives variables that hold them.
func (o *orderer) temps(e ast.Expr, t *types.Tuple) []ast.Expr {
	var defs, uses []ast.Expr
	for v := range t.Variables() {
		def, use := o.variable(v.Type(), e.Pos())
		defs, uses = append(defs, def), append(uses, use)
	}
	o.out = append(o.out, define(e.Pos(), defs, e))
	return uses
}

// tuple orders the operands of an expression with several values: a call, or one with
// a comma-ok form. It is still to be evaluated.
func (o *orderer) tuple(e ast.Expr) ast.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return o.operands(e)
	case *ast.IndexExpr:
		return o.index(e)
	default:
		return o.edit(e, o.expr)
	}
}

// literal orders the parts of a composite literal. Entries of a map are made one after
// the other, each as an assignment.
func (o *orderer) literal(e *ast.CompositeLit) ast.Expr {
	t := e.Type
	typ := o.info.TypeOf(e).Underlying()
	if p, ok := typ.(*types.Pointer); ok {
		typ = p.Elem().Underlying() // &T left out, inside another literal
	}
	if m, ok := typ.(*types.Map); ok && t != nil {
		return o.mapLiteral(e, m)
	}
	i := -1
	return o.edit(e, func(x ast.Expr) ast.Expr {
		i++
		kv, ok := x.(*ast.KeyValueExpr)
		if !ok {
			return o.converted(x, part(typ, i, nil))
		}
		v := o.converted(kv.Value, part(typ, i, o.info.Uses[fieldName(kv.Key)]))
		if v == kv.Value {
			return x
		}
		c := *kv
		c.Value = v
		return &c
	})
}

// fieldName is the name in `name: value` of a struct literal; nil if the key is another expression.
func fieldName(e ast.Expr) *ast.Ident {
	id, _ := e.(*ast.Ident)
	return id
}

// part is the type of a component of a composite value.
func part(t types.Type, i int, field types.Object) types.Type {
	switch t := t.(type) {
	case *types.Struct:
		if field != nil {
			return field.Type()
		}
		return t.Field(i).Type()
	case *types.Array:
		return t.Elem()
	case *types.Slice:
		return t.Elem()
	}
	return nil
}

// mapLiteral makes a map with the constant entries and then adds the others.
func (o *orderer) mapLiteral(e *ast.CompositeLit, m *types.Map) ast.Expr {
	made := *e
	made.Elts = nil
	var dynamic []*ast.KeyValueExpr
	for _, x := range e.Elts {
		kv := x.(*ast.KeyValueExpr)
		if o.isConstant(kv.Key) && o.isConstant(kv.Value) {
			made.Elts = append(made.Elts, kv)
		} else {
			dynamic = append(dynamic, kv)
		}
	}
	v := o.copied(same(o.rewriter, &made, e))
	for _, kv := range dynamic {
		entry := &ast.IndexExpr{X: v, Lbrack: kv.Pos(), Index: kv.Key, Rbrack: kv.Pos()}
		o.info.Types[entry] = types.TypeAndValue{Type: m.Elem()}
		o.out = append(o.out, o.assign(entry, kv.Value, kv.Colon)...)
	}
	return v
}
