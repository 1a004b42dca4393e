package right

import (
	"runtime"
	"sync/atomic"
)

// A spin is a lock that is made of a word: 1 is taken.
type spin struct{ word atomic.Uint32 }

func (l *spin) Lock() {
	for !l.word.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
}

func (l *spin) Unlock() { l.word.Store(0) }

// Spun is a set under such a lock.
type Spun struct {
	lock spin
	here [4]bool
}

func NewSpun() *Spun { return &Spun{} }

func (s *Spun) put(x int, in bool) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	was := s.here[x]
	s.here[x] = in
	return was != in
}

func (s *Spun) Add(x int) bool    { return s.put(x, true) }
func (s *Spun) Remove(x int) bool { return s.put(x, false) }
func (s *Spun) Contains(x int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.here[x]
}

// Striped is a set of two halves, each under a lock of one word that is tested before it is set.
type Striped struct {
	taken [4]atomic.Bool
	here  [4]bool
}

func NewStriped() *Striped { return &Striped{} }

func (s *Striped) lock(x int) {
	for {
		for s.taken[x].Load() {
			runtime.Gosched()
		}
		if !s.taken[x].Swap(true) {
			return
		}
	}
}

func (s *Striped) Add(x int) bool {
	s.lock(x)
	defer s.taken[x].Store(false)
	was := s.here[x]
	s.here[x] = true
	return !was
}

func (s *Striped) Remove(x int) bool {
	s.lock(x)
	defer s.taken[x].Store(false)
	was := s.here[x]
	s.here[x] = false
	return was
}

func (s *Striped) Contains(x int) bool {
	s.lock(x)
	defer s.taken[x].Store(false)
	return s.here[x]
}

// The states of a place in a Mailbox.
const (
	empty = iota
	writing
	full
	reading
)

// Mailbox is a queue for one item: the state of its place says who may touch the item.
//
//pangolin:kind queue
//pangolin:protocol bounded(1)
type Mailbox struct {
	state atomic.Uint32
	item  int
}

func NewMailbox() *Mailbox { return &Mailbox{} }

// TryPut puts an item in, unless there is one.
func (m *Mailbox) TryPut(x int) bool {
	for {
		switch m.state.Load() {
		case empty:
			if m.state.CompareAndSwap(empty, writing) {
				m.item = x
				m.state.Store(full)
				return true
			}
		case full:
			return false
		}
		runtime.Gosched()
	}
}

// TryTake takes the item out, if there is one.
func (m *Mailbox) TryTake() (int, bool) {
	for {
		switch m.state.Load() {
		case full:
			if m.state.CompareAndSwap(full, reading) {
				x := m.item
				m.state.Store(empty)
				return x, true
			}
		case empty:
			return 0, false
		}
		runtime.Gosched()
	}
}

// Nodes is a set of numbers in cells, each with a lock of one word. A cell stays in the list for ever, and says whether its number is in the set.
type Nodes struct{ first atomic.Pointer[cellWithState] }

type cellWithState struct {
	key  int
	next *cellWithState
	lock spin
	in   bool
}

func NewNodes() *Nodes { return &Nodes{} }

func (s *Nodes) cell(x int) *cellWithState {
	for {
		first := s.first.Load()
		for c := first; c != nil; c = c.next {
			if c.key == x {
				return c
			}
		}
		s.first.CompareAndSwap(first, &cellWithState{key: x, next: first})
	}
}

func (s *Nodes) put(x int, in bool) bool {
	c := s.cell(x)
	c.lock.Lock()
	defer c.lock.Unlock()
	was := c.in
	c.in = in
	return was != in
}

func (s *Nodes) Add(x int) bool    { return s.put(x, true) }
func (s *Nodes) Remove(x int) bool { return s.put(x, false) }

func (s *Nodes) Contains(x int) bool {
	c := s.cell(x)
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.in
}

// Renewed is a set of numbers in one cell with a lock of one word. Remove puts a new cell in its place, under the lock of the old one.
type Renewed struct{ cell atomic.Pointer[box] }

type box struct {
	lock spin
	old  bool
	here [4]bool
}

func NewRenewed() *Renewed {
	s := &Renewed{}
	s.cell.Store(&box{})
	return s
}

func (s *Renewed) locked() *box {
	for {
		c := s.cell.Load()
		c.lock.Lock()
		if !c.old {
			return c
		}
		c.lock.Unlock()
	}
}

func (s *Renewed) Add(x int) bool {
	c := s.locked()
	defer c.lock.Unlock()
	was := c.here[x]
	c.here[x] = true
	return !was
}

func (s *Renewed) Remove(x int) bool {
	c := s.locked()
	defer c.lock.Unlock()
	if !c.here[x] {
		return false
	}
	n := &box{here: c.here}
	n.here[x] = false
	c.old = true
	s.cell.Store(n)
	return true
}

func (s *Renewed) Contains(x int) bool {
	c := s.locked()
	defer c.lock.Unlock()
	return c.here[x]
}

// Listed is a set of numbers in a Go map, which becomes shorter, under a lock of one word.
type Listed struct {
	lock spin
	here map[int]bool
}

func NewListed() *Listed { return &Listed{here: map[int]bool{}} }

func (s *Listed) Add(x int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	was := s.here[x]
	s.here[x] = true
	return !was
}

func (s *Listed) Remove(x int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	was := s.here[x]
	delete(s.here, x)
	return was
}

func (s *Listed) Contains(x int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.here[x]
}

// SPDX-License-Identifier: BSD-3-Clause
