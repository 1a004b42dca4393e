// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"context"
	"time"
)

// The smallest part of a history that no order explains.
//
// A part may only be shown if its having no order implies that the whole has none. So calls are left out in units, of which an order of the
// whole stays right without:
//
//   - a pure call (operation.go), alone: nothing sees it;
//   - of a queue, stack or priority queue all calls of one item: the other items stay in their order. A take that returned, with what is not
//     known, may have taken any; then nothing is left out but pure calls;
//   - of a register all calls that write or read one value, with those linked to it by cas and swap: reads of other values stay behind their
//     writes. A cas that returned and may have failed says that the value was another one; then nothing is left out but pure calls.
//
//   - of a register that is appended to (pieces.go) a write or an append that no read shows.
//   - a transaction whose writes no other one reads.
//
// Units are left out by halves, quarters and so on (Zeller's delta debugging) until each one is needed, or the time for it is over.

// minimiseFor is how long is spent on making the part smaller.
const minimiseFor = 10 * time.Second

func (j *job) minimise(calls []Call) (least []Call, confirmed bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(j.ctx), minimiseFor)
	defer cancel()
	again := &job{ctx: ctx, h: j.h, o: j.o}
	j.h.within(ctx)
	keep := calls
	for chunk := len(keep); ctx.Err() == nil; {
		units := j.units(keep)
		if chunk = min(chunk, len(units)); chunk == 0 {
			break
		}
		smaller := false
		for from := 0; from < len(units) && ctx.Err() == nil; from += chunk {
			out := map[int]bool{}
			for _, u := range units[from:min(from+chunk, len(units))] {
				for _, i := range u {
					out[i] = true
				}
			}
			rest := without(keep, out)
			if got := again.decide(&part{calls: rest}, 0); got.status == Violated && !j.h.interrupted() {
				if len(got.calls) < len(rest) && got.cycle == nil {
					rest = got.calls // the search has found the part that has no order; transactions on a cycle alone may have one
				}
				keep, smaller = rest, true
				break
			}
		}
		if !smaller {
			if chunk == 1 {
				break
			}
			chunk = (chunk + 1) / 2
		}
	}
	explained, all := explainable(j.h, keep, j.o.Property)
	if all = all && !j.h.interrupted(); !all {
		return keep, false
	}
	if explained {
		panic("judge: an order explains what was said to have none")
	}
	return keep, all
}

func without(calls []Call, out map[int]bool) []Call {
	rest := make([]Call, 0, len(calls))
	for i := range calls {
		if !out[i] {
			rest = append(rest, calls[i])
		}
	}
	return rest
}

// units lists sets of calls that may be left out, as numbers of calls.
func (j *job) units(calls []Call) [][]int {
	var units [][]int
	cells := j.h.Kind == Register || j.h.Kind == Map
	whole := cells || j.h.Kind == Queue || j.h.Kind == Stack || j.h.Kind == PQueue
	union := links{}
	for i := range calls {
		c := &calls[i]
		if c.pure() {
			units = append(units, []int{i})
		}
		if c.Op == Append || (c.Op == CAS && (c.Unknown || c.R == 0) || c.Op == Take && c.Unknown) && !c.Pending() {
			whole = false
		}
		w, writes := c.writes()
		if r, reads := c.reads(); cells && reads && writes {
			union.join(w, r)
		}
	}
	if j.h.Kind == Transactions {
		return append(units, unread(j.h, calls)...)
	}
	if !whole {
		p := &pieces{h: j.h, calls: calls}
		if cells && p.collect() {
			units = append(units, p.unseen()...)
		}
		return units
	}
	groups := map[Value][]int{}
	var order []Value
	for i := range calls {
		v, ok := calls[i].about(cells)
		if !ok {
			continue
		}
		root := union.root(v)
		if groups[root] == nil {
			order = append(order, root)
		}
		groups[root] = append(groups[root], i)
	}
	for _, root := range order {
		if g := groups[root]; len(g) > 1 || !calls[g[0]].pure() {
			units = append(units, g)
		}
	}
	return units
}

// about is the value that a call writes or reads, or the item that it puts, takes or sees. cells:
// the kind is a register or map.
func (c *Call) about(cells bool) (Value, bool) {
	switch {
	case cells:
		if v, ok := c.writes(); ok {
			return v, true
		}
		return c.reads()
	case c.Op == Put:
		return c.A, true
	}
	return c.R, !c.Unknown && c.R != Nil
}

// links is a union-find structure: it joins values into groups.
type links map[Value]Value

func (l links) root(v Value) Value {
	for {
		up, ok := l[v]
		if !ok || up == v {
			return v
		}
		v = up
	}
}

func (l links) join(a, b Value) {
	if a, b = l.root(a), l.root(b); a != b {
		l[a] = b
	}
}

// most is how many orders are tried when a violation is checked against the definition.
const most = 2_000_000

// explainable tries all orders of the calls, as the definition says, without rules and without
// remembering anything. all is false if there are more than `most`.
func explainable(h *History, calls []Call, p Property) (ok, all bool) {
	if len(calls) > 20 || p == Causal || p.IsSession() {
		return false, false // these are not about one order
	}
	m := newModel(h, p == Sequential)
	placed := make([]bool, len(calls))
	begun := 0
	var from func(state Value) bool
	from = func(state Value) bool {
		if begun++; begun > most {
			return false
		}
		complete := true
		for i := range calls {
			complete = complete && (placed[i] || calls[i].Pending())
		}
		if complete {
			return true
		}
		for i := range calls {
			if placed[i] || !isNext(calls, placed, i, p) {
				continue
			}
			placed[i] = true
			for _, next := range m.step(state, &calls[i], nil) {
				if from(next) {
					return true
				}
			}
			placed[i] = false
		}
		return false
	}
	ok = from(m.initial())
	return ok, begun <= most
}

// isNext reports whether all calls that have to come before call i have been placed.
func isNext(calls []Call, placed []bool, i int, p Property) bool {
	for k := range calls {
		if placed[k] || k == i {
			continue
		}
		if p == Linear && calls[k].End < calls[i].Begin {
			return false
		}
		if p == Sequential && calls[k].Client == calls[i].Client && calls[k].Begin < calls[i].Begin && !calls[k].Pending() {
			return false
		}
	}
	return true
}
