// SPDX-License-Identifier: BSD-3-Clause

package mutant

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// casStore turns x.CompareAndSwap(old, new) into a store of new that returns true. The call stays, after "true ||", so that its variables
// are still used.
func casStore(s *site, n ast.Node, plant func(...edit)) {
	call, fun := s.cas(n)
	if call == nil {
		return
	}
	var args []string
	for i, a := range call.Args {
		if i%2 == 1 {
			args = append(args, s.text(a))
		}
	}
	store := ""
	switch {
	case s.isFunction(fun):
		if name, ok := strings.CutPrefix(fun.Sel.Name, "CompareAndSwap"); ok && len(call.Args) == 3 {
			store = fmt.Sprintf("%s.Store%s(%s, %s)", s.text(fun.X), name, s.text(call.Args[0]), s.text(call.Args[2]))
		}
	case s.hasMethod(fun, "Store", len(args)):
		store = fmt.Sprintf("%s.Store(%s)", s.text(fun.X), strings.Join(args, ", "))
	case s.hasMethod(fun, "Set", len(args)):
		store = fmt.Sprintf("%s.Set(%s)", s.text(fun.X), strings.Join(args, ", "))
	}
	if store != "" {
		plant(s.replace(call, fmt.Sprintf("func() bool { %s; return true || %s }()", store, s.text(call))))
	}
}

func casSucceeds(s *site, n ast.Node, plant func(...edit)) {
	if call, _ := s.cas(n); call != nil {
		if _, statement := s.parent(1).(*ast.ExprStmt); !statement { // that is a store-dropped
			plant(s.insert(call.Pos(), "(true || "), s.insert(call.End(), ")"))
		}
	}
}

// cas gives the call if n is a compare-and-swap: of sync/atomic, or a method of the
// user's with such a name.
func (s *site) cas(n ast.Node) (*ast.CallExpr, *ast.SelectorExpr) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil, nil
	}
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !strings.HasPrefix(fun.Sel.Name, "CompareAndS") && fun.Sel.Name != "AttemptMark" {
		return nil, nil
	}
	if t := s.pkg.Info.Types[call].Type; t == nil || !isBool(t) {
		return nil, nil
	}
	return call, fun
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// isFunction reports whether a selector names a function of a package.
func (s *site) isFunction(fun *ast.SelectorExpr) bool {
	id, ok := fun.X.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = s.pkg.Info.Uses[id].(*types.PkgName)
	return ok
}

// hasMethod reports whether the receiver of the selected method has another method with the given name and number of parameters.
func (s *site) hasMethod(fun *ast.SelectorExpr, name string, params int) bool {
	t := s.pkg.Info.Types[fun.X].Type
	if t == nil {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	f, ok := obj.(*types.Func)
	return ok && f.Signature().Params().Len() == params
}
