// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/internal/task"
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
	// UsualTestSchedules is the number of executions of a test by the engine schedules, if Scope.Sample.Schedules says nothing else.
	UsualTestSchedules = engine.DefaultTestSchedules
	// briefTestStates is the limit at first: the short tests come before the long ones.
	briefTestStates = 1_000
)

// Test explores every interleaving of the tests of packages, each from the state of a fresh process: first all within few states, then those
// that are not done to the limit. The request's limits are for each test. A found outcome is kept as a witness, in Out or, if that is "",
// in testdata/pangolin of its package; what was kept is executed first, and fails the test without a search if it still shows. Results are taken
// from the directory Search.Cache, and kept there. The error lists
// packages that cannot be loaded, and tests that cannot be compiled.
func Test(ctx context.Context, r Request, o Testing) ([]verdict.Tested, error) {
	r.Search.MaxStates = cmp.Or(r.Search.MaxStates, UsualTestStates)
	sampling := r
	if r.samples() {
		if r.Search.Time == string(subject.AnyTime) {
			return nil, errors.New("Request.Search.Time any contradicts the engine schedules, which executes tests in virtual time")
		}
		sampling.Search.Time, r.Search.Time = "", string(subject.VirtualTime)
	}
	if err := sampling.validate(); err != nil {
		return nil, err
	}
	if len(r.Packages) == 0 {
		r.Packages = []string{"."}
	}
	tested := r
	tested.Tests = true
	ctx, kept := tested.kept(ctx)
	defer r.tidy(kept)
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
		run := &testRun{request: r, Testing: o, began: began, kept: kept}
		if r.samples() {
			run.kept, run.Parallel = nil, 1 // one process answers
		}
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
	kept    *task.Kept // nil: no results are
	tests   []*oneTest
	// Of compiled tests: the engine that executes those of the package, or why there is none.
	engine    *engine.Engine
	otherwise string
}

// oneTest is a test that is explored.
type oneTest struct {
	*subject.Test
	run    *testRun
	loaded *subject.Subject
	kept   *task.KeptTest // nil: its result is not
	result verdict.Tested
	done   bool
	err    error
}

// compile compiles the tests for the engine schedules, if that is to execute them.
func (r *testRun) compile(ctx context.Context) (end func(), err error) {
	end = func() {}
	var some []*subject.Test
	for _, t := range r.tests {
		if t.Kind == verdict.ATest {
			some = append(some, t.Test)
		}
	}
	if !r.request.samples() || len(some) == 0 {
		return end, nil
	}
	e, end, why, err := r.request.compiled(ctx, some)
	if err != nil || why != "" {
		r.otherwise = why
		return func() {}, err
	}
	r.engine = &e
	return end, nil
}

// explore explores the tests twice: within few states, and to the limit.
func (r *testRun) explore(ctx context.Context) (list []verdict.Tested, failed []error) {
	end, err := r.compile(ctx)
	if err != nil {
		return nil, []error{err}
	}
	defer end()
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
	if r.samples() {
		t.sample(ctx, &r)
		return
	}
	if t.loaded == nil {
		if t.place(&r); t.recalled(&r) {
			t.done = true
			return
		}
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
	if t.kept != nil {
		ctx = t.kept.Watch(ctx)
	}
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
		t.remember()
	}
}

// sample executes the test under schedules that are drawn.
func (t *oneTest) sample(ctx context.Context, r *Request) {
	switch {
	case t.Kind != verdict.ATest:
		t.refused(ctx, errors.New("the engine schedules executes functions TestX, no examples and no fuzz tests"))
		return
	case t.run.engine == nil:
		t.refused(ctx, errors.New(t.run.otherwise))
		return
	}
	t.done, r.Program.compiled = true, t.run.engine
	under := strings.TrimSuffix(t.Package(), "_test") // the go command lists both by that name
	t.loaded = t.Drive(&subject.Program{Dir: r.Dir, Patterns: []string{under}, Args: r.Program.Args, Time: subject.VirtualTime})
	defer func() { t.loaded = nil }()
	if t.again(r) {
		return
	}
	ctx, cancel := r.within(ctx)
	defer cancel()
	v, err := r.run(ctx, t.loaded)
	if v.Outcomes == nil {
		t.refused(ctx, err)
		return
	}
	v.Outcomes.List = once(v.Outcomes.List)
	count := map[string]int{}
	for i := range v.Outcomes.List {
		out := &v.Outcomes.List[i]
		as := finding(out).As
		count[as]++
		out.Witness = t.keep(r, fmt.Sprintf("schedule-%s-%d.json", as, count[as]), out.Execution)
	}
	t.judge(&v)
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
	r.States, r.Seconds, r.Verdict, r.Assumptions, r.Sampled, r.Found = v.States, r.Seconds+v.Seconds, v, v.Assumptions, v.Sampled, nil
	abnormal := once(v.Outcomes.List)
	for i := range abnormal {
		r.Found = append(r.Found, finding(&abnormal[i]))
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
	v.Outcomes.List = once(v.Outcomes.List)
	t.result.Found = nil
	count := map[string]int{}
	for i := range v.Outcomes.List {
		out := &v.Outcomes.List[i]
		as := finding(out).As
		if count[as]++; out.Execution != nil {
			out.Witness = t.keep(r, fmt.Sprintf("%s-%d.json", as, count[as]), out.Execution)
		}
		t.result.Found = append(t.result.Found, finding(out))
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
	list := r.stillShown(t.loaded, t.directory(r), func(file string, _ error) {
		r.Events.note("%s: the witness %s no longer shows anything and is removed", t.Name, file)
	})
	if len(list) == 0 {
		return false
	}
	t.result.Verdict = &verdict.Verdict{Subject: t.loaded.About, Status: verdict.Violated}
	t.result.Verdict.Outcomes = &verdict.Outcomes{List: list}
	for i := range list {
		t.result.Found = append(t.result.Found, finding(&list[i]))
	}
	t.result.Result, t.result.Again = verdict.TestFound, true
	return true
}

// Results of tests that were computed before are taken from a directory (doc/cache.md).

// testResult is what is kept of a test.
type testResult struct {
	Tested  verdict.Tested
	Verdict json.RawMessage // a record
}

// place finds where the result of the test is kept. Its text covers what the sources say of the test, and the seeds in testdata.
func (t *oneTest) place(r *Request) {
	if t.run.kept == nil {
		return
	}
	asked := r.asked()
	asked.Packages, asked.Search.MaxMemory, asked.Search.MaxStates = nil, 0, t.run.request.Search.MaxStates
	place, err := t.run.kept.Test(t.Package(), struct {
		Request *fields
		Text    string
		Apart   bool
	}{asked, t.Text(), t.Apart()})
	if err != nil {
		return // it has errors, which are told when it is loaded
	}
	t.kept = place
}

// recalled takes the result that is kept, unless there are other witnesses of the test than those that belong to it: they have to be executed.
func (t *oneTest) recalled(r *Request) bool {
	if t.kept == nil {
		return false
	}
	var before testResult
	ok, err := t.kept.Recall(&before)
	if err != nil {
		t.err = err
		return true
	}
	if !ok {
		return false
	}
	v, err := verdict.Decode(before.Verdict)
	if err != nil || v.Outcomes == nil {
		return false // damaged, and as good as absent
	}
	dir, own := t.directory(r), map[string][]byte{}
	for i := range v.Outcomes.List {
		if o := &v.Outcomes.List[i]; o.Witness != "" {
			text, err := o.Execution.Text()
			if err != nil {
				return false
			}
			own[filepath.Join(dir, o.Witness)] = append(text, '\n')
		}
	}
	for _, file := range r.witnesses(dir) {
		if text, err := os.ReadFile(file); err != nil || own[file] == nil || !bytes.Equal(text, own[file]) {
			return false
		}
	}
	t.result = before.Tested
	t.result.Verdict, t.result.Cached = v, true
	for i := range v.Outcomes.List {
		if o := &v.Outcomes.List[i]; o.Witness != "" {
			o.Witness = t.keep(r, o.Witness, o.Execution)
		}
	}
	if t.result.Result == verdict.TestFound {
		t.result.Found = nil
		for i := range v.Outcomes.List {
			if o := &v.Outcomes.List[i]; !o.Good() {
				t.result.Found = append(t.result.Found, finding(o))
			}
		}
	}
	return true
}

// remember keeps the result, if it is the same each time: no limit on time or memory has been met.
func (t *oneTest) remember() {
	v := t.result.Verdict
	if t.kept == nil || v == nil || t.result.Again || v.Outcomes.Limit != "" && v.Outcomes.Limit != limitOnStates {
		return
	}
	one, result := *v, t.result
	outcomes := *v.Outcomes
	outcomes.List = nil
	for _, o := range v.Outcomes.List {
		if !o.Good() && o.Execution == nil && t.result.Result == verdict.TestFound {
			return // there was no time to look for a schedule
		}
		if o.Witness != "" {
			o.Witness = filepath.Base(o.Witness)
		}
		outcomes.List = append(outcomes.List, o)
	}
	one.Outcomes = &outcomes
	whole, err := record(&one, result)
	if err == nil {
		one.Seconds, one.PeakBytes, result.Seconds = 0, 0, 0
		var same testResult
		if same, err = record(&one, result); err == nil {
			err = t.kept.Remember(whole, same)
		}
	}
	switch {
	case task.Conflicting(err):
		t.err = err
	case err != nil:
		t.run.request.Events.note("%s.%s: the result is not cached: %s", t.Package(), t.Name, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
}

func record(v *verdict.Verdict, result verdict.Tested) (testResult, error) {
	result.Verdict, result.Found = nil, nil
	text, err := verdict.Encode(v)
	return testResult{result, text}, err
}

// limitOnStates is what an exploration says that ended at its limit on states.
const limitOnStates = "the limit on states was reached"
