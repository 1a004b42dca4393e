// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"slices"

	"pangolin/internal/collection"
	"pangolin/internal/find"
)

// Untold tries whether the type holds if it is not compared with what stand-ins are called.
//
// A bus that keeps its events in order lets whoever publishes while nobody delivers deliver what others publish meanwhile. So one call tells observers what another one has
// brought, which run by one thread it never does, and is violated. Nothing but its documentation says that this is meant.
var Untold = Rule{
	Name: "told by another",
	Doc:  "A violation of a type of which with what stand-ins are called is a result. Does it hold without these results? Then it is about them: a call that tells what another one has brought may be meant.",
	When: func(c Case) bool {
		return wrong(c) && orderOfOwn(c) && slices.ContainsFunc(c.Reading.Found.Operations, func(o collection.Operation) bool { return o.Call.Observed })
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		r, err := c.Reading.found("untold", func() (*find.Target, error) { return c.Reading.Target.Untold(c.ctx) })
		if err != nil || len(so) > 0 {
			return Question{}, false
		}
		return less(c, so, claim{reading: r, property: c.Property})
	},
	Conclude: func(c Case, so []Answer) Case {
		if !holds(so) {
			return advise(c, so, "")
		}
		return advise(c, so, "holds if it does not count which call calls an implementation, and with what, in this scope: may one call tell what another one has brought?")
	},
}
