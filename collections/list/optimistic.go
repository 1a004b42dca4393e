package list

import (
	"cmp"
	"sync"
	"sync/atomic"
)

// An OptimisticList searches without locks, locks the two nodes it found, and
// searches once more to see that they are still reachable and adjacent (section
// 9.6). If not it starts again, so an operation may starve.
type OptimisticList[T cmp.Ordered] struct {
	head *optimisticNode[T]
}

type optimisticNode[T cmp.Ordered] struct {
	key[T]
	mu   sync.Mutex
	next atomic.Pointer[optimisticNode[T]] // read without mu by searches
}

// NewOptimisticList returns an empty set.
func NewOptimisticList[T cmp.Ordered]() *OptimisticList[T] {
	first := &optimisticNode[T]{key: head[T]()}
	first.next.Store(&optimisticNode[T]{key: tail[T]()})
	return &OptimisticList[T]{head: first}
}

// Add inserts x and says whether it was absent.
func (l *OptimisticList[T]) Add(x T) bool {
	pred, curr := l.lockAround(x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	if curr.is(x) {
		return false
	}
	node := &optimisticNode[T]{key: keyOf(x)}
	node.next.Store(curr)
	//pangolin:point emit Add(x) = true
	pred.next.Store(node)
	return true
}

// Remove deletes x and says whether it was present.
func (l *OptimisticList[T]) Remove(x T) bool {
	pred, curr := l.lockAround(x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	if !curr.is(x) {
		return false
	}
	//pangolin:point emit Remove(x) = true
	pred.next.Store(curr.next.Load())
	return true
}

// Contains says whether x is present. It locks as the others do: without, it
// could return true for a value removed before the call.
func (l *OptimisticList[T]) Contains(x T) bool {
	pred, curr := l.lockAround(x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	return curr.is(x)
}

// lockAround returns the last node before x's place and its successor, both
// locked and validated.
func (l *OptimisticList[T]) lockAround(x T) (pred, curr *optimisticNode[T]) {
	for {
		pred = l.head
		curr = pred.next.Load()
		for curr.before(x) {
			pred, curr = curr, curr.next.Load()
		}
		pred.mu.Lock()
		curr.mu.Lock()
		if l.validate(pred, curr) {
			return pred, curr
		}
		curr.mu.Unlock()
		pred.mu.Unlock()
	}
}

// validate says whether pred is reachable and followed by curr.
func (l *OptimisticList[T]) validate(pred, curr *optimisticNode[T]) bool {
	for node := l.head; node.atMost(&pred.key); node = node.next.Load() {
		if node == pred {
			return pred.next.Load() == curr
		}
	}
	return false
}

// SPDX-License-Identifier: BSD-3-Clause
