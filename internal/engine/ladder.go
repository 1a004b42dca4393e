// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pangolin/internal/vm"
	"pangolin/verdict"
)

// A failure of Pangolin itself is no verdict. Mostly one of the mechanisms that make a search fast has failed, and the plain search
// needs none of them, so it is tried instead:
//
//     with everything                      fails: "a step asked for 2 decisions and had asked for 3 before"
//     without remembered steps             verified, and the verdict names the mechanism and the failure
//
// Each mechanism is left out alone, and at last all of them; if that fails as well, it is an error. Nothing of a failed search is used:
// each attempt starts from the job.

// Failure is an error within Pangolin: a panic, or a result that contradicts itself.
type Failure struct {
	What string
	err  error // nil: it was a panic
}

// WithoutRaces is the assumption of a verdict by a search that was not to look for data races.
const WithoutRaces = "there are no data races: they were not looked for"

// Failed is the beginning of every error and every assumption of a verdict about a failure of Pangolin.
const Failed = "pangolin itself has failed"

func (f *Failure) Error() string { return Failed + ", please report it: " + f.What }

func (f *Failure) Unwrap() error { return f.err }

// Contradiction makes an error a Failure: two parts of Pangolin disagree, such as a search that has found a violation and an execution
// that does not show it.
func Contradiction(err error) error { return &Failure{err.Error(), err} }

// Recovered makes the failure of a recovered panic.
func Recovered(panicked any) *Failure {
	what, _, _ := strings.Cut(fmt.Sprint(panicked), "\n") // without the stack
	return &Failure{What: what}
}

// NoProof, deferred by an attempt at a proof, turns a failure within Pangolin into the verdict that there is no proof. It says nothing
// about the code.
func NoProof(v *verdict.Verdict, suspicious *bool, err *error) {
	var failed *Failure
	if r := recover(); r != nil {
		failed = Recovered(r)
	} else if !errors.As(*err, &failed) {
		return
	}
	v.Status, v.Cause, v.Reason, v.Proof = verdict.Unknown, verdict.Unsupported, "no proof: "+failed.Error(), nil
	*suspicious, *err = false, nil
}

// mechanism is an optional part of a search.
type mechanism struct {
	name  string
	used  func(*Job) bool // reports whether the job uses it
	leave func(*Job)
}

// mechanisms lists them in the order in which they are left out.
var mechanisms = []mechanism{
	{"points (-reduce)", func(j *Job) bool { return j.Reduce&vm.Points != 0 }, func(j *Job) { j.Reduce &^= vm.Points }},
	{"remembered steps (-reduce)", func(j *Job) bool { return j.Reduce&vm.RememberedSteps != 0 }, func(j *Job) { j.Reduce &^= vm.RememberedSteps }},
	{"several workers (-j)", func(j *Job) bool { return j.Workers > 1 }, func(j *Job) { j.Workers = 1 }},
	{"any reduction (-reduce)", func(j *Job) bool { return j.Reduce&^(vm.RememberedSteps|vm.Points) != 0 }, func(j *Job) { j.Reduce = 0 }},
}

// plainer lists jobs that lack one of the mechanisms that a job uses, and at last all of them; lack names what each lacks.
func plainer(j *Job) (jobs []*Job, lack []string) {
	plainest, names := *j, []string(nil)
	for _, m := range mechanisms {
		if !m.used(j) {
			continue
		}
		one := *j
		m.leave(&one)
		m.leave(&plainest)
		jobs, lack, names = append(jobs, &one), append(lack, m.name), append(names, m.name)
	}
	if len(names) > 1 {
		jobs, lack = append(jobs, &plainest), append(lack, strings.Join(names, ", "))
	}
	return jobs, lack
}

// Persist runs the engine on a job. If that fails within Pangolin, it tries again without the mechanisms that may be to blame, and the
// verdict says so. If the plainest search fails too, the error is the first failure.
func (e *Engine) Persist(ctx context.Context, j *Job, ev Events) (verdict.Verdict, error) {
	own := *j
	own.Reduce &= e.Reductions
	v, err := e.try(ctx, &own, ev)
	var first *Failure
	if !errors.As(err, &first) {
		return v, err
	}
	jobs, lack := plainer(&own)
	for i, job := range jobs {
		if ctx.Err() != nil {
			break
		}
		w, err := e.try(ctx, job, ev)
		if errors.As(err, new(*Failure)) {
			continue
		}
		w.Assumptions = append(w.Assumptions, fmt.Sprintf("searched without %s, with which %s, please report it: %s", lack[i], Failed, first.What))
		return w, err
	}
	return v, first
}

// try runs the engine and turns a panic into an error.
func (e *Engine) try(ctx context.Context, j *Job, ev Events) (v verdict.Verdict, err error) {
	defer func() {
		if r := recover(); r != nil {
			v, err = verdict.Verdict{}, Recovered(r)
		}
	}()
	return e.Run(ctx, j, ev)
}
