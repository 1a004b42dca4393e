// SPDX-License-Identifier: BSD-3-Clause

// Package lines has queues, stacks and priority queues that are counted while others change them, or give items out of order.
package lines

import (
	"sync"
	"sync/atomic"
)

// Ring is a ring for one who puts and one who takes. Len reads where it begins before it reads where it ends.
//
//pangolin:kind queue
//pangolin:protocol bounded(2)
//pangolin:roles Put:1,Take:2
//pangolin:overlaps Len:between
type Ring struct {
	buf        [2]int
	head, tail atomic.Int64
}

func (r *Ring) Put(v int) bool {
	t := r.tail.Load()
	if t-r.head.Load() == 2 {
		return false
	}
	r.buf[t%2] = v
	r.tail.Store(t + 1)
	return true
}

func (r *Ring) Take() (v int, ok bool) {
	h := r.head.Load()
	if h == r.tail.Load() {
		return 0, false
	}
	v = r.buf[h%2]
	r.head.Store(h + 1)
	return v, true
}

func (r *Ring) Len() int {
	h := r.head.Load()
	return int(min(r.tail.Load()-h, 2))
}

// Negative reads where it ends first: the beginning may be behind that when it is read.
//
//pangolin:kind queue
//pangolin:protocol bounded(2)
//pangolin:roles Put:1,Take:2
//pangolin:overlaps Len:between
type Negative struct{ Ring }

func (r *Negative) Len() int {
	t := r.tail.Load()
	return int(t - r.head.Load())
}

// Logged publishes its length before the change that this does not count.
//
//pangolin:kind queue
//pangolin:overlaps Len:stale(1)
type Logged struct {
	mu    sync.Mutex
	lines []int
	last  int
}

func (l *Logged) Put(line int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = len(l.lines)
	l.lines = append(l.lines, line)
}

func (l *Logged) Take() (line int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == 0 {
		return 0, false
	}
	l.last = len(l.lines)
	line, l.lines = l.lines[0], l.lines[1:]
	return line, true
}

func (l *Logged) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// Forgetful does not publish where it puts.
//
//pangolin:kind queue
//pangolin:overlaps Len:stale(1)
type Forgetful struct{ Logged }

func (l *Forgetful) Put(line int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

// lanes are n queues; who puts and who takes changes lanes each time, and looks into the others where there is nothing.
type lanes struct {
	mu      sync.Mutex
	lanes   [][]int
	in, out int
}

func (l *lanes) Put(v int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lanes[l.in] = append(l.lanes[l.in], v)
	l.in = (l.in + 1) % len(l.lanes)
}

func (l *lanes) Take() (v int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range l.lanes {
		l.out = (l.out + len(l.lanes) - 1) % len(l.lanes)
		if lane := &l.lanes[l.out]; len(*lane) > 0 {
			v, *lane = (*lane)[0], (*lane)[1:]
			return v, true
		}
	}
	return 0, false
}

// Two has two lanes, whose first items are among the two oldest.
//
//pangolin:kind queue
//pangolin:overlaps Take:within(2)
type Two struct{ lanes }

func NewTwo() *Two { return &Two{lanes{lanes: make([][]int, 2)}} }

// Three has three lanes.
//
//pangolin:kind queue
//pangolin:overlaps Take:within(2)
type Three struct{ lanes }

func NewThree() *Three { return &Three{lanes{lanes: make([][]int, 3)}} }

// Held is a stack that holds back what was pushed last, until something else is pushed or nothing else is left.
//
//pangolin:kind stack
//pangolin:overlaps Pop:within(2)
type Held struct {
	mu    sync.Mutex
	items []int
	held  []int
}

// push pushes an item and holds back the last n.
func (s *Held) push(v, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held = append(s.held, v); len(s.held) > n {
		s.items, s.held = append(s.items, s.held[0]), s.held[1:]
	}
}

func (s *Held) Push(v int) { s.push(v, 1) }

func (s *Held) Pop() (v int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := &s.items
	if len(*from) == 0 {
		from = &s.held
	}
	if n := len(*from); n > 0 {
		v, *from = (*from)[n-1], (*from)[:n-1]
		return v, true
	}
	return 0, false
}

// HeldTwo holds back two.
//
//pangolin:kind stack
//pangolin:overlaps Pop:within(2)
type HeldTwo struct{ Held }

func (s *HeldTwo) Push(v int) { s.push(v, 2) }

// Buffered is a priority queue whose youngest item is in no order: it is taken when there is no other.
//
//pangolin:kind pqueue
//pangolin:overlaps Take:within(2)
type Buffered struct {
	mu     sync.Mutex
	sorted []int
	young  []int
}

func (q *Buffered) put(v, n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.young = append(q.young, v); len(q.young) > n {
		v, q.young = q.young[0], q.young[1:]
		at := 0
		for at < len(q.sorted) && q.sorted[at] < v {
			at++
		}
		q.sorted = append(q.sorted[:at], append([]int{v}, q.sorted[at:]...)...)
	}
}

func (q *Buffered) Put(v int) { q.put(v, 1) }

func (q *Buffered) Take() (v int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	from := &q.sorted
	if len(*from) == 0 {
		from = &q.young
	}
	if len(*from) == 0 {
		return 0, false
	}
	v, *from = (*from)[0], (*from)[1:]
	return v, true
}

// BufferedTwo leaves out the two youngest.
//
//pangolin:kind pqueue
//pangolin:overlaps Take:within(2)
type BufferedTwo struct{ Buffered }

func (q *BufferedTwo) Put(v int) { q.put(v, 2) }
