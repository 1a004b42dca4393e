// SPDX-License-Identifier: BSD-3-Clause

package lts

import "pangolin/internal/component"

// InternalComponents numbers the strongly connected components of the internal steps, and tells
// which of them contain a cycle. A component has a smaller number than those from which internal
// steps lead to it.
func (s *System) InternalComponents() (of []State, count int, cyclic []bool) {
	n := s.States()
	of = make([]State, n)
	number := make([]State, n) // in the order of discovery
	for i := range number {
		number[i] = -1
	}
	order := make([]State, 0, n)
	type place struct {
		at   State
		next int32
	}
	var search component.Finder[place]
	discover := func(at State) {
		number[at] = State(len(order))
		search.Discover(uint32(len(order)))
		*search.Open(uint32(len(order))) = place{at, s.first[at]}
		order = append(order, at)
	}
	for root := range n {
		if number[root] < 0 {
			discover(State(root))
		}
		for p := search.Top(); p != nil; p = search.Top() {
			if p.next < s.first[p.at+1] && s.edges[p.next].Label == Tau {
				to := s.edges[p.next].To
				p.next++
				if number[to] < 0 {
					discover(to)
				} else {
					search.Edge(uint32(number[to]))
				}
				continue
			}
			if search.AtRoot() {
				members := search.Members()
				for _, m := range members {
					of[order[m]] = State(count)
				}
				cyclic = append(cyclic, len(members) > 1)
				count++
			}
			search.Close()
		}
	}
	for i := range n {
		for _, e := range s.Edges(State(i)) {
			if e.Label != Tau {
				break
			}
			if int(e.To) == i {
				cyclic[of[i]] = true
			}
		}
	}
	return of, count, cyclic
}

// contracted is the system with each component of internal steps made one state, in which
// no internal cycle is left. If divergence is a label, the states made from components
// with a cycle have a loop with it.
func (s *System) contracted(divergence Label) (*System, []State) {
	of, count, cyclic := s.InternalComponents()
	from := make([]State, 0, len(s.edges))
	edges := make([]Edge, 0, len(s.edges))
	for i := range s.States() {
		for _, e := range s.Edges(State(i)) {
			if e.Label == Tau && of[e.To] == of[i] {
				continue
			}
			from = append(from, of[i])
			edges = append(edges, Edge{e.Label, of[e.To]})
		}
	}
	for c, is := range cyclic {
		if is && divergence != Tau {
			from = append(from, State(c))
			edges = append(edges, Edge{divergence, State(c)})
		}
	}
	out := &System{initial: of[s.initial], labels: s.labels}
	out.first, out.edges = bySource(count, from, edges)
	out.normalise()
	return out, of
}
