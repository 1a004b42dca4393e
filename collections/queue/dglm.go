package queue

import "sync/atomic"

// A DGLMQueue is the queue of Doherty, Groves, Luchangco and Moir (Formal verification of a
// practical lock-free queue algorithm, FORTE 2004): that of Michael and Scott, whose Dequeue
// looks at the tail only when it has taken an item, so that the tail may even lag behind the head.
type DGLMQueue[T any] struct {
	head atomic.Pointer[lockFreeNode[T]] // sentinel
	tail atomic.Pointer[lockFreeNode[T]]
}

// NewDGLMQueue returns an empty queue.
func NewDGLMQueue[T any]() *DGLMQueue[T] {
	q := new(DGLMQueue[T])
	sentinel := new(lockFreeNode[T])
	q.head.Store(sentinel)
	q.tail.Store(sentinel)
	return q
}

// Enqueue appends x.
func (q *DGLMQueue[T]) Enqueue(x T) {
	node := &lockFreeNode[T]{value: x}
	for {
		last := q.tail.Load()
		next := last.next.Load()
		if last != q.tail.Load() {
			continue
		}
		if next != nil {
			q.tail.CompareAndSwap(last, next)
			continue
		}
		//pangolin:point when result emit Enqueue(x)
		if last.next.CompareAndSwap(nil, node) {
			q.tail.CompareAndSwap(last, node)
			return
		}
	}
}

// Dequeue removes the first item, or says that the queue is empty.
func (q *DGLMQueue[T]) Dequeue() (T, bool) {
	for {
		first := q.head.Load()
		//pangolin:point when next == nil emit Dequeue() = _, false
		next := first.next.Load()
		if first != q.head.Load() {
			continue
		}
		if next == nil {
			var none T
			return none, false
		}
		item := next.value
		//pangolin:point when result emit Dequeue() = item, true
		if q.head.CompareAndSwap(first, next) {
			if last := q.tail.Load(); last == first {
				q.tail.CompareAndSwap(last, next) // the tail must not stay behind
			}
			return item, true
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
