// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"context"
	"fmt"

	"pangolin/internal/engine"
	"pangolin/internal/engines"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Engine answers questions. The product's is Engines, over compiled code; tests use a table.
type Engine interface {
	Decide(ctx context.Context, q Question) (verdict.Verdict, error)
	// Facts returns what rules ask of the code itself.
	Facts(ctx context.Context, r *Reading) (Facts, error)
}

// Facts are what the code of a reading shows without a search.
type Facts interface {
	// Unmade is why the constructor makes nothing, called alone; nil if it does, or if that is not known.
	Unmade() error
	// Synchronizes says that the constructor or an operation may execute something by which goroutines meet.
	Synchronizes() bool
	// StartsGoroutines reports whether the program starts goroutines, those of timers and of cancelled contexts included.
	StartsGoroutines() bool
	// StartsIn reports whether a call of an operation may start a goroutine.
	StartsIn(operation int) bool
	// ReadsClock reports whether the code reads the clock, and the clock may go on there.
	ReadsClock() bool
	// CallsOnce reports whether an operation, called alone, calls the function that it is given at most once.
	CallsOnce(ctx context.Context, operation int) (bool, error)
	// Unreturned describes how a single call of an operation ends if it does not return ("panics: …"); "" if it returns.
	Unreturned(operation int) string
	// Names lists, as Go writes them, the values of a result by which an operation names something, and that are no int below made.
	Names(operation, result, made int) []string
	// OwnResult reports whether the second of two calls, one after the other, returns a result that depends on the function given to it
	// as argument at, and not on that of the first call. Called twice alike, both calls tell their functions the same.
	OwnResult(ctx context.Context, operation, at int) (bool, error)
}

// Engines answers questions with the engines of the project. Events gives, for a collection's name and a property, the
// functions that are told about the search while a question of the user's is answered; nil: nobody is told.
type Engines struct {
	Events func(collection, property string) engine.Events
}

// Facts compiles the reading, whose subject answers from the code.
func (Engines) Facts(ctx context.Context, r *Reading) (Facts, error) {
	s, err := r.Subject(ctx)
	if err != nil {
		return nil, err
	}
	return loaded{s}, nil
}

// loaded are the facts of a subject, and what its program shows at a glance.
type loaded struct{ *subject.Subject }

// Job translates the question into an engine's job, in the first of the question's scopes.
func (q *Question) Job(ctx context.Context) (*engine.Job, error) {
	s, err := q.Reading.Subject(ctx)
	if err != nil {
		return nil, err
	}
	j := &engine.Job{Subject: s, Property: q.Property, Scope: q.Scope[0], Search: q.Reading.terms.Search, Memo: &q.Reading.code.memo}
	if q.Limit != (Limit{}) { // only the user's own question is asked by the searches of a swarm
		j.Variant = 0
	}
	if q.States > 0 {
		j.Scenes = j.Scenes && q.OneThread // whose violation may become the verdict's
		if j.MaxStates == 0 || j.MaxStates > q.States {
			j.MaxStates = q.States
		}
	}
	if q.Work > 0 && s.Self {
		j.Limit(q.Work)
	}
	if q.OneThread {
		j = j.OneThread()
		j.Workers, j.NoRaces, j.Shortest = 1, true, q.Shortest
	}
	return j, nil
}

// Decide asks the engine that the terms name. A question about one thread goes to the usual engine whatever the terms name,
// because engines that prove have no clients.
func (e Engines) Decide(ctx context.Context, q Question) (verdict.Verdict, error) {
	if q.Reading.Overrides.InTurn && q.Property != verdict.Linear && byLinear(q.Property) && !q.OneThread {
		return e.implied(ctx, q)
	}
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
	if q.Usual {
		by, err = (&Terms{}).decides(q.Property)
	}
	if q.Proof {
		by, err = engines.Proving(), nil
	}
	if q.Moment {
		by, err = engines.OneMoment(), nil
	}
	if err != nil {
		return verdict.Verdict{}, err
	}
	j.Small = q.Reading.terms.Small
	var told engine.Events
	if q.States == 0 && e.Events != nil {
		told = e.Events(q.Reading.Name(), string(q.Property))
	}
	v, err := by.DecideUnion(ctx, j, q.Scope.Varied(j.Variant), told)
	if err == nil && j.Checks && v.Status == verdict.Proved {
		err = q.assert(ctx, j, &v)
	}
	return v, err
}

// assert writes into the source, as assertions, what a proof found out about the threads (Proof.Assertions).
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
