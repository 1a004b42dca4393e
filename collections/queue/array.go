package queue

import (
	"runtime"
	"sync/atomic"

	"pangolin/collections/atomicref"
)

// An ArrayQueue is the circular array of Shann, Huang and Chen, A Practical
// Nonblocking Queue Algorithm Using Compare-and-Swap (ICPADS 2000), in the form in
// which the thesis lists it (A.5). Each slot carries a counter of its changes;
// front and rear may lag behind the slots, and whoever notices moves them.
//
// It is not linearizable (the thesis, section 5.2): a Dequeue that read an empty
// slot at the front, and then finds that the rear has moved on, helps the front
// along past an item that was put into the slot in the meantime.
//
//pangolin:new NewArrayQueue[int](2)
//pangolin:protocol bounded(2)
type ArrayQueue[T any] struct {
	slots []atomicref.Stamped[*T] // nil: empty
	front atomic.Uint64
	rear  atomic.Uint64
}

// NewArrayQueue returns an empty queue for up to capacity items (at least 1).
func NewArrayQueue[T any](capacity int) *ArrayQueue[T] {
	if capacity < 1 {
		panic("queue: capacity must be at least 1")
	}
	return &ArrayQueue[T]{slots: make([]atomicref.Stamped[*T], capacity)}
}

// Enqueue appends x, spinning while the queue is full.
func (q *ArrayQueue[T]) Enqueue(x T) {
	item := &x
	for !q.tryEnqueue(item) {
		runtime.Gosched()
	}
}

// Dequeue removes the first item, spinning while the queue is empty.
func (q *ArrayQueue[T]) Dequeue() T {
	for {
		if item := q.tryDequeue(); item != nil {
			return *item
		}
		runtime.Gosched()
	}
}

// tryEnqueue makes one attempt to append the item.
func (q *ArrayQueue[T]) tryEnqueue(item *T) bool {
	rear := q.rear.Load()
	slot := q.slot(rear)
	x, ref := slot.Get()
	if rear != q.rear.Load() {
		return false
	}
	if rear == q.front.Load()+uint64(len(q.slots)) {
		return false // full
	}
	if x != nil { // the enqueue that filled the slot has not moved the rear
		q.rear.CompareAndSwap(rear, rear+1)
		return false
	}
	if !slot.CompareAndSet(x, item, ref, ref+1) {
		return false
	}
	q.rear.CompareAndSwap(rear, rear+1)
	return true
}

// tryDequeue makes one attempt to remove the first item; nil if it failed.
func (q *ArrayQueue[T]) tryDequeue() *T {
	front := q.front.Load()
	slot := q.slot(front)
	x, ref := slot.Get()
	if front != q.front.Load() {
		return nil
	}
	if front == q.rear.Load() {
		return nil // empty
	}
	if x == nil { // the dequeue that emptied the slot has not moved the front
		q.front.CompareAndSwap(front, front+1)
		return nil
	}
	if !slot.CompareAndSet(x, nil, ref, ref+1) {
		return nil
	}
	q.front.CompareAndSwap(front, front+1)
	return x
}

func (q *ArrayQueue[T]) slot(n uint64) *atomicref.Stamped[*T] {
	return &q.slots[n%uint64(len(q.slots))]
}

// SPDX-License-Identifier: BSD-3-Clause
