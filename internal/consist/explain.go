// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"errors"
	"slices"

	"pangolin/history"
	"pangolin/oracle"
)

var errTooLong = errors.New("consist: more than 64 operations in one history")

// Explanation says why no order fits: the longest orders that the oracle
// follows, and why each of them cannot go on; or which two stuck calls serve each other.
type Explanation struct {
	Property   Property
	Thread     int  // the stuck thread for which no order fits; -1: the history is complete
	Partner    int  // a stuck thread whose call serves that of Thread, and the other way round; -1: none
	Unfinished bool // operations that have not returned may still do so
	Operations []history.Operation
	DeadEnds   []DeadEnd // the longest orders, at most maxDeadEnds
}

// maxDeadEnds keeps explanations short.
const maxDeadEnds = 3

// DeadEnd is an order of some operations that the oracle accepts, and why it cannot be continued.
type DeadEnd struct {
	Order    []int
	Rejected []Rejection // why each operation that could be next is rejected; empty: all operations are placed, but the history may not end so
}

// Rejection is an operation that could come next, but not with its result.
type Rejection struct {
	Op      int
	Allowed []history.Tuple // results that the oracle allows instead; none: it cannot return
}

func (s *permutations) noteDeadEnd(state oracle.State) {
	ends := s.why.DeadEnds
	if len(ends) > 0 && len(ends[0].Order) > len(s.order) {
		return
	}
	if len(ends) > 0 && len(ends[0].Order) < len(s.order) {
		ends = nil
	}
	s.why.DeadEnds = ends
	if len(ends) == maxDeadEnds {
		return
	}
	end := DeadEnd{Order: slices.Clone(s.order)}
	for x, op := range s.ops {
		if !s.free(x) || !op.Returned && (s.unfinished || !s.onlyLeft(x)) {
			continue
		}
		outcomes, _ := s.spec.Outcomes(state, callOf(op)) // an error would have ended the search
		r := Rejection{Op: x}
		for _, o := range outcomes {
			r.Allowed = append(r.Allowed, o.Result)
		}
		end.Rejected = append(end.Rejected, r)
	}
	s.why.DeadEnds = append(ends, end)
}

// onlyLeft reports whether everything but x is placed.
func (s *permutations) onlyLeft(x int) bool {
	for y := range s.ops {
		if y != x && s.placed>>y&1 == 0 {
			return false
		}
	}
	return true
}
