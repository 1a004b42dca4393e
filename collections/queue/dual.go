package queue

import (
	"runtime"
	"sync/atomic"
)

// A SynchronousDualQueue is a lock-free queue of either items that wait for a
// Dequeue or reservations that wait for an Enqueue (section 10.7; Scherer, Lea and
// Scott 2006).
//
// It is wrong as printed: a Dequeue that finds the first item already taken, but
// the head not yet advanced, replaces nil by nil, takes that for success, and
// returns without an item (here: the zero value). COLLECT, section 5.4, item 2.
//
//pangolin:new NewSynchronousDualQueue[int]()
//pangolin:protocol synchronous
type SynchronousDualQueue[T any] struct {
	head atomic.Pointer[dualNode[T]] // sentinel
	tail atomic.Pointer[dualNode[T]]
}

// A dualNode waits for its item to change: from the enqueuer's to nil, or for a
// reservation from nil to the enqueuer's.
type dualNode[T any] struct {
	reservation bool
	item        atomic.Pointer[T]
	next        atomic.Pointer[dualNode[T]]
}

// NewSynchronousDualQueue returns a queue in which nobody waits.
func NewSynchronousDualQueue[T any]() *SynchronousDualQueue[T] {
	q := new(SynchronousDualQueue[T])
	sentinel := new(dualNode[T])
	q.head.Store(sentinel)
	q.tail.Store(sentinel)
	return q
}

// Enqueue returns when a Dequeue has taken x.
func (q *SynchronousDualQueue[T]) Enqueue(x T) {
	item := &x
	offer := new(dualNode[T])
	offer.item.Store(item)
	for {
		t, h := q.tail.Load(), q.head.Load()
		if h == t || !t.reservation {
			if q.appendAndAwait(t, offer, item) {
				return
			}
			continue
		}
		n := h.next.Load()
		if t != q.tail.Load() || h != q.head.Load() || n == nil {
			continue
		}
		fulfilled := n.item.CompareAndSwap(nil, item)
		q.head.CompareAndSwap(h, n)
		if fulfilled {
			return
		}
	}
}

// Dequeue waits for an item and takes it; or, because of the defect, returns the
// zero value without waiting.
func (q *SynchronousDualQueue[T]) Dequeue() T {
	offer := &dualNode[T]{reservation: true}
	for {
		t, h := q.tail.Load(), q.head.Load()
		if h == t || t.reservation {
			if q.appendAndAwait(t, offer, nil) {
				return *offer.item.Load()
			}
			continue
		}
		n := h.next.Load()
		if t != q.tail.Load() || h != q.head.Load() || n == nil {
			continue
		}
		item := n.item.Load()
		taken := n.item.CompareAndSwap(item, nil)
		q.head.CompareAndSwap(h, n)
		if taken {
			return valueOf(item)
		}
	}
}

// appendAndAwait makes one attempt to append the offer behind t; if that succeeds
// it waits until the offer's item is no longer the given one, and returns true.
func (q *SynchronousDualQueue[T]) appendAndAwait(t, offer *dualNode[T], item *T) bool {
	n := t.next.Load()
	if t != q.tail.Load() {
		return false
	}
	if n != nil {
		q.tail.CompareAndSwap(t, n)
		return false
	}
	if !t.next.CompareAndSwap(nil, offer) {
		return false
	}
	q.tail.CompareAndSwap(t, offer)
	for offer.item.Load() == item {
		runtime.Gosched()
	}
	if h := q.head.Load(); offer == h.next.Load() {
		q.head.CompareAndSwap(h, offer)
	}
	return true
}

// valueOf returns what the item points to, and the zero value for nil (where
// Java's method returns null).
func valueOf[T any](item *T) T {
	if item == nil {
		var none T
		return none
	}
	return *item
}

// A SynchronousDualQueuePatched is a SynchronousDualQueue whose Dequeue does not
// take an item that has been taken before.
//
//pangolin:new NewSynchronousDualQueuePatched[int]()
//pangolin:protocol synchronous
type SynchronousDualQueuePatched[T any] struct {
	SynchronousDualQueue[T]
}

// NewSynchronousDualQueuePatched returns a queue in which nobody waits.
func NewSynchronousDualQueuePatched[T any]() *SynchronousDualQueuePatched[T] {
	q := new(SynchronousDualQueuePatched[T])
	sentinel := new(dualNode[T])
	q.head.Store(sentinel)
	q.tail.Store(sentinel)
	return q
}

// Dequeue waits for an item and takes it.
func (q *SynchronousDualQueuePatched[T]) Dequeue() T {
	offer := &dualNode[T]{reservation: true}
	for {
		t, h := q.tail.Load(), q.head.Load()
		if h == t || t.reservation {
			if q.appendAndAwait(t, offer, nil) {
				return *offer.item.Load()
			}
			continue
		}
		n := h.next.Load()
		if t != q.tail.Load() || h != q.head.Load() || n == nil {
			continue
		}
		item := n.item.Load()
		taken := item != nil && n.item.CompareAndSwap(item, nil)
		q.head.CompareAndSwap(h, n)
		if taken {
			return *item
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
