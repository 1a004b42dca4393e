// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Mutant is a fault in the code and how to judge it: by the oracle of the code without the fault.
type Mutant struct {
	Fault  verdict.Mutant // without a result
	Text   []byte         // the text of the file Fault.File with the fault
	Stages []Stage        // tried in order until one shows the fault; none: Fault has its result already
}

// Stage is a scope in which a mutant is tried.
type Stage struct {
	Scope   engine.Scope
	Search  engine.Search
	Endless bool // a search that reaches the limit on states counts as endless
}

// Planted returns the task about a mutant that is already compiled, judged by an engine.
func (t *Task) Planted(m *Mutant, s *subject.Subject, e *engine.Engine) *Task {
	other := *t
	other.Mutant, other.local.mutant, other.local.engine = m, s, e
	return &other
}

// compiled returns the mutant's code with its oracle, and the engine that judges it.
func (t *Task) compiled(ctx context.Context, h *Here) (*subject.Subject, *engine.Engine, error) {
	if t.local.mutant != nil {
		return t.local.mutant, t.local.engine, nil
	}
	o, err := t.original(ctx, h)
	if err != nil {
		return nil, nil, err
	}
	s, err := o.order.Variant(ctx, o.subject, o.order.Listed.File(t.Mutant.Fault.File), t.Mutant.Text)
	return s, &o.engine, err
}

// tryMutant judges a mutant in one stage after the other. code identifies its code.
func (t *Task) tryMutant(ctx context.Context, h *Here) (result *verdict.Mutant, code subject.Code, err error) {
	m := t.Mutant.Fault
	if len(t.Mutant.Stages) == 0 { // a mutant that does not compile
		return &m, "", nil
	}
	s, e, err := t.compiled(ctx, h)
	if problem := (*subject.Invalid)(nil); errors.As(err, &problem) {
		m.Outcome, m.Reason = verdict.Invalid, problem.Problem
		return &m, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	code = s.Code()
	if limit := t.Terms.Search.Timeout; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	began := time.Now()
	for _, stage := range t.Mutant.Stages {
		v, err := e.Decide(ctx, &engine.Job{Subject: s, Property: t.Properties[0], Scope: stage.Scope, Search: stage.Search}, engine.Events{})
		var setup *subject.SetupError
		if errors.As(err, &setup) {
			m.Outcome, m.Class, m.Reason = verdict.Killed, "setup", setup.Message
			break
		}
		if err != nil {
			return nil, "", err
		}
		m.States += v.States
		if judge(&m, &v, &stage); m.Outcome != verdict.Survived {
			break
		}
	}
	m.Seconds = time.Since(began).Seconds()
	return &m, code, nil
}

// judge records a verdict in a stage as the mutant's result.
func judge(m *verdict.Mutant, v *verdict.Verdict, s *Stage) {
	switch {
	case v.Violation != nil:
		m.Outcome, m.Class, m.Reason, m.Client = verdict.Killed, v.Violation.Class, v.Violation.Summary, v.Violation.Client
	case v.Cause == verdict.Diverges:
		m.Outcome, m.Class, m.Reason = verdict.Killed, "nontermination", v.Reason
	case s.Endless && v.States >= s.Search.MaxStates:
		m.Outcome, m.Class = verdict.Killed, "infinite"
		m.Reason = fmt.Sprintf("an operation does not end: the calls of one thread alone come to %d states and more", s.Search.MaxStates)
	case v.Status == verdict.Unknown:
		m.Outcome, m.Reason = verdict.Undecided, v.Reason
	default:
		m.Outcome = verdict.Survived
	}
}
