package pqueue

import "sync/atomic"

// A SimpleTree keeps its bins at the leaves of a complete binary tree whose inner
// nodes count the items below their left child (section 15.3). Add goes up from a
// leaf and increments, RemoveMin goes down from the root and decrements.
//
// It is meant to be quiescently consistent and is not: RemoveMin takes a count first and
// an item later. If that is one which was added in between, the next RemoveMin concludes
// from the counters that the queue is empty, though an older item is in it (COLLECT,
// section 5.4, extended synopsis). See SimpleTreeRepaired.
//
//pangolin:new NewSimpleTree[int](3)
//pangolin:property quiescent
type SimpleTree[T any] struct {
	root   *treeNode[T]
	leaves []*treeNode[T] // by score
}

// A treeNode's links never change; bin is used at leaves, counter at inner nodes.
type treeNode[T any] struct {
	counter             boundedCounter
	parent, left, right *treeNode[T]
	bin                 bin[T]
}

// NewSimpleTree returns an empty queue for scores from 0 to 2^logRange-1.
func NewSimpleTree[T any](logRange int) *SimpleTree[T] {
	q := new(SimpleTree[T])
	q.root = q.build(logRange, nil)
	return q
}

// build makes a subtree of the given height, its leaves from left to right.
func (q *SimpleTree[T]) build(height int, parent *treeNode[T]) *treeNode[T] {
	n := &treeNode[T]{parent: parent}
	if height == 0 {
		q.leaves = append(q.leaves, n)
		return n
	}
	n.left = q.build(height-1, n)
	n.right = q.build(height-1, n)
	return n
}

// Add inserts item; it panics if the score is out of range.
func (q *SimpleTree[T]) Add(item T, score int) {
	node := q.leaves[score]
	node.bin.put(item)
	for node != q.root {
		parent := node.parent
		if node == parent.left {
			parent.counter.increment()
		}
		node = parent
	}
}

// RemoveMin removes an item of the least score it finds, or says that it found none.
func (q *SimpleTree[T]) RemoveMin() (T, bool) {
	node := q.root
	for node.right != nil {
		if node.counter.boundedGetAndDecrement() > 0 {
			node = node.left
		} else {
			node = node.right
		}
	}
	return node.bin.take()
}

// A boundedCounter never goes below zero.
type boundedCounter struct {
	n atomic.Int64
}

func (c *boundedCounter) increment() { c.n.Add(1) }

// boundedGetAndDecrement decrements a positive counter, and returns what it was.
func (c *boundedCounter) boundedGetAndDecrement() int64 {
	for {
		n := c.n.Load()
		if n == 0 || c.n.CompareAndSwap(n, n-1) {
			return n
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
