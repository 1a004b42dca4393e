// SPDX-License-Identifier: BSD-3-Clause

package lts

import "slices"

// This file finds formulas that distinguish. The partition is refined once more, round by
// round: in round k two states are told apart if they can do different things up to round
// k-1. What the one can do and the other cannot is the formula, after Korver (Computing distinguishing formulas
// for branching bisimulation, CAV 1991); with rounds the nesting is as small as it can
// be. Then what is not needed is left out, part by part. A smallest formula of all it need not be: to find
// that is NP-hard (Martens and Groote, Computing minimal distinguishing Hennessy-Milner formulas is
// NP-hard, but variants are tractable, CONCUR 2023).

// distinguish gives a formula that holds of a's initial state and not of b's; they are not
// equivalent.
func distinguish(a, b *System, e Equivalence) *Formula {
	u, offset := Union(a, b)
	n, p := e.notion(), u.Partition(e)
	first, second := p.Of[a.initial], p.Of[offset+b.initial]
	d := &distinguisher{s: u.collapsed(p, n.visible), branching: n.branching, known: map[[2]State]*Formula{}}
	if n.diverging {
		d.diverges = make([]bool, p.Classes)
		for i, is := range u.diverging() {
			d.diverges[p.Of[i]] = is
		}
	}
	if n.saturated() {
		d.s = d.s.saturated()
	}
	d.refine(first, second)
	f := d.apart(first, second)
	q := &evaluator{s: d.s, diverges: d.diverges}
	return q.minimal(f, first, second)
}

// distinguisher tells states of a system apart no two of which are equivalent.
type distinguisher struct {
	s         *System
	branching bool
	diverges  []bool    // nil: does not matter
	rounds    [][]int32 // the class of each state in each round
	known     map[[2]State]*Formula
}

// move is a label and the class of the state that it leads to.
type move struct {
	label Label
	class int32
}

// refine makes rounds until two states are told apart. What distinguishes them needs no
// later round.
func (d *distinguisher) refine(a, b State) {
	n := d.s.States()
	now := make([]int32, n)
	for {
		d.rounds = append(d.rounds, now)
		if now[a] != now[b] {
			return
		}
		names := map[string]int32{}
		next := make([]int32, n)
		for i := range n {
			key := d.key(State(i))
			c, ok := names[key]
			if !ok {
				c = int32(len(names))
				names[key] = c
			}
			next[i] = c
		}
		now = next
	}
}

// key is a state's class and what it can do up to the last round, as a text.
func (d *distinguisher) key(at State) string {
	now := d.rounds[len(d.rounds)-1]
	key := []byte{}
	word := func(x int32) { key = append(key, byte(x), byte(x>>8), byte(x>>16), byte(x>>24)) }
	word(now[at])
	if d.diverges != nil && d.diverges[at] {
		word(-1)
	}
	for _, m := range d.moves(at, now) {
		word(m.label)
		word(m.class)
	}
	return string(key)
}

// moves lists what a state can do: for branching bisimulation, behind internal steps within its
// class, but no such steps themselves.
func (d *distinguisher) moves(at State, now []int32) []move {
	var out []move
	for _, s := range d.inner(at, now) {
		for _, e := range d.s.Edges(s) {
			if m := (move{e.Label, now[e.To]}); !d.branching || m != (move{Tau, now[at]}) {
				out = append(out, m)
			}
		}
	}
	slices.SortFunc(out, func(a, b move) int {
		if a.label != b.label {
			return int(a.label) - int(b.label)
		}
		return int(a.class) - int(b.class)
	})
	return slices.Compact(out)
}

// inner lists the states that internal steps within the class lead to, itself first.
func (d *distinguisher) inner(at State, now []int32) []State {
	list := []State{at}
	if !d.branching {
		return list
	}
	seen := map[State]bool{at: true}
	for k := 0; k < len(list); k++ {
		for _, e := range d.s.Edges(list[k]) {
			if e.Label == Tau && now[e.To] == now[at] && !seen[e.To] {
				seen[e.To] = true
				list = append(list, e.To)
			}
		}
	}
	return list
}

// round is the last round in which two states are in one class.
func (d *distinguisher) round(a, b State) int {
	k, _ := slices.BinarySearchFunc(d.rounds, true, func(now []int32, _ bool) int {
		if now[a] != now[b] {
			return 0
		}
		return -1
	})
	return k - 1
}

// apart gives a formula that holds of a and not of b, and of no state that is in b's class in the
// first round in which they are in different ones; it holds of all that are in a's then.
func (d *distinguisher) apart(a, b State) *Formula {
	if f, ok := d.known[[2]State{a, b}]; ok {
		return f
	}
	k := d.round(a, b)
	now := d.rounds[k]
	var f *Formula
	switch {
	case d.diverges != nil && d.diverges[a] != d.diverges[b]:
		f = &Formula{Step: &Step{Diverges: true}, Negated: d.diverges[b]}
	default:
		can, cannot := d.moves(a, now), d.moves(b, now)
		if m, ok := missing(can, cannot); ok {
			f = d.can(a, b, m, now)
		} else {
			m, _ := missing(cannot, can)
			f = not(d.can(b, a, m, now))
		}
	}
	d.known[[2]State{a, b}] = f
	return f
}

// missing gives a move of a that b does not have, one with a label first.
func missing(a, b []move) (found move, ok bool) {
	for _, m := range a {
		if !slices.Contains(b, m) {
			if m.label != Tau {
				return m, true
			}
			if !ok {
				found, ok = m, true
			}
		}
	}
	return found, ok
}

// can gives the formula that a move can be made: it holds of a and not of b.
func (d *distinguisher) can(a, b State, m move, now []int32) *Formula {
	target := d.member(a, m, now)
	var to, while []*Formula
	done := map[int32]bool{m.class: true}
	left := map[int32]bool{}
	for _, s := range d.inner(b, now) {
		for _, e := range d.s.Edges(s) {
			if e.Label == m.label && !done[now[e.To]] {
				done[now[e.To]] = true
				to = append(to, d.apart(target, e.To))
			}
			if d.branching && e.Label == Tau && now[e.To] != now[b] && !left[now[e.To]] {
				left[now[e.To]] = true
				while = append(while, d.apart(a, e.To))
			}
		}
	}
	if d.branching && m.label == Tau && !done[now[b]] {
		to = append(to, d.apart(target, b)) // also of b itself it must not hold
	}
	step := &Step{Label: d.s.labels[m.label], Internal: m.label == Tau, To: all(to)}
	if d.branching {
		step.While = all(while)
	}
	return &Formula{Step: step}
}

// member gives a state that a move leads to.
func (d *distinguisher) member(a State, m move, now []int32) State {
	for _, s := range d.inner(a, now) {
		for _, e := range d.s.Edges(s) {
			if e.Label == m.label && now[e.To] == m.class {
				return e.To
			}
		}
	}
	panic("lts: a move that a state does not have")
}

func all(list []*Formula) *Formula {
	if len(list) == 1 {
		return list[0]
	}
	return &Formula{And: list}
}

// minimal leaves out of a formula what is not needed for it to hold of a and not of b.
func (v *evaluator) minimal(f *Formula, a, b State) *Formula {
	tells := func(g *Formula) bool {
		holds := v.of(g)
		return holds[a] && !holds[b]
	}
	return shrink(f, tells).sorted()
}

// shrink makes parts of a formula true, from the outside in, while tells holds of the whole.
func shrink(f *Formula, tells func(*Formula) bool) *Formula {
	g := *f
	if g.Step != nil {
		st := *g.Step
		g.Step = &st
		put := func(at **Formula) {
			old := *at
			if old == nil || old.isTrue() {
				return
			}
			if *at = True(); tells(&g) {
				return
			}
			*at = shrink(old, func(part *Formula) bool { *at = part; return tells(&g) })
		}
		put(&st.While)
		put(&st.To)
		return &g
	}
	g.And = slices.Clone(g.And)
	for i := 0; i < len(g.And); {
		old := g.And[i]
		g.And = slices.Delete(slices.Clone(g.And), i, i+1)
		if tells(&g) {
			continue
		}
		g.And = slices.Insert(slices.Clone(g.And), i, old)
		g.And[i] = shrink(old, func(part *Formula) bool { g.And[i] = part; return tells(&g) })
		i++
	}
	if len(g.And) == 1 {
		one := *g.And[0]
		one.Negated = one.Negated != g.Negated
		return &one
	}
	return &g
}
