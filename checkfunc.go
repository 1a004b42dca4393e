// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

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
// reach, and prints each of these with a shortest schedule that leads to it. It
// fails as well if not everything could be explored, with the reason.
//
// The function is never called natively: the machine executes the test from its beginning, without
// other calls of this package, up to and through this call. So the function may use whatever the
// test has made before, and what comes before it must be something that the machine can execute, and
// must not depend on the disk, the environment or the time. The test has to be a test function of
// a package of its own; TestMain is not executed.
//
// Timers fire at any moment, unless it is told VirtualTime. Then the function may assert deadlines:
//
//	pangolin.CheckFunc(t, func() {
//		start := time.Now()
//		fetch()
//		if d := time.Since(start); d > 2*time.Second {
//			t.Errorf("took %v", d)
//		}
//	}, pangolin.VirtualTime)
//
// Deadlines and what the test cache knows are as with Check.
func CheckFunc(t testing.TB, f func(), with ...CheckOption) {
	t.Helper()
	_ = f // its source is executed
	ctx, cancel := untilDeadline(t)
	defer cancel()
	r := Request{Search: Search{Min: true}}
	for _, option := range with {
		r.Search.Time = string(option)
	}
	var err error
	r.Packages, err = testedPackages(t.Name())
	if err != nil {
		t.Fatalf("pangolin: %v", err)
		return
	}
	r.Program.Test, _, _ = strings.Cut(t.Name(), "/")
	r.Program.Args = []string{fmt.Sprintf("-pangolin.call=%s#%d", t.Name(), nextCall(t)), "-test.short=" + strconv.FormatBool(testing.Short())}
	v, err := runTest(ctx, r)
	if v.Outcomes != nil && len(v.Outcomes.List) > 0 {
		tellOutcomes(t, v)
	}
	if err != nil {
		t.Fatalf("pangolin: %v", err)
	}
}

// CheckOption configures CheckFunc.
type CheckOption string

// Options of CheckFunc. With VirtualTime the clock goes on to the next timer only when nobody can move, as in a bubble of package
// testing/synctest; with AnyTime, which is usual, timers fire at any moment.
const (
	VirtualTime = CheckOption(subject.VirtualTime)
	AnyTime     = CheckOption(subject.AnyTime)
)

// runTest explores a test, whose files become inputs of the test cache.
func runTest(ctx context.Context, r Request) (verdict.Verdict, error) {
	s, err := r.program(ctx)
	if err != nil {
		return verdict.Verdict{}, err
	}
	if err := readFiles(s.Directories); err != nil {
		return verdict.Verdict{}, err
	}
	return r.run(ctx, s)
}

// testedPackages returns the package in which a test in progress is declared: the one of a function of that name in the stack below
// CheckFunc, without the suffix that the path of external tests has.
func testedPackages(name string) ([]string, error) {
	top, _, _ := strings.Cut(name, "/")
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		frame, more := frames.Next()
		if path, function := splitFunction(frame.Function); function == top || strings.HasPrefix(function, top+".") {
			return []string{strings.TrimSuffix(path, "_test")}, nil
		}
		if !more {
			return nil, fmt.Errorf("CheckFunc is not called by a function %s, so the source of the test cannot be found", top)
		}
	}
}

// calls counts the calls of CheckFunc by each test.
var calls sync.Map // of *int by testing.TB

// nextCall is the number of this call of CheckFunc in its test, counted from 1.
func nextCall(t testing.TB) int {
	n, known := calls.LoadOrStore(t, new(int))
	if !known {
		t.Cleanup(func() { calls.Delete(t) })
	}
	*n.(*int)++ // a test calls it from one goroutine at a time
	return *n.(*int)
}

// tellOutcomes reports how a test can end.
func tellOutcomes(t testing.TB, v verdict.Verdict) {
	t.Helper()
	for i := range v.Outcomes.List {
		if o := &v.Outcomes.List[i]; o.Kind == verdict.Exited && *o.Exit == 0 {
			o.Schedule = nil // a schedule in which the test passes is of no use
		}
	}
	t.Attr("pangolin."+v.Collection, fmt.Sprintf("%s outcomes=%d states=%d", v.Status, len(v.Outcomes.List), v.States))
	text := printed(t, v)
	keep(t, v.Collection, v)
	if v.Status == verdict.Verified {
		t.Log(text)
		return
	}
	t.Error(text + "\n\n" + rerun(t))
}
