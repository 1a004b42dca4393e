// SPDX-License-Identifier: BSD-3-Clause

package outcomes

import (
	"slices"
	"sync"

	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
)

// system is a whole program as a transition system: a move is a step of a thread.
type system struct {
	img  *vm.Image
	main *ir.Func
	opt  vm.Options

	mu      sync.Mutex
	cursors []*cursor // all that were made
}

func (s *system) NewCursor() explore.Cursor {
	c := &cursor{main: s.main, m: s.img.NewMachine(s.opt)}
	c.m.Start(s.main) // tells the machine that its first thread is a program's main
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cursors = append(s.cursors, c)
	return c
}

// tellBreaches passes on what machines have found out in states that were already known, which are not visited.
func (s *system) tellBreaches(a *interleave.Assumptions) {
	for _, c := range s.cursors {
		if c.m.Breached() >= 0 {
			a.Tell(c.m)
		}
	}
}

// breached reports whether some machine has seen a write to a class that was assumed to be frozen.
func (s *system) breached() bool {
	return slices.ContainsFunc(s.cursors, func(c *cursor) bool { return c.m.Breached() >= 0 })
}

// cursor is in one state of the program.
type cursor struct {
	main *ir.Func
	m    *vm.Machine
}

// Machine returns the machine that the cursor moves.
func (c *cursor) Machine() *vm.Machine { return c.m }

func (c *cursor) Initial(ch *explore.Choices) {
	c.m.Reset()
	c.m.Start(c.main)
	c.m.Settle(0, ch)
}

func (c *cursor) Load(state []uint64) { c.m.Load(state) }

// Moves lists the steps of the threads that can continue; a timer whose firing nobody will notice moves first, and alone. Of threads
// that are alike the first moves: the steps of the others lead to the same states.
func (c *cursor) Moves(dst []explore.Move) []explore.Move {
	none := dst
	alike := c.m.Alike()
	for i := range c.m.Threads() {
		if int(alike[i]) != i {
			continue
		}
		if c.m.FiresIntoNothing(i) {
			return append(none, explore.MoveOf(i))
		}
		if c.m.Enabled(i) {
			dst = append(dst, explore.MoveOf(i))
		}
	}
	return dst
}

func (c *cursor) Step(m explore.Move, ch *explore.Choices) { c.m.Step(m.Agent(), ch) }

// Save saves a machine with a fault as a single word: the search visits that state once and ends.
func (c *cursor) Save(dst []uint64) []uint64 {
	if c.m.Fault() != nil {
		return append(dst, ^uint64(0))
	}
	return c.m.Save(dst)
}
