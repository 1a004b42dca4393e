package skiplist

import (
	"cmp"
	"runtime"
	"sync/atomic"

	"pangolin/collections/lock"
)

// A LazySkipList locks the predecessors of a node on all its levels, validates them
// and links or unlinks the node under the locks (section 14.3). A node is in the set
// from when it is fully linked until it is marked.
//
// As published it need not terminate, with locks that are not fair: an Add that must
// link before a marked node locks its predecessor, fails to validate, unlocks, and does
// so until the node is gone; it may for ever keep out the Remove that waits for that
// predecessor's lock. (Go's mutexes are fair in the end.) See LazySkipListRepaired.
//
//pangolin:new NewLazySkipList[int](1, Coin)
type LazySkipList[T cmp.Ordered] struct {
	highest int
	height  Height
	head    *lazyNode[T]
}

// A lazyNode may precede another on several levels and is then locked for each, so
// its lock is reentrant.
type lazyNode[T cmp.Ordered] struct {
	key[T]
	lock        lock.Reentrant
	marked      atomic.Bool
	fullyLinked atomic.Bool
	next        []atomic.Pointer[lazyNode[T]] // one for each level
}

func (n *lazyNode[T]) topLevel() int { return len(n.next) - 1 }

// NewLazySkipList returns an empty set with levels 0 to highest. A nil height stands
// for Coin.
func NewLazySkipList[T cmp.Ordered](highest int, height Height) *LazySkipList[T] {
	if height == nil {
		height = Coin
	}
	l := &LazySkipList[T]{highest: highest, height: height}
	tail := newLazyNode(key[T]{end: +1}, highest)
	tail.fullyLinked.Store(true)
	l.head = newLazyNode(key[T]{end: -1}, highest)
	for level := range l.head.next {
		l.head.next[level].Store(tail)
	}
	l.head.fullyLinked.Store(true)
	return l
}

func newLazyNode[T cmp.Ordered](k key[T], topLevel int) *lazyNode[T] {
	return &lazyNode[T]{key: k, next: make([]atomic.Pointer[lazyNode[T]], topLevel+1)}
}

// lazyPlace is a value's place: the nodes before and after it on each level.
type lazyPlace[T cmp.Ordered] struct {
	preds, succs []*lazyNode[T]
}

func (l *LazySkipList[T]) newPlace() lazyPlace[T] {
	return lazyPlace[T]{
		make([]*lazyNode[T], l.highest+1),
		make([]*lazyNode[T], l.highest+1),
	}
}

// find fills in x's place and returns the highest level at which x is, or -1.
func (l *LazySkipList[T]) find(x T, at lazyPlace[T]) int {
	found := -1
	pred := l.head
	for level := l.highest; level >= 0; level-- {
		curr := pred.next[level].Load()
		for curr.before(x) {
			pred, curr = curr, curr.next[level].Load()
		}
		if found == -1 && curr.is(x) {
			found = level
		}
		at.preds[level], at.succs[level] = pred, curr
	}
	return found
}

// Add inserts x and says whether it was absent.
func (l *LazySkipList[T]) Add(x T) bool {
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
func (l *LazySkipList[T]) tryLink(x T, topLevel int, at lazyPlace[T]) bool {
	locked, valid := at.lockPreds(topLevel, func(level int, pred *lazyNode[T]) bool {
		succ := at.succs[level]
		return !pred.marked.Load() && !succ.marked.Load() && pred.next[level].Load() == succ
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

// lockPreds locks the predecessors from the bottom to topLevel as long as they are
// valid; it returns how many it locked and whether all are valid.
func (at lazyPlace[T]) lockPreds(topLevel int, valid func(int, *lazyNode[T]) bool) (int, bool) {
	for level := 0; level <= topLevel; level++ {
		pred := at.preds[level]
		pred.lock.Lock()
		if !valid(level, pred) {
			return level + 1, false
		}
	}
	return topLevel + 1, true
}

// unlockPreds unlocks the predecessors of the lowest n levels.
func (at lazyPlace[T]) unlockPreds(n int) {
	for level := range n {
		at.preds[level].lock.Unlock()
	}
}

// Remove deletes x and says whether it was present. It locks and marks the node
// first; from then on only this thread can unlink it.
func (l *LazySkipList[T]) Remove(x T) bool {
	at := l.newPlace()
	found := l.find(x, at)
	if found == -1 {
		return false
	}
	victim := at.succs[found]
	if !victim.fullyLinked.Load() || victim.topLevel() != found || victim.marked.Load() {
		return false
	}
	victim.lock.Lock()
	defer victim.lock.Unlock()
	if victim.marked.Load() {
		return false
	}
	victim.marked.Store(true)
	for !l.tryUnlink(victim, at) {
		l.find(x, at)
	}
	return true
}

// tryUnlink unlinks the marked victim if its place is still right.
func (l *LazySkipList[T]) tryUnlink(victim *lazyNode[T], at lazyPlace[T]) bool {
	locked, valid := at.lockPreds(victim.topLevel(), func(level int, pred *lazyNode[T]) bool {
		return !pred.marked.Load() && pred.next[level].Load() == victim
	})
	defer at.unlockPreds(locked)
	if !valid {
		return false
	}
	for level := victim.topLevel(); level >= 0; level-- {
		at.preds[level].next[level].Store(victim.next[level].Load())
	}
	return true
}

// Contains says whether x is present. It takes no locks.
func (l *LazySkipList[T]) Contains(x T) bool {
	at := l.newPlace()
	found := l.find(x, at)
	if found == -1 {
		return false
	}
	node := at.succs[found]
	return node.fullyLinked.Load() && !node.marked.Load()
}

// SPDX-License-Identifier: BSD-3-Clause
