// SPDX-License-Identifier: BSD-3-Clause

// Package slices has items in slices and maps, and where they belong.
package slices

import (
	"sync"
	"sync/atomic"
)

// Ring has two places, for one who puts and one who takes. It never holds more than that.
//
//pangolin:kind queue
//pangolin:protocol bounded(2)
//pangolin:roles Put:1,Take:~1
type Ring struct {
	buf        [2]atomic.Int64
	head, tail atomic.Int64
}

func (r *Ring) Put(v int64) bool {
	t := r.tail.Load()
	if t-r.head.Load() == 2 {
		return false
	}
	r.buf[t%2].Store(v)
	r.tail.Store(t + 1)
	return true
}

func (r *Ring) Take() (int64, bool) {
	for {
		h := r.head.Load()
		if h == r.tail.Load() {
			return 0, false
		}
		v := r.buf[h%2].Load()
		if r.head.CompareAndSwap(h, h+1) {
			return v, true
		}
	}
}

//pangolin:invariant always
func (r *Ring) fits() bool {
	n := r.tail.Load() - r.head.Load()
	return 0 <= n && n <= 2
}

// Crowded is Ring for several who put: each takes a place and then writes there, and two may take the last one.
//
//pangolin:kind queue
//pangolin:protocol bounded(2)
type Crowded struct{ Ring }

func (r *Crowded) Put(v int64) bool {
	t := r.tail.Load()
	if t-r.head.Load() == 2 {
		return false
	}
	r.buf[(r.tail.Add(1)-1)%2].Store(v)
	return true
}

// Heap is a heap with a lock: where no call is in progress no item is less than the one above it.
type Heap struct {
	mu    sync.Mutex
	items []int
}

func (h *Heap) Put(v int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.items = append(h.items, v)
	for at := len(h.items) - 1; at > 0 && h.items[at] < h.items[(at-1)/2]; at = (at - 1) / 2 {
		h.items[at], h.items[(at-1)/2] = h.items[(at-1)/2], h.items[at]
	}
}

func (h *Heap) Take() (v int, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.items) == 0 {
		return 0, false
	}
	v = h.items[0]
	h.down(2)
	return v, true
}

// down puts the last item in the place of the first, and lets it sink; right is where the right child of the first one is.
func (h *Heap) down(right int) {
	last := len(h.items) - 1
	h.items[0] = h.items[last]
	h.items = h.items[:last]
	for at := 0; ; {
		least := at
		for child := 2*at + 1; child <= 2*at+right && child < last; child++ {
			if h.items[child] < h.items[least] {
				least = child
			}
		}
		if least == at {
			return
		}
		h.items[at], h.items[least] = h.items[least], h.items[at]
		at = least
	}
}

//pangolin:invariant
func (h *Heap) heap() bool {
	for i := 1; i < len(h.items); i++ {
		if h.items[i] < h.items[(i-1)/2] {
			return false
		}
	}
	return true
}

// LeftHeap forgets the right child when it lets an item sink.
type LeftHeap struct{ Heap }

func (h *LeftHeap) Take() (v int, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.items) == 0 {
		return 0, false
	}
	v = h.items[0]
	h.down(1)
	return v, true
}

// Buckets has a list for the even keys and one for the odd ones, once it has more than one key; before, one for all.
type Buckets struct {
	mu      sync.Mutex
	buckets [][]int
}

func NewBuckets() *Buckets { return &Buckets{buckets: make([][]int, 1)} }

func (b *Buckets) has(key int) bool {
	for _, k := range b.buckets[key%len(b.buckets)] {
		if k == key {
			return true
		}
	}
	return false
}

func (b *Buckets) insert(key int) {
	at := &b.buckets[key%len(b.buckets)]
	*at = append(*at, key)
}

func (b *Buckets) Contains(key int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.has(key)
}

func (b *Buckets) Add(key int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.has(key) {
		return false
	}
	if len(b.buckets) == 1 && len(b.buckets[0]) == 1 {
		all := b.buckets[0]
		b.buckets = make([][]int, 2)
		for _, k := range all {
			b.insert(k)
		}
	}
	b.insert(key)
	return true
}

//pangolin:invariant
func (b *Buckets) placed() bool {
	for i, list := range b.buckets {
		for _, key := range list {
			if key%len(b.buckets) != i {
				return false
			}
		}
	}
	return true
}

// Moved finds the place of a key before it makes room.
type Moved struct{ Buckets }

func NewMoved() *Moved { return &Moved{Buckets{buckets: make([][]int, 1)}} }

func (b *Moved) Add(key int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.has(key) {
		return false
	}
	at := key % len(b.buckets)
	if len(b.buckets) == 1 && len(b.buckets[0]) == 1 {
		b.buckets = append(b.buckets, nil)
		for _, k := range b.buckets[0] {
			if k%2 == 1 {
				b.buckets[0], b.buckets[1] = nil, b.buckets[0]
			}
		}
	}
	b.buckets[at] = append(b.buckets[at], key)
	return true
}

// Pool has two buffers. Each is free or lent, and none is both, nor twice.
//
//pangolin:kind object
type Pool struct {
	mu   sync.Mutex
	free []int
	lent [3]bool
}

func NewPool() *Pool { return &Pool{free: []int{1, 2}} }

// Lend is the number of a buffer, 0 if none is free.
func (p *Pool) Lend() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) == 0 {
		return 0
	}
	b := p.free[len(p.free)-1]
	p.free, p.lent[b] = p.free[:len(p.free)-1], true
	return b
}

// Back gives a buffer back, if it is lent.
func (p *Pool) Back(b int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if (b == 1 || b == 2) && p.lent[b] {
		p.free, p.lent[b] = append(p.free, b), false
	}
}

//pangolin:invariant
func (p *Pool) once() bool {
	var free [3]int
	for _, b := range p.free {
		free[b]++
	}
	for b := 1; b <= 2; b++ {
		if p.lent[b] == (free[b] == 1) || free[b] > 1 {
			return false
		}
	}
	return true
}

// Careless looks whether a buffer is lent in one critical section, and takes it back in the next.
//
//pangolin:kind object
type Careless struct{ Pool }

func NewCareless() *Careless { return &Careless{Pool{free: []int{1, 2}}} }

func (p *Careless) Back(b int) {
	p.mu.Lock()
	lent := (b == 1 || b == 2) && p.lent[b]
	p.mu.Unlock()
	if lent {
		p.mu.Lock()
		p.free, p.lent[b] = append(p.free, b), false
		p.mu.Unlock()
	}
}
