// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/store"
)

// Executions without end in a search that sees no cycles: under a bound on preemptions a cycle on which
// threads take turns leads to another state each time around, and breadth first there is none to be
// seen. Such an execution is a stem and a lap. The bound is on the stem; in the lap fairness asks for
// switches, and it is searched without a bound. So of each state that is come to it is asked whether a
// lap begins right there: whether it lies on one in the graph of cycles.go, in which nobody
// begins anything new. The first of which that holds ends a stem with as few steps as can be.

// laps looks for states in which a lap begins.
type laps struct {
	v      *verification
	closed *system
	at     *cursor    // of closed
	known  *store.Set // states of which it is known
	on     *store.Set // those of them in which a lap of the class begins
	ended  bool       // a limit, or an assumption that is wrong, has ended the search
}

// laps makes the visit of a search that looks for nothing but laps of the class that is asked for. What
// else is wrong ends an execution.
func (v *verification) laps(ctx context.Context, sys *system) func(explore.Cursor, explore.Trail, int) explore.Action {
	l := &laps{v: v, closed: sys.closed(), known: store.New(store.Config{Kind: v.opt.Store}), on: store.New(store.Config{Kind: v.opt.Store})}
	l.closed.cursors = new(cursors)
	l.at = l.closed.newCursor()
	return func(cur explore.Cursor, t explore.Trail, _ int) explore.Action {
		c := cur.(*cursor)
		if v.spoilt(c) {
			return explore.Stop
		}
		if c.found != nil || c.examine() != nil {
			return explore.Prune
		}
		if busy := c.monitor.Busy(c.id); c.makes() || busy == 0 || !c.sys.plan.Done(c.all, c.own, client.ThreadSet(busy)) {
			return explore.Continue
		}
		if state := l.unbound(t.State()); l.begins(ctx, state) {
			if v.found = l.lap(ctx, state); v.found != nil {
				v.found.path = t.Path()
				return explore.Stop
			}
		}
		if l.ended {
			return explore.Stop
		}
		return explore.Continue
	}
}

// unbound is a state without what it knows of the bound: on a lap that would not come back.
func (l *laps) unbound(state []uint64) []uint64 {
	l.at.Load(state)
	l.at.place.Stand()
	l.at.switches = 0
	return l.at.Save(nil)
}

// begins says whether a lap begins in a state. From there all is searched that is not known; what is
// known has been searched to its end, so that no component lies on both sides.
func (l *laps) begins(ctx context.Context, state []uint64) bool {
	// What lies behind a known state has been searched to its end, so that a component is never cut: either all of
	// its states are known when the question comes, or none is.
	if _, known := l.known.Find(state); !known {
		l.search(ctx, state, l.unknown, func(d *explore.Component) explore.Action {
			_, loops := l.judge(d)
			for i := range loops {
				l.mark(d, &loops[i])
			}
			return explore.Continue
		})
	}
	_, on := l.on.Find(state)
	return on
}

// unknown makes a state known, and prunes it if it was. All that are known together are under the limit on
// states: what is found then does not depend on how fast the machine is.
func (l *laps) unknown(state []uint64) explore.Action {
	_, isNew := l.known.Add(state)
	switch limit := l.v.opt.MaxStates; {
	case !isNew:
		return explore.Prune
	case limit > 0 && uint64(l.known.Len()) > limit:
		l.v.cut, l.ended = explore.LimitStates, true
		return explore.Stop
	}
	return explore.Continue
}

// mark notes the states of a loop.
func (l *laps) mark(d *explore.Component, loop *interleave.Loop) {
	for _, state := range loop.States {
		l.on.Add(state)
	}
	if loop.States == nil {
		d.Each(func(_ explore.Cursor, state []uint64) bool {
			l.on.Add(state)
			return true
		})
	}
}

// lap is the lap that begins in a state; nil if none is found.
func (l *laps) lap(ctx context.Context, state []uint64) (f *found) {
	all := func([]uint64) explore.Action { return explore.Continue }
	l.search(ctx, state, all, func(d *explore.Component) explore.Action {
		wrong, loops := l.judge(d)
		for i := range loops {
			if slices.Equal(loops[i].Root, state) {
				f = &found{finding: wrong, from: state, root: state, cycle: loops[i].Cycle}
				return explore.Stop
			}
		}
		return explore.Continue
	})
	return f
}

// judge is what is wrong with staying in a component, and its loops, if it is of the class that is asked for.
func (l *laps) judge(d *explore.Component) (finding, []interleave.Loop) {
	if l.v.opt.Scope.Fair && !d.Fair() {
		return finding{}, nil
	}
	// The verdict on a component is that of cycles.go, from its root: which class it is depends on who is busy in it, not
	// on the bound under which its stem was found.
	l.at.Load(d.Root)
	wrong, loops := l.v.staying(l.at, d)
	if wrong.class != l.v.opt.Laps {
		return finding{}, nil
	}
	return wrong, loops
}

// search looks at all that is within reach of a state while nobody begins anything new.
func (l *laps) search(ctx context.Context, from []uint64, visit func([]uint64) explore.Action, on func(*explore.Component) explore.Action) {
	v := l.v
	l.closed.cursors.used = 0
	res := explore.Run(ctx, l.closed, explore.Options{
		From: from, Cycles: true, OnComponent: on, Store: v.opt.Store, MaxBytes: v.opt.MaxBytes, MaxStates: v.opt.MaxStates,
		Visit: func(cur explore.Cursor, t explore.Trail, _ int) explore.Action {
			c := cur.(*cursor)
			if v.spoilt(c) {
				l.ended = true
				return explore.Stop
			}
			if c.found != nil {
				return explore.Prune
			}
			return visit(t.State())
		},
	})
	if res.Limit != explore.NoLimit {
		v.cut, l.ended = res.Limit, true
	}
}
