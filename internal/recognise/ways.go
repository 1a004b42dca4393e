// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// How a collection may be made where the constructor, called with arguments that are made up, panics or returns an error: with what the package has
// for its arguments (DefaultConfig), as test files and examples call it, by other constructors.

// mostWays is how many are tried.
const mostWays = 6

// wanted is a type of a package that is to be made.
type wanted struct {
	pkg   *types.Package
	tn    *types.TypeName
	want  *types.Named // an instance of it; nil: any
	s     settings
	clues *collection.Clues
}

// ways lists other expressions than the first one: of the constructor that was taken, and then of all.
func (w *wanted) ways(fn *types.Func, all []*types.Func, first string) (out []collection.Way) {
	add := func(expr, why string) {
		if expr != first && len(out) < mostWays && !slices.ContainsFunc(out, func(w collection.Way) bool { return w.New == expr }) {
			out = append(out, collection.Way{New: expr, Why: why})
		}
	}
	usual := w.s
	usual.defaults = true
	if m, err := construct(w.pkg, fn, w.want, usual); err == nil {
		add(m.expr, "with what the package has for its arguments")
	}
	list := append([]*types.Func{fn}, all...)
	if w.clues != nil {
		for _, f := range list {
			for _, call := range w.clues.Calls {
				if call.Func == f.Name() && w.makes(call.Expr) {
					add(call.Expr, fmt.Sprintf("as %s makes it", call.At))
				}
			}
		}
	}
	filled := w.s
	filled.filled = true
	if m, err := construct(w.pkg, fn, w.want, filled); err == nil {
		add(m.expr, "with the sizes and functions of its configuration set")
	}
	for _, f := range list {
		if texts := w.texts(f); len(texts) > 0 {
			if m, err := (&filler{pkg: w.pkg, settings: usual, texts: texts}).construct(f, w.want); err == nil {
				add(m.expr, "with strings that test files give "+f.Name())
			}
		}
	}
	for _, f := range all {
		if m, err := construct(w.pkg, f, w.want, usual); err == nil {
			add(m.expr, fmt.Sprintf("by %s", f.Name()))
		}
	}
	return out
}

// texts are the first string literals that test files pass to a function, by the index of the argument.
func (w *wanted) texts(fn *types.Func) map[int]string {
	out := map[int]string{}
	if w.clues == nil {
		return out
	}
	for _, s := range w.clues.Texts {
		if s.Method == fn.Name() && out[s.Arg] == "" {
			out[s.Arg] = s.Text
		}
	}
	return out
}

// makes says that an expression is one of the package that gives the type.
func (w *wanted) makes(expr string) bool {
	m, err := given(w.pkg, expr)
	if err != nil {
		return false
	}
	sub, err := subjectOf(w.pkg, w.tn, &m)
	return err == nil && (w.want == nil || types.Identical(sub.Type, w.want))
}

// shownToReturn are the functions that return an interface in which there is always the type.
func shownToReturn(pkg *types.Package, tn *types.TypeName, clues *collection.Clues) (out []*types.Func) {
	if clues == nil {
		return nil
	}
	for _, name := range pkg.Scope().Names() {
		fn, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || clues.Returned[name] != tn.Name() || !isMaker(name) && (looksFor(name) || !fn.Exported()) || takes(fn.Signature(), tn) {
			continue
		}
		if t := firstResult(fn.Signature()); t != nil && types.IsInterface(t) && !isTypeParam(t) && !isError(t) {
			out = append(out, fn)
		}
	}
	slices.SortStableFunc(out, func(a, b *types.Func) int { return cmp.Or(needed(a)-needed(b), strings.Compare(a.Name(), b.Name())) })
	return out
}

// usual is an argument that the package has for a parameter of a type of its own: a function without parameters that gives one, or a variable; those with
// "default" in their names first. "" if there is none.
func (f *filler) usual(v *types.Var) string {
	named := namedOf(v.Type())
	if named == nil || named.Obj().Pkg() != f.pkg {
		return ""
	}
	best, rank := "", 0
	for _, name := range f.pkg.Scope().Names() {
		obj := f.pkg.Scope().Lookup(name)
		expr, t := name, obj.Type()
		switch o := obj.(type) {
		case *types.Func:
			sig := o.Signature()
			if sig.Params().Len() > 0 || sig.Results().Len() != 1 || sig.TypeParams().Len() > 0 {
				continue
			}
			expr, t = name+"()", sig.Results().At(0).Type()
		case *types.Var:
		default:
			continue
		}
		switch p, pointer := t.(*types.Pointer); {
		case types.AssignableTo(t, v.Type()):
		case pointer && types.Identical(p.Elem(), v.Type()):
			expr = "*" + expr
		default:
			if p, pointer := v.Type().(*types.Pointer); !pointer || !types.Identical(p.Elem(), t) || strings.HasSuffix(expr, ")") {
				continue
			}
			expr = "&" + expr
		}
		r := 1
		if strings.Contains(fold(name), "default") {
			r = 3
		} else if obj.Exported() {
			r = 2
		}
		if r > rank {
			best, rank = expr, r
		}
	}
	if best != "" {
		f.note("%s: %s", nameOf(v), best)
	}
	return best
}
