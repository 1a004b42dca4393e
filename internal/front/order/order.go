// SPDX-License-Identifier: BSD-3-Clause

// Package order rewrites typed syntax so that a left-to-right evaluation of it is the
// evaluation that Go's compiler chooses.
//
// The language orders calls, receive operations and logical operators among one
// another; when a variable is read beside them it leaves open. The compiler (gc)
// calls first: an expression's calls are executed into temporaries, in order, and what
// is left of it, with its reads of variables, fields, elements and map entries, is
// evaluated behind the last of them. x/tools' SSA reads from left to right. So
//
//	s.a[s.n] = s.bump(v)    becomes    t := s.bump(v); s.a[s.n] = t
//	println(x, f())         becomes    t := f(); println(x, t)
//
// It takes the files of a checked package, and its types.Info, and gives files that
// share all syntax that did not have to change; what is new has its entries in the same
// Info, and the positions of what it stands for. It follows gc's pass "order"
// (cmd/compile/internal/walk/order.go): which operations are copied at their place
// (len, slicing, conversions that take an address, ...) stands in operand.go,
// statement by statement the rest. A statement in which no read stands before a call is
// left as it is: both evaluations are the same.
//
// It also takes out what x/tools' SSA does and Go does not: the evaluation of an array
// in `for i := range x.a`, the assignment of a named result to itself in `return r`, and
// that of a variable in `x = x`.
//
// It does not say in which order the reads between two calls happen: nothing can tell,
// unless there is a data race. Nor does it order the panics of such reads.
package order

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// rewriter rewrites the functions of one package.
type rewriter struct {
	pkg  *types.Package
	info *types.Info
	// results are those of the function whose body is rewritten, nil if they have no
	// names.
	results *types.Tuple
	// relabelled are labels that have moved to a part of their statement, with those
	// that goto statements use instead.
	relabelled map[types.Object]*ast.Ident
	jumped     map[types.Object]bool // labels that a goto names
	variables  int                   // made so far
	// instrumented: entries of maps and what interfaces hold are copied at their place.
	instrumented bool
}

// Package rewrites the files of a package and its variables' initialisers: as gc evaluates
// them, or as it does when it instruments code for the race detector.
func Package(pkg *types.Package, files []*ast.File, info *types.Info, instrumented bool) []*ast.File {
	r := &rewriter{pkg: pkg, info: info, instrumented: instrumented}
	out := make([]*ast.File, len(files))
	for i, f := range files {
		out[i] = r.file(f)
	}
	return out
}

// file rewrites the functions and initialisers of a file; a file in which nothing changes is given back itself.
func (r *rewriter) file(f *ast.File) *ast.File {
	decls := edited(f.Decls, r.decl)
	if decls == nil {
		return f
	}
	g := *f
	g.Decls = decls
	r.info.FileVersions[&g] = r.info.FileVersions[f]
	return &g
}

// edited applies edit to a list and returns nil if nothing has changed.
func edited[T comparable](list []T, edit func(T) T) []T {
	var out []T
	for i, x := range list {
		y := edit(x)
		if y == x {
			continue
		}
		if out == nil {
			out = append([]T(nil), list...)
		}
		out[i] = y
	}
	return out
}

// decl rewrites the body of a function, or the initialisers of variables of the package.
func (r *rewriter) decl(d ast.Decl) ast.Decl {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Body == nil {
			return d
		}
		obj, ok := r.info.Defs[d.Name].(*types.Func)
		if !ok {
			return d
		}
		body := r.function(obj.Signature(), d.Body)
		if body == d.Body {
			return d
		}
		e := *d
		e.Body = body
		return &e
	case *ast.GenDecl:
		if d.Tok == token.VAR {
			return r.packageVars(d)
		}
	}
	return d
}

// packageVars rewrites the initialisers of package variables. One that needs
// statements becomes the call of a function literal.
func (r *rewriter) packageVars(d *ast.GenDecl) ast.Decl {
	specs := edited(d.Specs, func(s ast.Spec) ast.Spec {
		v, ok := s.(*ast.ValueSpec)
		if !ok {
			return s
		}
		values := edited(v.Values, r.initialiser)
		if values == nil {
			return s
		}
		w := *v
		w.Values = values
		return &w
	})
	if specs == nil {
		return d
	}
	e := *d
	e.Specs = specs
	return &e
}

// initialiser rewrites the initial value of a variable of the package: `var x = a + f()` becomes the call of a function literal that calls f
// first.
func (r *rewriter) initialiser(e ast.Expr) ast.Expr {
	done := r.inner(e)
	if t, tuple := r.info.TypeOf(e).(*types.Tuple); !tuple && r.conflicts(e) {
		o := r.orderer()
		value := o.expr(done)
		done = r.immediately(o.out, value)
	} else if tuple && r.conflicts(e) {
		o := r.orderer()
		value := o.tuple(done)
		temps := o.temps(value, t)
		done = r.immediately(o.out, temps...)
	}
	if done == e {
		return e
	}
	for i, init := range r.info.InitOrder {
		if init.Rhs == e {
			r.info.InitOrder[i] = &types.Initializer{Lhs: init.Lhs, Rhs: done}
		}
	}
	return done
}

// immediately makes the call of a function literal that executes statements and
// returns values.
func (r *rewriter) immediately(list []ast.Stmt, values ...ast.Expr) ast.Expr {
	pos := values[0].Pos()
	var results []*types.Var
	for _, v := range values {
		results = append(results, types.NewParam(pos, r.pkg, "", types.Default(r.info.TypeOf(v))))
	}
	sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(results...), false)
	list = append(list, &ast.ReturnStmt{Return: pos, Results: values})
	lit := &ast.FuncLit{Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{}, Results: &ast.FieldList{}},
		Body: &ast.BlockStmt{Lbrace: pos, List: list, Rbrace: pos}}
	for _, v := range results {
		lit.Type.Results.List = append(lit.Type.Results.List, &ast.Field{Type: r.typeName(v.Type(), pos)})
	}
	r.info.Types[lit], r.info.Types[lit.Type] = types.TypeAndValue{Type: sig}, types.TypeAndValue{Type: sig}
	call := &ast.CallExpr{Fun: lit, Lparen: pos, Rparen: pos}
	var typ types.Type = sig.Results()
	if len(results) == 1 {
		typ = results[0].Type()
	}
	r.info.Types[call] = types.TypeAndValue{Type: typ}
	return call
}

// typeName makes syntax that has a type.
func (r *rewriter) typeName(t types.Type, pos token.Pos) ast.Expr {
	id := &ast.Ident{NamePos: pos, Name: "type"}
	r.info.Types[id] = types.TypeAndValue{Type: t}
	return id
}

// function rewrites a function's body.
func (r *rewriter) function(sig *types.Signature, body *ast.BlockStmt) *ast.BlockStmt {
	inner := rewriter{pkg: r.pkg, info: r.info, instrumented: r.instrumented, relabelled: map[types.Object]*ast.Ident{}, jumped: r.jumps(body)}
	if res := sig.Results(); res.Len() > 0 && res.At(0).Name() != "" {
		inner.results = res
	}
	body = inner.block(body)
	if len(inner.relabelled) > 0 {
		inner.jumpElsewhere(body)
	}
	return body
}

// number makes a constant of type int.
func (r *rewriter) number(n int64, pos token.Pos) ast.Expr {
	lit := &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: constant.MakeInt64(n).String()}
	r.info.Types[lit] = types.TypeAndValue{Type: types.Typ[types.Int], Value: constant.MakeInt64(n)}
	return lit
}

// variable makes a variable of type t, defined by the first of the two identifiers;
// use makes more of the second kind.
func (r *rewriter) variable(t types.Type, pos token.Pos) (def, use *ast.Ident) {
	r.variables++
	v := types.NewVar(pos, r.pkg, fmt.Sprintf("value%d", r.variables), types.Default(t))
	def = &ast.Ident{NamePos: pos, Name: v.Name()}
	r.info.Defs[def] = v
	return def, r.use(v, pos)
}

// use makes an identifier that reads or writes v.
func (r *rewriter) use(v *types.Var, pos token.Pos) *ast.Ident {
	id := &ast.Ident{NamePos: pos, Name: v.Name()}
	r.info.Uses[id] = v
	return id
}

// define is the statement that gives new variables their values.
func define(pos token.Pos, def []ast.Expr, values ...ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: def, TokPos: pos, Tok: token.DEFINE, Rhs: values}
}
