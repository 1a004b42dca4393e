// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Years lets the clock go on between calls, at moments that the code and its oracle have in common.
//
// Where the clock may go on at any reading, it may do so in the order that explains a result as well, where in the execution it stood still: a cache of which a
// Get removes what was put anew, because it looked at the old entry's time without the lock, gives what another order gives in which all had expired. Here
// the year passes in an operation of its own, beside which there is no other call. What began behind it sees the later time, there and here, and what ended before it the earlier one.
var Years = Rule{
	Name: "years between calls",
	Doc: "A type that reads the clock is verified, where the clock goes on at any moment, or stands still. It is asked again, by its own code as the oracle, in D, and in 2x5 with one value, with one more operation, " +
		"YearPasses, by which the clock goes on by a year; no other call is in progress then. A violation then is the verdict; otherwise the verdict says that this was judged as well, or was not.",
	When: func(c Case) bool {
		v := &c.Verdict
		o := &c.Reading.Overrides
		return v.Status == verdict.Verified && c.Property == verdict.Linear && (o.Oracle.IsAuto() || o.Oracle.IsSelf()) && o.Clock == "" && !c.Reading.terms.Strict &&
			(slices.Contains(v.Assumptions, subject.ClockJumps) || slices.Contains(v.Assumptions, subject.ClockStands))
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) >= len(yearly) || slices.ContainsFunc(so, func(a Answer) bool { return a.Verdict.Violation != nil }) {
			return Question{}, false
		}
		r, err := c.Reading.yearly(c)
		if err != nil {
			return Question{}, false
		}
		b := r.bounds
		b.Config = yearly[len(so)]
		if b.Config == longerYears {
			b.Values = 1
		}
		scope, err := b.Scopes(r.Ops)
		return Question{Reading: r, Scope: scope.Asked(), Property: c.Property, Limit: Limit{States: mostVaried}}, err == nil
	},
	Conclude: func(c Case, so []Answer) Case {
		var right []string
		for i := range so {
			switch v := &so[i].Verdict; {
			case so[i].Err == nil && v.Violation != nil:
				c.Answer, c.Facts, c.One = so[i], nil, nil
				return c
			case so[i].Err == nil && v.Status == verdict.Verified:
				right = append(right, yearly[i])
			}
		}
		text := "that the clock goes on by a year between two calls is not judged"
		if len(right) > 0 {
			text = "it is right, too, where the clock goes on by a year between two calls, for all who call it then, in " + strings.Join(right, " and in ")
		}
		c.Verdict.Assumptions = append(slices.Clone(c.Verdict.Assumptions), text)
		return c
	},
}

// yearly are the configurations that Years asks about; longerYears has one value only. A cache is filled, expires, and is filled and read beside a late one: five
// calls of two threads.
var yearly = []string{"D", longerYears}

const longerYears = "2x5"

// yearly is the reading of the whole type, judged by its own code, with an operation by which the clock goes on.
func (r *Reading) yearly(c Case) (*Reading, error) {
	if !r.itself() {
		own, err := r.whole(c)
		if err != nil {
			return nil, err
		}
		r = own
	}
	roles := collection.YearPasses + ":alone"
	if r.roles != "" {
		roles = r.roles + "," + roles
	}
	return r.other("years", roles, func() (*find.Target, error) { return r.Target.Yearly(c.ctx) })
}
