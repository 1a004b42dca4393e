// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/find"
	mutants "pangolin/internal/mutant"
	"pangolin/internal/subject"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// order finds one of the collections, or one of the subjects in testdata.
func order(t testing.TB, dir, typ string) *subject.Order {
	t.Helper()
	q := find.Query{Dir: dir, Packages: []string{"."}, Type: typ,
		Overrides: func(directives []string) (collection.Overrides, error) {
			w, err := wishes(directives)
			w.Type = typ
			return w, err
		}, Note: func(string, ...any) {}}
	found, _, err := q.Find(repository)
	if err != nil {
		t.Fatal(err)
	}
	return &subject.Order{Listed: found[0].Listed, Patterns: found[0].Patterns, Overrides: found[0].Overrides}
}

// load compiles one of them, with its roles.
func load(t testing.TB, dir, typ string) *subject.Subject {
	t.Helper()
	s, err := order(t, dir, typ).Load(repository)
	if err != nil {
		t.Fatal(err)
	}
	assign(s)
	return s
}

// assign gives the ring for one producer and one consumer its roles.
func assign(s *subject.Subject) {
	for i := range s.Operations {
		if strings.HasSuffix(s.About.Collection, "right.SPSC") {
			s.Operations[i].Client.Who.Only = i + 1
		}
	}
}

// mutated is a mutant that compiles.
type mutated struct {
	*mutants.Mutant
	subject *subject.Subject
}

// plant compiles those mutants of a collection that are chosen, numbered as `pangolin mutate`
// numbers them.
func plant(t *testing.T, dir, typ string, chosen func(id int) bool) []mutated {
	t.Helper()
	ctx := repository
	o := order(t, dir, typ)
	original, err := o.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	list, err := mutants.All(ctx, o, original)
	if err != nil {
		t.Fatal(err)
	}
	var out []mutated
	for i := range list {
		if !chosen(list[i].ID) {
			continue
		}
		s, err := list[i].Subject(ctx, o, original)
		if errors.As(err, new(*subject.Invalid)) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		assign(s)
		out = append(out, mutated{list[i], s})
	}
	return out
}

// ask asks for a proof with so many items, of so many views at most.
func ask(s *subject.Subject, items, views int) (*search, error) {
	j := &engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Reduce: engine.AllReductions}}
	return Prove(repository, j, items, limits{views: views, lost: mostLost})
}

// wrong is a violation that the bounded engine has found: "" is none.
type wrong struct {
	what  string // "history in 2x3"
	items int    // that may be in the collection meanwhile: calls that put something in, at most
	over  bool   // the time was over before anything was found
}

// goesWrong says whether the bounded engine finds that something goes wrong in a scope with two
// values: a wrong result, a panic or a race.
func goesWrong(t *testing.T, s *subject.Subject, scope [2]int) wrong {
	t.Helper()
	threads, steps := scope[0], scope[1]
	ctx, cancel := context.WithTimeout(repository, *most) // of some mutants the states become larger and larger
	defer cancel()
	r, err := bounded.Run(ctx, bounded.Options{Job: engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Reduce: vm.AllReductions, MaxStates: *states},
		Scope: engine.Scope{Preempt: -1, Fair: true, Clients: client.Scope{Threads: client.Range{From: 1, To: threads}, Steps: client.Range{From: 1, To: steps}, Values: 2, ThreadSymmetry: true}}}})
	if err != nil || r.Violation == nil {
		return wrong{over: ctx.Err() != nil} // it cannot be made, or nothing was found
	}
	switch c := r.Violation.Class; c {
	case bounded.History, bounded.Panic, bounded.Race:
		w := wrong{what: fmt.Sprintf("%s in %dx%d", c, threads, steps)}
		for _, e := range r.Violation.History.Events {
			if e.Phase == history.Invoke && !slices.Contains(removing, s.Operations[e.Method].Binding.Role) {
				w.items++
			}
		}
		return w
	}
	return wrong{}
}

// removing are the roles of operations that put nothing in.
var removing = []oracle.Role{oracle.Remove, oracle.Contains, oracle.Take, oracle.Peek, oracle.TakeFront, oracle.TakeBack, oracle.PeekFront, oracle.PeekBack,
	oracle.Len, oracle.IsEmpty, oracle.Clear, oracle.Load, oracle.LoadAndDelete, oracle.Delete, oracle.CompareAndDelete}

// provedWithin says that there is a proof with as many items as what goes wrong may need. err is what a proof
// with two items came to.
func (w wrong) provedWithin(s *subject.Subject, err error) bool {
	if err == nil && w.items > 2 {
		_, err = ask(s, w.items, 50_000)
	}
	return err == nil
}

var (
	proven = flag.Bool("proved", false, "of the mutants, only those that are proved by the tables")
	most   = flag.Duration("most", 10*time.Second, "the `time` after which the search for what goes wrong in a scope is given up")
	states = flag.Uint64("states", 60_000, "the `number` of states after which it is")
)

// tabled are the collections of which there is a table of mutants. Views are what a search for a
// proof has at most: about half as many again as the proof of the collection. Of the sample, every so
// many are tried in the usual tests.
var tabled = []struct {
	dir, typ     string
	views, every int
}{
	{"../../../collections/stack", "LockFreeStack", 5_000, 3},
	{"../../../collections/list", "CoarseList", 4_000, 9},
	{"../../../collections/list", "FineList", 4_000, 15},
	{"../../../collections/list", "LazyList", 18_000, 0},
	{"../../../collections/list", "OptimisticList", 24_000, 0},
	{"../../../collections/list", "LockFreeList", 5_000, 0},
	{"../../../collections/hashset", "CoarseHashSet", 4_000, 0},
	{"../../../collections/hashset", "StripedHashSet", 5_000, 41},
	{"../../../collections/queue", "UnboundedQueue", 4_000, 0},
	{"testdata/subjects/right", "BitSet", 2_000, 2},
	{"testdata/subjects/right", "CopySet", 4_000, 0},
	{"testdata/subjects/right", "CopyStack", 4_000, 0},
	{"testdata/subjects/right", "Ring", 4_000, 7},
	{"testdata/subjects/right", "SPSC", 6_000, 7},
	{"testdata/subjects/right", "Heap", 4_000, 0},
	{"testdata/subjects/right", "Tree", 4_000, 0},
	{"testdata/subjects/right", "Map", 4_000, 0},
	{"testdata/subjects/right", "Buckets", 4_000, 0},
	{"testdata/subjects/right", "Deque", 4_000, 0},
	{"testdata/subjects/right", "Nested", 8_000, 0},
	{"testdata/subjects/right", "HandedOver", 8_000, 0},
	{"testdata/subjects/right", "Owned", 8_000, 0},
	{"testdata/subjects/right", "Notes", 8_000, 0},
	{"testdata/subjects/right", "Spun", 8_000, 0},
	{"testdata/subjects/right", "Striped", 8_000, 0},
	{"testdata/subjects/right", "Mailbox", 8_000, 0},
	{"testdata/subjects/right", "Waiting", 8_000, 0},
	{"testdata/subjects/right", "Semaphore", 8_000, 0},
}

// small are the scopes that are tried of every mutant, large those of one that is proved.
var (
	small = [][2]int{{1, 3}, {2, 3}, {2, 4}}
	large = [][2]int{{3, 3}, {3, 4}, {2, 5}}
)

// TestProve_ProvesNoMutantThatGoesWrong plants faults. A bounded search with few calls comes first. What it kills
// must not be proved; and of what is proved larger scopes may show nothing wrong either. The tables in testdata say what became of
// each mutant.
func TestProve_ProvesNoMutantThatGoesWrong(t *testing.T) {
	for _, c := range tabled {
		t.Run(c.typ, func(t *testing.T) {
			if !level.All() && (c.every == 0 || level.Short()) {
				t.Skip("takes long: -level all")
			}
			from, to := flags.Numbers(1, math.MaxInt)
			every := 3 * c.every
			if level.More() {
				every = max(1, c.every/4)
			}
			table, count, tried, over := tableOf(t, c.typ), map[string]int{}, 0, 0
			chosen := func(id int) bool {
				return id >= from && id <= to && (level.All() || id%every == 0) && (!*proven || strings.HasSuffix(table[id], "; proved"))
			}
			for _, m := range plant(t, c.dir, c.typ, chosen) {
				fate := fateOf(t, &m, c.views)
				tried++
				count[fate.proof]++
				line := fmt.Sprintf("%d %s:%d %s: %s; %s", m.ID, filepath.Base(m.File.Name), m.Line, m.Operator, cmp.Or(fate.killed, survives), fate.proof)
				if fate.over && fate.killed == "" {
					line = strings.Replace(line, survives, survives+", as far as the time went", 1)
				}
				switch {
				case flags.Update():
					table[m.ID] = line
					writeTable(t, c.typ, table)
				case fate.over && strings.HasSuffix(table[m.ID], "; "+fate.proof): // on a busy machine; the table knows what a search with more time finds
					over++
				case table[m.ID] != line:
					t.Errorf("the table of %s has %q, want %q", c.typ, table[m.ID], line)
				}
			}
			if t.Logf("%d in the table; tried: %v; of %d the time was over before anything was found", len(table), count, over); over > max(1, tried/4) {
				t.Error("too many of them: -most gives more time")
			}
		})
	}
}

// fate is what became of a mutant.
type fate struct {
	killed, proof string
	over          bool // the search for what goes wrong was given up as the time was over
}

// survives says that nothing was found that goes wrong.
const survives = "survives"

func fateOf(t *testing.T, m *mutated, views int) fate {
	t.Helper()
	var f fate
	var found wrong
	for i := 0; i < len(small) && found.what == "" && !found.over; i++ {
		found = goesWrong(t, m.subject, small[i])
	}
	_, err := ask(m.subject, 2, views)
	switch {
	case err == nil:
		f.proof = "proved"
	case strings.Contains(err.Error(), "withdrawn"):
		t.Errorf("%d: %v:\n%s", m.ID, err, m.Diff())
		f.proof = "withdrawn"
	case errors.As(err, new(*limitError)):
		f.proof = "no proof within the limit"
	default:
		f.proof = "no proof"
	}
	for i := 0; i < len(large) && found.what == "" && !found.over && err == nil; i++ {
		found = goesWrong(t, m.subject, large[i])
	}
	f.over = found.over
	switch f.killed = found.what; {
	case f.killed == "":
	case found.provedWithin(m.subject, err):
		t.Errorf("%d: proved with %d items, although something goes wrong (%s):\n%s", m.ID, found.items, f.killed, m.Diff())
	case err == nil:
		f.killed += fmt.Sprintf(" with %d items", found.items)
	}
	return f
}

// tableOf reads the table of the mutants of a collection.
func tableOf(t *testing.T, typ string) map[int]string {
	t.Helper()
	table := map[int]string{}
	text, err := os.ReadFile(filepath.Join("testdata", "mutants", typ+".txt"))
	if err != nil && !flags.Update() {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var id int
		if _, err := fmt.Sscanf(line, "%d ", &id); err == nil {
			table[id] = line
		}
	}
	return table
}

func writeTable(t *testing.T, typ string, table map[int]string) {
	t.Helper()
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(table)) {
		fmt.Fprintln(&b, table[id])
	}
	if err := os.WriteFile(filepath.Join("testdata", "mutants", typ+".txt"), []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestMutants_NoneThatIsKilledIsProved reads the tables.
func TestMutants_NoneThatIsKilledIsProved(t *testing.T) {
	killed, all := 0, 0
	for _, c := range tabled {
		for _, line := range tableOf(t, c.typ) {
			all++
			if strings.Contains(line, ": "+survives) {
				continue
			}
			killed++
			if strings.HasSuffix(line, "; proved") && !strings.Contains(line, " items; ") { // of more than two, with which it is not proved
				t.Errorf("%s: %s", c.typ, line)
			}
		}
	}
	t.Logf("%d mutants, of which %d go wrong", all, killed)
	if killed < 650 {
		t.Errorf("the tables have %d mutants that go wrong, which is little", killed)
	}
}
