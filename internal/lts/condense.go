// SPDX-License-Identifier: BSD-3-Clause

package lts

import "slices"

// Before its states are partitioned, a system is made smaller by one depth-first walk. When the
// walk leaves a state, it knows everything that follows, unless there is a cycle. By one of two
// rules it then merges the state with one that it left before. Programs that make a bounded number
// of calls have few cycles, and little is left for the partition, which takes some hundred bytes
// for a transition.
//
// The rules, where targets that were merged count as equal:
//
//   - two states with the same transitions are strongly bisimilar;
//   - a state with an internal step to t, all of whose other transitions t has as well, is
//     branching bisimilar to t: what it can do t can do, and what t can do it can do behind that step.
//     Both can go on internally for ever, or none of them can. (A confluent step, as in Groote and van
//     de Pol, State space reduction using partial tau-confluence, MFCS 2000, but seen from its target.)
//
// A target that the walk has not left yet, because it is on a cycle, is equal to itself alone, and
// the second rule is not applied.

// condensed returns the system with merged states, and the new state of each old one. strong: merge
// by the first rule only.
func (s *System) condensed(strong bool) (*System, []State) {
	c := &condenser{s: s, strong: strong, of: make([]State, s.States()), lists: newLists()}
	for i := range c.of {
		c.of[i] = unseen
	}
	for i := range c.of {
		if c.of[i] == unseen {
			c.walk(State(i))
		}
	}
	c.table = nil
	for i, e := range c.edges {
		if e.To < 0 {
			c.edges[i].To = c.of[^e.To]
		}
	}
	out := &System{initial: c.of[s.initial], labels: s.labels, first: c.first, edges: c.edges}
	if c.cyclic { // edges may be unsorted or double
		out.normalise()
	}
	return out, c.of
}

// Values of condenser.of for states that the walk has not left.
const (
	unseen State = -1
	open   State = -2
)

// condenser is the state of the walk.
type condenser struct {
	s      *System
	strong bool
	cyclic bool
	of     []State // by old state: the new one, or unseen, or open
	list   []Edge
	// lists holds the edges of each new state. A target is a new state, or ^x for the old state x,
	// which is still open.
	lists
}

// walk visits all states that can be reached from root, and places each when everything behind it
// is placed.
func (c *condenser) walk(root State) {
	type frame struct {
		at   State
		next int32
	}
	stack := []frame{{root, c.s.first[root]}}
	c.of[root] = open
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next == c.s.first[f.at+1] {
			c.of[f.at] = c.place(f.at)
			stack = stack[:len(stack)-1]
			continue
		}
		to := c.s.edges[f.next].To
		f.next++
		if c.of[to] == unseen {
			if len(stack) == c.s.States() {
				panic("lts: a walk has come to a state twice")
			}
			c.of[to] = open
			stack = append(stack, frame{to, c.s.first[to]})
		}
	}
}

// place returns the new state for an old one: one that a rule allows, or else another.
func (c *condenser) place(at State) State {
	closed := true
	c.list = c.list[:0]
	for _, e := range c.s.Edges(at) {
		to := c.of[e.To]
		if to == open {
			to, closed, c.cyclic = ^e.To, false, true
		}
		c.list = append(c.list, Edge{e.Label, to})
	}
	slices.SortFunc(c.list, compareEdges)
	c.list = slices.Compact(c.list)
	if !c.strong && closed {
		for k := 0; k < len(c.list) && c.list[k].Label == Tau; k++ {
			if c.covers(c.list[k].To, k) {
				return c.list[k].To
			}
		}
	}
	return c.number(c.list)
}

// covers reports whether new state t has all edges in the list except number k.
func (c *condenser) covers(t State, k int) bool {
	has := c.at(t)
	for i, e := range c.list {
		if i == k {
			continue
		}
		for len(has) > 0 && compareEdges(has[0], e) < 0 {
			has = has[1:]
		}
		if len(has) == 0 || has[0] != e {
			return false
		}
	}
	return true
}
