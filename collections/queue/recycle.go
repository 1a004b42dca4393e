package queue

import (
	"sync/atomic"

	"pangolin/collections/atomicref"
	"pangolin/collections/threadlocal"
)

// A LockFreeQueueRecycle is a LockFreeQueue whose dequeued nodes go to a free list
// of the dequeuing thread and come back in its later enqueues (section 10.6). Since
// a node may return to a place where a slow thread expects it (ABA), head, tail
// and next carry a stamp that every change raises.
//
// A thread may read the value of a node that has just been recycled, and then
// drops it because its compare-and-set fails; so values are atomic.
type LockFreeQueueRecycle[T any] struct {
	head atomicref.Stamped[*stampedNode[T]] // sentinel
	tail atomicref.Stamped[*stampedNode[T]]
	free threadlocal.Var[*stampedNode[T]] // linked through next
}

type stampedNode[T any] struct {
	value atomic.Pointer[T]
	next  atomicref.Stamped[*stampedNode[T]]
}

// NewLockFreeQueueRecycle returns an empty queue.
func NewLockFreeQueueRecycle[T any]() *LockFreeQueueRecycle[T] {
	q := new(LockFreeQueueRecycle[T])
	sentinel := new(stampedNode[T])
	q.head.Set(sentinel, 0)
	q.tail.Set(sentinel, 0)
	return q
}

// Enqueue appends x.
func (q *LockFreeQueueRecycle[T]) Enqueue(x T) {
	node := q.allocate(x)
	for {
		last, lastStamp := q.tail.Get()
		next, nextStamp := last.next.Get()
		if now, stamp := q.tail.Get(); now != last || stamp != lastStamp {
			continue
		}
		if next != nil {
			q.tail.CompareAndSet(last, next, lastStamp, lastStamp+1)
			continue
		}
		//pangolin:point when result emit Enqueue(x)
		if last.next.CompareAndSet(nil, node, nextStamp, nextStamp+1) {
			q.tail.CompareAndSet(last, node, lastStamp, lastStamp+1)
			return
		}
	}
}

// Dequeue removes the first item, or says that the queue is empty.
func (q *LockFreeQueueRecycle[T]) Dequeue() (T, bool) {
	for {
		first, firstStamp := q.head.Get()
		last, lastStamp := q.tail.Get()
		//pangolin:point when next == nil && q.head.Value() == first emit Dequeue() = _, false
		next, _ := first.next.Get()
		if now, stamp := q.head.Get(); now != first || stamp != firstStamp {
			continue
		}
		if first == last {
			if next == nil {
				var none T
				return none, false
			}
			q.tail.CompareAndSet(last, next, lastStamp, lastStamp+1)
			continue
		}
		item := next.value.Load()
		//pangolin:point when result emit Dequeue() = *item, true
		if q.head.CompareAndSet(first, next, firstStamp, firstStamp+1) {
			q.release(first)
			return *item, true
		}
	}
}

// allocate takes a node from the thread's free list or makes one.
func (q *LockFreeQueueRecycle[T]) allocate(x T) *stampedNode[T] {
	free := q.free.Get()
	node := *free
	if node == nil {
		node = new(stampedNode[T])
	} else {
		next, stamp := node.next.Get()
		*free = next
		node.next.Set(nil, stamp+1)
	}
	node.value.Store(&x)
	return node
}

// release puts a node on the thread's free list.
func (q *LockFreeQueueRecycle[T]) release(node *stampedNode[T]) {
	free := q.free.Get()
	_, stamp := node.next.Get()
	node.next.Set(*free, stamp+1)
	*free = node
}

// SPDX-License-Identifier: BSD-3-Clause
