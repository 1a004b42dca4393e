// Package trace follows executions that a search has found and executes them again
// without any reduction.
//
// A search saves states in canonical form, in which threads change places. Follow
// walks along such a path and names the threads; the Turns it gives can be carried
// out by a machine that sorts nothing, thread by thread, instruction by instruction
// (Execution). The package does not search and does not judge what it executes.
package trace

import (
	"slices"

	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// Cursor is a search's cursor over a machine.
type Cursor interface {
	explore.Cursor
	Machine() *vm.Machine
}

// Turn is one step of an execution.
type Turn struct {
	Thread    int // the thread whose step it is; threads are numbered in order of creation
	Move      explore.Move
	Decisions []uint32
	Ran       []vm.Ran // what the threads executed, with their numbers, in order
}

// Follow walks along a path from an initial state, or from the saved state from if
// that is not nil, whose threads are then numbered by place, and calls arrive, if it
// is not nil, behind every step with the number of the thread in each place.
func Follow(c Cursor, p explore.Path, from []uint64, arrive func(step int, names []int)) []Turn {
	if from != nil {
		c.Load(from)
	} else {
		c.Initial(explore.Replay(p.Start))
	}
	f := &follower{c: c, names: newNames(c.Machine().Threads())}
	f.settle()
	var turns []Turn
	for i, s := range p.Steps {
		turns = append(turns, f.step(s))
		if arrive != nil {
			arrive(i, f.names.of)
		}
		if c.Machine().Fault() != nil {
			break
		}
		f.settle()
	}
	return turns
}

type follower struct {
	c     Cursor
	names *names
	state []uint64
}

// settle saves and loads the state, as the search did.
func (f *follower) settle() {
	f.state = f.c.Save(f.state[:0])
	f.names.permute(f.c.Machine().Permutation())
	f.c.Load(f.state)
}

func (f *follower) step(s explore.Taken) Turn {
	m := f.c.Machine()
	turn := Turn{Thread: f.names.of[s.Move.Agent()], Move: s.Move, Decisions: s.Decisions}
	before := m.Created()
	f.c.Step(s.Move, explore.Replay(s.Decisions))
	f.names.create(m.Created() - before)
	for _, r := range m.Ran() {
		turn.Ran = append(turn.Ran, vm.Ran{Thread: f.names.of[r.Thread], Instructions: r.Instructions})
	}
	f.names.keep(m.Survivors())
	return turn
}

// names gives the thread in each place its number.
type names struct {
	of   []int
	next int
}

func newNames(n int) *names {
	s := &names{}
	s.create(n)
	return s
}

// create numbers n new threads, which stand behind the others.
func (s *names) create(n int) {
	for range n {
		s.of = append(s.of, s.next)
		s.next++
	}
}

// permute follows a saved state, in which the thread of place perm[i] stands at
// place i.
func (s *names) permute(perm []int) {
	old := slices.Clone(s.of)
	for i, p := range perm {
		s.of[i] = old[p]
	}
}

// keep drops the threads that are not in the listed places.
func (s *names) keep(places []int) {
	kept := make([]int, 0, len(places))
	for _, i := range places {
		kept = append(kept, s.of[i])
	}
	s.of = kept
}
