// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pangolin/internal/store"
	"pangolin/internal/test/level"
)

// counters is a System of agents that count to a limit each, one word for each: the
// states are all tuples, (limit+1)^agents of them. With symmetric, Save sorts the
// counters, and the states are multisets. With flips, every step also sets a bit by
// choice, kept in a last word.
type counters struct {
	agents    int
	limit     uint64
	symmetric bool
	flips     bool
	padding   int // further words of a state
}

func (s counters) NewCursor() Cursor { return &counting{counters: s} }

type counting struct {
	counters
	count []uint64
}

func (c *counting) words() int { return c.agents + c.padding + 1 }

func (c *counting) Initial(*Choices) { c.count = make([]uint64, c.words()) }

func (c *counting) Load(state []uint64) { c.count = append(c.count[:0], state...) }

func (c *counting) Moves(dst []Move) []Move {
	for a := range c.agents {
		if c.count[a] < c.limit {
			dst = append(dst, Move(a))
		}
	}
	return dst
}

func (c *counting) Step(m Move, choices *Choices) {
	c.count[m.Agent()]++
	if c.flips {
		c.count[c.words()-1] = uint64(choices.Choose(2))
	}
}

func (c *counting) Save(dst []uint64) []uint64 {
	dst = append(dst, c.count...)
	if c.symmetric {
		slices.Sort(dst[len(dst)-c.words():][:c.agents])
	}
	return dst
}

// 2 counters to 3 in any order: (0,0), (0,1), …: C(2+3, 2) = 10 multisets. The moves of a
// trail refer to the sorted counters, and Replay follows that.
func TestTrail_RefersToTheNumberingOfSavedStates(t *testing.T) {
	sys := counters{agents: 2, limit: 3, symmetric: true}
	for _, order := range []Order{DepthFirst, BreadthFirst} {
		visits := 0
		got := Run(context.Background(), sys, Options{Order: order, Visit: func(_ Cursor, trail Trail, depth int) Action {
			visits++
			c := sys.NewCursor()
			trail.Path().Replay(c, nil, nil)
			if !slices.Equal(c.Save(nil), trail.State()) {
				t.Errorf("the trail %v of %v leads to %v", trail.Path(), trail.State(), c.Save(nil))
			}
			return Continue
		}})
		if got.States != 10 || visits != 10 {
			t.Errorf("order %d: %d states, %d visits; want 10", order, got.States, visits)
		}
	}
}

// The searches are large enough for workers to give alternatives to each other: 8^4
// tuples of counters, each with one of two bits (but for the initial state, which has only
// bit 0); a state has two transitions for each counter below 7.
func TestRun_SharesALargeSearchAmongWorkers(t *testing.T) {
	sys := counters{agents: 4, limit: 7, flips: true}
	const states = 2*8*8*8*8 - 1
	const transitions = 2 * (2*4*7*8*8*8 - 4)
	for _, opt := range configurations() {
		if opt.Store == store.Exact {
			continue
		}
		got := Run(context.Background(), sys, opt)
		if got.States != states || got.Transitions != transitions || !got.Complete || got.Repeated {
			t.Errorf("%s: %+v; want %d states, %d transitions", name(opt), got, states, transitions)
		}
		if opt.Order == BreadthFirst && got.Depth != 28 {
			t.Errorf("%s: depth %d; want 28", name(opt), got.Depth)
		}
	}
}

// The number of allocations must follow the growth of tables and stacks (some 500 here),
// not the 46,656 states or the 233,280 transitions.
func TestRun_AllocatesNothingPerTransition(t *testing.T) {
	level.SkipShort(t, "searches large systems")
	sys := counters{agents: 6, limit: 5, flips: true}
	for _, opt := range []Options{{}, {Cycles: true}, {Store: store.Hash128}, {Order: BreadthFirst}} {
		opt.Visit = func(Cursor, Trail, int) Action { return Continue }
		allocs := testing.AllocsPerRun(1, func() { Run(context.Background(), sys, opt) })
		if allocs > 2000 {
			t.Errorf("%s: %v allocations", name(opt), allocs)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	sys := counters{agents: 6, limit: 9, padding: 20} // a million states of 27 words
	for _, c := range []struct {
		name string
		opt  Options
	}{
		{"dfs", Options{}},
		{"dfs-settled", Options{Settled: true}},
		{"dfs-exact", Options{Store: store.Exact}},
		{"dfs-hash128", Options{Store: store.Hash128}},
		{"dfs-cycles", Options{Cycles: true}},
		{"dfs-2workers", Options{Workers: 2}},
		{"dfs-cycles-2workers", Options{Cycles: true, Workers: 2}},
		{"bfs", Options{Order: BreadthFirst}},
		{"bfs-2workers", Options{Order: BreadthFirst, Workers: 2}},
	} {
		b.Run(c.name, func(b *testing.B) { benchmark(b, sys, c.opt) })
	}
}

// One client at a time means very many very small searches.
func BenchmarkRun_ThirtyStates(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		got := Run(context.Background(), counters{agents: 2, limit: 4}, Options{})
		if got.States != 25 {
			b.Fatal(got)
		}
	}
}

func benchmark(b *testing.B, sys counters, opt Options) {
	b.ReportAllocs()
	var states, transitions uint64
	var last Result
	for b.Loop() {
		last = Run(context.Background(), sys, opt)
		states += last.States
		transitions += last.Transitions
	}
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(states)/seconds/1e6, "Mstates/s")
	b.ReportMetric(float64(transitions)/seconds/1e6, "Msteps/s")
	b.ReportMetric(last.BytesPerState(), "B/state")
	b.ReportMetric(float64(last.PeakBytes)/float64(last.States), "peakB/state")
}

func ExampleRun() {
	got := Run(context.Background(), counters{agents: 3, limit: 2}, Options{})
	fmt.Println(got.States, got.Transitions, got.Depth, got.Complete)
	// Output: 27 54 6 true
}
