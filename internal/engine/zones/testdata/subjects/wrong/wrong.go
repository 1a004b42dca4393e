// SPDX-License-Identifier: BSD-3-Clause

// Package wrong has queues that are not linearizable, or race, or panic. Each is another one of the same two queues, changed in one place.
package wrong

import "sync/atomic"

type cell struct {
	item int
	next atomic.Pointer[cell]
}

// numbered is a cell with its position.
type numbered struct {
	item, number int
	next         atomic.Pointer[numbered]
}

// offer is an item that may be taken when the cell is at the front whose number it has.
type offer struct{ after, item int }

// AtTail says that it is empty where the last cell has no successor, wherever the front is.
type AtTail struct{ front, tail atomic.Pointer[cell] }

func NewAtTail() *AtTail {
	q, first := &AtTail{}, &cell{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *AtTail) Enqueue(x int) {
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

func (q *AtTail) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		next := first.next.Load()
		if q.tail.Load().next.Load() == nil {
			return 0, false
		}
		if q.front.CompareAndSwap(first, next) {
			return next.item, true
		}
	}
}

// Skips moves its front over a cell.
type Skips struct{ front, tail atomic.Pointer[cell] }

func NewSkips() *Skips {
	q, first := &Skips{}, &cell{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Skips) Enqueue(x int) {
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

func (q *Skips) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		if after := next.next.Load(); after != nil {
			next = after
		}
		if q.front.CompareAndSwap(first, next) {
			return next.item, true
		}
	}
}

// Stores moves its front without a comparison.
type Stores struct{ front, tail atomic.Pointer[cell] }

func NewStores() *Stores {
	q, first := &Stores{}, &cell{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Stores) Enqueue(x int) {
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

func (q *Stores) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		q.front.Store(next)
		return next.item, true
	}
}

// First gives the item of the cell that was at the front before.
type First struct{ front, tail atomic.Pointer[cell] }

func NewFirst() *First {
	q, first := &First{}, &cell{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *First) Enqueue(x int) {
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

func (q *First) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		if q.front.CompareAndSwap(first, next) {
			return first.item, true
		}
	}
}

// Nil does not look whether there is a next cell.
type Nil struct{ front, tail atomic.Pointer[cell] }

func NewNil() *Nil {
	q, first := &Nil{}, &cell{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Nil) Enqueue(x int) {
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

func (q *Nil) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		next := first.next.Load()
		if q.front.CompareAndSwap(first, next) {
			return next.item, true
		}
	}
}

// Late writes the item behind linking its cell in.
type Late struct{ front, tail atomic.Pointer[cell] }

func NewLate() *Late {
	q, first := &Late{}, &cell{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Late) Enqueue(x int) {
	c := &cell{}
	for {
		last := q.tail.Load()
		if next := last.next.Load(); next != nil {
			q.tail.CompareAndSwap(last, next)
		} else if last.next.CompareAndSwap(nil, c) {
			q.tail.CompareAndSwap(last, c)
			c.item = x
			return
		}
	}
}

func (q *Late) Dequeue() (int, bool) {
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

// Twice links a second cell in.
type Twice struct{ front, tail atomic.Pointer[cell] }

func NewTwice() *Twice {
	q, first := &Twice{}, &cell{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Twice) Enqueue(x int) {
	c := &cell{item: x}
	for {
		last := q.tail.Load()
		if next := last.next.Load(); next != nil {
			q.tail.CompareAndSwap(last, next)
		} else if last.next.CompareAndSwap(nil, c) {
			q.tail.CompareAndSwap(last, c)
			c.next.CompareAndSwap(nil, &cell{item: x})
			return
		}
	}
}

func (q *Twice) Dequeue() (int, bool) {
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

// Drops returns where another Enqueue was faster.
type Drops struct{ front, tail atomic.Pointer[cell] }

func NewDrops() *Drops {
	q, first := &Drops{}, &cell{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Drops) Enqueue(x int) {
	c := &cell{item: x}
	for {
		last := q.tail.Load()
		if next := last.next.Load(); next != nil {
			q.tail.CompareAndSwap(last, next)
		} else if !last.next.CompareAndSwap(nil, c) {
			return
		} else {
			q.tail.CompareAndSwap(last, c)
			return
		}
	}
}

func (q *Drops) Dequeue() (int, bool) {
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

// Lies says that it is empty where it has taken an item.
type Lies struct{ front, tail atomic.Pointer[cell] }

func NewLies() *Lies {
	q, first := &Lies{}, &cell{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Lies) Enqueue(x int) {
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

func (q *Lies) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		if q.front.CompareAndSwap(first, next) {
			return 0, false
		}
	}
}

// Gives moves its front to a cell of an Enqueue.
type Gives struct{ front, tail atomic.Pointer[cell] }

func NewGives() *Gives {
	q, first := &Gives{}, &cell{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Gives) Enqueue(x int) {
	c := &cell{item: x}
	for {
		last := q.tail.Load()
		if next := last.next.Load(); next != nil {
			q.tail.CompareAndSwap(last, next)
		} else if last.next.CompareAndSwap(nil, c) {
			q.tail.CompareAndSwap(last, c)
			q.front.CompareAndSwap(last, c)
			return
		}
	}
}

func (q *Gives) Dequeue() (int, bool) {
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

// Young takes an offer however many items are before it.
type Young struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewYoung() *Young {
	q, first := &Young{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Young) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) && !q.slot.CompareAndSwap(o, nil) {
		q.slot.Store(nil)
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

func (q *Young) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o != q.taken && q.slot.CompareAndSwap(o, q.taken) {
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

// ByFront offers an item with the number of the cell at the front.
type ByFront struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewByFront() *ByFront {
	q, first := &ByFront{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *ByFront) Enqueue(x int) {
	o := &offer{q.front.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) && !q.slot.CompareAndSwap(o, nil) {
		q.slot.Store(nil)
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

func (q *ByFront) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o != q.taken && o.after <= first.number && q.slot.CompareAndSwap(o, q.taken) {
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

// ByTail compares an offer with the number of the last cell.
type ByTail struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewByTail() *ByTail {
	q, first := &ByTail{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *ByTail) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) && !q.slot.CompareAndSwap(o, nil) {
		q.slot.Store(nil)
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

func (q *ByTail) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o != q.taken && o.after <= q.tail.Load().number && q.slot.CompareAndSwap(o, q.taken) {
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

// OneMore takes an offer while one item is before it.
type OneMore struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewOneMore() *OneMore {
	q, first := &OneMore{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *OneMore) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) && !q.slot.CompareAndSwap(o, nil) {
		q.slot.Store(nil)
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

func (q *OneMore) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o != q.taken && o.after <= first.number+1 && q.slot.CompareAndSwap(o, q.taken) {
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

// Leaves returns while its offer may still be taken.
type Leaves struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewLeaves() *Leaves {
	q, first := &Leaves{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Leaves) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) {
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

func (q *Leaves) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o != q.taken && o.after <= first.number && q.slot.CompareAndSwap(o, q.taken) {
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

// Forgets takes its offer back without a look whether it was taken.
type Forgets struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewForgets() *Forgets {
	q, first := &Forgets{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Forgets) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) {
		q.slot.Store(nil)
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

func (q *Forgets) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o != q.taken && o.after <= first.number && q.slot.CompareAndSwap(o, q.taken) {
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

// Both links its item in though it was handed over.
type Both struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewBoth() *Both {
	q, first := &Both{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Both) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) && !q.slot.CompareAndSwap(o, nil) {
		q.slot.Store(nil)
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

func (q *Both) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o != q.taken && o.after <= first.number && q.slot.CompareAndSwap(o, q.taken) {
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

// Clears makes a slot free in which it has no offer.
type Clears struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewClears() *Clears {
	q, first := &Clears{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Clears) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) && !q.slot.CompareAndSwap(o, nil) {
		q.slot.Store(nil)
		return
	}
	if q.slot.Load() == q.taken {
		q.slot.Store(nil)
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

func (q *Clears) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o != q.taken && o.after <= first.number && q.slot.CompareAndSwap(o, q.taken) {
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

// Empties leaves nil where it takes an item, and what was put in makes the slot free behind it.
type Empties struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewEmpties() *Empties {
	q, first := &Empties{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Empties) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) && !q.slot.CompareAndSwap(o, nil) {
		q.slot.Store(nil)
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

func (q *Empties) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o != q.taken && o.after <= first.number && q.slot.CompareAndSwap(o, nil) {
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

// Steals takes an offer without a comparison.
type Steals struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewSteals() *Steals {
	q, first := &Steals{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Steals) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) && !q.slot.CompareAndSwap(o, nil) {
		q.slot.Store(nil)
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

func (q *Steals) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o != q.taken && o.after <= first.number {
			q.slot.Store(q.taken)
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

// Renumbers writes the number of its offer while others may read it.
type Renumbers struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewRenumbers() *Renumbers {
	q, first := &Renumbers{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Renumbers) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) {
		o.after = q.tail.Load().number
	}
	if q.slot.Load() == o && !q.slot.CompareAndSwap(o, nil) {
		q.slot.Store(nil)
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

func (q *Renumbers) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o != q.taken && o.after <= first.number && q.slot.CompareAndSwap(o, q.taken) {
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

// Unnumbered gives every cell the number of the one before.
type Unnumbered struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewUnnumbered() *Unnumbered {
	q, first := &Unnumbered{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Unnumbered) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) && !q.slot.CompareAndSwap(o, nil) {
		q.slot.Store(nil)
		return
	}
	c := &numbered{item: x}
	for {
		last := q.tail.Load()
		if next := last.next.Load(); next != nil {
			q.tail.CompareAndSwap(last, next)
			continue
		}
		c.number = last.number
		if last.next.CompareAndSwap(nil, c) {
			q.tail.CompareAndSwap(last, c)
			return
		}
	}
}

func (q *Unnumbered) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o != q.taken && o.after <= first.number && q.slot.CompareAndSwap(o, q.taken) {
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

// Stale looks whether the slot has what it has seen in an earlier round, and gives the item of the other.
type Stale struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewStale() *Stale {
	q, first := &Stale{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Stale) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) && !q.slot.CompareAndSwap(o, nil) {
		q.slot.Store(nil)
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

func (q *Stale) Dequeue() (int, bool) {
	was := q.slot.Load()
	for {
		first := q.front.Load()
		if o := q.slot.Load(); was != nil && o != nil && o != q.taken && o.after <= first.number && q.slot.CompareAndSwap(o, q.taken) {
			return was.item, true
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

// Hurries says that it is empty where another Dequeue was faster.
type Hurries struct{ front, tail atomic.Pointer[cell] }

func NewHurries() *Hurries {
	q, first := &Hurries{}, &cell{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Hurries) Enqueue(x int) {
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

func (q *Hurries) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		if q.front.CompareAndSwap(first, next) {
			return next.item, true
		}
		return 0, false
	}
}

// Ignores links its item in if it sees something else in the slot than its offer.
type Ignores struct {
	front, tail atomic.Pointer[numbered]
	slot        atomic.Pointer[offer]
	taken       *offer
}

func NewIgnores() *Ignores {
	q, first := &Ignores{taken: &offer{}}, &numbered{}
	q.front.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Ignores) Enqueue(x int) {
	o := &offer{q.tail.Load().number, x}
	if q.slot.CompareAndSwap(nil, o) && q.slot.Load() == o && !q.slot.CompareAndSwap(o, nil) {
		q.slot.Store(nil)
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

func (q *Ignores) Dequeue() (int, bool) {
	for {
		first := q.front.Load()
		if o := q.slot.Load(); o != nil && o != q.taken && o.after <= first.number && q.slot.CompareAndSwap(o, q.taken) {
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
