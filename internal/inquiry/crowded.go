// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"maps"

	"pangolin/internal/find"
	"pangolin/verdict"
)

// Crowded leaves out the operations that start goroutines, if they alone make the search too large.
//
// A map of 32 shards whose Clear starts 64 goroutines has millions of states for two threads with two calls, and was unknown as a whole, for an operation that
// few call.
var Crowded = Rule{
	Name: "crowded",
	Doc: "Some operations of a kind whose oracle is given start goroutines, and others do not. B is searched first: if it has more than 32,768 states, the type is verified without those, which the verdict lists as left out. A violation in B is the verdict. " +
		"Operations that the user has named (-ops) are not left out.",
	Before: true,
	When: func(c Case) bool {
		return c.open() && c.Reading.usual && !c.Reading.itself() && len(c.Reading.Overrides.Ops) == 0 && len(c.crowding()) > 0
	},
	Ask: func(c Case, so []Answer) (Question, bool) { return scout(c, so, Limit{States: mostCrowded}) },
	Conclude: func(c Case, so []Answer) Case {
		if len(so) != 1 || so[0].Err != nil {
			return c
		}
		v := &so[0].Verdict
		switch {
		case v.Status == verdict.Violated:
			c.Answer = so[0]
		case v.Status == verdict.Unknown && v.Cause == verdict.Limited:
			out := maps.Clone(c.Reading.Overrides.Without)
			if out == nil {
				out = map[string]string{}
			}
			for _, name := range c.crowding() {
				out[name] = fmt.Sprintf("starts goroutines, with which %s has more than %d states", scoutConfig, mostCrowded)
			}
			r, err := c.Reading.found("without crowds", func() (*find.Target, error) { return c.Reading.Without(c.ctx, out) })
			if err == nil && r.Found.Kind == c.Reading.Found.Kind && r.itself() == c.Reading.itself() { // they are not what makes it one of its kind
				return c.take(r, "")
			}
		}
		return c
	},
}

// mostCrowded is the limit on the states of B.
const mostCrowded = 1 << 15

// crowding lists the operations that start goroutines; none if all do.
func (c Case) crowding() (names []string) {
	all := c.Reading.Found.Operations
	for i := range all {
		if c.Facts.StartsIn(i) {
			names = append(names, all[i].Name)
		}
	}
	if len(names) == len(all) {
		return nil
	}
	return names
}
