// SPDX-License-Identifier: BSD-3-Clause

package lts

import (
	"cmp"
	"slices"
)

// Quotient is the smallest system that is equivalent to the part of a system that can be
// reached, in canonical form: it depends on nothing but that part up to the names of its
// states. Under dp-branching bisimulation a state that can make internal steps for ever within
// its class has an internal loop. Trace equivalences give a deterministic system.
//
// The quotient under weak bisimulation has the fewest states, not always the fewest
// transitions.
func (s *System) Quotient(e Equivalence) *System {
	n := e.notion()
	s, _ = s.Reachable().condensed(n.visible)
	if e.Traces() {
		s = s.collapsed(s.partition(finest(n.visible)), n.visible).Determinise(!n.visible)
		return s.collapsed(s.Partition(Strong), true).Canonical()
	}
	p := s.partition(e)
	q := s.collapsed(p, n.visible)
	if n.diverging {
		q = s.withLoops(q, p)
	}
	return q.Canonical()
}

// endless says of each class of a partition under dp-branching bisimulation whether internal steps
// can go on for ever in it. Without a way out of its class, such a way passes a cycle, and all
// states of the class have one.
func (s *System) endless(p Partition) []bool {
	of, _, cyclic := s.InternalComponents()
	loops := make([]bool, p.Classes)
	for i, c := range of {
		if cyclic[c] {
			loops[p.Of[i]] = true
		}
	}
	return loops
}

// withLoops adds an internal loop to each class in which internal steps can go on for ever.
func (s *System) withLoops(q *System, p Partition) *System {
	loops := s.endless(p)
	b := NewBuilder(len(q.edges) + p.Classes)
	for _, l := range q.labels[1:] {
		b.Label(l)
	}
	for i := range q.States() {
		if loops[i] {
			b.Add(State(i), Tau, State(i))
		}
		for _, e := range q.Edges(State(i)) {
			b.Add(State(i), e.Label, e.To)
		}
	}
	b.SetStates(q.States())
	b.SetInitial(q.initial)
	out := b.Build()
	out.labels[Tau] = q.labels[Tau]
	return out
}

// Canonical renames the states that can be reached, and the labels: states in the order in which
// a breadth-first walk from the initial one meets them, labels by name. Where a state has several
// transitions with one label, their targets are ordered by what can be seen from them, forwards and
// backwards. If no two states of the system are strongly bisimilar, the result does not depend on
// the names that states and labels had.
func (s *System) Canonical() *System {
	s = s.sortedLabels().Reachable()
	colour := s.colours()
	name := make([]State, s.States())
	for i := range name {
		name[i] = -1
	}
	name[s.initial] = 0
	order := []State{s.initial}
	var edges []Edge
	for k := 0; k < len(order); k++ {
		edges = append(edges[:0], s.Edges(order[k])...)
		slices.SortStableFunc(edges, func(a, b Edge) int {
			return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(colour[a.To], colour[b.To]))
		})
		for _, e := range edges {
			if name[e.To] < 0 {
				name[e.To] = State(len(order))
				order = append(order, e.To)
			}
		}
	}
	return s.renamed(name, len(order))
}

// sortedLabels renumbers the labels by name, and leaves out those that no transition has.
func (s *System) sortedLabels() *System {
	used := make([]bool, len(s.labels))
	for _, e := range s.edges {
		used[e.Label] = true
	}
	var order []Label
	for l := range s.labels {
		if l != Tau && used[l] {
			order = append(order, Label(l))
		}
	}
	slices.SortFunc(order, func(a, b Label) int { return cmp.Compare(s.labels[a], s.labels[b]) })
	to := make([]Label, len(s.labels))
	out := &System{initial: s.initial, labels: []string{s.labels[Tau]}, first: slices.Clone(s.first), edges: slices.Clone(s.edges)}
	for i, l := range order {
		to[l] = Label(i + 1)
		out.labels = append(out.labels, s.labels[l])
	}
	for i := range out.edges {
		out.edges[i].Label = to[out.edges[i].Label]
	}
	out.normalise()
	return out
}

// colours gives each state a number that depends on what the system looks like from there, and
// not on names. Different states have different ones if refinement can tell them
// apart.
func (s *System) colours() []uint64 {
	now, next := s.depths(), make([]uint64, s.States())
	sorted := make([]uint64, s.States())
	for count := 0; ; {
		copy(sorted, now)
		slices.Sort(sorted)
		different := len(slices.Compact(sorted))
		if different == s.States() || different <= count {
			return now
		}
		count = different
		sorted = sorted[:s.States()]
		for i, c := range now {
			next[i] = mix(c)
		}
		for i := range now {
			for _, e := range s.Edges(State(i)) {
				next[i] += mix(now[e.To] ^ mix(uint64(e.Label)*2+1))
				next[e.To] += mix(now[i] ^ mix(uint64(e.Label)*2+2))
			}
		}
		now, next = next, now
	}
}

// depths gives each state its distance from the initial one; all can be reached.
func (s *System) depths() []uint64 {
	depth := make([]uint64, s.States())
	depth[s.initial] = 1
	order := []State{s.initial}
	for k := 0; k < len(order); k++ {
		for _, e := range s.Edges(order[k]) {
			if depth[e.To] == 0 {
				depth[e.To] = depth[order[k]] + 1
				order = append(order, e.To)
			}
		}
	}
	return depth
}

// mix scatters the bits of a word (the finaliser of Steele, Lea and Flood's SplitMix64,
// OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
