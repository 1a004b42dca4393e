// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"slices"

	"pangolin/history"
	"pangolin/oracle"
	"pangolin/verdict"
)

// CheckWeaker decides by the definitions of Weaker whether a history has the property, as Check does for the others. unfinished: operations
// that have not returned may or may not have taken effect, as in CheckUnfinished.
//
// It tries orders of points, each of which is a call that is no such read, or the beginning or the end of one. It shares nothing with the
// monitor: what a read may return is computed at its end, from the whole order before.
func CheckWeaker(spec oracle.Spec, h history.History, w Weaker, unfinished bool) (Judgement, error) {
	if err := h.Validate(); err != nil {
		return Judgement{}, err
	}
	if w.End != nil {
		return checkIntervals(spec, h, w, unfinished)
	}
	stuck := h.Stuck()
	if len(stuck) == 0 || unfinished {
		return newOrders(spec, h, &w, -1).judge(unfinished)
	}
	var last Judgement
	for i, thread := range stuck {
		others := slices.Delete(slices.Clone(stuck), i, i+1)
		s := newOrders(spec, h.Without(others), &w, thread)
		s.all = h.Operations()
		j, err := s.judge(false)
		if err != nil || !j.OK {
			return j, err
		}
		j.Order = inWhole(h, j.Order, others)
		last = j
	}
	if why := partners(spec, h, w.Property); why != nil {
		return Judgement{Why: why}, nil
	}
	return last, nil
}

// point is a moment of an order.
type point struct {
	op   int
	sort pointSort
}

type pointSort uint8

const (
	acts   pointSort = iota // a call takes effect
	begins                  // a read begins
	ends                    // a read ends
)

// moment is a point that has been placed, with the state behind it.
type moment struct {
	point
	state oracle.State
}

// ordering is one search for an order.
type ordering struct {
	spec   oracle.Spec
	weaker *Weaker
	ops    []history.Operation
	all    []history.Operation // ops, and those that are stuck in other threads than the one in question
	points []point
	placed []bool
	trace  []moment

	unfinished bool
	why        *Explanation
	longest    int
	err        error
}

func newOrders(spec oracle.Spec, h history.History, w *Weaker, thread int) *ordering {
	ops := h.Operations()
	s := &ordering{spec: spec, weaker: w, ops: ops, all: ops, why: &Explanation{Property: w.Property, Thread: thread, Partner: -1, Operations: ops}}
	for i, op := range ops {
		switch {
		case !w.reads(op.Method):
			s.points = append(s.points, point{i, acts})
		case op.Returned:
			s.points = append(s.points, point{i, begins}, point{i, ends})
		}
	}
	s.placed = make([]bool, len(s.points))
	return s
}

func (s *ordering) judge(unfinished bool) (Judgement, error) {
	s.unfinished, s.why.Unfinished = unfinished, unfinished
	if len(s.ops) > 64 {
		return Judgement{}, errTooLong
	}
	ok := s.extend(s.spec.Initial())
	switch {
	case s.err != nil:
		return Judgement{}, s.err
	case ok:
		return Judgement{OK: true, Order: s.order()}, nil
	}
	return Judgement{Why: s.why}, nil
}

// order lists the calls that were placed; a read where it ends.
func (s *ordering) order() (list []int) {
	for _, m := range s.trace {
		if m.sort != begins {
			list = append(list, m.op)
		}
	}
	for i, op := range s.ops {
		if !op.Returned && !s.unfinished && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}

// precedes reports whether one point comes before another in every order.
func (s *ordering) precedes(a, b point) bool {
	if a.op == b.op {
		return a.sort == begins && b.sort == ends
	}
	return a.sort != begins && b.sort != ends && s.ops[a.op].Precedes(s.ops[b.op])
}

// free reports whether a point is not placed and all that must precede it is.
func (s *ordering) free(x int) bool {
	if s.placed[x] {
		return false
	}
	for y, p := range s.points {
		if !s.placed[y] && s.precedes(p, s.points[x]) {
			return false
		}
	}
	return true
}

// extend completes the order from a state on, and reports whether it can.
func (s *ordering) extend(state oracle.State) bool {
	if s.err != nil {
		return false
	}
	if s.complete(state) {
		return true
	}
	for x, p := range s.points {
		if !s.free(x) || p.sort == acts && !s.ops[p.op].Returned && !s.unfinished {
			continue
		}
		s.placed[x] = true
		for _, next := range s.behind(p, state) {
			s.trace = append(s.trace, moment{p, next})
			if s.extend(next) {
				return true
			}
			s.trace = s.trace[:len(s.trace)-1]
		}
		s.placed[x] = false
	}
	s.noteDeadEnd(state)
	return false
}

// behind are the states that a point may lead to; none if the call cannot have its result there.
func (s *ordering) behind(p point, state oracle.State) (list []oracle.State) {
	op := s.ops[p.op]
	switch {
	case p.sort == begins:
		return []oracle.State{state}
	case p.sort == ends:
		if s.looksAtWhole(p.op) || s.explained(p.op) {
			return []oracle.State{state}
		}
		return nil
	}
	outcomes, err := s.spec.Outcomes(state, callOf(op))
	if err != nil {
		s.err = err
	}
	for _, o := range outcomes {
		if o.Result == op.Result || !op.Returned {
			list = append(list, o.Next)
		}
	}
	return list
}

// complete reports whether the order has all calls that returned, explains the reads that look at the whole, and may end here.
func (s *ordering) complete(state oracle.State) bool {
	for x, p := range s.points {
		if s.ops[p.op].Returned && !s.placed[x] {
			return false
		}
	}
	for i, op := range s.ops {
		if op.Returned && s.looksAtWhole(i) && !s.explained(i) {
			return false
		}
	}
	if s.unfinished {
		return true
	}
	for _, op := range s.ops {
		if !op.Returned {
			return s.spec.MayBlock(state, callOf(op))
		}
	}
	return s.spec.Accepting(state)
}

// looksAtWhole reports whether what a read may return depends on the order behind its end as well.
func (s *ordering) looksAtWhole(op int) bool {
	m := s.weaker.meaning(s.ops[op].Method).Name
	return m == verdict.Some || m == verdict.Between
}

// explained reports whether a read, which has ended in this order, may return its result.
func (s *ordering) explained(read int) bool {
	op := s.ops[read]
	m := s.weaker.meaning(op.Method)
	if m.Name == verdict.Quiet && !op.Result.IsPanic() && s.disturbed(read) {
		return true
	}
	return s.allows(m, s.allowed(read), op.Result)
}

// allows reports whether a result is among those that a meaning gives a read that may look into states with these results.
func (s *ordering) allows(m verdict.Meaning, results []history.Tuple, r history.Tuple) bool {
	if m.Name != verdict.Between {
		return slices.Contains(results, r)
	}
	n, ok := number(r)
	below := slices.ContainsFunc(results, func(t history.Tuple) bool { return t.At(0).Int <= n })
	above := slices.ContainsFunc(results, func(t history.Tuple) bool { return t.At(0).Int >= n })
	return ok && below && above
}

// disturbed reports whether a call that is no such read overlaps a read.
func (s *ordering) disturbed(read int) bool {
	return slices.ContainsFunc(s.all, func(op history.Operation) bool {
		return !s.weaker.reads(op.Method) && !op.Precedes(s.ops[read]) && !s.ops[read].Precedes(op)
	})
}

// allowed are the results that a read may have by the states in which it may look.
func (s *ordering) allowed(read int) (list []history.Tuple) {
	op := s.ops[read]
	for _, state := range s.looks(read) {
		outcomes, err := s.spec.Outcomes(state, callOf(op))
		if err != nil {
			s.err = err
		}
		for _, o := range outcomes {
			if !slices.Contains(list, o.Result) {
				list = append(list, o.Result)
			}
		}
	}
	return list
}

// looks are the states in which a read may look, in this order.
func (s *ordering) looks(read int) (list []oracle.State) {
	m := s.weaker.meaning(s.ops[read].Method)
	if s.looksAtWhole(read) {
		return s.sees(s.spec.Initial(), s.changing(0), read)
	}
	begin := slices.IndexFunc(s.trace, func(m moment) bool { return m.point == point{read, begins} })
	start := s.trace[begin].state
	if m.Name == verdict.Parts {
		return s.parts(start, s.changing(begin), nil)
	}
	if m.Name == verdict.Eventually && s.disturbed(read) {
		list, begin = append(list, s.spec.Initial()), 0
	}
	for _, t := range s.trace[begin:] {
		if t.point == (point{read, ends}) {
			break
		}
		list = append(list, t.state)
	}
	if m.Name == verdict.Stale {
		last := start
		for k, left := begin-1, m.Bound; k >= -1 && left > 0; k-- {
			before := s.spec.Initial()
			if k >= 0 {
				before = s.trace[k].state
			}
			if before != last {
				list, last, left = append(list, before), before, left-1
			}
		}
	}
	return list
}

// changing are the calls that change something, from a place of the order on.
func (s *ordering) changing(from int) (list []int) {
	before := s.spec.Initial()
	for i, t := range s.trace {
		if i >= from && t.sort == acts && t.state != before {
			list = append(list, t.op)
		}
		before = t.state
	}
	return list
}

// sees are the states behind those calls of a list that a read of the meaning some or between may see.
func (s *ordering) sees(state oracle.State, calls []int, read int) (list []oracle.State) {
	if len(calls) == 0 {
		return []oracle.State{state}
	}
	op, r := s.ops[calls[0]], s.ops[read]
	if !r.Precedes(op) {
		for _, next := range s.after(state, calls[0]) {
			list = append(list, s.sees(next, calls[1:], read)...)
		}
	}
	if !op.Precedes(r) {
		list = append(list, s.sees(state, calls[1:], read)...)
	}
	return list
}

// parts are the states behind those calls of a list that a read of the meaning parts may see; missed are those that it has not seen.
func (s *ordering) parts(state oracle.State, calls, missed []int) (list []oracle.State) {
	if len(calls) == 0 {
		return []oracle.State{state}
	}
	key, keyed := s.weaker.key(callOf(s.ops[calls[0]]))
	late := keyed && slices.ContainsFunc(missed, func(m int) bool {
		other, has := s.weaker.key(callOf(s.ops[m]))
		return has && other == key
	})
	if !late {
		for _, next := range s.after(state, calls[0]) {
			list = append(list, s.parts(next, calls[1:], missed)...)
		}
	}
	return append(list, s.parts(state, calls[1:], append(slices.Clone(missed), calls[0]))...)
}

// after are the states behind a call, whatever it returns; the same one if it cannot return.
func (s *ordering) after(state oracle.State, call int) (list []oracle.State) {
	outcomes, err := s.spec.Outcomes(state, callOf(s.ops[call]))
	if err != nil {
		s.err = err
	}
	for _, o := range outcomes {
		list = append(list, o.Next)
	}
	if len(list) == 0 {
		return []oracle.State{state}
	}
	return list
}

// noteDeadEnd keeps the longest orders, with why they cannot go on.
func (s *ordering) noteDeadEnd(state oracle.State) {
	order := s.order()
	if len(s.trace) < s.longest || s.longest == len(s.trace) && len(s.why.DeadEnds) == maxDeadEnds {
		return
	}
	if len(s.trace) > s.longest {
		s.longest, s.why.DeadEnds = len(s.trace), nil
	}
	end := DeadEnd{Order: order}
	for x, p := range s.points {
		op := s.ops[p.op]
		switch {
		case !s.free(x) || !op.Returned || p.sort == begins:
		case p.sort == acts:
			r := Rejection{Op: p.op}
			outcomes, _ := s.spec.Outcomes(state, callOf(op))
			for _, o := range outcomes {
				r.Allowed = append(r.Allowed, o.Result)
			}
			end.Rejected = append(end.Rejected, r)
		case !s.looksAtWhole(p.op) && !s.explained(p.op):
			end.Rejected = append(end.Rejected, Rejection{p.op, s.allowed(p.op)})
		}
	}
	for i, op := range s.ops {
		if s.weaker.reads(op.Method) && s.looksAtWhole(i) && op.Returned && slices.Contains(order, i) && !s.explained(i) {
			end.Order = slices.DeleteFunc(end.Order, func(k int) bool { return k == i })
			end.Rejected = append(end.Rejected, Rejection{i, s.allowed(i)})
		}
	}
	s.why.DeadEnds = append(s.why.DeadEnds, end)
}
