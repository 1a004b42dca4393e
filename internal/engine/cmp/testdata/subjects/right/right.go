// Package right has collections that are correct, made of what no chain of cells is: arrays,
// maps, trees, words.
package right

import (
	"sync"
	"sync/atomic"
)

// Ring is a bounded queue in an array, under one lock.
//
//pangolin:new NewRing(2)
//pangolin:protocol nonblocking
type Ring struct {
	mu    sync.Mutex
	buf   []int
	first int
	count int
}

func NewRing(n int) *Ring { return &Ring{buf: make([]int, n+1)} }

func (r *Ring) Enqueue(x int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count == len(r.buf) {
		bigger := make([]int, 2*len(r.buf))
		for i := range r.count {
			bigger[i] = r.buf[(r.first+i)%len(r.buf)]
		}
		r.buf, r.first = bigger, 0
	}
	r.buf[(r.first+r.count)%len(r.buf)] = x
	r.count++
}

func (r *Ring) Dequeue() (int, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count == 0 {
		return 0, false
	}
	x := r.buf[r.first]
	r.first = (r.first + 1) % len(r.buf)
	r.count--
	return x, true
}

// SPSC is a ring without locks for one producer and one consumer (Lamport 1983). The counters
// run modulo twice the size.
//
//pangolin:roles TryPut:1,TryTake:2
//pangolin:kind queue
//pangolin:protocol bounded(2)
type SPSC struct {
	buf        [2]int
	head, tail atomic.Uint32
}

func NewSPSC() *SPSC { return &SPSC{} }

func (r *SPSC) TryPut(x int) bool {
	t := r.tail.Load()
	if (t+4-r.head.Load())%4 == 2 {
		return false
	}
	r.buf[t%2] = x
	r.tail.Store((t + 1) % 4)
	return true
}

func (r *SPSC) TryTake() (int, bool) {
	h := r.head.Load()
	if r.tail.Load() == h {
		return 0, false
	}
	x := r.buf[h%2]
	r.head.Store((h + 1) % 4)
	return x, true
}

// Heap is a binary heap in a slice, under one lock.
type Heap struct {
	mu    sync.Mutex
	items []entry
}

type entry struct{ item, priority int }

func NewHeap() *Heap { return &Heap{} }

func (h *Heap) Add(item, priority int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.items = append(h.items, entry{item, priority})
	for i := len(h.items) - 1; i > 0 && h.items[i].priority < h.items[(i-1)/2].priority; i = (i - 1) / 2 {
		h.items[i], h.items[(i-1)/2] = h.items[(i-1)/2], h.items[i]
	}
}

func (h *Heap) RemoveMin() (int, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := len(h.items)
	if n == 0 {
		return 0, false
	}
	min := h.items[0].item
	h.items[0] = h.items[n-1]
	h.items[n-1] = entry{}
	h.items = h.items[:n-1]
	for i := 0; ; {
		k := 2*i + 1
		if k >= len(h.items) {
			return min, true
		}
		if k+1 < len(h.items) && h.items[k+1].priority < h.items[k].priority {
			k++
		}
		if h.items[i].priority <= h.items[k].priority {
			return min, true
		}
		h.items[i], h.items[k] = h.items[k], h.items[i]
		i = k
	}
}

// Tree is a search tree under a lock for readers and writers.
type Tree struct {
	mu   sync.RWMutex
	root *node
}

type node struct {
	key         int
	left, right *node
}

func NewTree() *Tree { return &Tree{} }

func (t *Tree) find(key int) **node {
	at := &t.root
	for *at != nil && (*at).key != key {
		if key < (*at).key {
			at = &(*at).left
		} else {
			at = &(*at).right
		}
	}
	return at
}

func (t *Tree) Add(key int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.find(key)
	if *at != nil {
		return false
	}
	*at = &node{key: key}
	return true
}

func (t *Tree) Remove(key int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.find(key)
	n := *at
	switch {
	case n == nil:
		return false
	case n.left == nil:
		*at = n.right
	case n.right == nil:
		*at = n.left
	default:
		next := &n.right
		for (*next).left != nil {
			next = &(*next).left
		}
		m := *next
		*next = m.right
		m.left, m.right = n.left, n.right
		*at = m
	}
	return true
}

func (t *Tree) Contains(key int) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return *t.find(key) != nil
}

// BitSet is a set of small numbers in one word.
type BitSet struct{ bits atomic.Uint64 }

func NewBitSet() *BitSet { return &BitSet{} }

func (s *BitSet) Add(key int) bool {
	for {
		old := s.bits.Load()
		if old>>key&1 != 0 {
			return false
		}
		if s.bits.CompareAndSwap(old, old|1<<key) {
			return true
		}
	}
}

func (s *BitSet) Remove(key int) bool {
	old := s.bits.And(^(uint64(1) << key))
	return old>>key&1 != 0
}

func (s *BitSet) Contains(key int) bool { return s.bits.Load()>>key&1 != 0 }

// Map is a Go map under a lock for readers and writers.
type Map struct {
	mu sync.RWMutex
	m  map[int]int
}

func NewMap() *Map { return &Map{m: map[int]int{}} }

func (m *Map) Load(k int) (int, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	v, ok := m.m[k]
	return v, ok
}

func (m *Map) Store(k, v int) {
	m.mu.Lock()
	m.m[k] = v
	m.mu.Unlock()
}

func (m *Map) Delete(k int) {
	m.mu.Lock()
	delete(m.m, k)
	m.mu.Unlock()
}

// CopySet is a set that is copied at every change; readers take no lock.
type CopySet struct {
	mu   sync.Mutex
	list atomic.Pointer[[]int]
}

func NewCopySet() *CopySet {
	s := &CopySet{}
	s.list.Store(new([]int))
	return s
}

func (s *CopySet) Contains(x int) bool {
	for _, y := range *s.list.Load() {
		if x == y {
			return true
		}
	}
	return false
}

func (s *CopySet) Add(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := *s.list.Load()
	at := 0
	for at < len(old) && old[at] < x {
		at++
	}
	if at < len(old) && old[at] == x {
		return false
	}
	next := make([]int, 0, len(old)+1)
	next = append(append(append(next, old[:at]...), x), old[at:]...)
	s.list.Store(&next)
	return true
}

func (s *CopySet) Remove(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := *s.list.Load()
	for i, y := range old {
		if x == y {
			next := make([]int, 0, len(old))
			next = append(append(next, old[:i]...), old[i+1:]...)
			s.list.Store(&next)
			return true
		}
	}
	return false
}

// ArrayStack is a stack in an array of which one word says how high it is and what it was
// before, so that nothing can come back unseen.
type ArrayStack struct {
	mu    sync.Mutex
	items []int
}

func NewArrayStack() *ArrayStack { return &ArrayStack{} }

func (s *ArrayStack) Push(x int) {
	s.mu.Lock()
	s.items = append(s.items, x)
	s.mu.Unlock()
}

func (s *ArrayStack) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.items)
	if n == 0 {
		return 0, false
	}
	x := s.items[n-1]
	s.items[n-1] = 0
	s.items = s.items[:n-1]
	return x, true
}

// CopyStack is a stack without locks: a word leads to a slice that is never written.
type CopyStack struct{ items atomic.Pointer[[]int] }

func NewCopyStack() *CopyStack {
	s := &CopyStack{}
	s.items.Store(new([]int))
	return s
}

func (s *CopyStack) Push(x int) {
	for {
		old := s.items.Load()
		next := append(append(make([]int, 0, len(*old)+1), *old...), x)
		if s.items.CompareAndSwap(old, &next) {
			return
		}
	}
}

func (s *CopyStack) Pop() (int, bool) {
	for {
		old := s.items.Load()
		n := len(*old)
		if n == 0 {
			return 0, false
		}
		next := append(make([]int, 0, n-1), (*old)[:n-1]...)
		if s.items.CompareAndSwap(old, &next) {
			return (*old)[n-1], true
		}
	}
}

// Deque is a doubly linked list under one lock.
type Deque struct {
	mu   sync.Mutex
	ring link
}

type link struct {
	item       int
	next, prev *link
}

func NewDeque() *Deque {
	d := &Deque{}
	d.ring.next, d.ring.prev = &d.ring, &d.ring
	return d
}

func (d *Deque) insert(x int, before *link) {
	n := &link{item: x, next: before, prev: before.prev}
	n.prev.next, before.prev = n, n
}

func (d *Deque) remove(n *link) (int, bool) {
	if n == &d.ring {
		return 0, false
	}
	n.prev.next, n.next.prev = n.next, n.prev
	return n.item, true
}

func (d *Deque) PushFront(x int) {
	d.mu.Lock()
	d.insert(x, d.ring.next)
	d.mu.Unlock()
}

func (d *Deque) PushBack(x int) {
	d.mu.Lock()
	d.insert(x, &d.ring)
	d.mu.Unlock()
}

func (d *Deque) PopFront() (int, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.remove(d.ring.next)
}

func (d *Deque) PopBack() (int, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.remove(d.ring.prev)
}

// Buckets is a hash set of two buckets with a lock each.
type Buckets struct {
	locks [4]sync.Mutex
	table [4][]int
}

func NewBuckets() *Buckets { return &Buckets{} }

func (b *Buckets) at(x int) (bucket, place int) {
	bucket = x % 2
	for place < len(b.table[bucket]) && b.table[bucket][place] != x {
		place++
	}
	return bucket, place
}

func (b *Buckets) Add(x int) bool {
	b.locks[x%2].Lock()
	defer b.locks[x%2].Unlock()
	k, i := b.at(x)
	if i < len(b.table[k]) {
		return false
	}
	b.table[k] = append(b.table[k], x)
	return true
}

func (b *Buckets) Remove(x int) bool {
	b.locks[x%2].Lock()
	defer b.locks[x%2].Unlock()
	k, i := b.at(x)
	last := len(b.table[k]) - 1
	if i > last {
		return false
	}
	b.table[k][i] = b.table[k][last]
	b.table[k][last] = 0
	b.table[k] = b.table[k][:last]
	return true
}

func (b *Buckets) Contains(x int) bool {
	b.locks[x%2].Lock()
	defer b.locks[x%2].Unlock()
	k, i := b.at(x)
	return i < len(b.table[k])
}
