// Package stack holds the stacks of Herlihy, Shavit, Luchangco and Spear, The Art
// of Multiprocessor Programming (2nd ed. 2020), chapter 11:
//
//	LockFreeStack             11.2  a list whose top is moved by compare-and-swap (Treiber 1986)
//	EliminationBackoffStack   11.4  the same, where a push and a pop that get in each
//	                                other's way may exchange their item and be done
//	                                (Hendler, Shavit and Yerushalmi 2004)
//
// Both are unbounded and nonblocking: Push returns nothing, Pop says false if it
// found the stack empty.
//
// Deviations: where the book backs off for a random time a thread only yields its
// processor, and where its exchanger gives up after a time this one gives up
// after a number of looks, so that nothing depends on a clock. Nodes are not
// recycled: the collector rules ABA out.
package stack

import (
	"runtime"
	"sync/atomic"
)

// A LockFreeStack is a linked list with an atomic top. The zero value is empty.
type LockFreeStack[T any] struct {
	top atomic.Pointer[node[T]]
}

// A node's next is written until the node is published and never after.
type node[T any] struct {
	value T
	next  *node[T]
}

// NewLockFreeStack returns an empty stack.
func NewLockFreeStack[T any]() *LockFreeStack[T] {
	return new(LockFreeStack[T])
}

// Push puts x on top.
func (s *LockFreeStack[T]) Push(x T) {
	n := &node[T]{value: x}
	for !s.tryPush(n) {
		runtime.Gosched()
	}
}

// Pop takes the top item, or says that the stack is empty.
func (s *LockFreeStack[T]) Pop() (T, bool) {
	for {
		n, empty := s.tryPop()
		switch {
		case empty:
			var none T
			return none, false
		case n != nil:
			return n.value, true
		}
		runtime.Gosched()
	}
}

// tryPush makes one attempt to put the node on top.
func (s *LockFreeStack[T]) tryPush(n *node[T]) bool {
	top := s.top.Load()
	n.next = top
	//pangolin:point when result emit Push(n.value)
	return s.top.CompareAndSwap(top, n)
}

// tryPop makes one attempt to take the top node: it returns the node, or nil and
// whether that is because the stack is empty.
func (s *LockFreeStack[T]) tryPop() (n *node[T], empty bool) {
	//pangolin:point when top == nil emit Pop() = _, false
	top := s.top.Load()
	if top == nil {
		return nil, true
	}
	//pangolin:point when result emit Pop() = top.value, true
	if s.top.CompareAndSwap(top, top.next) {
		return top, false
	}
	return nil, false
}

// SPDX-License-Identifier: BSD-3-Clause
