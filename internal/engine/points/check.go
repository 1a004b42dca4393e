// SPDX-License-Identifier: BSD-3-Clause

// Package points checks and finds linearization points: statements at which an operation takes effect. It checks, within a scope, a
// policy, which is the announcements made by directives in the source.
//
// It takes an annotated subject and returns a verdict: verified if the announcements of every execution explain its history, violated
// with the rule that one of them breaks. A policy that is accepted shows linearizability (theorem 1 of Abdulla, Jonsson and Trinh, SAS
// 2016), with one state of the oracle in place of a set of configurations. The search is that of package bounded; the rules are those
// of consist.PolicyMonitor.
package points

import (
	"context"
	"fmt"

	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/verdict"
)

// Engine returns the engine points, which checks a policy.
func Engine() engine.Engine {
	e := bounded.Engine()
	return engine.Engine{Name: "points", Doc: "every interleaving, judged by the linearization points that directives in the source announce",
		Annotated: true, Run: check, Replay: e.Replay, Reductions: e.Reductions}
}

// check decides whether a policy is right within the job's scope.
func check(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Verdict, error) {
	opt, err := options(j)
	if err != nil {
		return verdict.Verdict{}, err
	}
	return bounded.Decide(ctx, opt, ev)
}

// options are those of the bounded search for judging a policy.
func options(j *engine.Job) (bounded.Options, error) {
	if j.Property != verdict.Linear {
		return bounded.Options{}, fmt.Errorf("the engine points decides linearizability, not %s", j.Property)
	}
	return bounded.Options{Job: *j, Policy: true}, nil
}
