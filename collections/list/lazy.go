package list

import (
	"cmp"
	"sync"
	"sync/atomic"
)

// A LazyList removes in two steps, marking the node before unlinking it, so that
// validation looks at two nodes only and Contains takes no lock (section 9.7;
// Heller, Herlihy, Luchangco, Moir, Scherer and Shavit, OPODIS 2005).
type LazyList[T cmp.Ordered] struct {
	head *lazyNode[T]
}

type lazyNode[T cmp.Ordered] struct {
	key[T]
	mu     sync.Mutex
	marked atomic.Bool // logically removed; written under mu
	next   atomic.Pointer[lazyNode[T]]
}

// NewLazyList returns an empty set.
func NewLazyList[T cmp.Ordered]() *LazyList[T] {
	first := &lazyNode[T]{key: head[T]()}
	first.next.Store(&lazyNode[T]{key: tail[T]()})
	return &LazyList[T]{head: first}
}

// Add inserts x and says whether it was absent.
func (l *LazyList[T]) Add(x T) bool {
	pred, curr := l.lockAround(x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	if curr.is(x) {
		return false
	}
	node := &lazyNode[T]{key: keyOf(x)}
	node.next.Store(curr)
	//pangolin:point emit Add(x) = true
	pred.next.Store(node)
	return true
}

// Remove deletes x and says whether it was present.
func (l *LazyList[T]) Remove(x T) bool {
	pred, curr := l.lockAround(x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	if !curr.is(x) {
		return false
	}
	//pangolin:point emit Remove(x) = true
	curr.marked.Store(true)
	pred.next.Store(curr.next.Load())
	return true
}

// Contains says whether x is present. It is wait-free on a list of finite length.
func (l *LazyList[T]) Contains(x T) bool {
	curr := l.head
	for curr.before(x) {
		curr = curr.next.Load()
	}
	return curr.is(x) && !curr.marked.Load()
}

// lockAround returns the last node before x's place and its successor, both
// locked and validated.
func (l *LazyList[T]) lockAround(x T) (pred, curr *lazyNode[T]) {
	for {
		pred = l.head
		curr = pred.next.Load()
		for curr.before(x) {
			pred, curr = curr, curr.next.Load()
		}
		pred.mu.Lock()
		curr.mu.Lock()
		if !pred.marked.Load() && !curr.marked.Load() && pred.next.Load() == curr {
			return pred, curr
		}
		curr.mu.Unlock()
		pred.mu.Unlock()
	}
}

// SPDX-License-Identifier: BSD-3-Clause
