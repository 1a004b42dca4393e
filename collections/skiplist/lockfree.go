package skiplist

import (
	"cmp"

	"pangolin/collections/atomicref"
)

// A LockFreeSkipList is a lock-free list on each level (section 14.4). Nodes are
// linked from the bottom up and marked from the top down; the bottom level decides.
// As in the book, add does not correct a new node's upper links when it has to look
// for its neighbours again, so that upper levels may miss nodes.
//
//pangolin:new NewLockFreeSkipList[int](1, Coin)
type LockFreeSkipList[T cmp.Ordered] struct {
	highest int
	height  Height
	head    *lockFreeNode[T]
}

type lockFreeNode[T cmp.Ordered] struct {
	key[T]
	next []atomicref.Markable[*lockFreeNode[T]] // the mark: removed from this level
}

func (n *lockFreeNode[T]) topLevel() int { return len(n.next) - 1 }

// NewLockFreeSkipList returns an empty set with levels 0 to highest. A nil height
// stands for Coin.
func NewLockFreeSkipList[T cmp.Ordered](highest int, height Height) *LockFreeSkipList[T] {
	if height == nil {
		height = Coin
	}
	l := &LockFreeSkipList[T]{highest: highest, height: height}
	tail := newLockFreeNode(key[T]{end: +1}, highest)
	l.head = newLockFreeNode(key[T]{end: -1}, highest)
	for level := range l.head.next {
		l.head.next[level].Set(tail, false)
	}
	return l
}

func newLockFreeNode[T cmp.Ordered](k key[T], topLevel int) *lockFreeNode[T] {
	return &lockFreeNode[T]{k, make([]atomicref.Markable[*lockFreeNode[T]], topLevel+1)}
}

// lockFreePlace is a value's place: the nodes before and after it on each level.
type lockFreePlace[T cmp.Ordered] struct {
	preds, succs []*lockFreeNode[T]
}

func (l *LockFreeSkipList[T]) newPlace() lockFreePlace[T] {
	return lockFreePlace[T]{
		make([]*lockFreeNode[T], l.highest+1),
		make([]*lockFreeNode[T], l.highest+1),
	}
}

// Add inserts x and says whether it was absent. It takes effect when the node is
// linked at the bottom.
func (l *LockFreeSkipList[T]) Add(x T) bool {
	topLevel := l.height(l.highest)
	at := l.newPlace()
	var node *lockFreeNode[T]
	for {
		if l.find(x, at) {
			return false
		}
		node = newLockFreeNode(key[T]{item: x}, topLevel)
		for level := range node.next {
			node.next[level].Set(at.succs[level], false)
		}
		if at.preds[0].next[0].CompareAndSet(at.succs[0], node, false, false) {
			break
		}
	}
	for level := 1; level <= topLevel; level++ {
		for !at.preds[level].next[level].CompareAndSet(at.succs[level], node, false, false) {
			l.find(x, at)
		}
	}
	return true
}

// Remove deletes x and says whether it was present. It takes effect when the node is
// marked at the bottom.
func (l *LockFreeSkipList[T]) Remove(x T) bool {
	at := l.newPlace()
	if !l.find(x, at) {
		return false
	}
	victim := at.succs[0]
	victim.markUpper()
	succ := victim.next[0].Value()
	for {
		mine := victim.next[0].CompareAndSet(succ, succ, false, true)
		next, marked := victim.next[0].Get()
		switch {
		case mine:
			l.find(x, at) // unlinks the victim
			return true
		case marked:
			return false
		}
		succ = next
	}
}

// markUpper marks the node on all levels but the bottom, top first.
func (n *lockFreeNode[T]) markUpper() {
	for level := n.topLevel(); level >= 1; level-- {
		succ, marked := n.next[level].Get()
		for !marked {
			n.next[level].CompareAndSet(succ, succ, false, true)
			succ, marked = n.next[level].Get()
		}
	}
}

// Contains says whether x is present. It goes round marked nodes without unlinking
// them, and is wait-free on a list of finite length.
func (l *LockFreeSkipList[T]) Contains(x T) bool {
	pred := l.head
	var curr *lockFreeNode[T]
	for level := l.highest; level >= 0; level-- {
		curr = pred.next[level].Value()
		for {
			succ, marked := curr.next[level].Get()
			for marked {
				curr = succ
				succ, marked = curr.next[level].Get()
			}
			if !curr.before(x) {
				break
			}
			pred, curr = curr, succ
		}
	}
	return curr.is(x)
}

// find fills in x's place, unlinking marked nodes on its way, and says whether x is
// on the bottom level.
func (l *LockFreeSkipList[T]) find(x T, at lockFreePlace[T]) bool {
	for !l.tryFind(x, at) {
	}
	return at.succs[0].is(x)
}

// tryFind is find until it fails to unlink a node.
func (l *LockFreeSkipList[T]) tryFind(x T, at lockFreePlace[T]) bool {
	pred := l.head
	for level := l.highest; level >= 0; level-- {
		curr := pred.next[level].Value()
		for {
			succ, marked := curr.next[level].Get()
			for marked {
				if !pred.next[level].CompareAndSet(curr, succ, false, false) {
					return false
				}
				curr = pred.next[level].Value()
				succ, marked = curr.next[level].Get()
			}
			if !curr.before(x) {
				break
			}
			pred, curr = curr, succ
		}
		at.preds[level], at.succs[level] = pred, curr
	}
	return true
}

// SPDX-License-Identifier: BSD-3-Clause
