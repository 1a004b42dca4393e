package queue

import (
	"sync"
	"sync/atomic"
)

// A BoundedQueue is a linked list with a lock and a condition at each end and a
// shared counter of its items (section 10.3). A thread wakes the other side only
// when it made the queue nonempty, or no longer full.
//
//pangolin:new NewBoundedQueue[int](2)
//pangolin:protocol bounded(2)
type BoundedQueue[T any] struct {
	capacity int64
	size     atomic.Int64
	enqLock  sync.Mutex
	notFull  *sync.Cond // of enqLock
	tail     *lockedNode[T]
	deqLock  sync.Mutex
	notEmpty *sync.Cond // of deqLock
	head     *lockedNode[T]
}

// NewBoundedQueue returns an empty queue for up to capacity items (at least 1).
func NewBoundedQueue[T any](capacity int) *BoundedQueue[T] {
	if capacity < 1 {
		panic("queue: capacity must be at least 1")
	}
	sentinel := new(lockedNode[T])
	q := &BoundedQueue[T]{capacity: int64(capacity), head: sentinel, tail: sentinel}
	q.notFull = sync.NewCond(&q.enqLock)
	q.notEmpty = sync.NewCond(&q.deqLock)
	return q
}

// Enqueue appends x, waiting while the queue is full.
func (q *BoundedQueue[T]) Enqueue(x T) {
	if q.append(x) {
		q.deqLock.Lock()
		defer q.deqLock.Unlock()
		q.notEmpty.Broadcast()
	}
}

// append appends x and says whether dequeuers must be woken.
func (q *BoundedQueue[T]) append(x T) bool {
	q.enqLock.Lock()
	defer q.enqLock.Unlock()
	for q.size.Load() == q.capacity {
		q.notFull.Wait()
	}
	node := &lockedNode[T]{value: x}
	q.tail.next.Store(node)
	q.tail = node
	return q.size.Add(1) == 1
}

// Dequeue removes the first item, waiting while the queue is empty.
func (q *BoundedQueue[T]) Dequeue() T {
	item, wasFull := q.remove()
	if wasFull {
		q.enqLock.Lock()
		defer q.enqLock.Unlock()
		q.notFull.Broadcast()
	}
	return item
}

// remove removes the first item and says whether enqueuers must be woken. It
// waits for a node rather than for the counter, which is raised after linking.
func (q *BoundedQueue[T]) remove() (item T, wasFull bool) {
	q.deqLock.Lock()
	defer q.deqLock.Unlock()
	for q.head.next.Load() == nil {
		q.notEmpty.Wait()
	}
	q.head = q.head.next.Load()
	return q.head.value, q.size.Add(-1) == q.capacity-1
}

// SPDX-License-Identifier: BSD-3-Clause
