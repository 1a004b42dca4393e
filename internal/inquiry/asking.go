// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"pangolin/internal/find"
	"pangolin/verdict"
)

// asking collects the questions and answers on the way to one verdict.
type asking struct {
	engine Engine
	left   uint64 // states that may still be searched for questions that the user did not ask
	note   func(string)
	asked  []verdict.Asked
	by     string // the rule whose Within rules are being applied; "": none
}

// run applies the rules in order. The case's own question is asked when a rule first needs its answer, or behind the last rule.
func (a *asking) run(ctx context.Context, c Case, rules []Rule) (Case, error) {
	for k := range rules {
		if !rules[k].Before && c.open() {
			if err := a.itself(ctx, &c); err != nil {
				return c, err
			}
		}
		var err error
		if c, err = a.apply(ctx, c, rules[k:k+1]); err != nil {
			return c, err
		}
	}
	if c.open() {
		return c, a.itself(ctx, &c)
	}
	return c, nil
}

// itself asks the case's own question, unlike those that rules ask on its behalf.
func (a *asking) itself(ctx context.Context, c *Case) error {
	v, err := a.engine.Decide(ctx, c.Question)
	c.Verdict, c.Err = v, err
	a.record(cmp.Or(a.by, Itself), &c.Answer)
	c.tellSmall()
	return err
}

// Itself is the value of verdict.Asked.Rule for the case's own question, which no rule asked.
const Itself = "the question"

// apply applies the rules in order without asking the case's own question.
func (a *asking) apply(ctx context.Context, c Case, rules []Rule) (Case, error) {
	for k := range rules {
		r := &rules[k]
		c.ctx = ctx
		if c.Facts == nil {
			var err error
			if c.Facts, err = a.engine.Facts(ctx, c.Reading); err != nil {
				return c, err
			}
		}
		if late := ctx.Err() != nil && r.Ask != nil; late || !r.When(c) { // what a rule concludes without a question takes no time
			c = unasked(c, r, late)
			continue
		}
		so, err := a.answers(ctx, r, c)
		if err != nil && (c.open() || !errors.Is(ctx.Err(), context.DeadlineExceeded)) { // else there is a verdict, and the time was up before another question was answered
			return c, err
		}
		was, violation := c.Reading, c.Verdict.Violation
		c = r.Conclude(c, so)
		if i := unproved(c, r, so, violation); i >= 0 {
			if c, so[i], err = a.search(ctx, *r, c, so[i]); err != nil {
				return c, err
			}
		}
		if c = undecided(c, r, so, violation); c.Reading != was {
			a.took(c.Reading)
		}
	}
	return c, nil
}

// answers asks the questions of one rule until it has no more, and returns the answers in the order of the questions. A question that
// fails is an answer with Err; the returned error is that of a cancelled context.
func (a *asking) answers(ctx context.Context, r *Rule, c Case) (so []Answer, err error) {
	for r.Ask != nil {
		q, more := r.Ask(c, so)
		if !more {
			break
		}
		one := Answer{Question: q}
		switch {
		case len(r.Within) > 0:
			a.by = r.Name
			inner, failed := a.run(ctx, Case{Answer: one}, r.Within)
			one.Question, one.Verdict, one.Err, a.by = inner.Question, inner.Verdict, failed, ""
		case q.States > 0 && a.left == 0:
			one.Err = fmt.Errorf("the budget of %d states for what nobody asked for is spent", budget)
			a.record(r.Name, &one)
		default:
			if q.States > 0 {
				one.Question.States = min(q.States, a.left)
			}
			one.Verdict, one.Err = a.engine.Decide(ctx, one.Question)
			if q.States > 0 {
				a.left -= min(a.left, one.Verdict.Searched())
			}
			a.record(r.Name, &one)
		}
		so = append(so, one)
		if one.Err != nil && ctx.Err() != nil {
			return so, one.Err
		}
	}
	return so, nil
}

// record appends a question and its answer to the list that the verdict will show (verdict.Asked).
func (a *asking) record(rule string, one *Answer) {
	f, v := one.Reading.Found, &one.Verdict
	q := verdict.Asked{Rule: rule, Kind: string(f.Kind), Protocol: f.Protocol.String(), Oracle: f.Oracle.String(), Property: string(one.Property),
		Scope: one.Scope.Plain().Name(), OneThread: one.OneThread, Roles: one.Reading.roles, Waits: one.Reading.Overrides.Waits, Limit: one.States,
		Status: v.Status, States: v.Searched(), Seconds: v.Seconds}
	if v.Status != "" {
		q.Scope = v.Scope.Name()
	}
	switch {
	case one.Err != nil:
		q.Why = one.Err.Error()
	case v.Violation != nil:
		q.Class, q.Why = v.Violation.Class, v.Violation.Client
	default:
		q.Why = v.Reason
	}
	a.asked = append(a.asked, q)
}

// took writes the reason for another reading beside the question whose answer led to it, and tells the user if the reason is
// news.
func (a *asking) took(r *Reading) {
	why := r.why()
	if n := len(a.asked); n > 0 && why != "" {
		a.asked[n-1].Took = why
	}
	if r.told && a.note != nil {
		a.note(why)
	}
}

// first returns the rules that settle what the type is, before any property is asked for; later returns the others.
func first(rules []Rule) (list []Rule) {
	for _, r := range rules {
		if r.First {
			list = append(list, r)
		}
	}
	return list
}

func later(rules []Rule) (list []Rule) {
	for _, r := range rules {
		if !r.First {
			list = append(list, r)
		}
	}
	return list
}

// Alone returns the question about linearizability for callers that apply no later rules, such as mutation: the type is settled, and
// one thread has been asked whether operations wait.
func (i *Inquiry) Alone(ctx context.Context, e Engine) (Question, error) {
	waits := Stuck
	waits.When = func(c Case) bool { return mayWait(c.Reading) }
	err := i.settle(ctx, e, append(first(i.rules), waits, Waits))
	return i.question(), err
}

// Held returns the question about a type whose guessed kind was compared with what one thread sees, even if the method names leave no
// doubt. It is for callers that judge variants of the type's code, which need the right oracle first.
func (i *Inquiry) Held(ctx context.Context, e Engine) (Question, error) {
	always := OneThread
	always.When = func(c Case) bool { return c.Reading.Guessed() }
	err := i.settle(ctx, e, []Rule{always, Waits, Capacity, Kind, ByItself})
	return i.question(), err
}

// Meant asks for a property as Verdict does. If it is verified, Meant returns the type as it is read there, with the roles of its operations and the reasons why it is not read as it was first.
// It is for callers that judge variants of the type's code, and for which the question that Held gives is violated.
func (i *Inquiry) Meant(ctx context.Context, p verdict.Property, e Engine) (found *find.Target, roles string, because []string, err error) {
	c, _, err := i.lead(ctx, p, e)
	if err != nil || c.Verdict.Status != verdict.Verified {
		return nil, "", nil, err
	}
	return c.Reading.Target, c.Reading.roles, c.Reading.Because, nil
}

// question is the user's question about linearizability.
func (i *Inquiry) question() Question {
	r := i.Reading()
	return Question{Reading: r, Scope: r.Scopes, Property: verdict.Linear}
}
