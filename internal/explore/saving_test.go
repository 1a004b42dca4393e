// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pangolin/internal/test/level"

	"pangolin/internal/saved"
	"pangolin/internal/store"
)

// told is what a search has told its caller.
type told struct {
	mu     sync.Mutex
	events []string
	result Result
}

// moment is a search that was written down, when so many events had been told.
type moment struct {
	text   []byte
	events int
	at     Moment
}

// tells searches a drawing; it goes on from a text, if that is not nil, and writes the search down when due says so.
func tells(d *drawing, opt Options, from []byte, due func() bool) (*told, []moment) {
	x := &told{}
	var list []moment
	add := func(text string) {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.events = append(x.events, text)
	}
	opt.Visit = func(c Cursor, t Trail, depth int) Action {
		add(fmt.Sprint("state ", t.State(), depth, t.Path()))
		if t.State()[0]%11 == 7 {
			return Prune
		}
		return Continue
	}
	if opt.Cycles {
		opt.OnComponent = func(c *Component) Action {
			add(fmt.Sprint(summarize(c), c.Trail(), c.Cycle(false)))
			return Continue
		}
	}
	opt.ProgressEvery = 1 // each state is counted at once
	k := &Checkpoints{Due: due}
	if due != nil {
		k.Write = func(at Moment, pass func(*saved.Codec)) {
			var out bytes.Buffer
			c := saved.To(&out)
			if pass(c); c.End() != nil {
				panic(c.Err())
			}
			list = append(list, moment{out.Bytes(), len(x.events), at})
		}
	}
	var c *saved.Codec
	if from != nil {
		c = saved.From(bytes.NewReader(from), int64(len(from)))
		k.From = c
	}
	opt.Checkpoints = k
	x.result = Run(context.Background(), d, opt)
	if c != nil && c.End() != nil {
		panic(c.Err())
	}
	x.result.PeakBytes = 0 // stacks may be larger than they need to be
	return x, list
}

// A search that goes on from any moment tells what is left, in the same order, and has the same result.
func TestCheckpoints_GoOnWithOneWorker(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	moments := 0
	for round := range 150 {
		d := randomDrawing(rng, 1+rng.IntN(60))
		opt := Options{Cycles: round%4 != 0, Store: []store.Kind{store.Hash64, store.Hash128, store.Exact}[round%3]}
		if round%7 == 0 {
			opt.MaxStates = uint64(1 + rng.IntN(40))
		}
		want, _ := tells(d, opt, nil, nil)
		same, list := tells(d, opt, nil, func() bool { return true })
		if !slices.Equal(want.events, same.events) || want.result != same.result {
			t.Fatalf("round %d: writing the search down changes it: %+v and %+v", round, want.result, same.result)
		}
		for _, m := range list {
			moments++
			got, _ := tells(d, opt, m.text, nil)
			if !slices.Equal(got.events, want.events[m.events:]) {
				t.Fatalf("round %d, after %d events of %d: it goes on with\n%q\nwant\n%q", round, m.events, len(want.events), got.events, want.events[m.events:])
			}
			if got.result != want.result {
				t.Fatalf("round %d, after %d events: %+v, want %+v", round, m.events, got.result, want.result)
			}
		}
	}
	if moments < 1000 {
		t.Errorf("only %d moments were tried", moments)
	}
}

// A search may go on any number of times: what it was told to write down later is as good.
func TestCheckpoints_OfASearchThatWentOn(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		d := randomDrawing(rng, 40)
		opt := Options{Cycles: true}
		want, list := tells(d, opt, nil, func() bool { return true })
		for behind := 0; len(list) > 1; {
			m := list[rng.IntN(len(list)-1)]
			behind += m.events
			var got *told
			got, list = tells(d, opt, m.text, func() bool { return true })
			if !slices.Equal(got.events, want.events[behind:]) || got.result != want.result {
				t.Fatalf("after %d events: %+v, want %+v", behind, got.result, want.result)
			}
		}
	}
}

// With several workers all states are visited once, by whatever number of workers goes on, and all components are found.
func TestCheckpoints_GoOnWithSeveralWorkers(t *testing.T) {
	if !level.All() {
		t.Skip("known to fail in some runs: a state is counted twice (WARTS.md); package task leaves checkpoints of one worker only")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	moments := 0
	for round := range 40 {
		d := randomDrawing(rng, 1+rng.IntN(200))
		if round%2 == 0 {
			d = d.forward()
		}
		opt := Options{Cycles: round%3 != 0, Workers: 2 + rng.IntN(3)}
		pruned := func(s int) bool { return s%11 == 7 }
		distance, transitions := d.slowly(pruned)
		one, _ := tells(d, Options{Cycles: opt.Cycles}, nil, nil)
		components := func(x *told) (list []string) {
			for _, e := range x.events {
				if e[0] == '{' {
					list = append(list, e)
				}
			}
			slices.Sort(list)
			return list
		}
		states := func(x *told, n int) map[string]bool {
			set := map[string]bool{}
			for _, e := range x.events[:n] {
				var s int
				if _, err := fmt.Sscanf(e, "state [%d", &s); err == nil {
					if key := fmt.Sprint(s); set[key] {
						t.Fatalf("state %d is visited twice", s)
					} else {
						set[key] = true
					}
				}
			}
			return set
		}
		first, list := tells(d, opt, nil, func() bool { return true })
		for i, m := range list {
			if moments++; i%5 != round%5 {
				continue
			}
			other := opt
			other.Workers = 2 + rng.IntN(3)
			got, _ := tells(d, other, m.text, nil)
			before, after := states(first, m.events), states(got, len(got.events))
			for s := range before {
				if after[s] {
					t.Fatalf("round %d: state %s is visited again", round, s)
				}
			}
			maps.Copy(after, before)
			if len(after) != len(distance) || got.result.States != uint64(len(distance)) || got.result.Transitions != transitions || !got.result.Complete {
				t.Fatalf("round %d: %d states, result %+v; want %d states, %d transitions", round, len(after), got.result, len(distance), transitions)
			}
			if !slices.Equal(components(got), components(one)) {
				t.Fatalf("round %d: components\n%q, want\n%q", round, components(got), components(one))
			}
		}
	}
	if moments < 500 {
		t.Errorf("there were only %d moments", moments)
	}
}

// A search that a callback or a limit on states has ended is not written down: there may be states that nobody has judged.
func TestCheckpoints_AreNotMadeBehindAStop(t *testing.T) {
	d := &drawing{initial: []int{0}, moves: [][]drawnMove{{by(0, 1)}, {by(0, 2)}, {by(0, 3)}, {}}}
	for name, opt := range map[string]Options{
		"a limit on states": {MaxStates: 2},
		"a visitor":         {Visit: func(_ Cursor, tr Trail, _ int) Action { return map[bool]Action{true: Stop}[tr.State()[0] == 2] }},
	} {
		ended := 0
		opt.Checkpoints = &Checkpoints{Write: func(at Moment, _ func(*saved.Codec)) {
			if at.Ended {
				ended++
			}
		}}
		if r := Run(context.Background(), d, opt); ended > 0 || r.Complete {
			t.Errorf("%s: it is written down %d times, %+v", name, ended, r)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var last Moment
	Run(ctx, d, Options{Checkpoints: &Checkpoints{Write: func(at Moment, _ func(*saved.Codec)) { last = at }}})
	if !last.Ended || last.Limit != LimitCancelled {
		t.Errorf("an interrupted search is not written down: %+v", last)
	}
}

// A worker that sees that the search stops, before the pool does, takes no task in place of what it has still to expand.
func TestTake_LeavesAWorkerThatStopsItsFrames(t *testing.T) {
	s := &search{}
	p := newPool(2)
	s.front = p
	w := &worker{search: s}
	w.adopt(root())
	s.signal.Store(stopping)
	if p.take(w) || len(w.frames) != 1 || len(p.tasks) != 1 {
		t.Errorf("it has %d frames, and the pool %d tasks", len(w.frames), len(p.tasks))
	}
}
