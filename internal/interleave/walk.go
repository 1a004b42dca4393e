// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"slices"

	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// Turn is one recorded step of an execution.
type Turn struct {
	Thread    int // the thread whose step it is; threads are numbered in order of creation
	Move      explore.Move
	Decisions []uint32
	Ran       []vm.Ran // the number of instructions that each thread executed, in order
}

// Walk follows a path that a search has found, and records it as Turns that a machine without sorting can execute thread by thread,
// instruction by instruction. The search saves states in canonical form, in which threads are sorted; a walk knows the number of the
// thread at each index.
type Walk struct {
	c     Cursor
	of    []int // the number of the thread at each index of the machine
	next  int   // the number of the next new thread
	state []uint64
}

// Begin starts a walk in the initial state that the decisions select, and returns the turn that leads there. Settle must follow, unless
// the path ends here.
func Begin(c Cursor, start []uint32) (*Walk, Turn) {
	w := &Walk{c: c}
	before := c.Machine().Created()
	c.Initial(explore.Replay(start))
	return w, w.arrive(Turn{Decisions: start}, before)
}

// Switch continues the walk with another cursor in the same state.
func (w *Walk) Switch(c Cursor) {
	w.c = c
	c.Load(w.state)
}

// Step takes the next step of the path and returns its turn. The cursor is then in the state after the step, which is not saved yet:
// Settle must follow.
func (w *Walk) Step(s explore.Taken) Turn {
	m := w.c.Machine()
	turn := Turn{Thread: w.of[s.Move.Agent()], Move: s.Move, Decisions: s.Decisions}
	before := m.Created()
	w.c.Step(s.Move, explore.Replay(s.Decisions))
	return w.arrive(turn, before)
}

// arrive completes a turn that was executed; before is the number of threads that were created before it.
func (w *Walk) arrive(turn Turn, before int) Turn {
	m := w.c.Machine()
	w.create(m.Created() - before)
	for _, r := range m.Ran() {
		turn.Ran = append(turn.Ran, vm.Ran{Thread: w.of[r.Thread], Instructions: r.Instructions})
	}
	w.meet(&turn, m.Meetings())
	// Whether an access is remembered is a decision of the search and none of the program.
	if at := m.Tracks(); at >= 0 {
		turn.Decisions = slices.Delete(slices.Clone(turn.Decisions), at, at+1)
	}
	w.keep(m.Survivors())
	return turn
}

// Number is the number of the thread at an index of the machine.
func (w *Walk) Number(place int) int { return w.of[place] }

// meet renumbers the decisions that choose which thread is served: in the turn they count threads in the order of their numbers, which
// is the order in a machine that does not sort.
func (w *Walk) meet(turn *Turn, meetings []vm.Meeting) {
	if len(meetings) == 0 {
		return
	}
	turn.Decisions = slices.Clone(turn.Decisions)
	for _, m := range meetings {
		served := w.of[m.Places[turn.Decisions[m.Decision]]]
		rank := uint32(0)
		for _, p := range m.Places {
			if w.of[p] < served {
				rank++
			}
		}
		turn.Decisions[m.Decision] = rank
	}
}

// Settle saves and loads the state, as the search did.
func (w *Walk) Settle() {
	w.state = w.c.Save(w.state[:0])
	w.permute(w.c.Machine().Permutation())
	w.c.Load(w.state)
}

// create numbers n new threads, which come after the others.
func (w *Walk) create(n int) {
	for range n {
		w.of = append(w.of, w.next)
		w.next++
	}
}

// permute follows the sorting of a saved state: the thread at index perm[i] is now at index i.
func (w *Walk) permute(perm []int) {
	old := slices.Clone(w.of)
	for i, p := range perm {
		w.of[i] = old[p]
	}
}

// keep drops the threads whose indices are not listed; -1 is an index without a thread.
func (w *Walk) keep(places []int) {
	kept := make([]int, 0, len(places))
	for _, i := range places {
		if i < 0 {
			kept = append(kept, -1)
			continue
		}
		kept = append(kept, w.of[i])
	}
	w.of = kept
}
