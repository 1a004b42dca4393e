// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// Not every constructor is called New: Open, Dial, Default, Of, Empty give one, too. They are told by what they return. What
// else returns one (Clone, Union, a lookup) takes one, or an item, or is called like what looks for one.

// givers lists the functions without the name of a constructor that return the type, those with the fewest parameters first.
func givers(pkg *types.Package, tn *types.TypeName) []*types.Func {
	var out []*types.Func
	for _, name := range pkg.Scope().Names() {
		fn, ok := pkg.Scope().Lookup(name).(*types.Func)
		if ok && offered(fn, tn) && !looksFor(name) {
			out = append(out, fn)
		}
	}
	slices.SortStableFunc(out, func(a, b *types.Func) int {
		return cmp.Or(needed(a)-needed(b), len(a.Name())-len(b.Name()), strings.Compare(a.Name(), b.Name()))
	})
	return out
}

// offered says that a function without the name of a constructor returns the type, to those who have none yet.
func offered(fn *types.Func, tn *types.TypeName) bool {
	if isMaker(fn.Name()) || !fn.Exported() && tn.Exported() || strings.HasPrefix(fn.Name(), "Test") {
		return false
	}
	t := firstResult(fn.Signature())
	return t != nil && gives(t, tn) && !takes(fn.Signature(), tn)
}

// looksFor tells the names of what finds one that there is already, and may find none.
func looksFor(name string) bool {
	w := words(name)
	return len(w) > 0 && slices.Contains([]string{"get", "lookup", "find", "search", "current", "parent", "must", "clone", "copy"}, w[0]) ||
		len(w) > 1 && w[0] == "from" && slices.Contains(w, "context")
}

// needed is how many arguments a call needs.
func needed(fn *types.Func) int {
	n := fn.Signature().Params().Len()
	if fn.Signature().Variadic() {
		n--
	}
	return n
}

// gives says that a result is the type, a pointer to it, or an interface of the package that nothing else there implements.
func gives(t types.Type, tn *types.TypeName) bool {
	if named := namedOf(t); named != nil && named.Origin().Obj() == tn {
		return true
	}
	named, _ := types.Unalias(t).(*types.Named)
	iface, ok := t.Underlying().(*types.Interface)
	if !ok || named == nil || named.Obj().Pkg() != tn.Pkg() || iface.NumMethods() == 0 || types.IsInterface(tn.Type()) {
		return false
	}
	generic := tn.Type().(*types.Named).TypeParams().Len() > 0
	return onlyOne(tn, iface) && (generic || types.Implements(types.NewPointer(tn.Type()), iface))
}

// takes says that a function is given what it returns: it makes another one of it.
func takes(sig *types.Signature, tn *types.TypeName) bool {
	for v := range sig.Params().Variables() {
		t := types.Unalias(v.Type())
		switch u := t.Underlying().(type) {
		case *types.Slice:
			t = u.Elem()
		case *types.Signature: // which makes one
			if t = firstResult(u); t == nil {
				continue
			}
		}
		if named := namedOf(t); named != nil && (named.Origin().Obj() == tn || gives(t, tn)) {
			return true
		}
	}
	return false
}

// giver is a maker by a function that is not called New. What would begin with an item in it is not made up.
func giver(pkg *types.Package, fn *types.Func, want *types.Named, s settings) (maker, error) {
	s.strict = !s.cell
	return construct(pkg, fn, want, s)
}

// byGiver is a maker by the first function that can be called; false if there is none. Which was taken is said, and which others
// there are.
func byGiver(pkg *types.Package, list []*types.Func, want *types.Named, s settings) (m maker, found bool) {
	var taken *types.Func
	var others []string
	for _, fn := range list {
		one, err := giver(pkg, fn, want, s)
		switch {
		case err != nil:
		case taken == nil:
			m, taken = one, fn
		default:
			others = append(others, fn.Name())
		}
	}
	switch {
	case taken == nil:
		return m, false
	case len(others) == 0:
		m.guess = fmt.Sprintf("it is made by %s, which returns one (Request.New names another)", taken.Name())
	case len(others) == 1:
		m.guess = fmt.Sprintf("it is made by %s; %s returns one as well (Request.New names another)", taken.Name(), others[0])
	default:
		m.guess = fmt.Sprintf("it is made by %s; %s return one as well (Request.New names another)", taken.Name(), enumerate(others))
	}
	return m, true
}

// unmade is why the zero value may not be what users get: functions return the type that nobody can call here.
func unmade(tn *types.TypeName, list []*types.Func, want *types.Named, s settings) string {
	var texts []string
	pkg := tn.Pkg()
	for _, name := range pkg.Scope().Names() {
		if fn, ok := pkg.Scope().Lookup(name).(*types.Func); ok && offered(fn, tn) && looksFor(name) {
			texts = append(texts, name+" may be for what there is already")
		}
	}
	for _, fn := range list {
		if _, err := giver(pkg, fn, want, s); err != nil {
			texts = append(texts, err.Error())
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return "it is made as its zero value; what else returns one is not called: " + strings.Join(texts, "; ") + " (Request.New)"
}

// optional tells structs that say how something is made.
func optional(t types.Type) bool {
	named := namedOf(t)
	if named == nil {
		return false
	}
	low := fold(named.Obj().Name())
	return slices.ContainsFunc([]string{"option", "opts", "config", "conf", "setting", "param"}, func(s string) bool { return strings.Contains(low, s) })
}

// strictly says that an argument for what makes a collection would be an item in it, or something that nobody can make up.
func (f *filler) strictly(v *types.Var, declared types.Type) bool {
	if isTypeParam(declared) {
		return true
	}
	switch u := v.Type().Underlying().(type) {
	case *types.Basic:
		low := fold(v.Name())
		counts := soundsLikeCapacity(v.Name()) || soundsLikeThreads(low) || structural(low) || slices.ContainsFunc([]string{"log", "threshold", "seed"}, func(s string) bool { return strings.Contains(low, s) })
		return u.Info()&types.IsInteger != 0 && constantFor(v.Type()) == "" && !counts
	case *types.Struct, *types.Pointer:
		return !optional(v.Type())
	}
	return false
}
