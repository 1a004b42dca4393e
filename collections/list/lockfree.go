package list

import (
	"cmp"

	"pangolin/collections/atomicref"
)

// A LockFreeList keeps a node's mark beside its successor in one atomic
// reference, so that a marked node's successor cannot change; threads that meet a
// marked node unlink it (section 9.8; Harris 2001, Michael 2002).
type LockFreeList[T cmp.Ordered] struct {
	head *lockFreeNode[T]
}

type lockFreeNode[T cmp.Ordered] struct {
	key[T]
	next atomicref.Markable[*lockFreeNode[T]] // the mark: this node is removed
}

// NewLockFreeList returns an empty set.
func NewLockFreeList[T cmp.Ordered]() *LockFreeList[T] {
	first := &lockFreeNode[T]{key: head[T]()}
	first.next.Set(&lockFreeNode[T]{key: tail[T]()}, false)
	return &LockFreeList[T]{head: first}
}

// Add inserts x and says whether it was absent.
func (l *LockFreeList[T]) Add(x T) bool {
	for {
		pred, curr := l.find(x)
		if curr.is(x) {
			return false
		}
		node := &lockFreeNode[T]{key: keyOf(x)}
		node.next.Set(curr, false)
		//pangolin:point when result emit Add(x) = true
		if pred.next.CompareAndSet(curr, node, false, false) {
			return true
		}
	}
}

// Remove deletes x and says whether it was present. Unlinking is tried once;
// if it fails a later search does it.
func (l *LockFreeList[T]) Remove(x T) bool {
	for {
		pred, curr := l.find(x)
		if !curr.is(x) {
			return false
		}
		succ := curr.next.Value()
		//pangolin:point when !result emit Remove(x) = true
		if !curr.next.CompareAndSet(succ, succ, false, true) {
			continue
		}
		pred.next.CompareAndSet(curr, succ, false, false)
		return true
	}
}

// Contains says whether x is present. It is wait-free on a list of finite length.
func (l *LockFreeList[T]) Contains(x T) bool {
	curr := l.head
	for curr.before(x) {
		curr = curr.next.Value()
	}
	return curr.is(x) && !curr.next.Marked()
}

// find returns the last unmarked node before x's place and its successor, having
// unlinked the marked nodes between.
func (l *LockFreeList[T]) find(x T) (pred, curr *lockFreeNode[T]) {
retry:
	for {
		pred = l.head
		curr = pred.next.Value()
		for {
			succ, marked := curr.next.Get()
			for marked {
				if !pred.next.CompareAndSet(curr, succ, false, false) {
					continue retry
				}
				curr = succ
				succ, marked = curr.next.Get()
			}
			if !curr.before(x) {
				return pred, curr
			}
			pred, curr = curr, succ
		}
	}
}

// A LockFreeListOriginal is LockFreeList with Remove as the book's first edition
// (2008, section 9.8) printed it. It is wrong: attemptMark succeeds as well if
// the mark had been set already, so two threads may both report that they removed
// one value. COLLECT, section 5.4, item 1; corrected in the revised reprint (2012).
type LockFreeListOriginal[T cmp.Ordered] struct {
	LockFreeList[T]
}

// NewLockFreeListOriginal returns an empty set.
func NewLockFreeListOriginal[T cmp.Ordered]() *LockFreeListOriginal[T] {
	first := &lockFreeNode[T]{key: head[T]()}
	first.next.Set(&lockFreeNode[T]{key: tail[T]()}, false)
	return &LockFreeListOriginal[T]{LockFreeList[T]{head: first}}
}

// Remove deletes x and says whether it was present, possibly to two threads.
func (l *LockFreeListOriginal[T]) Remove(x T) bool {
	for {
		pred, curr := l.find(x)
		if !curr.is(x) {
			return false
		}
		succ := curr.next.Value()
		if !curr.next.AttemptMark(succ, true) {
			continue
		}
		pred.next.CompareAndSet(curr, succ, false, false)
		return true
	}
}

// SPDX-License-Identifier: BSD-3-Clause
