package list

import "cmp"

// A HarrisList is the lock-free set of Harris (A pragmatic implementation of non-blocking linked-lists,
// DISC 2001): a search remembers the last unmarked node, and unlinks all marked nodes between it
// and the one that it looks for with one compare-and-swap.
type HarrisList[T cmp.Ordered] struct {
	head *lockFreeNode[T]
}

// NewHarrisList returns an empty set.
func NewHarrisList[T cmp.Ordered]() *HarrisList[T] {
	first := &lockFreeNode[T]{key: head[T]()}
	first.next.Set(&lockFreeNode[T]{key: tail[T]()}, false)
	return &HarrisList[T]{head: first}
}

// Add inserts x and says whether it was absent.
func (l *HarrisList[T]) Add(x T) bool {
	node := &lockFreeNode[T]{key: keyOf(x)}
	for {
		left, right := l.search(x)
		if right.is(x) {
			return false
		}
		node.next.Set(right, false)
		//pangolin:point when result emit Add(x) = true
		if left.next.CompareAndSet(right, node, false, false) {
			return true
		}
	}
}

// Remove deletes x and says whether it was present.
func (l *HarrisList[T]) Remove(x T) bool {
	for {
		left, right := l.search(x)
		if !right.is(x) {
			return false
		}
		succ, marked := right.next.Get()
		if marked {
			continue
		}
		//pangolin:point when !result emit Remove(x) = true
		if !right.next.CompareAndSet(succ, succ, false, true) {
			continue
		}
		if !left.next.CompareAndSet(right, succ, false, false) {
			l.search(x)
		}
		return true
	}
}

// Contains says whether x is present.
func (l *HarrisList[T]) Contains(x T) bool {
	_, right := l.search(x)
	return right.is(x)
}

// search returns the last node before x's place and its successor, neither of them marked, having unlinked
// what was marked between.
func (l *HarrisList[T]) search(x T) (left, right *lockFreeNode[T]) {
	for {
		var behind *lockFreeNode[T] // left, when it was seen
		node := l.head
		next, marked := node.next.Get()
		for marked || node.before(x) {
			if !marked {
				left, behind = node, next
			}
			node = next
			next, marked = node.next.Get() // the tail has none, and no mark
		}
		right = node
		if behind != right && !left.next.CompareAndSet(behind, right, false, false) {
			continue
		}
		if !right.next.Marked() {
			return left, right
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
