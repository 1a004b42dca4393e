// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Testing selects the tests of packages and says how much of each is explored.
type Testing struct {
	// Run selects tests by name; nil: all.
	Run *regexp.Regexp
	// Short is the answer of testing.Short.
	Short bool
	// Parallel is how many tests are explored at a time; 0: one.
	Parallel int
	// Total is the time after which no test is begun; 0: none.
	Total time.Duration
	// Each is called with each result, in the order of packages and of their sources; nil: nobody is told.
	Each func(verdict.Tested)
}

const (
	// UsualTestStates is the number of states after which the exploration of a test ends, if Search.MaxStates says nothing else.
	UsualTestStates = 20_000
	// briefTestStates is the limit at first: the short tests come before the long ones.
	briefTestStates = 1_000
)

// Test explores every interleaving of the tests of packages, each from the state of a fresh process: first all within few states, then those
// that are not done to the limit. The request's limits are for each test. A found outcome is kept as a witness, in Out or, if that is "",
// in testdata/pangolin of its package; what was kept is executed first, and fails the test without a search if it still shows. The error lists
// packages that cannot be loaded, and tests that cannot be compiled.
func Test(ctx context.Context, r Request, o Testing) ([]verdict.Tested, error) {
	r.Search.MaxStates = cmp.Or(r.Search.MaxStates, UsualTestStates)
	if err := r.validate(); err != nil {
		return nil, err
	}
	if len(r.Packages) == 0 {
		r.Packages = []string{"."}
	}
	all, failed, err := subject.Tests(ctx, r.Dir, r.Packages)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	var out []verdict.Tested
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(t *subject.Test) bool { return t.Package() != all[0].Package() })
		if n < 0 {
			n = len(all)
		}
		run := &testRun{request: r, Testing: o, began: began}
		for _, t := range all[:n] {
			if o.Run == nil || o.Run.MatchString(t.Name) {
				run.tests = append(run.tests, &oneTest{Test: t, run: run})
			}
		}
		list, err := run.explore(ctx)
		failed = append(failed, err...)
		for _, t := range list {
			if o.Each != nil {
				o.Each(t)
			}
		}
		out = append(out, list...)
		if ctx.Err() != nil {
			return out, ErrInterrupted
		}
		all = all[n:]
	}
	return out, errors.Join(failed...)
}

// testRun explores the tests of one package.
type testRun struct {
	Testing
	request Request
	began   time.Time
	tests   []*oneTest
}

// oneTest is a test that is explored.
type oneTest struct {
	*subject.Test
	run    *testRun
	loaded *subject.Subject
	result verdict.Tested
	done   bool
	err    error
}

// explore explores the tests twice: within few states, and to the limit.
func (r *testRun) explore(ctx context.Context) (list []verdict.Tested, failed []error) {
	limit := r.request.Search.MaxStates
	for _, states := range []uint64{min(briefTestStates, limit), limit} {
		var wait sync.WaitGroup
		places := make(chan bool, max(r.Parallel, 1))
		for _, t := range r.tests {
			if t.done || ctx.Err() != nil {
				continue
			}
			places <- true
			wait.Go(func() {
				t.explore(ctx, states, states == limit)
				<-places
			})
		}
		wait.Wait()
	}
	for _, t := range r.tests {
		if t.err != nil {
			failed = append(failed, fmt.Errorf("%s.%s: %w", t.Package(), t.Name, t.err))
			continue
		}
		list = append(list, t.result)
	}
	return list, failed
}

// explore explores the test within a number of states; last: it is the limit that the user knows.
func (t *oneTest) explore(ctx context.Context, states uint64, last bool) {
	seconds := t.result.Seconds
	t.result = verdict.Tested{Package: t.Package(), Name: t.Name, Kind: t.Kind, Result: verdict.TestNotBegun, Seconds: seconds}
	if total := t.run.Total; total > 0 && time.Since(t.run.began) > total {
		t.result.Why, t.done = fmt.Sprintf("the time for all tests, %v, was over", total), true
		return
	}
	r := t.run.request
	r.Packages, r.Search.MaxStates, r.Search.Min = []string{t.Package()}, states, false
	r.Program = Program{Test: t.Name, Args: []string{fmt.Sprintf("-test.short=%t", t.run.Short)}, Leaks: r.Program.Leaks}
	if t.loaded == nil {
		s, err := t.Load(ctx, &subject.Program{Dir: r.Dir, Patterns: r.Packages, Args: r.Program.Args, Time: subject.Time(r.Search.Time)})
		if err != nil {
			t.refused(ctx, err)
			return
		}
		t.loaded = s
		if t.again(&r) {
			t.done = true
			return
		}
	}
	ctx, cancel := r.within(ctx) // compiling is not counted
	defer cancel()
	v, err := r.run(ctx, t.loaded)
	if v.Outcomes == nil {
		t.refused(ctx, err)
		return
	}
	t.judge(&v)
	t.done = last || t.result.Result != verdict.TestToLimit || v.Outcomes.Limit == "" || ctx.Err() != nil
	if t.result.Result == verdict.TestFound {
		t.show(ctx, &r)
	}
	if t.done {
		t.loaded = nil
	}
}

// refused is for what cannot be compiled or executed at all, or was not compiled before the time was over.
func (t *oneTest) refused(ctx context.Context, err error) {
	t.done, t.loaded = true, nil
	if ctx.Err() != nil {
		t.result.Result, t.result.Why = verdict.TestToLimit, "the limit on time was reached before anything was executed"
		return
	}
	t.result.Result, t.result.Why = verdict.TestNotExecutable, oneLine(err.Error())
}

func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\n", "; ")), " ")
}

// judge makes the result of an exploration.
func (t *oneTest) judge(v *verdict.Verdict) {
	r := &t.result
	r.States, r.Seconds, r.Verdict, r.Assumptions, r.Found = v.States, r.Seconds+v.Seconds, v, v.Assumptions, nil
	seen := map[string]bool{}
	for i := range v.Outcomes.List {
		if out := &v.Outcomes.List[i]; !out.Good() && !seen[sameAs(out)] {
			seen[sameAs(out)] = true
			r.Found = append(r.Found, finding(out))
		}
	}
	switch o := v.Outcomes; {
	case len(r.Found) > 0:
		r.Result = verdict.TestFound
	case o.Fault != "":
		r.Result, r.Why = verdict.TestNotExecutable, oneLine(o.Fault)
	case !o.Complete:
		r.Result, r.Why = verdict.TestToLimit, o.Limit
	default:
		r.Result = verdict.TestWhole
	}
}

// show looks for a shortest execution of each outcome, and keeps those of what was found.
func (t *oneTest) show(ctx context.Context, r *Request) {
	with := *r
	with.Search.Min, with.Out = true, ""
	v, err := with.run(ctx, t.loaded)
	if err != nil && v.Outcomes == nil || len(v.Outcomes.List) == 0 {
		return // the time was over: what was found stands
	}
	states, seconds := t.result.States, t.result.Seconds
	t.judge(&v)
	t.result.States = max(states, v.States)
	t.result.Seconds = seconds + v.Seconds
	t.result.Found = nil
	count, seen := map[string]int{}, map[string]bool{}
	for i := range v.Outcomes.List {
		out := &v.Outcomes.List[i]
		if out.Good() {
			out.Execution, out.Schedule = nil, nil
			continue
		}
		if seen[sameAs(out)] {
			continue
		}
		seen[sameAs(out)] = true
		f := finding(out)
		if count[f.As]++; out.Execution != nil {
			out.Witness = t.keep(r, fmt.Sprintf("%s-%d.json", f.As, count[f.As]), out.Execution)
			f.Witness = out.Witness
		}
		t.result.Found = append(t.result.Found, f)
	}
}

// directory is where the witnesses of the test are kept.
func (t *oneTest) directory(r *Request) string {
	if r.Out != "" {
		return filepath.Join(r.Out, filepath.FromSlash(t.Package()), t.Name)
	}
	dir := t.Directory()
	if here, err := filepath.Abs(r.Dir); err == nil && r.Dir == "" {
		if below, err := filepath.Rel(here, dir); err == nil && filepath.IsLocal(below) {
			dir = below
		}
	}
	return filepath.Join(dir, "testdata", "pangolin", t.Name)
}

func (t *oneTest) keep(r *Request, name string, w *verdict.Witness) string {
	to := *r
	to.Out = t.directory(r)
	return to.keep(name, t.Name, w)
}

// again executes the kept witnesses of the test. It reports whether some still shows what it was kept for; the others are removed.
func (t *oneTest) again(r *Request) bool {
	files, _ := filepath.Glob(filepath.Join(t.directory(r), "*.json")) // the pattern is well formed
	for _, file := range files {
		w, err := readWitness(file)
		if err == nil && (w.Source.Time != r.Search.Time || !slices.Equal(w.Source.Args, r.Program.Args)) {
			continue // of another notion of time, or of a run with -short
		}
		if err == nil {
			w, err = r.replayed(t.loaded, w)
		}
		if err != nil || w.Ending == nil {
			r.Events.note("%s: the witness %s no longer shows anything and is removed", t.Name, file)
			if err := os.Remove(file); err != nil {
				r.Events.note("%v", err)
			}
			continue
		}
		f := finding(w.Ending)
		f.Witness = file
		t.result.Found = append(t.result.Found, f)
		end := *w.Ending
		end.Execution, end.Witness = w, file
		if t.result.Verdict == nil {
			t.result.Verdict = &verdict.Verdict{Subject: t.loaded.About, Status: verdict.Violated}
			t.result.Verdict.Outcomes = &verdict.Outcomes{}
		}
		list := &t.result.Verdict.Outcomes.List
		*list = append(*list, end)
		t.result.Result, t.result.Again = verdict.TestFound, true
	}
	return t.result.Again
}

// replayed executes a witness of a program that is loaded.
func (r *Request) replayed(s *subject.Subject, w *verdict.Witness) (*verdict.Witness, error) {
	e, err := r.engine(true)
	if err != nil {
		return nil, err
	}
	return e.Replay(s, w)
}

// sameAs tells outcomes apart of which each is shown: failures are one if the same lines of the test report them, whatever they say.
func sameAs(o *verdict.Outcome) string {
	if o.Kind != verdict.Exited {
		return finding(o).Text
	}
	var places []string
	for _, m := range reportedAt.FindAllString(o.Stdout, -1) {
		if !slices.Contains(places, m) {
			places = append(places, m)
		}
	}
	slices.Sort(places)
	if len(places) == 0 {
		return finding(o).Text
	}
	return strings.Join(places, "\n")
}

// reportedAt matches the place at the beginning of a line of a test's log.
var reportedAt = regexp.MustCompile(`(?m)^ +[\w.-]+\.go:\d+: `)

// finding describes an abnormal outcome.
func finding(o *verdict.Outcome) verdict.TestFinding {
	f := verdict.TestFinding{As: string(o.Kind)}
	var lines []string
	switch o.Kind {
	case verdict.Exited:
		f.As = "failure"
		lines = []string{o.Stdout, o.Stderr}
		if strings.TrimSpace(o.Stdout+o.Stderr) == "" {
			lines = []string{fmt.Sprintf("exit status %d", *o.Exit)}
		}
	case verdict.Panicked:
		lines = []string{o.Panic}
	case verdict.Raced:
		for _, a := range o.Race {
			lines = append(lines, a.String())
		}
	default:
		for _, s := range o.Involved {
			lines = append(lines, s.String())
		}
	}
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	f.Text = strings.TrimSpace(strings.Join(lines, "\n"))
	return f
}
