// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/fragment"
	"pangolin/internal/mutant"
	"pangolin/internal/subject"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Mutants of what is proved: none is proved that the bounded engine shows to be wrong.

// compiledMutant is a mutant that compiles.
type compiledMutant struct {
	*mutant.Mutant
	subject *subject.Subject
}

// plant compiles the mutants of a collection, numbered as `pangolin mutate` numbers them.
func plant(t *testing.T, pkg, typ string) []compiledMutant {
	t.Helper()
	ctx := repository
	o := collectionOf(t, pkg, typ)
	original, err := o.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	list, err := mutant.All(ctx, o, original)
	if err != nil {
		t.Fatal(err)
	}
	var out []compiledMutant
	for i := range list {
		s, err := list[i].Subject(ctx, o, original)
		if errors.As(err, new(*subject.Invalid)) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, compiledMutant{list[i], s})
	}
	return out
}

// safety says whether the bounded engine finds that something goes wrong in a scope: a wrong
// result, a panic or a race.
func safety(t *testing.T, s *subject.Subject, threads, steps int) string {
	t.Helper()
	r, err := bounded.Run(context.Background(), bounded.Options{Job: engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Reduce: vm.AllReductions, MaxStates: 300_000},
		Scope: engine.Scope{Preempt: -1, Fair: true, Clients: client.Scope{Threads: client.Range{From: 1, To: threads}, Steps: client.Range{From: 1, To: steps}, Values: steps, ThreadSymmetry: true}}}})
	switch {
	case err != nil:
		return "" // it cannot be made
	case r.Violation == nil:
		return ""
	}
	switch c := r.Violation.Class; c {
	case bounded.History, bounded.Panic, bounded.Race:
		return string(c)
	}
	return ""
}

// quick are the collections whose mutants are always tried.
var quick = []string{"LockFreeStack", "CoarseStack", "CoarseList", "CCAS"}

// mostViews is how many views a search for a proof of a mutant has at most: about half as many
// again as the proof of the collection, by its type, and otherwise few.
var mostViews = map[string]int{"RDCSS": 8_000, "LockFreeQueue": 10_000, "DGLMQueue": 10_000, "LazyList": 8_000, "OptimisticList": 30_000, "LockFreeList": 6_000, "HindsightList": 6_000, "DerivedListDCAS": 3_000, "DerivedList": 3_000, "MichaelList": 30_000, "HarrisList": 50_000, "EliminationBackoffStack": 9_000}

// TestSearch_ProvesNoMutantThatGoesWrong plants every fault and asks for a proof. Where there
// is one, the bounded engine may not find that something goes wrong. The tables in testdata
// say what became of each, so that neither proofs nor refusals change unseen; with -level all those
// of the larger structures as well.
func TestSearch_ProvesNoMutantThatGoesWrong(t *testing.T) {
	for _, c := range proved {
		t.Run(c.typ, func(t *testing.T) {
			switch {
			case !slices.Contains(quick, c.typ) && !level.All() || level.Short():
				t.Skip("takes long")
			case c.typ != quick[0] && !level.More():
				t.Skip("one of the quick ones will do; -level more takes all of them")
			}
			from, to := flags.Numbers(1, math.MaxInt)
			original := load(t, c.pkg, c.typ)
			var lines []string
			for _, m := range plant(t, c.pkg, c.typ) {
				if m.ID < from || m.ID > to {
					continue
				}
				text, proved := attemptMutant(t, m.subject, original, mostViews[c.typ])
				if proved {
					for _, scope := range [][2]int{{2, 5}, {3, 3}} {
						if class := safety(t, m.subject, scope[0], scope[1]); class != "" {
							t.Errorf("%d: proved, although %d threads with %d calls go wrong (%s):\n%s", m.ID, scope[0], scope[1], class, m.Diff())
						}
					}
				}
				lines = append(lines, fmt.Sprintf("%d %s:%d %s: %s", m.ID, filepath.Base(m.File.Name), m.Line, m.Operator, text))
				if flags.Update() { // at once: a piece may come to its time limit
					compare(t, "mutants_"+c.typ+".txt", lines)
				}
			}
			compare(t, "mutants_"+c.typ+".txt", lines)
		})
	}
}

// attemptMutant asks for a proof of a mutant, with the oracle of the original. If that is the original's code, what has been
// learned of the two must be the same: that the original's code does that is proved of the original, and that the
// mutant does of the mutant.
func attemptMutant(t *testing.T, s, original *subject.Subject, views int) (text string, proved bool) {
	t.Helper()
	if !s.Self {
		return attempt(t, s, views)
	}
	own := *s
	var err error
	if own.Spec, err = subject.NewSelf(t.Context(), &own, subject.WaitsInHope); err != nil {
		return "no proof: " + err.Error(), false
	}
	p, err := fragment.Of(&own)
	if err != nil {
		return "not in the fragment: " + err.Error(), false
	}
	want, err := fragment.Of(original)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(p.Object, want.Object) {
		return "no proof: alone it does something else than the original", false
	}
	return attempt(t, &own, views)
}

// attempt asks for a proof with so many views; 0: a number that is enough for what is small.
func attempt(t *testing.T, s *subject.Subject, views int) (text string, proved bool) {
	t.Helper()
	p, err := fragment.Of(s)
	if err != nil {
		return "not in the fragment: " + err.Error(), false
	}
	found, err := Search(context.Background(), p, fixpoint.Options{MaxViews: cmp.Or(views, 4_000)})
	if err != nil {
		if strings.Contains(err.Error(), "withdrawn") {
			t.Error(err)
		}
		return "no proof: " + err.Error(), false
	}
	facts := facts(found, p)
	switch {
	case found.Invariant == nil && facts.Alarm.Outside:
		return "not in the fragment: " + facts.Alarm.Message, false
	case found.Invariant == nil:
		return "no proof: " + facts.Alarm.Message, false
	case len(facts.Unreached) > 0:
		return "proved, but never reached: " + strings.Join(facts.Unreached, "; "), true
	}
	return "proved", true
}

// compare compares lines, each with the number of a mutant in front, with those of the same
// mutants in a table in testdata.
func compare(t *testing.T, name string, lines []string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	text, err := os.ReadFile(file)
	if err != nil && !flags.Update() {
		t.Fatal(err)
	}
	table := map[int]string{}
	from, to := flags.Numbers(1, math.MaxInt)
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if id := idOf(line); id > 0 {
			table[id] = line
		}
	}
	if flags.Update() {
		for _, line := range lines {
			table[idOf(line)] = line
		}
		var b strings.Builder
		for _, id := range slices.Sorted(maps.Keys(table)) {
			fmt.Fprintln(&b, table[id])
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, line := range lines {
		if table[idOf(line)] != line {
			t.Errorf("%s has %q, want %q", file, table[idOf(line)], line)
		}
		delete(table, idOf(line))
	}
	for id, line := range table {
		if id >= from && id <= to {
			t.Errorf("%s has %q, and there is no such mutant", file, line)
		}
	}
}

// idOf is the number at the beginning of a line; 0: there is none.
func idOf(line string) int {
	var id int
	fmt.Sscanf(line, "%d ", &id)
	return id
}
