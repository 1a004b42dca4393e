// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"slices"

	"pangolin/internal/explore"
)

// A depth-first search comes to a violation on a way that may be much longer than it
// need be: it goes round a loop as long as that leads to new states. So a long way is
// replaced by a shortest one, if a breadth-first search finds one in few states compared
// with those of the first search: nobody is to wait for it.

// longWay is how many steps a way may have that is left alone.
const longWay = 50

// fewStates is how many states may always be searched for a shorter way.
const fewStates = 1 << 14

// shorten looks for shorter ways to what a search of so many states has found.
func (v *verification) shorten(ctx context.Context, sys *system, f *found, states uint64) {
	if v.opt.BreadthFirst || v.opt.Laps != "" || f.class == Infinite {
		return
	}
	opt := explore.Options{Order: explore.BreadthFirst, Store: v.opt.Store, MaxBytes: v.opt.MaxBytes, MaxStates: max(fewStates, states/4)}
	if len(f.path.Steps) > longWay {
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

// shows says whether a state shows what was found, and notes how, or is where its cycle
// was looked for.
func (f *found) shows(c *cursor, state []uint64) bool {
	if f.from != nil {
		return slices.Equal(state, f.from)
	}
	g := c.found
	if g == nil {
		g = c.examine()
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
