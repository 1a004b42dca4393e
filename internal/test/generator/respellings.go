// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// rename gives locals, parameters, and what the package does not export other names. Types keep theirs, which a panic may print.
func (r *respeller) rename() {
	directives := ""
	for _, name := range r.names {
		for _, group := range r.files[name].Comments {
			directives += group.Text() + " "
			for _, c := range group.List {
				directives += c.Text + " "
			}
		}
	}
	implicit := map[types.Object]bool{} // the variables of type switches
	for _, obj := range r.info.Implicits {
		implicit[obj] = true
	}
	shows := r.shows()
	names := map[types.Object]string{}
	renamed := func(obj types.Object) string {
		if names[obj] == "" {
			names[obj] = r.name()
		}
		return names[obj]
	}
	can := func(obj types.Object) bool {
		if obj == nil || obj.Pkg() != r.pkg || obj.Name() == "_" || obj.Exported() || implicit[obj] || usesWord(directives, obj.Name()) {
			return false
		}
		switch obj := obj.(type) {
		case *types.Var:
			return !obj.Embedded() && (!obj.IsField() || !shows)
		case *types.Func:
			return obj.Name() != "init" && obj.Name() != "main" && obj.Signature().Recv() == nil
		}
		return false
	}
	r.each(func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		obj := r.info.Defs[id]
		if obj == nil {
			obj = r.info.Uses[id]
		}
		if v, ok := obj.(*types.Var); ok {
			obj = v.Origin()
		}
		if f, ok := obj.(*types.Func); ok {
			obj = f.Origin()
		}
		if can(obj) {
			r.change(id.Pos(), id.End(), renamed(obj))
		}
		return true
	})
}

// isPlain says that evaluating a place, if anything is evaluated, reads a variable of the function or package and no more.
func isPlain(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name != "_"
	case *ast.SelectorExpr:
		_, ok := e.X.(*ast.Ident)
		return ok
	}
	return false
}

// split puts a value into a variable before it is stored or returned.
func (r *respeller) split() {
	ok := func(v ast.Expr, to types.Type) bool {
		t := r.info.Types[v]
		return t.IsValue() && t.Value == nil && !t.IsNil() && to != nil && types.Identical(t.Type, to) && r.chosen()
	}
	r.functions(func(d *ast.FuncDecl) {
		results := []*types.Tuple{r.info.Defs[d.Name].Type().(*types.Signature).Results()}
		var visit func(n ast.Node) bool
		visit = func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				results = append(results, r.info.Types[n].Type.(*types.Signature).Results())
				ast.Inspect(n.Body, visit)
				results = results[:len(results)-1]
				return false
			case *ast.BlockStmt:
				for _, s := range n.List {
					r.splitStatement(s, results[len(results)-1], ok)
				}
			case *ast.CaseClause:
				for _, s := range n.Body {
					r.splitStatement(s, results[len(results)-1], ok)
				}
			}
			return true
		}
		ast.Inspect(d.Body, visit)
	})
}

func (r *respeller) splitStatement(s ast.Stmt, results *types.Tuple, ok func(ast.Expr, types.Type) bool) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok != token.ASSIGN || !isPlain(s.Lhs[0]) || !ok(s.Rhs[0], r.info.TypeOf(s.Lhs[0])) {
			return
		}
		if base := placed(s.Lhs[0]); base != nil && r.mayChange(base, s.Rhs[0]) {
			return // which place it is must not depend on when it is looked up
		}
		v := r.name()
		r.change(s.Pos(), s.End(), "var "+v+" "+r.typeText(r.info.TypeOf(s.Rhs[0]))+" = "+r.text(s.Rhs[0])+"\n"+r.text(s.Lhs[0])+" = "+v)
	case *ast.ReturnStmt:
		if len(s.Results) == 1 && results.Len() == 1 && ok(s.Results[0], results.At(0).Type()) {
			v := r.name()
			r.change(s.Pos(), s.End(), "var "+v+" "+r.typeText(r.info.TypeOf(s.Results[0]))+" = "+r.text(s.Results[0])+"\nreturn "+v)
		}
	}
}

// placed is the pointer behind which a field is; nil of a variable.
func placed(e ast.Expr) *ast.Ident {
	if s, ok := e.(*ast.SelectorExpr); ok {
		return s.X.(*ast.Ident)
	}
	return nil
}

// mayChange says that a pointer is not a function's own, or an expression has calls that may change it.
func (r *respeller) mayChange(base *ast.Ident, e ast.Expr) bool {
	obj := r.info.Uses[base]
	return obj == nil || obj.Parent() == r.pkg.Scope() || obj.Parent() == types.Universe
}

// wrap puts the bodies of methods into functions that are called at once.
func (r *respeller) wrap() {
	r.functions(func(d *ast.FuncDecl) {
		if d.Name.Name == "init" || d.Name.Name == "main" || !r.chosen() || r.recovers(d.Body) {
			return
		}
		results := ""
		if d.Type.Results != nil {
			results = r.text(d.Type.Results)
		}
		head, tail := "func() "+results+" {", "}()"
		if d.Type.Results != nil {
			head = "return " + head
		}
		if d.Type.Results != nil && len(d.Type.Results.List[0].Names) > 0 {
			// The results of the inner function have the names: those of the outer are never used.
			head = "\n" + head
		}
		r.insert(d.Body.Lbrace+1, "\n"+head)
		r.insert(d.Body.Rbrace, tail+"\n")
	})
}

// recovers says that a function asks for a panic itself: inside another function it would be asked for another one.
func (r *respeller) recovers(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			found = found || id.Name == "recover"
		}
		return !found
	})
	return found
}

// wrapStatements puts single statements into functions that are called at once.
func (r *respeller) wrapStatements() {
	r.statements(func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "panic" {
					return // a function may end with it
				}
			}
		case *ast.IncDecStmt, *ast.SendStmt:
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				return
			}
		default:
			return
		}
		recovers := false
		ast.Inspect(s, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			recovers = recovers || ok && id.Name == "recover"
			return true
		})
		if !recovers && r.chosen() {
			r.insert(s.Pos(), "func() { ")
			r.insert(s.End(), " }()")
		}
	})
}

// addFields gives structs a field that nobody uses.
func (r *respeller) addFields() {
	if r.shows() {
		return
	}
	grown := map[*types.Struct]bool{}
	r.each(func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		st, ok := spec.Type.(*ast.StructType)
		if !ok || len(st.Fields.List) == 0 || !r.chosen() {
			return true
		}
		grown[r.info.Defs[spec.Name].Type().Underlying().(*types.Struct)] = true
		r.insert(st.Fields.Closing, "\n"+r.name()+" int\n")
		return true
	})
	r.each(func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || len(lit.Elts) == 0 {
			return true
		}
		if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); keyed {
			return true
		}
		t := r.info.TypeOf(lit)
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok {
			t = named.Origin()
		}
		if st, ok := t.Underlying().(*types.Struct); ok && grown[st] {
			r.insert(lit.Elts[len(lit.Elts)-1].End(), ", 0")
		}
		return true
	})
}

// reorder writes functions and types in another order. Variables keep theirs, by which they are initialised, and so do functions
// of the name init.
func (r *respeller) reorder() {
	for _, name := range r.names {
		r.file = name
		var moved []ast.Node
		var texts []string
		for _, d := range r.files[name].Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.Name == "init" {
					continue
				}
				moved, texts = append(moved, d), append(texts, r.withDoc(d.Doc, d))
			case *ast.GenDecl:
				if d.Tok == token.TYPE {
					moved, texts = append(moved, d), append(texts, r.withDoc(d.Doc, d))
				}
			}
		}
		if len(moved) < 2 {
			continue
		}
		r.rng.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
		for i, n := range moved {
			from := n.Pos()
			switch d := n.(type) {
			case *ast.FuncDecl:
				if d.Doc != nil {
					from = d.Doc.Pos()
				}
			case *ast.GenDecl:
				if d.Doc != nil {
					from = d.Doc.Pos()
				}
			}
			r.change(from, n.End(), texts[i])
		}
	}
}

func (r *respeller) withDoc(doc *ast.CommentGroup, n ast.Node) string {
	if doc == nil {
		return r.text(n)
	}
	return r.text(doc) + "\n" + r.text(n)
}

// nameTypes gives arrays, slices, maps and channels that are types of fields a name.
func (r *respeller) nameTypes() {
	if r.shows() {
		return
	}
	r.each(func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.TypeParams != nil {
			return true
		}
		st, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, f := range st.Fields.List {
			switch f.Type.(type) {
			case *ast.ArrayType, *ast.MapType, *ast.ChanType:
			default:
				continue
			}
			if len(f.Names) == 0 || !r.chosen() {
				continue
			}
			name := r.name()
			text := r.text(f.Type)
			r.change(f.Type.Pos(), f.Type.End(), name)
			r.insert(r.files[r.file].End(), "\n\ntype "+name+" "+text+"\n")
		}
		return true
	})
}

// instantiate writes int for type parameters, where nothing else can be seen in the package.
func (r *respeller) instantiate() {
	for _, inst := range r.info.Instances {
		for t := range inst.TypeArgs.Types() {
			if _, ok := t.(*types.TypeParam); !ok && t != types.Typ[types.Int] {
				return // it is used with something else
			}
		}
	}
	generic := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		if !ok {
			return false
		}
		switch obj := r.info.Uses[id].(type) {
		case *types.TypeName:
			named, ok := obj.Type().(*types.Named)
			return ok && obj.Pkg() == r.pkg && named.TypeParams().Len() > 0
		case *types.Func:
			return obj.Pkg() == r.pkg && obj.Signature().TypeParams().Len() > 0
		}
		return false
	}
	r.each(func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if n.TypeParams != nil {
				r.change(n.TypeParams.Pos(), n.TypeParams.End(), "")
				ast.Inspect(n.Type, func(m ast.Node) bool { return r.instance(m, generic) })
				return false
			}
		case *ast.FuncDecl:
			if n.Type.TypeParams != nil {
				r.change(n.Type.TypeParams.Pos(), n.Type.TypeParams.End(), "")
			}
		case *ast.IndexExpr, *ast.IndexListExpr, *ast.Ident:
			return r.instance(n, generic)
		}
		return true
	})
	for _, name := range r.names { // "New[int]()" in what the comments say
		r.file = name
		for _, group := range r.files[name].Comments {
			for _, c := range group.List {
				if strings.Contains(c.Text, "New[int]()") && len(r.edits) > 0 {
					r.change(c.Pos(), c.End(), strings.ReplaceAll(c.Text, "New[int]()", "New()"))
				}
			}
		}
	}
}

// instance writes an instance of something generic without its arguments, and int for a parameter.
func (r *respeller) instance(n ast.Node, generic func(ast.Expr) bool) bool {
	switch n := n.(type) {
	case *ast.IndexExpr:
		if generic(n.X) {
			r.change(n.X.End(), n.End(), "")
			return false
		}
	case *ast.IndexListExpr:
		if generic(n.X) {
			r.change(n.X.End(), n.End(), "")
			return false
		}
	case *ast.Ident:
		if name, ok := r.info.Uses[n].(*types.TypeName); ok {
			if _, ok := name.Type().(*types.TypeParam); ok {
				r.change(n.Pos(), n.End(), "int")
			}
		}
	}
	return true
}

// turnConditions exchanges the branches of if statements.
func (r *respeller) turnConditions() {
	r.each(func(n ast.Node) bool {
		s, ok := n.(*ast.IfStmt)
		if !ok || !r.chosen() {
			return true
		}
		if other, ok := s.Else.(*ast.BlockStmt); ok {
			r.change(s.Cond.Pos(), s.End(), "!("+r.text(s.Cond)+") "+r.text(other)+" else "+r.text(s.Body))
			return false
		}
		if s.Else == nil && r.info.Types[s.Cond].Value == nil {
			r.change(s.Cond.Pos(), s.Body.Lbrace, "!("+r.text(s.Cond)+") {\n} else ")
		}
		return true
	})
}

// changeLoops writes loops in other ways.
func (r *respeller) changeLoops() {
	r.each(func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.ForStmt:
			switch {
			case !r.chosen():
			case s.Cond != nil && s.Init == nil && s.Post == nil:
				r.change(s.Cond.Pos(), s.Body.Lbrace+1, " {\nif !("+r.text(s.Cond)+") {\nbreak\n}\n")
			case s.Cond != nil && s.Post != nil && s.Init != nil:
				r.change(s.Cond.Pos(), s.Cond.End(), " ")
				r.insert(s.Body.Lbrace+1, "\nif !("+r.text(s.Cond)+") {\nbreak\n}\n")
			}
		case *ast.RangeStmt:
			t := r.info.Types[s.X]
			if t.Value == nil || t.Value.Kind() != constant.Int || s.Tok != token.DEFINE && s.Key != nil || !r.chosen() {
				return true
			}
			v := r.name()
			body := ""
			if key, ok := s.Key.(*ast.Ident); ok && key.Name != "_" {
				body = fmt.Sprintf("\n%s := %s\n", key.Name, v)
			}
			r.change(s.For, s.Body.Lbrace+1, fmt.Sprintf("for %s := 0; %s < %s; %s++ {%s", v, v, r.text(s.X), v, body))
		}
		return true
	})
}

// lengthen writes what stands for x++, and operands in parentheses.
func (r *respeller) lengthen() {
	r.each(func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			if r.chosen() {
				op := map[token.Token]string{token.INC: " += 1", token.DEC: " -= 1"}[n.Tok]
				r.change(n.TokPos, n.End(), op)
			}
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			s := r.info.Selections[sel]
			if s == nil || s.Kind() != types.MethodVal || s.Indirect() || len(s.Index()) != 1 || !r.chosen() {
				return true
			}
			if _, pointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer); pointer && !isPointer(s.Recv()) {
				r.insert(sel.X.Pos(), "(&")
				r.insert(sel.X.End(), ")")
			}
		}
		return true
	})
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
