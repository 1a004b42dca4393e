// SPDX-License-Identifier: BSD-3-Clause

// Package prover is the engine that chooses between those that prove, and lists them. It decides nothing itself.
package prover

import (
	"context"

	"pangolin/internal/engine"
	"pangolin/internal/engine/ages"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/engine/cmp"
	"pangolin/internal/engine/places"
	"pangolin/internal/engine/unbounded"
	"pangolin/verdict"
)

// Engines lists the engines that prove, the one that chooses between them last.
func Engines() []engine.Engine {
	return []engine.Engine{unbounded.Engine(), places.Engine(), ages.Engine(), cmp.Engine(), Engine()}
}

// Engine asks first unbounded, which bounds nothing, then places, for queues in slices, and ages, for sets whose cells are put in front, and where these find no
// proof cmp, which bounds the number of items. It returns the verdict of one of them.
func Engine() engine.Engine {
	return engine.Engine{Name: "prover", Run: bounded.Confirming(attempt), Reductions: engine.AllReductions,
		Doc: "unbounded, or places, ages or cmp where that finds no proof"}
}

// Unconfirmed is the same engine without the search for an execution that is wrong where no proof was found.
func Unconfirmed() engine.Engine {
	e := Engine()
	e.Run = func(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Verdict, error) {
		v, _, err := attempt(ctx, j, ev)
		return v, err
	}
	return e
}

// attempt asks unbounded, places, ages and cmp, in this order; only the first proves progress. If none of them finds a proof, the reason is that of one
// whose fragment contains the code: of places and ages, the smallest fragments, before cmp, and of cmp before unbounded.
func attempt(ctx context.Context, j *engine.Job, ev engine.Events) (v verdict.Verdict, suspicious bool, err error) {
	var tried [4]verdict.Verdict
	var seconds float64
	for i, by := range []struct {
		name    string
		attempt func(context.Context, *engine.Job, engine.Events) (verdict.Verdict, bool, error)
	}{{unbounded.Engine().Name, unbounded.Attempt}, {places.Engine().Name, places.Attempt}, {ages.Engine().Name, ages.Attempt}, {cmp.Engine().Name, cmp.Attempt}} {
		w, also, err := by.attempt(ctx, j, ev)
		seconds += w.Seconds
		w.Engine, w.Seconds = by.name, seconds
		if suspicious = suspicious || also; err != nil || w.Status == verdict.Proved {
			return w, false, err
		}
		if tried[i] = w; ctx.Err() != nil || j.Property.IsProgress() {
			return w, i > 0 && suspicious, nil
		}
	}
	for _, i := range []int{1, 2, 3, 0} {
		if v = tried[i]; !outside(v) {
			break
		}
		v = tried[3]
	}
	v.Seconds = seconds
	return v, suspicious, nil
}

// outside reports whether the code is outside of the fragment that the engine can prove.
func outside(v verdict.Verdict) bool {
	return v.Proof != nil && v.Proof.Alarm != nil && v.Proof.Alarm.Outside
}
