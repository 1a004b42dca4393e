// Package conditional holds two registers that are changed on a condition about another one, from T. L.
// Harris, K. Fraser and I. A. Pratt, A practical multi-word compare-and-swap operation (DISC 2002),
// where they are parts of an operation on many words:
//
//	CCAS   conditional compare-and-swap: the register is changed if a flag is set
//	RDCSS  restricted double-compare single-swap: if a control register has a given value
//
// Both put a descriptor of what is to be done into the register, look at the other one, and put the new
// value, or the old one, into the descriptor's place. Whoever meets a descriptor does that for its
// owner. Which look at the condition counts is known when somebody has replaced the descriptor.
//
// Values are compared with ==. The registers do not wait. The flag and the control register are
// in the same object, where the paper has addresses. CCAS is written down by A. Turon et al., Logical
// relations for fine-grained concurrency (POPL 2013).
package conditional

import "sync/atomic"

// A CCAS is a register and a flag.
//
//pangolin:new NewCCAS[int](0)
type CCAS[T comparable] struct {
	flag atomic.Bool
	cell atomic.Pointer[content[T]]
}

// content is a value, or what is to be done. It is never written after it has been published.
type content[T comparable] struct {
	value T
	doing *swap[T] // instead of a value
}

// A swap is the descriptor of a call that changes the register from value to another, if the condition holds.
type swap[T comparable] struct {
	value, to T
	control   T // RDCSS: what the control register has to hold
}

// NewCCAS returns a register that holds the value, with its flag not set.
func NewCCAS[T comparable](value T) *CCAS[T] {
	c := new(CCAS[T])
	c.cell.Store(&content[T]{value: value})
	return c
}

// SetFlag sets or clears the flag.
func (c *CCAS[T]) SetFlag(on bool) {
	//pangolin:point emit SetFlag(on)
	c.flag.Store(on)
}

// Swap changes the register's value from old to next if the flag is set, and returns the value before.
func (c *CCAS[T]) Swap(old, next T) T {
	d := &swap[T]{value: old, to: next} //pangolin:point as d
	mine := &content[T]{doing: d}
	for {
		//pangolin:point when seen.doing == nil && seen.value != old emit Swap(old, next) = seen.value
		seen := c.cell.Load()
		switch {
		case seen.doing != nil:
			c.complete(seen)
		case seen.value != old:
			return seen.value
		case c.cell.CompareAndSwap(seen, mine):
			c.complete(mine)
			return old
		}
	}
}

// complete does what a descriptor in the register says.
func (c *CCAS[T]) complete(seen *content[T]) {
	d := seen.doing
	value := d.value
	//pangolin:point may emit Swap(d.value, d.to) = d.value for d
	if c.flag.Load() {
		value = d.to
	}
	c.cell.CompareAndSwap(seen, &content[T]{value: value})
}

// SPDX-License-Identifier: BSD-3-Clause
