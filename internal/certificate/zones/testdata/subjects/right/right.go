// SPDX-License-Identifier: BSD-3-Clause

// Package right has queues whose cells form one chain, with one thing each that the checker has to execute.
package right

import (
	"sync/atomic"

	"pangolin/mark"
)

type node struct {
	item int
	next atomic.Pointer[node]
}

// queue is that of Michael and Scott.
type queue struct {
	head atomic.Pointer[node]
	tail atomic.Pointer[node]
}

func (q *queue) begin() {
	sentinel := new(node)
	q.head.Store(sentinel)
	q.tail.Store(sentinel)
}

func (q *queue) put(n *node) {
	for {
		last := q.tail.Load()
		if next := last.next.Load(); next != nil {
			q.tail.CompareAndSwap(last, next)
		} else if last.next.CompareAndSwap(nil, n) {
			q.tail.CompareAndSwap(last, n)
			return
		}
	}
}

// take gives the next cell, whose item is taken; nil: there is none.
func (q *queue) take() *node {
	for {
		first, last := q.head.Load(), q.tail.Load()
		next := first.next.Load()
		if next == nil {
			return nil
		}
		if first == last {
			q.tail.CompareAndSwap(last, next)
		} else if q.head.CompareAndSwap(first, next) {
			return next
		}
	}
}

// Waits says nothing, but waits for an item.
//
//pangolin:new NewWaits()
//pangolin:protocol blocking
type Waits struct{ queue }

func NewWaits() *Waits {
	q := new(Waits)
	q.begin()
	return q
}

func (q *Waits) Enqueue(x int) { q.put(&node{item: x}) }

func (q *Waits) Dequeue() int {
	for {
		if n := q.take(); n != nil {
			return n.item
		}
	}
}

// Counts counts its calls, keeps its new cell in another one, and moves its tail by a store: it has the last cell that it knows of.
//
//pangolin:new NewCounts()
type Counts struct {
	head  atomic.Pointer[node]
	calls atomic.Int64
	most  int
	name  *box
}

type box struct {
	what *node
	back *box
}

func NewCounts() *Counts {
	q := &Counts{most: 3, name: &box{}}
	q.name.back = q.name
	q.head.Store(new(node))
	return q
}

func (q *Counts) Enqueue(x int) {
	b := &box{what: &node{item: x}}
	b.back = b
	q.calls.Add(1)
	for last := q.head.Load(); ; {
		if next := last.next.Load(); next != nil {
			last = next
		} else if last.next.CompareAndSwap(nil, b.what) {
			if q.calls.CompareAndSwap(7, int64(q.most)) && b.back.back.what == last {
				panic("its cell is another one")
			}
			return
		}
	}
}

func (q *Counts) Dequeue() (int, bool) {
	for {
		first := q.head.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		if q.head.CompareAndSwap(first, next) {
			return next.item, true
		}
	}
}

// Mixed offers the cell itself that it links in if nobody wants it, in one of two slots. What a Take leaves is nil.
//
//pangolin:new NewMixed()
type Mixed struct {
	tail  atomic.Pointer[both]
	head  atomic.Pointer[both]
	slots [2]atomic.Pointer[both]
}

type both struct {
	next                atomic.Pointer[both]
	after, number, item int
}

func NewMixed() *Mixed {
	q := new(Mixed)
	n := new(both)
	q.head.Store(n)
	q.tail.Store(n)
	return q
}

func (q *Mixed) Enqueue(x int) {
	n := &both{item: x, after: q.tail.Load().number}
	for {
		last := q.tail.Load()
		next := last.next.Load()
		if next != nil {
			q.tail.CompareAndSwap(last, next)
			continue
		}
		n.number = last.number + 1
		if last.next.CompareAndSwap(nil, n) {
			q.tail.CompareAndSwap(last, n)
			return
		}
		slot := &q.slots[mark.Choose(2)]
		if slot.CompareAndSwap(nil, n) && !slot.CompareAndSwap(n, nil) {
			return
		}
	}
}

func (q *Mixed) Dequeue() (taken bool, item int) {
	for {
		first, last := q.head.Load(), q.tail.Load()
		next := first.next.Load()
		if next == nil {
			return false, 0
		}
		if first == last {
			q.tail.CompareAndSwap(last, next)
			continue
		}
		if q.head.CompareAndSwap(first, next) {
			return true, next.item
		}
		slot := &q.slots[mark.Choose(2)]
		if theirs := slot.Load(); theirs != nil && theirs.after <= first.number && slot.CompareAndSwap(theirs, nil) {
			return true, theirs.item
		}
	}
}
