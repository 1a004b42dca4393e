package outcomes

import (
	"pangolin/internal/explore"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
)

// system is a whole program as a transition system: a move is a step of a thread.
type system struct {
	img  *vm.Image
	main *ir.Func
	opt  vm.Options
}

func (s *system) NewCursor() explore.Cursor {
	return &cursor{main: s.main, m: s.img.NewMachine(s.opt)}
}

// cursor stands in one state of the program.
type cursor struct {
	main *ir.Func
	m    *vm.Machine
}

func (c *cursor) Initial(ch *explore.Choices) {
	c.m.Reset()
	c.m.Start(c.main)
	c.m.Settle(0, ch)
}

func (c *cursor) Load(state []uint64) { c.m.Load(state) }

func (c *cursor) Moves(dst []explore.Move) []explore.Move {
	for i := range c.m.Threads() {
		if c.m.Enabled(i) {
			dst = append(dst, move(i))
		}
	}
	return dst
}

// move is a step of thread i. Agents are numbered up to 255; a program with more
// threads has some that share a number.
func move(i int) explore.Move { return explore.Move(i<<8 | i&0xff) }

func threadOf(m explore.Move) int { return int(m >> 8) }

func (c *cursor) Step(m explore.Move, ch *explore.Choices) { c.m.Step(threadOf(m), ch) }

// Save gives a machine that cannot go on a form of its own: the search visits it
// once and ends.
func (c *cursor) Save(dst []uint64) []uint64 {
	if c.m.Fault() != nil {
		return append(dst, ^uint64(0))
	}
	return c.m.Save(dst)
}
