// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"fmt"
	"slices"
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/verdict"

	"pangolin"
)

// Mutants break what the code relies on, and with it what the reductions assume of it:
// locks that guard, fields that are not written, items that are not looked at. So they are
// a good trial of the reductions: with all of them and with none each mutant must have the
// same outcome. A long run tries those of all correct collections.
func TestMutants_HaveTheSameOutcomeWithoutReductions(t *testing.T) {
	level.SkipShort(t, "verifies some hundred mutants")
	quick := []string{"LockFreeStack"}
	if level.More() {
		quick = append(quick, "SynchronousQueue", "CoarseList", "LockFreeQueue", "SimpleLinear")
	}
	for _, row := range correctRows(t) {
		if !level.All() && !slices.Contains(quick, row.name()) || !flags.Only(row.name()) {
			continue
		}
		t.Run(row.name(), func(t *testing.T) {
			all, none := outcomes(t, &row, "all", pangolin.Mutation{}), outcomes(t, &row, "none", pangolin.Mutation{})
			if len(all) < 5 || len(all) != len(none) {
				t.Fatalf("%d and %d mutants", len(all), len(none))
			}
			undecided := 0
			for i := range all {
				switch {
				case all[i].Outcome == verdict.Undecided || none[i].Outcome == verdict.Undecided:
					undecided++
				case all[i].Outcome == verdict.Killed && none[i].Outcome == verdict.Killed && all[i].Class != none[i].Class:
					// Which violation is found first depends on the search; the shortest one does not.
					only := pangolin.Mutation{Only: []int{all[i].ID}}
					a, b := outcomes(t, &row, "all", only), outcomes(t, &row, "none", only)
					if len(a) != 1 || len(b) != 1 || said(&a[0]) != said(&b[0]) {
						t.Errorf("%v with all reductions, %v with none", a, b)
					}
				case said(&all[i]) != said(&none[i]):
					t.Errorf("%s with all reductions, %s with none", said(&all[i]), said(&none[i]))
				}
			}
			if t.Logf("%d of %d mutants are not decided within the limit", undecided, len(all)); undecided > len(all)/4 {
				t.Error("too many of them")
			}
		})
	}
}

// outcomes are a collection's mutants in configuration A, each with a limit on the memory of its search. If a single one is asked for, it is
// killed by a shortest violation.
func outcomes(t *testing.T, row *Expectation, reductions string, which pangolin.Mutation) []verdict.Mutant {
	t.Helper()
	r := row.Request("A")
	r.Search.Reduce, r.Search.MaxMemory, r.Search.Min = pangolin.Reduce(reductions), 512<<20, len(which.Only) == 1
	var out []verdict.Mutant
	which.Mutant = func(m verdict.Mutant) { out = append(out, m) }
	_, err := pangolin.Mutate(repository, r, which)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func said(m *verdict.Mutant) string {
	return fmt.Sprintf("mutant %d (%s:%d %s): %s %s", m.ID, m.File, m.Line, m.Operator, m.Outcome, m.Class)
}
