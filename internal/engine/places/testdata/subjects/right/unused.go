package right

import "sync/atomic"

// Unused does not use what some of its methods return.
//
//pangolin:new NewUnused()
//pangolin:protocol blocking
type Unused struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewUnused() *Unused { return &Unused{items: make([]atomic.Pointer[int], 6)} }

func (q *Unused) Enqueue(x int) { q.fill(&x) }

func (q *Unused) fill(c *int) (int64, bool) {
	place := q.back.Add(1) - 1
	q.look(place)
	q.items[place].Store(c)
	return place, true
}

func (q *Unused) look(place int64) (bool, *int) {
	item := q.items[place].Load()
	return item == nil, item
}

func (q *Unused) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
