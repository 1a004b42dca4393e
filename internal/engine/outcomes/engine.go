// SPDX-License-Identifier: BSD-3-Clause

package outcomes

import (
	"context"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/explore"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Engine returns the engine outcomes.
func Engine() engine.Engine {
	return engine.Engine{Name: name, Doc: "every outcome of a program", Program: true, Run: decide, Replay: replay, Single: single, Reductions: Applicable}
}

// decide explores the program of a job. An error, such as an instruction that the machine does not support, may come with a verdict about
// what was explored before.
func decide(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Verdict, error) {
	opt := Options{Reductions: j.Reduce, Workers: j.Workers, MaxStates: j.MaxStates, MaxBytes: j.MaxBytes, Schedules: j.Shortest, Scenes: j.Scenes, Leaks: j.Leaks, CutOff: j.CutOff}
	if ev.Progress != nil {
		opt.Progress = func(p explore.Progress) {
			ev.Progress(engine.Progress{States: p.States, Transitions: p.Transitions, Bytes: p.Bytes, Depth: p.Depth})
		}
	}
	began := time.Now()
	r, err := Explore(ctx, j.Subject.Prog, j.Subject.Main, opt)
	if err != nil {
		return verdict.Verdict{}, err
	}
	v := r.Verdict()
	about := *j.Subject
	about.Source.Clock = int(r.Clock.Form)
	v.Outcomes.Time = string(subject.TimeOf(r.Clock))
	v.Assumptions = subject.TimeAssumptions(j.Subject.Prog, r.Clock)
	if j.CutOff {
		v.Assumptions = append(v.Assumptions, cutOffNote)
	}
	v.Seconds = time.Since(began).Seconds()
	quote(v.Outcomes, &about)
	switch {
	case r.Fault == nil:
		return v, nil
	case r.Fault.Kind == vm.FaultLocal: // a limit on local steps
		if ev.Note != nil {
			ev.Note(r.Fault.Error())
		}
		return v, nil
	}
	return v, r.Fault
}

// cutOffNote is what a verdict says if goroutines of main do not count as leaks.
const cutOffNote = "goroutines that main or the test starts itself may wait when it ends (-leaks main)"

// quote adds source lines to the schedules of outcomes, and the program's name to their witnesses.
func quote(o *verdict.Outcomes, s *subject.Subject) {
	for i := range o.List {
		if w := o.List[i].Execution; w != nil {
			finish(w, s)
		}
		for _, steps := range [][]verdict.OutcomeStep{o.List[i].Schedule, o.List[i].Cycle} {
			for k := range steps {
				steps[k].Source = s.Lines.Line(steps[k].File, steps[k].Line)
			}
		}
	}
}
