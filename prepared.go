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

// What can be done with collections that were found, besides verifying them once.

// Collections describes the collections that were found.
func (p *Prepared) Collections() []verdict.Collection {
	var out []verdict.Collection
	for _, t := range p.targets {
		out = append(out, t.Describe())
	}
	return out
}

// Missed lists the verdicts about what the request names and is no collection: types that cannot be verified, packages with errors,
// patterns that match nothing.
func (p *Prepared) Missed() (out []verdict.Verdict) {
	r := p.request
	r.Events = Events{}
	return r.tellMissed(p.missed, p.first)
}

// failed is the error about what was not found, for callers that do not use Missed.
func (p *Prepared) failed() error {
	return find.Joined(p.missed, find.Mistake, find.NotLoaded)
}

// Jobs compiles the collections and returns the engines' jobs, each in the first of its scopes. The error lists collections without a job.
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

// only is the job of a collection with a single scope.
func (t *target) only(ctx context.Context) (*engine.Job, error) {
	if u := t.task.Inquiry().Reading().Scopes; len(u) > 1 {
		return nil, fmt.Errorf("a transition system has only one scope, and %s are several: choose one with Request.Scope.Config", u.Plain().Name())
	}
	return t.job(ctx)
}

// Verify verifies all collections with the search options s; the bound on preemptions and fairness are the request's if s does not set
// them. It takes nothing from a cache: what an earlier call found out about a type is not asked again, so verdict.Asked is another list
// than that of a first call. Otherwise it is like the function Verify.
func (p *Prepared) Verify(ctx context.Context, s Search) ([]verdict.Verdict, error) {
	p.kept = nil
	r := p.request
	p.request.Search.Swarm, p.request.Search.Workers = s.Swarm, s.Workers
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

// Recall gives the collections that a request finds, and the verdicts about them that are kept (Search.Cache) for the sources as they are. It
// searches nothing.
func Recall(ctx context.Context, r Request) (found []verdict.Collection, list []verdict.Verdict, err error) {
	p, err := Prepare(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	found = p.Collections()
	if p.kept == nil {
		return found, nil, p.Mistakes()
	}
	for _, t := range p.targets {
		kept, err := p.kept.Lookup(ctx, t.task)
		if err != nil {
			return found, list, err
		}
		if kept == nil {
			continue
		}
		for _, v := range kept.Verdicts {
			if v.Violation != nil {
				t.write(v.Violation)
			}
			list = append(list, v)
		}
	}
	return found, list, p.Mistakes()
}
