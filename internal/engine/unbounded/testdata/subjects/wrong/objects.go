package wrong

import "sync/atomic"

// Objects that do alone what they should, and go wrong only when they are not alone.

// state is a value, or what is to be done.
type state struct {
	value int
	doing *task
}

type task struct{ value, to int }

// Twofold writes everything twice.
//
//pangolin:new NewTwofold(0)
type Twofold struct{ value atomic.Pointer[int] }

// NewTwofold returns a register.
func NewTwofold(x int) *Twofold {
	r := new(Twofold)
	r.value.Store(&x)
	return r
}

// Assign gives it a value.
func (r *Twofold) Assign(x int) {
	again := x
	r.value.Store(&x)
	r.value.Store(&again)
}

// Value returns it.
func (r *Twofold) Value() int { return *r.value.Load() }

// Careless compares first and writes later.
//
//pangolin:new NewCareless(0)
type Careless struct{ value atomic.Pointer[int] }

// NewCareless returns a register.
func NewCareless(x int) *Careless {
	r := new(Careless)
	r.value.Store(&x)
	return r
}

// Swap changes its value from old to next, and returns the value before.
func (r *Careless) Swap(old, next int) int {
	seen := *r.value.Load()
	if seen == old {
		r.value.Store(&next)
	}
	return seen
}

// Early looks at the flag before its descriptor is there.
//
//pangolin:new NewEarly(0)
type Early struct {
	flag atomic.Bool
	cell atomic.Pointer[state]
}

// NewEarly returns a register with a flag that is not set.
func NewEarly(x int) *Early {
	c := new(Early)
	c.cell.Store(&state{value: x})
	return c
}

// SetFlag sets or clears the flag.
func (c *Early) SetFlag(on bool) { c.flag.Store(on) }

// Swap changes the value from old to next if the flag is set, and returns the value before.
func (c *Early) Swap(old, next int) int {
	mine := &state{doing: &task{old, next}}
	on := c.flag.Load()
	for {
		seen := c.cell.Load()
		switch {
		case seen.doing != nil:
			c.finish(seen, c.flag.Load())
		case seen.value != old:
			return seen.value
		case c.cell.CompareAndSwap(seen, mine):
			c.finish(mine, on)
			return old
		}
	}
}

func (c *Early) finish(seen *state, on bool) {
	value := seen.doing.value
	if on {
		value = seen.doing.to
	}
	c.cell.CompareAndSwap(seen, &state{value: value})
}

// Eager does not look at the flag where it helps.
//
//pangolin:new NewEager(0)
type Eager struct {
	flag atomic.Bool
	cell atomic.Pointer[state]
}

// NewEager returns a register with a flag that is not set.
func NewEager(x int) *Eager {
	c := new(Eager)
	c.cell.Store(&state{value: x})
	return c
}

// SetFlag sets or clears the flag.
func (c *Eager) SetFlag(on bool) { c.flag.Store(on) }

// Swap changes the value from old to next if the flag is set, and returns the value before.
func (c *Eager) Swap(old, next int) int {
	mine := &state{doing: &task{old, next}}
	for {
		seen := c.cell.Load()
		switch {
		case seen.doing != nil:
			c.cell.CompareAndSwap(seen, &state{value: seen.doing.to})
		case seen.value != old:
			return seen.value
		case c.cell.CompareAndSwap(seen, mine):
			c.complete(mine)
			return old
		}
	}
}

func (c *Eager) complete(seen *state) {
	value := seen.doing.value
	if c.flag.Load() {
		value = seen.doing.to
	}
	c.cell.CompareAndSwap(seen, &state{value: value})
}

// Cancelling removes the descriptors of others.
//
//pangolin:new NewCancelling(0)
type Cancelling struct {
	flag atomic.Bool
	cell atomic.Pointer[state]
}

// NewCancelling returns a register with a flag that is not set.
func NewCancelling(x int) *Cancelling {
	c := new(Cancelling)
	c.cell.Store(&state{value: x})
	return c
}

// SetFlag sets or clears the flag.
func (c *Cancelling) SetFlag(on bool) { c.flag.Store(on) }

// Swap changes the value from old to next if the flag is set, and returns the value before.
func (c *Cancelling) Swap(old, next int) int {
	mine := &state{doing: &task{old, next}}
	for {
		seen := c.cell.Load()
		switch {
		case seen.doing != nil:
			c.cell.CompareAndSwap(seen, &state{value: seen.doing.value})
		case seen.value != old:
			return seen.value
		case c.cell.CompareAndSwap(seen, mine):
			c.complete(mine)
			return old
		}
	}
}

func (c *Cancelling) complete(seen *state) {
	value := seen.doing.value
	if c.flag.Load() {
		value = seen.doing.to
	}
	c.cell.CompareAndSwap(seen, &state{value: value})
}

// Hasty does not complete what it does if the flag has changed.
//
//pangolin:new NewHasty(0)
type Hasty struct {
	flag atomic.Bool
	cell atomic.Pointer[state]
}

// NewHasty returns a register with a flag that is not set.
func NewHasty(x int) *Hasty {
	c := new(Hasty)
	c.cell.Store(&state{value: x})
	return c
}

// SetFlag sets or clears the flag.
func (c *Hasty) SetFlag(on bool) { c.flag.Store(on) }

// Swap changes the value from old to next if the flag is set, and returns the value before.
func (c *Hasty) Swap(old, next int) int {
	mine := &state{doing: &task{old, next}}
	for {
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

func (c *Hasty) complete(seen *state) {
	value, on := seen.doing.value, c.flag.Load()
	if on {
		value = seen.doing.to
	}
	if c.flag.Load() == on {
		c.cell.CompareAndSwap(seen, &state{value: value})
	}
}

// Borrowed puts the descriptor of another call in again that does the same. Nobody can tell whose it is then.
//
//pangolin:new NewBorrowed(0)
type Borrowed struct{ cell atomic.Pointer[state] }

// NewBorrowed returns a register.
func NewBorrowed(x int) *Borrowed {
	c := new(Borrowed)
	c.cell.Store(&state{value: x})
	return c
}

// Swap changes the value from old to next, and returns the value before.
func (c *Borrowed) Swap(old, next int) int {
	mine := &state{doing: &task{old, next}}
	for {
		seen := c.cell.Load()
		switch {
		case seen.doing != nil:
			if c.complete(seen); seen.doing.value == old && seen.doing.to == next {
				mine = seen
			}
		case seen.value != old:
			return seen.value
		case c.cell.CompareAndSwap(seen, mine):
			c.complete(mine)
			return old
		}
	}
}

func (c *Borrowed) complete(seen *state) {
	c.cell.CompareAndSwap(seen, &state{value: seen.doing.to})
}

// Mixed does what another call wanted that it has helped.
//
//pangolin:new NewMixed(0)
type Mixed struct {
	flag atomic.Bool
	cell atomic.Pointer[state]
}

// NewMixed returns a register with a flag that is not set.
func NewMixed(x int) *Mixed {
	c := new(Mixed)
	c.cell.Store(&state{value: x})
	return c
}

// SetFlag sets or clears the flag.
func (c *Mixed) SetFlag(on bool) { c.flag.Store(on) }

// Swap changes the value from old to next if the flag is set, and returns the value before.
func (c *Mixed) Swap(old, next int) int {
	mine := &state{doing: &task{old, next}}
	for {
		seen := c.cell.Load()
		switch {
		case seen.doing != nil:
			c.complete(seen)
			mine.doing.to = seen.doing.to
		case seen.value != old:
			return seen.value
		case c.cell.CompareAndSwap(seen, mine):
			c.complete(mine)
			return old
		}
	}
}

func (c *Mixed) complete(seen *state) {
	value := seen.doing.value
	if c.flag.Load() {
		value = seen.doing.to
	}
	c.cell.CompareAndSwap(seen, &state{value: value})
}

// Peek shows what it held while it is being changed.
//
//pangolin:new NewPeek(0)
type Peek struct {
	flag atomic.Bool
	cell atomic.Pointer[state]
}

// NewPeek returns a register with a flag that is not set.
func NewPeek(x int) *Peek {
	c := new(Peek)
	c.cell.Store(&state{value: x})
	return c
}

// SetFlag sets or clears the flag.
func (c *Peek) SetFlag(on bool) { c.flag.Store(on) }

// Read returns the value.
func (c *Peek) Read() int {
	seen := c.cell.Load()
	if seen.doing != nil {
		return seen.doing.value
	}
	return seen.value
}

// Swap changes the value from old to next if the flag is set, and returns the value before.
func (c *Peek) Swap(old, next int) int {
	mine := &state{doing: &task{old, next}}
	for {
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

func (c *Peek) complete(seen *state) {
	value := seen.doing.value
	if c.flag.Load() {
		value = seen.doing.to
	}
	c.cell.CompareAndSwap(seen, &state{value: value})
}

// Again tries again if its descriptor has changed nothing: this is right, but one call has two descriptors.
//
//pangolin:new NewAgain(0)
type Again struct {
	flag atomic.Bool
	cell atomic.Pointer[state]
}

// NewAgain returns a register with a flag that is not set.
func NewAgain(x int) *Again {
	c := new(Again)
	c.cell.Store(&state{value: x})
	return c
}

// SetFlag sets or clears the flag.
func (c *Again) SetFlag(on bool) { c.flag.Store(on) }

// Swap changes the value from old to next if the flag is set, and returns the value before.
func (c *Again) Swap(old, next int) int {
	mine := &state{doing: &task{old, next}}
	again := true
	for {
		seen := c.cell.Load()
		switch {
		case seen.doing != nil:
			c.complete(seen)
		case seen.value != old:
			if !again {
				return old
			}
			return seen.value
		case c.cell.CompareAndSwap(seen, mine):
			if c.complete(mine); again && c.cell.Load().value == old && !c.flag.Load() {
				again, mine = false, &state{doing: &task{old, next}}
				continue
			}
			return old
		}
	}
}

func (c *Again) complete(seen *state) {
	value := seen.doing.value
	if c.flag.Load() {
		value = seen.doing.to
	}
	c.cell.CompareAndSwap(seen, &state{value: value})
}

// Rash does not compare again when it has helped.
//
//pangolin:new NewRash(0)
type Rash struct {
	flag atomic.Bool
	cell atomic.Pointer[state]
}

// NewRash returns a register with a flag that is not set.
func NewRash(x int) *Rash {
	c := new(Rash)
	c.cell.Store(&state{value: x})
	return c
}

// SetFlag sets or clears the flag.
func (c *Rash) SetFlag(on bool) { c.flag.Store(on) }

// Swap changes the value from old to next if the flag is set, and returns the value before.
func (c *Rash) Swap(old, next int) int {
	mine := &state{doing: &task{old, next}}
	for helped := false; ; {
		seen := c.cell.Load()
		switch {
		case seen.doing != nil:
			c.complete(seen)
			helped = true
		case seen.value != old && !helped:
			return seen.value
		case c.cell.CompareAndSwap(seen, mine):
			c.complete(mine)
			return old
		}
	}
}

func (c *Rash) complete(seen *state) {
	value := seen.doing.value
	if c.flag.Load() {
		value = seen.doing.to
	}
	c.cell.CompareAndSwap(seen, &state{value: value})
}

// Liar returns what it has written if it has helped.
//
//pangolin:new NewLiar(0)
type Liar struct {
	flag atomic.Bool
	cell atomic.Pointer[state]
}

// NewLiar returns a register with a flag that is not set.
func NewLiar(x int) *Liar {
	c := new(Liar)
	c.cell.Store(&state{value: x})
	return c
}

// SetFlag sets or clears the flag.
func (c *Liar) SetFlag(on bool) { c.flag.Store(on) }

// Swap changes the value from old to next if the flag is set, and returns the value before.
func (c *Liar) Swap(old, next int) int {
	mine := &state{doing: &task{old, next}}
	for helped := false; ; {
		seen := c.cell.Load()
		switch {
		case seen.doing != nil:
			c.complete(seen)
			helped = true
		case seen.value != old:
			return seen.value
		case c.cell.CompareAndSwap(seen, mine):
			if c.complete(mine); helped {
				return next
			}
			return old
		}
	}
}

func (c *Liar) complete(seen *state) {
	value := seen.doing.value
	if c.flag.Load() {
		value = seen.doing.to
	}
	c.cell.CompareAndSwap(seen, &state{value: value})
}

// Stubborn writes back what was there if somebody else was faster.
//
//pangolin:new NewStubborn(0)
type Stubborn struct{ value atomic.Pointer[int] }

// NewStubborn returns a register.
func NewStubborn(x int) *Stubborn {
	r := new(Stubborn)
	r.value.Store(&x)
	return r
}

// Assign gives it a value.
func (r *Stubborn) Assign(x int) {
	if seen := r.value.Load(); !r.value.CompareAndSwap(seen, &x) {
		r.value.Store(seen)
	}
}

// Value returns it.
func (r *Stubborn) Value() int { return *r.value.Load() }

// Yielding writes nothing if somebody else was faster, and it is as if that had been overwritten at once: this is
// right, but no step of its own says so.
//
//pangolin:new NewYielding(0)
type Yielding struct{ value atomic.Pointer[int] }

// NewYielding returns a register.
func NewYielding(x int) *Yielding {
	r := new(Yielding)
	r.value.Store(&x)
	return r
}

// Assign gives it a value.
func (r *Yielding) Assign(x int) { r.value.CompareAndSwap(r.value.Load(), &x) }

// Value returns it.
func (r *Yielding) Value() int { return *r.value.Load() }

// Crossed compares the control register with what the other one holds where it helps.
//
//pangolin:new NewCrossed(0, 0)
type Crossed struct {
	control atomic.Pointer[int]
	cell    atomic.Pointer[guarded]
}

// guarded is a value, or what is to be done if the control register has a value.
type guarded struct {
	value int
	doing *guardedTask
}

type guardedTask struct{ value, to, control int }

// NewCrossed returns registers that hold the values.
func NewCrossed(control, x int) *Crossed {
	c := new(Crossed)
	c.control.Store(&control)
	c.cell.Store(&guarded{value: x})
	return c
}

// SetControl writes the control register.
func (c *Crossed) SetControl(x int) { c.control.Store(&x) }

// Swap changes the value from old to next if the control register holds control, and returns the value before.
func (c *Crossed) Swap(control, old, next int) int {
	mine := &guarded{doing: &guardedTask{old, next, control}}
	for {
		seen := c.cell.Load()
		switch {
		case seen.doing != nil:
			c.complete(seen, true)
		case seen.value != old:
			return seen.value
		case c.cell.CompareAndSwap(seen, mine):
			c.complete(mine, false)
			return old
		}
	}
}

func (c *Crossed) complete(seen *guarded, helps bool) {
	d := seen.doing
	value, control := d.value, *c.control.Load()
	if control == d.control || helps && control == d.value {
		value = d.to
	}
	c.cell.CompareAndSwap(seen, &guarded{value: value})
}

// Remembering does not look at the flag again when it has helped and is at once next.
//
//pangolin:new NewRemembering(0)
type Remembering struct {
	flag atomic.Bool
	cell atomic.Pointer[state]
}

// NewRemembering returns a register with a flag that is not set.
func NewRemembering(x int) *Remembering {
	c := new(Remembering)
	c.cell.Store(&state{value: x})
	return c
}

// SetFlag sets or clears the flag.
func (c *Remembering) SetFlag(on bool) { c.flag.Store(on) }

// Swap changes the value from old to next if the flag is set, and returns the value before.
func (c *Remembering) Swap(old, next int) int {
	mine := &state{doing: &task{old, next}}
	for {
		seen := c.cell.Load()
		switch {
		case seen.doing != nil:
			on := c.flag.Load()
			if put := c.finish(seen, on); put != nil && put.value == old && c.cell.CompareAndSwap(put, mine) {
				c.finish(mine, on)
				return old
			}
		case seen.value != old:
			return seen.value
		case c.cell.CompareAndSwap(seen, mine):
			c.finish(mine, c.flag.Load())
			return old
		}
	}
}

// finish replaces a descriptor, and returns by what; nil if somebody else was faster.
func (c *Remembering) finish(seen *state, on bool) *state {
	put := &state{value: seen.doing.value}
	if on {
		put.value = seen.doing.to
	}
	if !c.cell.CompareAndSwap(seen, put) {
		return nil
	}
	return put
}
