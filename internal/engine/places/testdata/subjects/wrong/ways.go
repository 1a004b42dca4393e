package wrong

import "sync/atomic"

// Ways is Leaves, behind so many comparisons of numbers of which nothing is known that a step goes on in too many ways.
//
//pangolin:new NewWays()
//pangolin:protocol bounded(6)
type Ways struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewWays() *Ways { return &Ways{items: make([]atomic.Pointer[int], 6)} }

func (q *Ways) Enqueue(x int) { q.items[q.back.Add(1)-1].Store(&x) }

func (q *Ways) Dequeue() int {
	for {
		n := q.back.Load()
		some := n > 3
		for range 40 {
			some = some != (n > 5)
		}
		for i := range n {
			if item := q.items[i].Load(); item != nil || some {
				return *item
			}
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
