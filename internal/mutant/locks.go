// SPDX-License-Identifier: BSD-3-Clause

package mutant

import (
	"go/ast"
	"strings"
)

// Operators on locks: taken or released no longer, or too early.

func lockDropped(s *site, n ast.Node, plant func(...edit)) {
	if l := s.lock(n); l != nil && l.takes {
		plant(s.drop(l.stmt)...)
	}
}

func unlockDropped(s *site, n ast.Node, plant func(...edit)) {
	if l := s.lock(n); l != nil && !l.takes {
		plant(s.drop(l.stmt)...)
	}
}

// lockingDropped drops a lock with the unlocks that follow it in the function, up to
// the next time that the lock is taken.
func lockingDropped(s *site, n ast.Node, plant func(...edit)) {
	l := s.lock(n)
	if l == nil || !l.takes {
		return
	}
	stmts := []ast.Stmt{l.stmt}
	done := false
	ast.Inspect(s.body(), func(m ast.Node) bool {
		if m == nil || m.Pos() <= n.Pos() || done {
			return true
		}
		if k := s.lock(m); k != nil && k.of == l.of && k.shared == l.shared {
			done = k.takes
			if !done {
				stmts = append(stmts, k.stmt)
			}
		}
		return true
	})
	if len(stmts) > 1 {
		plant(s.drop(stmts...)...)
	}
}

func unlockEarly(s *site, n ast.Node, plant func(...edit)) {
	if l := s.lock(n); l != nil && !l.takes {
		if d, ok := l.stmt.(*ast.DeferStmt); ok {
			plant(s.replace(d, s.text(d.Call)))
		}
	}
}

// locking is a statement that takes or releases a lock.
type locking struct {
	stmt   ast.Stmt
	of     string // the lock, as the source has it
	takes  bool
	shared bool
}

// lock recognises x.Lock(), x.Unlock(), x.RLock() and x.RUnlock(), deferred or not,
// whatever x is.
func (s *site) lock(n ast.Node) *locking {
	var call *ast.CallExpr
	switch n := n.(type) {
	case *ast.ExprStmt:
		call, _ = n.X.(*ast.CallExpr)
	case *ast.DeferStmt:
		call = n.Call
	}
	if call == nil || len(call.Args) > 0 {
		return nil
	}
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	l := &locking{stmt: n.(ast.Stmt), of: s.text(fun.X)}
	name := strings.ToLower(fun.Sel.Name)
	name, l.shared = strings.CutPrefix(name, "r")
	l.takes = name == "lock"
	if !l.takes && name != "unlock" {
		return nil
	}
	return l
}
