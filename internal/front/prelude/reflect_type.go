//go:build prelude

//pangolin:for reflect

package prelude

import (
	"iter"
	"reflect"
	"strconv"
)

// reflect_rtype describes the type whose number is its place in rtypes; its contents do not matter. It is named for what %T prints, and
// embeds an interface, which is nil, for the methods of reflect.Type that are not exported.
type reflect_rtype struct{ reflect.Type }

var rtypes [1 << 14]reflect_rtype

// reflectNumber is the place in rtypes.
func reflectNumber(t *reflect_rtype) int

// Facts about types, as the machine numbers them. Those of fields take the number of the field.
const (
	factKind = iota
	factElem
	factKey
	factLen
	factWords
	factBytes
	factNumField
	factFieldType
	factFieldWord
	factFieldByte
	factFieldEmbedded
	factFieldExported
	factNamed
	factComparable
	factDirection
	factNumMethod
)

const (
	textName = iota
	textPackage
	textField
	textFieldTag
	textFieldPackage
)

func reflectFact(typ, fact, i int) int
func reflectText(typ, text, i int) string

// reflectDerived is the number of a type that is made of another one, or two; 0 if the program has none.
func reflectDerived(kind, elem, key, n int) int

// reflectImplements says whether a type has the methods of an interface type, reflectAssignable whether its values are assigned to variables
// of another type as they are, reflectSameForm whether types have the same underlying type, tags of fields left out.
func reflectImplements(typ, iface int) bool
func reflectAssignable(typ, to int) bool
func reflectSameForm(typ, to int) bool

func rtypeOf(typ int) *reflect_rtype {
	if typ >= len(rtypes) {
		unsupported("reflection in a program of more than 16,383 types")
	}
	return &rtypes[typ]
}

// typeOf is a type, or nil for 0.
func typeOf(typ int) reflect.Type {
	if typ == 0 {
		return nil
	}
	return rtypeOf(typ)
}

// numberOf is the number of a type that is not nil.
func numberOf(t reflect.Type) int { return reflectNumber(t.(*reflect_rtype)) }

// derived is the number of a type that is made of others.
func derived(kind reflect.Kind, elem, key, n int) int {
	typ := reflectDerived(int(kind), elem, key, n)
	if typ == 0 {
		unsupported("reflection makes a type that is nowhere in the program's text")
	}
	return typ
}

var kindNames = [...]string{"invalid", "bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr",
	"float32", "float64", "complex64", "complex128", "array", "chan", "func", "interface", "map", "ptr", "slice", "string", "struct", "unsafe.Pointer"}

//pangolin:model (reflect.Kind).String
func kindName(k reflect.Kind) string {
	if uint(k) < uint(len(kindNames)) {
		return kindNames[uint(k)]
	}
	return "kind" + decimal(int(k))
}

func decimal(n int) string {
	if n < 10 {
		return "0123456789"[n : n+1]
	}
	return decimal(n/10) + decimal(n%10)
}

//pangolin:model (reflect.ChanDir).String
func directionName(d reflect.ChanDir) string {
	switch d {
	case reflect.SendDir:
		return "chan<-"
	case reflect.RecvDir:
		return "<-chan"
	case reflect.BothDir:
		return "chan"
	}
	return "ChanDir" + decimal(int(d))
}

//pangolin:model reflect.TypeOf
func reflectTypeOf(v any) reflect.Type { return typeOf(reflectNumberOf(v)) }

type typeFor[T any] struct{}

//pangolin:model reflect.TypeFor
func (typeFor[T]) call() reflect.Type {
	var p *T
	return typeOf(reflectFact(reflectNumberOf(p), factElem, 0))
}

//pangolin:model reflect.PointerTo
//pangolin:model reflect.PtrTo
func reflectPointerTo(t reflect.Type) reflect.Type {
	return typeOf(derived(reflect.Pointer, numberOf(t), 0, 0))
}

//pangolin:model reflect.SliceOf
func reflectSliceOf(t reflect.Type) reflect.Type {
	return typeOf(derived(reflect.Slice, numberOf(t), 0, 0))
}

//pangolin:model reflect.ArrayOf
func reflectArrayOf(n int, t reflect.Type) reflect.Type {
	if n < 0 {
		panic("reflect: negative length passed to ArrayOf")
	}
	return typeOf(derived(reflect.Array, numberOf(t), 0, n))
}

//pangolin:model reflect.MapOf
func reflectMapOf(key, elem reflect.Type) reflect.Type {
	if reflectFact(numberOf(key), factComparable, 0) == 0 {
		panic("reflect.MapOf: invalid key type " + key.String())
	}
	return typeOf(derived(reflect.Map, numberOf(elem), numberOf(key), 0))
}

func (t *reflect_rtype) fact(fact, i int) int { return reflectFact(reflectNumber(t), fact, i) }

func (t *reflect_rtype) String() string     { return reflectText(reflectNumber(t), textName, 0) }
func (t *reflect_rtype) Kind() reflect.Kind { return reflect.Kind(t.fact(factKind, 0)) }
func (t *reflect_rtype) Size() uintptr      { return uintptr(t.fact(factBytes, 0)) }
func (t *reflect_rtype) Comparable() bool   { return t.fact(factComparable, 0) != 0 }
func (t *reflect_rtype) PkgPath() string    { return reflectText(reflectNumber(t), textPackage, 0) }

func (t *reflect_rtype) Name() string {
	if t.fact(factNamed, 0) == 0 {
		return ""
	}
	s, brackets := t.String(), 0
	i := len(s) - 1
	for i >= 0 && (s[i] != '.' || brackets != 0) {
		switch s[i] {
		case ']':
			brackets++
		case '[':
			brackets--
		}
		i--
	}
	return s[i+1:]
}

func (t *reflect_rtype) Bits() int {
	k := t.Kind()
	if k < reflect.Int || k > reflect.Complex128 {
		panic("reflect: Bits of non-arithmetic Type " + t.String())
	}
	return int(t.Size()) * 8
}

func (t *reflect_rtype) Elem() reflect.Type {
	switch t.Kind() {
	case reflect.Array, reflect.Chan, reflect.Map, reflect.Pointer, reflect.Slice:
		return typeOf(t.fact(factElem, 0))
	}
	panic("reflect: Elem of invalid type " + t.String())
}

func (t *reflect_rtype) Key() reflect.Type {
	if t.Kind() != reflect.Map {
		panic("reflect: Key of non-map type " + t.String())
	}
	return typeOf(t.fact(factKey, 0))
}

func (t *reflect_rtype) Len() int {
	if t.Kind() != reflect.Array {
		panic("reflect: Len of non-array type " + t.String())
	}
	return t.fact(factLen, 0)
}

func (t *reflect_rtype) ChanDir() reflect.ChanDir {
	if t.Kind() != reflect.Chan {
		panic("reflect: ChanDir of non-chan type " + t.String())
	}
	return reflect.ChanDir(t.fact(factDirection, 0))
}

func (t *reflect_rtype) NumField() int {
	if t.Kind() != reflect.Struct {
		panic("reflect: NumField of non-struct type " + t.String())
	}
	return t.fact(factNumField, 0)
}

func (t *reflect_rtype) Field(i int) reflect.StructField {
	if t.Kind() != reflect.Struct {
		panic("reflect: Field of non-struct type " + t.String())
	}
	if i < 0 || i >= t.fact(factNumField, 0) {
		panic("reflect: Field index out of bounds")
	}
	n := reflectNumber(t)
	return reflect.StructField{
		Name: reflectText(n, textField, i), PkgPath: reflectText(n, textFieldPackage, i), Type: typeOf(t.fact(factFieldType, i)),
		Tag: reflect.StructTag(reflectText(n, textFieldTag, i)), Offset: uintptr(t.fact(factFieldByte, i)), Index: []int{i},
		Anonymous: t.fact(factFieldEmbedded, i) != 0,
	}
}

func (t *reflect_rtype) Fields() iter.Seq[reflect.StructField] {
	n := t.NumField()
	return func(yield func(reflect.StructField) bool) {
		for i := range n {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

func (t *reflect_rtype) FieldByIndex(index []int) reflect.StructField {
	var f reflect.StructField
	var at reflect.Type = t
	for i, x := range index {
		if i > 0 {
			if at.Kind() == reflect.Pointer && at.Elem().Kind() == reflect.Struct {
				at = at.Elem()
			}
		}
		f = at.Field(x)
		at = f.Type
	}
	return f
}

// embedding is a struct that a search for a field has come to, and the way there.
type embedding struct {
	typ   reflect.Type
	index []int
}

func (t *reflect_rtype) FieldByName(name string) (reflect.StructField, bool) {
	return t.FieldByNameFunc(func(s string) bool { return s == name })
}

// FieldByNameFunc looks for the field at the least depth of embedding; if there are two of that depth, there is none.
func (t *reflect_rtype) FieldByNameFunc(match func(string) bool) (found reflect.StructField, ok bool) {
	if t.Kind() != reflect.Struct {
		panic("reflect: FieldByNameFunc of non-struct type " + t.String())
	}
	current := []embedding{}
	next := []embedding{{t, nil}}
	visited := map[reflect.Type]bool{}
	counts := map[reflect.Type]int{}
	for len(next) > 0 {
		current, next = next, current[:0]
		count := counts
		counts = map[reflect.Type]int{}
		for _, e := range current {
			if visited[e.typ] {
				continue
			}
			visited[e.typ] = true
			for i := range e.typ.NumField() {
				f := e.typ.Field(i)
				inner := f.Type
				if f.Anonymous && inner.Kind() == reflect.Pointer {
					inner = inner.Elem()
				}
				if match(f.Name) {
					if count[e.typ] > 1 || ok {
						return reflect.StructField{}, false
					}
					found, ok = f, true
					found.Index = append(append([]int(nil), e.index...), i)
					continue
				}
				if ok || !f.Anonymous || inner.Kind() != reflect.Struct {
					continue
				}
				if counts[inner] > 0 {
					counts[inner] = 2
					continue
				}
				counts[inner] = 1
				if count[e.typ] > 1 {
					counts[inner] = 2
				}
				next = append(next, embedding{inner, append(append([]int(nil), e.index...), i)})
			}
		}
		if ok {
			return found, true
		}
	}
	return reflect.StructField{}, false
}

func (t *reflect_rtype) Implements(u reflect.Type) bool {
	if u == nil {
		panic("reflect: nil type passed to Type.Implements")
	}
	if u.Kind() != reflect.Interface {
		panic("reflect: non-interface type passed to Type.Implements")
	}
	return reflectImplements(reflectNumber(t), numberOf(u))
}

func (t *reflect_rtype) AssignableTo(u reflect.Type) bool {
	if u == nil {
		panic("reflect: nil type passed to Type.AssignableTo")
	}
	return assignable(reflectNumber(t), numberOf(u))
}

func (t *reflect_rtype) ConvertibleTo(u reflect.Type) bool {
	if u == nil {
		panic("reflect: nil type passed to Type.ConvertibleTo")
	}
	return conversion(reflectNumber(t), numberOf(u)) != noConversion
}

func (t *reflect_rtype) NumMethod() int { return t.fact(factNumMethod, 0) }

func (t *reflect_rtype) OverflowInt(x int64) bool {
	if !isInt(t.Kind()) {
		panic("reflect: OverflowInt of non-int type " + t.String())
	}
	unused := 64 - t.Size()*8
	return x<<unused>>unused != x
}

func (t *reflect_rtype) OverflowUint(x uint64) bool {
	if !isUint(t.Kind()) {
		panic("reflect: OverflowUint of non-uint type " + t.String())
	}
	unused := 64 - t.Size()*8
	return x<<unused>>unused != x
}

func (t *reflect_rtype) OverflowFloat(x float64) bool {
	switch t.Kind() {
	case reflect.Float32:
		return overflows32(x)
	case reflect.Float64:
		return false
	}
	panic("reflect: OverflowFloat of non-float type " + t.String())
}

func (t *reflect_rtype) OverflowComplex(x complex128) bool {
	switch t.Kind() {
	case reflect.Complex64:
		return overflows32(real(x)) || overflows32(imag(x))
	case reflect.Complex128:
		return false
	}
	panic("reflect: OverflowComplex of non-complex type " + t.String())
}

// maxFloat32 is math.MaxFloat32.
const maxFloat32 = 0x1p127 * (1 + (1 - 0x1p-23))

func overflows32(x float64) bool {
	if x < 0 {
		x = -x
	}
	return maxFloat32 < x && x <= 0x1p1023*(1+(1-0x1p-52))
}

//pangolin:model (reflect.StructTag).Get
func tagGet(tag reflect.StructTag, key string) string {
	value, _ := tagLookup(tag, key)
	return value
}

//pangolin:model (reflect.StructTag).Lookup
func tagLookup(tag reflect.StructTag, key string) (value string, ok bool) {
	for tag != "" {
		i := 0
		for i < len(tag) && tag[i] == ' ' {
			i++
		}
		if tag = tag[i:]; tag == "" {
			break
		}
		i = 0
		for i < len(tag) && tag[i] > ' ' && tag[i] != ':' && tag[i] != '"' && tag[i] != 0x7f {
			i++
		}
		if i == 0 || i+1 >= len(tag) || tag[i] != ':' || tag[i+1] != '"' {
			break
		}
		name := string(tag[:i])
		tag = tag[i+1:]
		i = 1
		for i < len(tag) && tag[i] != '"' {
			if tag[i] == '\\' {
				i++
			}
			i++
		}
		if i >= len(tag) {
			break
		}
		quoted := string(tag[:i+1])
		tag = tag[i+1:]
		if key == name {
			value, err := strconv.Unquote(quoted)
			if err != nil {
				break
			}
			return value, true
		}
	}
	return "", false
}

//pangolin:model (reflect.StructField).IsExported
func fieldIsExported(f reflect.StructField) bool { return f.PkgPath == "" }

// What is refused.

func (t *reflect_rtype) Align() int { unsupported("reflect.Type.Align is not supported"); return 0 }
func (t *reflect_rtype) FieldAlign() int {
	unsupported("reflect.Type.FieldAlign is not supported")
	return 0
}
func (t *reflect_rtype) CanSeq() bool {
	unsupported("reflect.Type.CanSeq is not supported")
	return false
}
func (t *reflect_rtype) CanSeq2() bool {
	unsupported("reflect.Type.CanSeq2 is not supported")
	return false
}
func (t *reflect_rtype) In(i int) reflect.Type {
	unsupported("reflect.Type.In is not supported")
	return nil
}

func (t *reflect_rtype) Out(i int) reflect.Type {
	unsupported("reflect.Type.Out is not supported")
	return nil
}

func (t *reflect_rtype) Ins() iter.Seq[reflect.Type] {
	unsupported("reflect.Type.Ins is not supported")
	return nil
}

func (t *reflect_rtype) Outs() iter.Seq[reflect.Type] {
	unsupported("reflect.Type.Outs is not supported")
	return nil
}

func (t *reflect_rtype) IsVariadic() bool {
	unsupported("reflect.Type.IsVariadic is not supported")
	return false
}

func (t *reflect_rtype) Methods() iter.Seq[reflect.Method] {
	unsupported("reflect.Type.Methods is not supported")
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause
