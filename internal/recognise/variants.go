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

// mostConstructors is how many constructors are tried beside the one that was chosen.
const mostConstructors = 3

// otherwise finds how users may make as well what a constructor, of all there are, has made: by the same one, with functions that refuse some arguments, or give another value at each call, with the options of the package, with a
// configuration whose fields are set; and by the others.
func (m *maker) otherwise(w *wanted, fn *types.Func, all []*types.Func) {
	known := map[string]bool{m.expr: true}
	add := func(fn *types.Func, want *types.Named, s settings) error {
		v, err := construct(w.pkg, fn, want, s)
		if err == nil && !known[v.expr] {
			known[v.expr] = true
			m.variants = append(m.variants, collection.Variant{New: v.expr, Refuses: s.telling && !v.values, Changes: s.changes, Small: s.capacity == 1, Handlers: handlersIn(v.expr)})
		}
		return err
	}
	again := func(s settings) { _ = add(fn, w.want, s) } // what cannot be made so is made as it is
	s := w.s
	s.telling = true
	again(s)
	s = w.s
	s.changes = true
	again(s)
	if s = w.s; m.bound != nil && !m.bound.log && s.capacity == usualCapacity && s.threads != s.capacity { // a queue lock has room for the threads that there are
		s.capacity = 1
		again(s)
	}
	s = w.s
	list, without := w.options(fn)
	for _, option := range without {
		m.beyond = append(m.beyond, fmt.Sprintf("%s(%s)", fn.Name(), option))
	}
	if s.options = strings.Join(list, ", "); len(list) > 1 {
		again(s)
	}
	for _, s.options = range list[:min(len(list), mostOptions)] {
		again(s)
	}
	s = w.s
	s.filled, s.flags = true, true
	again(s)
	made := namedOf(m.typ)
	if made == nil || made.Obj() != w.tn { // an interface
		return
	}
	tried := 0
	for _, other := range all {
		if other == fn || !other.Exported() || !isMaker(other.Name()) || unlocks(other.Name(), false) {
			continue
		}
		if tried++; tried > mostConstructors || add(other, made, w.s) != nil {
			m.beyond = append(m.beyond, other.Name())
		}
	}
}

// options lists calls of the package's exported functions that give what a constructor takes any number of, in the order of their names: WithMax(2). Without
// lists the functions for whose arguments there is nothing. There are none if it takes what the package does not make.
func (w *wanted) options(fn *types.Func) (list, without []string) {
	sig, _, err := signature(w.pkg, fn, w.want)
	if err != nil || !sig.Variadic() {
		return nil, nil
	}
	last, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	if !ok {
		return nil, nil
	}
	if named := configures(last.Elem()); named == nil || named.Obj().Pkg() != w.pkg {
		return nil, nil
	}
	for _, name := range w.pkg.Scope().Names() {
		option, ok := w.pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !option.Exported() || option == fn {
			continue
		}
		o, typeArguments := optionOf(option.Signature(), last.Elem())
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
		switch {
		case unlocks(name, slices.Contains(args, "false")):
		case len(args) == o.Params().Len():
			list = append(list, fmt.Sprintf("%s%s(%s)", name, typeArgs(w.pkg, typeArguments), strings.Join(args, ", ")))
		default:
			without = append(without, name)
		}
	}
	return list, without
}

// configures is the named type by which an option belongs to a package: its own, or where it is a function type without a name, func(*Cache), that of its first parameter.
func configures(option types.Type) *types.Named {
	if sig, ok := option.(*types.Signature); ok && sig.Params().Len() > 0 {
		return namedOf(sig.Params().At(0).Type())
	}
	return namedOf(option)
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
		given, want := configures(sig.Results().At(0).Type()), configures(option)
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
	unlocking = regexp.MustCompile(`(no|not|non|without|disable|skip|omit|avoid|un)(threads?|goroutines?)?(safe|lock(s|ing|ed|er)?($|[^f])|mutex|sync|concurren|protect)|single|one(thread|goroutine|producer|consumer|reader|writer)|sp[sm]c|mpsc|owner|exclusive|external|relax|approx|lossy|unordered|besteffort|weak|racy`)
	locking   = regexp.MustCompile(`safe|(^|[^bc])lock|mutex|sync|concurren|threads?$`)
)
