// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
)

// A depth-first search finds the components of the state graph; one with a cycle may be a set of operations that never return. That depends
// on the threads that move in it, on fairness, and on the oracle, which may permit waiting. It is judged here in a smaller graph, in which
// threads keep their indices and no thread begins a call.

// component judges a component of the state graph, in which an execution may stay for ever. No operation begins or returns inside, so the
// threads that move there never return.
//
// In saved states threads are sorted, so the component itself does not show which of them move. It is searched again from its root without
// symmetry, and without new calls: an execution that stays in it is one of the client of the calls so far. It is searched without a bound
// on preemptions, because where the bound is used up a waiting thread would keep the other one out for ever. So the search may meet states
// that the main search has not; if something else is wrong in one of these, it is ignored here.
func (v *verification) component(ctx context.Context, sys *system, c *explore.Component) explore.Action {
	return v.staysFrom(ctx, sys, &stem{c.Root, c.Trail, c.Bytes() - v.held()})
}

// stem is where an execution that never leaves the closed system begins.
type stem struct {
	state []uint64
	path  func() explore.Path // that leads there
	bytes int64               // of the search that has met it
}

// staysFrom searches the closed system from a state for cycles, and judges them.
func (v *verification) staysFrom(ctx context.Context, sys *system, from *stem) explore.Action {
	if v.closed == nil {
		v.closes(sys)
	}
	closed, spoilt := v.closed, false
	closed.cursors.used = 0
	outer := from.bytes
	res := explore.Run(ctx, closed, explore.Options{
		From: from.state, Cycles: true, Store: v.opt.Store,
		MaxBytes: v.opt.MaxBytes, Held: func() int64 { return outer + v.held() },
		Visit: func(cur explore.Cursor, t explore.Trail, _ int) explore.Action {
			if spoilt = v.spoilt(cur.(*cursor)); spoilt || v.tired() {
				return explore.Stop
			}
			// Other faults are found by the main search, on a path that can be reported. Here the path would
			// begin in another graph. Points need not explain what is right, and a cycle may be behind it.
			if f := cur.(*cursor).found; f != nil && v.opt.Points != nil {
				v.report(&found{finding: *f, path: from.path()})
				return explore.Stop
			} else if f != nil {
				return explore.Prune
			}
			// Components of the main search overlap in this graph: no state needs to be judged twice.
			if _, isNew := v.settled.Add(t.State()); !isNew {
				return explore.Prune
			}
			return explore.Continue
		},
		OnComponent: func(d *explore.Component) explore.Action { return v.cycle(closed, from, d) },
	})
	v.cut = max(v.cut, res.Limit)
	v.inside += res.Collisions
	if v.found != nil || spoilt || v.cut != explore.NoLimit {
		return explore.Stop
	}
	return explore.Continue
}

// closes makes the system in which components are searched.
func (v *verification) closes(sys *system) {
	v.closed = sys.closed()
	v.closed.cursors = new(cursors)
}

// cycle judges a component of the search without symmetry.
func (v *verification) cycle(closed *system, outer *stem, d *explore.Component) explore.Action {
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
	lasso := &found{finding: wrong, path: outer.path(), from: slices.Clone(outer.state), root: loops[0].Root,
		inner: append(slices.Clone(d.Trail().Steps), loops[0].Way...), cycle: loops[0].Cycle}
	v.report(lasso)
	return explore.Stop
}

// staying returns what is wrong with staying in a component for ever, given a cursor in its root, and the loops in which the scheduler lets
// an execution stay; no loops if nothing is wrong.
func (v *verification) staying(c *cursor, d *explore.Component) (finding, []interleave.Loop) {
	busy := c.monitor.Busy(c.id)
	if busy == 0 || !c.sys.plan.Done(c.all, c.own, client.ThreadSet(busy)) {
		return finding{}, nil
	}
	wrong := finding{class: Nontermination, thread: -1}
	// A bottom component has no exit: even an unfair scheduler keeps the calls there, so they wait for ever, whatever they do meanwhile.
	// The oracle is asked whether they may, as for blocked calls.
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

// neverMade judges a component in which the collection is still being constructed.
func (v *verification) neverMade(c *cursor, d *explore.Component, outer *stem) explore.Action {
	if !d.Bottom {
		return explore.Continue
	}
	v.report(&found{finding: finding{class: unmade, message: c.making() + " does not return: it goes on for ever at " + c.m.At(c.maker)}, path: outer.path()})
	return explore.Stop
}
