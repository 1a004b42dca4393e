// SPDX-License-Identifier: BSD-3-Clause

package lts

import "slices"

// Formulas that distinguish. The states are partitioned once more, round by round: in round k two
// states differ if they can make different moves to the classes of round k-1. A move that one can
// make and the other cannot becomes the formula, after Korver (Computing distinguishing formulas
// for branching bisimulation, CAV 1991); by the rounds its nesting is the smallest possible. Then
// parts that are not needed are left out. The formula need not be the smallest of all, which is
// NP-hard to find (Martens and Groote, Computing minimal distinguishing Hennessy-Milner formulas is
// NP-hard, but variants are tractable, CONCUR 2023).

// distinguish returns a formula that holds for a's initial state and not for b's. The two must not
// be equivalent.
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

// distinguisher finds formulas for states of one system. No two states may be equivalent.
type distinguisher struct {
	s         *System
	branching bool
	diverges  []bool    // nil if the equivalence ignores divergence
	rounds    [][]int32 // by round and state: the state's class
	known     map[[2]State]*Formula
}

// move is a label, and the class that the transition leads to.
type move struct {
	label Label
	class int32
}

// refine makes rounds until a and b are in different classes. Later rounds are not needed to tell
// them apart.
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

// key describes a state's class and moves in the last round as a text.
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

// moves lists the moves of a state. For branching bisimulation these are the moves behind internal
// steps inside the class, without those steps.
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

// inner lists the states that internal steps inside the class lead to, itself first.
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

// apart returns a formula that tells a from b. In the first round in which their classes differ, it
// holds for all states in a's class and for none in b's.
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

// missing returns a move of a that b cannot make, preferably with a visible label.
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

// can returns the formula that a move is possible. It holds for a and not for b.
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
		to = append(to, d.apart(target, b)) // the formula must not hold for b itself
	}
	step := &Step{Label: d.s.labels[m.label], Internal: m.label == Tau, To: all(to)}
	if d.branching {
		step.While = all(while)
	}
	return &Formula{Step: step}
}

// member returns a state that a move of a leads to.
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

// minimal removes parts from a formula as long as it holds for a and not for b.
func (v *evaluator) minimal(f *Formula, a, b State) *Formula {
	tells := func(g *Formula) bool {
		holds := v.of(g)
		return holds[a] && !holds[b]
	}
	return shrink(f, tells).sorted()
}

// shrink replaces parts of a formula by true, from the outside in, as long as tells accepts the
// whole.
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
