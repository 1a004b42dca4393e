// SPDX-License-Identifier: BSD-3-Clause

package lts

import "slices"

// This file makes a system smaller before its states are partitioned. A walk looks at a state when it
// has seen all that follows, so far as there is an order in that, and takes it for another one that it
// knows if one of two rules says so. In systems without many cycles, such as those of programs that
// make so many calls and no more, little is left for the partition refinement, which takes some
// hundred bytes for a transition.
//
// The rules, where targets that are equivalent count as equal:
//
//   - two states with the same transitions are strongly bisimilar;
//   - a state with an internal step to t, all of whose other transitions t has as well, is
//     branching bisimilar to t: what it can do t can do, and what t can do it can do behind that step.
//     Both can go on internally for ever, or none of them can. (A confluent step, as in Groote and van
//     de Pol, State space reduction using partial tau-confluence, MFCS 2000, but seen from its target.)
//
// A target that is still being looked at, because it lies on a cycle, counts as itself; the second rule
// is not used then.

// condensed is a system in which states that the rules find equivalent are one, and where each state
// went. strong: by the first rule only.
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
	if c.cyclic { // lists may be out of order, or have doubles
		out.normalise()
	}
	return out, c.of
}

// Where a state went: it is not known yet.
const (
	unseen State = -1
	open   State = -2
)

// condenser is a walk in progress.
type condenser struct {
	s      *System
	strong bool
	cyclic bool
	of     []State // a state of the new system, or unseen, or open
	list   []Edge
	// lists holds the edges of each state of the new system: to states of it, and to ^x for state x of
	// the old one, which is open.
	lists
}

// walk looks at everything that can be reached from a state, what follows first.
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

// place finds the state of the new system that a state is taken for, or makes one.
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

// covers says that a state has all edges of the list but for number k.
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
