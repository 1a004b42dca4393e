package pangolin

import (
	"cmp"
	"context"
	"fmt"

	"pangolin/internal/engine"
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

// Jobs compiles the collections and gives what engines are asked about each of them, in the
// first of its scopes.
func (p *Prepared) Jobs(ctx context.Context) ([]*engine.Job, error) {
	var jobs []*engine.Job
	for _, t := range p.targets {
		if len(t.scopes) > 1 {
			return nil, fmt.Errorf("%s: a transition system has one scope: %s are several (Request.Scope.Config)", t.Name(), t.scopes.Plain().Name())
		}
		s, err := t.order().Load(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name(), err)
		}
		t.subject = s
		j, err := t.job(verdict.Linear)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// Verify verifies all collections, searching as s says; the bound on preemptions and fairness
// are the request's if s leaves them open. It is like the function Verify otherwise.
func (p *Prepared) Verify(ctx context.Context, s Search) ([]verdict.Verdict, error) {
	r := p.request
	r.Search = s
	r.Search.Preempt = cmp.Or(s.Preempt, p.request.Search.Preempt)
	r.Search.Unfair = cmp.Or(s.Unfair, p.request.Search.Unfair)
	for _, t := range p.targets {
		t.whole = nil
		if err := t.prepare(&r); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name(), err)
		}
	}
	return p.verify(ctx, func(*target) {})
}
