//go:build prelude

//pangolin:for reflect

package prelude

import (
	"reflect"
	"unsafe"
)

// Maps in interfaces. Keys and elements that are found are pointers to copies.

func reflectMapLen(m any) int
func reflectMapKeys(m any) []unsafe.Pointer
func reflectMapGet(m, key any) unsafe.Pointer
func reflectMapSet(m, key, elem any)
func reflectMapDelete(m, key any)
func reflectMakeMap(typ int) any

//pangolin:model reflect.MakeMap
func reflectMakeMapOf(t reflect.Type) rvalue { return reflectMakeMapWithSize(t, 0) }

//pangolin:model reflect.MakeMapWithSize
func reflectMakeMapWithSize(t reflect.Type, n int) rvalue {
	if t.Kind() != reflect.Map {
		panic("reflect.MakeMapWithSize of non-map type")
	}
	typ := numberOf(t)
	return made(typ, reflectMakeMap(typ), 0)
}

//pangolin:model (reflect.Value).MapIndex
func reflectMapIndex(v, key rvalue) rvalue {
	v.must(reflect.Map, "reflect.Value.MapIndex")
	typ := v.number()
	key.mustBeValid("reflect.Value.MapIndex")
	p := reflectMapGet(v.load(), key.assigned("reflect.Value.MapIndex", reflectFact(typ, factKey, 0)))
	if p == nil {
		return rvalue{}
	}
	return valueAt(reflectFact(typ, factElem, 0), p, readOnly(v.flag|key.flag))
}

//pangolin:model (reflect.Value).SetMapIndex
func reflectSetMapIndex(v, key, elem rvalue) {
	v.must(reflect.Map, "reflect.Value.SetMapIndex")
	v.mustBeExported("reflect.Value.SetMapIndex")
	key.mustBeExported("reflect.Value.SetMapIndex")
	typ := v.number()
	k := key.assigned("reflect.Value.SetMapIndex", reflectFact(typ, factKey, 0))
	if elem.flag == 0 {
		reflectMapDelete(v.load(), k)
		return
	}
	elem.mustBeExported("reflect.Value.SetMapIndex")
	reflectMapSet(v.load(), k, elem.assigned("reflect.Value.SetMapIndex", reflectFact(typ, factElem, 0)))
}

// MapKeys gives the keys in any order.
//
//pangolin:model (reflect.Value).MapKeys
func reflectMapKeysOf(v rvalue) []rvalue {
	v.must(reflect.Map, "reflect.Value.MapKeys")
	key := reflectFact(v.number(), factKey, 0)
	keys := reflectMapKeys(v.load())
	out := make([]rvalue, len(keys))
	for i := range out {
		j := i + choose(len(keys)-i)
		keys[i], keys[j] = keys[j], keys[i]
		out[i] = valueAt(key, keys[i], readOnly(v.flag))
	}
	return out
}

// mapIter is what a reflect.MapIter that MapRange has made points to.
type mapIter struct {
	m        rvalue
	begun    bool
	over     bool
	first    []any // the keys that the map had when the iteration began
	produced []any
	key      rvalue
	elem     rvalue
}

//pangolin:model (reflect.Value).MapRange
func reflectMapRange(v rvalue) *mapIter {
	v.must(reflect.Map, "reflect.Value.MapRange")
	return &mapIter{m: v}
}

func mapKeysOf(v rvalue) []any {
	key := reflectFact(v.number(), factKey, 0)
	pointers := reflectMapKeys(v.load())
	keys := make([]any, len(pointers))
	for i, p := range pointers {
		keys[i] = reflectLoad(key, p, false)
		if keys[i] != keys[i] {
			unsupported("reflection iterates over a map with a key that is not equal to itself")
		}
	}
	return keys
}

func holds(list []any, key any) bool {
	for _, x := range list {
		if x == key {
			return true
		}
	}
	return false
}

// mapIterNext produces any key that has not been; of the keys that were added since the iteration began, some may be left out.
//
//pangolin:model (*reflect.MapIter).Next
func mapIterNext(i *mapIter) bool {
	if i.m.flag == 0 {
		panic("MapIter.Next called on an iterator that does not have an associated map Value")
	}
	if i.over {
		panic("MapIter.Next called on exhausted iterator")
	}
	keys := mapKeysOf(i.m)
	if !i.begun {
		i.begun, i.first = true, keys
	}
	var next []any
	mayStop := true
	for _, k := range keys {
		if !holds(i.produced, k) {
			next = append(next, k)
			mayStop = mayStop && !holds(i.first, k)
		}
	}
	n := len(next)
	if mayStop {
		n++
	}
	at := choose(n)
	if at == len(next) {
		i.over = true
		return false
	}
	typ := i.m.number()
	i.produced = append(i.produced, next[at])
	key := reflectAlloc(reflectFact(typ, factKey, 0), 1)
	reflectStore(reflectFact(typ, factKey, 0), key, next[at])
	i.key = valueAt(reflectFact(typ, factKey, 0), key, readOnly(i.m.flag))
	i.elem = valueAt(reflectFact(typ, factElem, 0), reflectMapGet(i.m.load(), next[at]), readOnly(i.m.flag))
	return true
}

func (i *mapIter) current(method string) {
	if !i.begun {
		panic("MapIter." + method + " called before Next")
	}
	if i.over {
		panic("MapIter." + method + " called on exhausted iterator")
	}
}

//pangolin:model (*reflect.MapIter).Key
func mapIterKey(i *mapIter) rvalue {
	i.current("Key")
	return i.key
}

//pangolin:model (*reflect.MapIter).Value
func mapIterValue(i *mapIter) rvalue {
	i.current("Value")
	return i.elem
}

// SPDX-License-Identifier: BSD-3-Clause
