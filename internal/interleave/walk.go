// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"slices"

	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// Turn is one step of an execution.
type Turn struct {
	Thread    int // the thread whose step it is; threads are numbered in order of creation
	Move      explore.Move
	Decisions []uint32
	Ran       []vm.Ran // what the threads executed, with their numbers, in order
}

// Walk goes along a path that a search has found. A search saves states in canonical form,
// in which threads change places; a walk knows the number of the thread in each place. The
// Turns it gives can be carried out by a machine that sorts nothing, thread by thread,
// instruction by instruction.
type Walk struct {
	c     Cursor
	of    []int
	next  int
	state []uint64
}

// Begin starts a walk in the initial state that the decisions lead to, and gives what leads
// there as a turn. Settle must follow, unless the state is the last.
func Begin(c Cursor, start []uint32) (*Walk, Turn) {
	w := &Walk{c: c}
	before := c.Machine().Created()
	c.Initial(explore.Replay(start))
	return w, w.arrive(Turn{Decisions: start}, before)
}

// Switch goes on with another cursor, from the state that the walk has reached.
func (w *Walk) Switch(c Cursor) {
	w.c = c
	c.Load(w.state)
}

// Step takes the next step of the path. The cursor then stands where the step has
// led, before the state is saved: Settle must follow.
func (w *Walk) Step(s explore.Taken) Turn {
	m := w.c.Machine()
	turn := Turn{Thread: w.of[s.Move.Agent()], Move: s.Move, Decisions: s.Decisions}
	before := m.Created()
	w.c.Step(s.Move, explore.Replay(s.Decisions))
	return w.arrive(turn, before)
}

// arrive completes a turn that has been executed, before which so many threads had been
// created.
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

// Number is that of the thread in a place of the state.
func (w *Walk) Number(place int) int { return w.of[place] }

// meet makes decisions about which thread is served refer to the order of the threads'
// numbers, in which a machine has them that sorts nothing.
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

// create numbers n new threads, which stand behind the others.
func (w *Walk) create(n int) {
	for range n {
		w.of = append(w.of, w.next)
		w.next++
	}
}

// permute follows a saved state, in which the thread of place perm[i] stands at
// place i.
func (w *Walk) permute(perm []int) {
	old := slices.Clone(w.of)
	for i, p := range perm {
		w.of[i] = old[p]
	}
}

// keep drops the threads that are not in the listed places; -1 is a place without one.
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
