// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"slices"

	"pangolin/internal/explore"
)

// A depth-first search may find a violation on a path that is much longer than necessary: it follows a loop as long as that leads to new
// states. A long path is replaced by a shortest one if a breadth-first search finds that in few states, compared with the first search, so
// that it takes little extra time.

// longWay is the number of steps up to which a path is not shortened.
const longWay = 50

// fewStates is the number of states that may always be searched for a shorter path.
const fewStates = 1 << 14

// shorten looks for shorter paths to what a search of so many states has found.
func (v *verification) shorten(ctx context.Context, sys *system, f *found, states uint64) {
	if v.opt.BreadthFirst || v.opt.Laps != "" || f.class == Infinite {
		return
	}
	opt := explore.Options{Order: explore.BreadthFirst, Store: v.opt.Store, MaxBytes: v.opt.MaxBytes, MaxStates: max(fewStates, states/4)}
	if len(f.path.Steps) > longWay && !v.space.Scope.Endless { // else the search was breadth first
		if way, ok := shortest(ctx, sys, opt, f.shows); ok {
			f.path = way
		}
	}
	if len(f.inner) > longWay {
		opt.From = f.from
		there := func(_ *cursor, state []uint64) bool { return slices.Equal(state, f.root) }
		if way, ok := shortest(ctx, sys.closed(), opt, there); ok {
			f.inner = way.Steps
		}
	}
}

// shows reports whether a state shows what was found, and records its finding; or whether it is the state from which the cycle was looked
// for.
func (f *found) shows(c *cursor, state []uint64) bool {
	if f.from != nil {
		return slices.Equal(state, f.from)
	}
	g := c.found
	if g == nil {
		g = c.wrong()
	}
	if g == nil || g.class != f.class {
		return false
	}
	f.finding = *g
	return true
}

// shortest looks for a shortest path to a state that is a goal.
func shortest(ctx context.Context, sys *system, opt explore.Options, goal func(*cursor, []uint64) bool) (path explore.Path, ok bool) {
	opt.Visit = func(cur explore.Cursor, t explore.Trail, _ int) explore.Action {
		c := cur.(*cursor)
		if c.useless() {
			return explore.Stop
		}
		if goal(c, t.State()) {
			path, ok = t.Path(), true
			return explore.Stop
		}
		if c.found != nil {
			return explore.Prune
		}
		return explore.Continue
	}
	explore.Run(ctx, sys, opt)
	return path, ok
}
