// SPDX-License-Identifier: BSD-3-Clause

// Package mutate says whether a verdict on a collection has teeth: it plants faults in
// the source that its operations execute (internal/mutant), one at a time, and asks an
// engine about each of these mutants.
//
// It takes a Trial (how to load the collection, what the engine is asked about it) and a
// Choice of mutants, and gives what became of each. It finds no collections and knows no
// engine.
package mutate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/mutant"
	"pangolin/internal/subject"
	"pangolin/internal/task"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Trial is a collection whose mutants are tried.
type Trial struct {
	Engine engine.Engine
	Order  *subject.Order
	// Job is what the engine is asked, in each of the scopes; its subject is open. Its limits
	// are for each mutant.
	Job    engine.Job
	Scopes engine.Union
	// Task is about the collection without a fault.
	Task *task.Task
	// Workers is how many mutants are verified at the same time.
	Workers int
}

// NotVerified is the error of a mutation whose collection is not verified itself, so
// that its mutants would say nothing.
type NotVerified struct{ Verdict verdict.Verdict }

func (e *NotVerified) Error() string {
	return fmt.Sprintf("%s is not verified itself but %s: %s", e.Verdict.Collection, e.Verdict.Status, e.Verdict.Reason)
}

// Run verifies the collection, and then its mutants. A mutant is judged by the oracle of
// the unmutated collection. It is killed in the first part of the scope that shows a
// violation, beginning with one thread alone and then with few steps.
func (t *Trial) Run(ctx context.Context, opt Choice) (*verdict.MutationSummary, error) {
	if err := opt.validate(); err != nil {
		return nil, err
	}
	began := time.Now()
	m := &mutator{Trial: t, opt: opt, codes: map[mutant.Code]bool{}}
	if err := m.baseline(ctx); err != nil {
		return nil, err
	}
	list, err := mutant.All(ctx, t.Order, m.original)
	if err != nil {
		return nil, err
	}
	m.summary.Planted = len(list)
	if err := opt.exist(len(list)); err != nil {
		return nil, err
	}
	if err := m.all(ctx, opt.choose(list)); err != nil {
		return nil, err
	}
	m.summary.Seconds = time.Since(began).Seconds()
	return &m.summary, nil
}

// mutator is a trial in progress.
type mutator struct {
	*Trial
	opt      Choice
	original *subject.Subject
	stages   []task.Stage
	same     int                  // mutants whose code is that of another
	failed   error                // a mutant could not be compiled though nothing is wrong with it
	codes    map[mutant.Code]bool // of the original and the mutants so far
	summary  verdict.MutationSummary
}

// baselineTimeouts is how many times as long as a mutant the collection itself may take:
// without it there are no mutants.
const baselineTimeouts = 10

// baseline verifies the unmutated collection.
func (m *mutator) baseline(ctx context.Context) error {
	var err error
	if m.original, err = m.Order.Load(ctx); err != nil {
		return err
	}
	patient := m.Job
	patient.Subject = m.original
	patient.Timeout *= baselineTimeouts
	v, scopes, err := m.Engine.Exhaust(ctx, &patient, m.Scopes, engine.Events{})
	if err != nil {
		return err
	}
	if m.opt.Baseline != nil {
		m.opt.Baseline(v)
	}
	if v.Status != verdict.Verified && v.Status != verdict.Proved {
		return &NotVerified{v}
	}
	m.summary = verdict.MutationSummary{Type: "summary", Collection: v.Collection, Property: v.Property, Scope: v.Scope}
	m.codes[mutant.CodeOf(m.original.Prog)] = true
	job := m.Job
	job.Workers, job.Shortest, job.Timeout = 1, false, 0
	m.stages, err = m.alone(ctx, job)
	m.stages = append(m.stages, stages(job, scopes)...)
	return err
}

// The calls of one thread come to few states, unless one of them does not return: a
// mutant may have so many times as many as the original, and so many more.
const (
	aloneMost  = 100_000 // of the original, or there is no such stage
	aloneTimes = 20
	aloneMore  = 5000
)

// alone is the stage in which one thread calls alone, if the scope has room for it. There
// an operation goes on for ever if it comes back to a state, or if it grows something
// without end, a stamp or a slice: no cycle shows that, and other stages would reach
// their limit with it. So what has far more states than the original is killed, as
// mutants that exceed their time are elsewhere, but by a number that does not depend on
// time. The reductions that a mutant may lose are off, so that the numbers compare, and steps
// are not fused, or what grows unseen by others would be one step without end.
func (m *mutator) alone(ctx context.Context, job engine.Job) ([]task.Stage, error) {
	if job.Scope.Clients.Threads.From > 1 {
		return nil, nil
	}
	limited := job.MaxStates
	job.Scope.Clients.Threads.To, job.MaxStates = 1, aloneMost
	job.Reduce &^= vm.RankedKeys | vm.RenamedItems | vm.GuardedAccesses | vm.FrozenReads
	var v verdict.Verdict
	for _, way := range aloneWays(job) {
		var err error
		if v, err = m.decide(ctx, m.original, way); err != nil {
			return nil, err
		}
		if job = way; v.Status != verdict.Unknown {
			break
		}
	}
	limit := aloneTimes*v.States + aloneMore
	if v.Status == verdict.Unknown || limited > 0 && limited <= limit {
		return nil, nil
	}
	job.MaxStates = limit
	return []task.Stage{{Scope: job.Scope, Search: job.Search, Endless: true}}, nil
}

// aloneWays are the ways to search a stage with one thread, the best first: one that has too many
// states of the original is of no use. Chosen items have the same clients whether a mutant looks at
// them or not, which generic values do not have.
func aloneWays(job engine.Job) []engine.Job {
	fused, numbered := job, job
	job.Scope.Clients.GenericValues, fused.Scope.Clients.GenericValues = false, false
	job.Reduce &^= vm.Fusing
	ways := []engine.Job{job, fused}
	if numbered.Scope.Clients.GenericValues {
		ways = append(ways, numbered)
	}
	return ways
}

// decide asks the engine about a subject.
func (m *mutator) decide(ctx context.Context, s *subject.Subject, job engine.Job) (verdict.Verdict, error) {
	job.Subject = s
	return m.Engine.Decide(ctx, &job, engine.Events{})
}

// stages are parts of the scopes, each before those that it lies in, up to the whole: most
// mutants are killed by few steps, which take no time.
func stages(job engine.Job, scopes engine.Union) []task.Stage {
	var out []task.Stage
	add := func(s engine.Scope) {
		if slices.ContainsFunc(out, func(t task.Stage) bool { return s.Within(&t.Scope) }) {
			return
		}
		out = append(out, task.Stage{Scope: s, Search: job.Search})
	}
	for _, full := range scopes {
		for _, n := range []int{2, 3} {
			s := full
			if c := &s.Clients; c.PerThread == 0 && c.Steps.From <= n && n < c.Steps.To && c.Threads.From <= n {
				c.Steps.To, c.Threads.To, c.Values = n, min(c.Threads.To, n), min(c.Values, n+c.PreAdds.To)
				add(s)
			}
		}
		add(full)
	}
	return out
}

// all tries mutants, several at a time, and tells their outcomes in order.
func (m *mutator) all(ctx context.Context, list []*mutant.Mutant) error {
	here := &task.Here{AtOnce: m.Workers}
	done := 0
	for t, r := range here.Run(ctx, m.tasks(ctx, list)) {
		if ctx.Err() != nil {
			break
		}
		if r.Err != nil {
			return fmt.Errorf("mutant %d: %w", t.Mutant.Fault.ID, r.Err)
		}
		done = t.Mutant.Fault.ID
		m.summary.Count(r.Mutant)
		if m.opt.Mutant != nil {
			m.opt.Mutant(*r.Mutant)
		}
	}
	if ctx.Err() != nil {
		if left := slices.IndexFunc(list, func(p *mutant.Mutant) bool { return p.ID > done }); left >= 0 {
			return fmt.Errorf("interrupted: %d of %d mutants were not tried: %w", len(list)-left, len(list), context.Cause(ctx))
		}
	}
	m.summary.Same = m.same
	return m.failed
}

// tasks compiles mutants one after the other, so that which of two equal ones counts does not depend on time: the second is no task.
func (m *mutator) tasks(ctx context.Context, list []*mutant.Mutant) iter.Seq[*task.Task] {
	return func(yield func(*task.Task) bool) {
		for i := range list {
			fault := &task.Mutant{Fault: list[i].Untried(), Text: list[i].Text(), Stages: m.stages}
			s, err := list[i].Subject(ctx, m.Order, m.original)
			var problem *mutant.Invalid
			switch {
			case errors.As(err, &problem):
				fault.Fault.Outcome, fault.Fault.Reason, fault.Stages = verdict.Invalid, problem.Problem, nil
			case err != nil:
				m.failed = fmt.Errorf("mutant %d: %w", list[i].ID, err)
				return
			default:
				key := mutant.CodeOf(s.Prog)
				if m.codes[key] {
					m.same++
					continue
				}
				m.codes[key] = true
			}
			if !yield(m.Task.Planted(fault, s, &m.Engine)) {
				return
			}
		}
	}
}
