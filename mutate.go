// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"errors"
	"fmt"

	"pangolin/internal/find"
	"pangolin/internal/mutate"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// Mutation selects the mutants to try.
type Mutation = mutate.Choice

// NotVerified is the error if the collection itself is not verified, so that its mutants would show nothing.
type NotVerified = mutate.NotVerified

// MutationOperators lists the name and description of each mutation operator.
func MutationOperators() [][2]string { return mutate.Operators() }

// Mutate measures whether the verdict about a collection would notice faults: it verifies the collection, plants faults in the source that
// its operations execute, one at a time, and verifies each mutant. The request must be about one collection and one property; its limits
// apply to each mutant, and its workers are mutants verified at the same time.
//
// A mutant is judged by the oracle of the unmutated collection. It is killed by the first part of the scope in which it is violated; one
// thread comes first, then few steps. A collection that is verified only with clients that use it as it is meant to be used, or whose calls may wait for one another
// (Verify says so), is judged in that way, and so are its mutants.
func Mutate(ctx context.Context, r Request, opt Mutation) (*verdict.MutationSummary, error) {
	ctx, kept := r.kept(ctx)
	defer r.tidy(kept)
	t, err := r.mutated(ctx)
	if err != nil {
		return nil, err
	}
	first, told := opt, false
	first.Baseline = func(v verdict.Verdict) {
		if told = v.Violation == nil; told && opt.Baseline != nil {
			opt.Baseline(v)
		}
	}
	trial, err := t.trial(ctx, kept)
	if err != nil {
		return nil, err
	}
	summary, err := trial.Run(ctx, first)
	var not *NotVerified
	if !errors.As(err, &not) || told {
		return summary, err
	}
	switch meant, failed := t.meant(ctx); {
	case failed != nil:
		return nil, failed
	case meant != nil:
		if trial, err = meant.trial(ctx, kept); err != nil {
			return nil, err
		}
		return trial.Run(ctx, opt)
	}
	if opt.Baseline != nil {
		opt.Baseline(not.Verdict)
	}
	return nil, err
}

// mutated finds the one collection of a request, and what is asked about it.
func (r *Request) mutated(ctx context.Context) (*target, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	targets, missed, err := r.find(ctx)
	if err == nil {
		err = find.Joined(missed, find.Mistake, find.NotLoaded)
	}
	if err != nil {
		return nil, err
	}
	if len(targets) != 1 {
		return nil, fmt.Errorf("%d collections were found, and mutants are made of only one: name it, as PKG.Type", len(targets))
	}
	t := targets[0]
	if len(t.task.Properties) != 1 {
		return nil, errors.New("mutants are verified for only one property: name it with Request.Property")
	}
	return t, nil
}

// trial is what is asked about the collection and its mutants.
func (t *target) trial(ctx context.Context, kept *task.Kept) (*mutate.Trial, error) {
	q, err := t.task.Inquiry().Held(ctx, t.engines())
	if err != nil {
		return nil, err
	}
	e, err := t.request.engine(false)
	if err != nil {
		return nil, err
	}
	q.Property = t.task.Properties[0]
	order, err := q.Reading.Order()
	if err != nil {
		return nil, err
	}
	j, err := q.Job(ctx)
	if err != nil {
		return nil, err
	}
	j.Subject = nil // set for each mutant
	r := t.request
	r.Events.found(t.Describe())
	return &mutate.Trial{Engine: e, Order: order, Job: *j, Scopes: q.Scope, Task: t.task, Workers: r.Search.Workers, Kept: kept, Elsewhere: r.Events.Elsewhere, Note: func(text string) { r.Events.note("%s", text) }}, nil
}
