// SPDX-License-Identifier: BSD-3-Clause

// Package subjects has sets whose cells are put in front, with one thing each that the checker has to execute or to refuse.
package subjects

import "sync/atomic"

// The states of a cell.
const (
	in = iota + 1
	out
)

type cell struct {
	item  int
	state atomic.Int64
	next  atomic.Pointer[cell]
}

// Boxed keeps its new cell in another one, which leads to it before and behind the step that links it in.
type Boxed struct{ head atomic.Pointer[cell] }

type box struct {
	what *cell
	back *box
}

func (s *Boxed) put(x int, state int64) *cell {
	b := &box{what: &cell{item: x}}
	b.back = b
	b.back.what.state.Store(state)
	for {
		first := s.head.Load()
		b.back.back.what.next.Store(first)
		if s.head.CompareAndSwap(first, b.what) {
			return b.back.what
		}
	}
}

// behind is the state of the first cell behind one with its item; 0 if there is none.
func behind(c *cell) int64 {
	for d := c.next.Load(); d != nil; d = d.next.Load() {
		if d.item == c.item {
			return d.state.Load()
		}
	}
	return 0
}

func contains(head *atomic.Pointer[cell], x int) bool {
	for c := head.Load(); c != nil; c = c.next.Load() {
		if c.item == x {
			return c.state.Load() == in
		}
	}
	return false
}

func (s *Boxed) Add(x int) bool      { return behind(s.put(x, in)) != in }
func (s *Boxed) Remove(x int) bool   { return behind(s.put(x, out)) == in }
func (s *Boxed) Contains(x int) bool { return contains(&s.head, x) }

// Leaks is Boxed, but links a cell in that leads to one which nobody else knows.
type Leaks struct{ head atomic.Pointer[cell] }

func (s *Leaks) put(x int, state int64) *cell {
	c := &cell{item: x}
	c.state.Store(state)
	for {
		first := s.head.Load()
		d := &cell{item: x}
		d.next.Store(first)
		c.next.Store(d)
		if s.head.CompareAndSwap(first, c) {
			return c
		}
	}
}

func (s *Leaks) Add(x int) bool      { return behind(s.put(x, in)) != in }
func (s *Leaks) Remove(x int) bool   { return behind(s.put(x, out)) == in }
func (s *Leaks) Contains(x int) bool { return contains(&s.head, x) }

// Doubles links a cell in twice: its item may be seen in an order in which it was not put there.
type Doubles struct{ head atomic.Pointer[cell] }

func (s *Doubles) put(x int, state int64) *cell {
	c := &cell{item: x}
	c.state.Store(state)
	for range 2 {
		for {
			first := s.head.Load()
			c.next.Store(first)
			if s.head.CompareAndSwap(first, c) {
				break
			}
		}
	}
	return c
}

func (s *Doubles) Add(x int) bool      { return behind(s.put(x, in)) != in }
func (s *Doubles) Remove(x int) bool   { return behind(s.put(x, out)) == in }
func (s *Doubles) Contains(x int) bool { return contains(&s.head, x) }

// Renames writes the item of a cell that others may see.
type Renames struct{ head atomic.Pointer[cell] }

func (s *Renames) put(x int, state int64) *cell {
	c := &cell{}
	c.state.Store(state)
	for {
		first := s.head.Load()
		c.next.Store(first)
		if s.head.CompareAndSwap(first, c) {
			c.item = x
			return c
		}
	}
}

func (s *Renames) Add(x int) bool      { return behind(s.put(x, in)) != in }
func (s *Renames) Remove(x int) bool   { return behind(s.put(x, out)) == in }
func (s *Renames) Contains(x int) bool { return contains(&s.head, x) }

// Compares looks at the order of items.
type Compares struct{ head atomic.Pointer[cell] }

func (s *Compares) Add(x int) bool    { return behind(put(&s.head, x, in)) != in }
func (s *Compares) Remove(x int) bool { return behind(put(&s.head, x, out)) == in }
func (s *Compares) Contains(x int) bool {
	for c := s.head.Load(); c != nil; c = c.next.Load() {
		if c.item <= x {
			return c.state.Load() == in
		}
	}
	return false
}

func put(head *atomic.Pointer[cell], x int, state int64) *cell {
	c := &cell{item: x}
	c.state.Store(state)
	for {
		first := head.Load()
		c.next.Store(first)
		if head.CompareAndSwap(first, c) {
			return c
		}
	}
}

// Zero treats one item in its own way: it is the value that is followed, or another one.
type Zero struct{ head atomic.Pointer[cell] }

func (s *Zero) Add(x int) bool {
	if x == 0 {
		return true
	}
	return behind(put(&s.head, x, in)) != in
}
func (s *Zero) Remove(x int) bool   { return behind(put(&s.head, x, out)) == in }
func (s *Zero) Contains(x int) bool { return contains(&s.head, x) }

// Guesses returns what was right, but not in its call.
type Guesses struct {
	head atomic.Pointer[cell]
}

func (s *Guesses) Add(x int) bool    { return behind(put(&s.head, x, in)) != in }
func (s *Guesses) Remove(x int) bool { return behind(put(&s.head, x, out)) == in }
func (s *Guesses) Contains(x int) bool {
	c := s.head.Load()
	for ; c != nil && c.item != x; c = c.next.Load() {
	}
	return c != nil // a cell with the item was there once
}

// Quick looks behind its cell before it links that in: if nobody was faster nothing has changed. So the last step of its calls is a write.
type Quick struct{ head atomic.Pointer[cell] }

func (s *Quick) put(x int, state int64) int64 {
	c := &cell{item: x}
	c.state.Store(state)
	for {
		first := s.head.Load()
		c.next.Store(first)
		was := int64(0)
		for d := first; d != nil; d = d.next.Load() {
			if d.item == x {
				was = d.state.Load()
				break
			}
		}
		if s.head.CompareAndSwap(first, c) {
			return was
		}
	}
}

func (s *Quick) Add(x int) bool      { return s.put(x, in) != in }
func (s *Quick) Remove(x int) bool   { return s.put(x, out) == in }
func (s *Quick) Contains(x int) bool { return contains(&s.head, x) }

// Takes removes an item where it is only asked for it.
type Takes struct{ head atomic.Pointer[cell] }

func (s *Takes) Add(x int) bool      { return behind(put(&s.head, x, in)) != in }
func (s *Takes) Remove(x int) bool   { return behind(put(&s.head, x, out)) == in }
func (s *Takes) Contains(x int) bool { return behind(put(&s.head, x, out)) == in }

// Insists adds an item twice, with a Remove between the two perhaps.
type Insists struct{ head atomic.Pointer[cell] }

func (s *Insists) Add(x int) bool {
	once := behind(put(&s.head, x, in)) != in
	twice := behind(put(&s.head, x, in)) != in
	return once || twice
}
func (s *Insists) Remove(x int) bool   { return behind(put(&s.head, x, out)) == in }
func (s *Insists) Contains(x int) bool { return contains(&s.head, x) }

// Follows goes on where a link that it has read before leads to nil.
type Follows struct{ head atomic.Pointer[cell] }

func (s *Follows) Add(x int) bool    { return behind(put(&s.head, x, in)) != in }
func (s *Follows) Remove(x int) bool { return behind(put(&s.head, x, out)) == in }
func (s *Follows) Contains(x int) bool {
	c := s.head.Load()
	for c.item != x {
		c = c.next.Load()
	}
	return c.state.Load() == in
}
