// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
)

// Uses are what the bodies of a package's functions show of its types, by the type's name, each with the function that shows it: "Generate calls
// atomic.LoadInt64". Only texts are looked at: a variable in a function that is named like a package or like a variable of the package is taken
// for that.
type Uses struct {
	// Synchronised are types with a method that calls a function of sync/atomic, or uses a variable of the package that sync or sync/atomic have made.
	Synchronised map[string]string
	// Made are types that a function returns whose body mentions sync or sync/atomic: closures that it makes may hold a lock.
	Made map[string]string
	// Apart are generic types with a method that tells types apart, or calls a function of the package that does: it asserts a type of a value that it
	// makes an interface for that, reflects, or asks for a size.
	Apart map[string]string
}

// Uses reads the package's files. One that cannot be parsed shows nothing.
func (p *Listed) Uses() *Uses {
	r := &useReader{guards: map[string]bool{}, apart: map[string]string{}}
	var files []*ast.File
	for _, name := range p.listed.GoFiles {
		if f, err := parser.ParseFile(token.NewFileSet(), name, p.source(name), parser.SkipObjectResolution); err == nil {
			files = append(files, f)
			r.variables(f)
		}
	}
	r.tellers(files)
	u := &Uses{map[string]string{}, map[string]string{}, map[string]string{}}
	for _, f := range files {
		imports := importsOf(f)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				r.function(u, fn, imports)
			}
		}
	}
	return u
}

type useReader struct {
	guards map[string]bool   // variables of the package with something of sync or sync/atomic
	apart  map[string]string // functions that tell types apart, and how
}

// importsOf are the paths of what a file imports, by name.
func importsOf(f *ast.File) map[string]string {
	out := map[string]string{}
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		out[name] = p
	}
	return out
}

// concurrency are the packages whose types and functions are for several goroutines.
var concurrency = []string{"sync", "sync/atomic"}

// mentions finds the first name of one of some packages in a node: "sync.Mutex"; "" if there is none.
func mentions(n ast.Node, imports map[string]string, paths ...string) (found string) {
	ast.Inspect(n, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok || found != "" {
			return found == ""
		}
		if id, ok := s.X.(*ast.Ident); ok && slices.Contains(paths, imports[id.Name]) {
			found = id.Name + "." + s.Sel.Name
		}
		return true
	})
	return found
}

// variables finds the guards of a file.
func (r *useReader) variables(f *ast.File) {
	imports := importsOf(f)
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			if mentions(spec, imports, concurrency...) != "" {
				for _, name := range spec.(*ast.ValueSpec).Names {
					r.guards[name.Name] = true
				}
			}
		}
	}
}

// tellers finds the functions without receivers that tell types apart, by themselves or by calling such a function.
func (r *useReader) tellers(files []*ast.File) {
	for more := true; more; {
		more = false
		for _, f := range files {
			imports := importsOf(f)
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil || fn.Recv != nil || fn.Type.TypeParams == nil || r.apart[fn.Name.Name] != "" {
					continue
				}
				if how := r.tells(fn.Body, imports); how != "" {
					r.apart[fn.Name.Name], more = how, true
				}
			}
		}
	}
}

// function adds what a function shows.
func (r *useReader) function(u *Uses, fn *ast.FuncDecl, imports map[string]string) {
	if fn.Recv == nil {
		if fn.Type.Results == nil {
			return
		}
		for _, result := range fn.Type.Results.List {
			if typ, what := BaseType(result.Type), mentions(fn.Body, imports, concurrency...); typ != "" && what != "" {
				u.Made[typ] = fn.Name.Name + " uses " + what
			}
		}
		return
	}
	if len(fn.Recv.List) != 1 {
		return
	}
	typ := BaseType(fn.Recv.List[0].Type)
	if what := mentions(fn.Body, imports, "sync/atomic"); what != "" {
		u.Synchronised[typ] = fn.Name.Name + " calls " + what
	} else if what := r.guard(fn.Body); what != "" {
		u.Synchronised[typ] = fn.Name.Name + " uses " + what
	}
	if how := r.tells(fn.Body, imports); how != "" && generic(fn.Recv.List[0].Type) {
		u.Apart[typ] = fn.Name.Name + " " + how
	}
}

// generic reports whether a receiver's type has type parameters.
func generic(receiver ast.Expr) (is bool) {
	ast.Inspect(receiver, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.IndexExpr, *ast.IndexListExpr:
			is = true
		}
		return !is
	})
	return is
}

// guard finds the first method call of a guard: "mu.Lock".
func (r *useReader) guard(body ast.Node) (found string) {
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && found == "" {
			if id, ok := s.X.(*ast.Ident); ok && r.guards[id.Name] {
				found = id.Name + "." + s.Sel.Name
			}
		}
		return found == ""
	})
	return found
}

// tells says how a function tells types apart; "" if it does not.
func (r *useReader) tells(body ast.Node, imports map[string]string) (how string) {
	if name := mentions(body, imports, "reflect"); name != "" {
		return "uses " + name
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeAssertExpr:
			if call, ok := n.X.(*ast.CallExpr); ok && len(call.Args) == 1 && isEmptyInterface(call.Fun) {
				how = "asserts a type"
			}
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && imports[id.Name] == "unsafe" && n.Sel.Name == "Sizeof" {
				how = "uses unsafe.Sizeof"
			}
		case *ast.CallExpr:
			fun := n.Fun
			if i, ok := fun.(*ast.IndexExpr); ok {
				fun = i.X
			}
			if id, ok := fun.(*ast.Ident); ok && r.apart[id.Name] != "" {
				how = "calls " + id.Name + ", which " + r.apart[id.Name]
			}
		}
		return how == ""
	})
	return how
}

// isEmptyInterface reports whether an expression is any or interface{}.
func isEmptyInterface(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "any"
	case *ast.ParenExpr:
		return isEmptyInterface(e.X)
	case *ast.InterfaceType:
		return e.Methods == nil || len(e.Methods.List) == 0
	}
	return false
}
