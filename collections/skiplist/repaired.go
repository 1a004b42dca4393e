package skiplist

import (
	"cmp"
	"runtime"
)

// A LazySkipListRepaired is a LazySkipList whose Add also links before a marked node. It
// is our repair of the published list: its Add cannot keep out the thread that removes
// that node.
//
// Add holds the locks of all predecessors and sees that the node still follows them, so
// nobody unlinks it meanwhile; whoever is to unlink it then fails to validate its old
// predecessor, and finds the new node in its place.
//
//pangolin:new NewLazySkipListRepaired[int](1, Coin)
type LazySkipListRepaired[T cmp.Ordered] struct {
	*LazySkipList[T]
}

// NewLazySkipListRepaired returns an empty set; see NewLazySkipList.
func NewLazySkipListRepaired[T cmp.Ordered](highest int, height Height) *LazySkipListRepaired[T] {
	return &LazySkipListRepaired[T]{NewLazySkipList[T](highest, height)}
}

// Add inserts x and says whether it was absent.
func (l *LazySkipListRepaired[T]) Add(x T) bool {
	topLevel := l.height(l.highest)
	at := l.newPlace()
	for {
		if found := l.find(x, at); found != -1 {
			node := at.succs[found]
			if node.marked.Load() {
				runtime.Gosched() // being removed: wait until it is gone
				continue
			}
			for !node.fullyLinked.Load() {
				runtime.Gosched()
			}
			return false
		}
		if l.tryLink(x, topLevel, at) {
			return true
		}
	}
}

// tryLink links a new node into x's place if that is still right.
func (l *LazySkipListRepaired[T]) tryLink(x T, topLevel int, at lazyPlace[T]) bool {
	locked, valid := at.lockPreds(topLevel, func(level int, pred *lazyNode[T]) bool {
		return !pred.marked.Load() && pred.next[level].Load() == at.succs[level]
	})
	defer at.unlockPreds(locked)
	if !valid {
		return false
	}
	node := newLazyNode(key[T]{item: x}, topLevel)
	for level := range node.next {
		node.next[level].Store(at.succs[level])
	}
	for level := range node.next {
		at.preds[level].next[level].Store(node)
	}
	node.fullyLinked.Store(true)
	return true
}

// SPDX-License-Identifier: BSD-3-Clause
