// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"context"
	"slices"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Points first. The monitor of a property carries all explanations of a history, so that most states of a large scope may differ in
// nothing else. Where calls take effect at points that are known, one explanation is enough:
//
//	LockFreeStack, 3 threads, 6 calls    30,439 states with all explanations, 2,493 with one
//
// So the points are found in a small scope and judge the large one. They are no part of what is proved: wherever they stand, what is
// accepted has an explanation (doc/soundness.md, Points first). Where they do not explain a history, or anything else is wrong, the
// scope is searched again by the monitor, and that search alone makes the verdict.

// Limits of the searches for points, so that they cost little beside a search of which the first states have been counted.
const (
	findThreads = 2
	findCalls   = 3
	tryCalls    = 4      // of as many threads as the whole scope has
	findStates  = 20_000 // of one search
)

// Usual returns the engine bounded, helped by points.
func Usual() engine.Engine {
	e := bounded.Engine()
	monitor := e.Run
	e.Run = func(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Verdict, error) {
		if !applies(j) {
			return monitor(ctx, j, ev)
		}
		began, sample := time.Now(), new(bounded.Sample)
		v, err := bounded.Decide(ctx, bounded.Options{Job: *j, Sample: sample}, ev)
		if !sample.Few {
			return v, err
		}
		before := time.Since(began)
		v, judged := byPoints(ctx, j, ev)
		if !judged {
			before = time.Since(began)
			v, err = monitor(ctx, j, ev)
		}
		v.Seconds += before.Seconds() // a search that went on has those of earlier processes
		return v, err
	}
	return e
}

// applies reports whether a job may be decided by points.
func applies(j *engine.Job) bool {
	if j.Reduce&engine.Points == 0 || j.Variant > 0 || j.Scope.Clients.Endless || j.OneByOne || !isHistory(j.Property) {
		return false
	}
	for _, o := range j.Subject.ClientOps() {
		if o.Who.First || o.Who.Alone {
			return false
		}
	}
	// Which calls may begin is asked of the monitor of histories.
	return !slices.ContainsFunc(j.Subject.Operations, func(o subject.Operation) bool { return o.Careful })
}

func isHistory(p verdict.Property) bool {
	for _, one := range verdict.OfHistories() {
		if p == one {
			return true
		}
	}
	return false
}

// byPoints decides a job by points that are found in a small scope. It reports false if there are none, or if the search by them does
// not verify the whole scope, unless it has come to no end in time: then the monitor has no time either.
func byPoints(ctx context.Context, j *engine.Job, ev engine.Events) (v verdict.Verdict, judged bool) {
	began, small := time.Now(), within(j, findThreads, findCalls)
	points, at := fixed(ctx, small)
	if points == nil {
		return v, false
	}
	for _, scope := range []*engine.Job{within(j, j.Scope.Clients.Threads.To, tryCalls), j} {
		var err error
		before := time.Since(began)
		v, err = bounded.Decide(ctx, bounded.Options{Job: *scope, Points: points}, ev)
		v.Seconds += before.Seconds()
		if err == nil && scope == j && v.Cause == verdict.Limited && ctx.Err() != nil {
			return v, true
		}
		if err != nil || v.Status != verdict.Verified {
			return v, false
		}
	}
	v.ByPoints = &verdict.ByPoints{Scopes: []string{j.Scope.Plain().Name()}, Found: small.Scope.Plain().Name(), Outcomes: at}
	return v, true
}

// fixed finds points in a job's scope, at which the calls that pass them take effect. It returns nil if there are none for an outcome that
// changes the collection. Of other outcomes without points the oracle finds the moment.
func fixed(ctx context.Context, j *engine.Job) (points *bounded.Guess, at []verdict.EffectAt) {
	f := newFinder(ctx, j, engine.Events{})
	f.guess.Guarded, f.guess.Excused = true, j.Subject.Keyed()
	found, err := f.all()
	if err != nil {
		return nil, nil
	}
	for i := range found {
		switch {
		case found[i].Fixed:
			at = append(at, verdict.EffectAt{Operation: found[i].Operation, Outcome: found[i].Outcome, Points: found[i].Points})
		case found[i].Changes:
			return nil, nil
		default:
			f.guess.Excused[f.outcomes[i].op] = true
		}
	}
	return f.guess, at
}

// within is a job with no more threads and calls than these, and a limit on states.
func within(j *engine.Job, threads, calls int) *engine.Job {
	small := *j
	small.Workers, small.MaxStates, small.Scope.Preset = 1, findStates, ""
	c := &small.Scope.Clients
	if c.PerThread > 0 {
		c.Steps.To = c.Calls()
		c.PerThread = 0
	}
	c.Steps.To = min(c.Steps.To, calls)
	c.Steps.From = min(c.Steps.From, 1)
	c.Threads.To = min(c.Threads.To, threads)
	c.Threads.From = min(c.Threads.From, c.Threads.To)
	return &small
}
