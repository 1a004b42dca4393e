// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"context"
	"reflect"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/engine/outcomes"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// mostPolling is how many states a program of the table has at most that polls for ever.
const mostPolling = 100

// TestTime_WitnessesReplay writes the witness of each outcome of each program of the table, under both notions of time, reads it where the
// program has been loaded with the notion of time that it names, and executes it: it ends as the outcome says, and each of its steps is there.
// A program that polls for ever has one outcome, and few states.
func TestTime_WitnessesReplay(t *testing.T) {
	e := outcomes.Engine()
	loads := together(t, timedSources())
	replayed := 0
	for i, p := range timedPrograms {
		if level.Short() && i%4 != 0 {
			continue
		}
		prog, err := loads[i]()
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		for _, time := range []subject.Time{subject.AnyTime, subject.VirtualTime} {
			of := func(time subject.Time) *subject.Subject {
				copied := *prog
				copied.Clock = subject.ClockOf(prog, time)
				return &subject.Subject{Prog: &copied, Main: prog.Roots[0], Lines: &subject.Lines{}, Source: verdict.Source{Program: true, Time: string(time)}}
			}
			search := engine.Search{Reduce: outcomes.Applicable, MaxStates: 20_000, Shortest: true}
			v, err := e.Decide(context.Background(), &engine.Job{Subject: of(time), Property: verdict.Property(e.Name), Search: search}, engine.Events{})
			if err != nil {
				t.Errorf("%s, time %s: %v", p.name, time, err)
				continue
			}
			if list := v.Outcomes.List; v.Outcomes.Complete && list[0].Kind == verdict.Endless && (len(list) > 1 || v.States > mostPolling) {
				t.Errorf("%s, time %s: %d outcomes, %d states; polling for ever is one outcome, of a few states", p.name, time, len(list), v.States)
			}
			for k := range v.Outcomes.List {
				o := &v.Outcomes.List[k]
				if o.Execution == nil {
					t.Errorf("%s, time %s: %s %q has no execution", p.name, time, o.Kind, o.Stdout)
					continue
				}
				text, err := o.Execution.Text()
				if err != nil {
					t.Fatal(err)
				}
				w, err := verdict.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				now, err := e.Replay(of(subject.Time(w.Source.Time)), w)
				if err != nil {
					t.Errorf("%s, time %s: %s %q: %v", p.name, time, o.Kind, o.Stdout, err)
					continue
				}
				replayed++
				if !reflect.DeepEqual(now.Steps, w.Steps) || !reflect.DeepEqual(now.Ending, w.Ending) {
					t.Errorf("%s, time %s: %s %q: another execution:\n%v\nwas\n%v", p.name, time, o.Kind, o.Stdout, now.Steps, w.Steps)
				}
			}
		}
	}
	t.Logf("%d witnesses", replayed)
}
