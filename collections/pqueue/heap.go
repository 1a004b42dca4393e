package pqueue

import (
	"sync"

	"pangolin/collections/lock"
	"pangolin/mark"
)

// A FineGrainedHeap is a binary heap in an array, with a lock for each node and one
// for the length (section 15.4.2). An item that is still on its way up is busy and
// carries the number of the thread that moves it.
//
// It is wrong as printed, and more so than it need be:
//   - Add spins, locking and unlocking, until its parent is available; with locks
//     that are not fair it may for ever keep out the thread that it waits for
//     (COLLECT, section 5.4, item 7);
//   - RemoveMin locks the bottom before the root and Add a parent before its child,
//     so the two may deadlock (item 8; later printings lock the root first);
//   - RemoveMin does not look whether the queue is empty: it then counts the length
//     down below its start. The next item added is lost, and one more RemoveMin
//     panics. A client must not remove more items than were added.
//
// Add panics if the heap is full.
//
//pangolin:new NewFineGrainedHeap[int](8)
type FineGrainedHeap[T any] struct {
	heap[T]
}

// NewFineGrainedHeap returns an empty queue for up to capacity items.
func NewFineGrainedHeap[T any](capacity int) *FineGrainedHeap[T] {
	q := new(FineGrainedHeap[T])
	q.init(capacity, func() sync.Locker { return new(lock.Reentrant) })
	return q
}

// RemoveMin removes an item of the least score. The queue must not be empty.
func (q *FineGrainedHeap[T]) RemoveMin() (T, bool) { return q.removeMin() }

// A FineGrainedHeapFair is a FineGrainedHeap with fair locks, under which Add cannot
// keep other threads out. The other defects remain.
//
//pangolin:new NewFineGrainedHeapFair[int](8)
type FineGrainedHeapFair[T any] struct {
	heap[T]
}

// NewFineGrainedHeapFair returns an empty queue for up to capacity items.
func NewFineGrainedHeapFair[T any](capacity int) *FineGrainedHeapFair[T] {
	q := new(FineGrainedHeapFair[T])
	q.init(capacity, newFairLock)
	return q
}

// RemoveMin removes an item of the least score. The queue must not be empty.
func (q *FineGrainedHeapFair[T]) RemoveMin() (T, bool) { return q.removeMin() }

// A FineGrainedHeapPatched is a FineGrainedHeapFair that locks the root before the
// bottom and looks whether the queue is empty. It is our repair.
//
//pangolin:new NewFineGrainedHeapPatched[int](8)
type FineGrainedHeapPatched[T any] struct {
	heap[T]
}

// NewFineGrainedHeapPatched returns an empty queue for up to capacity items.
func NewFineGrainedHeapPatched[T any](capacity int) *FineGrainedHeapPatched[T] {
	q := new(FineGrainedHeapPatched[T])
	q.init(capacity, newFairLock)
	return q
}

// RemoveMin removes an item of the least score, or says that the queue is empty.
func (q *FineGrainedHeapPatched[T]) RemoveMin() (T, bool) {
	q.length.Lock()
	if q.next == root {
		q.length.Unlock()
		var none T
		return none, false
	}
	q.next--
	bottom := q.next
	q.nodes[root].lock.Lock()
	q.nodes[bottom].lock.Lock()
	q.length.Unlock()
	return q.removeRoot(bottom)
}

func newFairLock() sync.Locker { return new(lock.FairReentrant) }

// heap is what the three have in common. Its nodes are numbered from root; node 0
// is there but holds nothing.
type heap[T any] struct {
	length sync.Locker
	next   int // the first free node; guarded by length
	nodes  []heapNode[T]
}

const root = 1

// noOne owns an item that is not busy.
const noOne = -1

// A heapNode's fields are guarded by its lock. The lock stays when items swap.
type heapNode[T any] struct {
	lock sync.Locker
	entry[T]
}

type entry[T any] struct {
	tag   status
	score int
	item  T
	owner int // thread that moves the item up, if busy
}

type status int8

const (
	empty     status = iota
	available        // the item may be removed
	busy             // the item is on its way up
)

func (n *heapNode[T]) amOwner() bool {
	return n.tag == busy && n.owner == mark.Thread()
}

// settle makes a busy item available.
func (n *heapNode[T]) settle() {
	n.tag = available
	n.owner = noOne
}

func (h *heap[T]) init(capacity int, newLock func() sync.Locker) {
	h.length = newLock()
	h.next = root
	h.nodes = make([]heapNode[T], capacity+1)
	for i := range h.nodes {
		h.nodes[i].lock = newLock()
		h.nodes[i].owner = noOne
	}
}

// swap exchanges the items of two nodes, whose locks are held.
func (h *heap[T]) swap(i, j int) {
	h.nodes[i].entry, h.nodes[j].entry = h.nodes[j].entry, h.nodes[i].entry
}

// Add inserts item; it panics if the heap is full.
func (h *heap[T]) Add(item T, score int) {
	h.length.Lock()
	child := h.next
	h.next++
	h.nodes[child].lock.Lock()
	h.nodes[child].entry = entry[T]{busy, score, item, mark.Thread()}
	h.length.Unlock()
	h.nodes[child].lock.Unlock()
	for child > root {
		up, settled := h.climb(child)
		if settled {
			return
		}
		child = up
	}
	if child == root {
		h.nodes[root].lock.Lock()
		defer h.nodes[root].lock.Unlock()
		if h.nodes[root].amOwner() {
			h.nodes[root].settle()
		}
	}
}

// climb makes one attempt to move the thread's item up from child, where it may no
// longer be. It returns where to look for the item next, or that it has arrived.
func (h *heap[T]) climb(child int) (up int, settled bool) {
	parent := child / 2
	p, c := &h.nodes[parent], &h.nodes[child]
	p.lock.Lock()
	defer p.lock.Unlock()
	c.lock.Lock()
	defer c.lock.Unlock()
	switch {
	case p.tag == available && c.amOwner():
		if c.score < p.score {
			h.swap(child, parent)
			return parent, false
		}
		c.settle()
		return child, true
	case !c.amOwner(): // a removal moved the item up
		return parent, false
	}
	return child, false // the parent's own item is on its way: try again
}

// removeMin is RemoveMin as printed.
func (h *heap[T]) removeMin() (T, bool) {
	h.length.Lock()
	h.next--
	bottom := h.next
	h.nodes[bottom].lock.Lock()
	h.nodes[root].lock.Lock()
	h.length.Unlock()
	return h.removeRoot(bottom)
}

// removeRoot removes the root's item and lets the bottom's sink from there. Both
// are locked, and unlocked on return.
func (h *heap[T]) removeRoot(bottom int) (item T, ok bool) {
	item, ok = h.nodes[root].item, h.nodes[root].tag != empty
	h.nodes[root].tag = empty
	h.nodes[root].owner = noOne
	h.swap(bottom, root)
	h.nodes[bottom].lock.Unlock()
	if h.nodes[root].tag == empty {
		h.nodes[root].lock.Unlock()
		return item, ok
	}
	h.nodes[root].tag = available
	h.sink()
	return item, ok
}

// sink moves the root's item down to its place. The root is locked, and unlocked
// on return.
func (h *heap[T]) sink() {
	parent := root
	for parent < len(h.nodes)/2 {
		child := h.lesserChild(parent)
		if child == 0 {
			break
		}
		p, c := &h.nodes[parent], &h.nodes[child]
		if c.score >= p.score || c.tag == empty {
			c.lock.Unlock()
			break
		}
		h.swap(parent, child)
		p.lock.Unlock()
		parent = child
	}
	h.nodes[parent].lock.Unlock()
}

// lesserChild locks and returns the child of the lesser score, or 0 if there is none.
func (h *heap[T]) lesserChild(parent int) int {
	left, right := 2*parent, 2*parent+1
	l, r := &h.nodes[left], &h.nodes[right]
	l.lock.Lock()
	r.lock.Lock()
	switch {
	case l.tag == empty:
		r.lock.Unlock()
		l.lock.Unlock()
		return 0
	case r.tag == empty || l.score < r.score:
		r.lock.Unlock()
		return left
	}
	l.lock.Unlock()
	return right
}

// SPDX-License-Identifier: BSD-3-Clause
