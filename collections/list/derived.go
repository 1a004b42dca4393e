package list

import (
	"cmp"
	"sync/atomic"
)

// A DerivedList is the set with compare-and-swap that Vechev and Yahav derived (Deriving linearizable
// fine-grained concurrent objects, PLDI 2008). Searches do not look at marks: a mark only keeps what
// is behind a node from being changed while the node is unlinked, and an element is in the set
// until that has happened. Who finds a node marked may unlink it, and has then removed it.
type DerivedList[T cmp.Ordered] struct {
	head *lockFreeNode[T]
}

// NewDerivedList returns an empty set.
func NewDerivedList[T cmp.Ordered]() *DerivedList[T] {
	first := &lockFreeNode[T]{key: head[T]()}
	first.next.Set(&lockFreeNode[T]{key: tail[T]()}, false)
	return &DerivedList[T]{head: first}
}

// Add inserts x and says whether it was absent.
func (l *DerivedList[T]) Add(x T) bool {
	for {
		pred, curr := l.locate(x)
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

// Remove deletes x and says whether it was present.
func (l *DerivedList[T]) Remove(x T) bool {
	for {
		pred, curr := l.locate(x)
		if !curr.is(x) {
			return false
		}
		succ, marked := curr.next.Get()
		if !curr.next.CompareAndSet(succ, succ, marked, true) {
			continue
		}
		//pangolin:point when result emit Remove(x) = true
		if pred.next.CompareAndSet(curr, succ, false, false) {
			return true
		}
	}
}

// Contains says whether x is present. It is wait-free on a list of finite length.
func (l *DerivedList[T]) Contains(x T) bool {
	_, curr := l.locate(x)
	return curr.is(x)
}

// locate returns the last node before x's place and its successor, each as it was when it was read.
func (l *DerivedList[T]) locate(x T) (pred, curr *lockFreeNode[T]) {
	pred = l.head
	curr = pred.next.Value()
	for curr.before(x) {
		pred, curr = curr, curr.next.Value()
	}
	return pred, curr
}

// A DerivedListDCAS is the set of the same paper with a double compare-and-swap, on a node's link and
// its mark: a node is marked by a store, whether others have marked it or not, and
// links are changed behind nodes without a mark only.
//
// Go has no such instruction; here the two words are behind one pointer.
type DerivedListDCAS[T cmp.Ordered] struct {
	head *derivedNode[T]
}

type derivedNode[T cmp.Ordered] struct {
	key[T]
	link twoWords[T]
}

// twoWords are a link and a mark that a double compare-and-swap replaces.
type twoWords[T cmp.Ordered] struct {
	both atomic.Pointer[linkAndMark[T]]
}

// linkAndMark is never written after it has been published.
type linkAndMark[T cmp.Ordered] struct {
	next   *derivedNode[T]
	marked bool
}

// next reads the first word.
func (w *twoWords[T]) next() *derivedNode[T] { return w.both.Load().next }

// mark writes the second word.
func (w *twoWords[T]) mark() {
	for {
		b := w.both.Load()
		if b.marked || w.both.CompareAndSwap(b, &linkAndMark[T]{b.next, true}) {
			return
		}
	}
}

// dcas replaces the first word if it is the old one and the second is not set.
func (w *twoWords[T]) dcas(from, to *derivedNode[T]) bool {
	b := w.both.Load()
	return b.next == from && !b.marked && w.both.CompareAndSwap(b, &linkAndMark[T]{next: to})
}

// NewDerivedListDCAS returns an empty set.
func NewDerivedListDCAS[T cmp.Ordered]() *DerivedListDCAS[T] {
	first, last := &derivedNode[T]{key: head[T]()}, &derivedNode[T]{key: tail[T]()}
	first.link.both.Store(&linkAndMark[T]{next: last})
	last.link.both.Store(&linkAndMark[T]{})
	return &DerivedListDCAS[T]{head: first}
}

// Add inserts x and says whether it was absent.
func (l *DerivedListDCAS[T]) Add(x T) bool {
	for {
		pred, curr := l.locate(x)
		if curr.is(x) {
			return false
		}
		node := &derivedNode[T]{key: keyOf(x)}
		node.link.both.Store(&linkAndMark[T]{next: curr})
		//pangolin:point when result emit Add(x) = true
		if pred.link.dcas(curr, node) {
			return true
		}
	}
}

// Remove deletes x and says whether it was present.
func (l *DerivedListDCAS[T]) Remove(x T) bool {
	for {
		pred, curr := l.locate(x)
		if !curr.is(x) {
			return false
		}
		curr.link.mark()
		succ := curr.link.next()
		//pangolin:point when result emit Remove(x) = true
		if pred.link.dcas(curr, succ) {
			return true
		}
	}
}

// Contains says whether x is present. It is wait-free on a list of finite length.
func (l *DerivedListDCAS[T]) Contains(x T) bool {
	_, curr := l.locate(x)
	return curr.is(x)
}

// locate returns the last node before x's place and its successor, each as it was when it was read.
func (l *DerivedListDCAS[T]) locate(x T) (pred, curr *derivedNode[T]) {
	pred = l.head
	curr = pred.link.next()
	for curr.before(x) {
		pred, curr = curr, curr.link.next()
	}
	return pred, curr
}

// SPDX-License-Identifier: BSD-3-Clause
