// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"context"
	"fmt"

	"pangolin/internal/engine"
	"pangolin/internal/engines"
	"pangolin/verdict"
)

// Engine answers questions: an engine of the project over compiled code, or in tests a table.
type Engine interface {
	Decide(ctx context.Context, q Question) (verdict.Verdict, error)
	// Facts gives what rules ask of the code itself.
	Facts(ctx context.Context, r *Reading) (Facts, error)
}

// Facts are what the code of a reading shows without a search.
type Facts interface {
	// StartsGoroutines says that some go on beside the operations.
	StartsGoroutines() bool
	// CallsOnce says that an operation calls a function that it is given once at most, if it is alone.
	CallsOnce(operation int) (bool, error)
	// Unreturned says how a call of an operation ends that is made alone and does not return; "" if it does.
	Unreturned(operation int) string
	// OwnResult says that what an operation returns, called alone behind another call of it, depends on the function that it is
	// given at a place.
	OwnResult(operation, at int) (bool, error)
}

// Engines ask the project's engines. Events gives, for a collection and a property, what is told while a question of the
// user's is answered.
type Engines struct {
	Events func(collection, property string) engine.Events
}

// Facts are those of the compiled code.
func (Engines) Facts(ctx context.Context, r *Reading) (Facts, error) {
	s, err := r.Subject(ctx)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Job is what an engine is asked, in the first of the question's scopes.
func (q *Question) Job(ctx context.Context) (*engine.Job, error) {
	s, err := q.Reading.Subject(ctx)
	if err != nil {
		return nil, err
	}
	j := &engine.Job{Subject: s, Property: q.Property, Scope: q.Scope[0], Search: q.Reading.terms.Search}
	if q.States > 0 {
		j.Scenes = j.Scenes && q.OneThread // whose violation may become the verdict's
		if j.MaxStates == 0 || j.MaxStates > q.States {
			j.MaxStates = q.States
		}
	}
	if q.OneThread {
		j = j.OneThread()
		j.Workers, j.NoRaces, j.Shortest = 1, true, q.Shortest
	}
	return j, nil
}

// Decide asks the engine that the terms name. Clients of one thread are for the usual one, whichever is asked: those that
// prove know no clients.
func (e Engines) Decide(ctx context.Context, q Question) (verdict.Verdict, error) {
	j, err := q.Job(ctx)
	if err != nil {
		return verdict.Verdict{}, err
	}
	if q.OneThread {
		usual, err := engines.Find("", false)
		if err != nil {
			return verdict.Verdict{}, err
		}
		return usual.DecideUnion(ctx, j, q.Scope.OneThread(), engine.Events{})
	}
	by, err := q.Reading.terms.decides(q.Property)
	if err != nil {
		return verdict.Verdict{}, err
	}
	j.Small = q.Reading.terms.Small
	var told engine.Events
	if q.States == 0 && e.Events != nil {
		told = e.Events(q.Reading.Name(), string(q.Property))
	}
	v, err := by.DecideUnion(ctx, j, q.Scope, told)
	if err == nil && j.Checks && v.Status == verdict.Proved {
		err = q.assert(ctx, j, &v)
	}
	return v, err
}

// assert puts what a proof says of threads into the source.
func (q *Question) assert(ctx context.Context, j *engine.Job, v *verdict.Verdict) error {
	e, err := engines.Find(v.Engine, false)
	if err != nil {
		return err
	}
	if e.Assert == nil {
		return fmt.Errorf("the method %s gives no assertions: choose the method cmp", v.Engine)
	}
	order, err := q.Reading.Order()
	if err != nil {
		return err
	}
	v.Proof.Assertions, err = e.Assert(ctx, order, j, v)
	return err
}
