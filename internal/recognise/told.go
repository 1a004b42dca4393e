// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// A constructor may be given a function that gives values, New(load func(key string) (int, error)). In a first search it gives the same
// value each time and refuses nothing. Settings.telling asks for functions that tell their arguments apart and refuse some: a cache that
// forgets to unlock behind an error, or gives one key's value for another, shows only then. Both sorts give the same for the same arguments.

// mayRefuse reports whether a last result can say that there is no value: an error, or a bool.
func mayRefuse(t types.Type) bool { return isError(t) || isBool(t) }

// loads is the body of a function that gives a value and an error or a bool. One that tells refuses the zero value of its first argument
// that is a number or a text, and gives what it can make of others; without such an argument it always refuses.
func (f *filler) loads(sig *types.Signature) string {
	v, last := sig.Results().At(0).Type(), sig.Results().At(1).Type()
	zero, gives := f.zero(v), "nil"
	if isBool(last) {
		gives = "true"
	}
	if !f.settings.telling {
		return "return " + f.value(v) + ", " + gives
	}
	refusal := "return " + zero + ", false"
	if isError(last) {
		refusal = "return " + zero + ", " + f.failure()
		if f.failure() == "" {
			refusal = "var err error; func() { defer func() { err, _ = recover().(error) }(); _ = *(*int)(nil) }(); return " + zero + ", err"
		}
	}
	a, t := told(sig)
	if a == "" {
		return refusal
	}
	return fmt.Sprintf("if %s == %s { %s }; return %s, %s", a, f.zero(t), refusal, f.madeOf(v, a, t), gives)
}

// knows reports whether something tells what a function with arguments that gives one value may give: a name says that it makes or finds the
// value, or the value is no number, which may have to be an index.
func knows(name string, result types.Type) bool {
	switch u := result.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsInteger == 0 || slices.Contains([]string{"f", "fn"}, name) || slices.ContainsFunc(loaders, func(s string) bool { return strings.HasPrefix(name, s) })
	case *types.Pointer:
		_, ok := u.Elem().Underlying().(*types.Struct)
		return ok
	case *types.Interface:
		return u.NumMethods() == 0
	case *types.Struct, *types.Slice, *types.Map:
		return true
	}
	return false
}

// loaders are the beginnings of names of functions that make or find the value of a key.
var loaders = []string{"load", "fetch", "compute", "get", "lookup", "find", "make", "new", "create", "build", "factory", "resolve", "default", "retrieve", "read"}

// gives is the body of a function with arguments that gives one value: its zero value, or true. One that tells gives what it can make of
// its first argument that is a number or a text; true, if that is not zero.
func (f *filler) gives(sig *types.Signature) string {
	v := sig.Results().At(0).Type()
	a, t := told(sig)
	tells := f.settings.telling && a != ""
	f.values = f.values || tells
	switch {
	case isBool(v) && tells:
		return "return " + a + " != " + f.zero(t)
	case isBool(v):
		return "return true"
	case isError(v) && tells && f.failure() != "":
		return fmt.Sprintf("if %s == %s { return %s }; return nil", a, f.zero(t), f.failure())
	case isError(v):
		return "return nil"
	case tells && isString(t):
		return fmt.Sprintf("if %s == \"\" { return %s }; return %s", a, f.zero(v), f.madeOf(v, a, t))
	case tells:
		return "return " + f.madeOf(v, a, t)
	}
	return "return " + f.value(v)
}

// told is the first parameter of a function that is a number or a text, and its type; "" if there is none.
func told(sig *types.Signature) (name string, t types.Type) {
	for i := range sig.Params().Len() {
		if t := sig.Params().At(i).Type(); isInteger(t) || isString(t) {
			return string(rune('a' + i)), t
		}
	}
	return "", nil
}

// madeOf is a value of type v made of the argument a of type t; of a text, of its last byte, for it is not empty. It is the zero value
// where there is no such value.
func (f *filler) madeOf(v types.Type, a string, t types.Type) string {
	to := func(x string) string { return typeString(v, f.pkg) + "(" + x + ")" }
	switch {
	case types.AssignableTo(t, v):
		return a
	case isInteger(v) && isInteger(t), isString(v) && isString(t):
		return to(a)
	case isInteger(v):
		return to(a + "[len(" + a + ")-1]")
	case isString(v):
		return to("rune('a' + " + a + ")")
	}
	return f.value(v)
}

// failure is a new error, by a package that the user's imports; "" if it imports none.
func (f *filler) failure() string {
	for _, known := range []struct{ path, expr string }{{"errors", `errors.New("failed")`}, {"fmt", `fmt.Errorf("failed")`}} {
		for _, imported := range f.pkg.Imports() {
			if imported.Path() == known.path && f.pkg.Scope().Lookup(known.path) == nil {
				return known.expr
			}
		}
	}
	return ""
}
