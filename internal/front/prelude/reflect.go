//go:build prelude

//pangolin:for reflect

package prelude

import (
	"reflect"
	"unsafe"
)

// Reflection. A type is a number, that of the machine; a reflect.Type is a pointer to the element of rtypes at that number, so that types are
// the same iff their pointers are. A reflect.Value has the words of rvalue: its ptr always points to memory that holds the value, which for a
// value that is not addressable nobody writes.
//
// What is not modelled here is refused where it is called.

// rvalue has the words and the flags of a reflect.Value.
type rvalue struct {
	typ  *reflect_rtype
	ptr  unsafe.Pointer
	flag uintptr
}

const (
	flagKind     uintptr = 1<<5 - 1
	flagStickyRO uintptr = 1 << 5 // of an unexported field
	flagEmbedRO  uintptr = 1 << 6 // of an unexported field that is embedded
	flagIndir    uintptr = 1 << 7 // always set here
	flagAddr     uintptr = 1 << 8 // the memory is the program's
	flagRO               = flagStickyRO | flagEmbedRO
)

// What the machine provides. A type is named by its number.

// reflectNumberOf is the number of the type of the value in an interface, 0 if there is none.
func reflectNumberOf(v any) int

// reflectKnown ends the execution if it is not known which methods of a type the program calls: no value of the type is ever put into an
// interface but by reflection.
func reflectKnown(typ int)

// reflectBox is a pointer to a copy of the value in an interface.
func reflectBox(v any) unsafe.Pointer

// reflectLoad is the value of a type in memory, in an interface. What is not shared is nobody else's.
func reflectLoad(typ int, p unsafe.Pointer, shared bool) any

// reflectStore writes the value in an interface to memory of a type.
func reflectStore(typ int, p unsafe.Pointer, v any)

// reflectAlloc makes n zero values of a type.
func reflectAlloc(typ, n int) unsafe.Pointer

// reflectAt is the place that many words behind p.
func reflectAt(p unsafe.Pointer, words int) unsafe.Pointer

// reflectInt, reflectFloat, reflectComplex and reflectString are the value of a kind that the name tells, of a named type or not; reflectInt
// is also that of a bool or an unsigned integer. reflectPointer is a pointer, map, channel or the data of a slice.
func reflectInt(v any) int64
func reflectFloat(v any) float64
func reflectComplex(v any) complex128
func reflectString(v any) string
func reflectPointer(v any) unsafe.Pointer
func reflectSlice(v any) (data unsafe.Pointer, n int)

// reflectRoom is the capacity of a slice, decided if it is open.
func reflectRoom(v any) int

// reflectIsNil says whether the first word of a value is zero.
func reflectIsNil(v any) bool

// reflectConvert converts between numbers, reflectAs gives a value another type of the same form.
func reflectConvert(typ int, v any) any
func reflectAs(typ int, v any) any
func reflectPointerAs(typ int, p unsafe.Pointer) any
func reflectSliceAs(typ int, data unsafe.Pointer, n, c int) any

// reflectChan is a channel, of which only length and capacity are asked.
func reflectChan(v any) chan struct{}

func (v rvalue) kind() reflect.Kind { return reflect.Kind(v.flag & flagKind) }

func (v rvalue) number() int { return reflectNumber(v.typ) }

// load is the value in an interface: of an interface what it holds.
func (v rvalue) load() any { return reflectLoad(reflectNumber(v.typ), v.ptr, v.flag&flagAddr != 0) }

// pack is load where the program gets the result, whose methods it may call.
func (v rvalue) pack() any {
	if v.kind() != reflect.Interface {
		reflectKnown(reflectNumber(v.typ))
	}
	return v.load()
}

// valueAt is the value of a type at a place in memory.
func valueAt(typ int, p unsafe.Pointer, flag uintptr) rvalue {
	return rvalue{rtypeOf(typ), p, flag | flagIndir | uintptr(reflectFact(typ, factKind, 0))}
}

func (v rvalue) wrong(method string) {
	panic(&reflect.ValueError{method, v.kind()})
}

func (v rvalue) must(kind reflect.Kind, method string) {
	if v.kind() != kind {
		v.wrong(method)
	}
}

func (v rvalue) mustBeValid(method string) {
	if v.flag == 0 {
		panic(&reflect.ValueError{method, reflect.Invalid})
	}
}

//pangolin:model (*reflect.ValueError).Error
func valueErrorText(e *reflect.ValueError) string {
	if e.Kind == 0 {
		return "reflect: call of " + e.Method + " on zero Value"
	}
	return "reflect: call of " + e.Method + " on " + kindName(e.Kind) + " Value"
}

//pangolin:model reflect.ValueOf
func reflectValueOf(v any) rvalue {
	typ := reflectNumberOf(v)
	if typ == 0 {
		return rvalue{}
	}
	return valueAt(typ, reflectBox(v), 0)
}

//pangolin:model reflect.Indirect
func reflectIndirect(v rvalue) rvalue {
	if v.kind() != reflect.Pointer {
		return v
	}
	return reflectElem(v)
}

//pangolin:model (reflect.Value).IsValid
func reflectIsValid(v rvalue) bool { return v.flag != 0 }

//pangolin:model (reflect.Value).Kind
func reflectKindOf(v rvalue) reflect.Kind { return v.kind() }

//pangolin:model (reflect.Value).Type
func reflectTypeOfValue(v rvalue) reflect.Type {
	v.mustBeValid("reflect.Value.Type")
	return v.typ
}

//pangolin:model (reflect.Value).CanInterface
func reflectCanInterface(v rvalue) bool {
	v.mustBeValid("reflect.Value.CanInterface")
	return v.flag&flagRO == 0
}

//pangolin:model (reflect.Value).Interface
func reflectInterface(v rvalue) any {
	v.mustBeValid("reflect.Value.Interface")
	if v.flag&flagRO != 0 {
		panic("reflect.Value.Interface: cannot return value obtained from unexported field or method")
	}
	return v.pack()
}

type reflectAssert[T any] struct{}

//pangolin:model reflect.TypeAssert
func (reflectAssert[T]) call(v rvalue) (T, bool) {
	v.mustBeValid("reflect.TypeAssert")
	if v.flag&flagRO != 0 {
		panic("reflect.TypeAssert: cannot return value obtained from unexported field or method")
	}
	x, ok := v.pack().(T)
	return x, ok
}

//pangolin:model (reflect.Value).CanAddr
func reflectCanAddr(v rvalue) bool { return v.flag&flagAddr != 0 }

//pangolin:model (reflect.Value).CanSet
func reflectCanSet(v rvalue) bool { return v.flag&(flagAddr|flagRO) == flagAddr }

//pangolin:model (reflect.Value).Addr
func reflectAddr(v rvalue) rvalue {
	if v.flag&flagAddr == 0 {
		panic("reflect.Value.Addr of unaddressable value")
	}
	typ := derived(reflect.Pointer, v.number(), 0, 0)
	return valueAt(typ, reflectBox(reflectPointerAs(typ, v.ptr)), v.flag&flagRO)
}

//pangolin:model (reflect.Value).UnsafeAddr
func reflectUnsafeAddr(v rvalue) uintptr {
	v.mustBeValid("reflect.Value.UnsafeAddr")
	if v.flag&flagAddr == 0 {
		panic("reflect.Value.UnsafeAddr of unaddressable value")
	}
	return uintptr(v.ptr)
}

//pangolin:model (reflect.Value).Pointer
func reflectPointerOf(v rvalue) uintptr {
	switch v.kind() {
	case reflect.Pointer, reflect.Chan, reflect.Map, reflect.UnsafePointer, reflect.Slice:
		return uintptr(reflectPointer(v.load()))
	case reflect.Func, reflect.String:
		unsupported("the address of a function or a string is asked for by reflection")
	}
	v.wrong("reflect.Value.Pointer")
	return 0
}

//pangolin:model (reflect.Value).UnsafePointer
func reflectUnsafePointer(v rvalue) unsafe.Pointer {
	switch v.kind() {
	case reflect.Pointer, reflect.Chan, reflect.Map, reflect.UnsafePointer, reflect.Slice:
		return reflectPointer(v.load())
	case reflect.Func, reflect.String:
		unsupported("the address of a function or a string is asked for by reflection")
	}
	v.wrong("reflect.Value.UnsafePointer")
	return nil
}

//pangolin:model (reflect.Value).Bool
func reflectBool(v rvalue) bool {
	v.must(reflect.Bool, "reflect.Value.Bool")
	return reflectInt(v.load()) != 0
}

func isInt(k reflect.Kind) bool     { return k >= reflect.Int && k <= reflect.Int64 }
func isUint(k reflect.Kind) bool    { return k >= reflect.Uint && k <= reflect.Uintptr }
func isFloat(k reflect.Kind) bool   { return k == reflect.Float32 || k == reflect.Float64 }
func isComplex(k reflect.Kind) bool { return k == reflect.Complex64 || k == reflect.Complex128 }

//pangolin:model (reflect.Value).CanInt
func reflectCanInt(v rvalue) bool { return isInt(v.kind()) }

//pangolin:model (reflect.Value).CanUint
func reflectCanUint(v rvalue) bool { return isUint(v.kind()) }

//pangolin:model (reflect.Value).CanFloat
func reflectCanFloat(v rvalue) bool { return isFloat(v.kind()) }

//pangolin:model (reflect.Value).CanComplex
func reflectCanComplex(v rvalue) bool { return isComplex(v.kind()) }

//pangolin:model (reflect.Value).Int
func reflectIntOf(v rvalue) int64 {
	if !isInt(v.kind()) {
		v.wrong("reflect.Value.Int")
	}
	return reflectInt(v.load())
}

//pangolin:model (reflect.Value).Uint
func reflectUintOf(v rvalue) uint64 {
	if !isUint(v.kind()) {
		v.wrong("reflect.Value.Uint")
	}
	return uint64(reflectInt(v.load()))
}

//pangolin:model (reflect.Value).Float
func reflectFloatOf(v rvalue) float64 {
	if !isFloat(v.kind()) {
		v.wrong("reflect.Value.Float")
	}
	return reflectFloat(v.load())
}

//pangolin:model (reflect.Value).Complex
func reflectComplexOf(v rvalue) complex128 {
	if !isComplex(v.kind()) {
		v.wrong("reflect.Value.Complex")
	}
	return reflectComplex(v.load())
}

//pangolin:model (reflect.Value).String
func reflectStringOf(v rvalue) string {
	switch v.kind() {
	case reflect.String:
		return reflectString(v.load())
	case reflect.Invalid:
		return "<invalid Value>"
	}
	return "<" + v.typ.String() + " Value>"
}

//pangolin:model (reflect.Value).Bytes
func reflectBytes(v rvalue) []byte {
	if v.kind() == reflect.Slice && reflectFact(reflectFact(v.number(), factElem, 0), factKind, 0) == int(reflect.Uint8) {
		return reflectAs(reflectNumberOf([]byte(nil)), v.load()).([]byte)
	}
	if v.kind() == reflect.Array {
		unsupported("the bytes of an array are asked for by reflection")
	}
	if v.kind() == reflect.Slice {
		panic("reflect.Value.Bytes of non-byte slice")
	}
	v.wrong("reflect.Value.Bytes")
	return nil
}

//pangolin:model (reflect.Value).Len
func reflectLen(v rvalue) int {
	switch v.kind() {
	case reflect.Slice:
		_, n := reflectSlice(v.load())
		return n
	case reflect.String:
		return len(reflectString(v.load()))
	case reflect.Map:
		return reflectMapLen(v.load())
	case reflect.Array:
		return reflectFact(v.number(), factLen, 0)
	case reflect.Chan:
		return len(reflectChan(v.load()))
	case reflect.Pointer:
		if elem := reflectFact(v.number(), factElem, 0); reflectFact(elem, factKind, 0) == int(reflect.Array) {
			return reflectFact(elem, factLen, 0)
		}
		panic("reflect: call of reflect.Value.Len on ptr to non-array Value")
	}
	v.wrong("reflect.Value.Len")
	return 0
}

//pangolin:model (reflect.Value).Cap
func reflectCap(v rvalue) int {
	switch v.kind() {
	case reflect.Slice:
		return reflectRoom(v.load())
	case reflect.Array:
		return reflectFact(v.number(), factLen, 0)
	case reflect.Chan:
		return cap(reflectChan(v.load()))
	case reflect.Pointer:
		if elem := reflectFact(v.number(), factElem, 0); reflectFact(elem, factKind, 0) == int(reflect.Array) {
			return reflectFact(elem, factLen, 0)
		}
		panic("reflect: call of reflect.Value.Cap on ptr to non-array Value")
	}
	v.wrong("reflect.Value.Cap")
	return 0
}

//pangolin:model (reflect.Value).IsNil
func reflectIsNilOf(v rvalue) bool {
	switch v.kind() {
	case reflect.Interface:
		return v.load() == nil
	case reflect.Chan, reflect.Func, reflect.Map, reflect.Pointer, reflect.UnsafePointer, reflect.Slice:
		return reflectIsNil(v.load())
	}
	v.wrong("reflect.Value.IsNil")
	return false
}

//pangolin:model (reflect.Value).IsZero
func reflectIsZero(v rvalue) bool {
	switch k := v.kind(); {
	case k == reflect.Bool || isInt(k) || isUint(k):
		return reflectInt(v.load()) == 0
	case isFloat(k):
		return reflectFloat(v.load()) == 0
	case isComplex(k):
		return reflectComplex(v.load()) == 0
	case k == reflect.String:
		return reflectString(v.load()) == ""
	case k == reflect.Array:
		for i := range reflectLen(v) {
			if !reflectIsZero(reflectIndex(v, i)) {
				return false
			}
		}
		return true
	case k == reflect.Struct:
		for i := range reflectFact(v.number(), factNumField, 0) {
			if !reflectIsZero(reflectField(v, i)) && reflectText(v.number(), textField, i) != "_" {
				return false
			}
		}
		return true
	case k == reflect.Invalid:
		v.wrong("reflect.Value.IsZero")
	}
	return reflectIsNilOf(v)
}

//pangolin:model (reflect.Value).Elem
func reflectElem(v rvalue) rvalue {
	switch v.kind() {
	case reflect.Interface:
		x := reflectValueOf(v.load())
		if x.flag != 0 {
			x.flag |= readOnly(v.flag)
		}
		return x
	case reflect.Pointer:
		p := reflectPointer(v.load())
		if p == nil {
			return rvalue{}
		}
		return valueAt(reflectFact(v.number(), factElem, 0), p, v.flag&flagRO|flagAddr)
	}
	v.wrong("reflect.Value.Elem")
	return v
}

// readOnly is the flag of what was found in something read-only.
func readOnly(flag uintptr) uintptr {
	if flag&flagRO != 0 {
		return flagStickyRO
	}
	return 0
}

//pangolin:model (reflect.Value).NumField
func reflectNumField(v rvalue) int {
	v.must(reflect.Struct, "reflect.Value.NumField")
	return reflectFact(v.number(), factNumField, 0)
}

//pangolin:model (reflect.Value).Field
func reflectField(v rvalue, i int) rvalue {
	v.must(reflect.Struct, "reflect.Value.Field")
	typ := v.number()
	if uint(i) >= uint(reflectFact(typ, factNumField, 0)) {
		panic("reflect: Field index out of range")
	}
	flag := v.flag & (flagStickyRO | flagAddr)
	if reflectFact(typ, factFieldExported, i) == 0 {
		if reflectFact(typ, factFieldEmbedded, i) != 0 {
			flag |= flagEmbedRO
		} else {
			flag |= flagStickyRO
		}
	}
	return valueAt(reflectFact(typ, factFieldType, i), reflectAt(v.ptr, reflectFact(typ, factFieldWord, i)), flag)
}

//pangolin:model (reflect.Value).FieldByIndex
func reflectFieldByIndex(v rvalue, index []int) rvalue {
	if len(index) == 1 {
		return reflectField(v, index[0])
	}
	v.must(reflect.Struct, "reflect.Value.FieldByIndex")
	for i, x := range index {
		if i > 0 && v.kind() == reflect.Pointer && reflectFact(reflectFact(v.number(), factElem, 0), factKind, 0) == int(reflect.Struct) {
			if reflectIsNilOf(v) {
				panic("reflect: indirection through nil pointer to embedded struct")
			}
			v = reflectElem(v)
		}
		v = reflectField(v, x)
	}
	return v
}

//pangolin:model (reflect.Value).FieldByName
func reflectFieldByName(v rvalue, name string) rvalue {
	v.must(reflect.Struct, "reflect.Value.FieldByName")
	if f, ok := v.typ.FieldByName(name); ok {
		return reflectFieldByIndex(v, f.Index)
	}
	return rvalue{}
}

//pangolin:model (reflect.Value).Index
func reflectIndex(v rvalue, i int) rvalue {
	elem := 0
	if v.kind() == reflect.Array || v.kind() == reflect.Slice {
		elem = reflectFact(v.number(), factElem, 0)
	}
	switch v.kind() {
	case reflect.Array:
		if uint(i) >= uint(reflectFact(v.number(), factLen, 0)) {
			panic("reflect: array index out of range")
		}
		return valueAt(elem, reflectAt(v.ptr, i*reflectFact(elem, factWords, 0)), v.flag&flagAddr|readOnly(v.flag))
	case reflect.Slice:
		data, n := reflectSlice(v.load())
		if uint(i) >= uint(n) {
			panic("reflect: slice index out of range")
		}
		return valueAt(elem, reflectAt(data, i*reflectFact(elem, factWords, 0)), readOnly(v.flag)|flagAddr)
	case reflect.String:
		s := reflectString(v.load())
		if uint(i) >= uint(len(s)) {
			panic("reflect: string index out of range")
		}
		c := reflectValueOf(s[i])
		c.flag |= readOnly(v.flag)
		return c
	}
	v.wrong("reflect.Value.Index")
	return v
}

//pangolin:model (reflect.Value).Comparable
func reflectComparable(v rvalue) bool {
	switch v.kind() {
	case reflect.Invalid:
		return false
	case reflect.Interface:
		return v.load() == nil || reflectComparable(reflectElem(v))
	case reflect.Array:
		switch v.typ.Elem().Kind() {
		case reflect.Interface, reflect.Array, reflect.Struct:
			for i := range reflectLen(v) {
				if !reflectComparable(reflectIndex(v, i)) {
					return false
				}
			}
			return true
		}
	case reflect.Struct:
		for i := range reflectNumField(v) {
			if !reflectComparable(reflectField(v, i)) {
				return false
			}
		}
		return true
	}
	return v.typ.Comparable()
}

//pangolin:model (reflect.Value).Equal
func reflectEqual(v, u rvalue) bool {
	if v.kind() == reflect.Interface {
		v = reflectElem(v)
	}
	if u.kind() == reflect.Interface {
		u = reflectElem(u)
	}
	if v.flag == 0 || u.flag == 0 {
		return v.flag == u.flag
	}
	if v.typ != u.typ {
		return false
	}
	switch v.kind() {
	case reflect.Array:
		n := reflectLen(v)
		if n == 0 && !v.typ.Elem().Comparable() {
			break
		}
		for i := range n {
			if !reflectEqual(reflectIndex(v, i), reflectIndex(u, i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range reflectNumField(v) {
			if !reflectEqual(reflectField(v, i), reflectField(u, i)) {
				return false
			}
		}
		return true
	case reflect.Func, reflect.Map, reflect.Slice:
	default:
		return v.load() == u.load()
	}
	panic("reflect.Value.Equal: values of type " + v.typ.String() + " are not comparable")
}

//pangolin:model reflect.Swapper
func reflectSwapper(slice any) func(i, j int) {
	v := reflectValueOf(slice)
	if v.kind() != reflect.Slice {
		panic(&reflect.ValueError{Method: "Swapper", Kind: v.kind()})
	}
	n := reflectLen(v)
	elem := v.typ.Elem()
	size := elem.Size() // these elements have assignments of their own, whose indices are checked
	short := n > 1 && (size == 1 || size == 2 || size == 4 || size == 8 || elem.Kind() == reflect.String)
	return func(i, j int) {
		if uint(i) >= uint(n) || uint(j) >= uint(n) {
			if short {
				elements := make([]struct{}, n)
				_, _ = elements[i], elements[j]
			}
			panic("reflect: slice index out of range")
		}
		x, y := reflectIndex(v, i), reflectIndex(v, j)
		a, b := x.load(), y.load()
		x.store(b)
		y.store(a)
	}
}

//pangolin:model reflect.DeepEqual
func reflectDeepEqual(x, y any) bool

// SPDX-License-Identifier: BSD-3-Clause
