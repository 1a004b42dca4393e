// SPDX-License-Identifier: BSD-3-Clause

package mutant

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Operators on statements: stores and calls left out, and neighbours exchanged.

func storeDropped(s *site, n ast.Node, plant func(...edit)) {
	stmt, ok := n.(ast.Stmt)
	if !ok || !s.listed(stmt) {
		return
	}
	if s.isStore(stmt) || isAssignment(stmt) {
		plant(s.drop(stmt)...)
	}
}

func callDropped(s *site, n ast.Node, plant func(...edit)) {
	stmt, ok := n.(ast.Stmt)
	if !ok || !s.listed(stmt) || s.isStore(stmt) || s.lock(stmt) != nil {
		return
	}
	switch x := stmt.(type) {
	case *ast.ExprStmt:
		if call, ok := x.X.(*ast.CallExpr); ok && !isPanic(call) {
			plant(s.drop(stmt)...)
		}
	case *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt:
		plant(s.drop(stmt)...)
	}
}

func isPanic(call *ast.CallExpr) bool {
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "panic"
}

// swapped exchanges neighbours of which at least one is a store and the other a store,
// or an unlock behind it, or a lock before it; and neighbouring locks.
func swapped(s *site, n ast.Node, plant func(...edit)) {
	var list []ast.Stmt
	switch n := n.(type) {
	case *ast.BlockStmt:
		list = n.List
	case *ast.CaseClause:
		list = n.Body
	case *ast.CommClause:
		list = n.Body
	}
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		if s.text(a) != s.text(b) && s.exchangeable(a, b) {
			plant(s.replace(a, s.text(b)), s.replace(b, s.text(a)))
		}
	}
}

func (s *site) exchangeable(a, b ast.Stmt) bool {
	if s.isStore(a) {
		l := s.lock(b)
		return s.isStore(b) || l != nil && !l.takes
	}
	k, l := s.lock(a), s.lock(b)
	return k != nil && k.takes && (s.isStore(b) || l != nil && l.takes)
}

// listed says that a statement stands in a list of statements, or is what a loop does
// after each round.
func (s *site) listed(stmt ast.Stmt) bool {
	switch p := s.parent(1).(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	case *ast.CommClause:
		return p.Comm != stmt
	case *ast.ForStmt:
		return p.Post == stmt
	}
	return false
}

// isAssignment says that a statement gives a variable another value.
func isAssignment(stmt ast.Stmt) bool {
	switch x := stmt.(type) {
	case *ast.IncDecStmt:
		return true
	case *ast.AssignStmt:
		return x.Tok != token.DEFINE && !isBlank(x.Lhs)
	}
	return false
}

func isBlank(list []ast.Expr) bool {
	for _, x := range list {
		if id, ok := x.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	return true
}

// isStore says that a statement writes to memory: an assignment to more than a
// variable of the function's own, or a call of an atomic's method or of one that is
// called as theirs.
func (s *site) isStore(stmt ast.Stmt) bool {
	switch x := stmt.(type) {
	case *ast.IncDecStmt:
		return !s.isLocal(x.X)
	case *ast.AssignStmt:
		if x.Tok == token.DEFINE || isBlank(x.Lhs) {
			return false
		}
		for _, l := range x.Lhs {
			if !s.isLocal(l) {
				return true
			}
		}
	case *ast.ExprStmt:
		call, ok := x.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		fun, ok := call.Fun.(*ast.SelectorExpr)
		return ok && writes(fun.Sel.Name)
	}
	return false
}

// writes knows the names of functions that write to an atomic variable.
func writes(name string) bool {
	for _, p := range []string{"Store", "Swap", "CompareAndS", "AttemptMark"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return name == "Set"
}

func (s *site) isLocal(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && (id.Name == "_" || s.local(id) != nil)
}

// local is the variable of a function that an identifier names; nil if it is none.
func (s *site) local(id *ast.Ident) *types.Var {
	v, ok := s.pkg.Info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == nil || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return nil
	}
	return v
}

// drop removes statements, each with its line if it has one of its own. What is used
// nowhere else, variables and imported packages, is assigned to the blank identifier in
// place of the first.
func (s *site) drop(stmts ...ast.Stmt) []edit {
	var edits []edit
	if orphans := s.orphans(stmts); len(orphans) > 0 {
		blanks := strings.TrimSuffix(strings.Repeat("_, ", len(orphans)), ", ")
		edits = append(edits, s.replace(stmts[0], blanks+" = "+strings.Join(orphans, ", ")))
		stmts = stmts[1:]
	}
	for _, stmt := range stmts {
		edits = append(edits, s.cut(stmt))
	}
	return edits
}

// cut removes a statement, with its line if it has one of its own.
func (s *site) cut(stmt ast.Stmt) edit {
	e := s.replace(stmt, "")
	line := len(s.indent(stmt.Pos()))
	text := string(s.file.Text)
	rest, _, _ := strings.Cut(text[e.to:], "\n")
	tail := strings.TrimSpace(rest)
	if begins := e.from-line == 0 || text[e.from-line-1] == '\n'; begins && (tail == "" || strings.HasPrefix(tail, "//")) {
		e.from, e.to = e.from-line, min(len(text), e.to+len(rest)+1)
	}
	return e
}

// orphans are the local variables that are named nowhere but in the statements, and
// functions and variables of packages that the file needs for nothing else.
func (s *site) orphans(stmts []ast.Stmt) []string {
	var out []string
	text := map[types.Object]string{}
	var order []types.Object
	for _, stmt := range stmts {
		ast.Inspect(stmt, func(n ast.Node) bool {
			if obj, as := s.needed(n); obj != nil && text[obj] == "" {
				text[obj] = as
				order = append(order, obj)
			}
			return true
		})
	}
	written := map[*ast.Ident]bool{} // only, which is no use
	ast.Inspect(s.file.Syntax, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
			for _, x := range a.Lhs {
				if id, ok := x.(*ast.Ident); ok {
					written[id] = true
				}
			}
		}
		id, ok := n.(*ast.Ident)
		if ok && !written[id] && !slices.ContainsFunc(stmts, func(stmt ast.Stmt) bool { return stmt.Pos() <= id.Pos() && id.Pos() < stmt.End() }) {
			delete(text, s.pkg.Info.Uses[id])
		}
		return true
	})
	for _, obj := range order {
		if text[obj] != "" {
			out = append(out, text[obj])
		}
	}
	return out
}

// needed gives what a node needs that must be used somewhere, a variable of the function's
// own body or a package, and an expression that uses it.
func (s *site) needed(n ast.Node) (types.Object, string) {
	switch n := n.(type) {
	case *ast.Ident:
		if v := s.local(n); v != nil && v.Pos() >= s.body().Pos() {
			return v, n.Name
		}
	case *ast.SelectorExpr:
		id, ok := n.X.(*ast.Ident)
		if !ok {
			return nil, ""
		}
		pkg, ok := s.pkg.Info.Uses[id].(*types.PkgName)
		if !ok {
			return nil, ""
		}
		switch s.pkg.Info.Uses[n.Sel].(type) {
		case *types.Func, *types.Var:
			return pkg, s.text(n)
		}
	}
	return nil, ""
}
