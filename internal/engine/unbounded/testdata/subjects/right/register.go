package right

import "sync/atomic"

// Register is a variable that is also changed by compare-and-swap, without descriptors.
//
//pangolin:new NewRegister(0)
type Register struct {
	value atomic.Pointer[int]
}

// NewRegister returns a register with a value.
func NewRegister(x int) *Register {
	r := new(Register)
	r.value.Store(&x)
	return r
}

// Assign gives it another value.
func (r *Register) Assign(x int) { r.value.Store(&x) }

// Value returns it.
func (r *Register) Value() int { return *r.value.Load() }

// Swap changes its value from old to next, and returns the value before.
func (r *Register) Swap(old, next int) int {
	for {
		seen := r.value.Load()
		if *seen != old || r.value.CompareAndSwap(seen, &next) {
			return *seen
		}
	}
}

// Constant holds what it is made with.
//
//pangolin:new NewConstant(0)
//pangolin:kind object
type Constant struct {
	value atomic.Pointer[int]
}

// NewConstant returns a constant.
func NewConstant(x int) *Constant {
	c := new(Constant)
	c.value.Store(&x)
	return c
}

// Value returns it.
func (c *Constant) Value() int { return *c.value.Load() }
