package bounded_test

import (
	"context"
	"fmt"
	"testing"

	"pangolin"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// outcome is what must not depend on how a scope is explored.
type outcome struct {
	Collection string
	Status     verdict.Status
	Violated   bool
}

// crossChecked are packages whose collections are verified in every way; with the
// raw search configuration B takes seconds.
var crossChecked = []struct{ pkg, typ, config string }{
	{"pangolin/collections/list", "", "A"},
	{"pangolin/collections/list", "LockFreeListOriginal", "B"},
	{"pangolin/collections/list", "LazyList", "B"},
	{"pangolin/collections/stack", "LockFreeStack", "B"},
	{"pangolin/collections/queue", "LockFreeQueue", "B"},
	{"pangolin/collections/queue", "BoundedQueue", "B"},
	{"pangolin/collections/queue", "SynchronousQueue", "A"},
	{"pangolin/collections/queue", "ArrayQueue", "A"},
	{"pangolin/collections/hashset", "CoarseHashSet", "A"},
	{"pangolin/collections/hashset", "RefinableHashSet", "B"},
	{"pangolin/collections/hashset", "RefinableHashSetRepaired", "A"},
	{"pangolin/collections/pqueue", "FineGrainedHeapFair", "B"},
	{"pangolin/collections/pqueue", "FineGrainedHeapPatched", "A"},
	{"pangolin/collections/queue", "LockFreeQueueRecycle", "A"},
	{"pangolin/collections/deque", "BoundedDEQueue", "A"},
}

// ways are searches that must agree: each reduction left out, none at all, client by
// client, two workers, other stores of work.
func ways() map[string]pangolin.Search {
	all := vm.AllReductions.Names()
	w := map[string]pangolin.Search{
		"none":    {Reduce: "none"},
		"clients": {Clients: true},
		"workers": {Workers: 2},
	}
	for i := range all {
		rest := ""
		for j, name := range all {
			if j != i {
				rest += "," + name
			}
		}
		w["without "+all[i]] = pangolin.Search{Reduce: rest[1:]}
	}
	return w
}

func verdicts(t *testing.T, pkg, typ, config string, s pangolin.Search) []outcome {
	t.Helper()
	vs, err := pangolin.Verify(context.Background(), pangolin.Request{
		Packages: []string{pkg}, Type: typ, Scope: pangolin.Scope{Config: config}, Search: s,
	})
	if err != nil {
		t.Fatal(err)
	}
	var list []outcome
	for _, v := range vs {
		if v.Status == verdict.Unknown {
			t.Errorf("%s: unknown: %s", v.Collection, v.Reason)
		}
		list = append(list, outcome{v.Collection, v.Status, v.Violation != nil})
	}
	return list
}

func TestRun_GivesTheSameVerdictHoweverItSearches(t *testing.T) {
	bounded.SearchTogether(t)
	for _, c := range crossChecked {
		t.Run(c.pkg[len("pangolin/collections/"):]+" "+c.typ, func(t *testing.T) {
			want := verdicts(t, c.pkg, c.typ, c.config, pangolin.Search{})
			for name, s := range ways() {
				if testing.Short() && name != "none" && name != "clients" {
					continue
				}
				if got := verdicts(t, c.pkg, c.typ, c.config, s); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s: %v; with all reductions %v", name, got, want)
				}
			}
		})
	}
}

// Whatever several workers find first, the report is the same.
func TestRun_ReportsTheSameViolationWithSeveralWorkers(t *testing.T) {
	bounded.SearchTogether(t)
	report := func(workers int) string {
		list, err := pangolin.Verify(context.Background(), pangolin.Request{
			Packages: []string{"pangolin/collections/list"}, Type: "LockFreeListOriginal",
			Scope: pangolin.Scope{Config: "D"}, Search: pangolin.Search{Workers: workers},
		})
		if err != nil {
			t.Fatal(err)
		}
		v := list[0]
		return fmt.Sprint(v.States, v.Transitions, v.Violation.Client, v.Violation.Summary, v.Violation.Execution.Steps)
	}
	one := report(1)
	for range 5 {
		if two := report(2); two != one {
			t.Fatalf("two workers report\n%s\none reports\n%s", two, one)
		}
	}
}
