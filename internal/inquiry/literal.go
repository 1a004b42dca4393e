// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"pangolin/internal/find"
	"pangolin/verdict"
)

// Literal gives operations that did nothing with strings that are made up those that test files give them.
var Literal = Rule{
	Name: "strings of the tests",
	Doc: "No result shows that anything was done (every call was refused), and the package's test files give operations string literals, such as names of events. " +
		"The type is verified again with these as arguments. If something is done then, that is the verdict.",
	When: func(c Case) bool {
		return c.Verdict.Status == verdict.Verified && unreturned(c).Verdict.Cause == verdict.Vacuous && c.Reading.Overrides.Clues != nil
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) > 0 {
			return Question{}, false
		}
		r := c.about()
		l, err := r.found("literals", func() (*find.Target, error) { return r.Target.Literal(c.ctx) })
		if err != nil {
			return Question{}, false
		}
		return Question{Reading: l, Scope: l.Scopes, Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 0 || so[0].Err != nil || so[0].Verdict.Status == verdict.Unknown {
			return c
		}
		other := c
		other.Answer, other.Facts = so[0], nil
		if other.Verdict.Status == verdict.Verified && unreturned(other).Verdict.Cause == verdict.Vacuous {
			return c
		}
		return other
	},
}
