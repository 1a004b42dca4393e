// SPDX-License-Identifier: BSD-3-Clause

// Package wrong has queues whose cells form one chain, with one thing each that the checker has to refuse: nearly all of them are wrong.
package wrong

import "sync/atomic"

// queue is the elimination queue with one slot, whose parts the types of this package put together.
type queue struct {
	head  atomic.Pointer[node]
	tail  atomic.Pointer[node]
	slots []atomic.Pointer[offer]
	taken *offer
}

type node struct {
	item, number int
	next         atomic.Pointer[node]
}

type offer struct {
	node  *node
	after int
}

func (q *queue) begin() {
	sentinel := new(node)
	q.head.Store(sentinel)
	q.tail.Store(sentinel)
	q.slots, q.taken = make([]atomic.Pointer[offer], 1), new(offer)
}

func (q *queue) offer(x int) *offer {
	return &offer{&node{item: x}, q.tail.Load().number}
}

// last gives the last cell.
func (q *queue) last() *node {
	for {
		last := q.tail.Load()
		next := last.next.Load()
		if next == nil {
			return last
		}
		q.tail.CompareAndSwap(last, next)
	}
}

// tryEnqueue makes one attempt to link a cell.
func (q *queue) tryEnqueue(n *node) bool {
	last := q.last()
	n.number = last.number + 1
	if !last.next.CompareAndSwap(nil, n) {
		return false
	}
	q.tail.CompareAndSwap(last, n)
	return true
}

// leave offers an item, and says whether it was taken.
func (q *queue) leave(mine *offer) bool {
	slot := &q.slots[0]
	if !slot.CompareAndSwap(nil, mine) || slot.CompareAndSwap(mine, nil) {
		return false
	}
	slot.Store(nil)
	return true
}

func (q *queue) put(mine *offer) {
	for !q.tryEnqueue(mine.node) {
		if q.leave(mine) {
			return
		}
	}
}

// tryDequeue makes one attempt to take the first item.
func (q *queue) tryDequeue() (n *node, empty bool) {
	first, last := q.head.Load(), q.tail.Load()
	next := first.next.Load()
	switch {
	case next == nil:
		return nil, true
	case first == last:
		q.tail.CompareAndSwap(last, next)
	case q.head.CompareAndSwap(first, next):
		return next, false
	}
	return nil, false
}

// take takes an offer that is old enough, or gives nil.
func (q *queue) take() *offer {
	gone := q.head.Load().number
	theirs := q.slots[0].Load()
	if theirs == nil || theirs == q.taken || theirs.after > gone || !q.slots[0].CompareAndSwap(theirs, q.taken) {
		return nil
	}
	return theirs
}

func (q *queue) get() (int, bool) {
	for {
		n, empty := q.tryDequeue()
		if empty {
			return 0, false
		}
		if n != nil {
			return n.item, true
		}
		if theirs := q.take(); theirs != nil {
			return theirs.node.item, true
		}
	}
}
