// SPDX-License-Identifier: BSD-3-Clause

// Package right has queues whose cells form one chain, and which are linearizable.
package right

import (
	"sync/atomic"

	"pangolin/mark"
)

// cell has its words in another order than that of the collections.
type cell struct {
	next atomic.Pointer[cell]
	item int
}

// Tail says that it is empty where front and tail meet, without a look at the link: while the tail lags behind, the Enqueue of the last cell has not returned.
type Tail struct{ front, tail atomic.Pointer[cell] }

func NewTail() *Tail {
	q, first := &Tail{}, &cell{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Tail) Enqueue(x int) {
	c := &cell{item: x}
	for {
		last := q.tail.Load()
		if next := last.next.Load(); next != nil {
			q.tail.CompareAndSwap(last, next)
		} else if last.next.CompareAndSwap(nil, c) {
			q.tail.CompareAndSwap(last, c)
			return
		}
	}
}

func (q *Tail) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if first == q.tail.Load() {
			return 0, false
		}
		next := first.next.Load()
		if q.front.CompareAndSwap(first, next) {
			return next.item, true
		}
	}
}

// Short has no tail: who puts an item in follows the chain from its front. It counts what was put in.
type Short struct {
	count atomic.Int64
	front atomic.Pointer[cell]
}

func NewShort() *Short {
	q := &Short{}
	q.front.Store(&cell{})
	return q
}

func (q *Short) Enqueue(x int) {
	c := &cell{item: x}
	last := q.front.Load()
	for !last.next.CompareAndSwap(nil, c) {
		last = last.next.Load()
	}
	q.count.Add(1)
}

func (q *Short) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		if q.front.CompareAndSwap(first, next) {
			return next.item, true
		}
	}
}

// Waits is like Short, and its Dequeue waits for an item.
//
//pangolin:protocol blocking
type Waits struct{ front atomic.Pointer[cell] }

func NewWaits() *Waits {
	q := &Waits{}
	q.front.Store(&cell{})
	return q
}

func (q *Waits) Enqueue(x int) {
	c := &cell{item: x}
	last := q.front.Load()
	for !last.next.CompareAndSwap(nil, c) {
		last = last.next.Load()
	}
}

func (q *Waits) Dequeue() int {
	for {
		first := q.front.Load()
		if next := first.next.Load(); next != nil && q.front.CompareAndSwap(first, next) {
			return next.item
		}
	}
}

// numbered is a cell with its position.
type numbered struct {
	number int
	next   atomic.Pointer[numbered]
	item   int
}

// offer is an item that may be taken when the cell is at the front whose number it has.
type offer struct{ after, item int }

// Hands has a word at which an item is handed over; who takes it leaves nil there, so that the word may have another offer before its owner looks.
type Hands struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
}

func NewHands() *Hands {
	q, first := &Hands{}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Hands) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) && !q.slot.CompareAndSwap(o, nil) {
		return
	}
	c := &numbered{item: x}
	for {
		last := q.tail.Load()
		if next := last.next.Load(); next != nil {
			q.tail.CompareAndSwap(last, next)
			continue
		}
		c.number = last.number + 1
		if last.next.CompareAndSwap(nil, c) {
			q.tail.CompareAndSwap(last, c)
			return
		}
	}
}

func (q *Hands) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o.after <= first.number && q.slot.CompareAndSwap(o, nil) {
			return o.item, true
		}
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		q.move(first, next)
		if q.front.CompareAndSwap(first, next) {
			return next.item, true
		}
	}
}

// move moves the tail before the front comes to it.
func (q *Hands) move(first, next *numbered) {
	if first == q.tail.Load() {
		q.tail.CompareAndSwap(first, next)
	}
}

// Back is right, and is not proved: its tail may go back.
type Back struct{ front, tail atomic.Pointer[cell] }

func NewBack() *Back {
	q, first := &Back{}, &cell{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Back) Enqueue(x int) {
	c := &cell{item: x}
	last := q.tail.Load()
	for !last.next.CompareAndSwap(nil, c) {
		last = last.next.Load()
	}
	q.tail.Store(c)
}

func (q *Back) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		if q.front.CompareAndSwap(first, next) {
			return next.item, true
		}
	}
}

// Chooses is right, and is not proved: its constructor makes a choice.
type Chooses struct {
	front atomic.Pointer[cell]
	first int
}

func NewChooses() *Chooses {
	q := &Chooses{first: mark.Choose(2)}
	q.front.Store(&cell{})
	return q
}

func (q *Chooses) Enqueue(x int) {
	c := &cell{item: x}
	last := q.front.Load()
	for !last.next.CompareAndSwap(nil, c) {
		last = last.next.Load()
	}
}

func (q *Chooses) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		if q.front.CompareAndSwap(first, next) {
			return next.item, true
		}
	}
}

// Idle looks at a slot in which nobody makes an offer, and has a pointer that nobody uses.
type Idle struct {
	front atomic.Pointer[cell]
	slot  atomic.Pointer[offer]
	spare *offer
}

func NewIdle() *Idle {
	q := &Idle{}
	q.front.Store(&cell{})
	return q
}

func (q *Idle) Enqueue(x int) {
	c := &cell{item: x}
	last := q.front.Load()
	for !last.next.CompareAndSwap(nil, c) {
		last = last.next.Load()
	}
}

func (q *Idle) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && q.slot.CompareAndSwap(o, nil) {
			return o.item, true
		}
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		if q.front.CompareAndSwap(first, next) {
			return next.item, true
		}
	}
}
