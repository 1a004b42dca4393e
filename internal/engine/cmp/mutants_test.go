package cmp

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/internal/discover"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/front"
	"pangolin/internal/mutation"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// order finds one of the collections, or one of the subjects in testdata.
func order(t testing.TB, dir, typ string) *subject.Order {
	t.Helper()
	q := discover.Query{Dir: dir, Packages: []string{"."}, Type: typ,
		Overrides: func([]string) (collection.Overrides, error) { return collection.Overrides{Type: typ}, nil },
		Note:      func(string, ...any) {}}
	found, err := q.Find(repository)
	if err != nil {
		t.Fatal(err)
	}
	return &subject.Order{Listed: found[0].Listed, Patterns: found[0].Patterns, Overrides: found[0].Overrides}
}

// planted is a mutant that compiles.
type planted struct {
	mutation.Planted
	subject *subject.Subject
}

// plant compiles the mutants of a collection, numbered as `pangolin mutate` numbers them.
func plant(t *testing.T, dir, typ string) []planted {
	t.Helper()
	ctx := repository
	o := order(t, dir, typ)
	original, err := o.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	list, err := mutation.Plant(ctx, o, original)
	if err != nil {
		t.Fatal(err)
	}
	var out []planted
	for i := range list {
		if i%4 != 0 && !*more && !*slow {
			continue
		}
		s, err := list[i].Subject(ctx, o, original)
		if errors.As(err, new(*front.Error)) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, planted{list[i], s})
	}
	return out
}

// ask asks for a proof.
func ask(s *subject.Subject) (*search, error) {
	j := &engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Reduce: engine.AllReductions}}
	return Prove(repository, j, 2, limits{views: 60_000, lost: mostLost})
}

// goesWrong says whether the bounded engine finds that something goes wrong in a scope, with up
// to two items that are put in: a wrong result, a panic or a race.
func goesWrong(t *testing.T, s *subject.Subject, threads, steps int) string {
	t.Helper()
	r, err := bounded.Run(repository, s, bounded.Options{
		Property: verdict.Linear, Preempt: -1, Fair: true, Races: true, Reduce: vm.AllReductions, MaxStates: 100_000,
		Scope: client.Scope{Threads: client.Range{From: 1, To: threads}, Steps: client.Range{From: 1, To: steps}, Values: 2, ThreadSymmetry: true},
	})
	if err != nil || r.Violation == nil {
		return "" // it cannot be made, or nothing was found
	}
	switch c := r.Violation.Class; c {
	case bounded.History, bounded.Panic, bounded.Race:
		return string(c)
	}
	return ""
}

var (
	slow = flag.Bool("mutants", false, "try the mutants of all structures")
	more = flag.Bool("more", false, "try all mutants, not every fourth, and prove and compare all collections that do not take long: half a minute")
)

// TestProve_ProvesNoMutantThatGoesWrong plants every fault and asks for a proof. Where there is
// one, the bounded engine may not find that something goes wrong within the bound on items.
func TestProve_ProvesNoMutantThatGoesWrong(t *testing.T) {
	subjects := []struct {
		dir, typ string
		slow     bool
	}{
		{"../../../collections/stack", "LockFreeStack", false},
		{"../../../collections/list", "CoarseList", true},
		{"../../../collections/list", "FineList", true},
		{"../../../collections/list", "LazyList", true},
		{"../../../collections/list", "OptimisticList", true},
		{"../../../collections/list", "LockFreeList", true},
		{"../../../collections/hashset", "StripedHashSet", true},
		{"testdata/subjects/right", "BitSet", false},
		{"testdata/subjects/right", "CopySet", true},
		{"testdata/subjects/right", "Ring", true},
		{"testdata/subjects/right", "Tree", true},
	}
	for _, c := range subjects {
		t.Run(c.typ, func(t *testing.T) {
			if c.slow && !*slow || testing.Short() {
				t.Skip("takes long")
			}
			proved, all := 0, 0
			for _, m := range plant(t, c.dir, c.typ) {
				all++
				_, err := ask(m.subject)
				if err != nil {
					if strings.Contains(err.Error(), "withdrawn") {
						t.Errorf("%d: %v:\n%s", m.ID, err, m.Diff())
					}
					continue
				}
				proved++
				for _, scope := range [][2]int{{2, 4}, {3, 3}} {
					if class := goesWrong(t, m.subject, scope[0], scope[1]); class != "" {
						t.Errorf("%d: proved, although %d threads with %d calls go wrong (%s):\n%s", m.ID, scope[0], scope[1], class, m.Diff())
					}
				}
			}
			t.Logf("%d of %d mutants are proved", proved, all)
		})
	}
}
