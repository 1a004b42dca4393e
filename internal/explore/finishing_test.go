// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Whatever the order in which states are closed, and in however many frames their edges are followed, there is said to be a cycle if there is one.
func TestFinishing_KnowsCycles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cyclic, open := 0, 0
	for range 3000 {
		n := 2 + r.IntN(20)
		edges := make([][]uint32, n)
		for s := range edges {
			for range r.IntN(3) {
				to := r.IntN(n)
				if r.IntN(20) > 0 { // else it may lead anywhere
					to = s + 1 + r.IntN(n)
				}
				if to < n {
					edges[s] = append(edges[s], uint32(to))
				}
			}
		}
		f := &finishing{open: map[uint32]*unsettled{}}
		for _, s := range r.Perm(n) {
			if r.IntN(2) == 0 {
				f.settle(uint32(s), slices.DeleteFunc(slices.Clone(edges[s]), f.clean.has), false)
				continue
			}
			f.divide(uint32(s))
			half := len(edges[s]) / 2
			f.settle(uint32(s), edges[s][half:], true)
			f.settle(uint32(s), edges[s][:half], true)
		}
		want := hasCycle(edges)
		if got := !f.acyclic(); got != want {
			t.Fatalf("cycle: %v, not %v, in %v", got, want, edges)
		}
		if want {
			cyclic++
		} else if len(f.open) > 0 {
			open++
		}
	}
	if cyclic < 100 || open < 100 {
		t.Errorf("%d graphs with cycles, and %d without in which a state stayed open: too few to mean anything", cyclic, open)
	}
}

// hasCycle follows all ways from each state back to it.
func hasCycle(edges [][]uint32) bool {
	for s := range edges {
		reached := slices.Clone(edges[s])
		for i := 0; i < len(reached); i++ {
			if reached[i] == uint32(s) {
				return true
			}
			for _, to := range edges[reached[i]] {
				if !slices.Contains(reached, to) {
					reached = append(reached, to)
				}
			}
		}
	}
	return false
}

// Where too many states stay open, a cycle is taken to be there: then the search is done again.
func TestFinishing_GivesUp(t *testing.T) {
	f := &finishing{open: map[uint32]*unsettled{}}
	for s := range uint32(mostOpen + 2) {
		f.settle(s+1, []uint32{s}, false)
	}
	if f.acyclic() {
		t.Error("no cycle, although not all edges are known")
	}
	if len(f.open) > 0 {
		t.Errorf("%d states are kept", len(f.open))
	}
}
