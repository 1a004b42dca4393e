package deque

import "sync/atomic"

// An UnboundedDEQueue holds items in a circular array between top, which only grows,
// and bottom. The owner replaces the array by one of twice the size when it is full;
// a thief that still reads the old one finds the same items there.
//
//pangolin:new NewUnboundedDEQueue[int](1)
//pangolin:roles PushBottom:1,PopBottom:1,PopTop:*
type UnboundedDEQueue[T any] struct {
	slots  atomic.Pointer[circle[T]] // written by the owner
	bottom atomic.Int64              // written by the owner
	top    atomic.Int64              // next item for thieves
}

// A circle is a circular array.
type circle[T any] []atomic.Pointer[T]

func (c circle[T]) at(i int64) *atomic.Pointer[T] { return &c[i%int64(len(c))] }

// double returns a circle of twice the size with the items from top to bottom-1.
func (c circle[T]) double(top, bottom int64) *circle[T] {
	larger := make(circle[T], 2*len(c))
	for i := top; i < bottom; i++ {
		larger.at(i).Store(c.at(i).Load())
	}
	return &larger
}

// NewUnboundedDEQueue returns an empty deque with room for 2^logCapacity - 1 items
// until it grows.
func NewUnboundedDEQueue[T any](logCapacity int) *UnboundedDEQueue[T] {
	q := new(UnboundedDEQueue[T])
	slots := make(circle[T], 1<<logCapacity)
	q.slots.Store(&slots)
	return q
}

// PushBottom adds x at the bottom. Only the owner may call it.
func (q *UnboundedDEQueue[T]) PushBottom(x T) {
	bottom := q.bottom.Load()
	top := q.top.Load()
	slots := q.slots.Load()
	if bottom-top >= int64(len(*slots)-1) {
		slots = slots.double(top, bottom)
		q.slots.Store(slots)
	}
	slots.at(bottom).Store(&x)
	q.bottom.Store(bottom + 1)
}

// PopTop takes the item at the top, or says that there was none or that another
// thread was faster.
func (q *UnboundedDEQueue[T]) PopTop() (T, bool) {
	top := q.top.Load()
	bottom := q.bottom.Load()
	slots := q.slots.Load()
	if bottom-top <= 0 {
		return none[T]()
	}
	item := slots.at(top).Load()
	if q.top.CompareAndSwap(top, top+1) {
		return *item, true
	}
	return none[T]()
}

// PopBottom takes the item at the bottom, or says that there was none. Only the
// owner may call it.
func (q *UnboundedDEQueue[T]) PopBottom() (T, bool) {
	slots := q.slots.Load()
	bottom := q.bottom.Load() - 1
	q.bottom.Store(bottom)
	top := q.top.Load()
	size := bottom - top
	if size < 0 {
		q.bottom.Store(top)
		return none[T]()
	}
	item := slots.at(bottom).Load()
	if size > 0 {
		return *item, true
	}
	taken := q.top.CompareAndSwap(top, top+1) // the last item: thieves may want it too
	q.bottom.Store(top + 1)
	if !taken {
		return none[T]()
	}
	return *item, true
}

// SPDX-License-Identifier: BSD-3-Clause
