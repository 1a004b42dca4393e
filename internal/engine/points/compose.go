// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/verdict"
)

// Compose checks a policy as R. Colvin's paper on model checking nonblocking algorithms with SPIN does: the code together with a
// concurrent specification, whose threads invoke, take effect in one step and return. The announcements tell which steps of the
// specification go together with a step of the code; these may be several, and those of other threads. It is an error if the
// specification cannot make such a step.
//
// If only later steps show whether a step was the point, an intermediate system replaces the specification: a call without an effect
// may take effect again and again, and returns what one of these steps gave; for an outcome that is not announced (Subject.Keyed) every
// moment is such a step. That the intermediate system is linearizable is checked as well, within the scope. The paper would go through
// its states backwards; here a deterministic monitor of linearizability goes along.
//
// At first every outcome must be announced; if the policy does not do that, outcomes with a key are excused.
func Compose(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Composition, error) {
	out := verdict.Composition{Type: "composition", Subject: j.About(), Scope: j.Scope.Plain(), Schema: verdict.Schema,
		Helped: []verdict.Help{}, Candidates: []verdict.OutcomeOf{}, Anywhere: []verdict.OutcomeOf{}}
	if len(j.Subject.Rules) == 0 {
		return out, fmt.Errorf("no directive %s says when an operation of %s takes effect: write them, or let points -write do it", "//pangolin:point", out.Collection)
	}
	composed, excused, err := steps(ctx, j, ev, &out)
	if err != nil || out.Verdict.Status != verdict.Verified {
		return out, err
	}
	describe(j, composed, &out)
	if excused {
		out.Anywhere = anywhere(j)
		out.Candidates = slices.DeleteFunc(out.Candidates, func(o verdict.OutcomeOf) bool { return slices.Contains(out.Anywhere, o) })
	}
	if len(out.Candidates)+len(out.Anywhere) > 0 {
		out.Intermediate, err = intermediate(ctx, j, excused)
	}
	return out, err
}

// steps checks the policy, first without excuses. It returns what it saw, and whether excuses were needed.
func steps(ctx context.Context, j *engine.Job, ev engine.Events, out *verdict.Composition) (*bounded.Composed, bool, error) {
	for _, excused := range []bool{false, true} {
		composed := bounded.NewComposed()
		job, s := *j, *j.Subject
		s.Unexcused = !excused
		job.Subject = &s
		e := Engine()
		e.Run = func(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Verdict, error) {
			opt, err := options(j)
			if err != nil {
				return verdict.Verdict{}, err
			}
			opt.Composed = composed
			return bounded.Decide(ctx, opt, ev)
		}
		v, err := e.Decide(ctx, &job, ev)
		if err != nil {
			return nil, false, err
		}
		out.Verdict = v
		if v.Status != verdict.Violated || v.Violation.Class != string(bounded.Point) || !slices.Contains(j.Subject.Keyed(), true) {
			return composed, excused, nil
		}
	}
	return nil, true, nil
}

// describe records what was seen in the composed system.
func describe(j *engine.Job, c *bounded.Composed, out *verdict.Composition) {
	name := func(op int) string { return j.Subject.Operations[op].Name }
	out.Most = c.Most
	for h := range c.Helped {
		out.Helped = append(out.Helped, verdict.Help{Operation: name(h.Operation), In: name(h.In)})
	}
	slices.SortFunc(out.Helped, func(a, b verdict.Help) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.In, b.In))
	})
	out.Synchronous = out.Most <= 1 && len(out.Helped) == 0
	for _, o := range c.Candidates {
		if c.Perhaps[o.Op] { // then all its outcomes are candidates
			continue
		}
		out.Candidates = append(out.Candidates, verdict.OutcomeOf{Operation: name(o.Op), Outcome: text(o.Result)})
	}
	for op := range c.Perhaps {
		out.Candidates = append(out.Candidates, verdict.OutcomeOf{Operation: name(op)})
	}
	out.Candidates = sorted(out.Candidates)
}

func sorted(list []verdict.OutcomeOf) []verdict.OutcomeOf {
	slices.SortFunc(list, func(a, b verdict.OutcomeOf) int { return cmp.Compare(a.String(), b.String()) })
	return slices.Compact(list)
}
