// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"fmt"
	"strings"
	"testing"

	"pangolin"
	"pangolin/collections"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/study"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// The verdict does not depend on how it was searched: without each reduction, client by client, with several workers.

// outcome is what must not depend on how a scope is explored: the verdict, and of a
// shortest violation (fewest operations, then preemptions, then steps) its class and its
// history.
type outcome struct {
	Collection string
	Status     verdict.Status
	Class      string
	History    string
}

// crossChecked are packages whose collections are verified in every way; with the
// raw search configuration B takes seconds.
var crossChecked = []struct {
	pkg, typ, config string
	slow             bool // with -level more
}{
	{"pangolin/collections/list", "", "A", false},
	{"pangolin/collections/list", "LockFreeListOriginal", "B", false},
	{"pangolin/collections/list", "LazyList", "B", false},
	{"pangolin/collections/stack", "LockFreeStack", "B", false},
	{"pangolin/collections/queue", "LockFreeQueue", "B", false},
	{"pangolin/collections/queue", "BoundedQueue", "B", false},
	{"pangolin/collections/queue", "SynchronousQueue", "A", false},
	{"pangolin/collections/queue", "ArrayQueue", "A", false},
	{"pangolin/collections/hashset", "CoarseHashSet", "A", false},
	{"pangolin/collections/hashset", "RefinableHashSet", "A", false},
	{"pangolin/collections/hashset", "RefinableHashSetRepaired", "A", false},
	{"pangolin/collections/pqueue", "FineGrainedHeapFair", "B", true},
	{"pangolin/collections/pqueue", "FineGrainedHeapPatched", "A", false},
	{"pangolin/collections/queue", "LockFreeQueueRecycle", "A", true},
	{"pangolin/collections/deque", "BoundedDEQueue", "A", false},
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
		w["without "+all[i]] = pangolin.Search{Reduce: pangolin.Reduce(rest[1:])}
	}
	return w
}

// prepare finds collections, which are compiled once however often they are verified.
func prepare(t *testing.T, pkg, typ, config string) *pangolin.Prepared {
	t.Helper()
	p, err := pangolin.Prepare(repository, pangolin.Request{Packages: []string{pkg}, Type: typ, Scope: pangolin.Scope{Config: config}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func verdicts(t *testing.T, p *pangolin.Prepared, s pangolin.Search) []outcome {
	t.Helper()
	s.Min = true
	vs, err := p.Verify(repository, s)
	if err != nil {
		t.Fatal(err)
	}
	var list []outcome
	for _, v := range vs {
		if v.Status == verdict.Unknown {
			t.Errorf("%s: unknown: %s", v.Collection, v.Reason)
		}
		o := outcome{Collection: v.Collection, Status: v.Status}
		if v.Violation != nil {
			w := v.Violation.Execution
			o.Class = w.Class
			for _, e := range w.History {
				o.History += fmt.Sprintf("%d:%s ", e.Thread, e.String())
			}
		}
		list = append(list, o)
	}
	return list
}

func TestRun_GivesTheSameVerdictHoweverItSearches(t *testing.T) {
	level.SkipShort(t, "searches in many ways")
	bounded.SearchTogether(t)
	for i, c := range crossChecked {
		t.Run(c.pkg[len("pangolin/collections/"):]+" "+c.typ, func(t *testing.T) {
			if level.Out(i, 2) {
				t.Skip("every second package will do, the first in short; -level more tries all")
			}
			if c.slow && !level.More() {
				t.Skip("takes seconds: -level more")
			}
			p := prepare(t, c.pkg, c.typ, c.config)
			want := verdicts(t, p, pangolin.Search{})
			for name, s := range ways() {
				switch {
				case level.More(), name == "none", !strings.HasPrefix(name, "without"):
				default:
					continue
				}
				if got := verdicts(t, p, s); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s: %v; with all reductions %v", name, got, want)
				}
			}
		})
	}
}

// Whatever several workers find first, the report is the same: verdict, questions, witness, scenes and counts, of every violation in
// the collections.
func TestRun_ReportsTheSameViolationWithSeveralWorkers(t *testing.T) {
	level.SkipShort(t, "searches each collection several times")
	bounded.SearchTogether(t)
	config, few, times := "B", 5, 1
	if level.More() { // a minute, thrice
		config, few, times = "D", 15, 3
	}
	rows, err := study.Expectations(collections.Expectations)
	if err != nil {
		t.Fatal(err)
	}
	violated := 0
	for _, row := range rows {
		if row.Class == "" {
			continue
		}
		p, err := pangolin.Prepare(repository, row.Request(config))
		if err != nil {
			t.Fatal(err)
		}
		one, status := reported(t, p, 1)
		if status == verdict.Violated {
			violated++
		}
		for range times {
			if two, _ := reported(t, p, 2); two != one {
				t.Errorf("%s: two workers report\n%s\none reports\n%s", row.Collection, two, one)
			}
		}
	}
	if t.Logf("%d violations", violated); violated < few {
		t.Errorf("%d violations, %d are expected in %s", violated, few, config)
	}
}

// reported is all that is reported of one collection but for what the machine needed.
func reported(t *testing.T, p *pangolin.Prepared, workers int) (text string, status verdict.Status) {
	t.Helper()
	list, err := p.Verify(repository, pangolin.Search{Workers: workers, Scenes: true})
	if err != nil {
		t.Fatal(err)
	}
	v := list[0]
	v.Seconds, v.PeakBytes = 0, 0
	for i := range v.Asked {
		v.Asked[i].Seconds = 0
	}
	record, err := verdict.Encode(&v)
	if err != nil {
		t.Fatal(err)
	}
	return string(record), v.Status
}
