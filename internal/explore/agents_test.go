// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// Sets of agents do what maps do, whether their members are few or thousands.
func TestAgents_AreSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		below := []int{3, 64, 65, 300, 4096}[rng.IntN(5)]
		draw := func() (s Agents, m map[int]bool) {
			m = map[int]bool{}
			for range rng.IntN(40) {
				a := rng.IntN(below)
				s.Add(a)
				m[a] = true
			}
			return s, m
		}
		check := func(what string, s Agents, m map[int]bool) {
			t.Helper()
			if want := slices.Sorted(maps.Keys(m)); !slices.Equal(s.List(), want) || s.Len() != len(want) || s.Empty() != (len(want) == 0) {
				t.Fatalf("%s: %v, not %v", what, s.List(), want)
			}
		}
		s, m := draw()
		o, n := draw()
		without := maps.Clone(m)
		maps.DeleteFunc(without, func(a int, _ bool) bool { return n[a] })
		check("minus", s.Minus(o), without)
		check("unchanged", s, m)
		both := maps.Clone(m)
		maps.DeleteFunc(both, func(a int, _ bool) bool { return !n[a] })
		all := maps.Clone(m)
		maps.Copy(all, n)
		u := s.Minus(Agents{})
		u.Union(&o)
		check("union", u, all)
		s.Intersect(&o)
		check("intersection", s, both)
	}
}

func TestMove_HoldsAgent(t *testing.T) {
	for _, a := range []int{0, 1, 255, 256, 4095, 1 << 30} {
		if m := MoveOf(a); m.Agent() != a || m.More() != 0 {
			t.Errorf("the move of agent %d is %d of agent %d", a, m.More(), m.Agent())
		}
	}
	for _, more := range []int{0, 1, 1<<23 - 1} {
		if m := MoveWith(255, more); m.Agent() != 255 || m.More() != more {
			t.Errorf("a move with %d is %d of agent %d", more, m.More(), m.Agent())
		}
	}
}
