// SPDX-License-Identifier: BSD-3-Clause

package force

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A copy of a file asks for a turn before each access that operations can make. Texts are
// inserted, no line moves, so that the race detector and panics name the lines of the
// original. What asks is chosen by types: reads and writes of memory that is no local
// variable, the methods of sync and sync/atomic (asked when their arguments have been
// computed), operations on channels and maps.

// hooks is the name by which copies import package zz_forced.
const hooks = "zz_forced"

// edit inserts a text in place of some bytes.
type edit struct {
	at, drop int
	text     string
	opens    bool // it stands before what follows it
}

// rewriter makes the copy of one file.
type rewriter struct {
	fset  *token.FileSet
	info  *types.Info
	text  string
	name  string // of the file, without directories
	reach *reach
	edits []edit
	asked map[want]bool // the places where the copy asks, without threads
}

// rewrite gives a file's copy, and whether it differs.
func (r *rewriter) rewrite(f *ast.File, path string) (text string, changed bool) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			obj, ok := r.info.Defs[d.Name].(*types.Func)
			if ok && d.Body != nil && r.reach.functions[obj.FullName()] {
				r.stmt(d.Body)
			}
		case *ast.GenDecl:
			r.literals(d)
		}
	}
	if len(r.edits) == 0 {
		return r.text, false
	}
	r.insert(f.Name.End(), fmt.Sprintf("; import %s %q", hooks, path), false)
	slices.SortStableFunc(r.edits, func(a, b edit) int {
		if c := cmp.Compare(a.at, b.at); c != 0 {
			return c
		}
		switch {
		case a.opens == b.opens:
			return 0
		case a.opens:
			return 1
		}
		return -1
	})
	var b strings.Builder
	at := 0
	for _, e := range r.edits {
		if e.at < at {
			continue
		}
		b.WriteString(r.text[at:e.at])
		b.WriteString(e.text)
		at = e.at + e.drop
	}
	b.WriteString(r.text[at:])
	return b.String(), true
}

// literals rewrites the functions that package variables are set to.
func (r *rewriter) literals(d *ast.GenDecl) {
	ast.Inspect(d, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok {
			r.stmt(f.Body)
			return false
		}
		return true
	})
}

func (r *rewriter) offset(p token.Pos) int { return r.fset.PositionFor(p, false).Offset }

func (r *rewriter) insert(p token.Pos, text string, opens bool) {
	r.edits = append(r.edits, edit{r.offset(p), 0, text, opens})
}

// place is the arguments that name a place.
func (r *rewriter) place(p token.Pos, does string) string {
	line := r.fset.PositionFor(p, false).Line
	for _, line := range []int{line, 0} {
		r.asked[want{does: does, file: r.name, line: line}] = true
		r.asked[want{file: r.name, line: line}] = true
	}
	return fmt.Sprintf("%q, %d", r.name, line)
}

func (r *rewriter) stmt(s ast.Node) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			r.assign(n)
			return false
		case *ast.IncDecStmt:
			r.update(n, n.X, "1", map[token.Token]string{token.INC: "+", token.DEC: "-"}[n.Tok])
			return false
		case *ast.SendStmt:
			r.value(n.Chan, "channel")
			r.expr(n.Value)
			return false
		case *ast.SelectStmt:
			r.insert(n.Pos(), fmt.Sprintf("%s.Turn(%s, \"channel\"); ", hooks, r.place(n.Pos(), "channel")), true)
			for _, c := range n.Body.List { // what its cases wait for goes with it
				for _, s := range c.(*ast.CommClause).Body {
					r.stmt(s)
				}
			}
			return false
		case *ast.RangeStmt:
			r.expr(n.X)
			r.stmt(n.Body)
			return false
		case *ast.LabeledStmt, *ast.DeclStmt:
			return true
		case ast.Expr:
			r.expr(n)
			return false
		}
		return true
	})
}

func (r *rewriter) assign(n *ast.AssignStmt) {
	if n.Tok != token.ASSIGN && n.Tok != token.DEFINE { // x op= y
		op := strings.TrimSuffix(n.Tok.String(), "=")
		r.update(n, n.Lhs[0], "", op)
		return
	}
	before := len(r.edits)
	for _, x := range n.Rhs {
		r.expr(x)
	}
	inner := len(r.edits) > before
	for _, x := range n.Lhs {
		if n.Tok == token.DEFINE {
			continue
		}
		if !r.memory(x) {
			r.base(x)
			continue
		}
		at := r.place(x.Pos(), "write")
		switch {
		case inner && len(n.Lhs) == 1 && len(n.Rhs) == 1 && types.Identical(r.info.TypeOf(n.Lhs[0]), r.info.TypeOf(n.Rhs[0])):
			r.insert(x.Pos(), fmt.Sprintf("%s.Set(%s, &", hooks, at), true) // before what the place itself reads there
			r.base(x)
			r.edits = append(r.edits, edit{r.offset(n.TokPos), len("="), ",", true})
			r.insert(n.Rhs[0].End(), ")", false)
		default:
			r.insert(x.Pos(), fmt.Sprintf("*%s.P(%s, \"write\", &", hooks, at), true)
			r.base(x)
			r.insert(x.End(), ")", false)
		}
	}
}

// update is x op= y, or x++: a read and then a write.
func (r *rewriter) update(n ast.Stmt, x ast.Expr, one, op string) {
	at := ""
	if r.memory(x) && !calls(x) {
		at = r.place(x.Pos(), "write")
		r.place(x.Pos(), "read")
	}
	var y ast.Expr
	if a, ok := n.(*ast.AssignStmt); ok {
		y = a.Rhs[0]
	}
	if at == "" {
		r.base(x)
		if y != nil {
			r.expr(y)
		}
		return
	}
	text := r.text[r.offset(x.Pos()):r.offset(x.End())]
	value := one
	if y != nil {
		value = "(" + r.text[r.offset(y.Pos()):r.offset(y.End())] + ")"
	}
	whole := fmt.Sprintf("%s.Set(%s, &%s, *%s.P(%s, \"read\", &%s) %s %s)", hooks, at, text, hooks, at, text, op, value)
	r.edits = append(r.edits, edit{r.offset(n.Pos()), r.offset(n.End()) - r.offset(n.Pos()), whole, true})
}

func calls(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		found = found || call
		return true
	})
	return found
}

// value asks before a map or a channel is used.
func (r *rewriter) value(x ast.Expr, does string) {
	at := r.place(x.Pos(), does)
	r.insert(x.Pos(), fmt.Sprintf("%s.V(%s, %q, ", hooks, at, does), true)
	r.expr(x)
	r.insert(x.End(), ")", false)
}

// expr rewrites an expression that is evaluated.
func (r *rewriter) expr(x ast.Expr) {
	switch x := x.(type) {
	case nil:
	case *ast.FuncLit:
		r.stmt(x.Body)
	case *ast.CallExpr:
		r.call(x)
	case *ast.UnaryExpr:
		switch x.Op {
		case token.AND:
			r.base(x.X)
		case token.ARROW:
			r.value(x.X, "channel")
		default:
			r.expr(x.X)
		}
	case *ast.IndexExpr:
		if tv, ok := r.info.Types[x.X]; ok && tv.IsValue() {
			if _, isMap := tv.Type.Underlying().(*types.Map); isMap {
				r.value(x.X, "map")
				r.expr(x.Index)
				return
			}
			r.read(x)
		}
	case *ast.SelectorExpr, *ast.StarExpr, *ast.Ident:
		r.read(x)
	case *ast.CompositeLit:
		for _, e := range x.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			r.expr(e)
		}
	case *ast.BinaryExpr:
		r.expr(x.X)
		r.expr(x.Y)
	case *ast.ParenExpr:
		r.expr(x.X)
	case *ast.SliceExpr:
		if _, isArray := r.info.TypeOf(x.X).Underlying().(*types.Array); isArray {
			r.base(x.X)
		} else {
			r.expr(x.X)
		}
		for _, e := range []ast.Expr{x.Low, x.High, x.Max} {
			if e != nil {
				r.expr(e)
			}
		}
	case *ast.TypeAssertExpr:
		r.expr(x.X)
	}
}

// read asks before memory is read.
func (r *rewriter) read(x ast.Expr) {
	if !r.memory(x) {
		r.base(x)
		return
	}
	at := r.place(x.Pos(), "read")
	r.insert(x.Pos(), fmt.Sprintf("(*%s.P(%s, \"read\", &", hooks, at), true)
	r.base(x)
	r.insert(x.End(), "))", false)
}

// base rewrites what is evaluated to find a place in memory, not the place itself.
func (r *rewriter) base(x ast.Expr) {
	switch x := x.(type) {
	case *ast.SelectorExpr:
		if s := r.info.Selections[x]; s != nil {
			if pointer(r.info.TypeOf(x.X)) {
				r.expr(x.X)
			} else {
				r.base(x.X)
			}
		}
	case *ast.StarExpr:
		r.expr(x.X)
	case *ast.ParenExpr:
		r.base(x.X)
	case *ast.IndexExpr:
		switch r.info.TypeOf(x.X).Underlying().(type) {
		case *types.Map:
			r.value(x.X, "map")
		case *types.Array:
			r.base(x.X)
		case *types.Signature:
		default:
			r.expr(x.X)
		}
		if tv := r.info.Types[x.Index]; !tv.IsType() {
			r.expr(x.Index)
		}
	case *ast.CompositeLit, *ast.CallExpr:
		r.expr(x)
	}
}

func pointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// memory says that an expression is a place in memory that others may reach, and has an
// address: a field or element, what a pointer points to, a package variable.
func (r *rewriter) memory(x ast.Expr) bool {
	tv, ok := r.info.Types[x]
	if id, isName := x.(*ast.Ident); isName {
		v, isVar := r.info.Uses[id].(*types.Var)
		return isVar && !v.IsField() && v.Parent() == v.Pkg().Scope()
	}
	if !ok || !tv.Addressable() || !tv.IsValue() {
		return false
	}
	switch x := x.(type) {
	case *ast.SelectorExpr:
		s := r.info.Selections[x]
		if s == nil || s.Kind() != types.FieldVal {
			v, isVar := r.info.Uses[x.Sel].(*types.Var)
			return isVar && !v.IsField()
		}
		return s.Indirect() || pointer(r.info.TypeOf(x.X)) || r.memory(x.X)
	case *ast.IndexExpr:
		if _, isArray := r.info.TypeOf(x.X).Underlying().(*types.Array); isArray {
			return r.memory(x.X)
		}
		return true
	case *ast.StarExpr:
		return true
	case *ast.ParenExpr:
		return r.memory(x.X)
	}
	return false
}

// call rewrites a call: of a method of sync or sync/atomic it asks behind its arguments.
func (r *rewriter) call(x *ast.CallExpr) {
	fun, isSelector := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if tv := r.info.Types[x.Fun]; tv.IsType() || tv.IsBuiltin() {
		r.builtin(x)
		return
	}
	sig, _ := r.info.TypeOf(x.Fun).(*types.Signature)
	if does := r.synchronises(fun); isSelector && does != "" && sig != nil && !sig.Variadic() {
		at, shape := r.place(x.Pos(), does), fmt.Sprintf("%d%d", sig.Params().Len(), sig.Results().Len())
		if slices.Contains([]string{"00", "01", "10", "11", "21", "12", "20", "22", "31"}, shape) {
			if shape == "00" {
				r.place(x.Pos(), "back")
			}
			r.insert(x.Pos(), fmt.Sprintf("%s.C%s(%s, %q, ", hooks, shape, at, does), true)
			r.base(fun)
			r.insert(x.Lparen, ")", false)
			for _, a := range x.Args {
				r.expr(a)
			}
			return
		}
	}
	switch {
	case isSelector && r.info.Selections[fun] != nil && r.info.Selections[fun].Kind() == types.MethodVal:
		if recv := r.info.Selections[fun].Obj().(*types.Func).Signature().Recv(); pointer(recv.Type()) && !pointer(r.info.TypeOf(fun.X)) {
			r.base(fun.X)
		} else {
			r.expr(fun.X)
		}
	default:
		r.expr(x.Fun)
	}
	for _, a := range x.Args {
		r.expr(a)
	}
}

func (r *rewriter) builtin(x *ast.CallExpr) {
	name, _ := x.Fun.(*ast.Ident)
	for i, a := range x.Args {
		if tv := r.info.Types[a]; tv.IsType() {
			continue
		}
		t := r.info.TypeOf(a)
		switch {
		case i == 0 && name != nil && name.Name == "close":
			r.value(a, "channel")
		case i == 0 && t != nil && name != nil && name.Name != "append" && isMap(t):
			r.value(a, "map")
		default:
			r.expr(a)
		}
	}
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// synchronises says what a method of the library does to other goroutines: "atomic", "sync",
// or "" if it is none of these.
func (r *rewriter) synchronises(x *ast.SelectorExpr) string {
	if x == nil {
		return ""
	}
	s := r.info.Selections[x]
	if s == nil { // a function of a package
		if f, ok := r.info.Uses[x.Sel].(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() == "sync/atomic" {
			return "atomic"
		}
		return ""
	}
	if s.Kind() != types.MethodVal || s.Obj().Pkg() == nil || types.IsInterface(s.Recv()) {
		return ""
	}
	switch s.Obj().Pkg().Path() {
	case "sync/atomic":
		return "atomic"
	case "sync":
		return "sync"
	}
	return ""
}

// parse reads and checks the files of a package.
func (c *checked) parse(path string, imports types.Importer) (*types.Package, error) {
	c.fset = token.NewFileSet()
	c.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Defs: map[*ast.Ident]types.Object{}}
	for _, name := range c.names {
		f, err := parser.ParseFile(c.fset, name, c.texts[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		c.files = append(c.files, f)
	}
	conf := types.Config{Importer: imports}
	return conf.Check(path, c.fset, c.files, c.info)
}
