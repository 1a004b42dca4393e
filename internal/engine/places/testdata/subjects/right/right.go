// Package right has queues in slices that are linearizable.
package right

import (
	"runtime"
	"sync/atomic"
)

// Peeking looks at a place before it takes what is there.
//
//pangolin:new NewPeeking(6)
//pangolin:protocol bounded(6)
type Peeking struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func NewPeeking(n int) *Peeking { return &Peeking{items: make([]atomic.Pointer[int], n)} }

func (q *Peeking) Enqueue(x int) { q.items[q.back.Add(1)-1].Store(&x) }

func (q *Peeking) Dequeue() int {
	for {
		n := q.back.Load()
		for i := int64(0); i < n; i++ {
			if q.items[i].Load() == nil {
				runtime.Gosched()
				continue
			}
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}

// Nested is made of small methods, and has numbers of the collection in front of and behind the slice.
//
//pangolin:new NewNested()
//pangolin:protocol bounded(6)
type Nested struct {
	items []atomic.Pointer[int]
	back  atomic.Int64
	puts  atomic.Int64 // that have begun, for nobody
}

func NewNested() *Nested {
	q := new(Nested)
	q.items = make([]atomic.Pointer[int], 6)
	return q
}

func (q *Nested) Enqueue(x int) {
	q.puts.Add(1)
	q.fill(q.claim(), box(x))
}

func (q *Nested) Dequeue() int {
	for {
		if item := q.round(q.back.Load()); item != nil {
			return *item
		}
	}
}

func (q *Nested) claim() int64 { return q.back.Add(1) - 1 }

func box(x int) *int {
	c := new(int)
	*c = x
	return c
}

func (q *Nested) fill(place int64, c *int) {
	for !q.items[place].CompareAndSwap(nil, c) {
	}
}

func (q *Nested) round(n int64) *int {
	for i := range n {
		if item := q.items[i].Swap(nil); item != nil {
			return item
		}
	}
	return nil
}

// SPDX-License-Identifier: BSD-3-Clause
