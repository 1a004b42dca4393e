package outcomes

import (
	"context"
	"fmt"
	"slices"

	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/vm"
)

// Schedule is one execution: what the goroutines do in turn. It has been executed
// again without any reduction.
type Schedule struct {
	Turns []Turn
	Cycle []Turn // of an execution without end: what is repeated for ever behind Turns
}

// Turn is a step of a schedule: an access that others can see, and everything local
// up to the goroutine's next one.
type Turn struct {
	Thread    int    // goroutines are numbered in order of creation, main is 0
	Goroutine string // the goroutine's name, that of the function it began with
	Does      string // what it begins with, "write of main.x", "sync.Mutex.Lock"
	Begins    bool   // main begins, with the decisions of initialisation
	vm.Place         // in the program's own code; zero if it is in the library only
	Decisions []uint32
	ran       []vm.Ran
	places    []int // numbers of the threads in the order in which the next state holds them
}

// findSchedules looks for a shortest way to each outcome, breadth first and with one
// worker, so that the ways are the same each time.
func (x *exploration) findSchedules(ctx context.Context) error {
	set := x.opt.Reductions
	if len(x.goals) > 0 {
		set &^= vm.Symmetry // their states are saved without
	}
	f := &finder{x: x, sys: x.system(set), missing: len(x.found), roots: map[string][]string{}}
	for key, g := range x.goals {
		at := interleave.StateKey(g.root)
		f.roots[at] = append(f.roots[at], key)
	}
	for _, keys := range f.roots {
		slices.Sort(keys)
	}
	if f.missing == 0 || ctx.Err() != nil {
		return nil
	}
	explore.Run(ctx, f.sys, explore.Options{Order: explore.BreadthFirst, MaxBytes: x.opt.MaxBytes, Visit: f.visit,
		Progress: x.opt.Progress, ProgressEvery: progressEvery})
	return f.err
}

// finder is a search for the ways to known outcomes.
type finder struct {
	x       *exploration
	sys     *system
	missing int
	roots   map[string][]string // outcomes without end, by the saved form of a state on their cycle
	err     error
}

func (f *finder) visit(c explore.Cursor, t explore.Trail, _ int) explore.Action {
	m := c.(*cursor).m
	if m.Fault() != nil {
		return explore.Prune
	}
	keys := f.roots[interleave.StateKey(t.State())]
	for _, o := range shown(m) {
		keys = append(keys, o.key())
	}
	for _, key := range keys {
		o := f.x.found[key]
		if o == nil || o.Schedule != nil {
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

// schedule turns a path into a schedule and executes it.
func (x *exploration) schedule(sys *system, p explore.Path, g *goal, key string) (*Schedule, error) {
	w := &walker{c: sys.NewCursor().(*cursor)}
	s := &Schedule{Turns: []Turn{w.start(p.Start)}}
	s.Turns = w.follow(s.Turns, p.Steps)
	if g != nil {
		s.Cycle = w.follow(nil, g.cycle)
	}
	if err := x.verify(s, key); err != nil {
		return nil, fmt.Errorf("a schedule does not lead to its outcome without reductions, which is a fault of Pangolin: %w", err)
	}
	return s, nil
}

// walker walks along a path. In a saved state threads may have changed places; their
// numbers follow them.
type walker struct {
	c      *cursor
	number []int // of the thread in each place
	names  map[int]string
	next   int
	state  []uint64
}

// start makes the initial state and gives the turn that leads there.
func (w *walker) start(decisions []uint32) Turn {
	t := Turn{Goroutine: "main", Begins: true, Does: "start", Decisions: decisions}
	created := w.c.m.Created()
	w.c.Initial(explore.Replay(decisions))
	w.arrive(&t, created)
	return t
}

// follow appends a turn for each step.
func (w *walker) follow(turns []Turn, steps []explore.Taken) []Turn {
	m := w.c.m
	for _, s := range steps {
		i := s.Move.Agent()
		t := Turn{Thread: w.number[i], Goroutine: w.name(i), Does: m.Doing(i), Decisions: s.Decisions}
		if at, known := m.Standing(i); known {
			t.Place = at
		}
		created := m.Created()
		w.c.Step(s.Move, explore.Replay(s.Decisions))
		w.arrive(&t, created)
		turns = append(turns, t)
	}
	return turns
}

// name is the name of the thread in place i: the first function of the program that it
// was seen in, for the library may start it and end it.
func (w *walker) name(i int) string {
	m := w.c.m
	if w.names == nil {
		w.names = map[int]string{}
	}
	n := w.number[i]
	if _, known := m.Standing(i); w.names[n] == "" && known {
		w.names[n] = m.Goroutine(i)
	}
	if w.names[n] == "" {
		return m.Goroutine(i)
	}
	return w.names[n]
}

// arrive completes a turn that has been executed; created is the number of threads
// created before it.
func (w *walker) arrive(t *Turn, created int) {
	m := w.c.m
	old := w.number
	numberOf := func(place int) int {
		if place < 0 {
			return -1 // nobody's
		}
		if place < len(old) {
			return old[place]
		}
		return w.next + place - len(old)
	}
	for _, r := range m.Ran() {
		t.ran = append(t.ran, vm.Ran{Thread: numberOf(r.Thread), Instructions: r.Instructions})
	}
	var kept []int
	for _, place := range m.Survivors() {
		kept = append(kept, numberOf(place))
	}
	w.next += m.Created() - created
	w.state = w.c.Save(w.state[:0])
	w.number = make([]int, len(kept))
	for i, p := range m.Permutation() {
		w.number[i] = kept[p]
	}
	t.places = slices.DeleteFunc(slices.Clone(w.number), func(n int) bool { return n < 0 })
	w.c.Load(w.state)
}
