// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"

	"pangolin/oracle"
	"pangolin/verdict"
)

// Rendezvous tries whether the type holds if a put may wait until another thread takes its item. (A collection that waits for an item
// or for room is recognised by one thread, see Waits.)
var Rendezvous = Rule{
	Name: "rendezvous",
	Doc:  "A violation of a kind whose operations are not to wait. Does it hold if a put may wait, or fail, until somebody takes its item? (If an operation is refused each time, or never returns, nobody meets, and no hint is given.)",
	When: func(c Case) bool {
		return wrong(c) && !c.Reading.terms.Protocol && !c.Reading.itself() && c.Reading.Found.Protocol.Kind == oracle.Nonblocking
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		r, err := c.Reading.underProtocol(c.ctx, oracle.Protocol{Kind: oracle.Synchronous})
		if err != nil || len(so) > 0 || r.Found.Oracle != c.Reading.Found.Oracle {
			return Question{}, false
		}
		return less(c, so, claim{reading: r, property: c.Property})
	},
	Conclude: func(c Case, so []Answer) Case {
		if !holds(so) || slices.ContainsFunc(so, refusing) {
			return advise(c, so, "")
		}
		return advise(c, so, fmt.Sprintf("holds with Request.Protocol '%s', in this scope: may its operations wait, or fail?", oracle.Protocol{Kind: oracle.Synchronous}))
	},
}

// refusing reports whether some operation did nothing in all that was searched for an answer: each of its calls was refused, or none returned.
func refusing(a Answer) bool {
	return slices.ContainsFunc(a.Verdict.Returns, func(x verdict.Returns) bool { return x.Never || a.Reading.Refuses(&x) })
}
