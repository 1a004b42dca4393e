// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"strings"

	"pangolin/internal/find"
	"pangolin/oracle"
	"pangolin/verdict"
)

// mostUnclear is the greatest number of unclear operations: n of them have 2^n readings.
const mostUnclear = 3

// Unclear decides whether an operation such as Toggle returns the value before or after its change, where its name does not say and the
// type's other operations are clear (Load, Store and Swap or CompareAndSwap make a register). Each reading is compared with one thread,
// and at most one that matters agrees. If none does, the code is wrong by every reading, and the one that takes most calls to
// contradict is taken.
var Unclear = Rule{
	Name: "unclear results",
	Doc: "No name tells whether Toggle returns the value of before or that of after. Each reading is tried by one thread; the first that it agrees with is " +
		"taken, or else the one that takes most calls to contradict.",
	Before: true, First: true,
	When: func(c Case) bool {
		n := len(c.Reading.Found.Unclear)
		return c.open() && n > 0 && n <= mostUnclear && c.Reading.Called() != nil
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		if n := len(so); n > 0 {
			if _, yes := disagrees(&so[n-1].Verdict); so[n-1].Err != nil || !yes {
				return Question{}, false
			}
		}
		if len(so) == 1<<len(c.Reading.Found.Unclear) {
			return Question{}, false
		}
		r, err := c.Reading.readAs(c, len(so))
		if err != nil || r.Found.Oracle != find.KindOracle(c.Reading.Found.Kind) {
			return Question{}, false
		}
		return r.byOneThread(verdict.Linear, true), true
	},
	Conclude: func(c Case, so []Answer) Case {
		if r, ok := agreed(so); ok {
			return c.take(r, "")
		}
		if len(so) != 1<<len(c.Reading.Found.Unclear) {
			return c
		}
		var best *Reading
		most := -1
		for _, a := range so {
			if _, yes := disagrees(&a.Verdict); !yes || a.Err != nil {
				return c
			}
			if calls := len(a.Verdict.Violation.Execution.History); calls > most {
				best, most = a.Reading, calls
			}
		}
		return c.take(best, fmt.Sprintf("one thread contradicts either reading of what %s returns, the value of before and that of after", strings.Join(c.Reading.Found.Unclear, ", ")))
	},
}

// readAs returns the reading in which bit i of mask chooses for unclear operation i: 0 the value after, 1 the value before.
func (r *Reading) readAs(c Case, mask int) (*Reading, error) {
	readings := map[string]string{}
	for i, name := range r.Found.Unclear {
		readings[name] = string([]oracle.Slot{oracle.SlotNew, oracle.SlotOld}[mask>>i&1])
	}
	return r.found(fmt.Sprintf("unclear %d", mask), func() (*find.Target, error) { return r.Target.Reading(c.ctx, readings) })
}
