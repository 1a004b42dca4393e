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

// Executions without end under a bound on preemptions. A cycle in which threads take turns leads to another state each time around, because
// the count of preemptions grows, so a breadth-first search sees no cycle. Such an execution consists of a stem and a lap. The bound
// applies to the stem; the lap, in which fairness requires switches, is searched without it. So each state that is reached is examined:
// does a lap begin there, in the graph of cycles.go, in which no thread begins a call? The first such state ends a stem with as few steps
// as possible.

// laps looks for states in which a lap begins.
type laps struct {
	v      *verification
	closed *system
	at     *cursor    // a cursor of closed
	known  *store.Set // states that were examined
	on     *store.Set // examined states in which a lap of the class begins
	ended  bool       // a limit or a wrong assumption has ended the search
}

// laps makes the visit function of a search that looks only for laps of the class Options.Laps. Another violation ends an execution.
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

// unbound is a state without the count of preemptions, with which a lap would not return to it.
func (l *laps) unbound(state []uint64) []uint64 {
	l.at.Load(state)
	l.at.place.Stand()
	l.at.switches = 0
	return l.at.Save(nil)
}

// begins reports whether a lap begins in a state. It examines everything that can be reached from there and is not known.
func (l *laps) begins(ctx context.Context, state []uint64) bool {
	// Everything that can be reached from a known state is known, so that a component is never cut: either all of
	// its states are known, or none is.
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

// unknown marks a state as known, and prunes it if it was. The limit on states applies to all known states together, so that the result
// does not depend on the speed of the machine.
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

// mark records the states of a loop.
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

// lap returns the lap that begins in a state; nil if none is found.
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

// judge returns what is wrong with staying in a component, and its loops, if that is of the class Options.Laps.
func (l *laps) judge(d *explore.Component) (finding, []interleave.Loop) {
	if l.v.opt.Scope.Fair && !d.Fair() {
		return finding{}, nil
	}
	// A component is judged as in cycles.go, from its root: its class depends on the busy threads, not
	// on the preemptions in the stem.
	l.at.Load(d.Root)
	wrong, loops := l.v.staying(l.at, d)
	if wrong.class != l.v.opt.Laps {
		return finding{}, nil
	}
	return wrong, loops
}

// search explores everything that can be reached from a state while no thread begins a call.
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
