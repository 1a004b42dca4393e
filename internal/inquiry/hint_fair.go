// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import "pangolin/internal/engine"

// Fairly tries a fair scheduler where the user has asked for an unfair one.
var Fairly = Rule{
	Name: "fair scheduler",
	Doc:  "A violation where every endless execution counts (Request.Search.Unfair). Does the type hold if the scheduler is fair?",
	When: func(c Case) bool { return wrong(c) && c.Reading.terms.Bounds.Unfair },
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) > 0 {
			return Question{}, false
		}
		return less(c, so, claim{c.Reading, c.Property, func(s *engine.Scope) { s.Fair = true }})
	},
	Conclude: func(c Case, so []Answer) Case {
		if !holds(so) {
			return advise(c, so, "")
		}
		return advise(c, so, "holds if endless executions count only where the scheduler is fair, in this scope")
	},
}
