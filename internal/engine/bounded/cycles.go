// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
)

// Cycles. A depth-first search finds the components of the state graph as it goes; one with
// a cycle is a candidate for operations that never return. Whether it is one depends on who
// moves in it and on fairness, and on the oracle, which may allow to wait: that is judged
// here, in a smaller graph in which a thread has one place for life and nobody begins
// anything new.

// component looks at a part of the state graph in which an execution may stay for
// ever. No operation begins or returns inside, so the threads that move there never
// return.
//
// In saved states threads change places, so which of them move cannot be told from
// the component itself. It is searched again from its root without symmetry, and
// with no further invocations: an execution that stays in it is one of the client of
// the calls made so far. Nor is there a bound on preemptions in it: where the bound is
// used up a thread that waits for another one would keep it out for ever. So states may be
// met that the search itself has not come to; of those in which something else is wrong it says nothing.
func (v *verification) component(ctx context.Context, sys *system, c *explore.Component) explore.Action {
	if v.closed == nil {
		v.closed = sys.closed()
		v.closed.cursors = new(cursors)
	}
	closed, spoilt := v.closed, false
	closed.cursors.used = 0
	outer := c.Bytes() - v.held()
	res := explore.Run(ctx, closed, explore.Options{
		From: c.Root, Cycles: true, Store: v.opt.Store,
		MaxBytes: v.opt.MaxBytes, Held: func() int64 { return outer + v.held() },
		Visit: func(cur explore.Cursor, t explore.Trail, _ int) explore.Action {
			if spoilt = v.spoilt(cur.(*cursor)); spoilt {
				return explore.Stop
			}
			// What goes wrong on the way is found by the search itself, on a way of its own that can be reported. Here it would have a
			// stem that ends in another graph.
			if cur.(*cursor).found != nil {
				return explore.Prune
			}
			// Components of the search overlap in this graph: a state from which all has been judged needs no second visit.
			if _, isNew := v.settled.Add(t.State()); !isNew {
				return explore.Prune
			}
			return explore.Continue
		},
		OnComponent: func(d *explore.Component) explore.Action { return v.cycle(closed, c, d) },
	})
	v.cut = res.Limit
	v.inside += res.Collisions
	if v.found != nil || spoilt || v.cut != explore.NoLimit {
		return explore.Stop
	}
	return explore.Continue
}

// cycle judges a component of the search without symmetry.
func (v *verification) cycle(closed *system, outer, d *explore.Component) explore.Action {
	if v.opt.Scope.Fair && !d.Fair() {
		return explore.Continue
	}
	c := closed.NewCursor().(*cursor)
	c.Load(d.Root)
	if c.makes() {
		return v.neverMade(c, d, outer)
	}
	wrong, loops := v.staying(c, d)
	if len(loops) == 0 {
		return explore.Continue
	}
	lasso := &found{finding: wrong, path: outer.Trail(), from: slices.Clone(outer.Root), root: loops[0].Root,
		inner: append(slices.Clone(d.Trail().Steps), loops[0].Way...), cycle: loops[0].Cycle}
	v.report(lasso)
	return explore.Stop
}

// staying is what is wrong with staying for ever in a component, in whose root the cursor stands, and the
// loops in which the scheduler lets an execution stay; none if it may, or if nowhere.
func (v *verification) staying(c *cursor, d *explore.Component) (finding, []interleave.Loop) {
	busy := c.monitor.Busy(c.id)
	if busy == 0 || !c.sys.plan.Done(c.all, c.own, client.ThreadSet(busy)) {
		return finding{}, nil
	}
	wrong := finding{class: Nontermination, thread: -1}
	// At the bottom nothing leads out: even an unfair scheduler keeps the calls there, so that they wait for ever, whatever they do
	// meanwhile. Then the oracle is asked whether they may, as it is of those that are blocked.
	if d.Bottom {
		ok, thread := c.monitor.StuckOK(c.id, busy)
		if ok {
			return finding{}, nil
		}
		wrong = finding{class: Livelock, thread: thread}
	}
	if !v.opt.Scope.Fair {
		return wrong, []interleave.Loop{{Root: slices.Clone(d.Root), Cycle: d.Cycle(false)}}
	}
	return wrong, interleave.FairLoops(d, c)
}

// neverMade judges a component in which the collection is being made.
func (v *verification) neverMade(c *cursor, d, outer *explore.Component) explore.Action {
	if !d.Bottom {
		return explore.Continue
	}
	v.report(&found{finding: finding{class: unmade, message: c.making() + " does not return: it goes on for ever at " + c.m.At(c.maker)}, path: outer.Trail()})
	return explore.Stop
}
