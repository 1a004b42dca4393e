// Package queue holds the queues of Herlihy, Shavit, Luchangco and Spear, The Art
// of Multiprocessor Programming (2nd ed. 2020), chapter 10, and one more:
//
//	BoundedQueue                    10.3  two locks, two conditions, a counter
//	UnboundedQueue                  10.4  two locks
//	LockFreeQueue                   10.5  Michael and Scott 1996
//	LockFreeQueueRecycle            10.6  the same with recycled nodes and stamped references
//	LockFreeQueueRecycleUnstamped   10.6  the same without stamps, which is wrong (ABA)
//	SynchronousQueue                10.6.1  one lock, one condition
//	SynchronousDualQueue            10.7  Scherer, Lea and Scott, as printed, which is wrong
//	SynchronousDualQueuePatched     10.7  the same with a repaired Dequeue
//	ArrayQueue                      Shann, Huang and Chen 2000, which is not linearizable
//
// Protocols: BoundedQueue and ArrayQueue make Enqueue wait while the queue is full
// and Dequeue while it is empty; the synchronous queues make each call wait for a
// partner; the others never wait, and their Dequeue says false if it found the
// queue empty (the book throws an exception).
//
// Deviations: Java's reentrant locks and conditions are sync.Mutex and sync.Cond
// where neither reentrancy nor fairness matters; a thread that spins yields its
// processor each time. A dequeued item stays referenced by the sentinel until the
// next Dequeue, as in the book. Nothing here closes, counts or times out.
package queue

import (
	"sync"
	"sync/atomic"
)

// A lockedNode's value is written before the node is published; next is written
// under the enqueuers' lock and read under the dequeuers'.
type lockedNode[T any] struct {
	value T
	next  atomic.Pointer[lockedNode[T]]
}

// An UnboundedQueue is a linked list with a lock at each end (section 10.4).
type UnboundedQueue[T any] struct {
	enqLock sync.Mutex
	deqLock sync.Mutex
	head    *lockedNode[T] // sentinel; guarded by deqLock
	tail    *lockedNode[T] // guarded by enqLock
}

// NewUnboundedQueue returns an empty queue.
func NewUnboundedQueue[T any]() *UnboundedQueue[T] {
	sentinel := new(lockedNode[T])
	return &UnboundedQueue[T]{head: sentinel, tail: sentinel}
}

// Enqueue appends x.
func (q *UnboundedQueue[T]) Enqueue(x T) {
	q.enqLock.Lock()
	defer q.enqLock.Unlock()
	node := &lockedNode[T]{value: x}
	//pangolin:point emit Enqueue(x)
	q.tail.next.Store(node)
	q.tail = node
}

// Dequeue removes the first item, or says that the queue is empty.
func (q *UnboundedQueue[T]) Dequeue() (T, bool) {
	q.deqLock.Lock()
	defer q.deqLock.Unlock()
	//pangolin:point when first == nil emit Dequeue() = _, false
	first := q.head.next.Load()
	if first == nil {
		var none T
		return none, false
	}
	//pangolin:point emit Dequeue() = first.value, true
	q.head = first
	return first.value, true
}

// SPDX-License-Identifier: BSD-3-Clause
