// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/verdict"
)

// What can be asked of collections that have been found, besides being verified once.

// Collections says what was found.
func (p *Prepared) Collections() []verdict.Collection {
	var out []verdict.Collection
	for _, t := range p.targets {
		out = append(out, t.Describe())
	}
	return out
}

// Missed are the verdicts on what the request names, and what is not among the collections: types that cannot be taken, packages
// with errors, patterns that match nothing.
func (p *Prepared) Missed() (out []verdict.Verdict) {
	r := p.request
	r.Events = Events{}
	return r.tellMissed(p.missed)
}

// failed is what could not be found, for those who do not look at Missed.
func (p *Prepared) failed() error {
	return find.Joined(p.missed, find.Mistake, find.NotLoaded)
}

// Jobs compiles the collections, as far as they are not compiled yet, and gives what engines are
// asked about each of them, in the first of its scopes. The error says which are missing.
func (p *Prepared) Jobs(ctx context.Context) ([]*engine.Job, error) {
	var jobs []*engine.Job
	var errs []error
	for _, t := range p.targets {
		j, err := t.only(ctx)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", t.Name(), err))
			continue
		}
		jobs = append(jobs, j)
	}
	return jobs, errors.Join(errs...)
}

// only is the job of a collection with one scope.
func (t *target) only(ctx context.Context) (*engine.Job, error) {
	if u := t.task.Inquiry().Reading().Scopes; len(u) > 1 {
		return nil, fmt.Errorf("a transition system has one scope: %s are several (Request.Scope.Config)", u.Plain().Name())
	}
	q, err := t.task.Inquiry().Alone(ctx, t.engines())
	if err != nil {
		return nil, err
	}
	return q.Job(ctx)
}

// Verify verifies all collections, searching as s says; the bound on preemptions and fairness
// are the request's if s leaves them open. It is like the function Verify otherwise.
func (p *Prepared) Verify(ctx context.Context, s Search) ([]verdict.Verdict, error) {
	r := p.request
	r.Search = s
	r.Search.Preempt = cmp.Or(s.Preempt, p.request.Search.Preempt)
	r.Search.Unfair = cmp.Or(s.Unfair, p.request.Search.Unfair)
	for i, t := range p.targets {
		other, err := t.under(&r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name(), err)
		}
		p.targets[i] = other
	}
	list, err := p.verify(ctx, func(*target) {}, func([]*target, error) []verdict.Verdict { return nil })
	return list, errors.Join(p.failed(), err)
}
