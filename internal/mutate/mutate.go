// SPDX-License-Identifier: BSD-3-Clause

// Package mutate measures whether a verdict about a collection would notice faults: it plants faults in the source that the operations
// execute (internal/mutant), one at a time, and asks an engine about each of these mutants.
//
// It takes a Trial (how to load the collection, what to ask the engine) and a Choice of mutants, and reports the outcome of each. It
// finds no collections and knows no engine.
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
	// Job is the engine's job in each of the scopes, without a subject. Its limits apply to each mutant.
	Job    engine.Job
	Scopes engine.Union
	// Task is the task for the collection without a fault.
	Task *task.Task
	// Workers is how many mutants are verified at the same time.
	Workers int
	// Kept are the results of mutants that are not computed again; nil: all are. Note is told why one is not kept.
	Kept *task.Kept
	// Elsewhere verifies mutants on other machines; nil: they are verified here.
	Elsewhere task.Elsewhere
	Note      func(text string)
}

// NotVerified is the error of a mutation whose collection is not verified itself, so
// that its mutants would say nothing.
type NotVerified struct{ Verdict verdict.Verdict }

func (e *NotVerified) Error() string {
	return fmt.Sprintf("%s is %s without any fault, so that its mutants would show nothing: %s", e.Verdict.Collection, e.Verdict.Status, e.Verdict.Reason)
}

// Run verifies the collection, and then its mutants, which are judged by the oracle of the unmutated collection. A mutant is killed by
// the first part of the scope in which it is violated; one thread comes first, then few steps. The error is a *NotVerified if the
// collection is not verified.
func (t *Trial) Run(ctx context.Context, opt Choice) (*verdict.MutationSummary, error) {
	if err := opt.validate(); err != nil {
		return nil, err
	}
	began := time.Now()
	m := &mutator{Trial: t, opt: opt, codes: map[subject.Code]*mutant.Mutant{}}
	if err := m.baseline(ctx); err != nil {
		return nil, err
	}
	list, err := mutant.All(ctx, t.Order, m.original)
	if err != nil {
		return nil, err
	}
	m.planted, m.summary.Planted = list, len(list)
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
	planted  []*mutant.Mutant                // all of them; the one with ID 1 is first
	same     int                             // number of mutants whose code equals that of another one
	failed   error                           // of loading a mutant, other than an error of the compiler
	codes    map[subject.Code]*mutant.Mutant // of the original, whose value is nil, and the mutants so far
	summary  verdict.MutationSummary
}

// baselineTimeouts is the factor by which the collection itself may take longer than a mutant.
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
	m.codes[m.original.Code()] = nil
	job := m.Job
	job.Workers, job.Timeout = 1, 0
	m.stages, err = m.alone(ctx, job)
	m.stages = append(m.stages, stages(job, scopes)...)
	return err
}

// Limits of the stage with one thread, where calls take few states unless one does not return.
const (
	aloneMost  = 100_000 // states of the original; if it has more, there is no such stage
	aloneTimes = 20      // a mutant may have so many times as many states as the original,
	aloneMore  = 5000    // and so many more
)

// alone makes the stage in which one thread calls alone, if the scope permits it. An operation that never returns here either repeats a
// state, or makes something grow without end, a stamp or a slice, which shows no cycle and would use up the limit of every stage. So a
// mutant with far more states than the original is killed, like one that exceeds the time limit, but reproducibly. Reductions that may
// fail for a mutant are off, so that the numbers can be compared; and steps are not fused, or growth that others cannot see would be
// one endless step.
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

// aloneWays lists ways to search the stage with one thread, best first; one in which the original has too many states is no use. Chosen
// items make the same clients whether or not a mutant looks at them, generic values do not.
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

// stages lists parts of the scopes, smaller ones first, up to the whole: most mutants are killed by few steps, which take no time.
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

// all tries mutants, several at a time, and reports their outcomes in order.
func (m *mutator) all(ctx context.Context, list []*mutant.Mutant) error {
	here := &task.Here{AtOnce: m.Workers, Kept: m.Kept, Elsewhere: m.Elsewhere, Note: m.Note}
	done := 0
	for t, r := range here.Run(ctx, m.tasks(ctx, list)) {
		if ctx.Err() != nil {
			break
		}
		if r.Err != nil {
			return fmt.Errorf("mutant %d: %w", t.Mutant.Fault.ID, r.Err)
		}
		done = t.Mutant.Fault.ID
		if m.Elsewhere != nil {
			counts, err := m.counts(ctx, m.planted[done-1], &r)
			if err != nil {
				return fmt.Errorf("mutant %d: %w", done, err)
			}
			if !counts {
				m.same++
				continue
			}
		}
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

// compiled is what came of compiling a mutant: its code, or the problem because of which it has none.
type compiled struct {
	code    subject.Code
	problem string
}

// compile compiles a mutant.
func (m *mutator) compile(ctx context.Context, p *mutant.Mutant) (compiled, error) {
	s, err := p.Subject(ctx, m.Order, m.original)
	var problem *subject.Invalid
	switch {
	case errors.As(err, &problem):
		return compiled{problem: problem.Problem}, nil
	case err != nil:
		return compiled{}, err
	}
	return compiled{code: s.Code()}, nil
}

// counts reports whether a mutant that was judged elsewhere has other code than the original and the mutants before it. The machine that has judged
// it says which code it has, and is believed as with its fate; but where that would leave the mutant out, for it has the code of another one or
// does not compile, it is compiled here.
func (m *mutator) counts(ctx context.Context, p *mutant.Mutant, r *task.Result) (bool, error) {
	said := compiled{code: r.Code}
	if r.Mutant.Outcome == verdict.Invalid {
		said.problem = r.Mutant.Reason
	}
	if _, known := m.codes[said.code]; !known && said.code != "" && said.problem == "" {
		m.codes[said.code] = p
		return true, nil
	}
	is, err := m.compile(ctx, p)
	switch {
	case err != nil:
		return false, err
	case said == compiled{}: // nobody could judge it
	case said != is:
		return false, errors.New("a worker of the farm has told something wrong of its code, so its results cannot be used (those that -cache keeps: pangolin cache clean)")
	}
	if is.problem != "" {
		r.Mutant.Outcome, r.Mutant.Reason = verdict.Invalid, is.problem
		return true, nil
	}
	first, known := m.codes[is.code]
	if !known {
		m.codes[is.code] = p
		return true, nil
	}
	if first != nil {
		other, err := m.compile(ctx, first)
		if err == nil && other != is {
			err = fmt.Errorf("a worker of the farm has told that mutant %d has the same code, which is wrong, so its results cannot be used (those that -cache keeps: pangolin cache clean)", first.ID)
		}
		return false, err
	}
	return false, nil
}

// tasks makes a task for each mutant. It compiles them one after the other, so that of two with the same code always the first is tried
// and the second dropped. Those that are judged elsewhere are compiled there (counts).
func (m *mutator) tasks(ctx context.Context, list []*mutant.Mutant) iter.Seq[*task.Task] {
	return func(yield func(*task.Task) bool) {
		for i := range list {
			fault := &task.Mutant{Fault: list[i].Untried(), Text: list[i].Text(), Stages: m.stages}
			if m.Elsewhere != nil {
				if !yield(m.Task.Planted(fault, nil, nil)) {
					return
				}
				continue
			}
			s, err := list[i].Subject(ctx, m.Order, m.original)
			var problem *subject.Invalid
			switch {
			case errors.As(err, &problem):
				fault.Fault.Outcome, fault.Fault.Reason, fault.Stages = verdict.Invalid, problem.Problem, nil
			case err != nil:
				m.failed = fmt.Errorf("mutant %d: %w", list[i].ID, err)
				return
			default:
				key := s.Code()
				if _, known := m.codes[key]; known {
					m.same++
					continue
				}
				m.codes[key] = list[i]
			}
			if !yield(m.Task.Planted(fault, s, &m.Engine)) {
				return
			}
		}
	}
}
