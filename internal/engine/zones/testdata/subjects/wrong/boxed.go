// SPDX-License-Identifier: BSD-3-Clause

package wrong

import "sync/atomic"

// A Thing is something that is put in by its address.
type Thing struct{ Number int }

type holder struct {
	thing *Thing
	next  atomic.Pointer[holder]
}

// Nothing gives nil, as if it had found nothing, where another Dequeue was faster.
type Nothing struct{ front atomic.Pointer[holder] }

func NewNothing() *Nothing {
	q := &Nothing{}
	q.front.Store(&holder{})
	return q
}

func (q *Nothing) Enqueue(t *Thing) {
	h := &holder{thing: t}
	last := q.front.Load()
	for !last.next.CompareAndSwap(nil, h) {
		last = last.next.Load()
	}
}

func (q *Nothing) Dequeue() *Thing {
	first := q.front.Load()
	if next := first.next.Load(); next != nil && q.front.CompareAndSwap(first, next) {
		return next.thing
	}
	return nil
}

// Torn writes what is put in behind linking its cell in.
type Torn struct{ front atomic.Pointer[slip] }

type slip struct {
	next  atomic.Pointer[slip]
	value any
}

func NewTorn() *Torn {
	q := &Torn{}
	q.front.Store(&slip{})
	return q
}

func (q *Torn) Enqueue(v any) {
	s := &slip{}
	last := q.front.Load()
	for !last.next.CompareAndSwap(nil, s) {
		last = last.next.Load()
	}
	s.value = v
}

func (q *Torn) Dequeue() (v any, ok bool) {
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

// Swaps gives the halves of an item in the other order.
type Swaps struct{ front atomic.Pointer[couple] }

type couple struct {
	pair Pair
	next atomic.Pointer[couple]
}

func NewSwaps() *Swaps {
	q := &Swaps{}
	q.front.Store(&couple{})
	return q
}

func (q *Swaps) Enqueue(p Pair) {
	c := &couple{pair: p}
	last := q.front.Load()
	for !last.next.CompareAndSwap(nil, c) {
		last = last.next.Load()
	}
}

func (q *Swaps) Dequeue() (p Pair, ok bool) {
	for {
		first := q.front.Load()
		next := first.next.Load()
		if next == nil {
			return p, false
		}
		if q.front.CompareAndSwap(first, next) {
			return Pair{next.pair.Second, next.pair.First}, true
		}
	}
}
