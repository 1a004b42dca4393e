// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"

	"pangolin/internal/explore"
	"pangolin/internal/store"
	"pangolin/internal/vm"
)

// Loop is a strongly fair cycle: every agent that is enabled in one of its states moves in it, or is moved by another agent's step; and
// every chance that one of its steps could give is given by one of them (see vm.Chance).
//
// This is the guarantee of Go's runtime, and the one notion of fairness of all engines. A runnable goroutine is not passed over for
// ever; a goroutine that waits for a lock gets it (a sync.Mutex is handed over to one that has waited for a millisecond); those that
// wait at a channel or a condition are served in turn; select chooses at random among its ready cases.
type Loop struct {
	Root  []uint64        // the saved form of a state on it
	Way   []explore.Taken // path from the component's root to Root
	Moved explore.Agents  // the agents that move in it
	Cycle []explore.Taken // path from Root back to Root
	// States are the states of the part of the component to which the cycle belongs, each of which is on such a cycle; nil:
	// the whole component.
	States [][]uint64
}

// maxLoopStates is the number of states up to which a component is searched for strongly fair cycles. A larger one is taken to be
// weakly fair as a whole.
const maxLoopStates = 1 << 17

// FairLoops finds the maximal parts of a component in which an execution can stay under strong fairness, and a cycle in each. It must
// be called during OnComponent.
//
// The decomposition is the usual one (E. A. Emerson and C.-L. Lei, Modalities for model checking, POPL 1985): if an agent is enabled
// somewhere but never moves, the states where it is enabled are removed; if a chance is never given, the steps that pass it over are
// removed. What is left is decomposed into its components, and each is treated in the same way.
func FairLoops(c *explore.Component, cur Cursor) []Loop {
	if c.States > maxLoopStates {
		return []Loop{{Root: slices.Clone(c.Root), Moved: c.Moved, Cycle: c.Cycle(true)}}
	}
	g := newGraph(c, cur)
	all := make([]int, len(g.states))
	for i := range all {
		all[i] = i
	}
	loops := g.fair(all, nil)
	for i := range loops {
		root, from := g.number[StateKey(loops[i].Root)], g.number[StateKey(c.Root)]
		if root != from {
			loops[i].Way, _ = g.leg(nil, from, region{g: g, states: g.set(all)}, func(e *edge) bool { return e.to == root })
		}
	}
	return loops
}

// graph is the state graph of a component. Slices are indexed by the number of a state.
type graph struct {
	states  [][]uint64
	enabled []explore.Agents
	edges   [][]edge
	number  map[string]int
	chances map[vm.Chance]int // number of each chance, with Taken set
}

// edge is a transition.
type edge struct {
	to            int
	taken         explore.Taken
	moved         explore.Agents // the agents that executed something, see moving
	given, passed []int          // chances that the step gave, and that it passed over
}

// region is a part of a graph: some of its states, and the edges between them that pass over no forbidden chance.
type region struct {
	g         *graph
	states    []bool
	forbidden map[int]bool
}

func (r region) has(e *edge) bool {
	return r.states[e.to] && !slices.ContainsFunc(e.passed, func(k int) bool { return r.forbidden[k] })
}

func newGraph(c *explore.Component, cur Cursor) *graph {
	g := &graph{number: map[string]int{}, chances: map[vm.Chance]int{}}
	c.Each(func(_ explore.Cursor, state []uint64) bool {
		g.number[StateKey(state)] = len(g.states)
		g.states = append(g.states, slices.Clone(state))
		return true
	})
	g.enabled = make([]explore.Agents, len(g.states))
	g.edges = make([][]edge, len(g.states))
	for i := range g.states {
		g.expand(i, cur)
	}
	return g
}

// StateKey converts a saved state to a string, as the key of a map.
func StateKey(state []uint64) string {
	b := make([]byte, 0, 8*len(state))
	for _, w := range state {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}

// expand finds the edges of state i that stay in the graph.
func (g *graph) expand(i int, cur Cursor) {
	cur.Load(g.states[i])
	for _, m := range cur.Moves(nil) {
		g.enabled[i].Add(m.Agent())
		places := cur.Machine().Threads()
		var ch explore.Choices
		for more := true; more; more = ch.Next() {
			cur.Load(g.states[i])
			cur.Step(m, &ch)
			if to, inside := g.number[StateKey(cur.Save(nil))]; inside {
				e := edge{to: to, taken: explore.Taken{Move: m, Decisions: ch.Taken()}, moved: moving(cur.Machine(), m.Agent(), places)}
				g.addChances(&e, cur.Machine().Chances())
				g.edges[i] = append(g.edges[i], e)
			}
		}
	}
}

// addChances records the chances that a step has given, and those that it has passed over.
func (g *graph) addChances(e *edge, list []vm.Chance) {
	for _, c := range list {
		given := c.Taken
		c.Taken = true
		k, known := g.chances[c]
		if !known {
			k = len(g.chances)
			g.chances[c] = k
		}
		if given {
			e.given = append(e.given, k)
		} else {
			e.passed = append(e.passed, k)
		}
	}
}

// moving is the set of agents that executed something in the last step: the agent whose step it was, and other threads among the first
// places threads, those that existed before.
func moving(m *vm.Machine, agent, places int) explore.Agents {
	var s explore.Agents
	s.Add(agent)
	for _, r := range m.Ran() {
		if r.Instructions > 0 && r.Thread < places {
			s.Add(r.Thread)
		}
	}
	return s
}

// fair appends the strongly fair loops within a strongly connected set of states.
func (g *graph) fair(nodes []int, found []Loop) []Loop {
	return g.fairIn(region{g: g, states: g.set(nodes)}, nodes, found)
}

// fairIn appends the strongly fair loops within a set of states that the edges of a region connect strongly.
func (g *graph) fairIn(in region, nodes []int, found []Loop) []Loop {
	var enabled, moved explore.Agents
	given, missed := map[int]bool{}, map[int]bool{}
	for _, i := range nodes {
		enabled.Union(&g.enabled[i])
		for k := range g.edges[i] {
			if e := &g.edges[i][k]; in.has(e) {
				moved.Union(&e.moved)
				note(given, e.given)
				note(missed, e.passed)
			}
		}
	}
	maps.DeleteFunc(missed, func(k int, _ bool) bool { return given[k] })
	passed := enabled.Minus(moved)
	switch {
	case moved.Empty():
		return found
	case passed.Empty() && len(missed) == 0:
		loop := Loop{Root: g.states[nodes[0]], Moved: moved, Cycle: g.walk(nodes[0], in, moved, given)}
		for _, i := range nodes {
			loop.States = append(loop.States, g.states[i])
		}
		return append(found, loop)
	}
	rest := slices.DeleteFunc(slices.Clone(nodes), func(i int) bool {
		return g.enabled[i].Minus(passed).Len() != g.enabled[i].Len()
	})
	maps.Copy(missed, in.forbidden)
	for _, part := range g.components(rest, missed) {
		found = g.fairIn(region{g, g.set(part), missed}, part, found)
	}
	return found
}

func note(set map[int]bool, list []int) {
	for _, k := range list {
		set[k] = true
	}
}

// components lists the strongly connected components with a cycle, each sorted, among the given states and the edges that pass over no
// forbidden chance.
func (g *graph) components(nodes []int, forbidden map[int]bool) [][]int {
	if len(nodes) == 0 {
		return nil
	}
	var found [][]int
	explore.Run(context.Background(), &part{region{g, g.set(nodes), forbidden}, nodes}, explore.Options{
		Store: store.Exact, Cycles: true, OnComponent: func(c *explore.Component) explore.Action {
			var list []int
			c.Each(func(_ explore.Cursor, state []uint64) bool {
				list = append(list, int(state[0]))
				return true
			})
			slices.Sort(list)
			found = append(found, list)
			return explore.Continue
		}})
	return found
}

// part is some states of a graph, with the edges between them, as a transition system for explore.
type part struct {
	region
	nodes []int // its initial states: all
}

func (p *part) NewCursor() explore.Cursor { return &partCursor{part: p} }

// partCursor is a state of a part. A move is the index of an edge.
type partCursor struct {
	*part
	at int
}

func (c *partCursor) Initial(ch *explore.Choices) { c.at = c.nodes[ch.Choose(len(c.nodes))] }
func (c *partCursor) Load(state []uint64)         { c.at = int(state[0]) }
func (c *partCursor) Save(dst []uint64) []uint64  { return append(dst, uint64(c.at)) }

func (c *partCursor) Moves(dst []explore.Move) []explore.Move {
	for k := range c.g.edges[c.at] {
		if c.has(&c.g.edges[c.at][k]) {
			dst = append(dst, explore.MoveWith(0, k))
		}
	}
	return dst
}

func (c *partCursor) Step(m explore.Move, _ *explore.Choices) { c.at = c.g.edges[c.at][m.More()].to }

func (g *graph) set(nodes []int) []bool {
	inside := make([]bool, len(g.states))
	for _, i := range nodes {
		inside[i] = true
	}
	return inside
}

// walk is a closed path from root inside a strongly connected region, in which all of the agents move and all of the chances
// are given.
func (g *graph) walk(root int, inside region, agents explore.Agents, chances map[int]bool) []explore.Taken {
	var steps []explore.Taken
	at := root
	for _, a := range agents.List() {
		steps, at = g.leg(steps, at, inside, func(e *edge) bool { return e.moved.Has(a) })
	}
	for _, k := range slices.Sorted(maps.Keys(chances)) {
		steps, at = g.leg(steps, at, inside, func(e *edge) bool { return slices.Contains(e.given, k) })
	}
	if at != root {
		steps, _ = g.leg(steps, at, inside, func(e *edge) bool { return e.to == root })
	}
	return steps
}

// leg appends a shortest path from a state to an edge that satisfies goal, and returns the state after that edge.
func (g *graph) leg(steps []explore.Taken, from int, inside region, goal func(*edge) bool) ([]explore.Taken, int) {
	type arrival struct {
		from int
		by   *edge
	}
	came := map[int]arrival{from: {}}
	queue := []int{from}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for k := range g.edges[i] {
			e := &g.edges[i][k]
			if !inside.has(e) {
				continue
			}
			if goal(e) {
				way := []explore.Taken{e.taken}
				for at := i; at != from; at = came[at].from {
					way = append(way, came[at].by.taken)
				}
				slices.Reverse(way)
				return append(steps, way...), e.to
			}
			if _, seen := came[e.to]; !seen {
				came[e.to] = arrival{i, e}
				queue = append(queue, e.to)
			}
		}
	}
	panic("interleave: a walk inside a component does not reach its goal")
}
