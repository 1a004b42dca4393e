// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"regexp"
	"slices"

	"pangolin/internal/collection"
	"pangolin/internal/find"
)

// ConcurrentArguments lets several threads call at once what was made up for an interface that the constructor is given.
//
// NewLogger(w io.Writer) makes a type that calls w. If it calls w behind its lock, as it should for a bytes.Buffer, nothing is wrong with a w of which one method is called at a time, and so it is made first. One that calls w
// without a lock may say that w must be safe for concurrent use: then it is right with such a w. Nobody but the author knows, so the verdict says which of the two it is about.
var ConcurrentArguments = Rule{
	Name:    "concurrent arguments",
	Excuses: true,
	Doc: "A data race of a type whose constructor is given an implementation of an interface that was made up, NewLogger(w io.Writer), or that the package has. Of the one that is made first no two methods may be called at the same time, and of that of the package nobody knows. The type is asked again with one whose methods may be, " +
		"and what comes of that is the verdict, which says so: a race that is left is the type's own.",
	When: func(c Case) bool {
		v := c.Verdict.Violation
		return v != nil && v.Class == "race" && v.Execution != nil && (len(c.Reading.Found.Made.StandIns) > 0 || c.Reading.Found.Made.Implemented) && !c.Reading.Overrides.ConcurrentArguments
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) > 0 {
			return Question{}, false
		}
		r, err := c.Reading.found("concurrent arguments", func() (*find.Target, error) { return c.Reading.Target.ConcurrentArguments(c.ctx) })
		if err != nil {
			return Question{}, false
		}
		if r.Found.New != c.Reading.Found.New {
			r = r.quietly(fmt.Sprintf("the verdict is about %s: with %s there is a %s", r.Found.New, c.Reading.Found.New, firstLine(c.Verdict.Violation.Summary)))
		}
		return Question{Reading: r, Scope: c.excusing(r), Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		switch {
		case len(so) == 0:
		case so[0].Err == nil && c.excused(&so[0]):
			c.accept(so[0])
		case so[0].Err != nil: // then it is not known whether the race is the type's own
			return c.vacuous(fmt.Sprintf("%s, with %s, where an implementation of an interface was made up of which no two methods may be called at once; with another one: %v", c.Verdict.Violation.Summary, c.Reading.Found.New, so[0].Err))
		}
		return c
	},
}

// MadeUp leaves a type undecided that is wrong with what was made up for an interface, when one thread is all there is.
//
// Of NewPoller(s Source), whose Poll calls s until there is something, nobody can say what a source does. One that never has anything lets Poll go on for ever.
// And NewCalls(ids IDs) may well need another number from each ids.Next(), of which the one that is made up gives the same each time.
var MadeUp = Rule{
	Name: "made up",
	Doc:  "A violation that is no data race, of a type whose constructor is given an implementation of an interface that was made up. If clients of one thread are wrong as well, or end in a call that does not return, the verdict is unknown: it is about the implementation, and users have another one. Likewise if it has a method such as Next() int, which gives the same at each call.",
	When: func(c Case) bool {
		v := c.Verdict.Violation
		return v != nil && v.Class != "race" && len(c.Reading.Found.Made.StandIns) > 0
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) > 0 {
			return Question{}, false
		}
		u, err := c.Reading.within(oneThreadScopes[0], 0)
		return Question{Reading: c.Reading, Scope: u, Property: c.Property, Limit: Limit{Usual: true, States: aloneStates}}, err == nil
	},
	Conclude: func(c Case, so []Answer) Case {
		alone := len(so) > 0 && so[0].Err == nil && so[0].Verdict.Violation != nil
		again := givesAgain(c.Reading.Found.Made.StandIns)
		switch {
		case alone:
			return c.vacuous(fmt.Sprintf("one thread shows with %s, where an implementation of an interface was made up: %s: give Request.New one of yours", c.Reading.Found.New, so[0].Verdict.Violation.Summary))
		case again != "":
			return c.vacuous(fmt.Sprintf("with %s, where an implementation of an interface was made up whose %s gives the same at each call: %s: give Request.New one of yours", c.Reading.Found.New, again, c.Verdict.Violation.Summary))
		}
		return c
	},
}

// another tells the names of methods that may give something else at each call: numbers of their own, the next of what there is.
var another = regexp.MustCompile(`(?i)^(next|new|gen|alloc|fresh|uniq|uuid|mint|seq|draw|pick|inc|reserve|create|make|open|insert)`)

// givesAgain is a method of a stand-in that gives the same value each time, and could give another one each time: it is given nothing, or has a name that says so; "" if there is none.
func givesAgain(list []*collection.Codec) string {
	for _, s := range list {
		for _, m := range s.Parts {
			if (len(m.Codec.Parts) == 0 || another.MatchString(m.Name)) && slices.ContainsFunc(m.Codec.Gives, func(r *collection.Codec) bool { return r.Shape != collection.AsFailure && r.Shape != collection.AsBool }) {
				return m.Name
			}
		}
	}
	return ""
}
