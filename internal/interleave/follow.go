// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"errors"
	"slices"

	"pangolin/internal/vm"
)

// mostFollowed is how many instructions a thread may execute in one turn that is found anew.
const mostFollowed = 10_000_000

// Follow finds a turn anew, if the instructions of a recorded one cannot be counted on: a thread
// goes on as long as more wants visible accesses of it, and then up to its next one. The turn
// has those of the decisions that were taken.
func (r *Rerun) Follow(thread int, decisions []uint32, more func() bool) (Turn, error) {
	ch := &script{decisions: decisions}
	n := 0
	for r.goesOn(thread, more) {
		if err := r.instruction(thread, ch); err != nil {
			return Turn{}, err
		}
		if n++; n == mostFollowed {
			return Turn{}, errors.New("it goes on and on without a visible access")
		}
	}
	if ch.wrong {
		return Turn{}, errors.New("it asks for other decisions")
	}
	if r.Between != nil {
		r.Between()
	}
	r.m.Settled()
	turn := Turn{Thread: thread, Decisions: slices.Clone(decisions[:len(decisions)-len(ch.decisions)])}
	if n > 0 {
		turn.Ran = []vm.Ran{{Thread: thread, Instructions: n}}
	}
	return turn, nil
}

// goesOn says that a thread has something to execute: what nobody sees, or an access that is
// wanted.
func (r *Rerun) goesOn(thread int, more func() bool) bool {
	i := r.Place(thread)
	if i < 0 || r.m.Idle(i) || r.m.Ended().Kind != vm.Running {
		return false
	}
	return r.m.Upcoming(i) == nil || more()
}
