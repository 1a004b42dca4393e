// Package wrong has queues in slices, each with a fault.
package wrong

import "sync/atomic"

// array is what they have in common.
type array struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func made() array { return array{items: make([]atomic.Pointer[int], 6)} }

func (q *array) put(x int) { q.items[q.back.Add(1)-1].Store(&x) }

func (q *array) take() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// Rereads looks at the number again in each round, so that it finds an item that came after one in a place that it has passed.
//
//pangolin:new NewRereads()
//pangolin:protocol bounded(6)
type Rereads struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewRereads() *Rereads { return &Rereads{items: make([]atomic.Pointer[int], 6)} }

func (q *Rereads) Enqueue(x int) { q.items[q.back.Add(1)-1].Store(&x) }

func (q *Rereads) Dequeue() int {
	for {
		for i := int64(0); i < q.back.Load(); i++ {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// Downwards begins with the last place.
//
//pangolin:new NewDownwards()
//pangolin:protocol bounded(6)
type Downwards struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewDownwards() *Downwards { return &Downwards{items: make([]atomic.Pointer[int], 6)} }

func (q *Downwards) Enqueue(x int) { q.items[q.back.Add(1)-1].Store(&x) }

func (q *Downwards) Dequeue() int {
	for {
		for i := q.back.Load() - 1; i >= 0; i-- {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// Twice takes an item in two accesses.
//
//pangolin:new NewTwice()
//pangolin:protocol bounded(6)
type Twice struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewTwice() *Twice { return &Twice{items: make([]atomic.Pointer[int], 6)} }

func (q *Twice) Enqueue(x int) { q.items[q.back.Add(1)-1].Store(&x) }

func (q *Twice) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Load(); item != nil {
				q.items[i].Store(nil)
				return *item
			}
		}
	}
}

// Leaves returns an item and leaves it where it is.
//
//pangolin:new NewLeaves()
//pangolin:protocol bounded(6)
type Leaves struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewLeaves() *Leaves { return &Leaves{items: make([]atomic.Pointer[int], 6)} }

func (q *Leaves) Enqueue(x int) { q.items[q.back.Add(1)-1].Store(&x) }

func (q *Leaves) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Load(); item != nil {
				return *item
			}
		}
	}
}

// Shared counts in two numbers: two Puts take one place.
//
//pangolin:new NewShared()
//pangolin:protocol bounded(6)
type Shared struct {
	odd   atomic.Int64
	even  atomic.Int64
	items []atomic.Pointer[int]
}

func NewShared() *Shared { return &Shared{items: make([]atomic.Pointer[int], 6)} }

func (q *Shared) Enqueue(x int) {
	place := int64(0)
	if q.odd.Load() < q.even.Load() {
		place = q.odd.Add(1) - 1
	} else {
		place = q.even.Add(1) - 1
	}
	q.items[place].Store(&x)
}

func (q *Shared) Dequeue() int {
	for {
		for i := range q.even.Load() {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// Late puts its item in before it takes the place.
//
//pangolin:new NewLate()
//pangolin:protocol bounded(6)
type Late struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewLate() *Late { return &Late{items: make([]atomic.Pointer[int], 6)} }

func (q *Late) Enqueue(x int) {
	for i := range q.back.Load() {
		if q.items[i].CompareAndSwap(nil, &x) {
			return
		}
	}
	q.items[q.back.Add(1)-1].Store(&x)
}

func (q *Late) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// Another returns the item that it finds in the next place, if there is one.
//
//pangolin:new NewAnother()
//pangolin:protocol bounded(6)
type Another struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewAnother() *Another { return &Another{items: make([]atomic.Pointer[int], 6)} }

func (q *Another) Enqueue(x int) { q.items[q.back.Add(1)-1].Store(&x) }

func (q *Another) Dequeue() int {
	for {
		n := q.back.Load()
		for i := range n {
			item := q.items[i].Swap(nil)
			if item == nil {
				continue
			}
			if j := i + 1; j < n {
				if other := q.items[j].Load(); other != nil {
					item = other
				}
			}
			return *item
		}
	}
}

// Drops takes two items and returns the second one.
//
//pangolin:new NewDrops()
//pangolin:protocol bounded(6)
type Drops struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewDrops() *Drops { return &Drops{items: make([]atomic.Pointer[int], 6)} }

func (q *Drops) Enqueue(x int) { q.items[q.back.Add(1)-1].Store(&x) }

func (q *Drops) Dequeue() int {
	for {
		n := q.back.Load()
		for i := range n {
			item := q.items[i].Swap(nil)
			if item == nil {
				continue
			}
			if j := i + 1; j < n {
				if other := q.items[j].Swap(nil); other != nil {
					item = other
				}
			}
			return *item
		}
	}
}

// Doubles puts its item into two places.
//
//pangolin:new NewDoubles()
//pangolin:protocol bounded(6)
type Doubles struct {
	back  atomic.Int64
	more  atomic.Int64
	items []atomic.Pointer[int]
}

func NewDoubles() *Doubles { return &Doubles{items: make([]atomic.Pointer[int], 6)} }

func (q *Doubles) Enqueue(x int) {
	i := q.back.Add(1) - 1
	q.items[i].Store(&x)
	if j := q.more.Add(1) - 1; i != j {
		y := x
		q.items[j].CompareAndSwap(nil, &y)
	}
}

func (q *Doubles) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// Forgets returns before its item is in a place, if somebody else has begun meanwhile.
//
//pangolin:new NewForgets()
//pangolin:protocol bounded(6)
type Forgets struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewForgets() *Forgets { return &Forgets{items: make([]atomic.Pointer[int], 6)} }

func (q *Forgets) Enqueue(x int) {
	place := q.back.Add(1) - 1
	if q.back.Load() > place+1 {
		return
	}
	q.items[place].Store(&x)
}

func (q *Forgets) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// Beyond looks at one place more than there are items.
//
//pangolin:new NewBeyond()
//pangolin:protocol bounded(3)
type Beyond struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewBeyond() *Beyond { return &Beyond{items: make([]atomic.Pointer[int], 3)} }

func (q *Beyond) Enqueue(x int) { q.items[q.back.Add(1)-1].Store(&x) }

func (q *Beyond) Dequeue() int {
	for {
		n := q.back.Load()
		for i := int64(0); i <= n; i++ {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// Before counts one place less than there is.
//
//pangolin:new NewBefore()
//pangolin:protocol bounded(6)
type Before struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewBefore() *Before { return &Before{items: make([]atomic.Pointer[int], 6)} }

func (q *Before) Enqueue(x int) {
	place := q.back.Add(1) - 1
	q.items[place-1].Store(&x)
}

func (q *Before) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// Looks treats one item otherwise than others: its place is the first one that is free.
//
//pangolin:new NewLooks()
//pangolin:protocol bounded(6)
type Looks struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewLooks() *Looks { return &Looks{items: make([]atomic.Pointer[int], 6)} }

func (q *Looks) Enqueue(x int) {
	place := q.back.Add(1) - 1
	if x == 1 && place > 0 {
		q.items[place-1].Swap(&x)
		return
	}
	q.items[place].Store(&x)
}

func (q *Looks) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// Plain counts without synchronisation.
//
//pangolin:new NewPlain()
//pangolin:protocol bounded(6)
type Plain struct {
	back  atomic.Int64
	seen  int64
	items []atomic.Pointer[int]
}

func NewPlain() *Plain { return &Plain{items: make([]atomic.Pointer[int], 6)} }

func (q *Plain) Enqueue(x int) {
	q.seen++
	q.items[q.back.Add(1)-1].Store(&x)
}

func (q *Plain) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// Changes writes to its cell when others may see it.
//
//pangolin:new NewChanges()
//pangolin:protocol bounded(6)
type Changes struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewChanges() *Changes { return &Changes{items: make([]atomic.Pointer[int], 6)} }

func (q *Changes) Enqueue(x int) {
	c := new(int)
	q.items[q.back.Add(1)-1].Store(c)
	*c = x
}

func (q *Changes) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// Resets begins to count anew when it has taken an item.
//
//pangolin:new NewResets()
//pangolin:protocol bounded(6)
type Resets struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewResets() *Resets { return &Resets{items: make([]atomic.Pointer[int], 6)} }

func (q *Resets) Enqueue(x int) { q.items[q.back.Add(1)-1].Store(&x) }

func (q *Resets) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Swap(nil); item != nil {
				q.back.Store(0)
				return *item
			}
		}
	}
}

// Small has more places than its protocol has room for: an Enqueue would have to wait.
//
//pangolin:new NewSmall()
//pangolin:protocol bounded(2)
type Small struct{ array }

func NewSmall() *Small { return &Small{made()} }

func (q *Small) Enqueue(x int) { q.put(x) }

func (q *Small) Dequeue() int { return q.take() }

// SPDX-License-Identifier: BSD-3-Clause
