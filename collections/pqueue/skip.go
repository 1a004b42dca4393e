package pqueue

import (
	"math"
	"sync/atomic"

	"pangolin/collections/atomicref"
	"pangolin/mark"
)

// A SkipQueue is a lock-free skip list sorted by score; RemoveMin marks the first
// unmarked node of the bottom level as its own and then removes that node from the
// list (section 15.5). It is quiescently consistent; it is neither linearizable nor
// sequentially consistent, since RemoveMin may already have passed the place where
// another thread adds a lesser score.
//
// As in the book's list each score is a key: an item whose score is in the list
// already is not added. Scores math.MinInt and math.MaxInt are reserved.
//
//pangolin:new NewSkipQueue[int](1, Tall)
//pangolin:property quiescent
type SkipQueue[T any] struct {
	list prioritySkipList[T]
}

// Height draws the top level of a new node, from 0 to highest.
type Height func(highest int) int

// Coin draws a level by tossing coins: each level has half of the nodes of the one
// below. Under the verifier every level is explored.
func Coin(highest int) int {
	level := 0
	for level < highest && mark.Choose(2) == 1 {
		level++
	}
	return level
}

// Tall gives every node all levels, which is what COLLECT's model of the queue does.
func Tall(highest int) int { return highest }

// NewSkipQueue returns an empty queue with levels 0 to highest. A nil height stands
// for Coin.
func NewSkipQueue[T any](highest int, height Height) *SkipQueue[T] {
	q := new(SkipQueue[T])
	q.list.init(highest, height)
	return q
}

// Add inserts item unless its score is in the queue already.
func (q *SkipQueue[T]) Add(item T, score int) {
	q.list.add(q.list.newNode(item, score))
}

// RemoveMin removes an item of the least score it finds, or says that it found none.
func (q *SkipQueue[T]) RemoveMin() (T, bool) {
	return q.list.take(q.list.findAndMarkMin())
}

// A SkipQueueOriginal is a SkipQueue with findAndMarkMin as the book's first edition
// (2008, figure 15.5) printed it. It is wrong: the search does not go on from a node
// that it finds marked, so a RemoveMin that meets another one's node spins for ever
// (COLLECT, section 5.4, item 9).
//
//pangolin:new NewSkipQueueOriginal[int](1, Tall)
//pangolin:property sc
type SkipQueueOriginal[T any] struct {
	list prioritySkipList[T]
}

// NewSkipQueueOriginal returns an empty queue with levels 0 to highest. A nil height
// stands for Coin.
func NewSkipQueueOriginal[T any](highest int, height Height) *SkipQueueOriginal[T] {
	q := new(SkipQueueOriginal[T])
	q.list.init(highest, height)
	return q
}

// Add inserts item unless its score is in the queue already.
func (q *SkipQueueOriginal[T]) Add(item T, score int) {
	q.list.add(q.list.newNode(item, score))
}

// RemoveMin removes an item of the least score it finds, or says that it found none,
// or does not return.
func (q *SkipQueueOriginal[T]) RemoveMin() (T, bool) {
	return q.list.take(q.list.findAndMarkMinOriginal())
}

// A prioritySkipList is the lock-free skip list of section 14.4 keyed by scores. As
// there, add does not correct a new node's upper links when it has to look for its
// neighbours again, so that upper levels may miss nodes; the bottom level has all.
type prioritySkipList[T any] struct {
	highest int
	height  Height
	head    *skipNode[T]
	tail    *skipNode[T]
}

type skipNode[T any] struct {
	item   T
	score  int
	marked atomic.Bool // some RemoveMin owns the node
	next   []atomicref.Markable[*skipNode[T]]
}

func (n *skipNode[T]) topLevel() int { return len(n.next) - 1 }

func (l *prioritySkipList[T]) init(highest int, height Height) {
	if height == nil {
		height = Coin
	}
	l.highest, l.height = highest, height
	l.head = l.sentinel(math.MinInt)
	l.tail = l.sentinel(math.MaxInt)
	for level := range l.head.next {
		l.head.next[level].Set(l.tail, false)
	}
}

func (l *prioritySkipList[T]) sentinel(score int) *skipNode[T] {
	return &skipNode[T]{score: score, next: make([]atomicref.Markable[*skipNode[T]], l.highest+1)}
}

func (l *prioritySkipList[T]) newNode(item T, score int) *skipNode[T] {
	levels := l.height(l.highest) + 1
	return &skipNode[T]{
		item: item, score: score,
		next: make([]atomicref.Markable[*skipNode[T]], levels),
	}
}

// take removes a node that findAndMarkMin found, if any, and returns its item.
func (l *prioritySkipList[T]) take(node *skipNode[T]) (T, bool) {
	if node == nil {
		var none T
		return none, false
	}
	l.remove(node)
	return node.item, true
}

// neighbours are the nodes before and after a score's place, level by level.
type neighbours[T any] struct {
	preds, succs []*skipNode[T]
}

func (l *prioritySkipList[T]) newNeighbours() neighbours[T] {
	return neighbours[T]{
		make([]*skipNode[T], l.highest+1),
		make([]*skipNode[T], l.highest+1),
	}
}

// add links a node, bottom level first, and says whether its score was absent.
func (l *prioritySkipList[T]) add(node *skipNode[T]) bool {
	at := l.newNeighbours()
	for {
		if l.find(node.score, at) {
			return false
		}
		for level := range node.next {
			node.next[level].Set(at.succs[level], false)
		}
		if at.preds[0].next[0].CompareAndSet(at.succs[0], node, false, false) {
			break
		}
	}
	for level := 1; level <= node.topLevel(); level++ {
		for !at.preds[level].next[level].CompareAndSet(at.succs[level], node, false, false) {
			l.find(node.score, at)
		}
	}
	return true
}

// remove marks a node's links, top level first, and unlinks the node. It says
// whether this thread marked the bottom level.
func (l *prioritySkipList[T]) remove(node *skipNode[T]) bool {
	at := l.newNeighbours()
	if !l.find(node.score, at) {
		return false
	}
	for level := node.topLevel(); level >= 1; level-- {
		succ, marked := node.next[level].Get()
		for !marked {
			node.next[level].AttemptMark(succ, true)
			succ, marked = node.next[level].Get()
		}
	}
	succ := node.next[0].Value()
	for {
		mine := node.next[0].CompareAndSet(succ, succ, false, true)
		next, marked := node.next[0].Get()
		switch {
		case mine:
			l.find(node.score, at) // unlinks the node
			return true
		case marked:
			return false
		}
		succ = next
	}
}

// find fills in the neighbours of a score, unlinking nodes whose links are marked,
// and says whether the bottom level has the score.
func (l *prioritySkipList[T]) find(score int, at neighbours[T]) bool {
	for !l.tryFind(score, at) {
	}
	return at.succs[0].score == score
}

// tryFind is find until it fails to unlink a node.
func (l *prioritySkipList[T]) tryFind(score int, at neighbours[T]) bool {
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
			if curr.score >= score {
				break
			}
			pred, curr = curr, succ
		}
		at.preds[level], at.succs[level] = pred, curr
	}
	return true
}

// findAndMarkMin marks the first unmarked node of the bottom level and returns it,
// or nil if there is none.
func (l *prioritySkipList[T]) findAndMarkMin() *skipNode[T] {
	for curr := l.head.next[0].Value(); curr != l.tail; curr = curr.next[0].Value() {
		if !curr.marked.Load() && curr.marked.CompareAndSwap(false, true) {
			return curr
		}
	}
	return nil
}

// findAndMarkMinOriginal does so unless it meets a marked node.
func (l *prioritySkipList[T]) findAndMarkMinOriginal() *skipNode[T] {
	curr := l.head.next[0].Value()
	for curr != l.tail {
		if !curr.marked.Load() {
			if curr.marked.CompareAndSwap(false, true) {
				return curr
			}
			curr = curr.next[0].Value()
		}
	}
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause
