// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"errors"
	"slices"

	"pangolin/internal/vm"
)

// mostFollowed is the greatest number of instructions that Follow executes.
const mostFollowed = 10_000_000

// Follow executes a turn whose number of instructions is not known, because the code differs from the recorded one: the thread goes on
// past visible accesses as long as more returns true, and then up to its next one. It uses the recorded decisions in order. It returns
// the turn with its instructions and the decisions that were used.
func (r *Rerun) Follow(thread int, decisions []uint32, more func() bool) (Turn, error) {
	ch := &script{decisions: decisions}
	n := 0
	for r.goesOn(thread, more) {
		if err := r.instruction(thread, ch); err != nil {
			return Turn{}, err
		}
		if n++; n == mostFollowed {
			return Turn{}, errors.New("it executes 10 million instructions without a visible access, so it probably loops for ever")
		}
	}
	if ch.wrong {
		return Turn{}, errors.New("it asks for a decision that was not recorded")
	}
	if r.Between != nil {
		r.Between(thread)
	}
	r.m.Settled()
	turn := Turn{Thread: thread, Decisions: slices.Clone(decisions[:len(decisions)-len(ch.decisions)])}
	if n > 0 {
		turn.Ran = []vm.Ran{{Thread: thread, Instructions: n}}
	}
	return turn, nil
}

// goesOn reports whether a thread has something to execute: local instructions, or an access that more asks for.
func (r *Rerun) goesOn(thread int, more func() bool) bool {
	i := r.Place(thread)
	if i < 0 || r.m.Idle(i) || r.m.Ended().Kind != vm.Running {
		return false
	}
	return r.m.Upcoming(i) == nil || more()
}
