package progress

import (
	"sync"
	"sync/atomic"
)

// lazyNode is marked before it is unlinked.
type lazyNode struct {
	key    int
	end    int // -1 of the first node, 1 of the last one
	mu     sync.Mutex
	marked atomic.Bool
	next   atomic.Pointer[lazyNode]
}

func (n *lazyNode) before(x int) bool { return n.end < 0 || n.end == 0 && n.key < x }

func (n *lazyNode) is(x int) bool { return n.end == 0 && n.key == x }

func newLazyNodes() *lazyNode {
	first := &lazyNode{end: -1}
	first.next.Store(&lazyNode{end: 1})
	return first
}

// around finds and locks the nodes between which x is, or would be, and tries again where one is marked.
func around(head *lazyNode, x int) (pred, curr *lazyNode) {
	for {
		pred = head
		curr = pred.next.Load()
		for curr.before(x) {
			pred, curr = curr, curr.next.Load()
		}
		pred.mu.Lock()
		curr.mu.Lock()
		if !pred.marked.Load() && !curr.marked.Load() && pred.next.Load() == curr {
			return pred, curr
		}
		curr.mu.Unlock()
		pred.mu.Unlock()
	}
}

func addLazily(head *lazyNode, x int) bool {
	pred, curr := around(head, x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	if curr.is(x) {
		return false
	}
	n := &lazyNode{key: x}
	n.next.Store(curr)
	pred.next.Store(n)
	return true
}

// Lazily is a list whose nodes are marked and unlinked with their locks.
type Lazily struct{ head *lazyNode }

func NewLazily() *Lazily { return &Lazily{head: newLazyNodes()} }

func (l *Lazily) Add(x int) bool { return addLazily(l.head, x) }

func (l *Lazily) Remove(x int) bool {
	pred, curr := around(l.head, x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	if !curr.is(x) {
		return false
	}
	curr.marked.Store(true)
	pred.next.Store(curr.next.Load())
	return true
}

// Leaves does not unlink what it has marked, so that others try again for ever.
type Leaves struct{ head *lazyNode }

func NewLeaves() *Leaves { return &Leaves{head: newLazyNodes()} }

func (l *Leaves) Add(x int) bool { return addLazily(l.head, x) }

func (l *Leaves) Remove(x int) bool {
	pred, curr := around(l.head, x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	if !curr.is(x) {
		return false
	}
	curr.marked.Store(true)
	return true
}

// Strays does not either, and gives the locks back two steps later.
type Strays struct{ head *lazyNode }

func NewStrays() *Strays { return &Strays{head: newLazyNodes()} }

func (l *Strays) Add(x int) bool { return addLazily(l.head, x) }

func (l *Strays) Remove(x int) bool {
	pred, curr := around(l.head, x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	if !curr.is(x) {
		return false
	}
	curr.marked.Store(true)
	pred.next.Load()
	curr.next.Load()
	return true
}

// Born has a last node that is marked when it is made, and which nobody unlinks.
type Born struct{ head *lazyNode }

func NewBorn() *Born {
	first, last := &lazyNode{end: -1}, &lazyNode{end: 1}
	last.marked.Store(true)
	first.next.Store(last)
	return &Born{head: first}
}

func (l *Born) Add(x int) bool { return addLazily(l.head, x) }

func (l *Born) Remove(x int) bool {
	pred, curr := around(l.head, x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	if !curr.is(x) {
		return false
	}
	curr.marked.Store(true)
	pred.next.Store(curr.next.Load())
	return true
}

// Stubborn adds when the key has been removed, and tries again until then.
type Stubborn struct{ head *lazyNode }

func NewStubborn() *Stubborn { return &Stubborn{head: newLazyNodes()} }

func (l *Stubborn) Add(x int) bool {
	for {
		pred, curr := around(l.head, x)
		if curr.is(x) {
			curr.mu.Unlock()
			pred.mu.Unlock()
			continue
		}
		n := &lazyNode{key: x}
		n.next.Store(curr)
		pred.next.Store(n)
		curr.mu.Unlock()
		pred.mu.Unlock()
		return true
	}
}

func (l *Stubborn) Remove(x int) bool {
	pred, curr := around(l.head, x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	if !curr.is(x) {
		return false
	}
	curr.marked.Store(true)
	pred.next.Store(curr.next.Load())
	return true
}

// Unlinks gives back the lock of a node between marking and unlinking it. Its calls return; that is not proved.
type Unlinks struct{ head *lazyNode }

func NewUnlinks() *Unlinks { return &Unlinks{head: newLazyNodes()} }

func (l *Unlinks) Add(x int) bool { return addLazily(l.head, x) }

func (l *Unlinks) Remove(x int) bool {
	pred, curr := around(l.head, x)
	defer pred.mu.Unlock()
	if !curr.is(x) {
		curr.mu.Unlock()
		return false
	}
	curr.marked.Store(true)
	next := curr.next.Load()
	curr.mu.Unlock()
	pred.next.Store(next)
	return true
}

// SPDX-License-Identifier: BSD-3-Clause
