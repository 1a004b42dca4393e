// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/verdict"
)

// confirming is the number of calls of two threads in the first scope that is searched for a suspected violation.
const confirming = 5

// Attempt looks for a proof, or says why there is none. suspicious means that it has examined the code and something may go wrong.
type Attempt func(context.Context, *engine.Job, engine.Events) (v verdict.Verdict, suspicious bool, err error)

// Confirming makes the Run function of an engine that attempts a proof: if the attempt is suspicious, it looks for a violation, first with
// two threads and then in the job's scope. If there is none, the verdict is the attempt's.
func Confirming(attempt Attempt) func(context.Context, *engine.Job, engine.Events) (verdict.Verdict, error) {
	return func(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Verdict, error) {
		v, suspicious, err := attempt(ctx, j, ev)
		if v.Status != verdict.Proved { // nothing is assumed of ends
			v.Assumptions = slices.DeleteFunc(v.Assumptions, func(text string) bool { return slices.Contains(engine.OfEnds(""), text) })
		}
		if err != nil || !suspicious {
			return v, err
		}
		return confirm(ctx, j, ev, v)
	}
}

// confirm returns the verdict about a violation, or else v.
func confirm(ctx context.Context, j *engine.Job, ev engine.Events, v verdict.Verdict) (verdict.Verdict, error) {
	pair := *j
	pair.Scope.Preset = ""
	pair.Scope.Clients.Threads = client.Range{From: 1, To: 2}
	pair.Scope.Clients.Steps = client.Range{From: 1, To: confirming}
	pair.Scope.Clients.Values = confirming + pair.Scope.Clients.PreAdds.To
	e := Engine()
	for _, job := range []*engine.Job{&pair, j} {
		b, err := e.Persist(ctx, job, ev)
		if err != nil {
			return v, err
		}
		v.Seconds += b.Seconds
		if b.Status == verdict.Violated {
			b.Seconds, b.Proof = v.Seconds, v.Proof
			return b, nil
		}
	}
	return v, nil
}
