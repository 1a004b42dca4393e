// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"errors"
	"fmt"
	"slices"

	"pangolin/internal/vm"
)

// Rerun executes an execution that a search has found again, on a machine without assumptions: thread by thread, instruction by
// instruction, with the recorded decisions. If that fails, the error says how, and the search was wrong. Threads are numbered in the
// order of their creation, as in Walk.
type Rerun struct {
	// Watch, if not nil, is called after each visible access.
	Watch func(thread int, e *vm.Event)
	// Before, if not nil, is called before each visible access, if there is a Watch; its error ends the execution there.
	Before func() error
	// Between, if not nil, is called after each thread of a turn has executed its instructions.
	Between func(thread int)

	m      *vm.Machine
	before int     // number of threads that the machine had created before the Rerun
	loaded []int   // numbers of the threads in the state that was loaded last
	since  int     // number of the first thread that was created since then
	clocks *Clocks // nil: not asked for
	// long contains the threads that executed so many instructions without a visible access that the search checked whether they loop,
	// and that have executed nothing since.
	long map[int]bool
}

// NewRerun makes a Rerun on a machine that will create its threads from now on.
func NewRerun(m *vm.Machine) *Rerun {
	return &Rerun{m: m, before: m.Created(), long: map[int]bool{}}
}

// Clock starts vector clocks, which follow the execution from here on.
func (r *Rerun) Clock() *Clocks {
	r.clocks = newClocks(r.m, r.Threads)
	return r.clocks
}

// Settle saves the state and loads it again, by which the machine determines which memory is shared.
func (r *Rerun) Settle() {
	threads, state := r.Threads(), r.m.Save(nil)
	loaded := make([]int, len(threads))
	for i, p := range r.m.Permutation() {
		loaded[i] = threads[p]
	}
	if r.clocks != nil {
		r.clocks.renumber(r.m.Renumbering())
	}
	r.loaded, r.since = loaded, r.m.Created()-r.before
	r.m.Load(state)
}

// Threads lists the numbers of the machine's threads, in its order.
func (r *Rerun) Threads() []int {
	list := slices.Clone(r.m.Survivors())
	for i, p := range list {
		if p < len(r.loaded) {
			list[i] = r.loaded[p]
		} else {
			list[i] = r.since + p - len(r.loaded)
		}
	}
	return list
}

// Place is the index of a thread in the machine; -1 if it has ended or does not exist yet.
func (r *Rerun) Place(thread int) int { return slices.Index(r.Threads(), thread) }

// Turn executes a recorded turn.
func (r *Rerun) Turn(t *Turn) error {
	ch := &script{decisions: t.Decisions}
	r.m.BeginDraws()
	if r.Watch != nil && r.spins(t) {
		if err := r.around(t.Thread, ch); err != nil {
			return err
		}
	}
	for _, ran := range t.Ran {
		if err := r.execute(ran, ch); err != nil {
			return err
		}
		if r.Between != nil {
			r.Between(ran.Thread)
		}
	}
	if ch.wrong || len(ch.decisions) > 0 {
		return errors.New("its decisions are not those that were recorded")
	}
	r.m.Settled()
	return nil
}

// execute lets a thread execute instructions. A thread that loops without a visible access does so for long before the search notices:
// only one of its rounds is executed, if it takes no decisions.
func (r *Rerun) execute(ran vm.Ran, ch *script) error {
	if r.Watch == nil || ran.Instructions == 0 {
		return r.run(ran.Thread, ran.Instructions, ch)
	}
	looked := ran.Instructions >= vm.FirstLook
	watch := round{}
	for n := ran.Instructions; n > 0; n-- {
		if looked && ran.Instructions-n < watchedLoop && watch.closes(r.m, n, len(ch.decisions)) {
			n = (n-1)%watch.length + 1
		}
		if err := r.instruction(ran.Thread, ch); err != nil {
			return err
		}
	}
	i := r.Place(ran.Thread)
	r.long[ran.Thread] = looked && i >= 0 && !r.m.Idle(i)
	return nil
}

// spins reports whether the turn is one of a thread that the search has found to loop without a visible access. Such a turn
// executes nothing; any other turn executes something, or begins a call after a return.
func (r *Rerun) spins(t *Turn) bool {
	return r.long[t.Thread] && !slices.ContainsFunc(t.Ran, func(ran vm.Ran) bool { return ran.Instructions > 0 })
}

// around executes one round of such a thread. The recording does not contain its number of instructions: it ends when the state
// repeats.
func (r *Rerun) around(thread int, ch *script) error {
	before := r.m.Save(nil)
	var now []uint64
	for range vm.LongestRound {
		if err := r.instruction(thread, ch); err != nil {
			return err
		}
		if now = r.m.Save(now[:0]); slices.Equal(before, now) {
			return nil
		}
	}
	return fmt.Errorf("thread %d looped without a visible access in the search, and does not when it is executed again", thread+1)
}

// instruction executes one instruction, and reports it to Watch if it is a visible access.
func (r *Rerun) instruction(thread int, ch *script) error {
	var e *vm.Event
	if i := r.Place(thread); i >= 0 {
		e = r.m.Upcoming(i)
	}
	if e != nil && r.Before != nil {
		if err := r.Before(); err != nil {
			return err
		}
	}
	if err := r.run(thread, 1, ch); err != nil {
		return err
	}
	if e != nil {
		e.Finish()
		r.Watch(thread, e)
	}
	return nil
}

func (r *Rerun) run(thread, instructions int, ch *script) error {
	if instructions == 0 {
		return nil
	}
	i := r.Place(thread)
	if i < 0 {
		return fmt.Errorf("there is no thread %d here, though the recording has one", thread+1)
	}
	if r.m.RunExactly(i, instructions, ch) != instructions {
		return fmt.Errorf("thread %d cannot execute the recorded instructions", thread+1)
	}
	return nil
}

// watchedLoop is the number of instructions in which a repeated state is looked for.
const watchedLoop = 1 << 13

// round looks for a state that repeats while one thread runs without taking decisions.
type round struct {
	seen      map[string]int // by state: the number of instructions that were left
	decisions int            // the number of decisions that were left
	length    int            // instructions of one round; 0: not known
}

// closes reports whether the state was seen before with the same number of decisions left; left is the number of
// instructions left now.
func (w *round) closes(m *vm.Machine, left, decisions int) bool {
	if w.length > 0 {
		return false
	}
	if w.seen == nil || w.decisions != decisions {
		w.seen, w.decisions = map[string]int{}, decisions
	}
	key := StateKey(m.Save(nil))
	before, again := w.seen[key]
	w.seen[key] = left
	if again {
		w.length = before - left
	}
	return again
}

// script is a Chooser that returns recorded decisions.
type script struct {
	decisions []uint32
	wrong     bool // it was asked for one that was not recorded
}

func (s *script) Choose(n int) int {
	if n == 1 {
		return 0
	}
	if len(s.decisions) == 0 || int(s.decisions[0]) >= n {
		s.wrong = true
		return 0
	}
	d := int(s.decisions[0])
	s.decisions = s.decisions[1:]
	return d
}
