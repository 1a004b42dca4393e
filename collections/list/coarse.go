package list

import (
	"cmp"
	"sync"
)

// A CoarseList is a sorted linked list under one lock (section 9.4).
type CoarseList[T cmp.Ordered] struct {
	mu   sync.Mutex
	head *coarseNode[T]
}

type coarseNode[T cmp.Ordered] struct {
	key[T]
	next *coarseNode[T]
}

// NewCoarseList returns an empty set.
func NewCoarseList[T cmp.Ordered]() *CoarseList[T] {
	end := &coarseNode[T]{key: tail[T]()}
	return &CoarseList[T]{head: &coarseNode[T]{key: head[T](), next: end}}
}

// Add inserts x and says whether it was absent.
func (l *CoarseList[T]) Add(x T) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	pred, curr := l.locate(x)
	if curr.is(x) {
		return false
	}
	//pangolin:point emit Add(x) = true
	pred.next = &coarseNode[T]{keyOf(x), curr}
	return true
}

// Remove deletes x and says whether it was present.
func (l *CoarseList[T]) Remove(x T) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	pred, curr := l.locate(x)
	if !curr.is(x) {
		return false
	}
	//pangolin:point emit Remove(x) = true
	pred.next = curr.next
	return true
}

// Contains says whether x is present.
func (l *CoarseList[T]) Contains(x T) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, curr := l.locate(x)
	return curr.is(x)
}

// locate returns the last node before x's place and its successor.
func (l *CoarseList[T]) locate(x T) (pred, curr *coarseNode[T]) {
	pred = l.head
	curr = pred.next
	for curr.before(x) {
		pred, curr = curr, curr.next
	}
	return pred, curr
}

// SPDX-License-Identifier: BSD-3-Clause
