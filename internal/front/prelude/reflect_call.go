//go:build prelude

//pangolin:for reflect

package prelude

import (
	"reflect"
	"unsafe"
)

// Methods that reflection finds by their number or name, and calls: those that have neither parameters nor results, of types outside of
// the standard library. Others are found, and refused when they are called; so is every look at a method's signature, but how many
// parameters and results one of the first kind has.

// reflectMethod is what a reflect.Value of such a method points to.
type reflectMethod struct {
	receiver int // the number of its type
	simple   int // the method's number among those that may be called; -1: it is none of them
}

// reflectSimpleMethod has the type that stands for the signatures of methods that may be called.
type reflectSimpleMethod struct{ _ int }

// NumIn counts the receiver.
func (t *reflect_rtype) NumIn() int {
	if reflectNumber(t) != reflectNumberOf(reflectSimpleMethod{}) {
		unsupported("reflect.Type.NumIn is not supported but of methods without parameters and results")
	}
	return 1
}

func (t *reflect_rtype) NumOut() int {
	if reflectNumber(t) != reflectNumberOf(reflectSimpleMethod{}) {
		unsupported("reflect.Type.NumOut is not supported but of methods without parameters and results")
	}
	return 0
}

// reflectMethodOf gives the name of the method i of a type that is no interface, and its number among those that may be called.
func reflectMethodOf(typ, i int) (name string, simple int)

// reflectCallSimple calls the method with that number. The compiler writes its code.
func reflectCallSimple(v any, simple int)

func (t *reflect_rtype) Method(i int) reflect.Method {
	if t.Kind() == reflect.Interface {
		unsupported("reflect.Type.Method of an interface type is not supported")
	}
	if uint(i) >= uint(t.NumMethod()) {
		panic("reflect: Method index out of range")
	}
	name, simple := reflectMethodOf(reflectNumber(t), i)
	typ := rtypeOf(reflectNumberOf(reflectMethod{}))
	v := rvalue{typ, unsafe.Pointer(&reflectMethod{reflectNumber(t), simple}), flagIndir | uintptr(reflect.Func)}
	if simple >= 0 {
		typ = rtypeOf(reflectNumberOf(reflectSimpleMethod{}))
	}
	return reflect.Method{Name: name, Type: typ, Func: *(*reflect.Value)(unsafe.Pointer(&v)), Index: i}
}

func (t *reflect_rtype) MethodByName(name string) (reflect.Method, bool) {
	for i := range t.NumMethod() {
		if m := t.Method(i); m.Name == name {
			return m, true
		}
	}
	return reflect.Method{}, false
}

//pangolin:model (reflect.Value).Call
func reflectCall(v rvalue, in []rvalue) []rvalue {
	v.mustBeValid("reflect.Value.Call")
	v.must(reflect.Func, "reflect.Value.Call")
	if v.number() != reflectNumberOf(reflectMethod{}) {
		unsupported("reflection calls a function that is not a method of a reflect.Type")
	}
	m := (*reflectMethod)(v.ptr)
	switch {
	case m.simple < 0:
		unsupported("reflection calls a method that has parameters or results, or belongs to the standard library")
	case len(in) < 1:
		panic("reflect: Call with too few input arguments")
	case len(in) > 1:
		panic("reflect: Call with too many input arguments")
	case in[0].kind() == reflect.Invalid:
		panic("reflect: Call using zero Value argument")
	}
	in[0].mustBeExported("reflect.Value.Call")
	if in[0].number() != m.receiver {
		unsupported("reflection calls a method for a value of another type than its own")
	}
	reflectCallSimple(in[0].load(), m.simple)
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause
