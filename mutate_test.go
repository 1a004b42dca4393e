// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"strings"
	"testing"

	"pangolin/internal/test/level"
	"pangolin/verdict"

	"pangolin"
)

// mutate tries mutants of a collection and returns them with the sum.
func mutate(t *testing.T, r pangolin.Request, o pangolin.Mutation) ([]verdict.Mutant, *verdict.MutationSummary) {
	t.Helper()
	var list []verdict.Mutant
	o.Mutant = func(m verdict.Mutant) { list = append(list, m) }
	sum, err := pangolin.Mutate(repository, r, o)
	if err != nil {
		t.Fatal(err)
	}
	return list, sum
}

// A double unlock is a fatal error, which has neither results nor a panic: the
// execution that shows it could not be described once.
func TestMutate_KillsAListWithoutALockByAFatalError(t *testing.T) {
	level.SkipShort(t, "verifies mutants")
	r := pangolin.Request{Packages: []string{"pangolin/collections/list.LazyList"}, Scope: pangolin.Scope{Config: "A"}}
	list, sum := mutate(t, r, pangolin.Mutation{Operators: []string{"lock-dropped", "unlock-early"}})
	if sum.Killed == 0 || sum.Mutants != len(list) {
		t.Fatalf("sum %+v of %d mutants", sum, len(list))
	}
	for _, m := range list {
		if m.Operator == "lock-dropped" && (m.Outcome != verdict.Killed || m.Class != "panic") {
			t.Errorf("%s %s: %s\n%s", m.Outcome, m.Class, m.Reason, m.Diff)
		}
	}
}

// The mutants of a collection of another module are judged by its unmutated self.
func TestMutate_JudgesByTheUnmutatedOracle(t *testing.T) {
	level.SkipShort(t, "verifies mutants")
	r := pangolin.Request{Packages: []string{"pangolin/collections/stack.LockFreeStack"}, Oracle: "self", Scope: pangolin.Scope{Config: "B"}}
	list, _ := mutate(t, r, pangolin.Mutation{Operators: []string{"bool-flipped"}})
	if len(list) == 0 {
		t.Fatal("no mutants")
	}
	for _, m := range list {
		if m.Outcome != verdict.Killed {
			t.Errorf("%s: %s\n%s", m.Outcome, m.Reason, m.Diff)
		}
	}
}

func TestMutate_SurvivorsAreKilledInALargerScope(t *testing.T) {
	level.SkipShort(t, "verifies mutants twice")
	r := pangolin.Request{Packages: []string{"pangolin/collections/list.LazyList"}, Scope: pangolin.Scope{Threads: "1", Steps: "1", PreAdds: "0"}}
	small, _ := mutate(t, r, pangolin.Mutation{Operators: []string{"unlock-dropped"}})
	r.Scope = pangolin.Scope{Config: "A"}
	large, _ := mutate(t, r, pangolin.Mutation{Operators: []string{"unlock-dropped"}})
	survived := false
	for i := range small {
		survived = survived || small[i].Outcome == verdict.Survived
		if small[i].ID != large[i].ID || large[i].Outcome != verdict.Killed {
			t.Errorf("mutant %d, then %d, is %s\n%s", small[i].ID, large[i].ID, large[i].Outcome, large[i].Diff)
		}
	}
	if !survived {
		t.Error("one operation alone shows every lock that is not released")
	}
}

// A stamp that grows for ever makes every state a new one: no cycle, no violation, and
// only a limit would end the search.
func TestMutate_KillsWhatGrowsWithoutEnd(t *testing.T) {
	if !level.More() {
		t.Skip("searches as far as a limit: -level more")
	}
	r := pangolin.Request{Packages: []string{"pangolin/collections/queue.LockFreeQueueRecycle"}, Scope: pangolin.Scope{Config: "A"}}
	where := func(m *verdict.Mutant) bool {
		return m.Func == "LockFreeQueueRecycle.Enqueue" && m.Operator == "negated" && strings.Contains(m.Diff, "+\t\tif !last.next.CompareAndSet(")
	}
	list, _ := mutate(t, r, pangolin.Mutation{Where: where})
	if len(list) != 1 || list[0].Outcome != verdict.Killed || list[0].Class != "infinite" {
		t.Errorf("mutants %+v", list)
	}
}

// What has more states than the original but comes to an end is not taken for endless.
func TestMutate_LetsAThreadHaveMoreStates(t *testing.T) {
	if !level.More() {
		t.Skip("verifies a hash set whose table grows: -level more")
	}
	r := pangolin.Request{Packages: []string{"pangolin/collections/hashset.CoarseHashSet"}, Scope: pangolin.Scope{Config: "A"}}
	where := func(m *verdict.Mutant) bool { return m.Func == "base.mustGrow" && m.Operator == "always" }
	list, _ := mutate(t, r, pangolin.Mutation{Where: where})
	if len(list) != 1 || list[0].Outcome != verdict.Survived {
		t.Errorf("mutants %+v", list)
	}
}

func TestMutate_WhereSeesEveryMutant(t *testing.T) {
	r := pangolin.Request{Packages: []string{"pangolin/collections/stack.LockFreeStack"}, Scope: pangolin.Scope{Config: "A"}}
	funcs := map[string]bool{}
	list, sum := mutate(t, r, pangolin.Mutation{Where: func(m *verdict.Mutant) bool {
		funcs[m.Func] = true
		return false
	}})
	if len(list) != 0 || sum.Planted == 0 || !funcs["LockFreeStack.Push"] || !funcs["LockFreeStack.Pop"] {
		t.Errorf("of %d mutants in %v, %d were tried", sum.Planted, funcs, len(list))
	}
}

// Faults that take more calls than configuration D has, and no third thread: a stack's
// compare-and-swap that is a store, a queue's lost retries.
func TestMutate_TheUsualScopeFindsWhatTakesMoreCalls(t *testing.T) {
	level.SkipShort(t, "verifies mutants in several scopes")
	for i, c := range []struct{ collection, operator string }{
		{"stack.LockFreeStack", "cas-store"}, {"queue.LockFreeQueue", "retry-dropped"},
	} {
		if level.Out(i, 2) {
			continue
		}
		r := pangolin.Request{Packages: []string{"pangolin/collections/" + c.collection}, Scope: pangolin.Scope{Config: "D"}}
		d, _ := mutate(t, r, pangolin.Mutation{Operators: []string{c.operator}})
		r.Scope = pangolin.Scope{}
		usual, _ := mutate(t, r, pangolin.Mutation{Operators: []string{c.operator}})
		missed := 0
		for i := range d {
			if d[i].Outcome != verdict.Killed {
				missed++
			}
			if usual[i].Outcome != verdict.Killed {
				t.Errorf("%s is %s\n%s", c.collection, usual[i].Outcome, usual[i].Diff)
			}
		}
		if missed == 0 {
			t.Errorf("%s: D misses none of %d", c.collection, len(d))
		}
	}
}
