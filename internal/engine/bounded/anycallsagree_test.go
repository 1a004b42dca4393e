// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"context"
	"fmt"
	"testing"

	"pangolin"
	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/generator"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// What is said of any number of calls, and of few, of the same threads with the same values, must agree:
//
//   - Verified for any number is verified for few. As many items may be in use as there are few calls, so that no call has to wait.
//   - Violated by n calls of any number is violated within n calls, in the same class.
//   - What few calls violate, any number of them violates.
//
// few is how many calls that is.
const few = 4

// unbounded is the scope with any number of calls.
var unbounded = pangolin.Scope{Steps: pangolin.AnySteps, Items: few}

// limits of the two searches.
const (
	anyStates = 15_000
	fewStates = 60_000
)

// agrees compares the verdicts about one collection, and says in a word what they are.
func agrees(t *testing.T, j *engine.Job) string {
	t.Helper()
	decide := func(scope client.Scope, most uint64) verdict.Verdict {
		own := *j
		own.Workers, own.MaxStates, own.Reduce = 1, most, engine.AllReductions
		own.Scope.Clients = scope
		v, err := bounded.Decide(context.Background(), bounded.Options{Job: own}, engine.Events{})
		if err != nil {
			t.Errorf("%s: %v", j.Subject.About.Collection, err)
		}
		return v
	}
	without := decide(j.Scope.Clients, anyStates)
	within := decide(j.Scope.Clients.Counted(few), fewStates)
	name := fmt.Sprintf("%s: any number of calls: %s %s, up to %d: %s %s", j.Subject.About.Collection, without.Status, without.Reason, few, within.Status, within.Reason)
	switch {
	case without.Status == verdict.Verified && within.Status == verdict.Violated:
		t.Error(name)
	case without.Status == verdict.Violated:
		calls := 0
		for _, s := range without.Violation.Execution.Steps {
			if s.Phase == verdict.Invoke {
				calls++
			}
		}
		if counted := decide(j.Scope.Clients.Counted(calls), 10*fewStates); counted.Status == verdict.Verified ||
			counted.Status == verdict.Violated && counted.Violation.Class != without.Violation.Class && calls <= few {
			t.Errorf("%s; up to %d: %s %s", name, calls, counted.Status, counted.Reason)
		}
	}
	t.Log(name)
	return string(without.Status) + "/" + string(within.Status)
}

// jobsOf compiles the collections of packages.
func jobsOf(t *testing.T, r pangolin.Request) []*engine.Job {
	t.Helper()
	p, err := pangolin.Prepare(modules.Context, r)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := p.Jobs(modules.Context)
	if err != nil && len(jobs) == 0 {
		t.Fatal(err)
	}
	return jobs
}

func TestAnyCalls_AgreeWithFewAboutOurCollections(t *testing.T) {
	level.SkipShort(t, "verifies collections twice")
	for i, j := range jobsOf(t, pangolin.Request{Dir: "../../..", Packages: []string{"./collections/..."}, Scope: unbounded}) {
		if !level.Out(i, 9) {
			agrees(t, j)
		}
	}
}

func TestAnyCalls_AgreeWithFewAboutGeneratedTypes(t *testing.T) {
	level.SkipShort(t, "verifies types twice")
	from, to := flags.Numbers(1, 3)
	if level.More() {
		from, to = flags.Numbers(1, 120)
	}
	count := map[string]int{}
	for seed := from; seed <= to; seed++ {
		for name, c := range map[string]generator.Collection{"patterned": generator.Patterned(uint64(seed)), "object": generator.Object(uint64(seed))} {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				r := pangolin.Request{Dir: modules.Dir(t, c.Source), Kind: c.Kind, Scope: unbounded}
				p, err := pangolin.Prepare(modules.Context, r)
				if err != nil {
					t.Skip(err)
				}
				jobs, err := p.Jobs(modules.Context)
				if len(jobs) == 0 {
					t.Skip(err)
				}
				for _, j := range jobs {
					count[agrees(t, j)]++
				}
			})
		}
	}
	t.Log(count)
}

// The verdict does not depend on the reductions: without each, and without any, it is the same, or has reached a limit.
func TestAnyCalls_HaveTheSameVerdictWithoutEachReduction(t *testing.T) {
	level.SkipShort(t, "verifies collections in many ways")
	for i, j := range jobsOf(t, pangolin.Request{Dir: "../../..", Packages: []string{"./collections/..."}, Scope: pangolin.Scope{Steps: pangolin.AnySteps}}) {
		if level.Out(i, 27) {
			continue
		}
		decide := func(set vm.Reductions) verdict.Verdict {
			own := *j
			own.Workers, own.MaxStates, own.Reduce = 1, anyStates, set
			v, err := bounded.Decide(context.Background(), bounded.Options{Job: own}, engine.Events{})
			if err != nil {
				t.Errorf("%s: %v", j.Subject.About.Collection, err)
			}
			return v
		}
		class := func(v *verdict.Verdict) string {
			if v.Violation == nil {
				return ""
			}
			return v.Violation.Class
		}
		all, same := decide(engine.AllReductions), 0
		if all.Status == verdict.Unknown {
			continue
		}
		for _, name := range append(vm.AllReductions.Names(), "none") {
			set := vm.Reductions(0)
			if name != "none" {
				one, err := vm.ParseReductions(name)
				if err != nil {
					t.Fatal(err)
				}
				set = vm.AllReductions &^ one
			}
			v := decide(set)
			if v.Status == verdict.Unknown {
				continue
			}
			if same++; v.Status != all.Status || class(&v) != class(&all) {
				t.Errorf("%s: %s %s without %s, with all reductions %s %s", j.Subject.About.Collection, v.Status, class(&v), name, all.Status, class(&all))
			}
		}
		t.Logf("%s: %s, the same in %d ways", j.Subject.About.Collection, all.Status, same)
	}
}
