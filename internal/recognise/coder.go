// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"pangolin/internal/collection"
)

// maxDepth bounds how deep types are looked into.
const maxDepth = 4

// coder finds codecs for the types of one collection's methods.
type coder struct {
	pkg      *types.Package
	self     *types.TypeName
	returned []types.Type // result types of all methods
	taken    []types.Type // parameter types of all methods
	known    map[place]answer
	standIns map[string]*collection.Codec // of interfaces, by their names
	methods  []*method                    // all of them
	given    map[string]string            // functions of the package that methods are given
	agreeing int                          // functions that load a value agree, see collection.Overrides.Agreeing; 0: they need not
	leaves   map[int]string               // of handles by which a thread ends what it began: the method that does
	handles  []types.Type                 // sorts of handles, in order of discovery
	pulls    []pulled                     // those that are iterators
	shown    []collection.Known           // values that methods are to be given
	made     string                       // begins the names of stand-ins, if they are for arguments of a constructor; "" for operations
}

// place is a type and how deep in another it was met, which bounds how deep it is
// looked into.
type place struct {
	typ   string
	depth int
}

type answer struct {
	codec *collection.Codec
	why   refusal
}

// refusal is why a type has no codec, to follow "takes" or "returns".
type refusal string

// param finds the codec of a parameter, declared with a type that may be a type
// parameter. A pointer to a number or string that never comes back is taken for
// the address of a result.
func (k *coder) param(t, declared types.Type) (*collection.Codec, refusal) {
	if unnamedType(t) == "func()" {
		return &collection.Codec{Type: t, Shape: collection.AsCallback}, ""
	}
	if expr := constantFor(t); expr != "" && !(isInteger(t) && k.returns(t)) {
		return &collection.Codec{Type: t, Shape: collection.AsConstant, Constant: expr}, ""
	}
	if why := k.unnameable(t); why != "" {
		return nil, why
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if _, basic := p.Elem().Underlying().(*types.Basic); basic && !k.returns(t) && !isTypeParam(declared) {
			return nil, refusal(fmt.Sprintf("a pointer (%s) that no method returns", k.show(t)))
		}
	}
	c, why := k.value(t, 0)
	return whole(c), why
}

func (k *coder) returns(t types.Type) bool {
	return slices.ContainsFunc(k.returned, func(r types.Type) bool { return types.Identical(r, t) })
}

// takers is the number of parameters of a type.
func (k *coder) takers(t types.Type) (n int) {
	for _, p := range k.taken {
		if types.Identical(p, t) {
			n++
		}
	}
	return n
}

// background is the context that methods get.
const background = collection.Background

// second is the time.Duration that methods and constructors get: of one nanosecond rounding to milliseconds or seconds leaves nothing.
const second = "1000000000"

// constantFor are parameters with one obvious argument.
func constantFor(t types.Type) string {
	switch types.TypeString(types.Unalias(t), nil) {
	case "context.Context":
		return background
	case "time.Duration":
		return second
	}
	return ""
}

// result finds the codec of a result: what is not understood, or a struct or
// interface that no method takes, is told by whether it is nil.
func (k *coder) result(t types.Type) (*collection.Codec, refusal) {
	if isError(t) {
		return &collection.Codec{Type: t, Shape: collection.AsError}, ""
	}
	c, why := k.value(t, 0)
	if c != nil && k.strange(t) {
		c, why = nil, refusal(k.show(t)+", which no method takes")
	}
	if c == nil && isNilable(t) {
		return &collection.Codec{Type: t, Shape: collection.AsOpaque}, ""
	}
	return whole(c), why
}

func isNilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// strange tells structs, and interfaces with methods, that are no items: one
// field would not do to tell their values apart.
func (k *coder) strange(t types.Type) bool {
	for _, p := range k.taken {
		if types.Identical(p, t) || types.Identical(types.NewPointer(p), t) {
			return false
		}
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return u.NumFields() > 0
	case *types.Interface:
		return u.NumMethods() > 0
	}
	return false
}

// value finds the codec of a type that is stored and given back. Answers are kept:
// in packages of many structs the same types are met over and over.
func (k *coder) value(t types.Type, depth int) (*collection.Codec, refusal) {
	if depth > maxDepth {
		return nil, refusal("a type nested too deeply: " + k.show(t))
	}
	at := place{types.TypeString(t, nil), depth}
	a, ok := k.known[at]
	if !ok {
		a.codec, a.why = k.find(t, depth)
		k.known[at] = a
	}
	if a.codec == nil {
		return nil, a.why
	}
	own := *a.codec // its flags are the method's
	return &own, ""
}

// find is value, found out.
func (k *coder) find(t types.Type, depth int) (*collection.Codec, refusal) {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Origin().Obj() == k.self {
		return nil, refusal(collection.AnotherOf(k.self.Name()))
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return k.basic(t, u)
	case *types.Pointer:
		if c := foreign(t); c != nil {
			return c, ""
		}
		return k.pointer(t, u, depth)
	case *types.Slice:
		return k.sequenceOf(t, u.Elem(), depth)
	case *types.Array:
		return k.array(t, u, depth)
	case *types.Struct:
		if c := foreign(t); c != nil {
			return c, ""
		}
		return k.structure(t, u, depth, true)
	case *types.Interface:
		return k.dynamic(t, u, depth)
	case *types.Signature:
		return nil, refusal("a function")
	case *types.Chan:
		return nil, refusal("a channel")
	case *types.Map:
		if depth > 0 { // a field; a parameter is read wide
			return k.mapping(t, u, depth, func(e types.Type, d int) (*collection.Codec, refusal) { return k.value(e, d) })
		}
		return nil, refusal("a map")
	}
	return nil, refusal(k.show(t))
}

func (k *coder) wrap(t types.Type, s collection.Shape, elem types.Type, depth int) (*collection.Codec, refusal) {
	e, why := k.value(elem, depth+1)
	if e == nil {
		return nil, why
	}
	return &collection.Codec{Type: t, Shape: s, Elem: e}, ""
}

func (k *coder) basic(t types.Type, b *types.Basic) (*collection.Codec, refusal) {
	names := k.constants(t)
	switch info := b.Info(); {
	case b.Kind() == types.UnsafePointer:
		return nil, refusal("an unsafe.Pointer")
	case info&types.IsInteger != 0:
		return &collection.Codec{Type: t, Shape: collection.AsInt, Names: names}, ""
	case info&types.IsBoolean != 0:
		return &collection.Codec{Type: t, Shape: collection.AsBool}, ""
	case info&types.IsFloat != 0:
		return &collection.Codec{Type: t, Shape: collection.AsFloat}, ""
	case info&types.IsString != 0:
		return &collection.Codec{Type: t, Shape: collection.AsString, Names: names}, ""
	}
	return nil, refusal("a " + b.Name())
}

// constants are the package's constants of a type of its own, in their order: the first four of different values, or two; none if there is only one,
// or if they are numbers with 0 and 1 among them, which any number may be.
func (k *coder) constants(t types.Type) (names []string) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != k.pkg.Path() {
		return nil
	}
	var list []*types.Const
	for _, name := range k.pkg.Scope().Names() {
		c, ok := k.pkg.Scope().Lookup(name).(*types.Const)
		same := func(other *types.Const) bool { return constant.Compare(c.Val(), token.EQL, other.Val()) }
		if ok && name != "_" && types.Identical(c.Type(), t) && !slices.ContainsFunc(list, same) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *types.Const) int { return int(a.Pos() - b.Pos()) })
	small := 0
	for _, c := range list {
		if n, exact := constant.Int64Val(constant.ToInt(c.Val())); exact && (n == 0 || n == 1) {
			small++
		}
		names = append(names, c.Name())
	}
	switch n := len(names); {
	case n < 2 || small == 2:
		return nil
	case n < 4:
		return names[:2]
	}
	return names[:4]
}

// dynamic fills an interface with an int if that has its methods, or else with a
// type of the package, or with a stand-in.
func (k *coder) dynamic(t types.Type, u *types.Interface, depth int) (*collection.Codec, refusal) {
	if isError(t) {
		return nil, refusal("an error")
	}
	for _, held := range append([]types.Type{types.Typ[types.Int]}, packageTypes(k.pkg)...) {
		if !types.Implements(held, u) {
			continue
		}
		if c, _ := k.wrap(t, collection.AsDynamic, held, depth); c != nil {
			c.Parts = k.alternatives(u, held, depth)
			return c, ""
		}
	}
	if c, why := k.standIn(t, u); c != nil || why != "" {
		return c, why
	}
	return nil, refusal(fmt.Sprintf("an interface (%s) that no suitable type of the package implements", k.show(t)))
}

// packageTypes are the package's types that are neither generic nor interfaces, by
// name, each followed by its pointer.
func packageTypes(pkg *types.Package) []types.Type {
	var out []types.Type
	for _, name := range pkg.Scope().Names() {
		tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		if n, ok := tn.Type().(*types.Named); ok && n.TypeParams().Len() == 0 && !types.IsInterface(n) {
			out = append(out, n, types.NewPointer(n))
		}
	}
	return out
}

// unnameable says which part of a type cannot be written in the package's
// source.
func (k *coder) unnameable(t types.Type) refusal {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		obj := t.Obj()
		if obj.Pkg() != nil && obj.Pkg().Path() != k.pkg.Path() && !obj.Exported() {
			return refusal("the unexported type " + k.show(t))
		}
		for arg := range t.TypeArgs().Types() {
			if why := k.unnameable(arg); why != "" {
				return why
			}
		}
	case interface{ Elem() types.Type }:
		return k.unnameable(t.Elem())
	}
	return ""
}

// show is a type for people.
func (k *coder) show(t types.Type) string { return typeString(t, k.pkg) }

// typeString is a type as the package's source would name it.
func typeString(t types.Type, pkg *types.Package) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == pkg.Path() {
			return ""
		}
		return p.Name()
	})
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
