// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"

	"pangolin/internal/find"
	"pangolin/verdict"
)

// Telling makes the type with functions that tell their arguments apart and refuse some.
//
// A constructor that is given a function, New(load func(key string) (int, error)), is given one first that gives the same value each time
// and no error. A cache that forgets to unlock behind an error, or gives one key's value for another, is right with it.
var Telling = Rule{
	Name: "functions that refuse",
	Doc: "A type that is verified, whose constructor is given functions that give values, New(load func(key string) (int, error)). Those that were made up give the same value each time and refuse nothing. " +
		"It is asked once more with functions that tell their arguments apart and refuse some: a violation then is the verdict, but for a panic behind a function that cannot refuse (an index must be one). Otherwise the verdict says what was made as well.",
	When: func(c Case) bool {
		return c.Verdict.Status == verdict.Verified && c.Reading.Found.Made.Telling != nil && c.Reading.Overrides.New == "" && c.Reading.Overrides.Prefix == ""
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		new := c.Reading.Found.Made.Telling.New
		r, err := c.Reading.found("made by "+new, func() (*find.Target, error) { return c.Reading.Target.Made(c.ctx, new) })
		if err != nil || len(so) > 0 {
			return Question{}, false
		}
		return Question{Reading: r, Scope: c.Question.Scope, Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 0 {
			return c
		}
		t, v := c.Reading.Found.Made.Telling, &so[0].Verdict
		assume := func(format string) {
			c.Verdict.Assumptions = append(slices.Clone(c.Verdict.Assumptions), fmt.Sprintf(format, t.New))
		}
		switch {
		case so[0].Err != nil, v.Violation != nil && !t.Refuses && v.Violation.Class == "panic", v.Violation != nil && !c.Reading.itself() && v.Violation.Class == "history":
			assume("functions that the constructor is given give one value and refuse nothing: %s is not judged")
		case v.Violation != nil:
			c.Answer, c.Facts, c.One = so[0], nil, nil
		case v.Status == verdict.Verified:
			assume("functions that the constructor is given give one value, or tell their arguments apart and refuse some: %s is right as well")
		default:
			assume("functions that the constructor is given give one value and refuse nothing: %s was not searched to the end")
		}
		return c
	},
}
