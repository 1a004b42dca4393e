package pqueue

import "sync"

// A SimpleTreeRepaired is a SimpleTree through which all operations go hand over hand
// from the root down: each locks the next node before it unlocks the last. It is our
// repair, and linearizable.
//
// Operations come to every node in the order in which they passed the root, because
// none can overtake another. So a removal finds at each node the counts of exactly
// those operations that come before it, as if it ran alone; and an operation
// takes effect when it passes the root. The counters need not be atomic, and a
// positive one promises an item. In return operations wait for one another, though
// only for those one node ahead.
//
//pangolin:new NewSimpleTreeRepaired[int](3)
type SimpleTreeRepaired[T any] struct {
	root   *lockedNode[T]
	height int
}

// A lockedNode is an inner node, which has children, or a leaf. The links never change.
type lockedNode[T any] struct {
	mu          sync.Mutex
	left, right *lockedNode[T]
	count       int // of an inner node: items below left; guarded by mu
	items       []T // of a leaf; guarded by mu
}

// NewSimpleTreeRepaired returns an empty queue for scores from 0 to 2^logRange-1.
func NewSimpleTreeRepaired[T any](logRange int) *SimpleTreeRepaired[T] {
	return &SimpleTreeRepaired[T]{newLockedTree[T](logRange), logRange}
}

func newLockedTree[T any](height int) *lockedNode[T] {
	if height == 0 {
		return new(lockedNode[T])
	}
	return &lockedNode[T]{left: newLockedTree[T](height - 1), right: newLockedTree[T](height - 1)}
}

// Add inserts item; it panics if the score is out of range.
func (q *SimpleTreeRepaired[T]) Add(item T, score int) {
	if score < 0 || score >= 1<<q.height {
		panic("pqueue: score out of range")
	}
	n := q.root
	n.mu.Lock()
	for bit := q.height - 1; bit >= 0; bit-- {
		next := n.right
		if score>>bit&1 == 0 {
			n.count++
			next = n.left
		}
		n = n.handOver(next)
	}
	n.items = append(n.items, item)
	n.mu.Unlock()
}

// RemoveMin removes an item of the least score, or says that the queue is empty.
func (q *SimpleTreeRepaired[T]) RemoveMin() (item T, ok bool) {
	n := q.root
	n.mu.Lock()
	for n.right != nil {
		next := n.right
		if n.count > 0 {
			n.count--
			next = n.left
		}
		n = n.handOver(next)
	}
	defer n.mu.Unlock()
	last := len(n.items) - 1
	if last < 0 {
		return item, false
	}
	item = n.items[last]
	n.items = n.items[:last]
	return item, true
}

// handOver locks a child of n, which is locked, then unlocks n, and returns the child.
func (n *lockedNode[T]) handOver(child *lockedNode[T]) *lockedNode[T] {
	child.mu.Lock()
	n.mu.Unlock()
	return child
}

// SPDX-License-Identifier: BSD-3-Clause
