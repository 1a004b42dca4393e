// Package wrong holds collections that are faulty, or of which the prover would have to know
// more than it does. Each is named after the corner that it looks into.
package wrong

import (
	"sync"
	"sync/atomic"
)

type cell struct {
	value int
	next  *cell
}

// SameValue: Peek-like Pop of an empty stack stores, without the lock, what is there already.
type SameValue struct {
	mu  sync.Mutex
	top *cell
}

func (s *SameValue) Push(x int) {
	s.mu.Lock()
	s.top = &cell{x, s.top}
	s.mu.Unlock()
	s.note()
}

func (s *SameValue) note() {
	s.mu.Lock()
	n := s.top
	s.mu.Unlock()
	if n == nil {
		s.top = nil
	}
}

func (s *SameValue) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.top
	if n == nil {
		s.top = nil
		return 0, false
	}
	s.top = n.next
	return n.value, true
}

type narrow struct {
	key  int8
	end  int8
	next *narrow
}

// Narrowed keeps keys in fewer bits than they have.
type Narrowed struct {
	mu   sync.Mutex
	head *narrow
}

func NewNarrowed() *Narrowed { return &Narrowed{head: &narrow{end: -1, next: &narrow{end: 1}}} }

func (s *Narrowed) locate(x int8) (pred, curr *narrow) {
	pred = s.head
	curr = pred.next
	for curr.end < 0 || curr.end == 0 && curr.key < x {
		pred, curr = curr, curr.next
	}
	return pred, curr
}

func (s *Narrowed) Add(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	pred, curr := s.locate(int8(x))
	if curr.end == 0 && curr.key == int8(x) {
		return false
	}
	pred.next = &narrow{key: int8(x), next: curr}
	return true
}

func (s *Narrowed) Remove(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	pred, curr := s.locate(int8(x))
	if curr.end != 0 || curr.key != int8(x) {
		return false
	}
	pred.next = curr.next
	return true
}

func (s *Narrowed) Contains(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, curr := s.locate(int8(x))
	return curr.end == 0 && curr.key == int8(x)
}

// HiddenRace reads atomically behind a lock what another operation writes plainly under
// another lock.
type HiddenRace struct {
	a, b sync.Mutex
	seen int64
	top  *cell
}

func (s *HiddenRace) Push(x int) {
	s.a.Lock()
	s.top = &cell{x, s.top}
	s.a.Unlock()
	s.b.Lock()
	atomic.LoadInt64(&s.seen)
	s.b.Unlock()
}

func (s *HiddenRace) Pop() (int, bool) {
	s.a.Lock()
	defer s.a.Unlock()
	s.seen = 0
	n := s.top
	if n == nil {
		return 0, false
	}
	s.top = n.next
	return n.value, true
}

// Twice returns an item that it has not taken: the value of the next cell.
type Twice struct {
	mu  sync.Mutex
	top *cell
}

func (s *Twice) Push(x int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.top = &cell{x, s.top}
}

func (s *Twice) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.top
	if n == nil {
		return 0, false
	}
	s.top = n.next
	if n.next != nil {
		return n.next.value, true
	}
	return n.value, true
}

// Swapped overwrites the value of a cell that others may take.
type Swapped struct {
	mu  sync.Mutex
	top *cell
}

func (s *Swapped) Push(x int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.top != nil {
		x, s.top.value = s.top.value, x
	}
	s.top = &cell{x, s.top}
}

func (s *Swapped) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.top
	if n == nil {
		return 0, false
	}
	s.top = n.next
	return n.value, true
}

type link struct {
	value int
	next  atomic.Pointer[link]
}

// Recycled uses one spare cell again, so that a compare-and-swap may succeed although the stack
// has changed (ABA).
type Recycled struct {
	top, spare atomic.Pointer[link]
}

func (s *Recycled) Push(x int) {
	n := s.spare.Swap(nil)
	if n == nil {
		n = &link{}
	}
	n.value = x
	for {
		top := s.top.Load()
		n.next.Store(top)
		if s.top.CompareAndSwap(top, n) {
			return
		}
	}
}

func (s *Recycled) Pop() (int, bool) {
	for {
		top := s.top.Load()
		if top == nil {
			return 0, false
		}
		if s.top.CompareAndSwap(top, top.next.Load()) {
			x := top.value
			s.spare.Store(top)
			return x, true
		}
	}
}

// LateEmpty says "empty" for a moment that lies before its call: it remembers.
type LateEmpty struct {
	mu    sync.Mutex
	top   *cell
	empty atomic.Bool
}

func NewLateEmpty() *LateEmpty {
	s := new(LateEmpty)
	s.empty.Store(true)
	return s
}

func (s *LateEmpty) Push(x int) {
	s.mu.Lock()
	s.top = &cell{x, s.top}
	s.mu.Unlock()
}

func (s *LateEmpty) Pop() (int, bool) {
	if s.empty.Swap(false) {
		return 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.top
	if n == nil {
		s.empty.Store(true)
		return 0, false
	}
	s.top = n.next
	return n.value, true
}

// Doubled puts an item in twice.
type Doubled struct {
	mu  sync.Mutex
	top *cell
}

func (s *Doubled) Push(x int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.top = &cell{x, s.top}
	s.top = &cell{x, s.top}
}

func (s *Doubled) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.top
	if n == nil {
		return 0, false
	}
	s.top = n.next
	return n.value, true
}

// Frontal is a queue that is added to where it is taken from.
type Frontal struct {
	mu   sync.Mutex
	head *cell
}

func (q *Frontal) Enqueue(x int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.head = &cell{x, q.head}
}

func (q *Frontal) Dequeue() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := q.head
	if n == nil {
		return 0, false
	}
	q.head = n.next
	return n.value, true
}

// Resigned is a queue whose Enqueue gives up if another one was faster, and says nothing.
type Resigned struct{ head, tail atomic.Pointer[place] }

type place struct {
	value int
	next  atomic.Pointer[place]
}

func NewResigned() *Resigned {
	q := new(Resigned)
	first := new(place)
	q.head.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Resigned) Enqueue(x int) {
	n := &place{value: x}
	for {
		last := q.tail.Load()
		if next := last.next.Load(); next != nil {
			q.tail.CompareAndSwap(last, next)
			continue
		}
		if last.next.CompareAndSwap(nil, n) {
			q.tail.CompareAndSwap(last, n)
		}
		return
	}
}

func (q *Resigned) Dequeue() (int, bool) {
	for {
		first, last := q.head.Load(), q.tail.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		if first == last {
			q.tail.CompareAndSwap(last, next)
			continue
		}
		if q.head.CompareAndSwap(first, next) {
			return next.value, true
		}
	}
}

// Restless makes cells for ever before it adds one.
type Restless struct {
	mu  sync.Mutex
	top *cell
}

// Push never returns.
func (s *Restless) Push(x int) {
	n := &cell{value: x}
	for n.next == nil {
		n = &cell{value: x}
	}
	s.mu.Lock()
	s.top = n
	s.mu.Unlock()
}

// Pop takes the first item.
func (s *Restless) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.top
	if n == nil {
		return 0, false
	}
	s.top = n.next
	return n.value, true
}

// Attempting reads a word plainly that another operation tries to swap. That never succeeds, and counts as a write for races
// all the same.
type Attempting struct {
	top    atomic.Pointer[cell2]
	closed int32
}

func (s *Attempting) Push(x int) {
	atomic.CompareAndSwapInt32(&s.closed, 1, 0)
	for {
		n := &cell2{value: x, next: s.top.Load()}
		if s.top.CompareAndSwap(n.next, n) {
			return
		}
	}
}

func (s *Attempting) Pop() (int, bool) {
	if s.closed == 1 {
		return 0, false
	}
	for {
		n := s.top.Load()
		if n == nil {
			return 0, false
		}
		if s.top.CompareAndSwap(n, n.next) {
			return n.value, true
		}
	}
}
