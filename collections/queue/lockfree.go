package queue

import "sync/atomic"

// A LockFreeQueue is the queue of Michael and Scott (section 10.5). The tail may
// lag behind by one node, and whoever notices moves it.
type LockFreeQueue[T any] struct {
	head atomic.Pointer[lockFreeNode[T]] // sentinel
	tail atomic.Pointer[lockFreeNode[T]]
}

// A lockFreeNode's value is written before the node is published.
type lockFreeNode[T any] struct {
	value T
	next  atomic.Pointer[lockFreeNode[T]]
}

// NewLockFreeQueue returns an empty queue.
func NewLockFreeQueue[T any]() *LockFreeQueue[T] {
	q := new(LockFreeQueue[T])
	sentinel := new(lockFreeNode[T])
	q.head.Store(sentinel)
	q.tail.Store(sentinel)
	return q
}

// Enqueue appends x.
func (q *LockFreeQueue[T]) Enqueue(x T) {
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
func (q *LockFreeQueue[T]) Dequeue() (T, bool) {
	for {
		first := q.head.Load()
		last := q.tail.Load()
		//pangolin:point when next == nil && first == last emit Dequeue() = _, false
		next := first.next.Load()
		if first != q.head.Load() {
			continue
		}
		if first == last {
			if next == nil {
				var none T
				return none, false
			}
			q.tail.CompareAndSwap(last, next)
			continue
		}
		item := next.value
		//pangolin:point when result emit Dequeue() = item, true
		if q.head.CompareAndSwap(first, next) {
			return item, true
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
