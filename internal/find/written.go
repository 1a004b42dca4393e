// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"

	"pangolin/internal/front"
)

// writtenFields tells by name which fields a package's code writes: of any type, for only the syntax is read. Methods are told from constructors, for a field that
// only constructors write is one that users may set, as its documentation says ("MaxEntries is to be set before use"):
//
//	func (c *Cache) Put(k int) { c.size++; c.m[k] = true }   // size and m are written
//	func New() *Cache { return &Cache{MaxEntries: 100} }     // MaxEntries is preset
//
// Both are nil if a file cannot be read. The texts of an overlay are not looked at.
func writtenFields(l *front.Listed) (written, preset map[string]bool) {
	written, preset = map[string]bool{}, map[string]bool{}
	for _, name := range l.Files() {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			into := written
			if fn.Recv == nil && (ast.IsExported(fn.Name.Name) || making.MatchString(fn.Name.Name)) {
				into = preset
			}
			writes(fn.Body, into)
		}
	}
	return written, preset
}

// making matches the names of functions that only constructors call.
var making = regexp.MustCompile(`(?i)^(new|make|create|init|default)`)

// writes adds the names of the fields to which a body assigns, of which it takes the address, or that a composite literal sets.
func writes(body *ast.BlockStmt, into map[string]bool) {
	var place func(e ast.Expr)
	place = func(e ast.Expr) {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			into[x.Sel.Name] = true
			place(x.X)
		case *ast.IndexExpr:
			place(x.X)
		case *ast.SliceExpr:
			place(x.X)
		case *ast.StarExpr:
			place(x.X)
		case *ast.ParenExpr:
			place(x.X)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.AssignStmt:
			for _, e := range x.Lhs {
				place(e)
			}
		case *ast.IncDecStmt:
			place(x.X)
		case *ast.RangeStmt:
			place(x.Key)
			place(x.Value)
		case *ast.UnaryExpr:
			if x.Op == token.AND {
				place(x.X)
			}
		case *ast.CallExpr:
			if fn, is := x.Fun.(*ast.Ident); is && len(x.Args) > 0 && (fn.Name == "delete" || fn.Name == "clear" || fn.Name == "copy") {
				place(x.Args[0])
			}
		case *ast.KeyValueExpr:
			if key, is := x.Key.(*ast.Ident); is {
				into[key.Name] = true
			}
		}
		return true
	})
}
