package list

import "sync/atomic"

// An UnorderedList is the lock-free set of Zhang, Zhao, Yang, Liu and Spear (Practical non-blocking unordered
// lists, DISC 2013). Add and Remove put a node in front of the list, and their order there is that
// in which they take effect; what they return they find out behind it, in the nodes that came
// before. Nodes that do not count any more are unlinked by who passes them, and may for a while come back.
type UnorderedList[T comparable] struct {
	head atomic.Pointer[unorderedNode[T]]
}

type unorderedNode[T comparable] struct {
	item  T
	state atomic.Int32
	next  atomic.Pointer[unorderedNode[T]]
}

// The states of a node.
const (
	adding   = iota // an Add that has not found out whether it was the first
	removing        // a Remove that looks for the item
	present
	invalid
)

// NewUnorderedList returns an empty set.
func NewUnorderedList[T comparable]() *UnorderedList[T] { return new(UnorderedList[T]) }

// Add inserts x and says whether it was absent.
func (l *UnorderedList[T]) Add(x T) bool {
	node := l.enlist(x, adding)
	absent := node.absentBehind()
	became := int32(invalid)
	if absent {
		became = present
	}
	if !node.state.CompareAndSwap(adding, became) { // a Remove was faster
		node.removeBehind()
		node.state.Store(invalid)
	}
	return absent
}

// Remove deletes x and says whether it was present.
func (l *UnorderedList[T]) Remove(x T) bool {
	node := l.enlist(x, removing)
	found := node.removeBehind()
	node.state.Store(invalid)
	return found
}

// Contains says whether x is present.
func (l *UnorderedList[T]) Contains(x T) bool {
	for node := l.head.Load(); node != nil; node = node.next.Load() {
		if node.item != x {
			continue
		}
		switch node.state.Load() {
		case adding, present:
			return true
		case removing:
			return false
		}
	}
	return false
}

// enlist puts a new node in front. What the call returns is decided there.
func (l *UnorderedList[T]) enlist(x T, state int32) *unorderedNode[T] {
	node := &unorderedNode[T]{item: x}
	node.state.Store(state)
	for {
		first := l.head.Load()
		node.next.Store(first)
		//pangolin:point when result emit Add(x) = ?
		//pangolin:point when result emit Remove(x) = ?
		if l.head.CompareAndSwap(first, node) {
			return node
		}
	}
}

// absentBehind says whether no node behind this one has its item.
func (n *unorderedNode[T]) absentBehind() bool {
	pred := n
	for node := pred.next.Load(); node != nil; {
		switch state := node.state.Load(); {
		case state == invalid:
			node = pred.skip(node)
		case node.item != n.item:
			pred, node = node, node.next.Load()
		default:
			return state == removing
		}
	}
	return true
}

// removeBehind removes this node's item behind it and says whether it was there.
func (n *unorderedNode[T]) removeBehind() bool {
	pred := n
	for node := pred.next.Load(); node != nil; {
		switch state := node.state.Load(); {
		case state == invalid:
			node = pred.skip(node)
		case node.item != n.item:
			pred, node = node, node.next.Load()
		case state == removing:
			return false
		case state == present:
			node.state.Store(invalid)
			return true
		case node.state.CompareAndSwap(adding, removing):
			return true
		}
	}
	return false
}

// skip unlinks the node behind this one, and gives the next.
func (n *unorderedNode[T]) skip(node *unorderedNode[T]) *unorderedNode[T] {
	next := node.next.Load()
	n.next.Store(next)
	return next
}

// SPDX-License-Identifier: BSD-3-Clause
