// SPDX-License-Identifier: BSD-3-Clause

// Package right has sets whose cells are put in front and never move, and which are linearizable.
package right

import "sync/atomic"

// The states of a cell.
const (
	gone = iota
	in
	asked
	wanted
)

// cell has its words in another order than that of the collections.
type cell struct {
	next  atomic.Pointer[cell]
	state atomic.Int64
	key   int
}

// Kept takes no cell out: a Remove leaves all of them there.
type Kept struct{ front atomic.Pointer[cell] }

func NewKept() *Kept { return &Kept{} }

func put(front *atomic.Pointer[cell], x int, state int64) *cell {
	c := &cell{key: x}
	c.state.Store(state)
	for {
		c.next.Store(front.Load())
		if front.CompareAndSwap(c.next.Load(), c) {
			return c
		}
	}
}

// first is the first cell behind c that counts and has its key, with its state; nil if there is none.
func first(c *cell) (*cell, int64) {
	for d := c.next.Load(); d != nil; d = d.next.Load() {
		if d.key == c.key {
			if state := d.state.Load(); state != gone {
				return d, state
			}
		}
	}
	return nil, gone
}

// take makes the key of c absent behind it, and says whether it was there.
func take(c *cell) bool {
	for {
		d, state := first(c)
		switch {
		case d == nil || state == wanted:
			return false
		case state == in:
			d.state.Store(gone)
			return true
		case d.state.CompareAndSwap(asked, wanted):
			return true
		}
	}
}

func (k *Kept) Add(x int) bool {
	c := put(&k.front, x, asked)
	d, state := first(c)
	if d == nil || state == wanted {
		if !c.state.CompareAndSwap(asked, in) {
			take(c)
			c.state.Store(gone)
		}
		return true
	}
	if !c.state.CompareAndSwap(asked, gone) {
		take(c)
		c.state.Store(gone)
	}
	return false
}

func (k *Kept) Remove(x int) bool {
	c := put(&k.front, x, wanted)
	done := take(c)
	c.state.Store(gone)
	return done
}

// Has says whether x is there.
func (k *Kept) Has(x int) bool {
	for c := k.front.Load(); c != nil; c = c.next.Load() {
		if c.key == x {
			switch c.state.Load() {
			case in, asked:
				return true
			case wanted:
				return false
			}
		}
	}
	return false
}

// Marks never takes a cell out, nor marks one: the youngest cell with a key says whether it is there.
type Marks struct{ front atomic.Pointer[cell] }

func NewMarks() *Marks { return new(Marks) }

func (m *Marks) Add(x int) bool {
	_, state := first(put(&m.front, x, in))
	return state != in
}

func (m *Marks) Remove(x int) bool {
	_, state := first(put(&m.front, x, wanted))
	return state == in
}

func (m *Marks) Contains(x int) bool {
	for c := m.front.Load(); c != nil; c = c.next.Load() {
		if c.key == x {
			return c.state.Load() == in
		}
	}
	return false
}

// Revives makes cells of Removes count again, which harms nobody.
type Revives struct{ front atomic.Pointer[cell] }

func NewRevives() *Revives { return &Revives{} }

func (r *Revives) Add(x int) bool { return (*Kept)(r).Add(x) }

func (r *Revives) Remove(x int) bool {
	c := put(&r.front, x, wanted)
	done := take(c)
	c.state.Store(gone)
	c.state.Store(wanted)
	return done
}

func (r *Revives) Has(x int) bool { return (*Kept)(r).Has(x) }
