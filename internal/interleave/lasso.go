// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"errors"
	"slices"
)

// An execution without end is recorded as turns that lead to a cycle and the turns of the
// cycle. That it is one shows when the state comes back.

// Mark is a state that an execution is to come back to.
type Mark struct {
	state   []uint64
	threads []int // their numbers, in the machine's order
}

// Mark notes the present state.
func (r *Rerun) Mark() Mark { return Mark{r.m.Present(nil), r.Threads()} }

// mostRounds is how often a cycle is gone round. A search that renames items takes a state
// for the same in which some have changed their places, which come back after a few rounds.
const mostRounds = 12

// Moves says that somebody executes something in some turns: a lap in which nobody does leads back
// to where it began, and says nothing.
func Moves(turns []Turn) bool {
	return slices.ContainsFunc(turns, func(t Turn) bool { return len(t.Ran) > 0 })
}

// Back checks that the cycle, which has been executed once since the mark, leads back to it.
func (r *Rerun) Back(to Mark, cycle []Turn) error {
	watch, created := r.Watch, r.m.Created()
	defer func() { r.Watch = watch }()
	r.Watch = nil
	for n := 1; ; n++ {
		if r.at(to) {
			return nil
		}
		if n == mostRounds || r.replaced(to) || r.m.Created() != created {
			return errors.New("its cycle does not come back to the same state")
		}
		for i := range cycle {
			if err := r.Turn(&cycle[i]); err != nil {
				return err
			}
		}
	}
}

// replaced says that threads have ended since the mark: then another round has other numbers.
func (r *Rerun) replaced(to Mark) bool { return !slices.Equal(to.threads, r.Threads()) }

// at says that the state is the marked one: threads that are still there are what they
// were, and those that have ended are replaced by others that stand where they stood.
func (r *Rerun) at(to Mark) bool {
	have := r.Threads()
	if len(have) != len(to.threads) {
		return false
	}
	var fresh []int // places of those that are new
	perm := make([]int, len(have))
	var open []int // to be filled with them
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

// fits tries all ways to let new threads stand for those that have ended.
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

// arranged is the saved form of the state with the threads in another order.
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
