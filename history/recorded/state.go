// SPDX-License-Identifier: BSD-3-Clause

package recorded

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"pangolin/internal/judge"
)

// States as text, and values between Go and histories.

// encode writes all that can be reached from an object, so that two objects have one text if and only if they are equal, pointers by what they lead to: a
// variable that was met before, by a pointer, as a field or as an element of a slice, is written as its number.
func encode(object reflect.Value) (string, error) {
	e := &encoder{met: map[place]int{}}
	if err := e.value(object, 0); err != nil {
		return "", err
	}
	return string(e.out), nil
}

type encoder struct {
	out []byte
	met map[place]int
}

type place struct {
	at uintptr
	t  reflect.Type
}

// deepest is the greatest depth of an object.
const deepest = 100_000

func (e *encoder) number(n uint64) { e.out = binary.AppendUvarint(e.out, n) }

func (e *encoder) value(v reflect.Value, depth int) error {
	if depth > deepest {
		return fmt.Errorf("the specification's state is more than %d pointers deep", deepest)
	}
	if v.CanAddr() {
		p := place{v.UnsafeAddr(), v.Type()}
		if n, ok := e.met[p]; ok {
			e.number(uint64(n) + 2)
			return nil
		}
		e.met[p] = len(e.met)
		e.number(1)
	}
	switch v.Kind() {
	case reflect.Bool:
		e.number(map[bool]uint64{false: 0, true: 1}[v.Bool()])
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		e.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		e.number(math.Float64bits(v.Float()))
	case reflect.String:
		e.number(uint64(v.Len()))
		e.out = append(e.out, v.String()...)
	case reflect.Array, reflect.Struct:
		return e.parts(v, depth)
	case reflect.Slice:
		if v.IsNil() {
			e.number(0)
			return nil
		}
		e.number(uint64(v.Len()) + 1)
		return e.parts(v, depth)
	case reflect.Pointer:
		return e.pointer(v.Pointer(), func() reflect.Value { return v.Elem() }, depth)
	case reflect.Interface:
		if v.IsNil() {
			e.number(0)
			return nil
		}
		name := v.Elem().Type().String()
		e.number(uint64(len(name)) + 1)
		e.out = append(e.out, name...)
		return e.value(v.Elem(), depth+1)
	case reflect.Map:
		return e.mapped(v, depth)
	default:
		if v.Kind() == reflect.Chan || v.Kind() == reflect.Func {
			if v.IsNil() {
				e.number(0)
				return nil
			}
		}
		return fmt.Errorf("the specification's state holds a %s, which cannot be compared", v.Type())
	}
	return nil
}

// parts writes elements or fields.
func (e *encoder) parts(v reflect.Value, depth int) error {
	if v.Kind() != reflect.Struct {
		for i := range v.Len() {
			if err := e.value(v.Index(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	t := v.Type()
	if t.PkgPath() == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer[") {
		to := t.Field(0).Type.Elem().Elem() // _ [0]*T
		p := unsafe.Pointer(v.FieldByName("v").Pointer())
		return e.pointer(uintptr(p), func() reflect.Value { return reflect.NewAt(to, p).Elem() }, depth)
	}
	for i := range t.NumField() {
		if err := e.value(v.Field(i), depth+1); err != nil {
			return fmt.Errorf("%s.%s: %w", t.Name(), t.Field(i).Name, err)
		}
	}
	return nil
}

func (e *encoder) pointer(at uintptr, to func() reflect.Value, depth int) error {
	if at == 0 {
		e.number(0)
		return nil
	}
	return e.value(to(), depth+1)
}

// mapped writes a map, its entries in the order of what is written for their keys. Keys with pointers in them are compared by what they lead to.
func (e *encoder) mapped(v reflect.Value, depth int) error {
	if v.IsNil() {
		e.number(0)
		return nil
	}
	type entry struct {
		key string
		at  reflect.Value
	}
	var all []entry
	for _, k := range v.MapKeys() {
		one := &encoder{met: map[place]int{}}
		if err := one.value(k, depth+1); err != nil {
			return err
		}
		all = append(all, entry{string(one.out), k})
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	e.number(uint64(len(all)) + 1)
	for i, x := range all {
		if i > 0 && all[i-1].key == x.key {
			return fmt.Errorf("the specification's state has a %s with two keys that are pointers to equal values", v.Type())
		}
		e.out = append(e.out, x.key...)
		if err := e.value(x.at, depth+1); err != nil {
			return err
		}
		if err := e.value(v.MapIndex(x.at), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// toValue is a result or a key as a history has it.
func toValue(vs *judge.Values, v any) (judge.Value, error) {
	if v == nil {
		return judge.Nil, nil
	}
	return reflected(vs, reflect.ValueOf(v))
}

func reflected(vs *judge.Values, v reflect.Value) (judge.Value, error) {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return judge.True, nil
		}
		return judge.False, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n := judge.Value(v.Int()); n.IsInteger() {
			return n, nil
		}
		return 0, fmt.Errorf("%d is not between -2^61 and 2^61", v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n := v.Uint(); n <= judge.MaxInt {
			return judge.Value(n), nil
		}
		return 0, fmt.Errorf("%d is not between -2^61 and 2^61", v.Uint())
	case reflect.String:
		return vs.String(v.String()), nil
	case reflect.Slice, reflect.Array:
		items := []judge.Value{}
		for i := range v.Len() {
			one, err := reflected(vs, v.Index(i))
			if err != nil {
				return 0, err
			}
			items = append(items, one)
		}
		return vs.List(items), nil
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return judge.Nil, nil
		}
		if err, ok := v.Interface().(error); ok {
			return vs.String(err.Error()), nil
		}
		if v.Kind() == reflect.Interface {
			return reflected(vs, v.Elem())
		}
	}
	return 0, fmt.Errorf("a %s: want an integer, a string, a bool, an error, or a slice of such", v.Type())
}

// assign is an argument of a history as a parameter.
func assign(a any, t reflect.Type) (reflect.Value, error) {
	to := reflect.New(t).Elem()
	wrong := fmt.Errorf("%v is no %s", a, t)
	if list, ok := a.([]any); ok && t.Kind() == reflect.Slice {
		for _, one := range list {
			v, err := assign(one, t.Elem())
			if err != nil {
				return to, err
			}
			to = reflect.Append(to, v)
		}
		return to, nil
	}
	switch v := a.(type) {
	case nil:
		switch t.Kind() {
		case reflect.Interface, reflect.Pointer, reflect.Slice, reflect.Map:
			return to, nil
		}
		return to, wrong
	case int64:
		switch {
		case to.CanInt() && !to.OverflowInt(v):
			to.SetInt(v)
			return to, nil
		case to.CanUint() && v >= 0 && !to.OverflowUint(uint64(v)):
			to.SetUint(uint64(v))
			return to, nil
		}
	case string:
		if t.Kind() == reflect.String {
			to.SetString(v)
			return to, nil
		}
	case bool:
		if t.Kind() == reflect.Bool {
			to.SetBool(v)
			return to, nil
		}
	}
	if reflect.TypeOf(a).AssignableTo(t) {
		return reflect.ValueOf(a), nil
	}
	return to, wrong
}
