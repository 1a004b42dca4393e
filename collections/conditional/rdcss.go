package conditional

import "sync/atomic"

// An RDCSS is a register beside a control register.
//
//pangolin:new NewRDCSS[int](0, 0)
type RDCSS[T comparable] struct {
	control atomic.Pointer[T]
	cell    atomic.Pointer[content[T]]
}

// NewRDCSS returns registers that hold the values.
func NewRDCSS[T comparable](control, value T) *RDCSS[T] {
	r := new(RDCSS[T])
	r.control.Store(&control)
	r.cell.Store(&content[T]{value: value})
	return r
}

// SetControl writes the control register.
func (r *RDCSS[T]) SetControl(value T) {
	//pangolin:point emit SetControl(value)
	r.control.Store(&value)
}

// Swap changes the register's value from old to next if the control register holds control, and returns the
// value before.
func (r *RDCSS[T]) Swap(control, old, next T) T {
	d := &swap[T]{value: old, to: next, control: control} //pangolin:point as d
	mine := &content[T]{doing: d}
	for {
		//pangolin:point when seen.doing == nil && seen.value != old emit Swap(control, old, next) = seen.value
		seen := r.cell.Load()
		switch {
		case seen.doing != nil:
			r.complete(seen)
		case seen.value != old:
			return seen.value
		case r.cell.CompareAndSwap(seen, mine):
			r.complete(mine)
			return old
		}
	}
}

// Read returns the register's value.
func (r *RDCSS[T]) Read() T {
	for {
		//pangolin:point when seen.doing == nil emit Read() = seen.value
		seen := r.cell.Load()
		if seen.doing == nil {
			return seen.value
		}
		r.complete(seen)
	}
}

// complete does what a descriptor in the register says.
func (r *RDCSS[T]) complete(seen *content[T]) {
	d := seen.doing
	value := d.value
	//pangolin:point may emit Swap(d.control, d.value, d.to) = d.value for d
	control := r.control.Load()
	if *control == d.control {
		value = d.to
	}
	r.cell.CompareAndSwap(seen, &content[T]{value: value})
}

// SPDX-License-Identifier: BSD-3-Clause
