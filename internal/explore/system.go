// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"math/bits"
	"slices"
)

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

// Move is a transition of a state up to nondeterminism: the agent that moves, and what else the System wants to tell its moves apart by.
//
//	bits 0 to 7    the agent, if it is below 256
//	bits 8 to 30   what else
//	bit 31         the agent is in bits 0 to 30, and there is nothing else
type Move uint32

const (
	agentBits      = 8
	wide      Move = 1 << 31
)

// MoveOf returns the move of an agent (thread), counted from 0, that has nothing else to it.
func MoveOf(agent int) Move {
	if agent >= 1<<agentBits {
		return wide | Move(agent)
	}
	return Move(agent)
}

// MoveWith returns a move of one of the agents 0 to 255 with something else, a number below 1<<23.
func MoveWith(agent, more int) Move { return Move(agent) | Move(more)<<agentBits }

// Agent returns the agent (thread) that moves.
func (m Move) Agent() int {
	if m&wide != 0 {
		return int(m &^ wide)
	}
	return int(m & (1<<agentBits - 1))
}

// More returns the number that the move was made with; 0 if there was none.
func (m Move) More() int {
	if m&wide != 0 {
		return 0
	}
	return int(m >> agentBits)
}

// Agents is a set of agents. A copy shares the members from 64 on with the set: only one of the two may be changed.
type Agents struct {
	few  uint64   // agents 0 to 63
	more []uint64 // from 64 on, as far as there are any
}

// Has reports whether a is in the set.
func (s *Agents) Has(a int) bool {
	if a < 64 {
		return s.few>>a&1 != 0
	}
	k := a/64 - 1
	return k < len(s.more) && s.more[k]>>(a%64)&1 != 0
}

// Add puts a into the set.
func (s *Agents) Add(a int) {
	if a < 64 {
		s.few |= 1 << a
		return
	}
	s.grow(a / 64)
	s.more[a/64-1] |= 1 << (a % 64)
}

// grow makes room for n words of further members.
func (s *Agents) grow(n int) {
	for len(s.more) < n {
		s.more = append(s.more, 0)
	}
}

// Union puts the members of o into the set.
func (s *Agents) Union(o *Agents) {
	s.few |= o.few
	s.grow(len(o.more))
	for i, w := range o.more {
		s.more[i] |= w
	}
}

// Intersect removes what is not in o.
func (s *Agents) Intersect(o *Agents) {
	s.few &= o.few
	s.more = s.more[:min(len(s.more), len(o.more))]
	for i := range s.more {
		s.more[i] &= o.more[i]
	}
}

// Minus returns the members of s that are not in o, a set of its own.
func (s Agents) Minus(o Agents) Agents {
	s.few &^= o.few
	s.more = slices.Clone(s.more)
	for i := range min(len(s.more), len(o.more)) {
		s.more[i] &^= o.more[i]
	}
	return s
}

// Empty reports whether the set has no members.
func (s Agents) Empty() bool { return s.Len() == 0 }

// List returns the members in increasing order.
func (s Agents) List() []int {
	var list []int
	for a := range 64 * (1 + len(s.more)) {
		if s.Has(a) {
			list = append(list, a)
		}
	}
	return list
}

// Len returns the number of agents in the set.
func (s Agents) Len() int {
	n := bits.OnesCount64(s.few)
	for _, w := range s.more {
		n += bits.OnesCount64(w)
	}
	return n
}
