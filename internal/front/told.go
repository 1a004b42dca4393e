// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
)

// TellsApart reports whether the package puts objects of a type in an order by something that two of them have: `x.id < y.id`,
// strings.Compare(x.name, y.name), `i, j := x.id, y.id`, in a function that names the type or is called like one that compares. Whoever locks two objects
// in such an order relies on users that make them unlike.
func (p *Listed) TellsApart(typ string) (bool, error) {
	for _, name := range p.listed.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return false, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && (compares.MatchString(fn.Name.Name) || names(fn, typ)) && ordersIn(fn.Body) {
				return true, nil
			}
		}
	}
	return false, nil
}

// compares matches the names of functions that compare two values, or choose between them.
var compares = regexp.MustCompile(`(?i)less|compare|cmp|before|after|order|sort|greater|min|max`)

// names reports whether an identifier stands in a function.
func names(fn *ast.FuncDecl, name string) (is bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		is = is || ok && id.Name == name
		return !is
	})
	return is
}

// ordersIn reports whether a function compares something that two objects have.
func ordersIn(body *ast.BlockStmt) (is bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.SUB:
				is = is || alike(n.X, n.Y)
			}
		case *ast.CallExpr:
			operands := n.Args
			called := types.ExprString(n.Fun)
			if s, ok := n.Fun.(*ast.SelectorExpr); ok {
				operands, called = append([]ast.Expr{s.X}, operands...), s.Sel.Name+" "+called
			}
			is = is || compares.MatchString(called) && alike(operands...)
		case *ast.AssignStmt:
			is = is || n.Tok == token.DEFINE && alike(n.Rhs...)
		}
		return !is
	})
	return is
}

// alike reports whether two of the expressions are the same field, or the same method without arguments, of two objects.
func alike(list ...ast.Expr) bool {
	of := map[string]string{}
	for _, e := range list {
		object, what := part(e)
		if known, ok := of[what]; what != "" && ok && known != object {
			return true
		}
		of[what] = object
	}
	return false
}

// part takes an expression apart: x.id is id of x, and so are x.id[:], int(x.id) and x.id().
func part(e ast.Expr) (object, what string) {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return types.ExprString(e.X), e.Sel.Name
	case *ast.ParenExpr:
		return part(e.X)
	case *ast.StarExpr:
		return part(e.X)
	case *ast.UnaryExpr:
		return part(e.X)
	case *ast.SliceExpr:
		return part(e.X)
	case *ast.CallExpr:
		switch len(e.Args) {
		case 0:
			return part(e.Fun)
		case 1:
			return part(e.Args[0])
		}
	}
	return "", ""
}
