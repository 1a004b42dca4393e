// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"

	"pangolin/verdict"
)

// WeakerProperty asks whether a type that is not linearizable is sequentially or quiescently consistent.
var WeakerProperty = Rule{
	Name: "weaker property",
	Doc:  "The type is not linearizable: no order of the calls, with each call before those that began after its return, explains the results. Is the type sequentially or quiescently consistent?",
	When: func(c Case) bool {
		return wrong(c) && c.Property == verdict.Linear && c.Verdict.Violation.Execution.Class == "history" && !c.Reading.terms.Property
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		if holds(so) || len(so) == len(weaker) {
			return Question{}, false
		}
		return less(c, so, claim{reading: c.Reading, property: weaker[len(so)]})
	},
	Conclude: func(c Case, so []Answer) Case {
		if !holds(so) {
			return advise(c, so, "")
		}
		return advise(c, so, fmt.Sprintf("holds with Request.Property %s, in this scope", so[len(so)-1].Property))
	},
}

var weaker = verdict.OfHistories()[1:]
