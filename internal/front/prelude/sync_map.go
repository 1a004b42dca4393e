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
	content  *mapContent
	keyHash  func()
	valEqual func()
	seed     uintptr
}

// mapContent is what a sync.Map has once it has been used. A copy of it has the same content, and so
// accesses to the one are accesses to the other, which an atomic step on one of the two does not say.
type mapContent struct {
	of      *mapState // the map whose first operation has made it
	entries map[any]any
}

func mapStateOf(m *sync.Map) *mapState { return (*mapState)(unsafe.Pointer(m)) }

// newContent has its entries at once, and never others: one who has read where the content is knows them.
func newContent(s *mapState) *mapContent { return &mapContent{of: s, entries: map[any]any{}} }

// mapBegin starts an atomic step and returns the map, for reading; the step may change it
// if it says so. A key that cannot be looked up panics outside of the step.
func mapBegin(m *sync.Map, key any, write bool) map[any]any {
	if !isComparable(key) {
		_ = map[any]any{nil: nil}[key] // panics
	}
	s := mapStateOf(m)
	atomicBegin(unsafe.Pointer(s), write)
	return s.own().list()
}

// own is the content, in an atomic step: nil if there has been no operation.
func (s *mapState) own() *mapContent {
	if s.content != nil && s.content.of != s {
		unsupported("a sync.Map that was copied after its first use: use a pointer to it")
	}
	return s.content
}

func (c *mapContent) list() map[any]any {
	if c == nil {
		return nil
	}
	return c.entries
}

// mapForWriting makes the map inside an atomic step if there is none.
func mapForWriting(m *sync.Map) map[any]any {
	s := mapStateOf(m)
	if s.content == nil {
		s.content = newContent(s)
	}
	return s.content.entries
}

// mapEnd ends an atomic step. Whatever the first operation is, from there on a copy has the same content.
func mapEnd(m *sync.Map) {
	used := mapStateOf(m).content != nil
	atomicEnd()
	if !used {
		mapUse(m)
	}
}

// mapUse makes the content, in a step of its own: an operation that only reads orders nothing before it.
func mapUse(m *sync.Map) {
	s := mapStateOf(m)
	atomicBegin(unsafe.Pointer(s), true)
	if s.content == nil {
		s.content = newContent(s)
	}
	atomicEnd()
}

//pangolin:model (*sync.Map).Load
func mapLoad(m *sync.Map, key any) (value any, ok bool) {
	value, ok = mapBegin(m, key, false)[key]
	mapEnd(m)
	return value, ok
}

//pangolin:model (*sync.Map).Store
func mapStore(m *sync.Map, key, value any) { mapSwap(m, key, value) }

//pangolin:model (*sync.Map).Swap
func mapSwap(m *sync.Map, key, value any) (previous any, loaded bool) {
	previous, loaded = mapBegin(m, key, true)[key]
	mapForWriting(m)[key] = value
	mapEnd(m)
	return previous, loaded
}

//pangolin:model (*sync.Map).LoadOrStore
func mapLoadOrStore(m *sync.Map, key, value any) (actual any, loaded bool) {
	actual, loaded = mapBegin(m, key, true)[key]
	if !loaded {
		actual = value
		mapForWriting(m)[key] = value
	}
	mapEnd(m)
	return actual, loaded
}

//pangolin:model (*sync.Map).LoadAndDelete
func mapLoadAndDelete(m *sync.Map, key any) (value any, loaded bool) {
	entries := mapBegin(m, key, true)
	value, loaded = entries[key]
	delete(entries, key)
	mapEnd(m)
	return value, loaded
}

//pangolin:model (*sync.Map).Delete
func mapDelete(m *sync.Map, key any) { mapLoadAndDelete(m, key) }

// mapHolds says whether a key has the value old in an atomic step. If == would panic, which it must not do there, it is left to
// the caller: later compares when the step has ended.
func mapHolds(entries map[any]any, key, old any) (holds bool, later func()) {
	value, ok := entries[key]
	switch {
	case !ok:
		return false, nil
	case !isComparable(value) || !isComparable(old):
		return false, func() { _ = value == old } // nothing, if the types differ
	}
	return value == old, nil
}

//pangolin:model (*sync.Map).CompareAndSwap
func mapCompareAndSwap(m *sync.Map, key, old, new any) bool {
	holds, later := mapHolds(mapBegin(m, key, true), key, old)
	if holds {
		mapForWriting(m)[key] = new
	}
	mapEnd(m)
	if later != nil {
		later()
	}
	return holds
}

//pangolin:model (*sync.Map).CompareAndDelete
func mapCompareAndDelete(m *sync.Map, key, old any) bool {
	entries := mapBegin(m, key, true)
	holds, later := mapHolds(entries, key, old)
	if holds {
		delete(entries, key)
	}
	mapEnd(m)
	if later != nil {
		later()
	}
	return holds
}

// mapClear leaves the entries to those who are ranging over them, as the original does.
//
//pangolin:model (*sync.Map).Clear
func mapClear(m *sync.Map) {
	s := mapStateOf(m)
	atomicBegin(unsafe.Pointer(s), true)
	s.own()
	s.content = newContent(s)
	atomicEnd()
}

// ranging is what a Range goes over: the content that was there when it began, or the first to come. Another Clear
// than one before that takes nothing from it.
type ranging struct {
	m       *sync.Map
	content *mapContent // nil: there has been none
}

// begin starts an atomic step and returns the entries.
func (r *ranging) begin() map[any]any {
	s := mapStateOf(r.m)
	atomicBegin(unsafe.Pointer(s), false)
	if own := s.own(); r.content == nil {
		r.content = own
	}
	return r.content.list()
}

// mapRange visits the keys that are there at the beginning, unless they are
// gone when it comes to them, and any of those stored meanwhile.
//
//pangolin:model (*sync.Map).Range
func mapRange(m *sync.Map, f func(key, value any) bool) {
	r := &ranging{m: m}
	keys := r.keys(nil)
	for i := 0; ; i++ {
		if i == len(keys) {
			more := r.keys(keys)
			n := choose(len(more) + 1)
			if n == len(more) {
				return
			}
			keys = append(keys, more[n])
		}
		value, ok := r.begin()[keys[i]]
		mapEnd(r.m)
		if ok && !f(keys[i], value) {
			return
		}
	}
}

// keys returns the keys that are not in known.
func (r *ranging) keys(known []any) []any {
	var keys []any
	for key := range r.begin() {
		if !containsKey(known, key) {
			keys = append(keys, key)
		}
	}
	mapEnd(r.m)
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

// SPDX-License-Identifier: BSD-3-Clause
