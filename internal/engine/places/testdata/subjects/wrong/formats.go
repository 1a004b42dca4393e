package wrong

import "sync/atomic"

// Unsigned gives up where a number without a sign, whose bits are those of -1, is not small.
//
//pangolin:new NewUnsigned()
//pangolin:protocol bounded(6)
type Unsigned struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewUnsigned() *Unsigned { return &Unsigned{items: make([]atomic.Pointer[int], 6)} }

func (q *Unsigned) Enqueue(x int) { q.items[q.back.Add(1)-1].Store(&x) }

func (q *Unsigned) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if !isSmall(1<<64 - 1) {
				return 0
			}
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

func isSmall(n uint64) bool { return n < 3 }

// SPDX-License-Identifier: BSD-3-Clause
