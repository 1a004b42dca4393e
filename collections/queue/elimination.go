package queue

import (
	"runtime"
	"sync/atomic"

	"pangolin/mark"
)

// An EliminationQueue is the queue of Michael and Scott in which a Dequeue that lost a race may take the
// item of an Enqueue that lost one, as soon as all items are gone that were in the queue
// when that Enqueue began (Moir, Nussbaum, Shalev and Shavit, Using elimination to implement
// scalable and lock-free FIFO queues, SPAA 2005). Items that came later may still be there: then the
// Enqueue takes effect before theirs, in the past.
//
// Numbers of nodes stand for the paper's version numbers of head and tail, an offer that is made
// once for those of the slots, and looking a number of times for the time that it waits.
//
//pangolin:new NewEliminationQueue[int](1, 1)
type EliminationQueue[T any] struct {
	head     atomic.Pointer[numberedNode[T]] // sentinel
	tail     atomic.Pointer[numberedNode[T]]
	slots    []atomic.Pointer[offer[T]] // nil: free
	taken    *offer[T]                  // in a slot: its offer was taken
	patience int
}

// A numberedNode's value and number are written before it is published.
type numberedNode[T any] struct {
	value  T
	number int
	next   atomic.Pointer[numberedNode[T]]
}

// An offer is a node, not in the queue, that waits for a Dequeue, and the number of the node that was last
// when its Enqueue began.
type offer[T any] struct {
	node  *numberedNode[T]
	after int
}

// NewEliminationQueue returns an empty queue with so many slots (at least 1), in which an Enqueue looks
// patience times whether its item was taken.
func NewEliminationQueue[T any](slots, patience int) *EliminationQueue[T] {
	q := &EliminationQueue[T]{slots: make([]atomic.Pointer[offer[T]], slots), taken: new(offer[T]), patience: patience}
	sentinel := new(numberedNode[T])
	q.head.Store(sentinel)
	q.tail.Store(sentinel)
	return q
}

// Enqueue appends x, or hands it to a Dequeue. An item is in the queue when the tail has moved to it, for
// others go by that when they begin.
//
//pangolin:point on moved before may emit Enqueue(x)
func (q *EliminationQueue[T]) Enqueue(x T) {
	node := &numberedNode[T]{value: x} //pangolin:point as node
	mine := &offer[T]{node: node, after: q.tail.Load().number}
	for !q.tryEnqueue(node) {
		if q.leave(mine) {
			return
		}
	}
}

// Dequeue removes the first item, or says that the queue is empty.
func (q *EliminationQueue[T]) Dequeue() (T, bool) {
	for {
		if node, empty := q.tryDequeue(); empty {
			var none T
			return none, false
		} else if node != nil {
			return node.value, true
		}
		if mine := q.take(); mine != nil {
			return mine.node.value, true
		}
	}
}

// tryEnqueue makes one attempt to append the node.
func (q *EliminationQueue[T]) tryEnqueue(node *numberedNode[T]) bool {
	for {
		last := q.tail.Load()
		next := last.next.Load()
		if next != nil {
			//pangolin:point when result emit Enqueue(next.value) for next broadcast moved
			q.tail.CompareAndSwap(last, next)
			continue
		}
		node.number = last.number + 1
		if !last.next.CompareAndSwap(nil, node) {
			return false
		}
		//pangolin:point when result emit Enqueue(node.value) broadcast moved
		q.tail.CompareAndSwap(last, node)
		return true
	}
}

// tryDequeue makes one attempt to take the first item: it gives the node, or nil and whether that is
// because the queue is empty.
func (q *EliminationQueue[T]) tryDequeue() (node *numberedNode[T], empty bool) {
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
				return nil, true
			}
			//pangolin:point when result emit Enqueue(next.value) for next broadcast moved
			q.tail.CompareAndSwap(last, next)
			continue
		}
		//pangolin:point when result emit Dequeue() = next.value, true
		if q.head.CompareAndSwap(first, next) {
			return next, false
		}
		return nil, false
	}
}

// leave makes an offer in some slot and says whether it was taken.
func (q *EliminationQueue[T]) leave(mine *offer[T]) bool {
	slot := &q.slots[mark.Choose(len(q.slots))]
	if !slot.CompareAndSwap(nil, mine) {
		return false
	}
	for range q.patience {
		if slot.Load() == q.taken {
			break
		}
		runtime.Gosched()
	}
	if slot.CompareAndSwap(mine, nil) {
		return false
	}
	slot.Store(nil)
	return true
}

// take takes the offer in some slot if it is old enough, or gives nil.
func (q *EliminationQueue[T]) take() *offer[T] {
	gone := q.head.Load().number // what has been dequeued, or more
	slot := &q.slots[mark.Choose(len(q.slots))]
	theirs := slot.Load()
	if theirs == nil || theirs == q.taken || theirs.after > gone {
		return nil
	}
	//pangolin:point when !result may emit Enqueue(theirs.node.value) for theirs.node
	//pangolin:point when !result emit Dequeue() = theirs.node.value, true
	if !slot.CompareAndSwap(theirs, q.taken) {
		return nil
	}
	return theirs
}

// SPDX-License-Identifier: BSD-3-Clause
