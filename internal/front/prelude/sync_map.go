//go:build prelude

//pangolin:for sync

package prelude

import (
	"sync"
	"unsafe"
)

// mapState has the words of a sync.Map. Each operation is one atomic step on
// an ordinary map.
type mapState struct {
	inited   uint32
	mutex    sync.Mutex
	entries  unsafe.Pointer // *map[any]any
	keyHash  func()
	valEqual func()
	seed     uintptr
}

// probe is nil. Looking a key up in it panics as the operation would, but
// outside of an atomic step.
var probe map[any]any

// mapBegin starts an atomic step and returns the map, for reading; the step may change it
// if it says so.
func mapBegin(m *sync.Map, key any, write bool) map[any]any {
	_ = probe[key]
	s := (*mapState)(unsafe.Pointer(m))
	atomicBegin(unsafe.Pointer(s), write)
	if s.entries == nil {
		return nil
	}
	return *(*map[any]any)(s.entries)
}

// mapForWriting makes the map inside an atomic step if there is none.
func mapForWriting(m *sync.Map) map[any]any {
	s := (*mapState)(unsafe.Pointer(m))
	if s.entries == nil {
		entries := map[any]any{}
		s.entries = unsafe.Pointer(&entries)
	}
	return *(*map[any]any)(s.entries)
}

//pangolin:model (*sync.Map).Load
func mapLoad(m *sync.Map, key any) (value any, ok bool) {
	value, ok = mapBegin(m, key, false)[key]
	atomicEnd()
	return value, ok
}

//pangolin:model (*sync.Map).Store
func mapStore(m *sync.Map, key, value any) { mapSwap(m, key, value) }

//pangolin:model (*sync.Map).Swap
func mapSwap(m *sync.Map, key, value any) (previous any, loaded bool) {
	previous, loaded = mapBegin(m, key, true)[key]
	mapForWriting(m)[key] = value
	atomicEnd()
	return previous, loaded
}

//pangolin:model (*sync.Map).LoadOrStore
func mapLoadOrStore(m *sync.Map, key, value any) (actual any, loaded bool) {
	actual, loaded = mapBegin(m, key, true)[key]
	if !loaded {
		actual = value
		mapForWriting(m)[key] = value
	}
	atomicEnd()
	return actual, loaded
}

//pangolin:model (*sync.Map).LoadAndDelete
func mapLoadAndDelete(m *sync.Map, key any) (value any, loaded bool) {
	entries := mapBegin(m, key, true)
	value, loaded = entries[key]
	delete(entries, key)
	atomicEnd()
	return value, loaded
}

//pangolin:model (*sync.Map).Delete
func mapDelete(m *sync.Map, key any) { mapLoadAndDelete(m, key) }

//pangolin:model (*sync.Map).CompareAndSwap
func mapCompareAndSwap(m *sync.Map, key, old, new any) (swapped bool) {
	_ = probe[old]
	value, ok := mapBegin(m, key, true)[key]
	if ok && value == old {
		mapForWriting(m)[key] = new
		swapped = true
	}
	atomicEnd()
	return swapped
}

//pangolin:model (*sync.Map).CompareAndDelete
func mapCompareAndDelete(m *sync.Map, key, old any) (deleted bool) {
	_ = probe[old]
	entries := mapBegin(m, key, true)
	value, ok := entries[key]
	if ok && value == old {
		delete(entries, key)
		deleted = true
	}
	atomicEnd()
	return deleted
}

//pangolin:model (*sync.Map).Clear
func mapClear(m *sync.Map) {
	clear(mapBegin(m, nil, true))
	atomicEnd()
}

// mapRange visits the keys that are there at the beginning, unless they are
// gone when it comes to them, and any of those stored meanwhile.
//
//pangolin:model (*sync.Map).Range
func mapRange(m *sync.Map, f func(key, value any) bool) {
	keys := mapKeys(m, nil)
	for i := 0; ; i++ {
		if i == len(keys) {
			more := mapKeys(m, keys)
			n := choose(len(more) + 1)
			if n == len(more) {
				return
			}
			keys = append(keys, more[n])
		}
		value, ok := mapLoad(m, keys[i])
		if ok && !f(keys[i], value) {
			return
		}
	}
}

// mapKeys returns the keys that are not in known.
func mapKeys(m *sync.Map, known []any) []any {
	var keys []any
	for key := range mapBegin(m, nil, false) {
		if !containsKey(known, key) {
			keys = append(keys, key)
		}
	}
	atomicEnd()
	return keys
}

func containsKey(list []any, key any) bool {
	for _, k := range list {
		if k == key {
			return true
		}
	}
	return false
}
