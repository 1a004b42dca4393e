// SPDX-License-Identifier: BSD-3-Clause

package schedules

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/facts"
	"pangolin/internal/native"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Tests of a package, executed whole: the client is one thread with one call, that of the test. What can go wrong are the outcomes of programs, but for
// leaks: nobody knows what goroutines of compiled code can reach.

// callArgument stands before the name and the number of a call of CheckFunc, as in the machine's model of package testing.
const callArgument, shortArgument = "-pangolin.call=", "-test.short=true"

// testPackage are the compiled tests of one package.
type testPackage struct {
	*subject.TestPackage
	sampler *native.Sampler
	call    string // the call of CheckFunc to which the runner's tests come
}

func compileTests(ctx context.Context, p *subject.TestPackage) (e engine.Engine, end func(), why string, err error) {
	if elsewhere() {
		return e, nil, otherPlatform, nil
	}
	sampler, err := native.NewTests(ctx, native.TestPackage{Dir: p.Dir, Package: p.Package, Name: p.Name, External: p.External, Tests: p.Names, TestMain: p.TestMain}, native.Options{})
	switch {
	case ctx.Err() != nil:
		return e, nil, "the time was up before the code was compiled", nil
	case errors.Is(err, native.ErrElsewhere):
		return e, nil, "the changed runtime does not execute it: " + strings.TrimPrefix(err.Error(), native.ErrElsewhere.Error()+": "), nil
	case err != nil:
		return e, nil, "", err
	}
	t := &testPackage{TestPackage: p, sampler: sampler}
	return engine.Engine{Name: "schedules", Program: true, Compiled: true, Run: t.run, Replay: t.replay}, sampler.Close, "", nil
}

const (
	testChunk     = 100 // schedules that are drawn before it is asked whether something was found
	mostDifferent = 8   // findings of a chunk that are shown
)

// open is a search for one test, with its client.
func (t *testPackage) open(j *engine.Job) (*search, client.Client, error) {
	job := *j
	job.Scope.Preempt = -1 // as is usual
	ways, err := waysOf(&job)
	if err != nil {
		return nil, client.Client{}, err
	}
	number := slices.Index(t.Names, j.Subject.Source.Test)
	if number < 0 {
		return nil, client.Client{}, fmt.Errorf("there is no test %s in %s", j.Subject.Source.Test, t.Package)
	}
	short, call := int64(0), ""
	for _, arg := range j.Subject.Source.Args {
		if arg == shortArgument {
			short = 1
		}
		if name, ok := strings.CutPrefix(arg, callArgument); ok {
			call = name
		}
	}
	if call != t.call {
		t.sampler.Calls(call)
		t.call = call
	}
	s := &search{job: &job, sampler: t.sampler, ways: ways, known: map[native.Site]bool{}, test: true}
	return s, client.Client{Threads: [][]client.Step{{{Op: number, Args: history.Ints(short)}}}}, nil
}

// run draws schedules of a test until some are wrong or there were enough.
func (t *testPackage) run(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Verdict, error) {
	s, c, err := t.open(j)
	if err != nil {
		return verdict.Verdict{}, err
	}
	began := time.Now()
	s.events = ev
	seed := max(j.Drawn.Seed, 1)
	total := orElse(j.Drawn.Schedules, engine.DefaultTestSchedules)
	s.sampled = verdict.Sampled{Seed: seed, Ways: []string{}}
	for _, w := range s.ways {
		s.sampled.Ways = append(s.sampled.Ways, nameOf(w))
	}
	o := &verdict.Outcomes{List: []verdict.Outcome{}, Reductions: []string{}, Time: string(subject.VirtualTime)}
	end := func(v verdict.Verdict) (verdict.Verdict, error) {
		if v.Status == "" {
			v = s.verdict()
		}
		if len(o.List) > 0 {
			v.Status, v.Cause = verdict.Violated, ""
			v.Reason = fmt.Sprintf("testing ended after %d schedules, seed %d", s.sampled.Schedules, seed)
		}
		o.Limit, v.Outcomes, v.Sampled = v.Reason, o, &s.sampled
		v.Scope, v.Seconds = verdict.Scope{}, time.Since(began).Seconds()
		return v, nil
	}
	for from := 0; from < total && len(o.List) == 0; from += testChunk {
		q := native.Sampling{Seed: mixed(seed, 0), From: from, Count: min(testChunk, total-from)}
		a, v, err := s.draw(ctx, c, &q)
		if err != nil {
			return verdict.Verdict{}, err
		}
		if v.Status != "" {
			return end(v)
		}
		list, v, err := s.different(ctx, c, q.Seed, a.Drawn)
		if err != nil {
			return verdict.Verdict{}, err
		}
		for _, f := range list {
			if shown := s.shownTest(ctx, f); shown != nil {
				o.List = append(o.List, *shown.Ending)
				o.List[len(o.List)-1].Execution = shown
			}
		}
		if v.Status != "" {
			return end(v)
		}
		if ctx.Err() != nil {
			s.sampled.Asked = total
			break
		}
		s.tell()
	}
	return end(verdict.Verdict{})
}

var digits = regexp.MustCompile(`[0-9]+`)

// different are the executions that are wrong, those that differ in numbers only once.
func (s *search) different(ctx context.Context, c client.Client, seed uint64, drawn []native.Drawn) (list []*finding, ends verdict.Verdict, err error) {
	known := map[string]bool{}
	for _, d := range drawn {
		f := s.judgeTest(&d)
		if f == nil {
			continue
		}
		key := f.class + digits.ReplaceAllString(f.message, "#")
		if known[key] || len(list) == mostDifferent {
			continue
		}
		found, v, err := s.found(ctx, finding{client: c, seed: seed, drawn: d})
		if err != nil || v.Status != "" {
			return list, v, err
		}
		if found != nil {
			known[key] = true
			list = append(list, found)
		}
	}
	return list, verdict.Verdict{}, nil
}

// shownTest shrinks the schedule of an execution that is wrong, and follows it in a process of its own; nil if that does not show it.
func (s *search) shownTest(ctx context.Context, f *finding) *verdict.Witness {
	small, err := s.shrink(ctx, f)
	if err != nil {
		return nil
	}
	shown, err := s.afresh(context.WithoutCancel(ctx), small)
	if err == nil && shown == nil && small != f {
		shown, err = s.afresh(context.WithoutCancel(ctx), f)
	}
	if shown == nil || err != nil {
		s.sampled.Unrepeated++
		return nil
	}
	shown.seed, shown.drawn.Number, shown.drawn.Way = small.seed, small.drawn.Number, small.drawn.Way
	return s.testWitness(shown)
}

// classFailure is that of a test that fails; the others are those of collections.
const classFailure = "failure"

// judgeTest says what is wrong with an execution of a test; nil if nothing is.
func (s *search) judgeTest(d *native.Drawn) *fault {
	if races := d.Races; len(races) > 0 && !s.job.NoRaces {
		return &fault{class: classRace, message: strings.Join(races[0].Accesses, " and ")}
	}
	switch d.Ending {
	case native.Panic:
		return &fault{class: classPanic, message: firstLine(d.Text)}
	case native.Deadlock:
		return &fault{class: classDeadlock, message: strings.Join(d.Waits, " and ")}
	case native.Endless:
		return &fault{class: classLivelock, message: "goroutines run for ever, and nothing changes"}
	case native.Exit:
		if exitOf(d) != 0 {
			return &fault{class: classFailure, message: d.Out + d.Err}
		}
	}
	return nil
}

// exitOf is the exit status of a test that has come to its end.
func exitOf(d *native.Drawn) int {
	if d.Left {
		return d.Code
	}
	if len(d.Results) > 1 && len(d.Results[1]) == 1 && len(d.Results[1][0]) == 1 {
		if code, err := strconv.Atoi(d.Results[1][0][0]); err == nil {
			return code
		}
	}
	return 1
}

// testWitness describes an execution of a test that is wrong.
func (s *search) testWitness(f *finding) *verdict.Witness {
	d := &f.drawn
	o := verdict.Outcome{Stdout: d.Out, Stderr: d.Err}
	w := &verdict.Witness{Type: "witness", Version: verdict.Version, Source: s.job.Subject.Source, Subject: s.job.About(), Threads: 1}
	w.Schedule = verdict.Schedule{PreAdds: []verdict.Call{}, Turns: []verdict.Turn{}, Compiled: s.compiled(f)}
	w.Frames, w.Steps, w.History = []verdict.Frame{}, []verdict.Step{}, []verdict.Event{}
	// The first goroutine of all starts the one that executes the test, which is number 1 here.
	for i := 1; i < len(d.Starts); i++ {
		w.Goroutines = append(w.Goroutines, s.goroutine(d.Starts[i]))
	}
	w.Threads = max(1, len(w.Goroutines))
	for _, step := range d.Steps {
		if a := accessOf(step); a != nil && step.Thread > 0 && !strings.HasPrefix(step.Func, "check.") {
			w.Steps = append(w.Steps, verdict.Step{Thread: step.Thread, Access: a, Place: s.at(step.File, step.Line, step.Func)})
		}
	}
	w.Steps = w.Steps[:lastOwn(w.Steps)]
	status := 2
	switch f.class {
	case classFailure:
		status = exitOf(d)
		o.Kind, w.Message = verdict.Exited, "the test fails"
	case classPanic:
		o.Kind, o.Panic, w.Message = verdict.Panicked, d.Text, f.message
		w.Crash = &verdict.Crash{Thread: 1, Text: d.Text}
		if n := len(w.Steps); n > 0 { // who panics has the last turn
			w.Crash.Thread, o.At = w.Steps[n-1].Thread, []verdict.Place{w.Steps[n-1].Place}
		}
	case classRace:
		o.Kind, o.Race = verdict.Raced, s.conflicts(d.Races[0])
		w.Race, w.Message = o.Race, raceText(o.Race)
	case classDeadlock:
		o.Kind, o.Panic, w.Message = verdict.Deadlocked, "fatal error: all goroutines are asleep - deadlock!", "deadlock"
	default:
		o.Kind, w.Message = verdict.Endless, "the test never ends"
	}
	if o.Kind != verdict.Raced && o.Kind != verdict.Endless {
		o.Exit = &status
	}
	if o.Kind == verdict.Deadlocked || o.Kind == verdict.Endless {
		o.Involved = s.blocked(w, d)
		w.Waiting = o.Involved
	}
	w.Class, w.Ending = string(o.Kind), &o
	facts.Quote(w, s.job.Subject.Lines)
	return w
}

// lastOwn is the number of steps up to the last one that is not of package context, with which package testing ends a test.
func lastOwn(steps []verdict.Step) int {
	n := len(steps)
	for n > 0 && (strings.HasPrefix(steps[n-1].Place.Function, "context.") || isOutput(steps[n-1].Access)) {
		n--
	}
	return n
}

// goroutine is the name of a goroutine by the function that it began with. Package testing starts those of tests.
func (s *search) goroutine(start string) string {
	switch {
	case strings.HasPrefix(start, "main."):
		return "testing"
	case strings.HasPrefix(start, "testing.(*T).Run"):
		return s.job.Subject.Source.Test
	}
	return s.named(start[strings.LastIndexByte(start, '/')+1:])
}

// blocked describes the goroutines that do not go on. Those of package testing wait for the others.
func (s *search) blocked(w *verdict.Witness, d *native.Drawn) (list []verdict.Situation) {
	for _, b := range d.Blocked {
		t := b.Goroutine - 1
		if t < 1 || b.Func == "" || strings.HasPrefix(b.Func, "testing.") || strings.HasPrefix(b.Func, "main.") {
			continue
		}
		name := ""
		if t <= len(w.Goroutines) {
			name = w.Goroutines[t-1]
		}
		list = append(list, verdict.Situation{Thread: t, Goroutine: name, Waits: b.Reason != "", For: b.Reason, Place: s.at(b.File, b.Line, b.Func)})
	}
	return list
}

// replay executes a witness of a test again.
func (t *testPackage) replay(sub *subject.Subject, w *verdict.Witness) (*verdict.Witness, error) {
	c := w.Schedule.Compiled
	if c == nil {
		return nil, errors.New("the witness is not one of compiled code")
	}
	j := &engine.Job{Subject: sub, Search: engine.Search{NoRaces: !c.Races}}
	j.Subject.Source.Args = w.Source.Args
	s, call, err := t.open(j)
	if err != nil {
		return nil, err
	}
	now, err := s.again(context.Background(), call, w, classOf(w))
	if err != nil {
		return nil, err
	}
	now.Source, now.Subject, now.Schedule.Compiled.Way = w.Source, w.Subject, c.Way
	return now, nil
}

// classOf is the class that judgeTest gives to what a witness shows.
func classOf(w *verdict.Witness) string {
	switch w.Ending.Kind {
	case verdict.Exited:
		return classFailure
	case verdict.Panicked:
		return classPanic
	case verdict.Raced:
		return classRace
	case verdict.Deadlocked:
		return classDeadlock
	}
	return classLivelock
}
