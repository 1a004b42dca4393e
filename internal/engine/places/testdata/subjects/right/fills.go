package right

import "sync/atomic"

// Fills has its place before it fills the cell that it has made.
//
//pangolin:new NewFills()
//pangolin:protocol blocking
type Fills struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewFills() *Fills { return &Fills{items: make([]atomic.Pointer[int], 6)} }

func (q *Fills) Enqueue(x int) {
	c := new(int)
	place := q.back.Add(1) - 1
	*c = x
	q.items[place].Store(c)
}

func (q *Fills) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
