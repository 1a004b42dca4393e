// SPDX-License-Identifier: BSD-3-Clause

package right

import (
	"sync/atomic"
	"unsafe"
)

// A Thing is something that is put in by its address.
type Thing struct {
	Name   string
	Number int
}

// Keeper is what NewThings makes.
type Keeper interface {
	Enqueue(t *Thing)
	Dequeue() *Thing
}

// Things is a queue of addresses, whose Dequeue gives nil where it finds nothing. Its pointers have no type.
type Things struct {
	front, tail unsafe.Pointer
	length      int32
}

type holder struct {
	thing *Thing
	next  unsafe.Pointer
}

func NewThings() Keeper {
	first := unsafe.Pointer(&holder{})
	return &Things{front: first, tail: first}
}

func load(p *unsafe.Pointer) *holder { return (*holder)(atomic.LoadPointer(p)) }

func swap(p *unsafe.Pointer, old, new *holder) bool {
	return atomic.CompareAndSwapPointer(p, unsafe.Pointer(old), unsafe.Pointer(new))
}

func (q *Things) Enqueue(t *Thing) {
	h := &holder{thing: t}
	for {
		last := load(&q.tail)
		next := load(&last.next)
		switch {
		case last != load(&q.tail):
		case next != nil:
			swap(&q.tail, last, next)
		case swap(&last.next, next, h):
			swap(&q.tail, last, h)
			atomic.AddInt32(&q.length, 1)
			return
		}
	}
}

func (q *Things) Dequeue() *Thing {
	for {
		first := load(&q.front)
		last := load(&q.tail)
		next := load(&first.next)
		switch {
		case first != load(&q.front):
		case first != last:
			thing := next.thing
			if swap(&q.front, first, next) {
				atomic.AddInt32(&q.length, -1)
				return thing
			}
		case next == nil:
			return nil
		default:
			swap(&q.tail, last, next)
		}
	}
}

// Anything is a queue of values of any type, which take two words.
type Anything struct{ front atomic.Pointer[slip] }

type slip struct {
	next  atomic.Pointer[slip]
	value any
}

func NewAnything() *Anything {
	q := &Anything{}
	q.front.Store(&slip{})
	return q
}

func (q *Anything) Enqueue(v any) {
	s := &slip{value: v}
	last := q.front.Load()
	for !last.next.CompareAndSwap(nil, s) {
		last = last.next.Load()
	}
}

func (q *Anything) Dequeue() (v any, ok bool) {
	for {
		first := q.front.Load()
		next := first.next.Load()
		if next == nil {
			return nil, false
		}
		if q.front.CompareAndSwap(first, next) {
			return next.value, true
		}
	}
}

// Pair is something of two words.
type Pair struct{ First, Second int }

// Pairs is a queue of values that take two words.
type Pairs struct{ front atomic.Pointer[couple] }

type couple struct {
	pair Pair
	next atomic.Pointer[couple]
}

func NewPairs() *Pairs {
	q := &Pairs{}
	q.front.Store(&couple{})
	return q
}

func (q *Pairs) Enqueue(p Pair) {
	c := &couple{pair: p}
	last := q.front.Load()
	for !last.next.CompareAndSwap(nil, c) {
		last = last.next.Load()
	}
}

func (q *Pairs) Dequeue() (p Pair, ok bool) {
	for {
		first := q.front.Load()
		next := first.next.Load()
		if next == nil {
			return p, false
		}
		if q.front.CompareAndSwap(first, next) {
			return next.pair, true
		}
	}
}
