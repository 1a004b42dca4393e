// SPDX-License-Identifier: BSD-3-Clause

package wrong

import "pangolin/mark"

// Whole has no fault.
//
//pangolin:new NewWhole()
type Whole struct{ queue }

func NewWhole() *Whole {
	q := new(Whole)
	q.begin()
	return q
}

func (q *Whole) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Whole) Dequeue() (int, bool) {
	return q.get()
}

// Unchecked takes offers that are not old enough.
//
//pangolin:new NewUnchecked()
type Unchecked struct{ queue }

func NewUnchecked() *Unchecked {
	q := new(Unchecked)
	q.begin()
	return q
}

func (q *Unchecked) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Unchecked) Dequeue() (int, bool) {
	for {
		n, empty := q.tryDequeue()
		if empty {
			return 0, false
		}
		if n != nil {
			return n.item, true
		}
		if theirs := q.slots[0].Load(); theirs != nil && theirs != q.taken && q.slots[0].CompareAndSwap(theirs, q.taken) {
			return theirs.node.item, true
		}
	}
}

// Nearly takes offers that are nearly old enough.
//
//pangolin:new NewNearly()
type Nearly struct{ queue }

func NewNearly() *Nearly {
	q := new(Nearly)
	q.begin()
	return q
}

func (q *Nearly) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Nearly) Dequeue() (int, bool) {
	for {
		n, empty := q.tryDequeue()
		if empty {
			return 0, false
		}
		if n != nil {
			return n.item, true
		}
		gone := q.head.Load().number + 1
		if theirs := q.slots[0].Load(); theirs != nil && theirs != q.taken && theirs.after <= gone && q.slots[0].CompareAndSwap(theirs, q.taken) {
			return theirs.node.item, true
		}
	}
}

// Tail compares with the number of the last cell.
//
//pangolin:new NewTail()
type Tail struct{ queue }

func NewTail() *Tail {
	q := new(Tail)
	q.begin()
	return q
}

func (q *Tail) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Tail) Dequeue() (int, bool) {
	for {
		n, empty := q.tryDequeue()
		if empty {
			return 0, false
		}
		if n != nil {
			return n.item, true
		}
		gone := q.tail.Load().number
		if theirs := q.slots[0].Load(); theirs != nil && theirs != q.taken && theirs.after <= gone && q.slots[0].CompareAndSwap(theirs, q.taken) {
			return theirs.node.item, true
		}
	}
}

// Head offers with the number of the first cell.
//
//pangolin:new NewHead()
type Head struct{ queue }

func NewHead() *Head {
	q := new(Head)
	q.begin()
	return q
}

func (q *Head) Enqueue(x int) {
	q.put(&offer{&node{item: x}, q.head.Load().number})
}

func (q *Head) Dequeue() (int, bool) {
	return q.get()
}

// Zero offers with no number.
//
//pangolin:new NewZero()
type Zero struct{ queue }

func NewZero() *Zero {
	q := new(Zero)
	q.begin()
	return q
}

func (q *Zero) Enqueue(x int) {
	q.put(&offer{node: &node{item: x}})
}

func (q *Zero) Dequeue() (int, bool) {
	return q.get()
}

// Renumbers changes the number of its offer when it was in the slot.
//
//pangolin:new NewRenumbers()
type Renumbers struct{ queue }

func NewRenumbers() *Renumbers {
	q := new(Renumbers)
	q.begin()
	return q
}

func (q *Renumbers) Enqueue(x int) {
	mine := q.offer(x)
	for !q.tryEnqueue(mine.node) {
		if q.leave(mine) {
			return
		}
		mine.after = q.tail.Load().number
	}
}

func (q *Renumbers) Dequeue() (int, bool) {
	return q.get()
}

// Changes changes its item when it was in the slot.
//
//pangolin:new NewChanges()
type Changes struct{ queue }

func NewChanges() *Changes {
	q := new(Changes)
	q.begin()
	return q
}

func (q *Changes) Enqueue(x int) {
	mine := q.offer(x)
	for !q.tryEnqueue(mine.node) {
		if q.leave(mine) {
			return
		}
		mine.node.item = x
	}
}

func (q *Changes) Dequeue() (int, bool) {
	return q.get()
}

// Both links its item in that was handed over.
//
//pangolin:new NewBoth()
type Both struct{ queue }

func NewBoth() *Both {
	q := new(Both)
	q.begin()
	return q
}

func (q *Both) Enqueue(x int) {
	mine := q.offer(x)
	for !q.tryEnqueue(mine.node) {
		if q.leave(mine) {
			q.tryEnqueue(&node{item: x})
			return
		}
	}
}

func (q *Both) Dequeue() (int, bool) {
	return q.get()
}

// Neither returns if nobody takes its offer.
//
//pangolin:new NewNeither()
type Neither struct{ queue }

func NewNeither() *Neither {
	q := new(Neither)
	q.begin()
	return q
}

func (q *Neither) Enqueue(x int) {
	mine := q.offer(x)
	if !q.tryEnqueue(mine.node) {
		q.leave(mine)
	}
}

func (q *Neither) Dequeue() (int, bool) {
	return q.get()
}

// Twice offers its item in the same cell while it is offered.
//
//pangolin:new NewTwice()
type Twice struct{ queue }

func NewTwice() *Twice {
	q := new(Twice)
	q.begin()
	return q
}

func (q *Twice) Enqueue(x int) {
	mine := q.offer(x)
	if q.slots[0].CompareAndSwap(nil, mine) {
		q.slots[0].CompareAndSwap(nil, mine)
	}
	q.put(mine)
}

func (q *Twice) Dequeue() (int, bool) {
	return q.get()
}

// Stays returns while its offer is in the slot.
//
//pangolin:new NewStays()
type Stays struct{ queue }

func NewStays() *Stays {
	q := new(Stays)
	q.begin()
	return q
}

func (q *Stays) Enqueue(x int) {
	mine := q.offer(x)
	for !q.tryEnqueue(mine.node) {
		if q.slots[0].CompareAndSwap(nil, mine) {
			return
		}
	}
}

func (q *Stays) Dequeue() (int, bool) {
	return q.get()
}

// Links links in the cell that is in the slot.
//
//pangolin:new NewLinks()
type Links struct{ queue }

func NewLinks() *Links {
	q := new(Links)
	q.begin()
	return q
}

func (q *Links) Enqueue(x int) {
	mine := q.offer(x)
	if q.slots[0].CompareAndSwap(nil, mine) {
		q.tryEnqueue(mine.node)
	}
}

func (q *Links) Dequeue() (int, bool) {
	return q.get()
}

// Offers offers what is linked in.
//
//pangolin:new NewOffers()
type Offers struct{ queue }

func NewOffers() *Offers {
	q := new(Offers)
	q.begin()
	return q
}

func (q *Offers) Enqueue(x int) {
	mine := q.offer(x)
	for !q.tryEnqueue(mine.node) {
	}
	q.slots[0].CompareAndSwap(nil, &offer{&node{item: x}, mine.after})
}

func (q *Offers) Dequeue() (int, bool) {
	return q.get()
}

// Clears clears the slot before it is its own.
//
//pangolin:new NewClears()
type Clears struct{ queue }

func NewClears() *Clears {
	q := new(Clears)
	q.begin()
	return q
}

func (q *Clears) Enqueue(x int) {
	q.slots[0].Store(nil)
	q.put(q.offer(x))
}

func (q *Clears) Dequeue() (int, bool) {
	return q.get()
}

// Cleans clears the slot for others.
//
//pangolin:new NewCleans()
type Cleans struct{ queue }

func NewCleans() *Cleans {
	q := new(Cleans)
	q.begin()
	return q
}

func (q *Cleans) Enqueue(x int) {
	q.slots[0].CompareAndSwap(q.taken, nil)
	q.put(q.offer(x))
}

func (q *Cleans) Dequeue() (int, bool) {
	return q.get()
}

// Gives is a Take that puts in what it has taken.
//
//pangolin:new NewGives()
type Gives struct{ queue }

func NewGives() *Gives {
	q := new(Gives)
	q.begin()
	return q
}

func (q *Gives) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Gives) Dequeue() (int, bool) {
	x, _ := q.get()
	q.put(q.offer(x))
	return 0, false
}

// Takes is a Put that takes.
//
//pangolin:new NewTakes()
type Takes struct{ queue }

func NewTakes() *Takes {
	q := new(Takes)
	q.begin()
	return q
}

func (q *Takes) Enqueue(x int) {
	q.take()
	q.put(q.offer(x))
}

func (q *Takes) Dequeue() (int, bool) {
	return q.get()
}

// Greedy takes two items.
//
//pangolin:new NewGreedy()
type Greedy struct{ queue }

func NewGreedy() *Greedy {
	q := new(Greedy)
	q.begin()
	return q
}

func (q *Greedy) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Greedy) Dequeue() (int, bool) {
	q.get()
	return q.get()
}

// Early says that it is empty where the swap has failed.
//
//pangolin:new NewEarly()
type Early struct{ queue }

func NewEarly() *Early {
	q := new(Early)
	q.begin()
	return q
}

func (q *Early) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Early) Dequeue() (int, bool) {
	if n, _ := q.tryDequeue(); n != nil {
		return n.item, true
	}
	return 0, false
}

// Skips takes the last item.
//
//pangolin:new NewSkips()
type Skips struct{ queue }

func NewSkips() *Skips {
	q := new(Skips)
	q.begin()
	return q
}

func (q *Skips) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Skips) Dequeue() (int, bool) {
	for {
		first, last := q.head.Load(), q.tail.Load()
		if first == last {
			return 0, false
		}
		if q.head.CompareAndSwap(first, last) {
			return last.item, true
		}
	}
}

// Wrong returns the item of the first cell.
//
//pangolin:new NewWrong()
type Wrong struct{ queue }

func NewWrong() *Wrong {
	q := new(Wrong)
	q.begin()
	return q
}

func (q *Wrong) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Wrong) Dequeue() (int, bool) {
	for {
		first := q.head.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		if q.head.CompareAndSwap(first, next) {
			return first.item, true
		}
	}
}

// Unnumbered links in a cell without its number.
//
//pangolin:new NewUnnumbered()
type Unnumbered struct{ queue }

func NewUnnumbered() *Unnumbered {
	q := new(Unnumbered)
	q.begin()
	return q
}

func (q *Unnumbered) Enqueue(x int) {
	n := &node{item: x}
	for !q.last().next.CompareAndSwap(nil, n) {
	}
}

func (q *Unnumbered) Dequeue() (int, bool) {
	return q.get()
}

// Late numbers its cell when it is linked in.
//
//pangolin:new NewLate()
type Late struct{ queue }

func NewLate() *Late {
	q := new(Late)
	q.begin()
	return q
}

func (q *Late) Enqueue(x int) {
	n := &node{item: x}
	last := q.last()
	for !last.next.CompareAndSwap(nil, n) {
		last = q.last()
	}
	n.number = last.number + 1
}

func (q *Late) Dequeue() (int, bool) {
	return q.get()
}

// Back moves the tail to the front.
//
//pangolin:new NewBack()
type Back struct{ queue }

func NewBack() *Back {
	q := new(Back)
	q.begin()
	return q
}

func (q *Back) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Back) Dequeue() (int, bool) {
	q.tail.Store(q.head.Load())
	return q.get()
}

// Stores moves the front by a store.
//
//pangolin:new NewStores()
type Stores struct{ queue }

func NewStores() *Stores {
	q := new(Stores)
	q.begin()
	return q
}

func (q *Stores) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Stores) Dequeue() (int, bool) {
	for {
		first := q.head.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		q.head.Store(next)
		return next.item, true
	}
}

// Swaps swaps the front.
//
//pangolin:new NewSwaps()
type Swaps struct{ queue }

func NewSwaps() *Swaps {
	q := new(Swaps)
	q.begin()
	return q
}

func (q *Swaps) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Swaps) Dequeue() (int, bool) {
	next := q.tail.Load()
	if q.head.Swap(next) == next {
		return 0, false
	}
	return next.item, true
}

// Sees looks at its item.
//
//pangolin:new NewSees()
type Sees struct{ queue }

func NewSees() *Sees {
	q := new(Sees)
	q.begin()
	return q
}

func (q *Sees) Enqueue(x int) {
	if x == 7 {
		return
	}
	q.put(q.offer(x))
}

func (q *Sees) Dequeue() (int, bool) {
	return q.get()
}

// Adds computes with its item.
//
//pangolin:new NewAdds()
type Adds struct{ queue }

func NewAdds() *Adds {
	q := new(Adds)
	q.begin()
	return q
}

func (q *Adds) Enqueue(x int) {
	q.put(q.offer(x + 1))
}

func (q *Adds) Dequeue() (int, bool) {
	return q.get()
}

// Follows follows the link of the last cell.
//
//pangolin:new NewFollows()
type Follows struct{ queue }

func NewFollows() *Follows {
	q := new(Follows)
	q.begin()
	return q
}

func (q *Follows) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Follows) Dequeue() (int, bool) {
	return q.head.Load().next.Load().item, true
}

// Constant puts in a number.
//
//pangolin:new NewConstant()
type Constant struct{ queue }

func NewConstant() *Constant {
	q := new(Constant)
	q.begin()
	return q
}

func (q *Constant) Enqueue(x int) {
	q.put(q.offer(5))
}

func (q *Constant) Dequeue() (int, bool) {
	return q.get()
}

// Inside looks into the cell that means that an offer was taken.
//
//pangolin:new NewInside()
type Inside struct{ queue }

func NewInside() *Inside {
	q := new(Inside)
	q.begin()
	return q
}

func (q *Inside) Enqueue(x int) {
	if q.taken.after != 0 {
		return
	}
	q.put(q.offer(x))
}

func (q *Inside) Dequeue() (int, bool) {
	return q.get()
}

// Panics has an index that is out of range.
//
//pangolin:new NewPanics()
type Panics struct{ queue }

func NewPanics() *Panics {
	q := new(Panics)
	q.begin()
	return q
}

func (q *Panics) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Panics) Dequeue() (int, bool) {
	q.slots[mark.Choose(2)].Load()
	return q.get()
}

// Defers defers.
//
//pangolin:new NewDefers()
type Defers struct{ queue }

func NewDefers() *Defers {
	q := new(Defers)
	q.begin()
	return q
}

func (q *Defers) Enqueue(x int) {
	defer q.put(q.offer(x))
}

func (q *Defers) Dequeue() (int, bool) {
	return q.get()
}

// Lags leaves the tail where it is, and a Dequeue believes the tail.
//
//pangolin:new NewLags()
type Lags struct{ queue }

func NewLags() *Lags {
	q := new(Lags)
	q.begin()
	return q
}

func (q *Lags) Enqueue(x int) {
	n := &node{item: x}
	for last := q.last(); ; last = q.last() {
		n.number = last.number + 1
		if last.next.CompareAndSwap(nil, n) {
			return
		}
	}
}

func (q *Lags) Dequeue() (int, bool) {
	if q.head.Load() == q.tail.Load() {
		return 0, false
	}
	return q.get()
}

// Before looks at the number of the last cell before it moves the tail, and leaves the tail where it is.
//
//pangolin:new NewBefore()
type Before struct{ queue }

func NewBefore() *Before {
	q := new(Before)
	q.begin()
	return q
}

func (q *Before) Enqueue(x int) {
	mine := q.offer(x)
	for last := q.last(); ; last = q.last() {
		mine.node.number = last.number + 1
		if last.next.CompareAndSwap(nil, mine.node) || q.leave(mine) {
			return
		}
	}
}

func (q *Before) Dequeue() (int, bool) {
	for {
		if theirs := q.take(); theirs != nil {
			return theirs.node.item, true
		}
		if n, empty := q.tryDequeue(); empty {
			return 0, false
		} else if n != nil {
			return n.item, true
		}
	}
}

// Erases clears the slot where others may have an offer, for a Take leaves nil.
//
//pangolin:new NewErases()
type Erases struct{ queue }

func NewErases() *Erases {
	q := new(Erases)
	q.begin()
	return q
}

func (q *Erases) Enqueue(x int) {
	mine := q.offer(x)
	for !q.tryEnqueue(mine.node) {
		if q.leave(mine) {
			return
		}
	}
}

func (q *Erases) Dequeue() (int, bool) {
	for {
		n, empty := q.tryDequeue()
		if empty {
			return 0, false
		}
		if n != nil {
			return n.item, true
		}
		gone := q.head.Load().number
		if theirs := q.slots[0].Load(); theirs != nil && theirs.after <= gone && q.slots[0].CompareAndSwap(theirs, nil) {
			return theirs.node.item, true
		}
	}
}

// Again offers what was taken, for it has not looked.
//
//pangolin:new NewAgain()
type Again struct{ queue }

func NewAgain() *Again {
	q := new(Again)
	q.begin()
	return q
}

func (q *Again) Enqueue(x int) {
	mine := q.offer(x)
	for q.slots[0].CompareAndSwap(nil, mine) {
		if q.slots[0].Load() != q.taken {
			continue
		}
		q.slots[0].Store(nil)
	}
	q.put(mine)
}

func (q *Again) Dequeue() (int, bool) {
	return q.get()
}

// Nonzero returns an item where there is none.
//
//pangolin:new NewNonzero()
type Nonzero struct{ queue }

func NewNonzero() *Nonzero {
	q := new(Nonzero)
	q.begin()
	return q
}

func (q *Nonzero) Enqueue(x int) {
	q.put(q.offer(x))
}

func (q *Nonzero) Dequeue() (int, bool) {
	x, ok := q.get()
	if !ok {
		return 1, false
	}
	return x, true
}
