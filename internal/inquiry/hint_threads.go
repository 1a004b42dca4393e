// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"

	"pangolin/internal/engine"
)

// FewerThreads tries whether the type holds with one thread less than the witness uses. The witness must use three at least: a
// violation that needs two threads shows only that the fault is one of concurrency.
var FewerThreads = Rule{
	Name: "fewer threads",
	Doc:  "A violation with three threads or more. Does the type hold with one thread less?",
	When: func(c Case) bool {
		return wrong(c) && busy(c) >= 3 && c.Reading.terms.Bounds.Threads == nil && c.Reading.roles == ""
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) > 0 {
			return Question{}, false
		}
		most := busy(c) - 1
		q, more := less(c, so, claim{c.Reading, c.Property, func(s *engine.Scope) {
			s.Preset, s.Clients.Threads.To = "", min(s.Clients.Threads.To, most)
		}})
		q.Scope = q.Scope.Asked()
		return q, more
	},
	Conclude: func(c Case, so []Answer) Case {
		if !holds(so) {
			return advise(c, so, "")
		}
		return advise(c, so, fmt.Sprintf("holds with Request.Scope.Threads 1..%d: it takes %d threads", busy(c)-1, busy(c)))
	},
}

// busy counts the threads that call something in the witness.
func busy(c Case) int {
	threads := map[int]bool{}
	for i := range c.Verdict.Violation.Execution.History {
		threads[c.Verdict.Violation.Execution.History[i].Thread] = true
	}
	return len(threads)
}
