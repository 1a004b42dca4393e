// SPDX-License-Identifier: BSD-3-Clause

// Package chains has cells that lead to each other, and what has to be true of them.
package chains

import (
	"sync"
	"sync/atomic"
)

type cell struct {
	key  int
	next *cell
}

// Sorted inserts a key by one write, in its place. Its keys ascend in every state, so that no cell is reached twice.
type Sorted struct {
	mu   sync.Mutex
	head *cell
}

// at is the link to the first cell whose key is not less.
func (s *Sorted) at(key int) **cell {
	at := &s.head
	for *at != nil && (*at).key < key {
		at = &(*at).next
	}
	return at
}

func (s *Sorted) Add(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.at(key)
	if *at != nil && (*at).key == key {
		return false
	}
	*at = &cell{key, *at}
	return true
}

func (s *Sorted) Remove(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.at(key)
	if *at == nil || (*at).key != key {
		return false
	}
	*at = (*at).next
	return true
}

func (s *Sorted) Contains(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := *s.at(key)
	return c != nil && c.key == key
}

//pangolin:invariant always
func (s *Sorted) ascending() bool {
	for c := s.head; c != nil && c.next != nil; c = c.next {
		if c.key >= c.next.key {
			return false
		}
	}
	return true
}

// Overwritten removes a key by copying the next cell over its own: for a moment the next key is there twice.
type Overwritten struct{ Sorted }

func (s *Overwritten) Remove(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.at(key)
	if c := *at; c == nil || c.key != key {
		return false
	} else if c.next == nil {
		*at = nil
	} else {
		c.key = c.next.key
		c.next = c.next.next
	}
	return true
}

// Sized counts its cells in the critical section.
type Sized struct {
	Sorted
	size int
}

func (s *Sized) Add(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.at(key)
	if *at != nil && (*at).key == key {
		return false
	}
	*at = &cell{key, *at}
	s.size++
	return true
}

func (s *Sized) Remove(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.at(key)
	if *at == nil || (*at).key != key {
		return false
	}
	*at = (*at).next
	s.size--
	return true
}

//pangolin:invariant
func (s *Sized) counted() bool { return s.size == length(s.head) }

func length(c *cell) (n int) {
	for ; c != nil; c = c.next {
		n++
	}
	return n
}

// Recounted counts them behind it, so that a later call may be overtaken by an earlier one.
type Recounted struct {
	Sorted
	size int
}

func (s *Recounted) Add(key int) bool {
	added := s.Sorted.Add(key)
	s.recount()
	return added
}

func (s *Recounted) Remove(key int) bool {
	removed := s.Sorted.Remove(key)
	s.recount()
	return removed
}

func (s *Recounted) recount() {
	s.mu.Lock()
	n := length(s.head)
	s.mu.Unlock()
	s.mu.Lock()
	s.size = n
	s.mu.Unlock()
}

//pangolin:invariant
func (s *Recounted) counted() bool { return s.size == length(s.head) }

type node struct {
	item int
	next atomic.Pointer[node]
}

// acyclic reports whether a chain has an end, which is less than eight nodes away here.
func acyclic(n *node) bool {
	for range 8 {
		if n == nil {
			return true
		}
		n = n.next.Load()
	}
	return false
}

// Treiber is Treiber's stack. Its chain has an end in every state.
type Treiber struct{ top atomic.Pointer[node] }

func (s *Treiber) Push(item int) {
	for n := (&node{item: item}); ; {
		top := s.top.Load()
		n.next.Store(top)
		if s.top.CompareAndSwap(top, n) {
			return
		}
	}
}

func (s *Treiber) Pop() (int, bool) {
	for {
		top := s.top.Load()
		if top == nil {
			return 0, false
		}
		if s.top.CompareAndSwap(top, top.next.Load()) {
			return top.item, true
		}
	}
}

//pangolin:invariant always
func (s *Treiber) ends() bool { return acyclic(s.top.Load()) }

// Announced links a node when it is the top already; until then the node leads to itself, and Pop waits.
type Announced struct{ Treiber }

func (s *Announced) Push(item int) {
	n := &node{item: item}
	n.next.Store(n)
	n.next.Store(s.top.Swap(n))
}

func (s *Announced) Pop() (int, bool) {
	for {
		top := s.top.Load()
		if top == nil {
			return 0, false
		}
		if next := top.next.Load(); next != top && s.top.CompareAndSwap(top, next) {
			return top.item, true
		}
	}
}

// Lagging is the queue of Michael and Scott. Its tail is never more than one node behind the last.
//
//pangolin:kind queue
type Lagging struct{ head, tail atomic.Pointer[node] }

func NewLagging() *Lagging {
	q, n := &Lagging{}, &node{}
	q.head.Store(n)
	q.tail.Store(n)
	return q
}

func (q *Lagging) Put(item int) {
	n := &node{item: item}
	for {
		tail := q.tail.Load()
		if next := tail.next.Load(); next != nil {
			q.tail.CompareAndSwap(tail, next)
		} else if tail.next.CompareAndSwap(nil, n) {
			q.tail.CompareAndSwap(tail, n)
			return
		}
	}
}

func (q *Lagging) Take() (int, bool) {
	for {
		head, tail := q.head.Load(), q.tail.Load()
		next := head.next.Load()
		switch {
		case next == nil:
			return 0, false
		case head == tail:
			q.tail.CompareAndSwap(tail, next)
		case q.head.CompareAndSwap(head, next):
			return next.item, true
		}
	}
}

//pangolin:invariant always
func (q *Lagging) close() bool {
	next := q.tail.Load().next.Load()
	return next == nil || next.next.Load() == nil
}

// Behind leaves the tail to whoever comes to it with nothing in front of it: it falls back.
//
//pangolin:kind queue
type Behind struct{ Lagging }

func NewBehind() *Behind {
	q, n := &Behind{}, &node{}
	q.head.Store(n)
	q.tail.Store(n)
	return q
}

func (q *Behind) Put(item int) {
	n := &node{item: item}
	for at := q.tail.Load(); ; at = at.next.Load() {
		if at.next.CompareAndSwap(nil, n) {
			return
		}
	}
}

// Linked is a list in both directions, with a guard. Where no call is in progress each cell is the one before the one behind it.
//
//pangolin:kind queue
type Linked struct {
	mu    sync.Mutex
	guard link
}

type link struct {
	item       int
	prev, next *link
}

func NewLinked() *Linked {
	var l Linked
	l.guard.prev, l.guard.next = &l.guard, &l.guard
	return &l
}

func (l *Linked) Put(item int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := &link{item, l.guard.prev, &l.guard}
	c.prev.next, c.next.prev = c, c
}

func (l *Linked) Take() (int, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.guard.next
	if c == &l.guard {
		return 0, false
	}
	l.guard.next, c.next.prev = c.next, &l.guard
	return c.item, true
}

//pangolin:invariant
func (l *Linked) agree() bool {
	for c := &l.guard; ; {
		if c.next.prev != c {
			return false
		}
		if c = c.next; c == &l.guard {
			return true
		}
	}
}

// OneWay forgets the way back when it takes, which no Take sees.
//
//pangolin:kind queue
type OneWay struct{ Linked }

func NewOneWay() *OneWay {
	var l OneWay
	l.guard.prev, l.guard.next = &l.guard, &l.guard
	return &l
}

func (l *OneWay) Take() (int, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.guard.next
	if c == &l.guard {
		return 0, false
	}
	l.guard.next = c.next
	if c.next == &l.guard {
		l.guard.prev = &l.guard
	}
	return c.item, true
}
