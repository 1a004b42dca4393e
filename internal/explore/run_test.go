// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"pangolin/internal/store"
)

// The search on small graphs, held against the obvious one.

func never(int) bool { return false }

// record collects the visits of a search; it may be shared by workers.
type record struct {
	mu     sync.Mutex
	order  []int
	depths map[int]int
	twice  bool
	paths  map[int]Path
}

func newRecord() *record { return &record{depths: map[int]int{}, paths: map[int]Path{}} }

// visitor returns a Visit that records, and prunes as pruned says.
func (r *record) visitor(pruned func(int) bool) func(Cursor, Trail, int) Action {
	return func(c Cursor, t Trail, depth int) Action {
		at := c.(*pencil).at
		path := t.Path()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.order = append(r.order, at)
		if _, known := r.depths[at]; known {
			r.twice = true
		}
		r.depths[at] = depth
		r.paths[at] = path
		if len(path.Steps) != depth || int(t.State()[0]) != at {
			panic(fmt.Sprintf("state %d at depth %d has the trail %v and the saved form %v", at, depth, path, t.State()))
		}
		if pruned(at) {
			return Prune
		}
		return Continue
	}
}

// configurations are all combinations that must agree on what is visited.
func configurations() []Options {
	var list []Options
	for _, order := range []Order{DepthFirst, BreadthFirst} {
		for _, workers := range []int{1, 2, 4} {
			for _, kind := range []store.Kind{store.Hash64, store.Hash128, store.Exact} {
				list = append(list, Options{Order: order, Workers: workers, Store: kind})
				if order == DepthFirst {
					list = append(list, Options{Workers: workers, Store: kind, Cycles: true, Settled: true})
				}
			}
		}
	}
	return list
}

func name(o Options) string {
	return fmt.Sprintf("order %d, %d workers, %v, cycles %v", o.Order, o.Workers, o.Store, o.Cycles)
}

// compare searches d in all configurations, pruning as pruned says, and compares with the
// obvious search. Every trail is replayed.
func compare(t *testing.T, d *drawing, pruned func(int) bool) {
	t.Helper()
	distance, transitions := d.slowly(pruned)
	for _, opt := range configurations() {
		seen := newRecord()
		opt.Visit = seen.visitor(pruned)
		got := Run(context.Background(), d, opt)
		if !got.Complete || got.States != uint64(len(distance)) || got.Transitions != transitions {
			t.Fatalf("%s: %+v; want %d states, %d transitions\n%v", name(opt), got, len(distance), transitions, d)
		}
		if seen.twice || len(seen.order) != len(distance) {
			t.Fatalf("%s: visits %v; want each of %v once\n%v", name(opt), seen.order, distance, d)
		}
		if opt.Order == BreadthFirst && !maps.Equal(seen.depths, distance) {
			t.Fatalf("%s: depths %v; want %v", name(opt), seen.depths, distance)
		}
		replayAll(t, d, seen)
		if deepest := slices.Max(slices.Collect(maps.Values(seen.depths))); got.Depth != deepest && !got.Repeated {
			t.Fatalf("%s: depth %d; want %d", name(opt), got.Depth, deepest)
		}
	}
}

func replayAll(t *testing.T, d *drawing, seen *record) {
	t.Helper()
	for at, path := range seen.paths {
		p := &pencil{d: d}
		steps := 0
		path.Replay(p, nil, func(i int) { steps = i })
		if p.at != at || steps != len(path.Steps) {
			t.Fatalf("the trail of state %d leads to %d after %d steps of %v\n%v", at, p.at, steps, path, d)
		}
	}
}

func TestRun_VisitsWhatTheObviousSearchVisits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 150 {
		d := randomDrawing(r, 1+r.IntN(40))
		if i%3 == 0 {
			d.forward()
		}
		compare(t, d, never)
	}
}

func TestRun_DoesNotExpandPrunedStates(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 100 {
		compare(t, randomDrawing(r, 1+r.IntN(40)), func(s int) bool { return s%4 == 1 })
	}
}

// Two threads of two steps each: the states are pairs of counters, and from (i, j) either
// thread may go on. Depth first, lowest agent first:
//
//	00, 10, 20, 21, 22, then back at 10: 11 (its successor 21 is known), 12, then 01, 02.
func TestRun_VisitsDepthFirstInTheOrderOfMoves(t *testing.T) {
	d := &drawing{initial: []int{0}, moves: make([][]drawnMove, 23)}
	for i := range 3 {
		for j := range 3 {
			if i < 2 {
				d.moves[10*i+j] = append(d.moves[10*i+j], by(0, 10*(i+1)+j))
			}
			if j < 2 {
				d.moves[10*i+j] = append(d.moves[10*i+j], by(1, 10*i+j+1))
			}
		}
	}
	for _, c := range []struct {
		order Order
		want  []int
	}{
		{DepthFirst, []int{0, 10, 20, 21, 22, 11, 12, 1, 2}},
		{BreadthFirst, []int{0, 10, 1, 20, 11, 2, 21, 12, 22}},
	} {
		seen := newRecord()
		got := Run(context.Background(), d, Options{Order: c.order, Visit: seen.visitor(never)})
		if !slices.Equal(seen.order, c.want) {
			t.Errorf("order %d: visits %v; want %v", c.order, seen.order, c.want)
		}
		if got.States != 9 || got.Transitions != 12 || got.Depth != 4 {
			t.Errorf("order %d: %+v; want 9 states, 12 transitions, depth 4", c.order, got)
		}
	}
}

// One step with five targets, which pencil chooses by two decisions: 0 then one of
// {1, 2}, or 1 then one of {3, 4, 5}.
func TestRun_TakesEveryCombinationOfDecisions(t *testing.T) {
	d := &drawing{initial: []int{0}, moves: [][]drawnMove{{by(7, 1, 2, 3, 4, 5)}, {}, {}, {}, {}, {}}}
	seen := newRecord()
	Run(context.Background(), d, Options{Visit: seen.visitor(never)})
	want := map[int][]uint32{1: {0, 0}, 2: {0, 1}, 3: {1, 0}, 4: {1, 1}, 5: {1, 2}}
	for at, decisions := range want {
		path := Path{Steps: []Taken{{Move: 7, Decisions: decisions}}}
		if !reflect.DeepEqual(seen.paths[at], path) {
			t.Errorf("state %d has the trail %v; want %v", at, seen.paths[at], path)
		}
	}
	if !slices.Equal(seen.order, []int{0, 1, 2, 3, 4, 5}) {
		t.Errorf("visits %v", seen.order)
	}
}

// 0 -> 1 -> 2 and 0 -> 3: from 1 there are 1 and 2, and trails begin at 1.
func TestRun_StartsFromASavedState(t *testing.T) {
	d := &drawing{initial: []int{0}, moves: [][]drawnMove{{by(0, 1), by(0, 3)}, {by(40, 2)}, {}, {}}}
	from := []uint64{1, 1}
	for _, opt := range configurations() {
		seen := newRecord()
		opt.From = from
		opt.Visit = seen.visitor(never)
		got := Run(context.Background(), d, opt)
		if got.States != 2 || !reflect.DeepEqual(seen.order, []int{1, 2}) {
			t.Errorf("%s: visits %v, %+v", name(opt), seen.order, got)
		}
		p := &pencil{d: d}
		seen.paths[2].Replay(p, from, nil)
		if p.at != 2 || len(seen.paths[2].Steps) != 1 {
			t.Errorf("%s: the trail %v leads to %d", name(opt), seen.paths[2], p.at)
		}
	}
}

func TestPath_ReplayRefusesDecisionsThatAreNotAskedFor(t *testing.T) {
	d := &drawing{initial: []int{0}, moves: [][]drawnMove{{by(0, 1)}, {}}}
	checkPanics(t, "a decision too many", "asked for 0 decisions and has 1", func() {
		Path{Steps: []Taken{{Decisions: []uint32{0}}}}.Replay(&pencil{d: d}, nil, nil)
	})
}

func TestRun_IsTheSameTwice(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 50 {
		d := randomDrawing(r, 60)
		for _, opt := range configurations() {
			if opt.Workers > 1 {
				continue
			}
			var runs [2]*record
			var results [2]Result
			for i := range runs {
				runs[i] = newRecord()
				opt.Visit = runs[i].visitor(never)
				results[i] = Run(context.Background(), d, opt)
			}
			if !reflect.DeepEqual(runs[0], runs[1]) || results[0] != results[1] {
				t.Fatalf("%s: two runs differ: %v %+v, %v %+v", name(opt), runs[0].order, results[0], runs[1].order, results[1])
			}
		}
	}
}
