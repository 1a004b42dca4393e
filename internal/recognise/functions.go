// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"go/types"
	"slices"
	"strings"
)

// skipFunctions lists, among the methods that are no operations, the exported functions of the package that are given one of the type, Transfer(from, to *Account): they may do with it
// whatever methods do, and are not called. A constructor, of whatever type, is none of them, and neither is an option of one.
func (c *candidate) skipFunctions() {
	tn := c.Subject.Name
	pkg := tn.Pkg()
	var names []string
	for _, name := range pkg.Scope().Names() {
		fn, ok := pkg.Scope().Lookup(name).(*types.Func)
		if ok && fn.Exported() && isGiven(fn.Signature(), tn) && !isMaker(name) && !isOption(fn, tn) && !strings.Contains(c.New, name+"(") {
			names = append(names, name)
		}
	}
	what := "a *" + tn.Name()
	if types.IsInterface(tn.Type()) {
		what = "a " + tn.Name()
	}
	switch len(names) {
	case 0:
	case 1:
		c.skip(names[0], "is no method: functions that take "+what+" are not called")
	default:
		c.skip(strings.Join(names, ", "), "are no methods: functions that take "+what+" are not called")
	}
}

// isGiven says that a function has a parameter of a type, or of an interface of the package that the type has, alone or several of it.
func isGiven(sig *types.Signature, tn *types.TypeName) bool {
	for v := range sig.Params().Variables() {
		t := types.Unalias(v.Type())
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = types.Unalias(s.Elem())
		}
		named := namedOf(t)
		if named == nil {
			continue
		}
		if named.Origin().Obj() == tn {
			return true
		}
		iface, ok := t.Underlying().(*types.Interface)
		if ok && tn.Type().(*types.Named).TypeParams().Len() == 0 && named.Obj().Pkg() == tn.Pkg() && iface.NumMethods() > 0 && types.Implements(types.NewPointer(tn.Type()), iface) {
			return true
		}
	}
	return false
}

// isOption says that a constructor of a type takes functions such as this one.
func isOption(fn *types.Func, tn *types.TypeName) bool {
	return slices.ContainsFunc(constructors(tn.Pkg(), tn), func(maker *types.Func) bool {
		for v := range maker.Signature().Params().Variables() {
			t := v.Type()
			if s, ok := t.Underlying().(*types.Slice); ok {
				t = s.Elem()
			}
			if types.Identical(t.Underlying(), types.NewSignatureType(nil, nil, nil, fn.Signature().Params(), fn.Signature().Results(), fn.Signature().Variadic())) {
				return true
			}
		}
		return false
	})
}
