// SPDX-License-Identifier: BSD-3-Clause

package lts

// Partition tells which states of a system are equivalent.
type Partition struct {
	// Of is the class of each state, from 0.
	Of []int32
	// Classes is the number of classes.
	Classes int
}

// Same reports whether two states are equivalent.
func (p Partition) Same(a, b State) bool { return p.Of[a] == p.Of[b] }

// Partition computes the classes of a bisimulation. It panics for trace equivalences (see
// Determinise).
func (s *System) Partition(e Equivalence) Partition {
	small, to := s.condensed(e.notion().visible)
	return small.partition(e).of(to)
}

// partition is Partition without condensing.
func (s *System) partition(e Equivalence) Partition {
	n := e.notion()
	if n.partition == nil {
		panic("lts: " + string(e) + " is no bisimulation")
	}
	return n.partition(s)
}

// strong computes the classes of strong bisimulation.
func (s *System) strong() Partition {
	of, n := classes(s, true)
	return Partition{of, n}
}

func (s *System) plainBranching() Partition      { return s.branching(Tau) }
func (s *System) divergenceBranching() Partition { return s.branching(Label(len(s.labels))) }

// branching computes the classes of branching bisimulation. If divergence is an unused label it is
// the one that preserves divergence: states on one internal cycle are equivalent anyway, and get a
// loop with that label.
func (s *System) branching(divergence Label) Partition {
	small, to := s.contracted(divergence)
	of, n := classes(small, false)
	return Partition{of, n}.of(to)
}

// of extends the partition of a smaller system to the states that its states stand for.
func (p Partition) of(to []State) Partition {
	out := Partition{make([]int32, len(to)), p.Classes}
	for i, c := range to {
		out.Of[i] = p.Of[c]
	}
	return out
}

// weak computes the classes of weak bisimulation: strong bisimulation of the saturated system.
// Saturated is the quotient under branching bisimulation, which is finer.
func (s *System) weak() Partition {
	fine := s.branching(Tau)
	small := s.collapsed(fine, false)
	of, n := classes(small.saturated(), true)
	p := Partition{make([]int32, s.States()), n}
	for i, c := range fine.Of {
		p.Of[i] = of[c]
	}
	return p
}

// collapsed makes each class a state. Internal steps inside a class are dropped, unless
// strong.
func (s *System) collapsed(p Partition, strong bool) *System {
	var from []State
	var edges []Edge
	for i := range s.States() {
		for _, e := range s.Edges(State(i)) {
			if e.Label == Tau && !strong && p.Of[i] == p.Of[e.To] {
				continue
			}
			from = append(from, p.Of[i])
			edges = append(edges, Edge{e.Label, p.Of[e.To]})
		}
	}
	out := &System{initial: p.Of[s.initial], labels: s.labels}
	out.first, out.edges = bySource(p.Classes, from, edges)
	out.normalise()
	return out
}

// saturated is a system with a transition for each that a system can make with internal steps
// before and behind it, and an internal one to each state that internal steps lead to, none of them
// included.
func (s *System) saturated() *System {
	after := s.tauClosure()
	var from []State
	var edges []Edge
	add := func(f State, l Label, t State) {
		from = append(from, f)
		edges = append(edges, Edge{l, t})
	}
	seen := map[Edge]bool{}
	for i := range s.States() {
		clear(seen)
		for _, mid := range after[i] {
			add(State(i), Tau, mid)
			for _, e := range s.Edges(mid) {
				if e.Label == Tau || seen[e] {
					continue
				}
				seen[e] = true
				for _, end := range after[e.To] {
					add(State(i), e.Label, end)
				}
			}
		}
	}
	out := &System{initial: s.initial, labels: s.labels}
	out.first, out.edges = bySource(s.States(), from, edges)
	out.normalise()
	return out
}

// tauClosure lists for each state those that internal steps lead to, itself first.
func (s *System) tauClosure() [][]State {
	after := make([][]State, s.States())
	seen := make([]int32, s.States())
	for i := range after {
		list := []State{State(i)}
		seen[i] = int32(i) + 1
		for k := 0; k < len(list); k++ {
			for _, e := range s.Edges(list[k]) {
				if e.Label != Tau {
					break
				}
				if seen[e.To] != int32(i)+1 {
					seen[e.To] = int32(i) + 1
					list = append(list, e.To)
				}
			}
		}
		after[i] = list
	}
	return after
}
