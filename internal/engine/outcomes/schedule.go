// SPDX-License-Identifier: BSD-3-Clause

package outcomes

import (
	"context"
	"fmt"
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Schedule is one execution: the turns of the goroutines. It was executed again without any reduction.
type Schedule struct {
	Turns []Turn
	Cycle []Turn // of an execution without end: repeated for ever after Turns
	// Witness is the record of that second execution, without the program's name.
	Witness *verdict.Witness
}

// Turn is a step of a schedule: a visible access, and everything local up to the goroutine's next one. Goroutines are numbered in the
// order of their creation; main is 0.
type Turn struct {
	interleave.Turn
	Goroutine string // name of the goroutine: the function that it began with
	Does      string // the visible access: "write of main.x", "sync.Mutex.Lock"
	Begins    bool   // the first turn, in which main begins; its decisions are those of package initialisation
	vm.Place         // in the program's own code; zero if it is only in the library
}

// findSchedules finds a shortest schedule for each outcome, breadth first and with one worker, so that the same schedules are found each
// time.
func (x *exploration) findSchedules(ctx context.Context) error {
	set := x.opt.Reductions
	if len(x.goals) > 0 {
		set &^= vm.Symmetry // the roots in goals were saved without symmetry
	}
	f := &finder{x: x, sys: x.system(set), missing: len(x.found) - len(x.hunted), roots: map[string][]string{}}
	for key, g := range x.goals {
		at := interleave.StateKey(g.root)
		f.roots[at] = append(f.roots[at], key)
	}
	for _, keys := range f.roots {
		slices.Sort(keys)
	}
	if f.search(ctx); f.err != nil || len(x.hunted) == 0 {
		return f.err
	}
	f = &finder{x: x, sys: x.hunting(x.opt.Reductions, false), missing: len(x.hunted), hunts: true}
	f.search(ctx)
	return f.err
}

func (f *finder) search(ctx context.Context) {
	if f.missing == 0 || ctx.Err() != nil {
		return
	}
	explore.Run(ctx, f.sys, explore.Options{Order: explore.BreadthFirst, MaxBytes: f.x.opt.MaxBytes, Visit: f.visit,
		Progress: f.x.opt.Progress, ProgressEvery: progressEvery})
}

// finder searches for schedules of known outcomes.
type finder struct {
	x       *exploration
	sys     *system
	missing int                 // number of outcomes without a schedule
	roots   map[string][]string // outcomes without end, by the saved form of a state on their cycle
	hunts   bool                // look for the races that only a hunt shows
	err     error
}

// shown lists the outcomes that a state shows in this search.
func (f *finder) shown(m *vm.Machine) []Outcome {
	if !f.hunts {
		return shown(m, f.x.opt.Leaks)
	}
	var list []Outcome
	for _, r := range m.TrackedRaces() {
		list = append(list, raceOf(m, r))
	}
	return list
}

func (f *finder) visit(c explore.Cursor, t explore.Trail, _ int) explore.Action {
	m := c.(*cursor).m
	if m.Fault() != nil {
		return explore.Prune
	}
	keys := f.roots[interleave.StateKey(t.State())]
	for _, o := range f.shown(m) {
		keys = append(keys, o.key())
	}
	for _, key := range keys {
		o := f.x.found[key]
		if o == nil || o.Schedule != nil || f.x.hunted[key] != f.hunts {
			continue
		}
		if o.Schedule, f.err = f.x.schedule(f.sys, t.Path(), f.x.goals[key], key); f.err != nil {
			return explore.Stop
		}
		f.missing--
	}
	if f.missing == 0 {
		return explore.Stop
	}
	return explore.Continue
}

// schedule makes the schedule of a path and executes it without reductions.
func (x *exploration) schedule(sys *system, p explore.Path, g *goal, key string) (*Schedule, error) {
	c := sys.NewCursor().(*cursor)
	walk, first := interleave.Begin(c, p.Start)
	walk.Settle()
	w := &walker{Walk: walk, m: c.m, names: map[int]string{}}
	s := &Schedule{Turns: w.follow([]Turn{{Turn: first, Goroutine: "main", Begins: true, Does: "start"}}, p.Steps)}
	if g != nil {
		s.Cycle = w.follow(nil, g.cycle)
	}
	if err := x.verify(s, key); err != nil {
		return nil, engine.Contradiction(fmt.Errorf("a schedule does not lead to its outcome without reductions: %w", err))
	}
	return s, nil
}

// walker is a Walk that records what goroutines do.
type walker struct {
	*interleave.Walk
	m     *vm.Machine
	names map[int]string // of goroutines, by number
}

// follow appends a turn for each step.
func (w *walker) follow(turns []Turn, steps []explore.Taken) []Turn {
	for _, s := range steps {
		i := s.Move.Agent()
		t := Turn{Goroutine: w.name(i), Does: w.m.Doing(i)}
		if at, known := w.m.Standing(i); known {
			t.Place = at
		}
		t.Turn = w.Step(s)
		w.Settle()
		turns = append(turns, t)
	}
	return turns
}

// name is the name of the thread at index i: the first function of the program itself in which it was seen, because library code may start
// and end it.
func (w *walker) name(i int) string {
	n := w.Number(i)
	if _, known := w.m.Standing(i); w.names[n] == "" && known {
		w.names[n] = w.m.Goroutine(i)
	}
	if w.names[n] == "" {
		return w.m.Goroutine(i)
	}
	return w.names[n]
}
