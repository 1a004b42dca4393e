// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"go/types"
	"slices"
)

// What collections lend: a pool gives what it was not given, and takes it back.

// foreign tells types of other packages, whose methods are no operations.
func (k *coder) foreign(t types.Type) bool {
	named := namedOf(t)
	return named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() != k.pkg.Path()
}

// lent tells what a method gives that was not given one, and another one takes back: rather
// than something that callers make and the collection stores. Callers can make what has
// fields that they can set or a function that makes it, but they do not if the method that
// takes it sounds like the end of its use.
//
// An interface of which the package has no implementation, and gets none but from those who call the methods, is nothing that a collection could lend: all that Lookup gives was given to Register. Taken for a handle it
// was never given to anybody, and every type that stores such values was verified while it was empty.
func (k *coder) lent(t types.Type) bool {
	if namedOf(t) == nil || k.callers(t) {
		return false
	}
	given, back, taken := false, false, false
	for _, m := range k.methods {
		has := func(tuple *types.Tuple) bool {
			for v := range tuple.Variables() {
				if types.Identical(v.Type(), t) {
					return true
				}
			}
			return false
		}
		takes := has(m.sig.Params())
		taken = taken || takes
		back = back || takes && ends(m.name)
		given = given || !takes && has(m.sig.Results())
	}
	return given && taken && (back || !k.makeable(namedOf(t)))
}

// callers says that values of an interface come from callers alone: a stand-in can be made for it; no type of the package, or of one that it imports, implements it; none of their functions has such a value, or a
// function that returns one, as a parameter or result; and no method is given a function that returns one.
func (k *coder) callers(t types.Type) bool {
	u, ok := t.Underlying().(*types.Interface)
	if !ok || k.stood(t, u) == nil {
		return false
	}
	returns := func(of types.Type) bool { // a function that returns such a value first
		f, ok := of.Underlying().(*types.Signature)
		return ok && f.Results().Len() > 0 && types.Identical(f.Results().At(0).Type(), t)
	}
	has := func(tuple *types.Tuple) bool {
		for v := range tuple.Variables() {
			if types.Identical(v.Type(), t) || returns(v.Type()) {
				return true
			}
		}
		return false
	}
	for _, p := range append([]*types.Package{k.pkg}, k.pkg.Imports()...) {
		for _, name := range p.Scope().Names() {
			switch obj := p.Scope().Lookup(name).(type) {
			case *types.Func:
				if sig := obj.Signature(); has(sig.Params()) || has(sig.Results()) {
					return false
				}
			case *types.TypeName:
				if typ := obj.Type(); !types.IsInterface(typ) && (types.Implements(typ, u) || types.Implements(types.NewPointer(typ), u)) {
					return false
				}
			}
		}
	}
	return !slices.ContainsFunc(k.methods, func(m *method) bool {
		for v := range m.sig.Params().Variables() {
			if returns(v.Type()) {
				return true // Get(dial func() Conn)
			}
		}
		return false
	})
}

// makeable says that callers can make values of a type.
func (k *coder) makeable(named *types.Named) bool {
	if len(constructors(k.pkg, named.Origin().Obj())) > 0 {
		return true
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return !types.IsInterface(named)
	}
	for f := range s.Fields() {
		if f.Exported() {
			return true
		}
	}
	return s.NumFields() == 0
}
