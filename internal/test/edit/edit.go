// SPDX-License-Identifier: BSD-3-Clause

// Package edit changes plain data at random: tests give what comes of it to code that must not trust its input.
//
//	edit.Any(&certificate, random) // one number, text, element or pointer of it is another one now
//
// It takes a pointer to structs, slices, maps, pointers, numbers, texts and truth values, and changes one of these in place. It does not
// know what the data means, so that what comes of it may still make sense.
package edit

import (
	"math/rand/v2"
	"reflect"
	"slices"
)

// Any changes one part of the value that the pointer points to, and reports whether there was one to change. Slices are copied before, so
// that other values that share them stay as they are.
func Any(pointer any, r *rand.Rand) bool {
	return descend(reflect.ValueOf(pointer).Elem(), r)
}

// descend goes down to one part, and changes it.
func descend(v reflect.Value, r *rand.Rand) bool {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || r.IntN(8) == 0 {
			return point(v, r)
		}
		other := reflect.New(v.Type().Elem())
		other.Elem().Set(v.Elem())
		v.Set(other)
		return descend(v.Elem(), r)
	case reflect.Struct:
		for _, i := range r.Perm(v.NumField()) {
			if v.Field(i).CanSet() && descend(v.Field(i), r) {
				return true
			}
		}
		return false
	case reflect.Slice:
		return list(v, r)
	case reflect.Array:
		return v.Len() > 0 && descend(v.Index(r.IntN(v.Len())), r)
	}
	return scalar(v, r)
}

// point makes a pointer nil, or lets it point to a zero value.
func point(v reflect.Value, r *rand.Rand) bool {
	if v.IsNil() {
		v.Set(reflect.New(v.Type().Elem()))
		return true
	}
	v.SetZero()
	return true
}

// list removes an element, doubles or moves one, adds a zero value, or changes an element.
func list(v reflect.Value, r *rand.Rand) bool {
	own := reflect.MakeSlice(v.Type(), v.Len(), v.Len()+1)
	reflect.Copy(own, v)
	n := own.Len()
	switch what := r.IntN(16); {
	case n == 0 || what == 0:
		own = reflect.Append(own, reflect.Zero(v.Type().Elem()))
	case what == 1:
		at := r.IntN(n)
		own = reflect.AppendSlice(own.Slice3(0, at, at), own.Slice(at+1, n))
	case what == 2:
		own = reflect.Append(own, own.Index(r.IntN(n)))
	case what == 3 && n > 1:
		swap := reflect.Swapper(own.Interface())
		swap(r.IntN(n), r.IntN(n))
	default:
		v.Set(own)
		return descend(v.Index(r.IntN(n)), r)
	}
	v.Set(own)
	return true
}

// numbers are the numbers that parts become besides neighbours of what they were.
var numbers = []int64{0, 1, -1, 2, 3, 7, 255, 1 << 20, 1<<31 - 1, -1 << 31, 1 << 40}

func scalar(v reflect.Value, r *rand.Rand) bool {
	n := numbers[r.IntN(len(numbers))]
	near := int64(r.IntN(5)) - 2
	switch {
	case v.CanInt():
		if r.IntN(2) == 0 {
			n = v.Int() + near
		}
		v.SetInt(n)
	case v.CanUint():
		if r.IntN(2) == 0 {
			n = int64(v.Uint()) + near
		}
		v.SetUint(uint64(n))
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Kind() == reflect.String:
		text := []rune(v.String())
		if len(text) == 0 || r.IntN(4) == 0 {
			text = append(text, 'x')
		} else {
			text = slices.Delete(text, r.IntN(len(text)), len(text))
		}
		v.SetString(string(text))
	default:
		return false
	}
	return true
}
