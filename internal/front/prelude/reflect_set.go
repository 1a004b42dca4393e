//go:build prelude

//pangolin:for reflect

package prelude

import (
	"reflect"
	"strconv"
	"unsafe"
)

// Values that reflection makes, changes and converts.

func (v rvalue) mustBeExported(method string) {
	v.mustBeValid(method)
	if v.flag&flagRO != 0 {
		panic("reflect: " + method + " using value obtained using unexported field")
	}
}

func (v rvalue) mustBeAssignable(method string) {
	v.mustBeExported(method)
	if v.flag&flagAddr == 0 {
		panic("reflect: " + method + " using unaddressable value")
	}
}

func (v rvalue) store(x any) { reflectStore(v.number(), v.ptr, x) }

// made is a value that the program gets, of a type, from an interface.
func made(typ int, x any, flag uintptr) rvalue { return valueAt(typ, reflectBox(x), flag) }

func assignable(typ, to int) bool {
	return reflectAssignable(typ, to) || reflectFact(to, factKind, 0) == int(reflect.Interface) && reflectImplements(typ, to)
}

// assigned is the value as one of a type, to which it has to be assignable: an interface holds it.
func (v rvalue) assigned(context string, to int) any {
	typ := v.number()
	switch {
	case typ == to:
		return v.load()
	case reflectAssignable(typ, to):
		if v.kind() == reflect.Interface {
			return v.load()
		}
		return reflectAs(to, v.load())
	case reflectFact(to, factKind, 0) == int(reflect.Interface) && reflectImplements(typ, to):
		return v.pack()
	}
	panic(context + ": value of type " + v.typ.String() + " is not assignable to type " + reflectText(to, textName, 0))
}

//pangolin:model (reflect.Value).Set
func reflectSet(v, x rvalue) {
	v.mustBeAssignable("reflect.Value.Set")
	x.mustBeExported("reflect.Value.Set")
	v.store(x.assigned("reflect.Set", v.number()))
}

//pangolin:model (reflect.Value).SetZero
func reflectSetZero(v rvalue) {
	v.mustBeAssignable("reflect.Value.SetZero")
	typ := v.number()
	v.store(reflectLoad(typ, reflectAlloc(typ, 1), false))
}

//pangolin:model (reflect.Value).SetBool
func reflectSetBool(v rvalue, x bool) {
	v.mustBeAssignable("reflect.Value.SetBool")
	v.must(reflect.Bool, "reflect.Value.SetBool")
	v.store(reflectAs(v.number(), x))
}

//pangolin:model (reflect.Value).SetInt
func reflectSetInt(v rvalue, x int64) {
	v.mustBeAssignable("reflect.Value.SetInt")
	if !isInt(v.kind()) {
		v.wrong("reflect.Value.SetInt")
	}
	v.store(reflectConvert(v.number(), x))
}

//pangolin:model (reflect.Value).SetUint
func reflectSetUint(v rvalue, x uint64) {
	v.mustBeAssignable("reflect.Value.SetUint")
	if !isUint(v.kind()) {
		v.wrong("reflect.Value.SetUint")
	}
	v.store(reflectConvert(v.number(), x))
}

//pangolin:model (reflect.Value).SetFloat
func reflectSetFloat(v rvalue, x float64) {
	v.mustBeAssignable("reflect.Value.SetFloat")
	if !isFloat(v.kind()) {
		v.wrong("reflect.Value.SetFloat")
	}
	v.store(reflectConvert(v.number(), x))
}

//pangolin:model (reflect.Value).SetComplex
func reflectSetComplex(v rvalue, x complex128) {
	v.mustBeAssignable("reflect.Value.SetComplex")
	if !isComplex(v.kind()) {
		v.wrong("reflect.Value.SetComplex")
	}
	v.store(reflectConvert(v.number(), x))
}

//pangolin:model (reflect.Value).SetString
func reflectSetString(v rvalue, x string) {
	v.mustBeAssignable("reflect.Value.SetString")
	v.must(reflect.String, "reflect.Value.SetString")
	v.store(reflectAs(v.number(), x))
}

//pangolin:model (reflect.Value).SetBytes
func reflectSetBytes(v rvalue, x []byte) {
	v.mustBeAssignable("reflect.Value.SetBytes")
	v.must(reflect.Slice, "reflect.Value.SetBytes")
	if reflectFact(reflectFact(v.number(), factElem, 0), factKind, 0) != int(reflect.Uint8) {
		panic("reflect.Value.SetBytes of non-byte slice")
	}
	v.store(reflectAs(v.number(), x))
}

//pangolin:model (reflect.Value).SetLen
func reflectSetLen(v rvalue, n int) {
	v.mustBeAssignable("reflect.Value.SetLen")
	v.must(reflect.Slice, "reflect.Value.SetLen")
	data, _ := reflectSlice(v.load())
	c := reflectRoom(v.load())
	if uint(n) > uint(c) {
		panic("reflect: slice length out of range in SetLen")
	}
	v.store(reflectSliceAs(v.number(), data, n, c))
}

func (v rvalue) canOverflow(method string, ok bool) {
	if !ok {
		v.wrong(method)
	}
}

//pangolin:model (reflect.Value).OverflowInt
func reflectOverflowInt(v rvalue, x int64) bool {
	v.canOverflow("reflect.Value.OverflowInt", isInt(v.kind()))
	return v.typ.OverflowInt(x)
}

//pangolin:model (reflect.Value).OverflowUint
func reflectOverflowUint(v rvalue, x uint64) bool {
	v.canOverflow("reflect.Value.OverflowUint", isUint(v.kind()))
	return v.typ.OverflowUint(x)
}

//pangolin:model (reflect.Value).OverflowFloat
func reflectOverflowFloat(v rvalue, x float64) bool {
	v.canOverflow("reflect.Value.OverflowFloat", isFloat(v.kind()))
	return v.typ.OverflowFloat(x)
}

//pangolin:model (reflect.Value).OverflowComplex
func reflectOverflowComplex(v rvalue, x complex128) bool {
	v.canOverflow("reflect.Value.OverflowComplex", isComplex(v.kind()))
	return v.typ.OverflowComplex(x)
}

//pangolin:model reflect.New
func reflectNew(t reflect.Type) rvalue {
	if t == nil {
		panic("reflect: New(nil)")
	}
	typ := numberOf(t)
	pointer := derived(reflect.Pointer, typ, 0, 0)
	return made(pointer, reflectPointerAs(pointer, reflectAlloc(typ, 1)), 0)
}

//pangolin:model reflect.Zero
func reflectZero(t reflect.Type) rvalue {
	if t == nil {
		panic("reflect: Zero(nil)")
	}
	typ := numberOf(t)
	return valueAt(typ, reflectAlloc(typ, 1), 0)
}

//pangolin:model reflect.MakeSlice
func reflectMakeSlice(t reflect.Type, n, c int) rvalue {
	switch {
	case t.Kind() != reflect.Slice:
		panic("reflect.MakeSlice of non-slice type")
	case n < 0:
		panic("reflect.MakeSlice: negative len")
	case c < 0:
		panic("reflect.MakeSlice: negative cap")
	case n > c:
		panic("reflect.MakeSlice: len > cap")
	}
	typ := numberOf(t)
	return made(typ, reflectSliceAs(typ, reflectAlloc(reflectFact(typ, factElem, 0), c), n, c), 0)
}

// reflectGrowth is the capacity that append gives a slice of a type with capacity c that has to hold n elements.
func reflectGrowth(elem, c, n int) int

// grown is a slice with room for some more elements.
func (v rvalue) grown(more int) any {
	typ := v.number()
	elem := reflectFact(typ, factElem, 0)
	data, n := reflectSlice(v.load())
	c := reflectRoom(v.load())
	if n+more <= c {
		return reflectSliceAs(typ, data, n+more, c)
	}
	room := reflectGrowth(elem, c, n+more)
	bigger := reflectAlloc(elem, room)
	words := reflectFact(elem, factWords, 0)
	for i := range n {
		reflectStore(elem, reflectAt(bigger, i*words), reflectLoad(elem, reflectAt(data, i*words), true))
	}
	return reflectSliceAs(typ, bigger, n+more, room)
}

//pangolin:model reflect.Append
func reflectAppend(s rvalue, x ...rvalue) rvalue {
	s.must(reflect.Slice, "reflect.Append")
	s.mustBeExported("reflect.Append")
	n := reflectLen(s)
	out := made(s.number(), s.grown(len(x)), 0)
	for i, v := range x {
		reflectSet(reflectIndex(out, n+i), v)
	}
	return out
}

//pangolin:model reflect.AppendSlice
func reflectAppendSlice(s, t rvalue) rvalue {
	s.must(reflect.Slice, "reflect.AppendSlice")
	t.must(reflect.Slice, "reflect.AppendSlice")
	typesMatch("reflect.AppendSlice", s, t)
	x := make([]rvalue, reflectLen(t))
	for i := range x {
		x[i] = reflectIndex(t, i)
	}
	return reflectAppend(s, x...)
}

func typesMatch(what string, s, t rvalue) {
	if x, y := s.typ.Elem(), t.typ.Elem(); x != y {
		panic(what + ": " + x.String() + " != " + y.String())
	}
}

//pangolin:model reflect.Copy
func reflectCopy(dst, src rvalue) int {
	if dst.kind() != reflect.Array && dst.kind() != reflect.Slice {
		dst.wrong("reflect.Copy")
	}
	if dst.kind() == reflect.Array {
		dst.mustBeAssignable("reflect.Copy")
	}
	dst.mustBeExported("reflect.Copy")
	if src.kind() != reflect.Array && src.kind() != reflect.Slice {
		if src.kind() == reflect.String && dst.typ.Elem().Kind() == reflect.Uint8 {
			unsupported("reflection copies a string")
		}
		src.wrong("reflect.Copy")
	}
	src.mustBeExported("reflect.Copy")
	typesMatch("reflect.Copy", dst, src)
	n := min(reflectLen(dst), reflectLen(src))
	values := make([]any, n) // they may overlap
	for i := range values {
		values[i] = reflectIndex(src, i).load()
	}
	for i, x := range values {
		reflectIndex(dst, i).store(x)
	}
	return n
}

//pangolin:model (reflect.Value).Slice
func reflectSliceOfValue(v rvalue, i, j int) rvalue {
	var typ, c int
	var base unsafe.Pointer
	switch v.kind() {
	case reflect.Array:
		if v.flag&flagAddr == 0 {
			panic("reflect.Value.Slice: slice of unaddressable array")
		}
		c, base = reflectFact(v.number(), factLen, 0), v.ptr
		typ = derived(reflect.Slice, reflectFact(v.number(), factElem, 0), 0, 0)
	case reflect.Slice:
		typ = v.number()
		base, _ = reflectSlice(v.load())
		c = reflectRoom(v.load())
	case reflect.String:
		s := reflectString(v.load())
		if i < 0 || j < i || j > len(s) {
			panic("reflect.Value.Slice: string slice index out of bounds")
		}
		return made(v.number(), reflectAs(v.number(), s[i:j]), v.flag&flagRO)
	default:
		v.wrong("reflect.Value.Slice")
	}
	if i < 0 || j < i || j > c {
		panic("reflect.Value.Slice: slice index out of bounds")
	}
	if c > i {
		base = reflectAt(base, i*reflectFact(reflectFact(typ, factElem, 0), factWords, 0))
	}
	return made(typ, reflectSliceAs(typ, base, j-i, c-i), v.flag&flagRO)
}

// Conversions.
const (
	noConversion = iota
	convertsNumber
	convertsIntString
	convertsBytes
	convertsRunes
	convertsToBytes
	convertsToRunes
	convertsForm
	convertsInterface
	convertsArray
)

// conversion says how values of a type are converted to another one.
func conversion(typ, to int) int {
	from, dst := reflect.Kind(reflectFact(typ, factKind, 0)), reflect.Kind(reflectFact(to, factKind, 0))
	real := func(k reflect.Kind) bool { return isInt(k) || isUint(k) || isFloat(k) }
	switch {
	case real(from) && real(dst) || isComplex(from) && isComplex(dst):
		return convertsNumber
	case (isInt(from) || isUint(from)) && dst == reflect.String:
		return convertsIntString
	case from == reflect.String && dst == reflect.Slice:
		switch sliceOf(to) {
		case reflect.Uint8:
			return convertsToBytes
		case reflect.Int32:
			return convertsToRunes
		}
	case from == reflect.Slice && dst == reflect.String:
		switch sliceOf(typ) {
		case reflect.Uint8:
			return convertsBytes
		case reflect.Int32:
			return convertsRunes
		}
	case from == reflect.Slice && dst == reflect.Array && reflectFact(typ, factElem, 0) == reflectFact(to, factElem, 0),
		from == reflect.Slice && dst == reflect.Pointer && reflectFact(reflectFact(to, factElem, 0), factKind, 0) == int(reflect.Array) &&
			reflectFact(typ, factElem, 0) == reflectFact(reflectFact(to, factElem, 0), factElem, 0):
		return convertsArray
	}
	switch {
	case reflectSameForm(typ, to), from == reflect.Chan && reflectAssignable(typ, to):
		return convertsForm
	case from == reflect.Pointer && dst == reflect.Pointer && reflectFact(typ, factNamed, 0) == 0 && reflectFact(to, factNamed, 0) == 0 &&
		reflectSameForm(reflectFact(typ, factElem, 0), reflectFact(to, factElem, 0)):
		return convertsForm
	case dst == reflect.Interface && reflectImplements(typ, to):
		return convertsInterface
	}
	return noConversion
}

// sliceOf is the kind of the elements of a slice that may be a string's: of no package's type.
func sliceOf(typ int) reflect.Kind {
	elem := reflectFact(typ, factElem, 0)
	if reflectText(elem, textPackage, 0) != "" {
		return reflect.Invalid
	}
	return reflect.Kind(reflectFact(elem, factKind, 0))
}

//pangolin:model (reflect.Value).CanConvert
func reflectCanConvert(v rvalue, t reflect.Type) bool {
	v.mustBeValid("reflect.Value.Type")
	if conversion(v.number(), numberOf(t)) == convertsArray {
		_, n := reflectSlice(v.load())
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		return t.Len() <= n
	}
	return conversion(v.number(), numberOf(t)) != noConversion
}

// converted is a slice as an array, or as a pointer to one.
func (v rvalue) converted(to int) rvalue {
	data, n := reflectSlice(v.load())
	array := to
	if reflectFact(to, factKind, 0) == int(reflect.Pointer) {
		array = reflectFact(to, factElem, 0)
	}
	length := reflectFact(array, factLen, 0)
	if length > n {
		what := "array"
		if array != to {
			what = "pointer to array"
		}
		panic("reflect: cannot convert slice with length " + strconv.Itoa(n) + " to " + what + " with length " + strconv.Itoa(length))
	}
	if array != to {
		return made(to, reflectPointerAs(to, data), readOnly(v.flag))
	}
	out := valueAt(array, reflectAlloc(array, 1), readOnly(v.flag))
	for i := range length {
		reflectIndex(out, i).store(reflectIndex(v, i).load())
	}
	return out
}

//pangolin:model (reflect.Value).Convert
func reflectConvertTo(v rvalue, t reflect.Type) rvalue {
	v.mustBeValid("reflect.Value.Convert")
	to := numberOf(t)
	var x any
	switch conversion(v.number(), to) {
	case convertsNumber:
		x = reflectConvert(to, v.load())
	case convertsIntString:
		r := rune(0xFFFD)
		if n := reflectInt(v.load()); int64(rune(n)) == n {
			r = rune(n)
		}
		x = reflectAs(to, string(r))
	case convertsBytes:
		x = reflectAs(to, string(reflectAs(reflectNumberOf([]byte(nil)), v.load()).([]byte)))
	case convertsRunes:
		x = reflectAs(to, string(reflectAs(reflectNumberOf([]rune(nil)), v.load()).([]rune)))
	case convertsToBytes:
		x = reflectAs(to, []byte(reflectString(v.load())))
	case convertsToRunes:
		x = reflectAs(to, []rune(reflectString(v.load())))
	case convertsForm, convertsInterface:
		if t.Kind() == reflect.Interface {
			p := reflectAlloc(to, 1)
			reflectStore(to, p, v.pack())
			return valueAt(to, p, readOnly(v.flag))
		}
		x = reflectAs(to, v.load())
	case convertsArray:
		return v.converted(to)
	default:
		panic("reflect.Value.Convert: value of type " + v.typ.String() + " cannot be converted to type " + t.String())
	}
	return made(to, x, readOnly(v.flag))
}

// SPDX-License-Identifier: BSD-3-Clause
