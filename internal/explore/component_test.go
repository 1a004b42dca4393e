// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/store"
)

// summary is what the tests look at in a Component.
type summary struct {
	root    int
	states  int
	bottom  bool
	fair    bool
	moved   []int // of agents 0, 40 and 80
	resting []int
	short   int // length of the shortest cycle through the root
}

var drawnAgents = []int{0, 40, 80}

func summarize(c *Component) summary {
	s := summary{root: int(c.Root[0]), states: c.States, bottom: c.Bottom, fair: c.Fair(), short: len(c.Cycle(false))}
	for _, a := range drawnAgents {
		if c.Moved.Has(a) {
			s.moved = append(s.moved, a)
		}
		if !c.Always.Has(a) {
			s.resting = append(s.resting, a)
		}
	}
	return s
}

func (s summary) String() string {
	return fmt.Sprintf("{root %d, %d states, bottom %v, fair %v, moved %v, resting %v, shortest cycle %d}",
		s.root, s.states, s.bottom, s.fair, s.moved, s.resting, s.short)
}

// components searches d and returns its components, after checking what can be checked of
// each by itself: trail, cycles, members.
func components(t *testing.T, d *drawing, opt Options) ([]summary, Result) {
	t.Helper()
	var list []summary
	opt.Cycles = true
	opt.OnComponent = func(c *Component) Action {
		list = append(list, summarize(c))
		checkTrail(t, d, c, opt.From)
		checkCycle(t, d, c, false)
		checkCycle(t, d, c, true)
		var members []int
		c.Each(func(at Cursor, state []uint64) bool {
			members = append(members, at.(*pencil).at)
			return true
		})
		if members[0] != int(c.Root[0]) || len(members) != c.States {
			t.Errorf("a component of %d states with root %d has the members %v", c.States, c.Root[0], members)
		}
		return Continue
	}
	return list, Run(context.Background(), d, opt)
}

func checkTrail(t *testing.T, d *drawing, c *Component, from []uint64) {
	t.Helper()
	p := &pencil{d: d}
	c.Trail().Replay(p, from, nil)
	if p.at != int(c.Root[0]) {
		t.Errorf("the trail of root %d leads to %d\n%v", c.Root[0], p.at, d)
	}
}

// checkCycle replays a cycle: it ends where it began and, if it has to be and can be
// fair, every agent moves or is not enabled somewhere.
func checkCycle(t *testing.T, d *drawing, c *Component, fair bool) {
	t.Helper()
	steps := c.Cycle(fair)
	satisfied := map[int]bool{}
	p := &pencil{d: d}
	Path{Steps: steps}.Replay(p, c.Root, func(i int) {
		if i > 0 {
			satisfied[steps[i-1].Move.Agent()] = true
		}
		enabled := d.enabled(p.at)
		for _, a := range drawnAgents {
			if !slices.Contains(enabled, a) {
				satisfied[a] = true
			}
		}
	})
	if len(steps) == 0 || p.at != int(c.Root[0]) {
		t.Errorf("the cycle %v of root %d ends in %d\n%v", steps, c.Root[0], p.at, d)
	}
	for _, a := range drawnAgents {
		if unfair := c.Unfair(); fair && !satisfied[a] && !unfair.Has(a) {
			t.Errorf("the fair cycle %v of root %d is not fair to %d\n%v", steps, c.Root[0], a, d)
		}
	}
}

// enabled returns the agents with a move in state s.
func (d *drawing) enabled(s int) []int {
	var list []int
	for _, m := range d.moves[s] {
		list = append(list, m.agent)
	}
	return list
}

func TestComponents_OfHandDrawnGraphs(t *testing.T) {
	for _, c := range []struct {
		name string
		d    drawing
		want []summary
	}{
		{"a chain has none", drawing{[]int{0}, [][]drawnMove{{by(0, 1)}, {by(0, 2)}, {}}}, nil},

		{"a diamond has none", drawing{[]int{0}, [][]drawnMove{{by(0, 1), by(40, 2)}, {by(40, 3)}, {by(0, 3)}, {}}}, nil},

		// 0 -> 1, and 1 -> 1 by agent 40; agents 0 and 80 rest.
		{"a self loop", drawing{[]int{0}, [][]drawnMove{{by(0, 1)}, {by(40, 1)}}},
			[]summary{{1, 1, true, true, []int{40}, []int{0, 80}, 1}}},

		// Agent 40 could leave, and is enabled all the time: waiting by agent 0 alone is unfair.
		{"a self loop with an exit", drawing{[]int{0}, [][]drawnMove{{by(0, 0), by(40, 1)}, {}}},
			[]summary{{0, 1, false, false, []int{0}, []int{80}, 1}}},

		// The same, but the exit is an outcome of the looping step itself.
		{"a self loop by choice", drawing{[]int{0}, [][]drawnMove{{by(0, 1, 0)}, {}}},
			[]summary{{0, 1, false, true, []int{0}, []int{40, 80}, 1}}},

		// Agent 40's exit is enabled in 0 only, so 0 -> 1 -> 0 is weakly fair.
		{"a cycle in which the exit comes and goes", drawing{[]int{0}, [][]drawnMove{{by(0, 1), by(40, 2)}, {by(0, 0)}, {}}},
			[]summary{{0, 2, false, true, []int{0}, []int{40, 80}, 2}}},

		// 0 -> 1 -> 2 -> 0 by agent 0; 1 -> 1 by agent 80.
		{"a ring with a loop", drawing{[]int{0}, [][]drawnMove{{by(0, 1)}, {by(0, 2), by(80, 1)}, {by(0, 0)}}},
			[]summary{{0, 3, true, true, []int{0, 80}, []int{40, 80}, 3}}},

		// 0 <-> 1 and 1 <-> 2, reached depth first from 0: one component through 1.
		{"a figure of eight", drawing{[]int{0}, [][]drawnMove{{by(0, 1)}, {by(40, 2), by(40, 0)}, {by(80, 1)}}},
			[]summary{{0, 3, true, true, []int{0, 40, 80}, []int{0, 40, 80}, 2}}},

		// The root is 2, where the ring is entered.
		{"a ring entered in the middle", drawing{[]int{0}, [][]drawnMove{{by(0, 2)}, {by(0, 2)}, {by(0, 1)}}},
			[]summary{{2, 2, true, true, []int{0}, []int{40, 80}, 2}}},

		// {0, 1} leads to {2, 3}: the lower one is completed first.
		{"two rings", drawing{[]int{0}, [][]drawnMove{{by(0, 1)}, {by(40, 2), by(0, 0)}, {by(0, 3)}, {by(0, 2)}}},
			[]summary{{2, 2, true, true, []int{0}, []int{40, 80}, 2}, {0, 2, false, true, []int{0}, []int{40, 80}, 2}}},

		// 1 is known and completed when 2 leads to it: an edge that leaves.
		{"a cross edge to a completed component", drawing{[]int{0}, [][]drawnMove{{by(0, 1), by(0, 2)}, {by(0, 1)}, {by(40, 1), by(0, 2)}}},
			[]summary{{1, 1, true, true, []int{0}, []int{40, 80}, 1}, {2, 1, false, false, []int{0}, []int{80}, 1}}},

		{"two initial states", drawing{[]int{1, 0}, [][]drawnMove{{by(0, 0), by(40, 1)}, {by(0, 1)}}},
			[]summary{{1, 1, true, true, []int{0}, []int{40, 80}, 1}, {0, 1, false, false, []int{0}, []int{80}, 1}}},

		{"two initial states in one component", drawing{[]int{0, 1}, [][]drawnMove{{by(0, 1)}, {by(0, 0)}}},
			[]summary{{0, 2, true, true, []int{0}, []int{40, 80}, 2}}},
	} {
		for _, workers := range []int{1, 2} {
			got, result := components(t, &c.d, Options{Workers: workers})
			if !equalSummaries(got, c.want) {
				t.Errorf("%s, %d workers: %v; want %v", c.name, workers, got, c.want)
			}
			if repeated := workers > 1 && len(c.want) > 0; result.Repeated != repeated || !result.Complete {
				t.Errorf("%s, %d workers: %+v", c.name, workers, result)
			}
		}
	}
}

func equalSummaries(a, b []summary) bool {
	return slices.EqualFunc(a, b, func(x, y summary) bool { return x.String() == y.String() })
}

// 0 -> 1 -> 2 -> 0, but 2 is pruned: what it would lead to is not known, so there is no
// cycle, and 1 -> 2 leaves the loop at 1.
func TestComponents_EndAtPrunedStates(t *testing.T) {
	d := &drawing{[]int{0}, [][]drawnMove{{by(0, 1)}, {by(0, 2), by(0, 1)}, {by(0, 0)}}}
	for _, workers := range []int{1, 2} {
		visits := newRecord()
		got, _ := components(t, d, Options{Workers: workers, Visit: visits.visitor(func(s int) bool { return s == 2 })})
		want := []summary{{1, 1, false, true, []int{0}, []int{40, 80}, 1}}
		if !equalSummaries(got, want) {
			t.Errorf("%d workers: %v; want %v", workers, got, want)
		}
		if visits.twice {
			t.Errorf("%d workers: states were visited twice: %v", workers, visits.order)
		}
	}
}

func TestComponents_CanBeSearchedAgainFromTheirRoot(t *testing.T) {
	d := &drawing{[]int{0}, [][]drawnMove{{by(0, 1)}, {by(0, 2)}, {by(40, 3)}, {by(0, 2), by(40, 2)}}}
	whole, _ := components(t, d, Options{})
	again, _ := components(t, d, Options{From: []uint64{2, 2, 2}})
	want := []summary{{2, 2, true, true, []int{0, 40}, []int{0, 80}, 2}}
	if !equalSummaries(whole, want) || !equalSummaries(again, want) {
		t.Errorf("from the initial state %v, from 2 %v; want %v", whole, again, want)
	}
}

func TestComponents_StopEndsTheSearch(t *testing.T) {
	d := &drawing{[]int{0, 1}, [][]drawnMove{{by(0, 0)}, {by(0, 1)}}}
	calls := 0
	got := Run(context.Background(), d, Options{Cycles: true, OnComponent: func(*Component) Action {
		calls++
		return Stop
	}})
	if calls != 1 || !got.Stopped || got.Complete || got.Limit != NoLimit {
		t.Errorf("%d calls, %+v", calls, got)
	}
}

func TestComponents_AgreeWithNaiveOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	fair, unfair := 0, 0
	for i := range 400 {
		d := randomDrawing(r, 1+r.IntN(25))
		if i%2 == 0 {
			d.addLoops(r)
		}
		pruned := never
		if i%3 == 0 {
			pruned = func(s int) bool { return s%5 == 2 }
		}
		want := d.naiveComponents(pruned)
		for _, opt := range []Options{{}, {Settled: true, Store: store.Exact}, {Workers: 2}, {Workers: 4, Store: store.Hash128}} {
			visits := newRecord()
			opt.Visit = visits.visitor(pruned)
			got, result := components(t, d, opt)
			checkAgainstNaive(t, d, got, want)
			if opt.workers() > 1 && result.Repeated != (len(want) > 0) {
				t.Fatalf("repeated %v with %d components\n%v", result.Repeated, len(want), d)
			}
		}
		for _, w := range want {
			if w.fair {
				fair++
			} else {
				unfair++
			}
		}
	}
	if fair < 50 || unfair < 25 {
		t.Errorf("the random graphs have %d fair components and %d unfair ones: too few to mean anything", fair, unfair)
	}
}

// addLoops turns a third of the targets into loops.
func (d *drawing) addLoops(r *rand.Rand) {
	for s, moves := range d.moves {
		for _, m := range moves {
			if r.IntN(3) == 0 {
				m.targets[0] = s
			}
		}
	}
}

// naive is a component found by the obvious method.
type naive struct {
	members []int
	summary
}

func checkAgainstNaive(t *testing.T, d *drawing, got []summary, want []naive) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d components; want %v\n%v", len(got), want, d)
	}
	for _, g := range got {
		i := slices.IndexFunc(want, func(w naive) bool { return slices.Contains(w.members, g.root) })
		if i < 0 {
			t.Fatalf("component %v; want %v\n%v", g, want, d)
		}
		w := want[i].summary
		w.root = g.root
		w.short = d.girth(g.root, want[i].members)
		if w.String() != g.String() {
			t.Fatalf("component %v; want %v\n%v", g, w, d)
		}
	}
}

// naiveComponents compares all pairs of states: two are in one component if each reaches
// the other.
func (d *drawing) naiveComponents(pruned func(int) bool) []naive {
	cut := &drawing{moves: slices.Clone(d.moves)}
	for s := range cut.moves {
		if pruned(s) {
			cut.moves[s] = nil
		}
	}
	reachable, _ := d.slowly(pruned)
	var list []naive
	done := map[int]bool{}
	for s := range d.moves {
		if _, ok := reachable[s]; !ok || done[s] {
			continue
		}
		var members []int
		for u := range d.moves {
			if u == s || cut.leads(s, u) && cut.leads(u, s) {
				members = append(members, u)
				done[u] = true
			}
		}
		if cut.leads(s, s) {
			list = append(list, naive{members, cut.describe(members)})
		}
	}
	return list
}

// leads reports whether a walk of one or more steps leads from s to u.
func (d *drawing) leads(s, u int) bool {
	seen := map[int]bool{}
	work := []int{s}
	for len(work) > 0 {
		at := work[0]
		work = work[1:]
		for _, m := range d.moves[at] {
			for _, next := range m.targets {
				if next == u {
					return true
				}
				if !seen[next] {
					seen[next] = true
					work = append(work, next)
				}
			}
		}
	}
	return false
}

func (d *drawing) describe(members []int) summary {
	s := summary{states: len(members), bottom: true}
	for _, a := range drawnAgents {
		moved, resting := false, false
		for _, m := range members {
			resting = resting || !slices.Contains(d.enabled(m), a)
			for _, move := range d.moves[m] {
				for _, to := range move.targets {
					inside := slices.Contains(members, to)
					s.bottom = s.bottom && inside
					moved = moved || inside && move.agent == a
				}
			}
		}
		if moved {
			s.moved = append(s.moved, a)
		}
		if resting {
			s.resting = append(s.resting, a)
		}
	}
	s.fair = d.hasFairCycle(members)
	return s
}

// satisfied returns the agents of drawnAgents, as bits, that are not enabled in s.
func (d *drawing) satisfied(s int) int {
	bits := 0
	for i, a := range drawnAgents {
		if !slices.Contains(d.enabled(s), a) {
			bits |= 1 << i
		}
	}
	return bits
}

// hasFairCycle looks for a closed walk from the first member on which every agent is
// satisfied, among all pairs of a state and a set of satisfied agents. (If any state has
// one, all states of the component have.)
func (d *drawing) hasFairCycle(members []int) bool {
	type node struct{ at, satisfied int }
	home := members[0]
	seen := map[node]bool{}
	work := []node{{home, d.satisfied(home)}}
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		for _, m := range d.moves[n.at] {
			for _, to := range m.targets {
				if !slices.Contains(members, to) {
					continue
				}
				next := node{to, n.satisfied | d.satisfied(to) | 1<<slices.Index(drawnAgents, m.agent)}
				if to == home && next.satisfied == 1<<len(drawnAgents)-1 {
					return true
				}
				if !seen[next] {
					seen[next] = true
					work = append(work, next)
				}
			}
		}
	}
	return false
}

// girth returns the length of the shortest closed walk from s among members.
func (d *drawing) girth(s int, members []int) int {
	distance := map[int]int{}
	work := []int{s}
	for len(work) > 0 {
		at := work[0]
		work = work[1:]
		for _, m := range d.moves[at] {
			for _, to := range m.targets {
				if !slices.Contains(members, to) {
					continue
				}
				if to == s {
					return distance[at] + 1
				}
				if _, known := distance[to]; !known {
					distance[to] = distance[at] + 1
					work = append(work, to)
				}
			}
		}
	}
	return 0
}
