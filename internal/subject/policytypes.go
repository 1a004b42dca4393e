// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/front"
	"pangolin/internal/policy"
)

// Ghost code passes values as any, so the compiler does not notice if an operation has no argument or result of that type. The check
// here reports that with the position in the directive; otherwise the machine would stop with a fault. It accepts whatever is possible
// for some type arguments.

// checkTypes type-checks the text with ghost code and compares what rules announce with the operations' signatures.
func (h *driver) checkTypes(ctx context.Context, code *front.Listed, rules []policy.Rule) error {
	sources, err := code.Sources(ctx)
	if err != nil {
		return inDirectives(err)
	}
	at := map[string]int{}
	for i := range rules {
		if r := &rules[i]; r.Op != "" {
			at[r.Name(i)] = i
			if r.On != "" {
				delete(at, r.Name(i))
				at[r.Fire(i)] = i
			}
		}
	}
	s := &sources[len(sources)-1]
	for _, f := range s.Files {
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || err != nil {
				return err == nil
			}
			if name, ok := call.Fun.(*ast.Ident); ok {
				if i, ours := at[name.Name]; ours {
					err = h.fitting(s, &rules[i], call.Args)
				}
			}
			return true
		})
	}
	return err
}

// fitting compares the values in a call of a rule's variable with the types of the operation's arguments and results.
func (h *driver) fitting(s *front.Source, r *policy.Rule, values []ast.Expr) error {
	o := &h.found.Operations[slices.IndexFunc(h.found.Operations, func(o collection.Operation) bool { return o.Name == r.Op })]
	switch { // skip what comes before arguments and results
	case r.On != "":
		values = values[1:]
	default:
		for _, one := range []bool{r.As, r.Owner} {
			if one {
				values = values[1:]
			}
		}
	}
	var want []types.Type
	for _, i := range o.Call.Args[:min(r.Args, len(o.Call.Args))] {
		want = append(want, o.Call.Params[i].Type)
	}
	for i := range r.Results {
		want = append(want, o.Results[i].Codec.Type)
	}
	for i, t := range want {
		if i >= len(values) {
			break
		}
		got := s.Info.TypeOf(values[i])
		if got == nil || mayBe(got, t) {
			continue
		}
		pos := s.Fset.Position(values[i].Pos())
		does := "takes"
		if i >= r.Args {
			does = "returns"
		}
		return &policy.Error{Pos: policy.Position{File: r.Pos.File, Line: pos.Line, Col: pos.Column},
			Message: fmt.Sprintf("%s %s %s here, not %s", r.Op, does, short(t), short(got))}
	}
	return nil
}

// short is a type as it is written in its package.
func short(t types.Type) string {
	return types.TypeString(t, func(*types.Package) string { return "" })
}

// mayBe reports whether a value of type got can have the type want, which has no type parameters. A type parameter or an interface may
// be anything. The two types may come from different runs of the type checker, so they are compared by name.
func mayBe(got, want types.Type) bool {
	got, want = types.Unalias(got), types.Unalias(want)
	if b, ok := got.(*types.Basic); ok && b.Kind() == types.UntypedNil || types.IsInterface(got) || types.IsInterface(want) {
		return true
	}
	switch got := got.(type) {
	case *types.TypeParam:
		return true
	case *types.Basic:
		w, ok := want.(*types.Basic)
		return ok && types.Default(got) == types.Default(w)
	case *types.Pointer:
		w, ok := want.(*types.Pointer)
		return ok && mayBe(got.Elem(), w.Elem())
	case *types.Slice:
		w, ok := want.(*types.Slice)
		return ok && mayBe(got.Elem(), w.Elem())
	case *types.Array:
		w, ok := want.(*types.Array)
		return ok && got.Len() == w.Len() && mayBe(got.Elem(), w.Elem())
	case *types.Map:
		w, ok := want.(*types.Map)
		return ok && mayBe(got.Key(), w.Key()) && mayBe(got.Elem(), w.Elem())
	case *types.Named:
		w, ok := want.(*types.Named)
		if !ok || got.Obj().Name() != w.Obj().Name() {
			return false
		}
		g, a := got.TypeArgs(), w.TypeArgs()
		for i := range min(g.Len(), a.Len()) {
			if !mayBe(g.At(i), a.At(i)) {
				return false
			}
		}
		return true
	}
	_, basic := want.(*types.Basic)
	return !basic // functions, channels and structs are not compared
}

// keptValue matches the variable in which ghost code stores the value of a statement.
var keptValue = regexp.MustCompile(`pangolinValue(\d+)`)

// inDirectives rewrites errors of the type checker about ghost code in the words of directives. The package without
// directives has none.
func inDirectives(err error) error {
	var list *front.Error
	if !errors.As(err, &list) {
		return err
	}
	out := &front.Error{}
	for _, p := range list.Problems {
		p = keptValue.ReplaceAllStringFunc(p, func(name string) string {
			if n := keptValue.FindStringSubmatch(name)[1]; n != "1" {
				return "result" + n
			}
			return "result"
		})
		out.Problems = append(out.Problems, strings.Replace(p, "non-boolean condition in if statement", "the condition behind when is neither true nor false", 1))
	}
	return out
}
