// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// mostOptions is how many options are given one by one as well: one may hide what another one does.
const mostOptions = 3

// variants lists other calls of the constructor that made m: with functions that refuse some arguments, with the options of the package, with a configuration whose fields are set.
func (w *wanted) variants(fn *types.Func, m *maker) (out []collection.Variant) {
	known := map[string]bool{m.expr: true}
	add := func(s settings) {
		if v, err := construct(w.pkg, fn, w.want, s); err == nil && !known[v.expr] {
			known[v.expr] = true
			out = append(out, collection.Variant{New: v.expr, Refuses: s.telling && !v.values})
		}
	}
	s := w.s
	s.telling = true
	add(s)
	s = w.s
	list := w.options(fn)
	if s.options = strings.Join(list, ", "); len(list) > 1 {
		add(s)
	}
	for _, s.options = range list[:min(len(list), mostOptions)] {
		add(s)
	}
	s = w.s
	s.filled, s.flags = true, true
	add(s)
	return out
}

// options lists calls of the package's exported functions that give what a constructor takes any number of, in the order of their names: WithMax(2). There
// are none if it takes what is no type of the package's own.
func (w *wanted) options(fn *types.Func) (list []string) {
	sig, _, err := signature(w.pkg, fn, w.want)
	if err != nil || !sig.Variadic() {
		return nil
	}
	last := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice).Elem()
	if named := namedOf(last); named == nil || named.Obj().Pkg() != w.pkg {
		return nil
	}
	for _, name := range w.pkg.Scope().Names() {
		option, ok := w.pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !option.Exported() || option == fn {
			continue
		}
		o, typeArguments := optionOf(option.Signature(), last)
		if o == nil || o.Variadic() {
			continue
		}
		f := &filler{pkg: w.pkg, settings: w.s}
		var args []string
		for i := range o.Params().Len() {
			expr, why := f.fill(o.Params().At(i), option.Signature().Params().At(i).Type())
			if why != "" || expr == "nil" || strings.HasPrefix(expr, "*new(") {
				args = nil
				break
			}
			args = append(args, expr)
		}
		if len(args) == o.Params().Len() && !unlocks(name, slices.Contains(args, "false")) {
			list = append(list, fmt.Sprintf("%s%s(%s)", name, typeArgs(w.pkg, typeArguments), strings.Join(args, ", ")))
		}
	}
	return list
}

// optionOf is the signature of a function that gives an option, with its type arguments where it is generic: WithMax[K, V](n int) Option[K, V]. It is nil if the
// function gives something else, or has type parameters that the option does not tell.
func optionOf(sig *types.Signature, option types.Type) (*types.Signature, []types.Type) {
	if sig.Results().Len() != 1 {
		return nil, nil
	}
	var args []types.Type
	if n := sig.TypeParams().Len(); n > 0 {
		args = make([]types.Type, n)
		given, want := namedOf(sig.Results().At(0).Type()), namedOf(option)
		if given == nil || given.TypeArgs().Len() != want.TypeArgs().Len() {
			return nil, nil
		}
		for i := range given.TypeArgs().Len() {
			if p, ok := given.TypeArgs().At(i).(*types.TypeParam); ok {
				args[p.Index()] = want.TypeArgs().At(i)
			}
		}
		if slices.Contains(args, nil) {
			return nil, nil
		}
		inst, err := types.Instantiate(nil, sig, args, true)
		if err != nil {
			return nil, nil
		}
		sig = inst.(*types.Signature)
	}
	if !types.Identical(sig.Results().At(0).Type(), option) {
		return nil, nil
	}
	return sig, args
}

// unlocks tells by the name of an option or a flag that users choose it where one goroutine is all there is, or one of a side: WithoutLock(), Unsafe: true,
// SingleThreaded: true; off, that it is given false: ThreadSafe(false). What is made with it is not for several threads.
func unlocks(name string, off bool) bool {
	return unlocking.MatchString(fold(name)) || off && locking.MatchString(fold(name))
}

var (
	unlocking = regexp.MustCompile(`(no|not|non|without|disable|skip|omit|avoid|un)(threads?|goroutines?)?(safe|lock(s|ing|ed|er)?($|[^f])|mutex|sync|concurren|protect)|single|one(thread|goroutine|producer|consumer|reader|writer)|sp[sm]c|mpsc|owner|exclusive`)
	locking   = regexp.MustCompile(`safe|(^|[^bc])lock|mutex|sync|concurren|threads?$`)
)
