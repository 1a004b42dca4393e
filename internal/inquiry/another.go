// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/verdict"
)

// Another calls operations that take a collection of their own type, a.Merge(b), on two of them.
//
// A verdict is about one collection, so such an operation is none of it. Two of them show what goes wrong between them: that a.Merge(b) and b.Merge(a)
// wait for each other's lock, that Merge reads b without its lock. Whether Merge is one step of both is not asked of a type: one that takes a copy of b
// first and adds its elements to a then is rarely meant to be, so a history that no order explains is said, and is no violation.
var Another = Rule{
	Name: "another one",
	Doc: "A type that is verified, with operations that take a collection of their own type, a.Merge(b), which are left out of it. Two collections are made; each call is on one of them, and Merge " +
		"is given the other one. A deadlock, a race, a panic or an endless execution of two threads makes the type violated; results that no order explains are said. If nothing is wrong the operation is no more among those that are left out.",
	When: func(c Case) bool {
		o := &c.Reading.Overrides
		return c.Verdict.Status == verdict.Verified && c.Property == verdict.Linear && len(o.Given) == 0 && len(o.Ops) == 0 && o.Oracle.IsAuto() && !c.Reading.terms.Strict && len(takesAnother(c)) > 0
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		names := takesAnother(c)
		if len(so) == min(len(names), mostOthers) {
			return Question{}, false
		}
		r, err := c.Reading.found("another for "+names[len(so)], func() (*find.Target, error) { return c.Reading.Target.WithAnother(c.ctx, names[len(so)]) })
		if err != nil {
			return Question{}, false
		}
		b := r.bounds
		b.Config = anotherScope
		u, err := b.Scopes(r.Ops)
		return Question{Reading: r, Scope: u.Asked(), Property: c.Property, Limit: Limit{States: mostForTwo}}, err == nil
	},
	Conclude: func(c Case, so []Answer) Case {
		names := takesAnother(c)
		for i := range so {
			v := &so[i].Verdict
			var said string
			switch {
			case v.Violation != nil && v.Violation.Class != "history":
				c.Answer, c.Facts, c.One = so[i], nil, nil
				return c
			case v.Violation != nil:
				said = fmt.Sprintf("%s, given another %s, is no single step of both: two of them show a history that no order explains (Request.Give '%[1]s=%[3]s', Request.Kind object)", names[i], c.Reading.Found.Type, collection.Another)
			case so[i].Agrees():
				said = fmt.Sprintf("%s is given another %s in clients of two of them, in %s", names[i], c.Reading.Found.Type, anotherScope)
				c.Verdict.LeftOut = slices.DeleteFunc(slices.Clone(c.Verdict.LeftOut), func(l verdict.LeftOut) bool { return l.Operation == names[i] })
			default:
				continue
			}
			c.Verdict.Assumptions = append(slices.Clone(c.Verdict.Assumptions), said)
		}
		return c
	},
}

// Two threads with three calls in all show two collections that wait for each other, and one that is read while it changes. Each of mostOthers operations
// may take mostForTwo states.
const (
	anotherScope = "2x3"
	mostOthers   = 4
	mostForTwo   = 1 << 16
)

// takesAnother lists the methods that are no operations because they take a collection of their own type.
func takesAnother(c Case) (names []string) {
	bare, _, _ := strings.Cut(c.Reading.Found.Type, "[")
	for _, s := range c.Reading.Found.Skipped {
		if s.Why == collection.TakesAnother(bare) {
			names = append(names, s.Name)
		}
	}
	return names
}
