// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"errors"
	"fmt"

	"pangolin/internal/find"
	"pangolin/internal/mutate"
	"pangolin/verdict"
)

// Mutation says which mutants to try.
type Mutation = mutate.Choice

// NotVerified is the error of a mutation whose collection is not verified itself, so
// that its mutants would say nothing.
type NotVerified = mutate.NotVerified

// MutationOperators gives the name of each way of planting faults with what it does.
func MutationOperators() [][2]string { return mutate.Operators() }

// Mutate says whether the verdict on a collection has teeth: it verifies it, plants
// faults in the source that its operations execute, one at a time, and verifies each
// mutant. The request is about one collection and one property; its limits are for each
// mutant, and its workers are mutants that are verified at the same time.
//
// A mutant is judged by the oracle of the unmutated collection. It is killed in the first
// part of the scope that shows a violation, beginning with one thread alone and then with
// few steps.
func Mutate(ctx context.Context, r Request, opt Mutation) (*verdict.MutationSummary, error) {
	t, err := r.trial(ctx)
	if err != nil {
		return nil, err
	}
	return t.Run(ctx, opt)
}

// trial finds the one collection of a request, and what is asked about it.
func (r *Request) trial(ctx context.Context) (*mutate.Trial, error) {
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
		return nil, fmt.Errorf("%d collections were found, mutants are made of one: name it PKG.Type", len(targets))
	}
	t := targets[0]
	if len(t.task.Properties) != 1 {
		return nil, errors.New("mutants are verified for one property")
	}
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
	j.Subject = nil // open: that of each mutant
	t.request.Events.found(t.Describe())
	return &mutate.Trial{Engine: e, Order: order, Job: *j, Scopes: q.Scope, Task: t.task, Workers: r.Search.Workers}, nil
}
