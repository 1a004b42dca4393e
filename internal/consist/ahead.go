// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"slices"

	"pangolin/verdict"
)

// seenAhead are the configurations in which a read returns its result because it has seen calls before they take effect.
func (o overlapping) seenAhead(s *lookingState, c *looking, resp observeResponse) (out []looking) {
	a := ahead{overlapping: o, s: s}
	a.see(seeing{*c, c.seen[resp.thread]}, nil)
	between := o.meaning(s.calls.get(resp.thread)).Name == verdict.Between
	for i, low := range a.all {
		if !between {
			if o.explains(s, resp, low.views, nil) {
				out = append(out, low.looking)
			}
			continue
		}
		for k, high := range a.all {
			if i == 0 && k == 0 || !o.explains(s, resp, low.views, high.views) {
				continue
			}
			if both, ok := low.with(&high.looking, o.threads); ok {
				out = append(out, both)
			}
		}
	}
	return out
}

// with has the constraints of both configurations, which are equal otherwise; false if they contradict each other.
func (c looking) with(other *looking, threads int) (looking, bool) {
	c.shown |= other.shown
	for t := range threads {
		c.after[t] |= other.after[t]
	}
	c.closeAfter(threads)
	for t := range threads {
		if c.after[t].Has(t) {
			return c, false
		}
	}
	return c, true
}

// seeing is a configuration with the constraints that a sequence of calls makes, and the views behind them.
type seeing struct {
	looking
	views []view
}

// ahead finds the sequences of pending calls that a read may have seen before they take effect; the first one is empty.
type ahead struct {
	overlapping
	s   *lookingState
	all []seeing
}

// see adds a sequence, and continues it.
func (a *ahead) see(so seeing, sequence []int) {
	a.all = append(a.all, so)
	for t := range a.threads {
		if a.s.calls[t] == 0 || a.reads(a.s, t) || so.done[t] != 0 || slices.Contains(sequence, t) {
			continue
		}
		if slices.ContainsFunc(sequence, func(u int) bool { return so.after[u].Has(t) }) {
			continue // t takes effect before one that was seen already
		}
		next := seeing{looking: so.looking}
		for _, u := range sequence {
			next.after[t] = next.after[t].With(u)
		}
		next.shown = next.shown.With(t)
		next.closeAfter(a.threads)
		for _, v := range so.views {
			for _, to := range a.applied(v.state, a.s.calls.get(t)) {
				next.views = append(next.views, view{state: to})
			}
		}
		next.views = sorted(next.views)
		a.see(next, append(slices.Clone(sequence), t))
	}
}

// closeAfter makes the order in which calls have to take effect transitive.
func (c *looking) closeAfter(threads int) {
	for range threads {
		for t := range threads {
			for u := range threads {
				if c.after[t].Has(u) {
					c.after[t] |= c.after[u]
				}
			}
		}
	}
}
