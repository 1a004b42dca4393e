// SPDX-License-Identifier: BSD-3-Clause

package bundle_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"pangolin/internal/test/level"
)

// written are the variables of packages beneath package task into which functions write, or whose address they take, and why a task has the same result
// whatever was done in its process before.
var written = map[string]string{
	"consist.linearStates":   "a pool of states, of which who takes one sets every field",
	"consist.signatureRooms": "a pool of arrays, which are cleared by who takes one",
	"front.standardExports":  "is used where the go command is asked (Share), and not where answers are replayed",
	"lts.notions":            "its elements are read through their address",
	"vm/parts.nothing":       "is read through its address: what a step has that has nothing rare",
}

// fixed are types whose methods change nothing that can be seen.
var fixed = []string{"*regexp.Regexp", "*strings.Replacer"}

// A process may do several tasks (package sandbox), so nothing that one task leaves in a variable of a package may change what the next one comes to. A new
// variable that functions write into has to be thought about. Not seen is what is written through a map or slice that a function was given.
func TestVariables_AreInTheList(t *testing.T) {
	level.SkipShort(t, "type-checks all packages")
	all, err := packages.Load(&packages.Config{Dir: "../../..", Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps}, "pangolin/internal/task")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	packages.Visit(all, nil, func(p *packages.Package) {
		name, ours := strings.CutPrefix(p.PkgPath, "pangolin/")
		if name = strings.TrimPrefix(name, "internal/"); ours && !slices.Contains(keeping, name) && !slices.Contains(compiling, name) {
			paths = append(paths, p.PkgPath)
		}
	})
	checked, err := packages.Load(&packages.Config{Dir: "../../..", Mode: packages.NeedName | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedImports | packages.NeedExportFile}, paths...)
	if err != nil || len(checked) < 30 {
		t.Fatal(len(checked), err)
	}
	found := map[string]bool{}
	for _, p := range checked {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
					w := writes{info: p.TypesInfo, found: found}
					ast.Inspect(fn.Body, w.look)
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if written[name] == "" {
			t.Errorf("%q: what is written there, and does the next task of the process see it?", name)
		}
	}
	for name := range written {
		if !found[name] {
			t.Errorf("%s is in the list, and no function writes into it any more", name)
		}
	}
}

// writes finds variables of packages into which code writes.
type writes struct {
	info  *types.Info
	found map[string]bool
}

func (w *writes) look(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, to := range n.Lhs {
			w.note(to)
		}
	case *ast.IncDecStmt:
		w.note(n.X)
	case *ast.RangeStmt:
		w.note(n.Key)
		w.note(n.Value)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			w.note(n.X)
		}
	case *ast.CallExpr:
		switch f := ast.Unparen(n.Fun).(type) {
		case *ast.Ident:
			if b, ok := w.info.Uses[f].(*types.Builtin); ok && slices.Contains([]string{"delete", "clear", "copy", "append"}, b.Name()) {
				w.note(n.Args[0])
			}
		case *ast.SelectorExpr:
			if s := w.info.Selections[f]; s != nil && s.Kind() == types.MethodVal {
				receiver := s.Obj().(*types.Func).Signature().Recv().Type()
				if _, pointer := receiver.(*types.Pointer); pointer && !slices.Contains(fixed, receiver.String()) {
					w.note(f.X)
				}
			}
		}
	}
	return true
}

// note notes the variable that an expression is a part of, or leads from, if it is one of a package.
func (w *writes) note(e ast.Expr) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.SelectorExpr:
			if w.variable(x.Sel) {
				return
			}
			e = x.X
		case *ast.Ident:
			w.variable(x)
			return
		default:
			return
		}
	}
}

// variable notes a variable of a package of this module, and reports whether it is a variable of any package.
func (w *writes) variable(id *ast.Ident) bool {
	v, ok := w.info.Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return false
	}
	if name, ours := strings.CutPrefix(v.Pkg().Path(), "pangolin/"); ours {
		w.found[strings.TrimPrefix(name, "internal/")+"."+v.Name()] = true
	}
	return true
}
