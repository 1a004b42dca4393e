// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"pangolin/internal/explore"
	"pangolin/internal/store"
)

// Sample tells, from the first states of a search, whether most of them differ from others only in what the monitor knows of their
// history. Then a monitor that knows less would have fewer states. It is filled in by one worker, so that it is the same in each run.
type Sample struct {
	// Few: at most half of the first states differ in more. The search has ended with them.
	Few bool

	states, apart int
	bare          *store.Set // the states without the monitor's
}

// sampled is how many states are counted: a search that has fewer takes some hundredths of a second.
const sampled = 10_000

// begin begins to count, for a search begins.
func (s *Sample) begin() {
	if s != nil {
		*s = Sample{bare: store.New(store.Config{})}
	}
}

// counts reports whether the search may still end with the states that are counted.
func (s *Sample) counts() bool { return s != nil && s.states < sampled }

// end makes the search go on without counting.
func (s *Sample) end() {
	if s != nil {
		s.states, s.bare = sampled, nil
	}
}

// ends counts a state, whose first word is the monitor's, and ends the search if most of those counted differ in nothing but that.
func (s *Sample) ends(state []uint64) explore.Action {
	if !s.counts() {
		return explore.Continue
	}
	s.states++
	if _, isNew := s.bare.Add(state[1:]); isNew {
		s.apart++
	}
	if s.states < sampled {
		return explore.Continue
	}
	s.bare, s.Few = nil, 2*s.apart <= sampled
	if s.Few {
		return explore.Stop
	}
	return explore.Continue
}
