// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// A constructor may take an interface: NewService(store Store). Where nothing else makes the type, it is given what the package has for it, what the interface's own package has, or a
// type of the harness with its methods, which do nothing and return at once:
//
//	type pangolin_MadeStore struct{ used int }
//	func (s *pangolin_MadeStore) Put(p0 string) error { s.used = 1; return nil }
//
// Whether the methods of an implementation may be called at the same time, nothing in the package says. Those of this one may not: each writes a plain variable. With Overrides.ConcurrentArguments they
// may, and package inquiry says so where it makes a difference. What they give depends on their arguments alone.

// implementation is an argument for a parameter that is an interface; "" if there is none.
func (f *filler) implementation(v *types.Var, u *types.Interface) string {
	if u.NumMethods() == 0 {
		f.note("%s 0", nameOf(v))
		return "0"
	}
	for _, find := range []func(*types.Var, *types.Interface) string{f.implemented, f.foreign} {
		if expr := find(v, u); expr != "" {
			f.implements = true
			return expr
		}
	}
	return f.standIn(v, u)
}

// implemented calls a constructor of a type of the package that has the methods. That one is given no made-up implementation of anything: what only decorates another
// implementation has nothing that the made-up one has not.
func (f *filler) implemented(v *types.Var, u *types.Interface) string {
	if f.within {
		return ""
	}
	s := f.settings
	s.madeUp = false
	for _, t := range packageTypes(f.pkg) {
		named := namedOf(t)
		if named.Obj() == f.of || !named.Obj().Exported() || !types.Implements(t, u) {
			continue
		}
		for _, fn := range constructors(f.pkg, named.Obj()) {
			if !fn.Exported() {
				continue
			}
			m, err := f.constructWithin(fn, named, s)
			if err == nil && m.besides.nothing() && types.AssignableTo(m.typ, v.Type()) {
				f.note("%s: %s", nameOf(v), m.expr)
				return m.expr
			}
		}
	}
	return ""
}

// foreign is a value of an exported type without fields that the interface's own package has, if the package imports that one: clock.RealClock{}.
func (f *filler) foreign(v *types.Var, u *types.Interface) string {
	named := namedOf(v.Type())
	if named == nil || named.Obj().Pkg() == nil {
		return ""
	}
	p := named.Obj().Pkg()
	if p != f.pkg && (standard(p, f.pkg) || !f.namesOnly(p)) {
		return ""
	}
	for _, t := range packageTypes(p) {
		s, is := t.Underlying().(*types.Struct)
		if tn := namedOf(t).Obj(); is && s.NumFields() == 0 && tn != f.of && tn.Exported() && types.Implements(t, u) {
			expr := typeString(t, f.pkg) + "{}"
			f.note("%s: %s", nameOf(v), expr)
			return expr
		}
	}
	return ""
}

// namesOnly says that a package is imported, and nothing else has its name.
func (f *filler) namesOnly(p *types.Package) bool {
	if !slices.Contains(f.pkg.Imports(), p) || f.pkg.Scope().Lookup(p.Name()) != nil {
		return false
	}
	return !slices.ContainsFunc(f.pkg.Imports(), func(other *types.Package) bool { return other != p && other.Name() == p.Name() })
}

// standIn is a stand-in for the interface.
func (f *filler) standIn(v *types.Var, u *types.Interface) string {
	if f.coder == nil {
		f.coder = &coder{pkg: f.pkg, self: f.of, known: map[place]answer{}, standIns: map[string]*collection.Codec{}, made: madePrefix}
		if f.settings.refusing {
			f.coder.made = refusingPrefix
		}
	}
	c, _ := f.coder.standIn(v.Type(), u)
	if c == nil {
		return ""
	}
	s := c.Elem
	s.Made = collection.Exclusive
	if f.settings.concurrent || f.settings.refusing {
		s.Made = collection.Concurrent
	}
	if f.settings.refusing {
		s.Chosen = 1
	}
	if !slices.Contains(f.standIns, s) {
		f.standIns = append(f.standIns, s)
	}
	f.note("%s is made up", nameOf(v))
	return "new(" + typeString(s.Type, f.pkg) + ")"
}

// withMadeUp calls a constructor with implementations of interfaces, of which those that are made up fail if refusing is set.
func (w *wanted) withMadeUp(fn *types.Func, refusing bool) (maker, error) {
	s := w.s
	s.madeUp, s.refusing = true, refusing
	return construct(w.pkg, fn, w.want, s)
}

// refusing adds to what a constructor with stand-ins has made that it is given such as fail, where they can.
func (m *maker) refusing(w *wanted, fn *types.Func) {
	fails := func(method collection.Part) bool {
		return method.Codec.Made == collection.Written || method.Codec.Made == collection.Ended || method.Codec.Made == "" && slices.ContainsFunc(method.Codec.Gives, func(r *collection.Codec) bool {
			return r.Shape == collection.AsFailure || r.Shape == collection.AsBool
		})
	}
	if !slices.ContainsFunc(m.standIns, func(s *collection.Codec) bool { return slices.ContainsFunc(s.Parts, fails) }) {
		return
	}
	if v, err := w.withMadeUp(fn, true); err == nil {
		m.variants = append(m.variants, collection.Variant{New: v.expr, MadeUp: true})
	}
}

// mentionsMadeUp tells an expression that withMadeUp has given, of which a witness keeps the text.
func mentionsMadeUp(expr string) bool {
	return strings.Contains(expr, collection.StandInPrefix+madePrefix) || strings.Contains(expr, collection.StandInPrefix+refusingPrefix)
}

// again is the maker of such an expression.
func again(w *wanted, list []*types.Func, expr string) (maker, error) {
	for _, fn := range list {
		for _, refusing := range []bool{false, true} {
			if m, err := w.withMadeUp(fn, refusing); err == nil && m.expr == expr {
				return m, nil
			}
		}
	}
	return maker{}, fmt.Errorf("Request.New: %s: no constructor is given such stand-ins for interfaces any more", expr)
}

// madeUp says of which interfaces a constructor is given stand-ins, and what these do.
func (m *maker) madeUp() string {
	var names []string
	for _, s := range m.standIns {
		names = append(names, strings.TrimPrefix(strings.TrimPrefix(collection.StandInName(s.Type), madePrefix), refusingPrefix))
	}
	do := "do nothing"
	if m.standIns[0].Chosen != 0 {
		do = "fail"
	}
	text := fmt.Sprintf("an implementation of %s is made up for the constructor: its methods %s and return at once", strings.Join(names, ", and one of "), do)
	if m.standIns[0].Made == collection.Concurrent {
		return text + ", and several threads may call them at once, which not every implementation allows"
	}
	return text
}

// These begin the names of constructors' stand-ins behind collection.StandInPrefix, so that they are none of operations' stand-ins.
const (
	madePrefix     = "Made"
	refusingPrefix = "Refusing"
)

// plain are the interfaces of the standard library that may be made up for a constructor: what is written is gone, and there is nothing to read.
var plain = []string{"fmt.Stringer", "io.Writer", "io.StringWriter", "io.ByteWriter", "io.Closer", "io.WriteCloser", "io.Reader", "io.ReadCloser", "io.ReadWriter", "io.ReadWriteCloser"}
