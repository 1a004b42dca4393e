package list

import "cmp"

// A MichaelList is the lock-free set of Michael (High performance dynamic lock-free hash tables and
// list-based sets, SPAA 2002): every search, that of Contains included, unlinks the marked nodes
// that it meets, one at a time, and begins again if it cannot. A Remove that could not unlink its
// node searches once more. The collector stands for the paper's tags and hazard pointers.
type MichaelList[T cmp.Ordered] struct {
	head *lockFreeNode[T]
}

// NewMichaelList returns an empty set.
func NewMichaelList[T cmp.Ordered]() *MichaelList[T] {
	first := &lockFreeNode[T]{key: head[T]()}
	first.next.Set(&lockFreeNode[T]{key: tail[T]()}, false)
	return &MichaelList[T]{head: first}
}

// Add inserts x and says whether it was absent.
func (l *MichaelList[T]) Add(x T) bool {
	node := &lockFreeNode[T]{key: keyOf(x)}
	for {
		pred, curr, _ := l.find(x)
		if curr.is(x) {
			return false
		}
		node.next.Set(curr, false)
		//pangolin:point when result emit Add(x) = true
		if pred.next.CompareAndSet(curr, node, false, false) {
			return true
		}
	}
}

// Remove deletes x and says whether it was present.
func (l *MichaelList[T]) Remove(x T) bool {
	for {
		pred, curr, succ := l.find(x)
		if !curr.is(x) {
			return false
		}
		//pangolin:point when !result emit Remove(x) = true
		if !curr.next.CompareAndSet(succ, succ, false, true) {
			continue
		}
		if !pred.next.CompareAndSet(curr, succ, false, false) {
			l.find(x)
		}
		return true
	}
}

// Contains says whether x is present.
func (l *MichaelList[T]) Contains(x T) bool {
	_, curr, _ := l.find(x)
	return curr.is(x)
}

// find returns the last node before x's place, its successor, and that one's, where the
// first two were not marked.
func (l *MichaelList[T]) find(x T) (pred, curr, succ *lockFreeNode[T]) {
retry:
	for {
		pred = l.head
		curr = pred.next.Value()
		for {
			var marked bool
			succ, marked = curr.next.Get()
			if now, dead := pred.next.Get(); now != curr || dead {
				continue retry
			}
			if marked {
				if !pred.next.CompareAndSet(curr, succ, false, false) {
					continue retry
				}
				curr = succ
				continue
			}
			if !curr.before(x) {
				return pred, curr, succ
			}
			pred, curr = curr, succ
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
