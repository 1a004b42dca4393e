// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"

	"pangolin/internal/find"
	"pangolin/verdict"
)

// Careful asks whether a goroutine that panics does so for the sake of a call that would have panicked itself.
//
// Who calls Done once too often, beside a goroutine that calls Done at its end, panics if the goroutine was faster, and otherwise the goroutine
// does. The oracle self lets the call panic, but not the goroutine. So the type is verified again with clients that make no such call. A
// goroutine that panics in spite of that, such as one that sends to a channel which Close has closed, is a violation as before.
var Careful = Rule{
	Name:    "careful",
	Excuses: true,
	Doc: "A violation by a goroutine that operations have left, which panics. The type is verified, in the scope asked for without extra ones, with clients in which no call begins that could itself panic, by the type's own code run by one thread, or could let a call in progress panic. " +
		"What comes of that is the verdict, and what other clients do stands among the assumptions; if nothing comes of it, or no operation of the violation has returned, the violation stays. With -contracts=false nothing is asked.",
	When: func(c Case) bool {
		v := c.Verdict.Violation
		return v != nil && v.Execution != nil && c.Property == verdict.Linear && c.Reading.itself() && !c.Reading.terms.Strict && !c.Reading.Overrides.Careful && leftPanics(v)
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) > 0 {
			return Question{}, false
		}
		v := c.Verdict.Violation
		r, err := c.Reading.found("careful", func() (*find.Target, error) { return c.Reading.Target.Careful(c.ctx) })
		if err != nil {
			return Question{}, false
		}
		r = r.quietly(fmt.Sprintf("no call begins that could panic if one thread made all calls, or could let one in progress panic; without this restriction a goroutine panics: %s", v.Client))
		u := c.excusing(r)
		if c.holds(u[0].Plain().Bounds) {
			u = u[:1]
		}
		q := Question{Reading: r, Scope: u[:min(2, len(u))], Property: c.Property}
		q.States = mostCareful
		return q, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) > 0 && so[0].Err == nil && so[0].Verdict.Status != verdict.Unknown && c.excused(&so[0]) && reaches(c.Verdict.Violation, &so[0].Verdict) {
			c.accept(so[0])
		}
		return c
	},
}

// mostCareful limits the states of the question: the violation is known.
const mostCareful = 1 << 11

// leftPanics reports whether the thread that panics is none that makes calls. Clients of compiled code cannot be restricted so.
func leftPanics(v *verdict.Violation) bool {
	crash := v.Execution.Crash
	return v.Class == "panic" && crash != nil && v.Execution.Schedule.Compiled == nil && !slices.ContainsFunc(v.Execution.History, func(e verdict.Event) bool { return e.Thread == crash.Thread })
}

// reaches reports whether a verdict is of clients in which some operation of a violation has returned: else those that leave the goroutine are
// among the calls that are left out.
func reaches(violation *verdict.Violation, v *verdict.Verdict) bool {
	return v.Status == verdict.Violated || slices.ContainsFunc(v.Returns, func(r verdict.Returns) bool {
		return len(r.Results) > 0 && !r.Never && callsOf(violation.Execution, r.Operation) > 0
	})
}
