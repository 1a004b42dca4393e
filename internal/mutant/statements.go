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

// swapped exchanges two neighbouring statements: two stores, a store and the unlock after it, a lock and the store or lock after it.
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

// listed reports whether a statement is in a list of statements, or is what a for loop does after each round.
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

// isAssignment reports whether a statement assigns to a variable other than _.
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

// isStore reports whether a statement writes to shared memory: an assignment to anything but a local variable, or a call of a method
// with the name of an atomic's writing method.
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

// writes reports whether a function of this name writes to an atomic variable.
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

// local is the local variable that an identifier names; nil if it names something else.
func (s *site) local(id *ast.Ident) *types.Var {
	v, ok := s.pkg.Info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == nil || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return nil
	}
	return v
}

// drop removes statements, each with its line if nothing else is in it. Variables and imports that are used nowhere else are assigned
// to the blank identifier in place of the first statement, so that the mutant compiles.
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

// cut removes a statement, with its line if nothing else is in it.
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

// orphans lists the local variables that are used only in the statements, and an expression for each import that is.
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
	written := map[*ast.Ident]bool{} // assigned to, which the compiler does not count as use
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

// needed returns what a node uses that must be used somewhere, a local variable or an imported package, and an expression that uses it.
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
