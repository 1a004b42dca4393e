// SPDX-License-Identifier: BSD-3-Clause

package lts

import (
	"encoding/binary"
	"slices"
)

// This file is about sequences of labels: determinisation, and inclusion of traces on the fly,
// with antichains (De Wulf, Doyen, Henzinger and Raskin, CAV 2006). Every prefix of a
// trace is a trace, so all states accept.

// Determinise gives a deterministic system with the same traces; weak: with the same
// traces when internal steps are left out, and without internal steps. It may be
// exponentially larger.
func (s *System) Determinise(weak bool) *System {
	d := newSubsets(s, weak)
	b := NewBuilder(0)
	for _, l := range s.labels[1:] {
		b.Label(l)
	}
	d.intern(d.start())
	for k := 0; k < len(d.sets); k++ {
		d.each(d.sets[k], func(l Label, to []State) { b.Add(State(k), l, State(d.intern(to))) })
	}
	b.SetStates(len(d.sets))
	out := b.Build()
	out.labels[Tau] = s.labels[Tau]
	return out
}

// subsets computes with sets of states of one system.
type subsets struct {
	s      *System
	weak   bool
	sets   [][]State
	byText map[string]int32
	key    []byte
	seen   []int32 // by state: the number of the search that met it last
	search int32
	all    []Edge
}

func newSubsets(s *System, weak bool) *subsets {
	return &subsets{s: s, weak: weak, byText: map[string]int32{}, seen: make([]int32, s.States())}
}

func (d *subsets) start() []State { return d.closed([]State{d.s.initial}) }

// closed adds the states that internal steps lead to, and sorts.
func (d *subsets) closed(set []State) []State {
	d.search++
	n := 0
	for _, x := range set {
		if d.seen[x] != d.search {
			d.seen[x] = d.search
			set[n] = x
			n++
		}
	}
	set = set[:n]
	for k := 0; d.weak && k < len(set); k++ {
		for _, e := range d.s.Edges(set[k]) {
			if e.Label != Tau {
				break
			}
			if d.seen[e.To] != d.search {
				d.seen[e.To] = d.search
				set = append(set, e.To)
			}
		}
	}
	slices.Sort(set)
	return set
}

// each calls f with each label that a set has a transition with, in order, and the set that it
// leads to.
func (d *subsets) each(set []State, f func(Label, []State)) {
	d.all = d.all[:0]
	for _, x := range set {
		for _, e := range d.s.Edges(x) {
			if !d.weak || e.Label != Tau {
				d.all = append(d.all, e)
			}
		}
	}
	slices.SortFunc(d.all, compareEdges)
	all := slices.Clone(d.all)
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Label == all[0].Label {
			n++
		}
		to := make([]State, n)
		for i, e := range all[:n] {
			to[i] = e.To
		}
		f(all[0].Label, d.closed(to))
		all = all[n:]
	}
}

// on is the set that a label leads to from a set.
func (d *subsets) on(set []State, l Label) []State {
	var to []State
	for _, x := range set {
		list := d.s.Edges(x)
		at, _ := slices.BinarySearchFunc(list, l, func(e Edge, l Label) int { return int(e.Label) - int(l) })
		for ; at < len(list) && list[at].Label == l; at++ {
			to = append(to, list[at].To)
		}
	}
	return d.closed(to)
}

func (d *subsets) intern(set []State) int32 {
	d.key = d.key[:0]
	for _, x := range set {
		d.key = binary.LittleEndian.AppendUint32(d.key, uint32(x))
	}
	n, ok := d.byText[string(d.key)]
	if !ok {
		n = int32(len(d.sets))
		d.byText[string(d.key)] = n
		d.sets = append(d.sets, set)
	}
	return n
}

// Included reports whether every trace of s is a trace of t; weak: without internal steps. If not,
// it returns a shortest trace of s that t does not have, as names of labels.
func Included(s, t *System, weak bool) (ok bool, trace []string) {
	e := finest(!weak)
	s, t = s.minimised(e), t.minimised(e)
	u, offset := Union(s, t)
	return included(u, offset+t.initial, weak)
}

// finest is the bisimulation under which systems are reduced before their traces are compared. It
// preserves traces, with internal steps (visible) or without.
func finest(visible bool) Equivalence {
	if visible {
		return Strong
	}
	return Branching
}

// minimised is the part of a system that can be reached, reduced under strong or branching
// bisimulation.
func (s *System) minimised(e Equivalence) *System {
	s, _ = s.Reachable().condensed(e.notion().visible)
	return s.collapsed(s.partition(e), e.notion().visible)
}

// pair is a state of one system, and the set of states of the other that the same trace leads to.
type pair struct {
	at     State
	set    int32
	before int32 // the pair before the last label; -1: none
	label  Label
}

// included decides whether all traces of the initial state are traces of the state other. A pair is
// left out if a smaller set was met with the same state: whatever distinguishes the larger set
// distinguishes the smaller one, which a breadth-first search has met no later.
func included(u *System, other State, weak bool) (bool, []string) {
	d := newSubsets(u, weak)
	anti := antichains{sets: make(map[State][]int32)}
	var pairs []pair
	var now, next []int // pairs after traces of one length, and of one label more
	add := func(p pair, set []State, to *[]int) {
		p.set = d.intern(set)
		*to = append(*to, len(pairs))
		pairs = append(pairs, p)
	}
	add(pair{u.initial, 0, -1, Tau}, d.closed([]State{other}), &now)
	for ; len(now) > 0; now, next = next, now[:0] {
		for i := 0; i < len(now); i++ {
			p := pairs[now[i]]
			if !anti.add(d, p.at, p.set) { // asked here, where pairs come in order of the lengths of their traces
				continue
			}
			for _, e := range u.Edges(p.at) {
				q, set := pair{e.To, 0, int32(now[i]), e.Label}, d.sets[p.set]
				if weak && e.Label == Tau {
					add(q, set, &now)
					continue
				}
				if set = d.on(set, e.Label); len(set) == 0 {
					return false, traceTo(u, pairs, q, weak)
				}
				add(q, set, &next)
			}
		}
	}
	return true, nil
}

// traceTo lists the labels on the way to a pair.
func traceTo(u *System, pairs []pair, last pair, weak bool) []string {
	var trace []string
	for p := last; p.before >= 0; p = pairs[p.before] {
		if !weak || p.label != Tau {
			trace = append(trace, u.labels[p.label])
		}
	}
	slices.Reverse(trace)
	return trace
}

// antichains stores the smallest sets that were met with each state.
type antichains struct{ sets map[State][]int32 }

// add stores a set. It is false if a subset is stored already.
func (a antichains) add(d *subsets, at State, set int32) bool {
	kept := a.sets[at][:0:0]
	for _, k := range a.sets[at] {
		if subset(d.sets[k], d.sets[set]) {
			return false
		}
		if !subset(d.sets[set], d.sets[k]) {
			kept = append(kept, k)
		}
	}
	a.sets[at] = append(kept, set)
	return true
}

// subset reports whether all elements of a are in b. Both are sorted.
func subset(a, b []State) bool {
	if len(a) > len(b) {
		return false
	}
	for _, x := range a {
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != x {
			return false
		}
	}
	return true
}
