// SPDX-License-Identifier: BSD-3-Clause

package explore

import "math/bits"

// System is the transition system that is searched; the consumer defines it.
type System interface {
	// NewCursor returns a cursor of its own for each worker; each is used by one
	// goroutine at a time.
	NewCursor() Cursor
}

// Cursor stands in one state of a System, the current state, and moves it about.
//
// A saved state is the canonical form: two states with equal words are one state to the
// search. A canonical form may renumber agents (thread symmetry). The search therefore
// asks for Moves, and executes them, only in a state that has just been loaded, so that
// a Move always refers to the numbering of the saved state it is a move of.
type Cursor interface {
	// Initial makes an initial state current. Its nondeterminism is resolved by c, so
	// there may be several initial states.
	Initial(c *Choices)
	// Load makes a saved state current. It must not keep the slice.
	Load(state []uint64)
	// Moves appends the enabled moves of the current state, in a fixed order, and leaves
	// the state as it is. A state without moves is terminal.
	Moves(dst []Move) []Move
	// Step executes m in the current state. Every nondeterministic decision asks c, and
	// nothing else may influence the outcome. What a step finds out (a failure, a race)
	// must be part of the state that it leads to, for Visit is shown states; a label alone
	// (see Labeller) is shown to OnEdge.
	Step(m Move, c *Choices)
	// Save appends the canonical form of the current state. Load(Save()) is behaviourally
	// the same state, possibly with agents renumbered.
	Save(dst []uint64) []uint64
}

// Move is a transition of a state up to nondeterminism. What it means is the System's
// own, but for the low 8 bits, which are the agent that moves.
type Move uint32

// Agent returns the agent (thread) that moves, 0 to 255.
func (m Move) Agent() int { return int(m & 0xff) }

// Agents is a set of agents.
type Agents [4]uint64

// Has reports whether a is in the set.
func (s *Agents) Has(a int) bool { return s[a>>6&3]>>(a&63)&1 != 0 }

// Add puts a into the set.
func (s *Agents) Add(a int) { s[a>>6&3] |= 1 << (a & 63) }

// Union puts the members of o into the set.
func (s *Agents) Union(o *Agents) {
	for i := range s {
		s[i] |= o[i]
	}
}

// Minus returns the members of s that are not in o.
func (s Agents) Minus(o Agents) Agents {
	for i := range s {
		s[i] &^= o[i]
	}
	return s
}

// Empty reports whether the set has no members.
func (s Agents) Empty() bool { return s == Agents{} }

// List returns the members in increasing order.
func (s Agents) List() []int {
	var list []int
	for a := range 256 {
		if s.Has(a) {
			list = append(list, a)
		}
	}
	return list
}

// Len returns the number of agents in the set.
func (s Agents) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}
