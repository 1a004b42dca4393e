// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"slices"

	"pangolin/history"
	"pangolin/oracle"
)

// lastingOrders decides by the definition of interval linearizability whether a history has it, for CheckWeaker.
//
// It tries orders of moments: of the call of a lasting operation there are two, of another call one. It shares nothing with the monitor.
type lastingOrders struct {
	spec       oracle.Spec
	end        []int
	ops        []history.Operation
	moments    []lastingMoments
	order      []int
	failed     map[string]bool
	unfinished bool
	why        *Explanation
	longest    int
	err        error
}

// lastingMoments is how far a call has come: 0 no effect, 1 begun, 2 ended.
type lastingMoments struct {
	come   int
	ticket history.Tuple
}

// checkIntervals is CheckWeaker for a property with lasting operations.
func checkIntervals(spec oracle.Spec, h history.History, w Weaker, unfinished bool) (Judgement, error) {
	ops := h.Operations()
	if len(ops) > 64 {
		return Judgement{}, errTooLong
	}
	thread := -1
	if stuck := h.Stuck(); len(stuck) > 0 && !unfinished {
		thread = stuck[0]
	}
	s := &lastingOrders{spec: spec, end: w.End, ops: ops, moments: make([]lastingMoments, len(ops)), failed: map[string]bool{}, unfinished: unfinished,
		why: &Explanation{Property: w.Property, Thread: thread, Partner: -1, Operations: ops, Unfinished: unfinished}}
	switch ok := s.extend(spec.Initial()); {
	case s.err != nil:
		return Judgement{}, s.err
	case ok:
		for i, op := range ops {
			if !op.Returned && !unfinished {
				s.order = append(s.order, i)
			}
		}
		return Judgement{OK: true, Order: s.order}, nil
	}
	return Judgement{Why: s.why}, nil
}

// call is that with which an operation goes on.
func (s *lastingOrders) call(x int) oracle.Call {
	c := callOf(s.ops[x])
	if s.moments[x].come == 1 {
		return oracle.Call{Op: s.end[c.Op], Args: s.moments[x].ticket}
	}
	return c
}

// lasts reports whether the next moment of a call is its first of two.
func (s *lastingOrders) lasts(x int) bool {
	return s.moments[x].come == 0 && s.end[s.ops[x].Method] >= 0
}

// free reports whether a call can go on: it has not ended, and those that returned before it began have.
func (s *lastingOrders) free(x int) bool {
	if s.moments[x].come == 2 {
		return false
	}
	for y, op := range s.ops {
		if op.Precedes(s.ops[x]) && s.moments[y].come < 2 {
			return false
		}
	}
	return true
}

func (s *lastingOrders) extend(state oracle.State) bool {
	if s.err != nil {
		return false
	}
	key := string(state) + "\x00"
	for _, m := range s.moments {
		key += string(rune('0'+m.come)) + m.ticket.String() + ";"
	}
	if s.failed[key] {
		return false
	}
	if s.ends(state) {
		return true
	}
	for x, op := range s.ops {
		if !s.free(x) {
			continue
		}
		outcomes, err := s.spec.Outcomes(state, s.call(x))
		if err != nil {
			s.err = err
			return false
		}
		was := s.moments[x]
		for _, o := range outcomes {
			if s.lasts(x) && !o.Result.IsPanic() {
				s.moments[x] = lastingMoments{1, o.Result}
			} else if s.moments[x] = (lastingMoments{2, history.Tuple{}}); op.Returned && o.Result != op.Result {
				s.moments[x] = was
				continue
			}
			ended := s.moments[x].come == 2
			if ended {
				s.order = append(s.order, x)
			}
			if s.extend(o.Next) {
				return true
			}
			if ended {
				s.order = s.order[:len(s.order)-1]
			}
			s.moments[x] = was
		}
	}
	s.failed[key] = true
	s.noteDeadEnd(state)
	return false
}

// ends reports whether all calls that returned have ended, and those that did not may wait where they are.
func (s *lastingOrders) ends(state oracle.State) bool {
	stuck := false
	for x, op := range s.ops {
		switch {
		case op.Returned && s.moments[x].come < 2:
			return false
		case !op.Returned && !s.unfinished:
			stuck = true
			if s.moments[x].come == 2 || !s.spec.MayBlock(state, s.call(x)) {
				return false
			}
		}
	}
	return s.unfinished || stuck || s.spec.Accepting(state)
}

// noteDeadEnd keeps the longest orders, with why they cannot go on.
func (s *lastingOrders) noteDeadEnd(state oracle.State) {
	if len(s.order) < s.longest || s.longest == len(s.order) && len(s.why.DeadEnds) == maxDeadEnds {
		return
	}
	if len(s.order) > s.longest {
		s.longest, s.why.DeadEnds = len(s.order), nil
	}
	end := DeadEnd{Order: slices.Clone(s.order)}
	for x, op := range s.ops {
		if !s.free(x) || !op.Returned || s.lasts(x) {
			continue
		}
		r := Rejection{Op: x}
		outcomes, _ := s.spec.Outcomes(state, s.call(x))
		for _, o := range outcomes {
			r.Allowed = append(r.Allowed, o.Result)
		}
		end.Rejected = append(end.Rejected, r)
	}
	s.why.DeadEnds = append(s.why.DeadEnds, end)
}
