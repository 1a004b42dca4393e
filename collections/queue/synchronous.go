package queue

import "sync"

// A SynchronousQueue hands each item from one Enqueue to one Dequeue, both of
// which wait for the other, under one lock with one condition (section 10.6.1).
// Every change wakes everybody.
//
//pangolin:new NewSynchronousQueue[int]()
//pangolin:protocol synchronous
type SynchronousQueue[T any] struct {
	mu        sync.Mutex
	changed   *sync.Cond
	item      *T   // offered and not yet taken
	enqueuing bool // an Enqueue is between offering and leaving
}

// NewSynchronousQueue returns a queue in which nobody waits.
func NewSynchronousQueue[T any]() *SynchronousQueue[T] {
	q := new(SynchronousQueue[T])
	q.changed = sync.NewCond(&q.mu)
	return q
}

// Enqueue offers x and returns when a Dequeue has taken it.
func (q *SynchronousQueue[T]) Enqueue(x T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.enqueuing {
		q.changed.Wait()
	}
	q.enqueuing = true
	q.item = &x
	q.changed.Broadcast()
	for q.item != nil {
		q.changed.Wait()
	}
	q.enqueuing = false
	q.changed.Broadcast()
}

// Dequeue waits for an item and takes it.
func (q *SynchronousQueue[T]) Dequeue() T {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.item == nil {
		q.changed.Wait()
	}
	item := *q.item
	q.item = nil
	q.changed.Broadcast()
	return item
}

// SPDX-License-Identifier: BSD-3-Clause
