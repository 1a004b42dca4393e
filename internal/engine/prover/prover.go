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
	"pangolin/internal/engine/sections"
	"pangolin/internal/engine/unbounded"
	"pangolin/internal/engine/zones"
	"pangolin/verdict"
)

// The methods of proof, in the order in which they are asked.
func methods() []engine.Engine {
	return []engine.Engine{sections.Engine(), zones.Engine(), unbounded.Engine(), places.Engine(), ages.Engine(), cmp.Engine()}
}

// smallest has the indices of methods by the size of the fragments, the smallest one first. Where no method finds a proof, the reason in the verdict is that of the first one in this
// order that models the code, and if none does that of the last method, or for types that judge themselves that of the first.
var smallest = []int{0, 1, 3, 4, 5, 2}

// Engines lists the engines that prove, the one that chooses between them last.
func Engines() (list []engine.Engine) {
	for _, e := range methods() {
		e.Run = confirming(e.Prove)
		list = append(list, e)
	}
	return append(list, Engine())
}

// Engine asks first sections, for what is one critical section, and zones, for queues in chains, which take milliseconds, then unbounded, which bounds nothing, then places, for queues in slices, and ages, for sets whose
// cells are put in front, and where these find no proof cmp, which bounds the number of items. It returns the verdict of one of them.
func Engine() engine.Engine {
	return engine.Engine{Name: "prover", Run: confirming(attempt), Reductions: engine.AllReductions,
		Doc: "sections, or zones, unbounded, places, ages or cmp where that finds no proof"}
}

// Bounds of the search for an execution that is wrong, where a proof was not found and the user has set no bound: states, and the work that they cost where the code itself judges (vm.Meter), which is
// about ten seconds.
const mostConfirming, mostWork = 1 << 18, 600_000_000

// confirming makes the Run function of an engine that attempts a proof: it searches, within these bounds, for an execution that is wrong if the attempt is suspicious.
func confirming(attempt engine.Attempt) func(context.Context, *engine.Job, engine.Events) (verdict.Verdict, error) {
	return func(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Verdict, error) {
		v, suspicious, err := attempt(ctx, j, ev)
		limited := *j
		if limited.MaxStates == 0 {
			limited.MaxStates = mostConfirming
			if j.Subject.Self && j.Meter == nil {
				limited.Limit(mostWork)
			}
		}
		return bounded.Confirming(func(context.Context, *engine.Job, engine.Events) (verdict.Verdict, bool, error) {
			return v, suspicious, err
		})(ctx, &limited, ev)
	}
}

// Unconfirmed is the same engine without the search for an execution that is wrong where no proof was found.
func Unconfirmed() engine.Engine {
	e := Engine()
	e.Run = unconfirmed(attempt)
	return e
}

// OneMoment is the engine sections without that search: whether each operation takes effect at one moment.
func OneMoment() engine.Engine {
	e := sections.Engine()
	e.Run = unconfirmed(e.Prove)
	return e
}

// unconfirmed makes the Run function of an engine that attempts a proof and searches for nothing.
func unconfirmed(attempt engine.Attempt) func(context.Context, *engine.Job, engine.Events) (verdict.Verdict, error) {
	return func(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Verdict, error) {
		v, _, err := attempt(ctx, j, ev)
		return v, err
	}
}

// ranking are the methods that prove progress, in the order in which they are asked: what sections shows rests on that calls return when nobody else calls.
func ranking() []engine.Engine {
	return []engine.Engine{unbounded.Engine(), sections.Engine(), cmp.Engine()}
}

// attemptProgress asks the methods that prove progress. Where none finds a proof, the reason is that of the first one that models the code, and if none
// does that of unbounded, or for types that judge themselves that of sections, which follows most of Go.
func attemptProgress(ctx context.Context, j *engine.Job, ev engine.Events) (first verdict.Verdict, err error) {
	for i, e := range ranking() {
		v, _, err := e.Prove(ctx, j, ev)
		v.Engine = e.Name
		if v.Seconds += first.Seconds; err != nil || v.Status == verdict.Proved || ctx.Err() != nil {
			return v, err
		}
		if i == 0 || outside(first) && (!outside(v) || j.Subject.JudgesItself()) {
			first = v
		}
		first.Seconds = v.Seconds
	}
	return first, nil
}

// attempt asks the methods in their order.
func attempt(ctx context.Context, j *engine.Job, ev engine.Events) (v verdict.Verdict, suspicious bool, err error) {
	if j.Property.IsProgress() {
		v, err = attemptProgress(ctx, j, ev)
		return v, false, err
	}
	var tried []verdict.Verdict
	var seconds float64
	for _, e := range methods() {
		w, also, err := e.Prove(ctx, j, ev)
		seconds += w.Seconds
		w.Engine, w.Seconds = e.Name, seconds
		if suspicious = suspicious || also; err != nil || w.Status == verdict.Proved {
			return w, false, err
		}
		if tried = append(tried, w); ctx.Err() != nil {
			return w, len(tried) > 1 && suspicious, nil
		}
	}
	for _, i := range smallest {
		if v = tried[i]; !outside(v) {
			break
		}
		v = tried[len(tried)-1]
		if j.Subject.JudgesItself() { // of which sections says most, for it follows most of Go
			v = tried[0]
		}
	}
	v.Seconds = seconds
	return v, suspicious, nil
}

// outside reports whether the code is outside of the fragment that the engine can prove.
func outside(v verdict.Verdict) bool {
	return v.Proof != nil && v.Proof.Alarm != nil && v.Proof.Alarm.Outside
}
