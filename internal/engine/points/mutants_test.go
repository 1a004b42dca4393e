// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"context"
	"testing"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/mutant"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// mutated are collections whose mutants keep their policies; of those that have many clients, a few.
var mutated = []struct {
	pkg, typ string
	threads  int
}{
	{"stack", "LockFreeStack", 3}, {"queue", "LockFreeQueue", 3}, {"queue", "UnboundedQueue", 3}, {"stack", "EliminationBackoffStack", 3},
	{"list", "FineList", 2}, {"list", "LazyList", 2}, {"list", "LockFreeList", 2},
}

// Where the policy of a collection with a fault is still accepted, the collection is verified: no policy hides what verify
// finds. Every twelfth mutant is tried, all with -level more.
func TestCheck_AcceptsNoPolicyOfAMutantThatIsViolated(t *testing.T) {
	for k, c := range mutated {
		t.Run(c.typ, func(t *testing.T) {
			if level.Short() || level.Out(k, 8) {
				t.Skip("some collections will do; -level more tries all")
			}
			f := collectionOf(t, c.pkg, c.typ)
			j, err := job(t, f, nil, "")
			if err != nil {
				t.Fatal(err)
			}
			j.Scope.Clients.Threads.To = c.threads
			ops, _ := f.Operations()
			plain := subject.Order{Listed: f.Listed, Patterns: f.Patterns, Overrides: f.Overrides, Ops: ops, Most: engine.Union{j.Scope}.Words()}
			annotated := plain
			annotated.Annotated = true
			original, err := plain.Load(shared)
			if err != nil {
				t.Fatal(err)
			}
			faults, err := mutant.All(shared, &plain, original)
			if err != nil {
				t.Fatal(err)
			}
			accepted, rejected, left := 0, 0, 0
			for i := range faults {
				m := faults[i]
				if i%12 != 0 && !level.More() {
					continue
				}
				s, err := m.Subject(shared, &annotated, original)
				if err != nil { // it does not compile, or its directives do not any more
					left++
					continue
				}
				e := Engine()
				switch status := decided(t, &e, j, s); status {
				case verdict.Violated:
					rejected++
					continue
				case verdict.Unknown:
					left++
					continue
				}
				accepted++
				if s, err = m.Subject(shared, &plain, original); err != nil {
					t.Fatal(err)
				}
				e = bounded.Engine()
				if status := decided(t, &e, j, s); status != verdict.Verified {
					t.Errorf("%s, and its policy is accepted:\n%s", status, m.Diff())
				}
			}
			t.Logf("%d policies accepted, %d rejected, %d mutants without a verdict", accepted, rejected, left)
			if rejected == 0 {
				t.Error("no mutant's policy is rejected")
			}
		})
	}
}

// patience is how long a verdict on a mutant is waited for: with some, a pre-add goes round in each of very many ways.
const patience = 10 * time.Second

// decided is the verdict on a mutant; unknown, too, of one that cannot be executed.
func decided(t *testing.T, e *engine.Engine, j *engine.Job, s *subject.Subject) verdict.Status {
	t.Helper()
	again := *j
	again.Subject, again.MaxStates = s, 400_000
	ctx, cancel := context.WithTimeout(shared, patience)
	defer cancel()
	v, err := e.Decide(ctx, &again, engine.Events{})
	if err != nil {
		return verdict.Unknown
	}
	return v.Status
}
