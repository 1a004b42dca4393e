// SPDX-License-Identifier: BSD-3-Clause

package lts

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Formulas are small: by brute force, from the sets of states that formulas of each size can describe.

// describable gives the size of the smallest formula for each set of states of a small system that one
// describes.
func describable(s *System, e Equivalence) map[uint]int {
	if e == Weak {
		s = s.saturated()
	}
	all := uint(1)<<s.States() - 1
	size := map[uint]int{}
	var of [][]uint // by size
	for k := 0; k <= 2 || len(of[k-1])+len(of[k-2]) > 0; k++ {
		of = append(of, nil)
		add := func(set uint) {
			for _, x := range []uint{set, all &^ set} {
				if _, known := size[x]; !known {
					size[x] = k
					of[k] = append(of[k], x)
				}
			}
		}
		if k == 0 {
			add(all)
			continue
		}
		if e == DivergenceBranching && k == 1 {
			set := uint(0)
			for i, is := range s.diverging() {
				if is {
					set |= 1 << i
				}
			}
			add(set)
		}
		for i := range k {
			for _, x := range of[i] {
				for _, y := range of[k-i-1] {
					for l := range s.labels {
						if e == Strong || e == Weak {
							if y == all {
								add(before(s, all, Label(l), x, false))
							}
							continue
						}
						add(before(s, y, Label(l), x, true))
					}
				}
			}
			for j := 1; i > 0 && j < k; j++ {
				if i+j == k {
					for _, x := range of[i] {
						for _, y := range of[j] {
							add(x & y)
						}
					}
				}
			}
		}
	}
	return size
}

// before is the set of states from which a transition leads into a set, with internal steps through
// others of while before it if until.
func before(s *System, while uint, l Label, to uint, until bool) uint {
	set := uint(0)
	for i := range s.States() {
		for _, e := range s.Edges(State(i)) {
			if e.Label == l && to>>e.To&1 == 1 {
				set |= 1 << i & while
			}
		}
	}
	for grown := until; grown; {
		grown = false
		for i := range s.States() {
			for _, e := range s.Edges(State(i)) {
				if bit := uint(1) << i & while; e.Label == Tau && set>>e.To&1 == 1 && set|bit != set {
					set, grown = set|bit, true
				}
			}
		}
	}
	if until && l == Tau {
		set |= to
	}
	return set
}

// No part of a formula can be left out, and few formulas are larger than the smallest. That all are smallest
// is not to be had: to find one is NP-hard (Martens and Groote, Computing minimal distinguishing
// Hennessy-Milner formulas is NP-hard, but variants are tractable, CONCUR 2023).
func TestFormula_IsMinimal(t *testing.T) {
	larger, all := 0, 0
	for seed := range systems() / 5 {
		r := rand.New(rand.NewPCG(8, uint64(seed)))
		a := random(r)
		b := without(a, r)
		if a.States() > 4 {
			continue
		}
		u, offset := Union(a, b)
		for _, e := range bisimulations() {
			c := Compare(a, b, e)
			if c.Equivalent {
				continue
			}
			all++
			least := c.Formula.Size() + 1
			for set, size := range describable(u, e) {
				if set>>a.Initial()&1 == 1 && set>>(offset+b.Initial())&1 == 0 {
					least = min(least, size)
				}
			}
			switch size := c.Formula.Size(); {
			case size < least:
				t.Fatalf("seed %d, %s: %s has size %d, and brute force finds none\n%s\n%s", seed, e, c.Formula, size, dump(a), dump(b))
			case size > least:
				larger++
			}
			for _, f := range weakened(c.Formula) {
				if f.Evaluate(a, e)[a.Initial()] && !f.Evaluate(b, e)[b.Initial()] {
					t.Fatalf("seed %d, %s: %s could be %s\n%s\n%s", seed, e, c.Formula, f, dump(a), dump(b))
				}
			}
		}
	}
	if larger*20 > all {
		t.Errorf("%d of %d formulas are larger than need be", larger, all)
	}
}

// weakened lists the formulas in which one part is replaced by true, or left out of a conjunction.
func weakened(f *Formula) []*Formula {
	var list []*Formula
	if f.Step != nil && !f.Step.Diverges {
		put := func(part *Formula, set func(*Step, *Formula)) {
			if part == nil || part.isTrue() {
				return
			}
			for _, p := range append(weakened(part), True()) {
				step := *f.Step
				set(&step, p)
				list = append(list, &Formula{Negated: f.Negated, Step: &step})
			}
		}
		put(f.Step.While, func(s *Step, p *Formula) { s.While = p })
		put(f.Step.To, func(s *Step, p *Formula) { s.To = p })
	}
	for i, part := range f.And {
		list = append(list, &Formula{Negated: f.Negated, And: slices.Delete(slices.Clone(f.And), i, i+1)})
		for _, p := range weakened(part) {
			and := slices.Clone(f.And)
			and[i] = p
			list = append(list, &Formula{Negated: f.Negated, And: and})
		}
	}
	return list
}
