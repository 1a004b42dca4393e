// SPDX-License-Identifier: BSD-3-Clause

package recognise

import "go/types"

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
func (k *coder) lent(t types.Type) bool {
	if namedOf(t) == nil {
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
