// SPDX-License-Identifier: BSD-3-Clause

package engines

import (
	"context"

	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/engine/cmp"
	"pangolin/internal/engine/unbounded"
	"pangolin/verdict"
)

// prover is the engine that chooses between those that prove: first unbounded, which bounds nothing, and where that finds no proof
// cmp, which bounds the number of items. It returns the verdict of one of them and decides nothing itself.
func prover() engine.Engine {
	return engine.Engine{Name: "prover", Run: bounded.Confirming(attempt), Reductions: engine.AllReductions,
		Doc: "unbounded, or cmp where that finds no proof"}
}

// Proving is the same engine without the search for an execution that is wrong where no proof was found.
func Proving() engine.Engine {
	e := prover()
	e.Run = func(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Verdict, error) {
		v, _, err := attempt(ctx, j, ev)
		return v, err
	}
	return e
}

// attempt asks unbounded and then cmp, which does not prove progress. If neither finds a proof, the reason is that of the engine whose fragment contains the code.
func attempt(ctx context.Context, j *engine.Job, ev engine.Events) (v verdict.Verdict, suspicious bool, err error) {
	v, suspicious, err = unbounded.Attempt(ctx, j, ev)
	v.Engine = unbounded.Engine().Name
	if err != nil || v.Status == verdict.Proved || ctx.Err() != nil || j.Property.IsProgress() {
		return v, false, err
	}
	w, also, err := cmp.Attempt(ctx, j, ev)
	w.Engine = cmp.Engine().Name
	w.Seconds += v.Seconds
	if err != nil || w.Status == verdict.Proved {
		return w, false, err
	}
	if outside(w) && !outside(v) {
		v.Seconds = w.Seconds
		w = v
	}
	return w, suspicious || also, nil
}

// outside reports whether the code is outside of the fragment that the engine can prove.
func outside(v verdict.Verdict) bool {
	return v.Proof != nil && v.Proof.Alarm != nil && v.Proof.Alarm.Outside
}
