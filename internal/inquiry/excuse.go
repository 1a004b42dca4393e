// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"context"
	"fmt"
	"slices"

	"pangolin/internal/engine"
	"pangolin/verdict"
)

// A rule that excuses a violation, such as Paired, asks about the same type under a restriction. That nothing is wrong then excuses the violation
// only if clients as large as its own were searched: a waiter that is not woken shows with three threads and four calls, and the answer for three
// calls says nothing about it.

// excusing returns the scopes of a reading for such a question. If the first one has no clients as large as that of the violation, the one that has is
// searched next.
func (c *Case) excusing(r *Reading) engine.Union {
	if c.Verdict.Violation == nil {
		return r.Scopes
	}
	at := slices.IndexFunc(r.Scopes, func(s engine.Scope) bool { return c.holds(s.Plain().Bounds) })
	if at <= 0 {
		return r.Scopes
	}
	next := r.Scopes[at]
	next.Extra, next.Dear, next.Longer = false, false, true
	u := slices.Delete(slices.Clone(r.Scopes), at, at+1)
	return slices.Insert(u, 1, next)
}

// excused reports whether what an answer says excuses the violation. Another violation and an unknown do; the rule decides whether it takes them.
func (c *Case) excused(a *Answer) bool {
	v := &a.Verdict
	if v.Status != verdict.Verified || v.Scope.Bounds == nil {
		return true
	}
	return c.holds(v.Scope.Bounds) || slices.ContainsFunc(v.Scope.And, func(b verdict.Bounds) bool { return c.holds(&b) })
}

// holds reports whether a scope has clients with as many threads and calls as the violation's. Pre-adds do not count, because a restriction may
// leave none. A scope with any number of calls has few keys and items, so it holds what was found there alone: what no other part of the verdict's scope
// holds.
func (c *Case) holds(b *verdict.Bounds) bool {
	if b.Threads[1] < busy(*c) {
		return false
	}
	if b.Endless {
		in := c.Verdict.Scope
		return in.Bounds == nil || in.Endless || !slices.ContainsFunc(append(slices.Clone(in.And), *in.Bounds), func(o verdict.Bounds) bool { return !o.Endless && c.holds(&o) })
	}
	return b.Steps[1] >= len(c.Verdict.Violation.Execution.History)
}

// unproved is the index of the answer that an engine which proves has left open, and for which a violation stands that a rule could have excused; -1: there is none.
func unproved(c Case, r *Rule, so []Answer, was *verdict.Violation) int {
	if !r.Excuses || was == nil || c.Verdict.Violation != was || !c.Reading.terms.proves() {
		return -1
	}
	return slices.IndexFunc(so, func(one Answer) bool { return one.Err == nil && one.Verdict.Status == verdict.Unknown })
}

// search asks the usual engine what one that proves has left open. A violation is the verdict; what is verified leaves the case open, with the scope in its reason. It returns the answer that stands for the rule's.
func (a *asking) search(ctx context.Context, r Rule, c Case, open Answer) (Case, Answer, error) {
	r.Ask = once(func(Case) Question {
		q := open.Question
		q.Limit = Limit{Usual: true, States: besideStates}
		return q
	})
	so, err := a.answers(ctx, &r, c)
	if err != nil || len(so) == 0 || so[0].Err != nil {
		return c, open, err
	}
	switch v := &so[0].Verdict; {
	case v.Status == verdict.Violated:
		c.accept(so[0])
	case v.Status == verdict.Verified && c.excused(&so[0]):
		open.Verdict.Reason += "; verified in " + v.Scope.Name()
		c.accept(open)
	default:
		return c, so[0], nil
	}
	return c, open, nil
}

// unasked says beside a violation that the time was up before a rule was asked which could have excused it.
func unasked(c Case, r *Rule, late bool) Case {
	if !late || !r.Excuses || c.Verdict.Violation == nil || !r.When(c) {
		return c
	}
	return advise(c, nil, fmt.Sprintf("the time was up before the rule %q was asked, by which it may be right (doc/inquiry.md)", r.Name))
}

// undecided says beside a violation that a rule which could have excused it has not decided its question.
func undecided(c Case, r *Rule, so []Answer, was *verdict.Violation) Case {
	if !r.Excuses || was == nil || c.Verdict.Violation != was {
		return c
	}
	for i := range so {
		askedAgain := i+1 < len(so) && unsettled(&so[i]) && so[i+1].Reading.Overrides.AnyWait
		if so[i].Err == nil && so[i].Verdict.Status == verdict.Unknown && !askedAgain {
			return advise(c, nil, fmt.Sprintf("the rule %q, by which it may be right, has not decided: %s (doc/inquiry.md)", r.Name, so[i].Verdict.Reason))
		}
	}
	return c
}
