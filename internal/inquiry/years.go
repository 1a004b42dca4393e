// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"pangolin/internal/engine"
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
	Doc: "A type that reads the clock is verified, where the clock goes on at any moment, or stands still. It is asked again, by its own code as the oracle, in D and in 2x5, with one value and one more operation, " +
		"year-passes, by which the clock goes on by a year; no other call is in progress then; and in 2x4 with two values, if operations are given any. A violation then is the verdict; otherwise the verdict says where this was judged as well, or that it was not.",
	When: func(c Case) bool {
		v := &c.Verdict
		return v.Status == verdict.Verified && c.mayPass() && (slices.Contains(v.Assumptions, subject.ClockJumps) || slices.Contains(v.Assumptions, subject.ClockStands))
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		asked := slices.Concat(c.yearlyFirst(), so)
		if slices.ContainsFunc(asked, func(a Answer) bool { return a.Verdict.Violation != nil }) {
			return Question{}, false
		}
		return c.yearsQuestion(len(asked))
	},
	Conclude: func(c Case, so []Answer) Case {
		var right []string
		for _, a := range slices.Concat(c.yearlyFirst(), so) {
			switch v := &a.Verdict; {
			case a.Err == nil && v.Violation != nil:
				c.accept(a)
				return c
			case a.Agrees():
				right = append(right, a.Verdict.Scope.Name()+" with "+values(a.Verdict.Scope))
			}
		}
		text := "that the clock goes on by a year between two calls is not judged"
		if len(right) > 0 {
			text = "it is right, too, where the clock goes on by a year between two calls, for all who call it then, in " + strings.Join(right, ", in ")
		}
		c.Verdict.Assumptions = append(slices.Clone(c.Verdict.Assumptions), text)
		return c
	},
}

// firstYears asks the first question of Years, and no other.
func firstYears(c Case, so []Answer) (Question, bool) {
	if len(so) > 0 {
		return Question{}, false
	}
	return c.yearsQuestion(0)
}

// YearsFirst asks the first question of Years before the type's own one, which has some ten times as many states.
var YearsFirst = Rule{
	Name: "years first",
	Doc: "A type that its own code judges reads the clock. Where the clock may go on at any reading, each reading has two results, and the search of a cache with ten operations does not end. " +
		"So the question of years between calls is asked first, in D with one value. A violation is the verdict, unless a later rule excuses it.",
	Before: true,
	When: func(c Case) bool {
		return c.open() && c.Reading.usual && c.Reading.itself() && c.mayPass() && c.Facts.ReadsClock()
	},
	Ask: firstYears,
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 0 || so[0].Err != nil {
			return c
		}
		if c.Yearly = &so[0]; so[0].Verdict.Status == verdict.Violated {
			c.Answer, c.Facts = so[0], nil
		}
		return c
	},
}

// YearsOfKind asks the first question of Years where a kind's oracle has judged the type, before all operations are asked for.
var YearsOfKind = Rule{
	Name: "years before the whole type",
	Doc: "A type that reads the clock is verified by the oracle of its kind, for which the clock stands still, and the whole type is to be asked for. That may take more time than there is, where a goroutine of the type removes what has expired. " +
		"So the question of years between calls is asked before, in D with one value. A violation is the verdict.",
	When: func(c Case) bool {
		return c.Verdict.Status == verdict.Verified && !c.Reading.itself() && c.Yearly == nil && c.mayPass() && hasMore(c) && slices.Contains(c.Verdict.Assumptions, subject.ClockStands)
	},
	Ask: firstYears,
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 0 || so[0].Err != nil {
			return c
		}
		if v := &so[0].Verdict; v.Violation != nil {
			return c.wrong(so[0], fmt.Sprintf("holds while the clock stands still, by the oracle %s%s", c.Reading.Found.Oracle, elsewhere(&c.Verdict, v)))
		}
		c.Yearly = &so[0]
		return c
	},
}

// YearsInstead takes the answer of YearsFirst where the type's own question has reached a limit.
var YearsInstead = Rule{
	Name: "years instead",
	Doc:  "The question in which the clock may go on at any reading has reached a limit, and that of years between calls is verified in D with one value. That is the verdict, which says that the clock goes on between calls only.",
	When: func(c Case) bool {
		return c.Verdict.Status == verdict.Unknown && c.Verdict.Cause == verdict.Limited && c.Yearly != nil && c.Yearly.Agrees()
	},
	Conclude: func(c Case, _ []Answer) Case { return c.instead(c.Verdict.Reason) },
}

// instead is the case with the answer of YearsFirst, since the type's own question was not answered.
func (c Case) instead(why string) Case {
	c.accept(*c.Yearly)
	c.Verdict.Assumptions = append(slices.Clone(c.Verdict.Assumptions), "where the clock goes on at any reading, it is not judged: "+why)
	return c
}

// mayPass reports whether the clock may go on between calls: linearizability is asked for, the type's own code may judge it, and no other clock is chosen.
func (c *Case) mayPass() bool {
	o := &c.Reading.Overrides
	return c.Property == verdict.Linear && (o.Oracle.IsAuto() || o.Oracle.IsSelf()) && o.Clock == "" && !c.Reading.terms.Strict
}

// yearlyFirst is the answer of YearsFirst, if it was asked.
func (c *Case) yearlyFirst() []Answer {
	if c.Yearly == nil {
		return nil
	}
	return []Answer{*c.Yearly}
}

// yearsQuestion is the k-th question about years; false: there is none.
func (c *Case) yearsQuestion(k int) (Question, bool) {
	r, err := c.Reading.yearly(*c)
	if err != nil {
		return Question{}, false
	}
	list, err := r.yearScopes()
	if err != nil || k >= len(list) {
		return Question{}, false
	}
	return Question{Reading: r, Scope: list[k], Property: c.Property, Limit: Limit{States: mostVaried}}, true
}

// yearScopes are the scopes in which Years searches, within the user's bounds. A cache is filled, its entry expires, one Get begins to remove it, and the entry is made anew and read: that
// is five calls of two threads. A second value shows more where it is the name of an owner: a lease expires, and two others take it.
func (r *Reading) yearScopes() (list []engine.Union, err error) {
	valued := false
	for i := range r.Ops.List {
		valued = valued || len(r.Ops.List[i].Params) > 0
	}
	for _, s := range []struct {
		config string
		values int
	}{{"D", 1}, {"2x5", 1}, {"2x4", 2}} {
		u, err := r.within(s.config, s.values)
		if err != nil {
			return nil, err
		}
		if (s.values == 1 || valued) && !slices.ContainsFunc(list, func(o engine.Union) bool { return reflect.DeepEqual(o, u) }) {
			list = append(list, u)
		}
	}
	return list, nil
}

// values says how many values the clients of a scope use.
func values(s verdict.Scope) string {
	if s.Bounds == nil || s.Values == 1 {
		return "one value"
	}
	return fmt.Sprintf("%d values", s.Values)
}

// yearly is the reading of the whole type, judged by its own code, with an operation by which the clock goes on.
func (r *Reading) yearly(c Case) (*Reading, error) {
	if !r.itself() {
		own, err := r.whole(c)
		if err != nil {
			return nil, err
		}
		r = own
	}
	return r.found("years", func() (*find.Target, error) { return r.Target.Yearly(c.ctx) })
}
