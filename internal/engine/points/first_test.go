// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/mutant"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// large are scopes in which points judge, with the states that the search has then and that the monitor needs.
var large = []struct {
	pkg, typ         string
	calls            int
	states, monitors uint64
}{
	{"stack", "LockFreeStack", 6, 2493, 30440},
	{"queue", "LockFreeQueue", 5, 14490, 62938},
	{"queue", "DGLMQueue", 5, 9962, 52146},
}

// calling is a job without directives, for up to three threads with so many calls in all.
func calling(t testing.TB, pkg, typ string, calls int, change map[string]string, file string) *engine.Job {
	t.Helper()
	j, err := bare(t, collectionOf(t, pkg, typ), change, file)
	if err != nil {
		t.Fatal(err)
	}
	c := &j.Scope.Clients
	j.Scope.Preset, c.Steps, c.PreAdds, c.Values = "", client.Range{From: 1, To: calls}, client.Range{}, calls
	return j
}

// differs says what is wrong with the verdict of the usual engine where points judge, beside that of the monitor.
func differs(j *engine.Job, states, monitors uint64) error {
	e := Usual()
	v, err := e.Decide(context.Background(), j, engine.Events{})
	if err != nil {
		return err
	}
	without := *j
	without.Reduce &^= engine.Points
	w, err := e.Decide(context.Background(), &without, engine.Events{})
	switch {
	case err != nil:
		return err
	case v.Status != verdict.Verified || w.Status != verdict.Verified:
		return fmt.Errorf("%s by points, %s by the monitor", v.Status, w.Status)
	case v.ByPoints == nil || w.ByPoints != nil:
		return errors.New("points do not judge, or judge where they are switched off")
	case v.States != states || w.States != monitors:
		return fmt.Errorf("%d states by points, %d by the monitor", v.States, w.States)
	case !reflect.DeepEqual(v.Returns, w.Returns) || v.Clients != w.Clients || !reflect.DeepEqual(v.Scope, w.Scope) || !slices.Equal(v.Assumptions, w.Assumptions):
		return fmt.Errorf("by points %+v, by the monitor %+v", v, w)
	}
	return nil
}

func TestUsual_JudgesLargeScopesByPoints(t *testing.T) {
	for _, c := range large {
		if err := differs(calling(t, c.pkg, c.typ, c.calls, nil, ""), c.states, c.monitors); err != nil {
			t.Errorf("%s, %d calls: %v", c.typ, c.calls, err)
		}
	}
}

// Several workers judge by the same points, and meet the same states.
func TestUsual_DoesNotDependOnTheNumberOfWorkers(t *testing.T) {
	j := calling(t, "queue", "LockFreeQueue", 5, nil, "")
	j.MaxStates, j.Workers = 0, 2
	e := Usual()
	v, err := e.Decide(context.Background(), j, engine.Events{})
	if err != nil || v.Status != verdict.Verified || v.ByPoints == nil || v.States != large[1].states {
		t.Errorf("%s, %d states, points %v, %v", v.Status, v.States, v.ByPoints, err)
	}
}

// wherever makes a hypothesis in which calls take effect at random sites of those that a small scope has.
func wherever(j *engine.Job, rng *rand.Rand) (*bounded.Guess, error) {
	f := newFinder(shared, within(j, findThreads, findCalls), engine.Events{})
	f.guess.Guarded, f.guess.Excused = rng.IntN(2) == 0, make([]bool, len(j.Subject.Operations))
	for k := range f.guess.Excused {
		f.guess.Excused[k] = rng.IntN(2) == 0
	}
	if err := f.survey(f.job); err != nil {
		return nil, err
	}
	for k := range f.outcomes {
		f.restricted[k] = true
		f.guess.Own[k] = make([]bool, len(f.guess.Sites))
		likely := f.guess.Likely(f.outcomes[k].op, f.outcomes[k].changes)
		for range min(len(likely), 1+rng.IntN(2)) {
			f.guess.Own[k][likely[rng.IntN(min(len(likely), 3))]] = true
		}
	}
	return f.guess, nil
}

// contrary decides a job by found points and by random ones, and by the monitor if some of them accept it: then that verdict has to be
// verified. accepted is how many did.
func contrary(j *engine.Job, rng *rand.Rand) (accepted int, err error) {
	var all []*bounded.Guess
	if g, _ := fixed(shared, within(j, findThreads, findCalls)); g != nil {
		all = append(all, g)
	}
	for range 3 {
		if g, err := wherever(j, rng); err == nil {
			all = append(all, g)
		}
	}
	for _, g := range all {
		v, err := bounded.Decide(shared, bounded.Options{Job: *j, Points: g}, engine.Events{})
		if err == nil && v.Status == verdict.Violated {
			return accepted, fmt.Errorf("points say violated: %s", v.Reason)
		}
		if err == nil && v.Status == verdict.Verified {
			accepted++
		}
	}
	if accepted == 0 {
		return 0, nil
	}
	e := bounded.Engine()
	more := *j
	more.MaxStates *= 10 // the monitor needs more; where these do not suffice either, nothing is compared
	v, err := e.Decide(shared, &more, engine.Events{})
	if err == nil && v.Status != verdict.Verified && v.Cause != verdict.Limited {
		err = fmt.Errorf("points accept what is %s: %s", v.Status, v.Reason)
	}
	return accepted, err
}

// everything are the types of the collections that are made without arguments, or as news says.
var everything = []struct{ pkg, typ string }{
	{"stack", "LockFreeStack"}, {"stack", "EliminationBackoffStack"}, {"list", "CoarseList"}, {"queue", "HerlihyWingQueue"}, {"queue", "DGLMQueue"},
	{"queue", "EliminationQueue"}, {"queue", "LockFreeQueue"}, {"queue", "LockFreeQueueRecycle"}, {"queue", "LockFreeQueueRecycleUnstamped"}, {"queue", "SynchronousQueue"},
	{"queue", "SynchronousDualQueue"}, {"queue", "SynchronousDualQueuePatched"}, {"queue", "UnboundedQueue"}, {"list", "DerivedListDCAS"}, {"list", "OptimisticList"},
	{"list", "LazyList"}, {"list", "HindsightList"}, {"list", "DerivedList"}, {"list", "FineList"}, {"list", "HarrisList"},
	{"list", "MichaelList"}, {"list", "LockFreeList"}, {"list", "UnorderedList"}, {"conditional", "RDCSS"}, {"conditional", "CCAS"},
	{"deque", "SnarkDeque"}, {"deque", "SnarkDequePatched"}, {"deque", "BoundedDEQueue"}, {"deque", "UnboundedDEQueue"}, {"pqueue", "SkipQueue"},
	{"pqueue", "SimpleLinear"}, {"pqueue", "SimpleTree"}, {"pqueue", "FineGrainedHeap"}, {"skiplist", "LazySkipList"}, {"skiplist", "LockFreeSkipList"},
	{"hashset", "CoarseHashSet"}, {"hashset", "LockFreeHashSet"},
}

// Whatever points accept, found or drawn, the monitor verifies: each collection, and each mutant of it, with two threads and three calls, three
// threads with -level more. Of mutants every fifth is tried, every second with -level more, all with -level all.
func TestPoints_AcceptNothingThatTheMonitorDoesNot(t *testing.T) {
	level.SkipShort(t, "decides many mutants")
	accepted, mutants := 0, 0
	for k, c := range everything {
		t.Run(c.typ, func(t *testing.T) {
			if level.Out(k, 6) {
				t.Skip("some collections will do; -level more tries all")
			}
			f := collectionOf(t, c.pkg, c.typ)
			rng := rand.New(rand.NewPCG(36, uint64(k)))
			j := calling(t, c.pkg, c.typ, 3, nil, "")
			j.MaxStates = 100_000
			if !level.More() {
				j.Scope.Clients.Threads.To = 2
			}
			n, err := contrary(j, rng)
			if err != nil {
				t.Error(err)
			}
			accepted += n
			ops, _ := f.Operations()
			plain := subject.Order{Listed: f.Listed, Patterns: f.Patterns, Overrides: f.Overrides, Ops: ops, Most: engine.Union{j.Scope}.Words()}
			faults, err := mutant.All(shared, &plain, j.Subject)
			if err != nil {
				t.Fatal(err)
			}
			every := 5
			switch {
			case level.All():
				every = 1
			case level.More():
				every = 2
			}
			for i := k % every; i < len(faults); i += every {
				s, err := faults[i].Subject(shared, &plain, j.Subject)
				if err != nil { // it does not compile
					continue
				}
				mutants++
				again := *j
				again.Subject, again.MaxStates = s, 20_000
				n, err := contrary(&again, rng)
				if err != nil {
					t.Errorf("%v\n%s", err, faults[i].Diff())
				}
				accepted += n
			}
		})
	}
	t.Logf("%d mutants, accepted %d times", mutants, accepted)
	if accepted < 10 {
		t.Error("points accept hardly anything: the test says nothing")
	}
}

// TestApplies_WherePointsCanBeLookedFor: not where calls have no number, where one is made first, or where another property is asked.
func TestApplies_WherePointsCanBeLookedFor(t *testing.T) {
	if why := misapplied(calling(t, "stack", "LockFreeStack", 6, nil, "")); why != "" {
		t.Error(why)
	}
}

func misapplied(j *engine.Job) string {
	if !applies(j) {
		return "points are not used"
	}
	for name, change := range map[string]func(*engine.Job){
		"any number of calls": func(j *engine.Job) { j.Scope.Clients.Endless = true },
		"progress":            func(j *engine.Job) { j.Property = verdict.LockFree },
		"a weaker property":   func(j *engine.Job) { j.Property = "linear(Pop:parts)" },
		"switched off":        func(j *engine.Job) { j.Reduce &^= engine.Points },
		"clients one by one":  func(j *engine.Job) { j.OneByOne = true },
		"called first": func(j *engine.Job) {
			s := *j.Subject
			s.Operations = slices.Clone(s.Operations)
			s.Operations[0].Client.Who.First = true
			j.Subject = &s
		},
	} {
		other := *j
		if change(&other); applies(&other) {
			return "points are used: " + name
		}
	}
	return ""
}

// deep is a stack whose Push does something else on top of four items, which searches in small scopes do not meet.
func deep(t testing.TB, does string) *engine.Job {
	return calling(t, "stack", "LockFreeStack", 6, map[string]string{"\tn.next = top\n": "\tn.next = top\n\tif top != nil && top.next != nil && top.next.next != nil && top.next.next.next != nil {\n\t\t" +
		does + "\n\t}\n"}, "stack/stack.go")
}

// largeFaults are what is wrong, or only unknown, in large scopes alone.
var largeFaults = []struct {
	name, does string
	status     verdict.Status
}{
	{"a point that no small scope has", "return s.top.CompareAndSwap(top, n)", verdict.Verified},
	{"an item that is lost", "return true", verdict.Violated},
	{"an item that is found twice", "n = &node[T]{value: top.value, next: top}", verdict.Violated},
	{"a race", "top.value = top.value", verdict.Violated},
	{"a call that waits for ever", "select {}", verdict.Violated},
	{"a call that goes on for ever", "for s.top.Load() == top {\n\t\t\truntime.Gosched()\n\t\t}", verdict.Violated},
	{"a panic", "panic(\"full\")", verdict.Violated},
}

// takesBack says what is wrong with the verdict where points do not judge the whole scope.
func takesBack(j *engine.Job, want verdict.Status) string {
	if points, _ := fixed(shared, within(j, findThreads, findCalls)); points == nil {
		return "no points are found"
	}
	if v, judged := byPoints(shared, j, engine.Events{}); judged {
		return fmt.Sprintf("%s by points", v.Status)
	}
	e := Usual()
	v, err := e.Decide(shared, j, engine.Events{})
	if err != nil || v.Status != want || v.ByPoints != nil {
		return fmt.Sprintf("%s instead of %s, points %v, %v", v.Status, want, v.ByPoints, err)
	}
	if want == verdict.Violated && (v.Violation == nil || len(v.Violation.Execution.Steps) == 0) {
		return "the violation has no execution"
	}
	return ""
}

// Where points do not explain a history, or where anything else is wrong, the monitor makes the verdict; and a limit that is reached by points is
// none of the verdict's.
func TestUsual_GoesBackToTheMonitor(t *testing.T) {
	for _, c := range largeFaults {
		if why := takesBack(deep(t, c.does), c.status); why != "" {
			t.Errorf("%s: %s", c.name, why)
		}
	}
	j := calling(t, "queue", "LockFreeQueue", 5, nil, "")
	j.MaxStates = 12_000
	if v, judged := byPoints(shared, j, engine.Events{}); judged {
		t.Errorf("%s by points with fewer states than they need", v.Status)
	}
}
