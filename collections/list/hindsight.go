package list

import "cmp"

// A HindsightList is the optimistic set of O'Hearn, Rinetzky, Vechev, Yahav and Yorsh (Verifying
// linearizability with hindsight, PODC 2010): as in LazyList nodes are marked before they are
// unlinked, but Contains, and whoever finds nothing to do, looks at keys only: what it has seen
// was so at some moment since it began, if not at the last.
type HindsightList[T cmp.Ordered] struct {
	head *lazyNode[T]
}

// NewHindsightList returns an empty set.
func NewHindsightList[T cmp.Ordered]() *HindsightList[T] {
	first := &lazyNode[T]{key: head[T]()}
	first.next.Store(&lazyNode[T]{key: tail[T]()})
	return &HindsightList[T]{head: first}
}

// Add inserts x and says whether it was absent.
func (l *HindsightList[T]) Add(x T) bool {
	for {
		pred, curr := l.locate(x)
		if curr.is(x) {
			return false
		}
		if l.insert(pred, curr, x) {
			return true
		}
	}
}

// insert puts x between two nodes, if they are still neighbours.
func (l *HindsightList[T]) insert(pred, curr *lazyNode[T], x T) bool {
	pred.mu.Lock()
	defer pred.mu.Unlock()
	if pred.marked.Load() || pred.next.Load() != curr {
		return false
	}
	node := &lazyNode[T]{key: keyOf(x)}
	node.next.Store(curr)
	//pangolin:point emit Add(x) = true
	pred.next.Store(node)
	return true
}

// Remove deletes x and says whether it was present.
func (l *HindsightList[T]) Remove(x T) bool {
	for {
		pred, curr := l.locate(x)
		if !curr.is(x) {
			return false
		}
		if l.unlink(pred, curr, x) {
			return true
		}
	}
}

// unlink removes a node behind another one, if they are still neighbours.
func (l *HindsightList[T]) unlink(pred, curr *lazyNode[T], x T) bool {

	pred.mu.Lock()
	defer pred.mu.Unlock()
	curr.mu.Lock()
	defer curr.mu.Unlock()
	if pred.marked.Load() || pred.next.Load() != curr {
		return false
	}
	curr.marked.Store(true)
	//pangolin:point emit Remove(x) = true
	pred.next.Store(curr.next.Load())
	return true
}

// Contains says whether x is present. It is wait-free on a list of finite length.
func (l *HindsightList[T]) Contains(x T) bool {
	_, curr := l.locate(x)
	return curr.is(x)
}

// locate returns the last node before x's place and its successor, each as it was when it was read.
func (l *HindsightList[T]) locate(x T) (pred, curr *lazyNode[T]) {
	pred = l.head
	curr = pred.next.Load()
	for curr.before(x) {
		pred, curr = curr, curr.next.Load()
	}
	return pred, curr
}

// SPDX-License-Identifier: BSD-3-Clause
