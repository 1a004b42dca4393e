// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"errors"
	"fmt"
	"slices"

	"pangolin/internal/vm"
)

// Rerun executes again what a search has found, on a machine that assumes nothing: thread by
// thread, instruction by instruction, with the decisions of the recording. What cannot be
// executed so is an error, and whoever has found it was wrong. It knows threads by their
// numbers, in order of creation, as a Walk does.
type Rerun struct {
	// Watch, if not nil, is told of each visible access after it was made.
	Watch func(thread int, e *vm.Event)
	// Before, if not nil, is asked before each visible access, if there is a Watch; its error
	// ends the execution there.
	Before func() error
	// Between, if not nil, is called behind what each thread of a turn has executed.
	Between func()

	m      *vm.Machine
	before int     // threads that the machine had created before
	loaded []int   // the numbers of the threads that were there when the state was loaded
	since  int     // the number of the first that was created since
	clocks *Clocks // nil: nobody asks which accesses are ordered
	// long are the threads that have executed so much without a visible access that the search looked whether they
	// go round a loop, and have executed nothing since.
	long map[int]bool
}

// NewRerun is for a machine whose threads have yet to be created.
func NewRerun(m *vm.Machine) *Rerun {
	return &Rerun{m: m, before: m.Created(), long: map[int]bool{}}
}

// Clock lets clocks run from here on.
func (r *Rerun) Clock() *Clocks {
	r.clocks = newClocks(r.m, r.Threads)
	return r.clocks
}

// Settle saves the state and loads it again, by which the machine finds out what is shared.
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

// Threads are the numbers of the threads that the machine has, in its order.
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

// Place is where a thread stands in the machine, or -1.
func (r *Rerun) Place(thread int) int { return slices.Index(r.Threads(), thread) }

// Turn executes a turn.
func (r *Rerun) Turn(t *Turn) error {
	ch := &script{decisions: t.Decisions}
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
			r.Between()
		}
	}
	if ch.wrong || len(ch.decisions) > 0 {
		return errors.New("it asks for other decisions")
	}
	r.m.Settled()
	return nil
}

// execute lets a thread execute instructions. One that goes round a loop without a visible
// access does so for a long time before the search notices: of all the rounds one is shown, if
// nothing is decided in them.
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

// spins says that a turn is one of a thread of which the search has found that it goes round a loop without a
// visible access. Its steps do nothing; whoever else has a step executes something, or has returned and begins a call.
func (r *Rerun) spins(t *Turn) bool {
	return r.long[t.Thread] && !slices.ContainsFunc(t.Ran, func(ran vm.Ran) bool { return ran.Instructions > 0 })
}

// around shows one round of such a thread. The recording has no instructions for it: how many there are is
// found out by executing until the state is again what it is now.
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
	return fmt.Errorf("thread %d does not come back to where it was", thread+1)
}

// instruction executes one, and tells of the access that it is, if it is one.
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
		return fmt.Errorf("there is no thread %d", thread+1)
	}
	if r.m.RunExactly(i, instructions, ch) != instructions {
		return fmt.Errorf("thread %d cannot go on as it did", thread+1)
	}
	return nil
}

// watchedLoop is for how many instructions of a longer run repetitions are looked for.
const watchedLoop = 1 << 13

// round looks for a state that comes again while one thread runs and decides nothing.
type round struct {
	seen      map[string]int // with so many instructions left
	decisions int            // that were left then
	length    int
}

// closes says that the state has been seen before, with left instructions to go and the same decisions.
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

// script is a Chooser that takes decisions made before.
type script struct {
	decisions []uint32
	wrong     bool // others were asked for
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
