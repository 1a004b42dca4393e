package queue

import (
	"sync/atomic"

	"pangolin/collections/threadlocal"
)

// A LockFreeQueueRecycleUnstamped recycles nodes without stamps. It is wrong, as
// section 10.6 explains: a Dequeue that read head A and its successor B may sleep
// while B is dequeued and recycled and A becomes the sentinel again; its
// compare-and-swap from A to B then succeeds and makes a free node the sentinel.
type LockFreeQueueRecycleUnstamped[T any] struct {
	head atomic.Pointer[recycledNode[T]] // sentinel
	tail atomic.Pointer[recycledNode[T]]
	free threadlocal.Var[*recycledNode[T]] // linked through next
}

type recycledNode[T any] struct {
	value atomic.Pointer[T]
	next  atomic.Pointer[recycledNode[T]]
}

// NewLockFreeQueueRecycleUnstamped returns an empty queue.
func NewLockFreeQueueRecycleUnstamped[T any]() *LockFreeQueueRecycleUnstamped[T] {
	q := new(LockFreeQueueRecycleUnstamped[T])
	sentinel := new(recycledNode[T])
	q.head.Store(sentinel)
	q.tail.Store(sentinel)
	return q
}

// Enqueue appends x.
func (q *LockFreeQueueRecycleUnstamped[T]) Enqueue(x T) {
	node := q.allocate(x)
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
		if last.next.CompareAndSwap(nil, node) {
			q.tail.CompareAndSwap(last, node)
			return
		}
	}
}

// Dequeue removes the first item, or says that the queue is empty.
func (q *LockFreeQueueRecycleUnstamped[T]) Dequeue() (T, bool) {
	for {
		first := q.head.Load()
		last := q.tail.Load()
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
		item := next.value.Load()
		if q.head.CompareAndSwap(first, next) {
			q.release(first)
			return *item, true
		}
	}
}

// allocate takes a node from the thread's free list or makes one.
func (q *LockFreeQueueRecycleUnstamped[T]) allocate(x T) *recycledNode[T] {
	free := q.free.Get()
	node := *free
	if node == nil {
		node = new(recycledNode[T])
	} else {
		*free = node.next.Load()
		node.next.Store(nil)
	}
	node.value.Store(&x)
	return node
}

// release puts a node on the thread's free list.
func (q *LockFreeQueueRecycleUnstamped[T]) release(node *recycledNode[T]) {
	free := q.free.Get()
	node.next.Store(*free)
	*free = node
}

// SPDX-License-Identifier: BSD-3-Clause
