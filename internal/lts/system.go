// SPDX-License-Identifier: BSD-3-Clause

// Package lts holds labelled transition systems and the equivalences between them.
//
// It takes a System, made by a Builder or read from a file (package aut), and gives
// partitions, quotients and comparisons under strong, branching, divergence-preserving
// branching and weak bisimulation and under trace and weak trace equivalence; where two
// systems differ, it gives a reason: a trace or a formula. It knows nothing of
// programs: what a label means is up to whoever made the system. It does not generate
// systems, and keeps those that it has in memory.
package lts

import (
	"fmt"
	"math"
	"slices"
)

// Tau is the label of internal steps, in every system.
const Tau = 0

// State is a state of a system, from 0.
type State = int32

// Label is an index into a system's labels. Label Tau is the internal one.
type Label = int32

// MaxStates and MaxEdges bound a system: states and edges are numbered in 31 bits.
const (
	MaxStates = math.MaxInt32
	MaxEdges  = math.MaxInt32
)

// Edge is a transition without its source.
type Edge struct {
	Label Label
	To    State
}

// System is a labelled transition system. It is not changed once it has been built.
type System struct {
	initial State
	labels  []string
	first   []int32 // where each state's edges begin; one more entry than states
	edges   []Edge
}

// Initial is the state in which the system begins.
func (s *System) Initial() State { return s.initial }

// States is the number of states.
func (s *System) States() int { return len(s.first) - 1 }

// Transitions is the number of transitions.
func (s *System) Transitions() int { return len(s.edges) }

// Labels lists the labels by number; the caller must not change them. Entry Tau is the
// internal label's name.
func (s *System) Labels() []string { return s.labels }

// Edges lists the transitions of a state in order of label and target; the caller must
// not change them.
func (s *System) Edges(at State) []Edge { return s.edges[s.first[at]:s.first[at+1]] }

// String describes the size.
func (s *System) String() string {
	return fmt.Sprintf("%d states, %d transitions, %d labels", s.States(), s.Transitions(), len(s.labels))
}

// Builder makes a System. The zero value is an empty builder.
type Builder struct {
	labels  []string
	byName  map[string]Label
	from    []State
	edges   []Edge
	states  int
	initial State
	tau     Label // the label that has the name of the internal one without being it; Tau: there is none
}

// TauName is how the internal label is called unless a file says otherwise.
const TauName = "tau"

// NewBuilder makes a builder with room for so many transitions.
func NewBuilder(transitions int) *Builder {
	b := &Builder{byName: map[string]Label{TauName: Tau}, labels: []string{TauName}}
	b.from = make([]State, 0, transitions)
	b.edges = make([]Edge, 0, transitions)
	return b
}

// Label returns the number of a label; a new one gets the next number.
func (b *Builder) Label(name string) Label {
	l, ok := b.byName[name]
	if !ok {
		l = Label(len(b.labels))
		b.labels = append(b.labels, name)
		b.byName[name] = l
	}
	return l
}

// Visible is Label, except that the name of the internal label gives a visible label of that name.
func (b *Builder) Visible(name string) Label {
	if name != TauName {
		return b.Label(name)
	}
	if b.tau == Tau {
		b.tau = Label(len(b.labels))
		b.labels = append(b.labels, name)
	}
	return b.tau
}

// Add adds a transition. States exist once they are used.
func (b *Builder) Add(from State, label Label, to State) {
	b.from = append(b.from, from)
	b.edges = append(b.edges, Edge{label, to})
	b.states = max(b.states, int(from)+1, int(to)+1)
}

// SetStates makes the system have at least n states.
func (b *Builder) SetStates(n int) { b.states = max(b.states, n) }

// AddState adds a state and gives its number.
func (b *Builder) AddState() State {
	b.states++
	return State(b.states - 1)
}

// SetInitial says in which state the system begins; it is 0 otherwise.
func (b *Builder) SetInitial(s State) {
	b.initial = s
	b.SetStates(int(s) + 1)
}

// Build returns the system and empties the builder. Equal transitions count once.
func (b *Builder) Build() *System {
	b.SetStates(1)
	s := &System{initial: b.initial, labels: b.labels}
	s.first, s.edges = bySource(b.states, b.from, b.edges)
	*b = Builder{}
	s.normalise()
	return s
}

// bySource distributes edges by the states that they leave.
func bySource(states int, from []State, edges []Edge) (first []int32, sorted []Edge) {
	first = make([]int32, states+1)
	for _, f := range from {
		first[f+1]++
	}
	for i := range states {
		first[i+1] += first[i]
	}
	next := slices.Clone(first[:states])
	sorted = make([]Edge, len(edges))
	for i, e := range edges {
		f := from[i]
		sorted[next[f]] = e
		next[f]++
	}
	return first, sorted
}

// normalise sorts the edges of each state and drops doubled ones.
func (s *System) normalise() {
	kept := int32(0)
	for i := range s.States() {
		begin, end := s.first[i], s.first[i+1]
		list := s.edges[begin:end]
		slices.SortFunc(list, compareEdges)
		s.first[i] = kept
		for k, e := range list {
			if k == 0 || e != list[k-1] {
				s.edges[kept] = e
				kept++
			}
		}
	}
	s.first[s.States()] = kept
	s.edges = s.edges[:kept]
}

func compareEdges(a, b Edge) int {
	if a.Label != b.Label {
		return int(a.Label) - int(b.Label)
	}
	return int(a.To) - int(b.To)
}

// Reachable is the part of a system that can be reached from its initial state. The
// states keep their order.
func (s *System) Reachable() *System {
	seen := make([]bool, s.States())
	seen[s.initial] = true
	stack := []State{s.initial}
	count := 1
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, e := range s.Edges(at) {
			if !seen[e.To] {
				seen[e.To] = true
				count++
				stack = append(stack, e.To)
			}
		}
	}
	if count == s.States() {
		return s
	}
	name := make([]State, s.States())
	next := State(0)
	for i := range name {
		name[i] = -1
		if seen[i] {
			name[i] = next
			next++
		}
	}
	return s.renamed(name, count)
}

// renamed is the system with its states renamed. Several states may get one name; those with -1 are
// left out.
func (s *System) renamed(name []State, states int) *System {
	var from []State
	var edges []Edge
	for i := range s.States() {
		if name[i] < 0 {
			continue
		}
		for _, e := range s.Edges(State(i)) {
			if name[e.To] >= 0 {
				from = append(from, name[i])
				edges = append(edges, Edge{e.Label, name[e.To]})
			}
		}
	}
	out := &System{initial: name[s.initial], labels: s.labels}
	out.first, out.edges = bySource(states, from, edges)
	out.normalise()
	return out
}

// Union is the system that consists of both. The states of b come after those of a; labels with the
// same name are one. Its initial state is a's; b's is offset + b.Initial().
func Union(a, b *System) (u *System, offset State) {
	u = &System{initial: a.initial, labels: slices.Clone(a.labels)}
	byName := make(map[string]Label, len(a.labels))
	for i, n := range a.labels {
		byName[n] = Label(i)
	}
	rename := make([]Label, len(b.labels))
	for i, n := range b.labels {
		l, ok := byName[n]
		switch {
		case i == Tau:
			l = Tau
		case !ok || l == Tau:
			l = Label(len(u.labels))
			u.labels = append(u.labels, n)
			byName[n] = l
		}
		rename[i] = l
	}
	offset = State(a.States())
	shift := int32(len(a.edges))
	u.first = make([]int32, 0, len(a.first)+len(b.first)-1)
	u.first = append(u.first, a.first[:a.States()]...)
	for _, f := range b.first {
		u.first = append(u.first, f+shift)
	}
	u.edges = make([]Edge, 0, len(a.edges)+len(b.edges))
	u.edges = append(u.edges, a.edges...)
	for _, e := range b.edges {
		u.edges = append(u.edges, Edge{rename[e.Label], e.To + offset})
	}
	for i := a.States(); i < u.States(); i++ {
		slices.SortFunc(u.edges[u.first[i]:u.first[i+1]], compareEdges)
	}
	return u, offset
}

// Hide makes labels internal.
func (s *System) Hide(hidden func(label string) bool) *System {
	out := &System{initial: s.initial, labels: s.labels, first: slices.Clone(s.first), edges: slices.Clone(s.edges)}
	for i, e := range out.edges {
		if e.Label != Tau && hidden(s.labels[e.Label]) {
			out.edges[i].Label = Tau
		}
	}
	out.normalise()
	return out
}
