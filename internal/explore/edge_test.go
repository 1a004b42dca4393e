// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// labelled is a drawing whose steps are labelled with 1000 times the state they leave
// plus the one they lead to; an initial state's label is itself.
type labelled struct{ *drawing }

type labelPencil struct {
	*pencil
	label uint64
}

func (d labelled) NewCursor() Cursor { return &labelPencil{pencil: &pencil{d: d.drawing}} }

func (p *labelPencil) Initial(c *Choices) {
	p.pencil.Initial(c)
	p.label = uint64(p.at)
}

func (p *labelPencil) Step(m Move, c *Choices) {
	from := p.at
	p.pencil.Step(m, c)
	p.label = uint64(1000*from + p.at)
}

func (p *labelPencil) Label() uint64 { return p.label }

// drawnEdges are the edges of the states that are reached, as "from -move-> to", one for
// each combination of decisions; initial states come from "start".
func (d *drawing) drawnEdges(pruned func(int) bool) []string {
	var list []string
	for _, s := range d.initial {
		list = append(list, fmt.Sprintf("start -0-> %d", s))
	}
	reached, _ := d.slowly(pruned)
	for s := range reached {
		if pruned(s) {
			continue
		}
		for i, m := range d.moves[s] {
			for _, to := range m.targets {
				list = append(list, fmt.Sprintf("%d -%d-> %d", s, i<<8|m.agent, to))
			}
		}
	}
	slices.Sort(list)
	return list
}

// shownEdges are those that a search shows, under the states' own names.
func shownEdges(t *testing.T, d *drawing, opt Options) []string {
	t.Helper()
	var mu sync.Mutex
	names := map[uint32]int{}
	type shown struct {
		from, to uint32
		move     Move
		label    uint64
	}
	var edges []shown
	opt.OnEdge = func(e *Edge) Action {
		mu.Lock()
		defer mu.Unlock()
		_, known := names[e.To]
		if known == e.New {
			// With several workers another edge to a new state may be shown first.
			if opt.Workers < 2 {
				t.Errorf("state %d: new is %v", e.To, e.New)
			}
		}
		names[e.To] = int(e.State[0])
		edges = append(edges, shown{e.From, e.To, e.Move, e.Label})
		return Continue
	}
	if r := Run(context.Background(), labelled{d}, opt); !r.Complete {
		t.Fatalf("not complete: %+v", r)
	}
	var list []string
	for _, e := range edges {
		from, label := "start", names[e.to]
		if e.from != NoState {
			from, label = fmt.Sprint(names[e.from]), 1000*names[e.from]+names[e.to]
		}
		if e.label != uint64(label) {
			t.Errorf("the edge from %s to %d is labelled %d", from, names[e.to], e.label)
		}
		list = append(list, fmt.Sprintf("%s -%d-> %d", from, e.move, names[e.to]))
	}
	slices.Sort(list)
	return list
}

func TestOnEdge_ShowsEveryTransitionOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for range 200 {
		d := randomDrawing(r, 1+r.IntN(20))
		stride := 2 + r.IntN(6)
		pruned := func(s int) bool { return s%stride == 1 }
		want := d.drawnEdges(pruned)
		for _, opt := range []Options{{}, {Workers: 3}, {Cycles: true}, {Workers: 3, Cycles: true}} {
			opt.Visit = func(c Cursor, trail Trail, _ int) Action {
				// Visit may move the cursor: labels are those of the search's own steps.
				c.Initial(&Choices{})
				if pruned(int(trail.State()[0])) {
					return Prune
				}
				return Continue
			}
			if got := shownEdges(t, d, opt); !slices.Equal(got, want) {
				t.Fatalf("%s: got %v\nwant %v", name(opt), got, want)
			}
		}
	}
}

func TestOnEdge_NumbersStatesInTheOrderOfDiscovery(t *testing.T) {
	d := &drawing{initial: []int{0}, moves: [][]drawnMove{{by(0, 1), by(1, 2)}, {by(1, 2)}, {by(0, 0)}}}
	var got []string
	Run(context.Background(), d, Options{OnEdge: func(e *Edge) Action {
		got = append(got, fmt.Sprint(int32(e.From), e.To, e.New, e.Move.Agent(), e.Label))
		return Continue
	}})
	want := []string{"-1 0 true 0 0", "0 1 true 0 0", "1 2 true 1 0", "2 0 false 0 0", "0 2 false 1 0"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOnEdge_StopEndsTheSearch(t *testing.T) {
	d := &drawing{initial: []int{0}, moves: [][]drawnMove{{by(0, 1), by(1, 2)}, {by(1, 2)}, {by(0, 0)}}}
	edges := 0
	r := Run(context.Background(), d, Options{OnEdge: func(*Edge) Action {
		if edges++; edges == 3 {
			return Stop
		}
		return Continue
	}})
	if edges != 3 || !r.Stopped || r.Complete {
		t.Errorf("%d edges, %+v", edges, r)
	}
}
