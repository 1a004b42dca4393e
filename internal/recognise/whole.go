// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"

	"pangolin/internal/collection"
)

// A value that callers make is made whole and read whole: all fields of a struct that a caller can set, all
// elements of an array, two elements of a slice, what a pointer points to. Each part has a function
// of the value's number of its own (collection.Tagged), so that a value that was torn, or one of whose fields stands
// in another's place, is none that a caller made.

// whole numbers the parts of a codec that stands for a parameter or a result. A type has the same
// numbers wherever it stands.
func whole(c *collection.Codec) *collection.Codec {
	if c == nil {
		return nil
	}
	n := numberer{}
	return n.number(c, false)
}

// numberer gives parts their tags and bits.
type numberer struct {
	leaves, bits      int
	together, ordered bool // see together
}

// number is a copy of a codec with its parts numbered; a part of a struct may be nil, which the number 0 stands for.
func (n *numberer) number(c *collection.Codec, field bool) *collection.Codec {
	if c == nil {
		return nil
	}
	own := *c
	own.Pair = 0
	own.Zero = c.Zero || n.ordered && field && (c.Shape == collection.AsBool || len(c.Names) > 0)
	own.ZeroIsNil = c.ZeroIsNil || field && (c.Nilable() || c.Shape == collection.AsMap)
	switch {
	case own.Zero, len(c.Names) > 0:
		return &own
	case c.Shape == collection.AsInt, c.Shape == collection.AsFloat, c.Shape == collection.AsString, c.Shape == collection.AsForeign:
		own.Tag = n.tag(c)
	case c.Shape == collection.AsBool, c.Shape == collection.AsFailure:
		own.Bit = n.bits % collection.MostBits
		n.bits++
		return &own // Parts are types of errors
	case c.Shape == collection.AsDynamic:
		own.Elem = n.number(c.Elem, false)
		return &own // Parts are not set
	case c.Shape == collection.AsPointer:
		own.Elem = n.number(c.Elem, false)
	case c.Shape == collection.AsMap:
		own.Key, own.Elem = n.number(c.Key, false), n.number(c.Elem, false)
	case c.Shape == collection.AsSequence && c.Several:
		own.Elem = n.number(c.Elem, false)
	case c.Shape == collection.AsStruct, c.Shape == collection.AsArray, c.Shape == collection.AsSequence:
		own.Parts = slices.Clone(c.Parts)
		for i := range own.Parts {
			own.Parts[i].Codec = n.number(own.Parts[i].Codec, c.Shape != collection.AsSequence)
		}
		if c.Shape == collection.AsStruct && !n.together {
			pair(own.Parts)
		}
	}
	return &own
}

// pair lets two fields of a struct vary by themselves: the first number or text, and the next one; if there is none, a bool or a constant. Two of one type have the same values,
// as From and To of a transfer do.
func pair(fields []collection.Part) {
	plain := func(p collection.Part) bool { return numeric(p.Codec) || isText(p.Codec) }
	chosen := func(p collection.Part) bool {
		c := p.Codec
		return !c.Zero && (len(c.Names) > 0 || c.Shape == collection.AsBool && c.Bit == 0)
	}
	first := slices.IndexFunc(fields, plain)
	if first < 0 {
		return
	}
	second := slices.IndexFunc(fields[first+1:], plain) + first + 1
	if second == first {
		if second = slices.IndexFunc(fields, chosen); second < 0 {
			return
		}
	}
	a, b := fields[first].Codec, fields[second].Codec
	if a.Pair, b.Pair = collection.FirstOfTwo, collection.SecondOfTwo; !plain(fields[second]) {
		a.Pair, b.Pair = collection.BesideFew, collection.OneOfFew
	}
	if types.Identical(a.Type, b.Type) {
		b.Tag = a.Tag
	}
}

// numeric reports whether a codec is a number of which any is given, isText whether it is such a text.
func numeric(c *collection.Codec) bool {
	return (c.Shape == collection.AsInt || c.Shape == collection.AsFloat) && !c.Zero && len(c.Names) == 0 && !c.IsStandIn()
}

func isText(c *collection.Codec) bool {
	return c.Shape == collection.AsString && !c.Zero && len(c.Names) == 0
}

// dependent lists the structs within what callers make of which fields that are set vary together, with the exceptions: ", but for ID and Name".
func dependent(c *collection.Codec, each func(of *collection.Codec, but string)) {
	if c == nil || c.Zero {
		return
	}
	set := 0
	var free []string
	alone, coarse := "", false
	for _, p := range c.Parts {
		dependent(p.Codec, each)
		if c.Shape == collection.AsStruct && p.Codec != nil && !p.Codec.Zero {
			set++
			switch p.Codec.Pair {
			case 0:
				alone = p.Name
			case collection.Coarse:
				coarse = true
			default:
				free = append(free, p.Name)
			}
		}
	}
	if len(c.Parts) == 0 {
		dependent(c.Elem, each)
	}
	switch {
	case coarse:
		each(c, ", but for "+alone)
	case set > 2 && len(free) == 2:
		each(c, ", but for "+free[0]+" and "+free[1])
	case set > 1 && len(free) == 0:
		each(c, "")
	}
}

// tag is the number of the next leaf.
func (n *numberer) tag(c *collection.Codec) int {
	tag := n.leaves
	n.leaves++
	if b, ok := c.Type.Underlying().(*types.Basic); ok && tag > 0 {
		switch b.Kind() {
		case types.Int8, types.Uint8:
			tag = (tag-1)%collection.NarrowTags + 1
		}
	}
	return tag
}

// foreign is the codec of a type of the library that has no fields; nil if it is none.
func foreign(t types.Type) *collection.Codec {
	name := types.TypeString(types.Unalias(t), nil)
	if _, ok := collection.Foreigns[name]; !ok {
		return nil
	}
	return &collection.Codec{Type: t, Shape: collection.AsForeign, Made: name}
}

func (k *coder) pointer(t types.Type, p *types.Pointer, depth int) (*collection.Codec, refusal) {
	var e *collection.Codec
	var why refusal
	if s, ok := p.Elem().Underlying().(*types.Struct); ok && !k.isSelf(p.Elem()) {
		if e, why = k.shallow(p.Elem(), depth+1); e == nil {
			e, why = k.structure(p.Elem(), s, depth+1, false)
		}
	} else {
		e, why = k.value(p.Elem(), depth+1)
	}
	if e == nil {
		return nil, why
	}
	return &collection.Codec{Type: t, Shape: collection.AsPointer, Elem: e, Taken: k.handedIn(t)}, ""
}

// handedIn says that arguments are or hold values of a type.
func (k *coder) handedIn(t types.Type) bool {
	return slices.ContainsFunc(k.taken, func(p types.Type) bool { return hasPart(p, t, 0) })
}

// hasPart says that values of one type have parts of another one.
func hasPart(whole, t types.Type, depth int) bool {
	if types.Identical(whole, t) || depth > maxDepth {
		return depth <= maxDepth
	}
	switch u := whole.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if hasPart(f.Type(), t, depth+1) {
				return true
			}
		}
	case *types.Map:
		return hasPart(u.Key(), t, depth+1) || hasPart(u.Elem(), t, depth+1)
	case interface{ Elem() types.Type }: // a pointer, a slice, an array
		return hasPart(u.Elem(), t, depth+1)
	}
	return false
}

// shallow refuses what is nested too deeply.
func (k *coder) shallow(t types.Type, depth int) (*collection.Codec, refusal) {
	if depth > maxDepth {
		return nil, refusal("a type nested too deeply: " + k.show(t))
	}
	return nil, ""
}

// sequenceOf is a slice: two elements, unless the depth forbids.
func (k *coder) sequenceOf(t, elem types.Type, depth int) (*collection.Codec, refusal) {
	e, why := k.value(elem, depth+1)
	if e == nil {
		return nil, why
	}
	return elements(t, collection.AsSequence, e, collection.PartElements), ""
}

func (k *coder) array(t types.Type, a *types.Array, depth int) (*collection.Codec, refusal) {
	if a.Len() == 0 {
		return nil, refusal("an empty array")
	}
	e, why := k.value(a.Elem(), depth+1)
	if e == nil {
		return nil, why
	}
	return elements(t, collection.AsArray, e, min(a.Len(), collection.ArrayElements)), ""
}

// elements is a slice or an array of so many elements that are read one by one.
func elements(t types.Type, shape collection.Shape, e *collection.Codec, n int64) *collection.Codec {
	c := &collection.Codec{Type: t, Shape: shape, Elem: e}
	for range n {
		c.Parts = append(c.Parts, collection.Part{Codec: e})
	}
	return c
}

// structure is a struct by its fields. One that is handed on as a value is all there is of it; of one that is pointed to the
// collection may use fields for itself, which callers do not set (see fieldsOf).
func (k *coder) structure(t types.Type, s *types.Struct, depth int, value bool) (*collection.Codec, refusal) {
	c := &collection.Codec{Type: t, Shape: collection.AsStruct, Parts: []collection.Part{}}
	sets := s.NumFields() == 0
	for f, callers := range k.fieldsOf(t, s, depth, value) {
		if !callers {
			c.Left = append(c.Left, f.Name()+" "+k.show(f.Type()))
			continue
		}
		e, _ := k.value(f.Type(), depth+1)
		if isError(f.Type()) {
			e = k.failure(f.Type())
		}
		if e == nil && value {
			if e, _ = k.part(f.Type(), depth+1); e != nil && !readable(e) {
				e = nil
			}
			if e != nil {
				own := *e
				own.Zero = true
				e = &own
			}
		}
		if e == nil {
			c.Left = append(c.Left, f.Name()+" "+k.show(f.Type()))
			continue
		}
		sets = sets || !e.Zero
		c.Parts = append(c.Parts, collection.Part{Name: f.Name(), Codec: e})
	}
	if !sets {
		return nil, refusal(fmt.Sprintf("a struct (%s) without a field that tells its values apart", k.show(t)))
	}
	return c, ""
}

// readable says that a part of a parameter that stays zero can be told from another: it is one number.
func readable(c *collection.Codec) bool {
	return c.Shape != collection.AsSeq && c.Shape != collection.AsStruct && c.Shape != collection.AsArray
}

// fieldsOf tells for each field of a struct whether it is a caller's to set: what is exported, and all of a type
// that has nothing of its own to hide. A type hides something if it has a lock, and one that is pointed to if it has
// methods on the pointer or a pointer to its own kind; then one field that sounds like the content is a caller's as well, if no
// exported one is.
func (k *coder) fieldsOf(t types.Type, s *types.Struct, depth int, value bool) func(yield func(*types.Var, bool) bool) {
	hides := k.hides(t, s, value)
	var best *types.Var
	exported, rank := false, -1
	for f := range s.Fields() {
		if !hides || f.Name() == "_" || !k.own(f) || k.refers(f.Type(), t) {
			continue
		}
		e, _ := k.value(f.Type(), depth+1)
		if e == nil || e.Nilable() {
			continue
		}
		exported = exported || f.Exported()
		if r := fieldRank(f.Name(), e); r > rank {
			best, rank = f, r
		}
	}
	return func(yield func(*types.Var, bool) bool) {
		for f := range s.Fields() {
			if f.Name() == "_" {
				continue
			}
			mine := k.own(f) && (f.Exported() || !hides || f == best && !exported)
			if !yield(f, mine && !k.refers(f.Type(), t)) {
				return
			}
		}
	}
}

// own says that the package's source can name a field.
func (k *coder) own(f *types.Var) bool { return f.Exported() || f.Pkg().Path() == k.pkg.Path() }

// hides says that a struct may have fields that are no caller's.
func (k *coder) hides(t types.Type, s *types.Struct, value bool) bool {
	if named := namedOf(t); !value && named != nil && types.NewMethodSet(types.NewPointer(named)).Len() > types.NewMethodSet(named).Len() {
		return true
	}
	for f := range s.Fields() {
		if !value && k.refers(f.Type(), t) || synchronises(f.Type()) {
			return true
		}
	}
	return false
}

// refers says that a field is a link to another value of the struct's type.
func (k *coder) refers(field, t types.Type) bool {
	switch u := types.Unalias(field).(type) {
	case *types.Pointer:
		return types.Identical(u.Elem(), t)
	case *types.Slice:
		return k.refers(u.Elem(), t) || types.Identical(u.Elem(), t)
	case *types.Map:
		return k.refers(u.Elem(), t)
	case *types.Named: // atomic.Pointer[node]
		for arg := range u.TypeArgs().Types() {
			if types.Identical(arg, t) {
				return true
			}
		}
	}
	return false
}

// usable lists the exported fields of a type by which users take part: channels, locks and atomic variables.
func usable(named *types.TypeName) (fields []string) {
	s, ok := named.Type().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Exported() && !f.Embedded() && synchronises(f.Type()) {
			fields = append(fields, "the field "+f.Name())
		}
	}
	return fields
}

// synchronises tells locks, atomic variables and channels.
func synchronises(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Chan); ok {
		return true
	}
	named := namedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return false
	}
	path := named.Obj().Pkg().Path()
	return path == "sync" || path == "sync/atomic"
}

// isSelf tells the collection's own type.
func (k *coder) isSelf(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Origin().Obj() == k.self
}

func fieldRank(name string, c *collection.Codec) int {
	rank := 0
	if slices.Contains([]string{"value", "val", "v", "item", "data", "key", "k", "id", "elem", "x"}, fold(name)) {
		rank = 2
	}
	if c.Values() == 0 {
		rank++
	}
	return rank
}

// mostAlternatives is how many types of the package are told apart that an interface may hold.
const mostAlternatives = 24

// alternatives are the types, beside the one that arguments have, that a result of an interface type may hold: basic
// ones, and those of the package. Of what a pointer with methods points to nothing is read.
func (k *coder) alternatives(u *types.Interface, given types.Type, depth int) (out []collection.Part) {
	if depth > 1 {
		return nil
	}
	var list []types.Type
	for _, kind := range []types.BasicKind{types.Int, types.String, types.Bool, types.Int64, types.Uint64, types.Int32, types.Float64} {
		list = append(list, types.Typ[kind])
	}
	list = append(list, types.NewSlice(types.Universe.Lookup("byte").Type()))
	for _, t := range append(list, packageTypes(k.pkg)...) {
		if given != nil && types.Identical(t, given) || !types.Implements(t, u) || len(out) == mostAlternatives {
			continue
		}
		if e, _ := k.part(t, depth+1); e != nil {
			if !e.Leaf() {
				e = &collection.Codec{Type: t, Shape: collection.AsDigest, Elem: e}
			}
			out = append(out, collection.Part{Codec: e})
		}
	}
	return out
}

// left lists what a codec neither sets nor reads.
func left(c *collection.Codec, each func(of *collection.Codec, what string)) {
	if c == nil {
		return
	}
	for _, text := range c.Left {
		each(c, text)
	}
	left(c.Elem, each)
	left(c.Key, each)
	for _, p := range c.Parts {
		left(p.Codec, each)
	}
}
