// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"

	"pangolin/internal/find"
	"pangolin/verdict"
)

// Paired asks whether a violation is one of a call that ends what nobody has begun.
//
// Unlock(name) of a lock for each name, while another thread is about to return from Lock(name), is a misuse that shows as a fatal error. So the
// type is verified again with Unlock for those threads only that have called Lock, with the same arguments; the verdict says so, and what other
// uses do. A violation that does not need such a use is found in this way as well, and takes the place of the first.
var Paired = Rule{
	Name:    "paired",
	Excuses: true,
	Doc: "A violation with a call that ends something: Unlock(name) beside Lock(name), Done() beside Add(). The type is verified with such calls by the thread that has begun it only, with the same arguments. " +
		"What comes of that is the verdict, and what the other use does stands among the assumptions; if nothing comes of it, the violation stays. With -contracts=false, or if -ops names the operations, nothing is asked.",
	When: func(c Case) bool {
		v := c.Verdict.Violation
		return v != nil && v.Execution != nil && c.Reading.itself() && !c.Reading.terms.Strict && slices.ContainsFunc(c.Reading.Found.Ends, func(name string) bool { return callsOf(v.Execution, name) > 0 })
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) > 0 {
			return Question{}, false
		}
		v := c.Verdict.Violation
		r, err := c.Reading.found("paired", func() (*find.Target, error) { return c.Reading.Target.Paired(c.ctx) })
		if err != nil {
			return Question{}, false
		}
		r = r.quietly(fmt.Sprintf("a use that ends what was not begun: %s, %s", v.Class, v.Client))
		return Question{Reading: r, Scope: c.excusing(r), Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) > 0 && so[0].Err == nil && so[0].Verdict.Status != verdict.Unknown && c.excused(&so[0]) {
			c.accept(so[0])
		}
		return c
	},
}
