// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Test files show how a package's types are made and used. They are read, not compiled.

// TestFilesIn are the names of all test files in a directory, whatever their build constraints.
func TestFilesIn(dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // a directory that cannot be read has none
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names
}

// TestCall is a call of a function of the package in a test file, as source of the package: without
// the package's name.
type TestCall struct {
	Func string
	Expr string // "NewCache(2, Config{Size: 1})"
	At   string // "cache_test.go:12"
}

// TestCalls are the calls of exported functions of the package in its test files, those in examples
// first, each text once. A variable declared in the same function is replaced by its value. Calls
// are left out if they cannot be parsed, or if a name in them would mean something else in the
// package, or nothing: loop variables, parameters, what an external test declares.
func (p *Listed) TestCalls() (list []TestCall) {
	var rest []TestCall
	for _, parsed := range p.testFiles() {
		f, fset := parsed.file, parsed.set
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			c := &callReader{pkg: p.Name, outside: f.Name.Name != p.Name, file: fset, declared: declaredIn(fn.Body), bound: boundIn(fn)}
			ast.Inspect(fn.Body, c.visit)
			if strings.HasPrefix(fn.Name.Name, "Example") {
				list = append(list, c.calls...)
			} else {
				rest = append(rest, c.calls...)
			}
		}
	}
	known := map[string]bool{}
	return slices.DeleteFunc(append(list, rest...), func(c TestCall) bool {
		was := known[c.Expr]
		known[c.Expr] = true
		return was
	})
}

// testFile is a test file that was parsed.
type testFile struct {
	file *ast.File
	set  *token.FileSet
}

// testFiles parses the package's test files, by name: its own, then those of package p_test. A
// package given as files has none.
func (p *Listed) testFiles() iter.Seq2[string, testFile] {
	return func(yield func(string, testFile) bool) {
		if p.Path == "command-line-arguments" {
			return
		}
		dir := p.Directory()
		for _, name := range TestFilesIn(dir) {
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
			if err != nil || f.Name.Name != p.Name && f.Name.Name != p.Name+"_test" {
				continue
			}
			if !yield(name, testFile{f, set}) {
				return
			}
		}
	}
}

// TestText is a string literal in a test file that is the argument of a method: argument Index of
// Method.
type TestText struct {
	Method string
	Arg    int
	Text   string
	At     string
}

// TestTexts are the string literals that test files pass to methods, each once, in the order of the
// files.
func (p *Listed) TestTexts() (list []TestText) {
	known := map[string]bool{}
	for name, parsed := range p.testFiles() {
		f, fset := parsed.file, parsed.set
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			for i, a := range call.Args {
				lit, is := a.(*ast.BasicLit)
				if !ok || !is || lit.Kind != token.STRING || strings.Contains(lit.Value, "\n") {
					continue
				}
				if key := fmt.Sprintf("%s %d %s", sel.Sel.Name, i, lit.Value); !known[key] {
					known[key] = true
					list = append(list, TestText{sel.Sel.Name, i, lit.Value, fmt.Sprintf("%s:%d", name, fset.Position(lit.Pos()).Line)})
				}
			}
			return true
		})
	}
	return list
}

// declaredIn are the values of variables that a function declares once, alone (cfg := Config{}),
// and does not assign again, nor a part of them.
func declaredIn(body *ast.BlockStmt) map[string]ast.Expr {
	values, parts := declaredOnce(body)
	for name := range parts {
		delete(values, name)
	}
	return values
}

// declaredOnce are the values of variables that a function declares once, alone, and does not
// assign again, and the names of variables of which it assigns a part.
func declaredOnce(body *ast.BlockStmt) (values map[string]ast.Expr, parts map[string]bool) {
	values, parts = map[string]ast.Expr{}, map[string]bool{}
	times := map[string]int{}
	ast.Inspect(body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for i, left := range a.Lhs {
				id, ok := left.(*ast.Ident)
				if !ok {
					if id = first(left); id != nil {
						parts[id.Name] = true
					}
					continue
				}
				if times[id.Name]++; len(a.Lhs) == len(a.Rhs) && a.Tok == token.DEFINE {
					values[id.Name] = a.Rhs[i]
				}
			}
		}
		return true
	})
	for name := range values {
		if times[name] != 1 {
			delete(values, name)
		}
	}
	return values, parts
}

// first is the variable of which an expression is a part: s of s.items[0]. nil if there is none.
func first(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return first(e.X)
	case *ast.IndexExpr:
		return first(e.X)
	case *ast.StarExpr:
		return first(e.X)
	}
	return nil
}

// callReader collects the calls in one function.
type callReader struct {
	pkg      string // the package's name
	outside  bool   // the file belongs to package p_test
	file     *token.FileSet
	declared map[string]ast.Expr
	bound    map[string]bool // names that the function declares
	calls    []TestCall
}

func (c *callReader) visit(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return true
	}
	callee := call.Fun
	switch x := callee.(type) {
	case *ast.IndexExpr:
		callee = x.X
	case *ast.IndexListExpr:
		callee = x.X
	}
	id, ok := callee.(*ast.Ident)
	if sel, is := callee.(*ast.SelectorExpr); is && c.outside {
		if x, is := sel.X.(*ast.Ident); is && x.Name == c.pkg {
			id, ok = sel.Sel, true
		}
	} else if c.outside {
		ok = false
	}
	if !ok || !id.IsExported() {
		return true
	}
	const longest = 200
	var args []string
	for _, a := range call.Args {
		args = append(args, c.text(a, 0))
	}
	expr := c.text(call.Fun, 0) + "(" + strings.Join(args, ", ")
	if call.Ellipsis.IsValid() {
		expr += "..."
	}
	if expr += ")"; len(expr) <= longest && !strings.Contains(expr, "\n") {
		at := c.file.Position(call.Pos())
		c.calls = append(c.calls, TestCall{Func: id.Name, Expr: expr, At: fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)})
	}
	return true
}

// text is an expression as the package's own source would have it.
func (c *callReader) text(e ast.Expr, depth int) string {
	if id, ok := e.(*ast.Ident); ok && c.declared[id.Name] != nil && depth < 3 {
		return c.text(c.declared[id.Name], depth+1)
	}
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		if id, ok := u.X.(*ast.Ident); ok && c.declared[id.Name] != nil && depth < 3 {
			return "&" + c.text(c.declared[id.Name], depth+1)
		}
	}
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), e); err != nil || c.foreign(e) {
		return "\n" // a text that is left out
	}
	text := joinedLines(b.String())
	if c.outside {
		text = withoutName(text, c.pkg)
	}
	return text
}

// foreign reports whether an expression contains a name that is neither the package's nor predeclared.
func (c *callReader) foreign(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); !ok || c.bound[x.Name] {
				found = found || c.foreign(n.X)
			}
			return false // a name behind a point is a field, a method, or a name of another package
		case *ast.CompositeLit:
			found = found || n.Type != nil && c.foreign(n.Type) || slices.ContainsFunc(n.Elts, func(e ast.Expr) bool { return c.foreignElement(n, e) })
			return false
		case *ast.Ident:
			found = found || c.bound[n.Name] || c.outside && types.Universe.Lookup(n.Name) == nil
		}
		return !found
	})
	return found
}

// foreignElement is foreign for an element of a composite literal, whose key may be the name of a
// field.
func (c *callReader) foreignElement(of *ast.CompositeLit, e ast.Expr) bool {
	kv, ok := e.(*ast.KeyValueExpr)
	if !ok {
		return c.foreign(e)
	}
	_, name := kv.Key.(*ast.Ident)
	_, isMap := of.Type.(*ast.MapType)
	return c.foreign(kv.Value) || (!name || isMap) && c.foreign(kv.Key)
}

// boundIn are all names that a function declares: parameters, variables, constants, types.
func boundIn(fn *ast.FuncDecl) map[string]bool {
	bound := map[string]bool{}
	add := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok {
				bound[id.Name] = true
			}
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				add(n.Key, n.Value)
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				add(id)
			}
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.Field:
			for _, id := range n.Names {
				add(id)
			}
		}
		return true
	})
	return bound
}

// joinedLines makes a composite literal of several lines one line; other texts of several lines
// stay as they are.
func joinedLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.Join(strings.Fields(l), " ")
		if i > 0 && i < len(lines)-1 && !strings.HasSuffix(lines[i], ",") && !strings.HasSuffix(lines[i], "{") {
			return s
		}
	}
	joined := strings.Join(lines, " ")
	return strings.ReplaceAll(strings.ReplaceAll(joined, "{ ", "{"), ", }", "}")
}

// withoutName removes the qualifier of a package from an expression.
func withoutName(text, pkg string) string {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return text
	}
	var at []int
	ast.Inspect(e, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == pkg {
				at = append(at, int(x.Pos())-1)
			}
		}
		return true
	})
	slices.Sort(at)
	for _, i := range slices.Backward(at) {
		text = text[:i] + text[i+len(pkg)+1:]
	}
	return text
}

// Returned maps functions of the package that return an interface to the type that they return in
// each case, by their names: all return statements return &T{…}, T{…} or new(T), or a variable
// declared as one of these. Held lists those that return a struct in a field of which there is a
// pointer to another one: return &T{inner}, where inner := new(U).
func (p *Listed) Returned() (returned map[string]string, held []Held) {
	returned = map[string]string{}
	for _, name := range p.listed.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), name, p.source(name), parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Body == nil || fn.Type.Results == nil {
				continue
			}
			typ, last := returnedBy(fn)
			if typ == "" {
				continue
			}
			returned[fn.Name.Name] = typ
			held = append(held, heldIn(fn, typ, last)...)
		}
	}
	return returned, held
}

// Held says that a function returns a struct, or a pointer to it, in whose field there is a pointer
// to a struct of another type.
type Held struct {
	Func    string
	In      string // the struct's type
	Field   string // "": the one with the index
	Index   int
	Pointed string // the type
}

// heldIn lists what stands in the fields of what a function returns in its only return statement.
func heldIn(fn *ast.FuncDecl, typ string, returned ast.Expr) (out []Held) {
	if returned == nil {
		return nil
	}
	if u, ok := returned.(*ast.UnaryExpr); ok {
		returned = u.X
	}
	lit, ok := returned.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	declared, _ := declaredOnce(fn.Body)
	for i, e := range lit.Elts {
		h := Held{Func: fn.Name.Name, In: typ, Index: i}
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			id, ok := kv.Key.(*ast.Ident)
			if !ok {
				return nil
			}
			h.Field, e = id.Name, kv.Value
		}
		if id, ok := e.(*ast.Ident); ok && declared[id.Name] != nil {
			e = declared[id.Name]
		}
		switch e := e.(type) {
		case *ast.UnaryExpr, *ast.CallExpr: // &U{…}, new(U)
			if h.Pointed = madeBy(e); h.Pointed != "" {
				out = append(out, h)
			}
		}
	}
	return out
}

// returnedBy is the type of the first result in all return statements of a function, without those
// that return nil; "" if it is not one type. If there is only one such statement, it gives the
// expression, too.
func returnedBy(fn *ast.FuncDecl) (typ string, only ast.Expr) {
	declared, _ := declaredOnce(fn.Body)
	same, n := true, 0
	ast.Inspect(fn.Body, func(node ast.Node) bool {
		switch r := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(r.Results) == 0 {
				same = false
				return true
			}
			e := r.Results[0]
			id, ok := e.(*ast.Ident)
			if ok && id.Name == "nil" {
				return true
			}
			if ok && declared[id.Name] != nil {
				e = declared[id.Name]
			}
			made := madeBy(e)
			same = same && made != "" && (typ == "" || typ == made)
			typ, only = made, e
			n++
		}
		return true
	})
	if !same {
		return "", nil
	}
	if n > 1 {
		only = nil
	}
	return typ, only
}

// madeBy is the type T of &T{…}, T{…} and new(T), without type arguments; "" for other expressions.
func madeBy(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return madeBy(x.X)
		}
	case *ast.CallExpr:
		if id, ok := x.Fun.(*ast.Ident); ok && id.Name == "new" && len(x.Args) == 1 {
			return typeName(x.Args[0])
		}
	case *ast.CompositeLit:
		return typeName(x.Type)
	}
	return ""
}

func typeName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.IndexListExpr:
		return typeName(x.X)
	}
	return ""
}
