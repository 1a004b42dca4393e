// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/test/level"
)

// What follows from bounds, and whether there are integers for which they hold, is what trying integers says. There are 3 variables, and constants up to 2, so if there are
// such integers there are some of which two neighbours are at most 2 apart, or 3 where they show that a bound does not follow: less than 9 are tried.
func TestBounds_AgreeWithTryingIntegers(t *testing.T) {
	const vars, reach = 3, 9
	r := rand.New(rand.NewPCG(1, 1))
	n := 4000
	if level.Short() {
		n = 400
	}
	counts := [2]int{}
	for range n {
		z := &bounds{vars: vars}
		for range r.IntN(6) {
			z.learn(term{r.IntN(vars), 0}, term{r.IntN(vars), 0}, r.IntN(5)-2)
		}
		var found [][vars]int
		for x := range reach * reach * reach {
			v := [vars]int{x % reach, x / reach % reach, x / reach / reach}
			if !slices.ContainsFunc(z.list, func(b bound) bool { return v[b.a] > v[b.b]+b.c }) {
				found = append(found, v)
			}
		}
		if z.possible() != (len(found) > 0) {
			t.Fatalf("%v: there are %d, and possible is %t", z.list, len(found), z.possible())
		}
		if len(found) == 0 {
			continue
		}
		for a := range vars {
			for b := range vars {
				for c := -2; c <= 2; c++ {
					follows := !slices.ContainsFunc(found, func(v [vars]int) bool { return v[a] > v[b]+c })
					if z.certain(term{a, 0}, term{b, 0}, c) != follows {
						t.Fatalf("%v: %d <= %d%+d follows: %t", z.list, a, b, c, follows)
					}
					if follows {
						counts[1]++
					} else {
						counts[0]++
					}
				}
			}
		}
	}
	if min(counts[0], counts[1]) < n {
		t.Errorf("too few bounds follow or do not: %v", counts)
	}
}

// Terms are variables with constants: x+1 <= y+3 is x <= y+2.
func TestBounds_KnowConstants(t *testing.T) {
	z := &bounds{}
	x, y, other := z.fresh(), z.fresh(), z.fresh()
	z.learnSame(term{x, 1}, term{y, 3}, 0)
	for _, c := range []struct {
		a, b term
		c    int
		want bool
	}{
		{term{x, 0}, term{y, 0}, 2, true},
		{term{x, 0}, term{y, 0}, 1, false},
		{term{y, 0}, term{x, 0}, -2, true},
		{term{y, 0}, term{x, 0}, -3, false},
		{term{x, -2}, term{y, 0}, 0, true},
		{term{x, 0}, term{y, 2}, 0, true},
		{term{x, 0}, term{y, 1}, 0, false},
		{term{x, 0}, term{other, 0}, 1 << 20, false},
		{term{other, 0}, term{other, 0}, 0, true},
		{term{other, 0}, term{other, 1}, -1, true},
		{term{other, 1}, term{other, 0}, 0, false},
	} {
		if got := z.certain(c.a, c.b, c.c); got != c.want {
			t.Errorf("%v <= %v%+d: %t", c.a, c.b, c.c, got)
		}
	}
	if !z.certainlySame(term{x, 0}, term{y, 2}, 0) || z.certainlySame(term{x, 0}, term{y, 1}, 0) || !z.possible() {
		t.Error("what is the same is not known to be")
	}
	if z.learn(term{x, 0}, term{y, 1}, 0); z.possible() || z.certain(term{other, 0}, term{x, 0}, 0) {
		t.Error("a contradiction is not found")
	}
}

// What is learned in a copy is not known in the original, and what is asked before something is learned does not stay so.
func TestBounds_AreCopied(t *testing.T) {
	z := &bounds{}
	x, y := z.fresh(), z.fresh()
	if z.certain(term{x, 0}, term{y, 0}, 0) {
		t.Error("something is known of new variables")
	}
	other := z.clone()
	other.learn(term{x, 0}, term{y, 0}, 0)
	if z.certain(term{x, 0}, term{y, 0}, 0) || !other.certain(term{x, 0}, term{y, 0}, 0) {
		t.Error("what is learned in a copy is known in the original, or not in the copy")
	}
	z.learn(term{x, 0}, term{y, 0}, 1)
	if !z.certain(term{x, 0}, term{y, 0}, 1) {
		t.Error("what is learned is not known, for it was asked before")
	}
	if late := z.fresh(); z.certain(term{late, 0}, term{y, 0}, 1) || z.certain(term{y, 0}, term{late, 0}, 1) {
		t.Error("something is known of a variable that was made later")
	}
}
