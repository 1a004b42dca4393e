// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"errors"
	"slices"
)

// An execution without end is recorded as the turns that lead to a cycle and the turns of the cycle. The rerun has to show that the
// cycle leads back to the same state.

// Mark is a state to which an execution should return.
type Mark struct {
	state   []uint64
	threads []int // numbers of the threads, in the machine's order
}

// Mark records the present state.
func (r *Rerun) Mark() Mark { return Mark{r.m.Present(nil), r.Threads()} }

// mostRounds is how often a cycle is repeated to return to its state. A search that renames items identifies states in which items are
// permuted, and after a few rounds the permutation is the identity.
const mostRounds = 12

// Moves reports whether any thread executes something in the turns: a cycle in which none does shows nothing.
func Moves(turns []Turn) bool {
	return slices.ContainsFunc(turns, func(t Turn) bool { return len(t.Ran) > 0 })
}

// Back checks that the cycle, which has been executed once since the mark, leads back to it, and repeats it if necessary.
func (r *Rerun) Back(to Mark, cycle []Turn) error {
	watch, created := r.Watch, r.m.Created()
	defer func() { r.Watch = watch }()
	r.Watch = nil
	for n := 1; ; n++ {
		if r.at(to) {
			return nil
		}
		if n == mostRounds || r.replaced(to) || r.m.Created() != created {
			return errors.New("the cycle does not lead back to the state in which it began")
		}
		for i := range cycle {
			if err := r.Turn(&cycle[i]); err != nil {
				return err
			}
		}
	}
}

// replaced reports whether threads have ended or begun since the mark: then their numbers in another round would be
// different.
func (r *Rerun) replaced(to Mark) bool { return !slices.Equal(to.threads, r.Threads()) }

// at reports whether the machine is in the marked state. Threads that still exist must be in the same state; each that has ended must
// be replaced by a new one in the same state.
func (r *Rerun) at(to Mark) bool {
	have := r.Threads()
	if len(have) != len(to.threads) {
		return false
	}
	var fresh []int // indices of the new threads
	perm := make([]int, len(have))
	var open []int // indices in the mark whose threads have ended
	for i, n := range to.threads {
		if perm[i] = slices.Index(have, n); perm[i] < 0 {
			open = append(open, i)
		}
	}
	for i, n := range have {
		if !slices.Contains(to.threads, n) {
			fresh = append(fresh, i)
		}
	}
	return r.fits(to, perm, open, fresh)
}

// fits tries every way to assign new threads to those that have ended.
func (r *Rerun) fits(to Mark, perm, open, fresh []int) bool {
	if len(open) == 0 {
		return slices.Equal(to.state, r.arranged(perm))
	}
	for k, place := range fresh {
		perm[open[0]] = place
		if r.fits(to, perm, open[1:], slices.Delete(slices.Clone(fresh), k, k+1)) {
			return true
		}
	}
	return false
}

// arranged is the saved state with the threads in another order.
func (r *Rerun) arranged(perm []int) []uint64 {
	back := make([]int, len(perm))
	for i, p := range perm {
		back[p] = i
	}
	r.m.Arrange(perm)
	state := r.m.Present(nil)
	r.m.Arrange(back)
	return state
}
