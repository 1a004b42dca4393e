// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// InTurn asks whether calls are stuck, or refused, because others wait, as where calls are served in the order in which they came.
//
// Acquire(1) of golang.org/x/sync/semaphore waits behind Acquire(2), though one unit is free, so that Acquire(2) returns some day; and TryAcquire(1)
// is refused meanwhile. By its own code, run by one thread, both would take the unit at once: linearizability knows of no call that has
// begun to wait. With Overrides.InTurn the oracle also lets a call do what it does if it begins while the other one waits (oracle.TurnSpec). A call that would
// return if it began now, but was not woken, is a violation as before.
var InTurn = Rule{
	Name:    "in turn",
	Excuses: true,
	Doc: "A deadlock in which several calls of one operation wait, such as Acquire(1) behind Acquire(2), or results that come about only if calls wait for one another, such as TryAcquire(1) = false beside Acquire(2). The same scope is searched. " +
		"There, a call that by the type's own code would wait for ever if it began while another call of the same operation and for the same key waits may wait; and a call that would be refused (false, an error) while another call waits may be refused, if it changes nothing. What comes of that is the verdict, which says so. Sequential and quiescent consistency, which do not know of calls that wait, are verified if linearizability is. With -contracts=false nothing is asked.",
	When: func(c Case) bool {
		return byLinear(c.Property) && c.Reading.itself() && !c.Reading.terms.Strict && !c.Reading.Overrides.InTurn && !c.Reading.derived("in turn") && (waitTogether(c.Verdict.Violation) || metOnly(&c.Verdict))
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) > 0 {
			return Question{}, false
		}
		r, err := c.Reading.found("in turn", func() (*find.Target, error) { return c.Reading.Target.InTurn(c.ctx) })
		if err != nil {
			return Question{}, false
		}
		r = r.quietly("a call may meet another one that waits: it may wait in turn behind one of the same operation that wants the same, or be refused while that one waits, if it changes nothing (-contracts=false: only what it does alone)")
		return Question{Reading: r, Scope: c.excusing(r), Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		switch {
		case len(so) == 0 || so[0].Err != nil:
		case c.Property != verdict.Linear:
			if so[0].Agrees() && c.excused(&so[0]) {
				c.accept(so[0])
			}
		case c.Verdict.Violation == nil && !metOnly(&so[0].Verdict), c.Verdict.Violation != nil && c.excused(&so[0]):
			c.accept(so[0])
		}
		return c
	},
}

// byLinear reports whether each type that is linearizable has the property.
func byLinear(p verdict.Property) bool {
	return p == verdict.Linear || p == verdict.Sequential || p == verdict.Quiescent
}

// implied decides about a property by linearizability, which implies it: the property's own monitor does not know of calls that wait in turn.
func (e Engines) implied(ctx context.Context, q Question) (verdict.Verdict, error) {
	p := q.Property
	q.Property = verdict.Linear
	v, err := e.Decide(ctx, q)
	v.Property = string(p)
	switch v.Status {
	case verdict.Verified:
		v.Assumptions = append(slices.Clip(v.Assumptions), "linearizability was searched, which implies "+string(p))
	case verdict.Violated:
		v.Status, v.Cause = verdict.Unknown, verdict.Unsupported
		v.Reason = fmt.Sprintf("it is not linearizable where calls wait in turn (%s), and whether it has a weaker property there is not known", v.Reason)
		v.Violation = nil
	}
	return v, err
}

// waitTogether reports whether several calls of one operation wait for ever in a deadlock.
func waitTogether(v *verdict.Violation) bool {
	if v == nil || v.Class != "deadlock" || v.Execution == nil {
		return false
	}
	waits := map[string]int{}
	for _, s := range v.Execution.Waiting {
		if waits[s.Operation] += max(1, s.Count); s.Waits && s.Operation != "" && waits[s.Operation] > 1 {
			return true
		}
	}
	return false
}

// metOnly reports whether a verdict is open because results come about only if calls meet others that wait.
func metOnly(v *verdict.Verdict) bool {
	return v.Status == verdict.Unknown && strings.Contains(v.Reason, subject.MetOnly)
}
