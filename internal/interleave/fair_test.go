// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/explore"
)

// arrow is an edge of a drawn graph: an agent takes it, and lets another go on if wakes is
// its number.
type arrow struct{ from, agent, to, wakes int }

// draw makes a graph of n states. An agent is enabled where it has an arrow, and where
// enabled says so: its arrow leads out of the graph then.
func draw(n int, arrows []arrow, enabled ...[2]int) *graph {
	g := &graph{states: make([][]uint64, n), enabled: make([]explore.Agents, n), edges: make([][]edge, n)}
	for i := range g.states {
		g.states[i] = []uint64{uint64(i)}
	}
	for _, a := range arrows {
		g.enabled[a.from].Add(a.agent)
		e := edge{to: a.to, taken: explore.Taken{Move: explore.Move(a.agent)}}
		e.moved.Add(a.agent)
		if a.wakes > 0 {
			e.moved.Add(a.wakes)
		}
		g.edges[a.from] = append(g.edges[a.from], e)
	}
	for _, e := range enabled {
		g.enabled[e[0]].Add(e[1])
	}
	return g
}

func all(g *graph) []int {
	nodes := make([]int, len(g.states))
	for i := range nodes {
		nodes[i] = i
	}
	return nodes
}

func movers(loops []Loop) string {
	var list []string
	for _, l := range loops {
		list = append(list, fmt.Sprint(l.Moved.List()))
	}
	slices.Sort(list)
	return fmt.Sprint(list)
}

func TestFair_AcceptsALoopInWhichAllThatCanMoveDo(t *testing.T) {
	g := draw(2, []arrow{{0, 0, 1, 0}, {1, 1, 0, 0}})
	if got := movers(g.fair(all(g), nil)); got != "[[0 1]]" {
		t.Error(got)
	}
}

// Agent 0 takes and releases a lock, 0 -> 1 -> 0; agent 1 waits for it and can move
// while it is free, in state 0. That is a weakly fair loop and not a strongly fair one.
func TestFair_RejectsALoopThatPassesOverAWaiter(t *testing.T) {
	g := draw(2, []arrow{{0, 0, 1, 0}, {1, 0, 0, 0}}, [2]int{0, 1})
	if got := movers(g.fair(all(g), nil)); got != "[]" {
		t.Error(got)
	}
}

// The same, but that agent 0 hands over to agent 1 where that waits.
func TestFair_AcceptsALoopInWhichAWaiterIsLetOn(t *testing.T) {
	g := draw(2, []arrow{{0, 0, 1, 0}, {1, 0, 0, 1}}, [2]int{0, 1})
	if got := movers(g.fair(all(g), nil)); got != "[[0 1]]" {
		t.Error(got)
	}
}

// In the large loop 0 -> 1 -> 2 -> 0 agent 1 is passed over in state 0; without that
// state the small loop 1 -> 2 -> 1 is left, in which it cannot move.
func TestFair_FindsTheLoopInsideAnUnfairOne(t *testing.T) {
	g := draw(3, []arrow{{0, 0, 1, 0}, {1, 0, 2, 0}, {2, 0, 0, 0}, {2, 0, 1, 0}}, [2]int{0, 1})
	loops := g.fair(all(g), nil)
	if got := movers(loops); got != "[[0]]" {
		t.Fatal(got)
	}
	if root := loops[0].Root[0]; root == 0 || len(loops[0].Cycle) != 2 {
		t.Errorf("root %d, cycle of %d steps", root, len(loops[0].Cycle))
	}
}

// exists is the slow, obvious answer: some set of states is strongly connected inside
// the graph, has an edge, and every agent enabled in it moves in it.
func exists(g *graph) bool {
	for set := 1; set < 1<<len(g.states); set++ {
		if strong(g, set) {
			return true
		}
	}
	return false
}

func strong(g *graph, set int) bool {
	var enabled, moved explore.Agents
	for i := range g.states {
		if set>>i&1 == 0 {
			continue
		}
		enabled.Union(&g.enabled[i])
		for _, e := range g.edges[i] {
			if set>>e.to&1 != 0 {
				moved.Union(&e.moved)
			}
		}
		if reach(g, set, i) != set {
			return false
		}
	}
	return !moved.Empty() && enabled.Minus(moved).Empty()
}

// reach is the set of states of a set that can be reached from one of them inside it.
func reach(g *graph, set, from int) int {
	seen := 1 << from
	for grown := true; grown; {
		grown = false
		for i := range g.states {
			for _, e := range g.edges[i] {
				if seen>>i&1 != 0 && set&^seen>>e.to&1 != 0 {
					seen |= 1 << e.to
					grown = true
				}
			}
		}
	}
	return seen
}

func TestFair_AgreesWithTryingAllSetsOfStates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 1 + rng.IntN(6)
		var arrows []arrow
		for range rng.IntN(3 * n) {
			arrows = append(arrows, arrow{rng.IntN(n), rng.IntN(3), rng.IntN(n), max(0, rng.IntN(9)-6)})
		}
		g := draw(n, arrows, [2]int{rng.IntN(n), rng.IntN(3)})
		var loops []Loop
		for _, part := range g.components(all(g), nil) {
			loops = g.fair(part, loops)
		}
		if len(loops) > 0 != exists(g) {
			t.Fatalf("%d loops found in %v", len(loops), arrows)
		}
		for _, l := range loops {
			checkWalk(t, g, l)
		}
	}
}

// checkWalk wants a closed walk along which every agent that is enabled at its root can
// have moved.
func checkWalk(t *testing.T, g *graph, l Loop) {
	at := []int{int(l.Root[0])}
	var enabled, moved explore.Agents
	for _, s := range l.Cycle {
		var next []int
		for _, i := range at {
			for _, e := range g.edges[i] {
				if e.taken.Move == s.Move {
					moved.Union(&e.moved)
					next = append(next, e.to)
				}
			}
		}
		at = next
	}
	enabled = g.enabled[l.Root[0]]
	if !slices.Contains(at, int(l.Root[0])) || !enabled.Minus(moved).Empty() {
		t.Errorf("the walk %v does not come back to %d, or passes over somebody", l.Cycle, l.Root[0])
	}
}

// A select in state 0 takes the ticker, 0 -> 0, for ever, although its other case, chance 0,
// is ready each time. If something takes it at some time, 0 -> 1 -> 0, that is fair.
func TestFair_RejectsALoopThatMissesAChanceForEver(t *testing.T) {
	g := draw(2, []arrow{{0, 0, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, 0}})
	g.edges[0][0].passed, g.edges[0][1].given = []int{0}, []int{0}
	if got := movers(g.fair([]int{0}, nil)); got != "[]" {
		t.Error(got)
	}
	loops := g.fair(all(g), nil)
	if got := movers(loops); got != "[[0]]" {
		t.Fatal(got)
	}
	if len(loops[0].Cycle) < 2 {
		t.Errorf("the cycle of %d steps does not take the chance", len(loops[0].Cycle))
	}
}

// Without the missed chance's step a smaller loop is left: 0 -> 0 passes it over, 0 -> 1 -> 0
// does not offer it.
func TestFair_FindsTheLoopThatOffersNoChance(t *testing.T) {
	g := draw(2, []arrow{{0, 0, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, 0}})
	g.edges[0][0].passed = []int{0}
	loops := g.fair(all(g), nil)
	if got := movers(loops); got != "[[0]]" || len(loops[0].Cycle) != 2 {
		t.Errorf("%s", got)
	}
}
