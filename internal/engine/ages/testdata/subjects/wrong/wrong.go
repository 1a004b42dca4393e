// SPDX-License-Identifier: BSD-3-Clause

// Package wrong has sets whose cells are put in front, each of which goes wrong.
package wrong

import "sync/atomic"

// The states of a cell.
const (
	adding = iota
	removing
	present
	invalid
)

type cell struct {
	item  int
	state atomic.Int32
	next  atomic.Pointer[cell]
}

type front = atomic.Pointer[cell]

func enlist(head *front, x int, state int32) *cell {
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

func absentBehind(n *cell) bool {
	pred := n
	for c := pred.next.Load(); c != nil; {
		switch state := c.state.Load(); {
		case state == invalid:
			c = skip(pred, c)
		case c.item != n.item:
			pred, c = c, c.next.Load()
		default:
			return state == removing
		}
	}
	return true
}

func removeBehind(n *cell) bool {
	pred := n
	for c := pred.next.Load(); c != nil; {
		switch state := c.state.Load(); {
		case state == invalid:
			c = skip(pred, c)
		case c.item != n.item:
			pred, c = c, c.next.Load()
		case state == removing:
			return false
		case state == present:
			c.state.Store(invalid)
			return true
		case c.state.CompareAndSwap(adding, removing):
			return true
		}
	}
	return false
}

func skip(pred, c *cell) *cell {
	next := c.next.Load()
	pred.next.Store(next)
	return next
}

func add(head *front, x int) bool {
	c := enlist(head, x, adding)
	absent := absentBehind(c)
	confirm(c, absent)
	return absent
}

func confirm(c *cell, absent bool) {
	became := int32(invalid)
	if absent {
		became = present
	}
	if !c.state.CompareAndSwap(adding, became) {
		removeBehind(c)
		c.state.Store(invalid)
	}
}

func remove(head *front, x int) bool {
	c := enlist(head, x, removing)
	found := removeBehind(c)
	c.state.Store(invalid)
	return found
}

func contains(head *front, x int) bool {
	for c := head.Load(); c != nil; c = c.next.Load() {
		if c.item != x {
			continue
		}
		switch c.state.Load() {
		case adding, present:
			return true
		case removing:
			return false
		}
	}
	return false
}

// Stale links a cell in whose link is from another look at the head.
type Stale struct{ head front }

func (s *Stale) Add(x int) bool {
	c := &cell{item: x}
	c.next.Store(s.head.Load())
	for !s.head.CompareAndSwap(s.head.Load(), c) {
	}
	absent := absentBehind(c)
	confirm(c, absent)
	return absent
}
func (s *Stale) Remove(x int) bool   { return remove(&s.head, x) }
func (s *Stale) Contains(x int) bool { return contains(&s.head, x) }

// Passes takes out cells of which a Remove has not finished.
type Passes struct{ head front }

func (s *Passes) Add(x int) bool { return add(&s.head, x) }
func (s *Passes) Remove(x int) bool {
	c := enlist(&s.head, x, removing)
	if first := c.next.Load(); first != nil && first.state.Load() != present {
		skip(c, first)
	}
	found := removeBehind(c)
	c.state.Store(invalid)
	return found
}
func (s *Passes) Contains(x int) bool { return contains(&s.head, x) }

// Again makes a cell count that was removed.
type Again struct{ head front }

func (s *Again) Add(x int) bool {
	c := enlist(&s.head, x, adding)
	absent := absentBehind(c)
	if absent {
		c.state.Store(present)
		return true
	}
	c.state.CompareAndSwap(adding, invalid)
	return false
}
func (s *Again) Remove(x int) bool   { return remove(&s.head, x) }
func (s *Again) Contains(x int) bool { return contains(&s.head, x) }

// Leaves does not remove behind its cell when it was itself removed.
type Leaves struct{ head front }

func (s *Leaves) Add(x int) bool {
	c := enlist(&s.head, x, adding)
	absent := absentBehind(c)
	became := int32(invalid)
	if absent {
		became = present
	}
	if !c.state.CompareAndSwap(adding, became) {
		c.state.Store(invalid)
	}
	return absent
}
func (s *Leaves) Remove(x int) bool   { return remove(&s.head, x) }
func (s *Leaves) Contains(x int) bool { return contains(&s.head, x) }

// Unmarked does not mark what its Remove has found.
type Unmarked struct{ head front }

func (s *Unmarked) Add(x int) bool { return add(&s.head, x) }
func (s *Unmarked) Remove(x int) bool {
	c := enlist(&s.head, x, removing)
	found := !absentBehind(c)
	c.state.Store(invalid)
	return found
}
func (s *Unmarked) Contains(x int) bool { return contains(&s.head, x) }

// Early makes its cell count no more before it removes what is behind it.
type Early struct{ head front }

func (s *Early) Add(x int) bool { return add(&s.head, x) }
func (s *Early) Remove(x int) bool {
	c := enlist(&s.head, x, removing)
	c.state.Store(invalid)
	return removeBehind(c)
}
func (s *Early) Contains(x int) bool { return contains(&s.head, x) }

// Late looks for its item behind its cell when it has confirmed it.
type Late struct{ head front }

func (s *Late) Add(x int) bool {
	c := enlist(&s.head, x, present)
	absent := absentBehind(c)
	if !absent {
		c.state.Store(invalid)
	}
	return absent
}
func (s *Late) Remove(x int) bool   { return remove(&s.head, x) }
func (s *Late) Contains(x int) bool { return contains(&s.head, x) }

// Blind does not see cells that nobody has confirmed.
type Blind struct{ head front }

func (s *Blind) Add(x int) bool    { return add(&s.head, x) }
func (s *Blind) Remove(x int) bool { return remove(&s.head, x) }
func (s *Blind) Contains(x int) bool {
	for c := s.head.Load(); c != nil; c = c.next.Load() {
		if c.item == x && c.state.Load() == present {
			return true
		}
	}
	return false
}

// Second looks from the second cell on.
type Second struct{ head front }

func (s *Second) Add(x int) bool    { return add(&s.head, x) }
func (s *Second) Remove(x int) bool { return remove(&s.head, x) }
func (s *Second) Contains(x int) bool {
	c := s.head.Load()
	return c != nil && contains(&c.next, x)
}

// Back links a cell to itself.
type Back struct{ head front }

func (s *Back) Add(x int) bool {
	c := enlist(&s.head, x, adding)
	absent := absentBehind(c)
	confirm(c, absent)
	if !absent {
		c.next.Store(c)
	}
	return absent
}
func (s *Back) Remove(x int) bool   { return remove(&s.head, x) }
func (s *Back) Contains(x int) bool { return contains(&s.head, x) }

// Pops takes the first cell out when it does not count.
type Pops struct{ head front }

func (s *Pops) Add(x int) bool { return add(&s.head, x) }
func (s *Pops) Remove(x int) bool {
	found := remove(&s.head, x)
	if c := s.head.Load(); c != nil && c.state.Load() == invalid {
		s.head.Store(c.next.Load())
	}
	return found
}
func (s *Pops) Contains(x int) bool { return contains(&s.head, x) }

// Reads reads a state that others write, and not atomically.
type Reads struct{ head atomic.Pointer[open] }

type open struct {
	item  int
	state int
	next  atomic.Pointer[open]
}

func (s *Reads) put(x, state int) *open {
	c := &open{item: x, state: state}
	for {
		first := s.head.Load()
		c.next.Store(first)
		if s.head.CompareAndSwap(first, c) {
			return c
		}
	}
}

func (s *Reads) Add(x int) bool {
	c := s.put(x, present)
	for d := c.next.Load(); d != nil; d = d.next.Load() {
		if d.item == x {
			return d.state != present
		}
	}
	return true
}

func (s *Reads) Remove(x int) bool {
	c := s.put(x, present)
	c.state = removing
	for d := c.next.Load(); d != nil; d = d.next.Load() {
		if d.item == x {
			return d.state == present
		}
	}
	return false
}

func (s *Reads) Contains(x int) bool {
	for d := s.head.Load(); d != nil; d = d.next.Load() {
		if d.item == x {
			return d.state == present
		}
	}
	return false
}

// Doubles adds its item twice.
type Doubles struct{ head front }

func (s *Doubles) Add(x int) bool {
	absent := add(&s.head, x)
	if absent {
		add(&s.head, x)
	}
	return absent
}
func (s *Doubles) Remove(x int) bool   { return remove(&s.head, x) }
func (s *Doubles) Contains(x int) bool { return contains(&s.head, x) }
