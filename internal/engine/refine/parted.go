package refine

import (
	"pangolin/internal/explore"
	"pangolin/internal/vm"
	"pangolin/internal/vm/parts"
)

// States as parts. As in the engine bounded, a state of the code's system that can be taken apart (vm/state,
// parts.go) is saved as the numbers of its parts in place of the machine's words, and a step that is
// remembered (vm/parts) is recalled, so that no machine executes it. Threads keep their places here,
// and items and keys their values, so there is nothing to sort or to rename.

// wordParted is set in the first thread's word of a state that consists of parts. Behind the threads' words
// come the heap with the number of threads, and the threads, two in a word.
const wordParted = uint64(1) << 62

// memory is what a cursor remembers, and where it stands.
type memory struct {
	parts.Standing
	from []uint64     // the saved state that was loaded, and the move from there:
	move explore.Move // tests take it again
}

// limits bound what a search remembers.
var limits = parts.Usual

// remember begins to take the states of a search apart, if that is asked for and possible.
func (s *system) remember(lim Limits) {
	s.parts = nil
	if s.client.Reduce&vm.RememberedSteps == 0 || s.body == atomic || s.client.Threads < 2 || s.img.UsesThreadIDs() {
		return
	}
	of := limits.Within(lim.Bytes)
	s.parts, s.memory = parts.New(&s.img.Ground, of.Parts), of.Steps
}

func newMemory(s *system, m *vm.Machine) *memory {
	if s.parts == nil {
		return nil
	}
	return &memory{Standing: parts.NewStanding(parts.NewMemory(s.parts, s.memory), m)}
}

// away says that the machine need not stand in the cursor's state.
func (c *cursor) away() bool { return c.mem != nil && c.mem.Away() }

// Machine gives the machine that the cursor moves. From then on the cursor executes every step.
func (c *cursor) Machine() *vm.Machine {
	if c.mem != nil {
		c.mem.Executing = true
		c.stand()
	}
	return c.m
}

// stand brings the machine into the cursor's state, in which it will be moved.
func (c *cursor) stand() {
	switch {
	case !c.away():
	case c.mem.Recalled():
		c.mem.Enter(&c.mem.After.Position)
	default:
		c.mem.Enter(&c.mem.Loaded)
	}
}

// fromMachine says that the cursor stands where the machine does, of whose step nothing can be learned.
func (c *cursor) fromMachine() {
	if c.mem != nil {
		c.mem.Leave()
	}
}

// loadParted makes a state current of which the words behind the threads' name the parts.
func (c *cursor) loadParted(words []uint64) {
	c.mem.Load(words)
	if c.mem.Executing {
		c.stand()
	}
}

// threadsNow is how many threads there are.
func (c *cursor) threadsNow() int {
	if c.away() {
		return c.mem.Loaded.N
	}
	return c.m.Threads()
}

// enabled says that a thread can move.
func (c *cursor) enabled(i int) bool {
	if !c.away() {
		return c.m.Enabled(i)
	}
	return c.mem.Stance(&c.mem.Loaded, i).Enabled
}

// recalls takes a step of a thread that is remembered, with the call that it makes, one more than its
// number, or 0. Otherwise the machine stands where the step is to be executed.
func (c *cursor) recalls(i, call int) bool {
	if !c.away() || c.mem.Recalled() {
		return false
	}
	step, tried := c.mem.Find(i, uint32(call))
	if step != nil && c.mem.Recall(step, i) {
		if step.Returned {
			c.mem.Rename(&c.mem.After, -1)
			op := &c.sys.subject.Operations[c.sys.steps[c.threads[i].step].Op]
			c.returns(i, op.Unnamed(op.Tuple(c.mem.After.Results)))
		}
		return true
	}
	c.stand()
	c.mem.Draft(i, uint32(call), -1, step != nil || !tried)
	return false
}

// rests takes a move that the machine has no part in.
func (c *cursor) rests() {
	if c.away() {
		c.mem.Rest()
	}
}

// saveParted appends the threads' words and the numbers of the parts; false if the state cannot be taken
// apart, or there is no room for its parts.
func (c *cursor) saveParted(dst []uint64) ([]uint64, bool) {
	p := &c.mem.After.Position
	if c.away() && !c.mem.Recalled() {
		p = &c.mem.Loaded
	} else if !c.away() {
		if apart, numbered := c.mem.TakeApart(); apart != parts.Parted || !numbered {
			return dst, false
		}
	}
	at := len(dst)
	dst = c.save(dst)
	dst[at] |= wordParted
	dst = p.Append(dst)
	if doubt != nil {
		doubt(c, dst[at:])
	}
	return dst, true
}

// doubt is shown every state as parts, if it is not nil: tests compare it with what the machine saves.
var doubt func(c *cursor, saved []uint64)
