// SPDX-License-Identifier: BSD-3-Clause

package refine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Engine returns the engine refine: it decides whether every weak trace of the code is one of the abstract system, which is linearizability
// within the scope.
func Engine() engine.Engine { return Under(ClientOf) }

// Under returns the engine with another client in place of that of the job's scope.
func Under(client func(*engine.Job) Client) engine.Engine {
	return engine.Engine{Name: "refine", Doc: "the code's transition system against one in which every operation is a single step",
		Endless:    true, // for properties of progress
		Reductions: vm.Fusing | vm.FrozenReads | vm.GuardedAccesses | vm.RememberedSteps,
		Run: func(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Verdict, error) {
			return decide(ctx, j, client(j), ev)
		}}
}

// decide decides a job.
func decide(ctx context.Context, j *engine.Job, c Client, ev engine.Events) (verdict.Verdict, error) {
	lim := Limits{States: j.MaxStates, Bytes: j.MaxBytes}
	if tell := ev.Progress; tell != nil {
		lim.Progress = func(p explore.Progress) {
			tell(engine.Progress{States: p.States, Transitions: p.Transitions, Bytes: p.Bytes, Depth: p.Depth})
		}
	}
	switch {
	case j.Property == verdict.DeadlockFree:
		return verdict.Verdict{}, fmt.Errorf("verify looks for deadlocks whenever it judges results: ask for another property, or use pangolin prove -property %s", j.Property)
	case j.Property.IsProgress():
		return decideProgress(ctx, j, c, lim)
	case c.Endless:
		return verdict.Verdict{}, errors.New("the engine refine decides any number of calls (-steps any) for properties of progress alone: give a number, or leave -engine out")
	case j.Property != verdict.Linear:
		return verdict.Verdict{}, fmt.Errorf("the engine refine decides linearizability and progress, not %s", j.Property)
	}
	began := time.Now()
	v := verdict.Verdict{Status: verdict.Verified, Scope: scopeOf(j).Plain(), Assumptions: assumptions(j)}
	if err := countClients(j, &v); err != nil {
		return verdict.Verdict{}, err
	}
	abstract := Specified
	if j.Subject.Self {
		abstract = Atomic
	}
	spec, err := abstract(ctx, j.Subject, c, lim)
	var f *Finding
	if err == nil {
		f, err = Includes(ctx, Setting{j.Subject, c}, spec, lim)
	}
	var limit *LimitError
	var refused *RefusedError
	switch {
	case errors.As(err, &refused):
		v.Status, v.Reason, v.Cause = verdict.Unknown, refused.Error(), verdict.Unsupported
		return v, nil
	case errors.As(err, &limit):
		f = &Finding{States: limit.States, Limit: limit}
	case err != nil:
		return verdict.Verdict{}, err
	}
	v.Effort.States, v.Effort.Transitions, v.Effort.PeakBytes = f.States, f.Transitions, f.PeakBytes
	v.Effort.Seconds = time.Since(began).Seconds()
	switch {
	case f.Violated:
		v.Status = verdict.Violated
		v.Violation, err = violation(j, f, v.Scope)
		if errors.Is(err, subject.ErrUndecided) {
			why := strings.TrimPrefix(err.Error(), bounded.ErrNotReplayed.Error()+": ")
			v.Status, v.Reason, v.Cause, v.Violation = verdict.Unknown, why, verdict.Unsupported, nil
			return v, nil
		} else if err != nil {
			return verdict.Verdict{}, err
		}
		v.Reason = v.Violation.Summary
	case f.Limit != nil:
		v.Status, v.Reason, v.Cause = verdict.Unknown, f.Limit.Error(), verdict.Limited
	}
	return v, nil
}

// scopeOf is the scope as this engine covers it: items are values like others, and threads are not renamed.
func scopeOf(j *engine.Job) *engine.Scope {
	s := j.Scope
	s.Preset, s.Preempt = "", -1
	s.Clients.GenericValues, s.Clients.AddsDominant, s.Clients.DistinctPriorities = false, false, false
	return &s
}

// countClients sets the number of clients in the scope.
func countClients(j *engine.Job, v *verdict.Verdict) error {
	space, err := client.NewSpace(scopeOf(j).Clients, j.Subject.ClientOps())
	if err == nil {
		v.Effort.Clients = engine.Clients(space)
	}
	return err
}

// assumptions lists what a verdict rests on besides the scope.
func assumptions(j *engine.Job) []string {
	list := []string{"only results are judged: deadlocks, executions without end and data races are not looked for"}
	if j.Subject.Self {
		list = append(list, "the code is correct when one operation is executed at a time (oracle self)")
	}
	return list
}

// violation executes what was found again with the bounded engine, which confirms it by permutations.
func violation(j *engine.Job, f *Finding, scope verdict.Scope) (*verdict.Violation, error) {
	rec := recorded{sys: f.sys, class: bounded.History, path: f.Path, cycle: -1}
	if last := f.Trace[len(f.Trace)-1]; strings.HasPrefix(last, "crash") || strings.HasSuffix(last, "panic)") {
		rec.class = bounded.Panic
	}
	shown, err := bounded.Show(j, rec.recording(), scope)
	if errors.Is(err, bounded.ErrNotReplayed) && !errors.Is(err, subject.ErrUndecided) {
		err = engine.Contradiction(err)
	}
	return shown, err
}

// recorded is a path of a system that is to be shown as an execution.
type recorded struct {
	sys   *system
	class bounded.Class
	path  explore.Path
	cycle int // index of the first step of the lap at the path's end; -1: none
}

// recording follows the path and makes a recording.
func (r *recorded) recording() bounded.Recording {
	sys, c := r.sys, r.sys.client
	rec := bounded.Recording{Class: r.class, Threads: c.Threads, Hash: c.Hash, Cycle: -1, Start: r.path.Start}
	variant := 0
	if len(sys.pre) > 1 {
		variant, rec.Start = int(rec.Start[0]), rec.Start[1:]
	}
	rec.Pre = sys.pre[variant]
	cur := sys.NewCursor().(*cursor)
	walk, first := interleave.Begin(cur, r.path.Start)
	if cur.m.Threads() > c.Threads {
		rec.Begun = first.Ran
	}
	walk.Settle()
	for i, s := range r.path.Steps {
		if i == r.cycle {
			rec.Cycle = len(rec.Turns)
		}
		t := walk.Step(s)
		if k := s.Move.More() - 1; k >= 0 {
			rec.Calls = append(rec.Calls, sys.steps[k])
		}
		if cur.label&kinds != response { // in a recording the response is part of the turn in which the operation returns
			rec.Turns = append(rec.Turns, t)
		}
		if cur.over() {
			break
		}
		walk.Settle()
	}
	return rec
}
