// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"math"
	"slices"
)

// bound says that variable a is at most variable b, and c.
type bound struct{ a, b, c int }

// term is a variable, and a constant that is added to it.
type term struct{ v, plus int }

// bounds is what is known of some integer variables, which are numbered from 0: all bounds of a list hold. Nothing is ever taken out of it: what is not of
// interest any more, as the former value of a shared variable, has a variable that nobody names.
//
// Whether a bound follows, or whether there are such integers at all, is decided by shortest paths (Bellman and Ford): a bound is an edge from b to a with length c,
// so the length of a path from b to a says how much a is greater than b at most. The integers that are these distances fulfil all bounds, so no other
// bound follows; and there are none if and only if some circle has a negative length (Cormen and others, Introduction to Algorithms, section 22.4).
type bounds struct {
	vars int
	list []bound
	from map[int][]int // distances from a variable, once they were asked for
}

// far is the distance to a variable to which no path leads. Constants are small, so that no length of a path is near to it.
const far = math.MaxInt / 2

func (z *bounds) clone() bounds { return bounds{vars: z.vars, list: slices.Clone(z.list)} }

// fresh makes a new variable, of which nothing is known.
func (z *bounds) fresh() int {
	z.vars++
	z.from = nil
	return z.vars - 1
}

// learn says that x is at most y, and c.
func (z *bounds) learn(x, y term, c int) {
	z.list = append(z.list, bound{x.v, y.v, c + y.plus - x.plus})
	z.from = nil
}

// learnSame says that x is y, and c.
func (z *bounds) learnSame(x, y term, c int) {
	z.learn(x, y, c)
	z.learn(y, x, -c)
}

// certain says whether x is at most y, and c, whatever the variables are. It must be possible that there are such.
func (z *bounds) certain(x, y term, c int) bool {
	to, known := z.from[y.v]
	if !known {
		to = slices.Repeat([]int{far}, z.vars)
		to[y.v] = 0
		for range z.vars {
			if !z.shorten(to) {
				break
			}
		}
		if z.from == nil {
			z.from = map[int][]int{}
		}
		z.from[y.v] = to
	}
	return to[x.v] != far && to[x.v] <= c+y.plus-x.plus
}

// certainlySame says whether x is y, and c, whatever the variables are.
func (z *bounds) certainlySame(x, y term, c int) bool {
	return z.certain(x, y, c) && z.certain(y, x, -c)
}

// possible says whether there are integers for which all bounds hold.
func (z *bounds) possible() bool {
	to := make([]int, z.vars)
	for range z.vars {
		if !z.shorten(to) {
			return true
		}
	}
	return !z.shorten(to)
}

// shorten goes once over all edges, and says whether some distance became less.
func (z *bounds) shorten(to []int) (changed bool) {
	for _, e := range z.list {
		if to[e.b] != far && to[e.b]+e.c < to[e.a] {
			to[e.a] = to[e.b] + e.c
			changed = true
		}
	}
	return changed
}
