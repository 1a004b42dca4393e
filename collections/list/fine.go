package list

import (
	"cmp"
	"sync"
)

// A FineList locks nodes hand over hand: a thread holds the lock of a node until
// it has that of the next one, so threads cannot overtake each other (section 9.5).
type FineList[T cmp.Ordered] struct {
	head *fineNode[T]
}

type fineNode[T cmp.Ordered] struct {
	key[T]
	mu   sync.Mutex
	next *fineNode[T] // guarded by mu
}

// NewFineList returns an empty set.
func NewFineList[T cmp.Ordered]() *FineList[T] {
	end := &fineNode[T]{key: tail[T]()}
	return &FineList[T]{head: &fineNode[T]{key: head[T](), next: end}}
}

// Add inserts x and says whether it was absent.
//
//pangolin:point every Add
func (l *FineList[T]) Add(x T) bool {
	pred, curr := l.lockAround(x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	//pangolin:point when result emit Add(x) = false
	if curr.is(x) {
		return false
	}
	//pangolin:point emit Add(x) = true
	pred.next = &fineNode[T]{key: keyOf(x), next: curr}
	return true
}

// Remove deletes x and says whether it was present.
//
//pangolin:point every Remove
func (l *FineList[T]) Remove(x T) bool {
	pred, curr := l.lockAround(x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	//pangolin:point when result emit Remove(x) = false
	if !curr.is(x) {
		return false
	}
	//pangolin:point emit Remove(x) = true
	pred.next = curr.next
	return true
}

// Contains says whether x is present.
//
//pangolin:point every Contains
func (l *FineList[T]) Contains(x T) bool {
	pred, curr := l.lockAround(x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	//pangolin:point emit Contains(x) = result
	return curr.is(x)
}

// lockAround returns the last node before x's place and its successor, both locked.
func (l *FineList[T]) lockAround(x T) (pred, curr *fineNode[T]) {
	pred = l.head
	pred.mu.Lock()
	curr = pred.next
	curr.mu.Lock()
	for curr.before(x) {
		pred.mu.Unlock()
		pred, curr = curr, curr.next
		curr.mu.Lock()
	}
	return pred, curr
}

// SPDX-License-Identifier: BSD-3-Clause
