package queue

import "sync/atomic"

// A HerlihyWingQueue keeps items in an array: Enqueue takes the next place and then writes there,
// Dequeue looks at all places in their order, again and again, until it finds an item (Herlihy and
// Wing, Linearizability: a correctness condition for concurrent objects, TOPLAS 1990, section 4).
// Which of two Enqueues comes first may be decided by a Dequeue when both have returned, so
// that no statement of theirs is where they take effect.
//
// The array of the paper is infinite; here so many items as it has places can be put into the
// queue in its life, one more panics.
//
//pangolin:new NewHerlihyWingQueue[int](8)
//pangolin:protocol bounded(8)
type HerlihyWingQueue[T any] struct {
	back  atomic.Int64
	items []atomic.Pointer[T]
}

// NewHerlihyWingQueue returns an empty queue that will be given at most so many items.
func NewHerlihyWingQueue[T any](items int) *HerlihyWingQueue[T] {
	return &HerlihyWingQueue[T]{items: make([]atomic.Pointer[T], items)}
}

// Enqueue appends x.
//
//pangolin:point on moved before may emit Enqueue(x)
func (q *HerlihyWingQueue[T]) Enqueue(x T) {
	//pangolin:point may emit Enqueue(x) broadcast moved
	place := q.back.Add(1) - 1
	//pangolin:point may emit Enqueue(x) broadcast moved
	q.items[place].Store(&x)
}

// Dequeue removes the first item; it waits for one.
func (q *HerlihyWingQueue[T]) Dequeue() T {
	for {
		places := q.back.Load()
		for i := range places {
			//pangolin:point when item != nil emit Dequeue() = *item broadcast moved
			item := q.items[i].Swap(nil)
			if item != nil {
				return *item
			}
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
