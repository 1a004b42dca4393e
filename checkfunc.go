// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pangolin/internal/subject"
	"pangolin/verdict"
)

// CheckFunc executes a function of a test under every interleaving of the goroutines that it
// starts, with every decision that Go leaves open:
//
//	func TestTwoWriters(t *testing.T) {
//		pangolin.CheckFunc(t, func() {
//			var wg sync.WaitGroup
//			q := NewQueue()
//			wg.Go(func() { q.Put(1) })
//			wg.Go(func() { q.Put(2) })
//			wg.Wait()
//			if n := q.Len(); n != 2 {
//				t.Errorf("%d items", n)
//			}
//		})
//	}
//
// The test fails if some execution calls t.Error, t.Fatal or the like, panics, has a data race,
// deadlocks, never ends, or leaves a goroutine behind that waits for what nobody who may still move can
// reach, and prints each of these with a shortest schedule that leads to it, those that are alike once. It
// fails as well if not everything could be explored, with the reason.
//
// What was found is kept as witnesses in testdata/pangolin, in a directory with the test's name, and executed first the next time: what
// still goes wrong fails the test without a search, and what does not is removed. "pangolin replay" shows one step by step; run with
// -artifacts, the test keeps a page on which to step through them, and the result as JSON.
//
// The function is never called natively: the machine executes the test from its beginning, without
// other calls of this package, up to and through this call. So the function may use whatever the
// test has made before, and what comes before it must be something that the machine can execute, and
// must not depend on the disk, the environment or the time. The test has to be a test function of
// a package of its own; TestMain is not executed.
//
// Timers fire at any moment, unless it is told VirtualTime. Then the function may look at the clock and assert what has passed; Deadline
// asserts that the function returns in time:
//
//	pangolin.CheckFunc(t, fetch, pangolin.Deadline(2*time.Second))
//
// What the machine does not execute, or what is too large for it, can be tested as gc compiles it: Schedules.
//
// The test's own deadline and what the test cache knows are as with Check.
func CheckFunc(t testing.TB, f func(), with ...CheckOption) {
	t.Helper()
	_ = f // its source is executed
	ctx, cancel := untilDeadline(t)
	defer cancel()
	r := Request{Search: Search{Min: true, Scenes: keepsArtifacts(t)}}
	err := r.options(with)
	if err == nil {
		r.Packages, err = testedPackages(t.Name(), stack(t))
	}
	if err != nil {
		t.Fatalf("pangolin: %v", err)
		return
	}
	call := nextCall(t)
	r.Out = filepath.Join("testdata", "pangolin", filepath.FromSlash(t.Name()))
	r.Events.Note = func(text string) { t.Logf("pangolin: %s", text) }
	r.Program.Test, _, _ = strings.Cut(t.Name(), "/")
	r.Program.Args = []string{fmt.Sprintf("-pangolin.call=%s#%d", t.Name(), call), "-test.short=" + strconv.FormatBool(isShort(t))}
	s, end, err := r.testWithFiles(ctx, t)
	if err != nil {
		t.Fatalf("pangolin: %v", err)
		return
	}
	defer end()
	if r.fails(t, s, call) {
		return
	}
	to := r.Out
	r.Out = ""
	v, err := r.run(ctx, s)
	r.Out = to
	if err == nil && r.samples() && v.Status == verdict.Unknown {
		if v.Cause != verdict.Testing || v.Sampled.Schedules == 0 {
			t.Errorf("pangolin: %s", v.Reason)
			return
		}
		t.Logf("pangolin: %s", v.Reason)
		return
	}
	if v.Outcomes != nil && len(v.Outcomes.List) > 0 {
		r.tellOutcomes(t, v, call)
	}
	if err != nil {
		t.Fatalf("pangolin: %v", err)
	}
}

// CheckOption configures CheckFunc.
type CheckOption string

// Deadline asserts that the function returns so soon: it fails where it has not, with what it does then and how it goes on. The time is that of
// VirtualTime, which this implies: what the code does takes none, and it goes on to the next timer only when nobody can move.
func Deadline(d time.Duration) CheckOption {
	return CheckOption(deadlinePrefix + strconv.FormatInt(int64(d), 10))
}

// deadlinePrefix stands in an option before a number of nanoseconds. The model of CheckFunc reads it.
const deadlinePrefix = "deadline="

// Schedules has the function executed n times as gc compiles it, natively, under schedules that are drawn at random: for what the machine does not
// execute (files, connections, assembly), or what is too large. That is testing, not proof: a test that passes has had no violation in so many
// schedules. A timer fires when nobody else can move. Goroutine leaks are not looked for. The test has to import module pangolin/check (check.Schedules), since
// one that links this package is not executed in this way.
func Schedules(n int) CheckOption { return CheckOption(schedulesPrefix + strconv.Itoa(n)) }

// schedulesPrefix stands in an option before a number of schedules.
const schedulesPrefix = "schedules="

// options takes the options of CheckFunc.
func (r *Request) options(with []CheckOption) error {
	asked := false
	for _, option := range with {
		if strings.HasPrefix(string(option), deadlinePrefix) {
			asked = true
			continue
		}
		if n, ok := strings.CutPrefix(string(option), schedulesPrefix); ok {
			number, err := strconv.Atoi(n)
			if err != nil || number < 1 {
				return fmt.Errorf("Schedules(%s): at least one schedule is needed", n)
			}
			r.Engine, r.Scope.Schedules = "schedules", number
			continue
		}
		r.Search.Time = string(option)
	}
	if r.samples() {
		if CheckOption(r.Search.Time) == AnyTime {
			return errors.New("Schedules executes compiled code in virtual time: leave out AnyTime")
		}
		r.Search.Time = string(VirtualTime)
	}
	if asked && CheckOption(r.Search.Time) == AnyTime {
		return errors.New("a Deadline is about virtual time, in which timers do not fire at any moment: leave out AnyTime")
	}
	if asked {
		r.Search.Time = string(VirtualTime)
	}
	_, err := subject.ParseTime(r.Search.Time)
	return err
}

// Options of CheckFunc. With VirtualTime the clock goes on to the next timer only when nobody can move, as in a bubble of package
// testing/synctest; with AnyTime, which is usual, timers fire at any moment.
const (
	VirtualTime = CheckOption(subject.VirtualTime)
	AnyTime     = CheckOption(subject.AnyTime)
)

// testWithFiles loads a test, whose files become inputs of the test cache. It is used until end is called.
func (r *Request) testWithFiles(ctx context.Context, t testing.TB) (s *subject.Subject, end func(), err error) {
	end = func() {}
	if r.samples() {
		s, end, err = r.compiledTest(ctx)
	} else {
		s, err = r.program(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	return s, end, readFiles(t, s.Directories)
}

// fails executes what was kept of this call of CheckFunc, and reports what still goes wrong.
func (r *Request) fails(t testing.TB, s *subject.Subject, call int) bool {
	t.Helper()
	list := r.stillShown(s, r.Out, func(file string, err error) {
		t.Logf("pangolin: %s no longer shows a violation (%v) and is removed", file, err)
	})
	for i := range list {
		w := list[i].Execution
		t.Errorf("still VIOLATED, by the witness %s:\n%s\n%s", list[i].Witness, printed(t, w), rerun(t))
		keepWitness(t, fmt.Sprintf("%s-call%d-%d", s.About.Collection, call, i+1), w)
	}
	return len(list) > 0
}

// testedPackages returns the package in which a test in progress is declared: the one of a function of that name in the stack below
// CheckFunc, without the suffix that the path of external tests has.
func testedPackages(name string, stack []string) ([]string, error) {
	top, _, _ := strings.Cut(name, "/")
	for _, called := range stack {
		if path, function := splitFunction(called); function == top || strings.HasPrefix(function, top+".") {
			return []string{strings.TrimSuffix(path, "_test")}, nil
		}
	}
	return nil, fmt.Errorf("CheckFunc is not called by a function %s, so the source of the test cannot be found", top)
}

// tellOutcomes reports how a test can end: what is wrong comes first, and once where it is alike.
func (r *Request) tellOutcomes(t testing.TB, v verdict.Verdict, call int) {
	t.Helper()
	t.Attr("pangolin."+v.Collection, fmt.Sprintf("%s outcomes=%d states=%d", v.Status, len(v.Outcomes.List), v.States))
	list, count := once(v.Outcomes.List), map[string]int{}
	for i := range list {
		o := &list[i]
		as := finding(o).As
		if count[as]++; o.Execution != nil {
			o.Witness = r.keep(fmt.Sprintf("call%d-%s-%d.json", call, as, count[as]), t.Name(), o.Execution)
		}
	}
	for _, o := range v.Outcomes.List {
		if o.Good() { // a schedule in which the test passes is of no use
			o.Schedule, o.Execution = nil, nil
			list = append(list, o)
		}
	}
	outcomes := *v.Outcomes
	outcomes.List, v.Outcomes = list, &outcomes
	text := printed(t, v)
	keep(t, fmt.Sprintf("%s-call%d", v.Collection, call), v)
	if v.Status == verdict.Verified {
		t.Log(text)
		return
	}
	t.Error(text + "\n\n" + rerun(t))
}
