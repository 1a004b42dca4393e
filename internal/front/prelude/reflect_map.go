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

// mapIter has the first words of a reflect.MapIter, so that programs may copy one.
type mapIter struct {
	m  rvalue
	at unsafe.Pointer // an *iteration, which nobody changes; nil before the first call of Next
}

// iteration is what an iterator has come to.
type iteration struct {
	over      bool
	first     []any // the keys that the map had when the iteration began
	produced  []any
	key, elem rvalue
}

//pangolin:model (reflect.Value).MapRange
func reflectMapRange(v rvalue) *reflect.MapIter {
	v.must(reflect.Map, "reflect.Value.MapRange")
	i := new(reflect.MapIter)
	(*mapIter)(unsafe.Pointer(i)).m = v
	return i
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
	m := i.m
	if m.flag == 0 {
		panic("MapIter.Next called on an iterator that does not have an associated map Value")
	}
	keys := mapKeysOf(m)
	before := iteration{first: keys}
	if i.at != nil {
		before = *(*iteration)(i.at)
	}
	if before.over {
		panic("MapIter.Next called on exhausted iterator")
	}
	var next []any
	mayStop := true
	for _, k := range keys {
		if !holds(before.produced, k) {
			next = append(next, k)
			mayStop = mayStop && !holds(before.first, k)
		}
	}
	n := len(next)
	if mayStop {
		n++
	}
	at := choose(n)
	if at == len(next) {
		i.at = unsafe.Pointer(&iteration{over: true})
		return false
	}
	typ := m.number()
	key := reflectAlloc(reflectFact(typ, factKey, 0), 1)
	reflectStore(reflectFact(typ, factKey, 0), key, next[at])
	i.at = unsafe.Pointer(&iteration{
		first:    before.first,
		produced: append(before.produced[:len(before.produced):len(before.produced)], next[at]),
		key:      valueAt(reflectFact(typ, factKey, 0), key, readOnly(m.flag)),
		elem:     valueAt(reflectFact(typ, factElem, 0), reflectMapGet(m.load(), next[at]), readOnly(m.flag)),
	})
	return true
}

func (i *mapIter) current(method string) *iteration {
	if i.at == nil {
		panic("MapIter." + method + " called before Next")
	}
	at := (*iteration)(i.at)
	if at.over {
		panic("MapIter." + method + " called on exhausted iterator")
	}
	return at
}

//pangolin:model (*reflect.MapIter).Key
func mapIterKey(i *mapIter) rvalue { return i.current("Key").key }

//pangolin:model (*reflect.MapIter).Value
func mapIterValue(i *mapIter) rvalue { return i.current("Value").elem }

//pangolin:model (*reflect.MapIter).Reset
func mapIterReset(i *mapIter, v rvalue) {
	if v.flag != 0 {
		v.must(reflect.Map, "unknown method") // as package reflect has it
	}
	i.m, i.at = v, nil
}

// SPDX-License-Identifier: BSD-3-Clause
