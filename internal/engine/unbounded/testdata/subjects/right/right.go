// Package right holds correct collections of which there is a proof.
package right

import (
	"sync"
	"sync/atomic"
)

type cell struct {
	value int
	next  *cell
}

// CoarseStack is a list under one lock.
type CoarseStack struct {
	mu  sync.Mutex
	top *cell
}

func (s *CoarseStack) Push(x int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.top = &cell{x, s.top}
}

func (s *CoarseStack) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.top == nil {
		return 0, false
	}
	x := s.top.value
	s.top = s.top.next
	return x, true
}

// CoarseQueue is a list under one lock whose ends are nil when it is empty.
type CoarseQueue struct {
	mu         sync.Mutex
	head, tail *cell
}

func (q *CoarseQueue) Enqueue(x int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := &cell{value: x}
	if q.tail == nil {
		q.head = n
	} else {
		q.tail.next = n
	}
	q.tail = n
}

func (q *CoarseQueue) Dequeue() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := q.head
	if n == nil {
		return 0, false
	}
	q.head = n.next
	if q.head == nil {
		q.tail = nil
	}
	return n.value, true
}

type link struct {
	value int
	next  atomic.Pointer[link]
}

// DGLMQueue is the queue of Doherty, Groves, Luchangco and Moir (FORTE 2004): Michael and
// Scott's, in which Dequeue looks at the tail only after it has moved the head, so that the head
// may pass the tail.
type DGLMQueue struct{ head, tail atomic.Pointer[link] }

func NewDGLMQueue() *DGLMQueue {
	q := new(DGLMQueue)
	first := new(link)
	q.head.Store(first)
	q.tail.Store(first)
	return q
}

func (q *DGLMQueue) Enqueue(x int) {
	n := &link{value: x}
	for {
		last := q.tail.Load()
		next := last.next.Load()
		if last != q.tail.Load() {
			continue
		}
		if next != nil {
			q.tail.CompareAndSwap(last, next)
			continue
		}
		if last.next.CompareAndSwap(nil, n) {
			q.tail.CompareAndSwap(last, n)
			return
		}
	}
}

func (q *DGLMQueue) Dequeue() (int, bool) {
	for {
		first := q.head.Load()
		next := first.next.Load()
		if first != q.head.Load() {
			continue
		}
		if next == nil {
			return 0, false
		}
		if q.head.CompareAndSwap(first, next) {
			if last := q.tail.Load(); last == first {
				q.tail.CompareAndSwap(last, next)
			}
			return next.value, true
		}
	}
}

type node struct {
	key    int
	end    int8 // -1 first, +1 last
	marked atomic.Bool
	next   atomic.Pointer[node]
}

func (n *node) before(x int) bool { return n.end < 0 || n.end == 0 && n.key < x }
func (n *node) is(x int) bool     { return n.end == 0 && n.key == x }

// HindsightSet is a lazy list whose updates take one lock, after O'Hearn, Rinetzky, Vechev,
// Yahav and Yorsh (PODC 2010).
type HindsightSet struct {
	mu   sync.Mutex
	head *node
}

func NewHindsightSet() *HindsightSet {
	first := &node{end: -1}
	first.next.Store(&node{end: 1})
	return &HindsightSet{head: first}
}

func (s *HindsightSet) locate(x int) (pred, curr *node) {
	pred = s.head
	curr = pred.next.Load()
	for curr.before(x) {
		pred, curr = curr, curr.next.Load()
	}
	return pred, curr
}

func (s *HindsightSet) Add(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	pred, curr := s.locate(x)
	if curr.is(x) {
		return false
	}
	n := &node{key: x}
	n.next.Store(curr)
	pred.next.Store(n)
	return true
}

func (s *HindsightSet) Remove(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	pred, curr := s.locate(x)
	if !curr.is(x) {
		return false
	}
	curr.marked.Store(true)
	pred.next.Store(curr.next.Load())
	return true
}

func (s *HindsightSet) Contains(x int) bool {
	_, curr := s.locate(x)
	return curr.is(x) && !curr.marked.Load()
}

type locked struct {
	mu    sync.Mutex
	value int
	next  *locked
}

// LockedStack links in cells that are locked, by who has made them.
type LockedStack struct {
	mu  sync.Mutex
	top *locked
}

func (s *LockedStack) Push(x int) {
	n := &locked{value: x}
	n.mu.Lock()
	s.mu.Lock()
	n.next = s.top
	s.top = n
	s.mu.Unlock()
	n.mu.Unlock()
}

func (s *LockedStack) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.top
	if n == nil {
		return 0, false
	}
	s.top = n.next
	return n.value, true
}
