// Package deque holds deques: Snark, of which snark.go tells, and the work-stealing deques of Herlihy, Shavit, Luchangco and
// Spear, The Art of Multiprocessor Programming (2nd ed. 2020), chapter 16:
//
//	BoundedDEQueue           16.5.1  an array, top with a stamp, as printed, which is wrong
//	BoundedDEQueuePatched            the same with PopBottom as first published
//	                                 (Arora, Blumofe and Plaxton 1998)
//	UnboundedDEQueue         16.5.2  a circular array that grows (Chase and Lev 2005)
//
// Roles: one thread, the owner, calls PushBottom and PopBottom; any thread may call
// PopTop, also the owner. No call waits. PopTop says false if the deque was empty
// *or* if another thread took an item at the same time, so a deque is linearizable
// only if PopTop may fail without a reason whenever another PopTop or a PopBottom
// overlaps it.
//
// Slots are atomic because a thief may read one that the owner overwrites; its
// compare-and-set then fails. Popped items stay referenced by their slots until
// they are overwritten. The book's tasks are values of any type here.
package deque

import (
	"sync/atomic"

	"pangolin/collections/atomicref"
)

// A BoundedDEQueue holds items in an array between top and bottom; when it is found
// empty both go back to the array's start, and the stamp of top tells its lives
// apart.
//
// It is wrong as printed: PopBottom that finds that thieves have taken everything
// puts top back to the start but not bottom, so that items taken before are there
// again. (Copies of the authors' code differ here; one puts bottom back after top,
// which leaves a gap in which a thief may take such an item.)
//
//pangolin:new NewBoundedDEQueue[int](8)
//pangolin:roles PushBottom:1,PopBottom:1,PopTop:*
type BoundedDEQueue[T any] struct {
	slots  []atomic.Pointer[T]
	bottom atomic.Int64           // written by the owner
	top    atomicref.Stamped[int] // next item for thieves
}

// NewBoundedDEQueue returns an empty deque. PushBottom panics if it is called
// capacity times without the deque being found empty by PopBottom.
func NewBoundedDEQueue[T any](capacity int) *BoundedDEQueue[T] {
	return &BoundedDEQueue[T]{slots: make([]atomic.Pointer[T], capacity)}
}

// PushBottom adds x at the bottom. Only the owner may call it.
func (q *BoundedDEQueue[T]) PushBottom(x T) {
	bottom := q.bottom.Load()
	q.slots[bottom].Store(&x)
	q.bottom.Store(bottom + 1)
}

// PopTop takes the item at the top, or says that there was none or that another
// thread was faster.
func (q *BoundedDEQueue[T]) PopTop() (T, bool) {
	top, stamp := q.top.Get()
	if q.bottom.Load() <= int64(top) {
		return none[T]()
	}
	item := q.slots[top].Load()
	if q.top.CompareAndSet(top, top+1, stamp, stamp+1) {
		return *item, true
	}
	return none[T]()
}

// PopBottom takes the item at the bottom, or says that there was none. Only the
// owner may call it.
func (q *BoundedDEQueue[T]) PopBottom() (T, bool) {
	bottom := q.bottom.Load()
	if bottom == 0 {
		return none[T]()
	}
	bottom--
	q.bottom.Store(bottom)
	item := q.slots[bottom].Load()
	top, stamp := q.top.Get()
	if bottom > int64(top) {
		return *item, true
	}
	if bottom == int64(top) { // the last item: thieves may want it too
		q.bottom.Store(0)
		if q.top.CompareAndSet(top, 0, stamp, stamp+1) {
			return *item, true
		}
	}
	q.top.Set(0, stamp+1)
	return none[T]()
}

// none is the result of taking from an empty deque.
func none[T any]() (item T, ok bool) { return item, false }

// A BoundedDEQueuePatched is a BoundedDEQueue whose PopBottom puts bottom back to the
// start before top, whenever it does not leave an item.
//
//pangolin:new NewBoundedDEQueuePatched[int](8)
//pangolin:roles PushBottom:1,PopBottom:1,PopTop:*
type BoundedDEQueuePatched[T any] struct {
	BoundedDEQueue[T]
}

// NewBoundedDEQueuePatched returns an empty deque. PushBottom panics if it is called
// capacity times without the deque being found empty by PopBottom.
func NewBoundedDEQueuePatched[T any](capacity int) *BoundedDEQueuePatched[T] {
	return &BoundedDEQueuePatched[T]{
		BoundedDEQueue[T]{slots: make([]atomic.Pointer[T], capacity)},
	}
}

// PopBottom takes the item at the bottom, or says that there was none. Only the
// owner may call it.
func (q *BoundedDEQueuePatched[T]) PopBottom() (T, bool) {
	bottom := q.bottom.Load()
	if bottom == 0 {
		return none[T]()
	}
	bottom--
	q.bottom.Store(bottom)
	item := q.slots[bottom].Load()
	top, stamp := q.top.Get()
	if bottom > int64(top) {
		return *item, true
	}
	q.bottom.Store(0)
	if bottom == int64(top) && q.top.CompareAndSet(top, 0, stamp, stamp+1) {
		return *item, true
	}
	q.top.Set(0, stamp+1)
	return none[T]()
}

// SPDX-License-Identifier: BSD-3-Clause
