// Package progress holds collections whose results are right and whose calls do not return, or do so for a reason that a proof has to
// find.
package progress

import (
	"runtime"
	"sync"
	"sync/atomic"
)

type cell struct {
	value int
	next  *cell
}

// Crossed takes two locks, Push and Pop in different orders.
type Crossed struct {
	a, b sync.Mutex
	top  *cell
}

func (s *Crossed) Push(x int) {
	s.a.Lock()
	s.b.Lock()
	s.top = &cell{x, s.top}
	s.b.Unlock()
	s.a.Unlock()
}

func (s *Crossed) Pop() (int, bool) {
	s.b.Lock()
	s.a.Lock()
	defer s.b.Unlock()
	defer s.a.Unlock()
	n := s.top
	if n == nil {
		return 0, false
	}
	s.top = n.next
	return n.value, true
}

// Nested takes two locks, always in one order.
type Nested struct {
	a, b sync.Mutex
	top  *cell
}

func (s *Nested) Push(x int) {
	s.a.Lock()
	s.b.Lock()
	s.top = &cell{x, s.top}
	s.b.Unlock()
	s.a.Unlock()
}

func (s *Nested) Pop() (int, bool) {
	s.a.Lock()
	defer s.a.Unlock()
	s.b.Lock()
	defer s.b.Unlock()
	n := s.top
	if n == nil {
		return 0, false
	}
	s.top = n.next
	return n.value, true
}

type guarded struct {
	value int
	next  *guarded
	mu    sync.Mutex
}

// Kept does not give back the lock of a cell that it has taken out, and others may wait for that.
type Kept struct{ top atomic.Pointer[guarded] }

func (s *Kept) Push(x int) {
	c := &guarded{value: x}
	for {
		c.next = s.top.Load()
		if s.top.CompareAndSwap(c.next, c) {
			return
		}
	}
}

func (s *Kept) Pop() (int, bool) {
	for {
		n := s.top.Load()
		if n == nil {
			return 0, false
		}
		n.mu.Lock()
		if s.top.CompareAndSwap(n, n.next) {
			return n.value, true
		}
		n.mu.Unlock()
	}
}

// Polled takes its lock again and again until there is something.
type Polled struct {
	mu  sync.Mutex
	top *cell
}

func (s *Polled) Push(x int) {
	s.mu.Lock()
	s.top = &cell{x, s.top}
	s.mu.Unlock()
}

func (s *Polled) Pop() (int, bool) {
	for {
		s.mu.Lock()
		if n := s.top; n != nil {
			s.top = n.next
			s.mu.Unlock()
			return n.value, true
		}
		s.mu.Unlock()
	}
}

// Spun waits under its lock until there is something, which nobody can put there.
type Spun struct {
	mu  sync.Mutex
	top atomic.Pointer[cell]
}

func (s *Spun) Push(x int) {
	s.mu.Lock()
	s.top.Store(&cell{x, s.top.Load()})
	s.mu.Unlock()
}

func (s *Spun) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.top.Load() == nil {
		runtime.Gosched()
	}
	n := s.top.Load()
	s.top.Store(n.next)
	return n.value, true
}

// Never goes round without end when the compare-and-swap of a push has failed.
type Never struct{ top atomic.Pointer[cell] }

func (s *Never) Push(x int) {
	c := &cell{value: x}
	c.next = s.top.Load()
	for !s.top.CompareAndSwap(c.next, c) {
	}
}

func (s *Never) Pop() (int, bool) {
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

// Dueling writes its operation's number first and goes on only if nobody has written another one: two calls can keep each other for ever.
type Dueling struct {
	top  atomic.Pointer[cell]
	turn atomic.Int32
}

func (s *Dueling) Push(x int) {
	c := &cell{value: x}
	for {
		s.turn.Store(1)
		c.next = s.top.Load()
		if s.turn.Load() == 1 && s.top.CompareAndSwap(c.next, c) {
			return
		}
	}
}

func (s *Dueling) Pop() (int, bool) {
	for {
		s.turn.Store(2)
		n := s.top.Load()
		if n == nil {
			return 0, false
		}
		if s.turn.Load() == 2 && s.top.CompareAndSwap(n, n.next) {
			return n.value, true
		}
	}
}

// Flagged has a lock that is a word: who has set it to 1 holds it.
type Flagged struct {
	held atomic.Int32
	top  atomic.Pointer[cell]
}

func (s *Flagged) lock() {
	for !s.held.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
}

func (s *Flagged) Push(x int) {
	s.lock()
	c := &cell{value: x}
	for {
		c.next = s.top.Load()
		if s.top.CompareAndSwap(c.next, c) {
			break
		}
	}
	s.held.Store(0)
}

func (s *Flagged) Pop() (int, bool) {
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
