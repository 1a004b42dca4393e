// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"fmt"

	"pangolin/history"
)

// Step is a call that has returned.
type Step struct {
	Call   Call
	Result history.Tuple
}

// Advance runs steps one after the other from the initial state: what a client
// does before its threads start. It returns false and the index of the first
// step whose result the oracle does not allow. A call that takes effect at two
// moments begins and ends at once (LastingSpec). An oracle that has several next
// states for one result is an error here.
func Advance(spec Spec, steps []Step) (s State, ok bool, at int, err error) {
	s = spec.Initial()
	for i, step := range steps {
		outcomes, err := whole(spec, s, step.Call)
		if err != nil {
			return "", false, i, err
		}
		next := map[State]bool{}
		for _, o := range outcomes {
			if o.Result == step.Result {
				s = o.Next
				next[s] = true
			}
		}
		switch found := len(next); {
		case found == 0:
			return "", false, i, nil
		case found > 1:
			return "", false, i, fmt.Errorf("step %d before the threads: the oracle has %d next states for one result", i+1, found)
		}
	}
	return s, true, len(steps), nil
}

// whole are the outcomes of a call beside which there is no other one: of one that takes effect at two moments those of its end.
func whole(spec Spec, s State, c Call) ([]Outcome, error) {
	outcomes, err := spec.Outcomes(s, c)
	end, lasts := Ends(spec, c.Op)
	if err != nil || !lasts {
		return outcomes, err
	}
	var list []Outcome
	for _, o := range outcomes {
		if o.Result.IsPanic() { // it has not begun
			list = append(list, o)
			continue
		}
		ends, err := spec.Outcomes(o.Next, Call{Op: end, Args: o.Result})
		if err != nil {
			return nil, err
		}
		list = append(list, ends...)
	}
	return list, nil
}

// MayBlockAlone reports whether a call may wait for ever beside which there is no other one, in either of its moments if it has two.
func MayBlockAlone(spec Spec, s State, c Call) (bool, error) {
	end, lasts := Ends(spec, c.Op)
	if spec.MayBlock(s, c) || !lasts {
		return spec.MayBlock(s, c), nil
	}
	outcomes, err := spec.Outcomes(s, c)
	for _, o := range outcomes {
		if !o.Result.IsPanic() && spec.MayBlock(o.Next, Call{Op: end, Args: o.Result}) {
			return true, err
		}
	}
	return false, err
}

// Partners reports whether a Spec says that two calls serve each other; false unless it is
// a PartnerSpec.
func Partners(spec Spec, a, b Call) bool {
	p, ok := as[PartnerSpec](spec)
	return ok && p.Partners(a, b)
}

// StartingAt is spec with another initial state, one that spec has made.
func StartingAt(spec Spec, s State) Spec { return started{spec, s} }

type started struct {
	Spec
	start State
}

// Initial is the state from which the specification begins here.
func (s started) Initial() State { return s.start }

func (s started) inner() Spec { return s.Spec }

// MayFail reports whether a Spec lets a call return the result because another call is in progress.
func MayFail(s Spec, c Call, result history.Tuple) bool {
	l, ok := as[LenientSpec](s)
	return ok && l.MayFail(c, result)
}

// Behind asks a TurnSpec about a call c that begins while another, first, waits. Whatever it says, c may wait for ever because of first
// only where s lets first itself wait for ever. Of a Spec that is no TurnSpec there are no results, and c may not wait.
func Behind(s Spec, state State, first, c Call) (results []history.Tuple, waits bool) {
	turn, ok := as[TurnSpec](s)
	if !ok || !turn.Turns() {
		return nil, false
	}
	results, waits = turn.Behind(state, first, c)
	return results, waits && s.MayBlock(state, first)
}

// Ends is the operation that ends the calls of one which takes effect at two moments.
func Ends(s Spec, op int) (end int, lasts bool) {
	if l, ok := as[LastingSpec](s); ok {
		return l.Ends(op)
	}
	return 0, false
}

// MayPanic reports whether a specification may let a call of an operation panic.
func MayPanic(s Spec, op int) bool {
	p, tells := as[PanickingSpec](s)
	return !tells || p.Panics(op)
}

// as finds an optional interface of a Spec, also behind StartingAt.
func as[T any](spec Spec) (T, bool) {
	for {
		if t, ok := spec.(T); ok {
			return t, true
		}
		wrapped, ok := spec.(interface{ inner() Spec })
		if !ok {
			var none T
			return none, false
		}
		spec = wrapped.inner()
	}
}
