// SPDX-License-Identifier: BSD-3-Clause

package refine

import (
	"context"
	"testing"

	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/internal/lts"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// load compiles one of the collections.
func load(t testing.TB, pkg, typ string) *subject.Subject {
	t.Helper()
	q := find.Query{Dir: "../../../collections", Packages: []string{"./" + pkg}, Type: typ,
		Overrides: func([]string) (collection.Overrides, error) { return collection.Overrides{Type: typ}, nil },
		Note:      func(string, ...any) {}}
	found, _, err := q.Find(repository)
	if err != nil {
		t.Fatal(err)
	}
	o := subject.Order{Listed: found[0].Listed, Patterns: found[0].Patterns, Overrides: found[0].Overrides}
	s, err := o.Load(repository)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// subjects are collections that are compared raw as well.
var subjects = []struct {
	pkg, typ string
	calls    int // of each of two threads
	correct  bool
}{
	{"stack", "LockFreeStack", 2, true},
	{"queue", "LockFreeQueue", 2, true},
	{"queue", "UnboundedQueue", 2, true},
	{"list", "CoarseList", 2, true},
	{"list", "FineList", 1, true},
	{"list", "OptimisticList", 1, true},
	{"list", "LazyList", 1, true},
	{"list", "LockFreeList", 1, true},
	{"stack", "EliminationBackoffStack", 1, true},
	{"queue", "ArrayQueue", 1, true},
	{"queue", "BoundedQueue", 2, true},
	{"queue", "LockFreeQueueRecycle", 1, true},
	{"deque", "BoundedDEQueue", 1, true},
	{"hashset", "StripedHashSet", 1, true},
	{"lock", "Reentrant", 2, true},
}

func pair(calls int) Client {
	return Client{Threads: 2, Calls: calls, Values: 2, Reduce: vm.AllReductions}
}

func concrete(t testing.TB, s *subject.Subject, c Client) *lts.System {
	t.Helper()
	sys, err := Concrete(context.Background(), s, c, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

func TestConcrete_IsBranchingBisimilarToTheRawSystem(t *testing.T) {
	level.SkipShort(t, "generates the systems of all subjects without reductions")
	for i, x := range subjects {
		t.Run(x.typ, func(t *testing.T) {
			if level.Out(i, 4) {
				t.Skip("some subjects will do; -level more tries all")
			}
			s := load(t, x.pkg, x.typ)
			c := pair(x.calls)
			reduced := concrete(t, s, c)
			c.Reduce = 0
			raw := concrete(t, s, c)
			t.Logf("reduced %v; raw %v; quotient %v", reduced, raw, reduced.Quotient(lts.Branching))
			for _, e := range []lts.Equivalence{lts.DivergenceBranching, lts.Branching} {
				if r := lts.Compare(reduced, raw, e); !r.Equivalent {
					t.Errorf("%s: %s", e, r.Formula.Words())
				}
			}
		})
	}
}

func TestAtomic_HasTheTracesOfTheCode(t *testing.T) {
	level.SkipShort(t, "compares the systems of all subjects with their specifications")
	for i, x := range subjects {
		t.Run(x.typ, func(t *testing.T) {
			if level.Out(i, 4) {
				t.Skip("some subjects will do; -level more tries all")
			}
			s := load(t, x.pkg, x.typ)
			code := concrete(t, s, pair(x.calls))
			body, err := Atomic(context.Background(), s, pair(x.calls), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("concrete %v; abstract %v", code, body)
			if ok, trace := lts.Included(body, code, true); !ok {
				t.Errorf("the code cannot execute an operation at once: %q", trace)
			}
			if ok, trace := lts.Included(code, body, true); ok != x.correct {
				t.Errorf("linearizable is %v: %q", ok, trace)
			}
			spec, err := Specified(context.Background(), s, pair(x.calls), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if r := lts.Compare(body, spec, lts.Branching); !r.Equivalent {
				t.Errorf("each body in one step is not what the oracle says: %s", r.Formula.Words())
			}
		})
	}
}
