// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/checker"
	"pangolin/internal/certificate/ranking"
	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/fragment"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// ranked proves a collection, and looks for a ranking that shows a property of progress. The text is the certificate, or why says why there is none.
func ranked(t testing.TB, s *subject.Subject, property verdict.Property) (text []byte, why string) {
	t.Helper()
	p, err := fragment.Of(s)
	if err != nil {
		t.Fatal(err)
	}
	found, err := fixpoint.Search(t.Context(), p, fixpoint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if found.Invariant == nil {
		t.Fatal(found.Failure.Alarm)
	}
	return rankedBy(t, s, found.Invariant, property)
}

func rankedBy(t testing.TB, s *subject.Subject, inv *fixpoint.Invariant, property verdict.Property) (text []byte, why string) {
	t.Helper()
	x := inv.Certificate(certificate.NewHead(s.Source, s.Prog))
	x.Ask(property)
	text, err := checker.Complete(t.Context(), s, x)
	var no *checker.Unranked
	switch {
	case errors.As(err, &no):
		return nil, no.Why
	case err != nil:
		t.Fatal(err)
	}
	return text, ""
}

// progressing are collections with the properties of progress that are proved; of the others why has a part of the reason.
var progressing = []struct {
	pkg, typ string
	proved   []verdict.Property
	why      string
	long     bool
}{
	{"stack", "LockFreeStack", []verdict.Property{verdict.LockFree, verdict.ObstructionFree, verdict.DeadlockFree}, "no bound is known", false},
	{"queue", "LockFreeQueue", []verdict.Property{verdict.LockFree, verdict.ObstructionFree, verdict.DeadlockFree}, "no bound is known", false},
	{"right", "DGLMQueue", []verdict.Property{verdict.LockFree, verdict.ObstructionFree, verdict.DeadlockFree}, "no bound is known", true},
	{"list", "LockFreeList", []verdict.Property{verdict.LockFree, verdict.ObstructionFree, verdict.DeadlockFree}, "no bound is known", true},
	{"list", "MichaelList", []verdict.Property{verdict.LockFree, verdict.ObstructionFree, verdict.DeadlockFree}, "no bound is known", true},
	{"list", "HarrisList", []verdict.Property{verdict.LockFree, verdict.ObstructionFree, verdict.DeadlockFree}, "no bound is known", true},
	{"list", "DerivedList", nil, "write any number of times", true},
	{"list", "DerivedListDCAS", nil, "write any number of times", true},
	{"list", "LazyList", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", true},
	{"list", "OptimisticList", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", true},
	{"list", "HindsightList", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", true},
	{"right", "CoarseStack", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"right", "CoarseQueue", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"right", "LockedStack", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"right", "CountedStack", []verdict.Property{verdict.LockFree, verdict.ObstructionFree, verdict.DeadlockFree}, "no bound is known", false},
	{"right", "Register", nil, "takes effect by a write of its own", false},
	{"right", "MeetingStack", nil, "takes effect by a write of its own", false},
	{"right", "HindsightSet", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"queue", "UnboundedQueue", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"list", "CoarseList", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"list", "FineList", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"progress", "Nested", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"progress", "Hands", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"progress", "Crossed", nil, "no order of the locks is known", false},
	{"progress", "Kept", nil, "with a lock that it does not give back", false},
	{"progress", "Polled", nil, "may take a lock of the collection any number of times", false},
	{"progress", "Spun", nil, "nothing is known that grows less", false},
	{"progress", "Never", nil, "nothing is known that grows less", false},
	{"progress", "Dueling", nil, "write any number of times", false},
	{"progress", "Flagged", nil, "nothing is known that grows less", false},
	{"progress", "Unhelped", nil, "nothing is known that grows less", false},
	{"progress", "Lazily", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"progress", "Leaves", nil, "nothing is known that grows less", false},
	{"progress", "Strays", nil, "nothing is known that grows less", false},
	{"progress", "Born", nil, "nothing is known that grows less", false},
	{"progress", "Stubborn", nil, "nothing is known that grows less", false},
	{"progress", "Unlinks", nil, "nothing is known that grows less", false},
	{"progress", "Searches", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"progress", "Misses", nil, "nothing is known that grows less", false},
	{"progress", "Back", nil, "no order of the locks is known", false},
}

// lazyLists are those of package progress with nodes that are marked.
var lazyLists = []string{"Lazily", "Leaves", "Strays", "Born", "Stubborn", "Unlinks"}

func TestComplete_RanksWhatReturns(t *testing.T) {
	for _, c := range progressing {
		t.Run(c.typ, func(t *testing.T) {
			if c.long && !level.All() {
				t.Skip("takes long")
			}
			if slices.Contains(lazyLists, c.typ) && !level.More() && (level.Short() || c.typ != "Leaves") {
				t.Skip("takes many seconds")
			}
			if c.pkg != "progress" && level.Short() && c.typ != "FineList" && c.typ != "LockFreeStack" {
				t.Skip("some will do")
			}
			s := load(t, c.pkg, c.typ)
			p, err := fragment.Of(s)
			if err != nil {
				t.Fatal(err)
			}
			found, err := fixpoint.Search(t.Context(), p, fixpoint.Options{})
			if err != nil || found.Invariant == nil {
				t.Fatalf("%v, %+v", err, found.Failure)
			}
			reasons := ""
			x := found.Invariant.Certificate(certificate.NewHead(s.Source, s.Prog))
			x.Ask(verdict.LockFree)
			fits, err := checker.Fitted(t.Context(), s, x)
			if err != nil {
				t.Fatal(err)
			}
			for _, property := range verdict.OfProgress() {
				_, text, err := fits.Ranked(t.Context(), property)
				why := ""
				switch no := new(checker.Unranked); {
				case errors.As(err, &no):
					why = no.Why
				case err != nil:
					t.Fatal(err)
				}
				if is, want := text != nil, slices.Contains(c.proved, property); is != want {
					t.Errorf("%s: proved %t, want %t: %s", property, is, want, why)
				}
				if reasons += why + "\n"; text == nil {
					continue
				}
				if err := accept(s, parsed(t, text)); err != nil {
					t.Errorf("%s: %v", property, err)
				}
			}
			if !strings.Contains(reasons, c.why) {
				t.Errorf("the reasons are\n%swant %q", reasons, c.why)
			}
		})
	}
}

// Properties that are proved for any number of threads may not be broken in doc/progress.md, by two threads with a few calls: there, an operation has
// the strongest class that its calls have.
func TestComplete_AgreesWithTheBoundedVerdictsOfProgress(t *testing.T) {
	page, err := os.ReadFile("../../../doc/progress.md")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, c := range progressing {
		_, row, found := strings.Cut(string(page), "\n| "+c.pkg+"."+c.typ+" |")
		if !found {
			continue
		}
		compared++
		columns := strings.Split(row, "|") // wait-free, lock-free, obstruction-free, blocking
		for i, property := range []verdict.Property{verdict.WaitFree, verdict.LockFree, verdict.ObstructionFree} {
			for _, weaker := range columns[i+1 : 4] {
				if slices.Contains(c.proved, property) && strings.TrimSpace(weaker) != "" {
					t.Errorf("%s.%s is proved to be %s, and doc/progress.md has %s as less", c.pkg, c.typ, property, strings.TrimSpace(weaker))
				}
			}
		}
	}
	if compared < 8 {
		t.Errorf("%d collections are in both", compared)
	}
}

// What is proved to be deadlock-free, or more, may not be expected to deadlock or to go on for ever in any scope of collections/*/EXPECT.csv; a wrong
// result would contradict the proof as well.
func TestComplete_AgreesWithTheExpectedVerdicts(t *testing.T) {
	compared := 0
	for _, c := range progressing {
		file, err := os.Open("../../../collections/" + c.pkg + "/EXPECT.csv")
		if err != nil || len(c.proved) == 0 {
			continue
		}
		rows, err := csv.NewReader(file).ReadAll()
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			if row[slices.Index(rows[0], "collection")] != c.typ {
				continue
			}
			compared++
			if slices.Contains(row[slices.Index(rows[0], "A"):slices.Index(rows[0], "E")+1], string(verdict.Violated)) {
				t.Errorf("%s.%s is proved to be %v, and EXPECT.csv has it as violated: %v", c.pkg, c.typ, c.proved, row)
			}
		}
	}
	if compared < 8 {
		t.Errorf("%d rows are about collections that are proved", compared)
	}
}

// stuck is the class of what the bounded engine finds if so many threads make so many calls: a deadlock, an execution without end, or something
// else that goes wrong.
func stuck(t *testing.T, s *subject.Subject, threads, steps int) string {
	t.Helper()
	r, err := bounded.Run(t.Context(), bounded.Options{Job: engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Reduce: vm.AllReductions, MaxStates: 300_000},
		Scope: engine.Scope{Preempt: -1, Fair: true, Clients: client.Scope{Threads: client.Range{From: 1, To: threads}, Steps: client.Range{From: 1, To: steps}, Values: steps, ThreadSymmetry: true}}}})
	if err != nil || r.Violation == nil {
		return ""
	}
	return string(r.Violation.Class)
}

// TestComplete_RanksNoMutantThatGetsStuck plants every fault, and looks for rankings where there is a proof of results. Of what has one the bounded engine
// may find neither a deadlock nor an execution without end.
func TestComplete_RanksNoMutantThatGetsStuck(t *testing.T) {
	level.SkipShort(t, "takes seconds")
	count := map[string]int{}
	for _, c := range []struct {
		pkg, typ string
		more     bool
	}{{"stack", "LockFreeStack", false}, {"progress", "Nested", false}, {"progress", "Hands", true}, {"right", "CoarseQueue", true}, {"queue", "UnboundedQueue", true}, {"list", "FineList", true}, {"queue", "LockFreeQueue", true}} {
		if c.more && !level.More() {
			continue
		}
		for _, m := range plant(t, c.pkg, c.typ) {
			p, err := fragment.Of(m.subject)
			if err != nil {
				continue
			}
			found, err := fixpoint.Search(t.Context(), p, fixpoint.Options{MaxViews: 5000})
			if err != nil || found.Invariant == nil {
				count["results not proved"]++
				continue
			}
			text, why := rankedBy(t, m.subject, found.Invariant, verdict.DeadlockFree)
			class := stuck(t, m.subject, 2, 4)
			if class == "" {
				class = stuck(t, m.subject, 3, 3)
			}
			count[fmt.Sprintf("ranked %t, wrong %t", text != nil, class != "")]++
			switch {
			case text != nil && class != "":
				t.Errorf("%s %d is ranked, and a few threads show: %s\n%s", c.typ, m.ID, class, m.Diff())
			case text == nil:
				t.Logf("%s %d: %s: %s", c.typ, m.ID, class, why)
			}
		}
	}
	t.Log(count)
	if count["ranked true, wrong false"] == 0 || count["ranked false, wrong true"] == 0 {
		t.Error("that compares little")
	}
}

// A ranking is edited, and rejected.
func TestCheck_RejectsRankingsThatWereEdited(t *testing.T) {
	for _, c := range []struct {
		pkg, typ string
		property verdict.Property
		edits    map[string]func(r *ranking.Ranking)
	}{
		{"stack", "LockFreeStack", verdict.LockFree, map[string]func(r *ranking.Ranking){
			"another property": func(r *ranking.Ranking) { r.Property = verdict.WaitFree },
			"no property":      func(r *ranking.Ranking) { r.Property = verdict.Linear },
			"no ranks": func(r *ranking.Ranking) {
				for i := range r.Ranks {
					r.Ranks[i] = []int{}
				}
			},
			"equal ranks": func(r *ranking.Ranking) {
				for i := range r.Ranks {
					r.Ranks[i] = []int{0}
				}
			},
			"variables that there are not": func(r *ranking.Ranking) {
				for i := range r.Ranks {
					r.Ranks[i] = []int{0, -1, 1 << 40}
				}
			},
			"a rank too few":       func(r *ranking.Ranking) { r.Ranks = r.Ranks[1:] },
			"a view that is split": func(r *ranking.Ranking) { r.Split = []int{1} },
			"views that are split twice": func(r *ranking.Ranking) {
				r.Split = []int{1, 1}
			},
		}},
		{"list", "FineList", verdict.DeadlockFree, map[string]func(r *ranking.Ranking){
			"places that grow": func(r *ranking.Ranking) {
				for i := range r.Places {
					r.Places[i].Number = -r.Places[i].Number
				}
			},
			"no locks":         func(r *ranking.Ranking) { r.Locks = []ranking.Word{} },
			"another property": func(r *ranking.Ranking) { r.Property = verdict.LockFree },
			"an order of variables that there are not": func(r *ranking.Ranking) { r.Places[2].Order = [][2]int{{0, 99}} },
			"an order that does not hold": func(r *ranking.Ranking) {
				for i := range r.Places {
					r.Places[i].Order = [][2]int{{0, 0}}
				}
			},
			"cells that are not apart": func(r *ranking.Ranking) {
				for i := range r.Places {
					r.Places[i].Apart = [][2]int{{1, 1}}
				}
			},
		}},
		{"progress", "Searches", verdict.DeadlockFree, map[string]func(r *ranking.Ranking){
			"no call comes back, which nobody says": func(r *ranking.Ranking) {
				for i := range r.Places {
					r.Places[i].Returning = nil
				}
			},
			"no call comes back anywhere": func(r *ranking.Ranking) {
				for i := range r.Places {
					r.Places[i].Returning = new(int)
				}
			},
			"no call comes back with another variable": func(r *ranking.Ranking) {
				for i := range r.Places {
					if v := r.Places[i].Returning; v != nil {
						*v = (*v + 1) % 2
					}
				}
			},
		}},
		{"progress", "Lazily", verdict.DeadlockFree, map[string]func(r *ranking.Ranking){
			"busy cells that anybody may lock": func(r *ranking.Ranking) { r.Busy = false },
			"busy cells that nobody knows": func(r *ranking.Ranking) {
				for i := range r.Places {
					r.Places[i].Own = nil
				}
			},
			"busy cells everywhere": func(r *ranking.Ranking) {
				for i := range r.Places {
					r.Places[i].Own = []int{0}
				}
			},
		}},
	} {
		if c.typ == "Lazily" && !level.More() {
			continue
		}
		s := load(t, c.pkg, c.typ)
		text, why := ranked(t, s, c.property)
		if text == nil {
			t.Fatal(why)
		}
		for name, change := range c.edits {
			x := parsed(t, text)
			change(x.Head.Progress)
			if err := accept(s, x); err == nil {
				t.Errorf("%s: %s: it is accepted", c.typ, name)
			}
		}
	}
}

// faultsOfProgress are planted in the checker and in package ranking. Each makes a type pass that does not return.
var faultsOfProgress = []planting.Fault{
	{Name: "locks-in-any-order", Old: "\tcase holds < takes:\n", New: "\tcase holds < takes || planted(\"locks-in-any-order\"):\n"},
	{Name: "locks-alike", Old: "case holds == takes && (l.Ahead ||", New: "case holds == takes && (l.Ahead || planted(\"locks-alike\") ||"},
	{Name: "locks-lost", Old: "\t\t\tif is && off < len(d.words) && d.words[off] == mine {\n\t\t\t\tc.watch.refuse", New: "\t\t\tif is && off < len(d.words) && d.words[off] == mine && !planted(\"locks-lost\") {\n\t\t\t\tc.watch.refuse"},
	{Name: "locks-in-loops", Old: "case e.Takes && !falls:", New: "case e.Takes && !falls && !planted(\"locks-in-loops\"):"},
	{Name: "locks-wait-not", Old: "if r.Property != verdict.DeadlockFree && len(g.Locks) > 0 {", New: "if r.Property != verdict.DeadlockFree && len(g.Locks) > 0 && !planted(\"locks-wait-not\") {"},
	{Name: "locks-unseen", Old: "if w == nil || w.from == nil || s.g[a.N].private {", New: "if w == nil || w.from == nil || s.g[a.N].private || planted(\"locks-unseen\") {"},
	{Name: "ahead-anywhere", Old: "return !g[n].private && slices.Contains(c.behind(g, c.linked(&g[n])), m)", New: "return planted(\"ahead-anywhere\") || !g[n].private && slices.Contains(c.behind(g, c.linked(&g[n])), m)"},
	{Name: "ranks-fall-always", Old: "\t\t\tif a[i] != b[i] {\n\t\t\t\treturn b[i] < a[i]", New: "\t\t\tif a[i] != b[i] || planted(\"ranks-fall-always\") {\n\t\t\t\treturn planted(\"ranks-fall-always\") || b[i] < a[i]"},
	{Name: "writes-shrink-always", Old: "return cells == 0 && lost == 0, cells < 0", New: "return cells == 0 && lost == 0, cells < 0 || planted(\"writes-shrink-always\")"},
	{Name: "writes-unseen", Old: "s.did.writes, s.did.text = true, c.here(s)", New: "s.did.writes, s.did.text = !planted(\"writes-unseen\"), c.here(s)"},
	{Name: "effects-again", Old: "Changes: s.saw&changed != 0 && from.saw&changed == 0,", New: "Changes: s.saw&changed != 0 && from.saw&changed == 0 || planted(\"effects-again\"),"},
	{Name: "waits-for-others", Old: "case r.Property == verdict.WaitFree && !falls:", New: "case r.Property == verdict.WaitFree && !falls && !planted(\"waits-for-others\"):"},
	{Name: "k-anywhere", Old: "item.N != certificate.Equal {\n\t\t\t\tbits", New: "(item.N != certificate.Equal || planted(\"k-anywhere\")) {\n\t\t\t\tbits"},
	{Name: "cases-not-executed", Old: "\t\tfor _, g := range list {\n\t\t\tc.fit.list", New: "\t\tfor _, g := range list {\n\t\t\tif planted(\"cases-not-executed\") {\n\t\t\t\tbreak\n\t\t\t}\n\t\t\tc.fit.list"},
}

// faultsOfBusyCells are planted in what is noted of busy cells.
var faultsOfBusyCells = []planting.Fault{
	{Name: "busy-cells-released", Old: "if x.Vars>>own&1 != 0 {", New: "if x.Vars>>own&1 != 0 && !planted(\"busy-cells-released\") {"},
	{Name: "busy-cells-not-owned", Old: "if e.Makes>>b&1 != 0 && !has(b) {", New: "if e.Makes>>b&1 != 0 && !planted(\"busy-cells-not-owned\") && !has(b) {"},
	{Name: "busy-cells-forgotten", Old: "if stays = true; !has(int(x.B)) {", New: "if stays = true; !planted(\"busy-cells-forgotten\") && !has(int(x.B)) {"},
	{Name: "busy-at-once", Old: "\tif made {\n\t\tw.loosen", New: "\tif made && !planted(\"busy-at-once\") {\n\t\tw.loosen"},
	{Name: "busy-when-new", Old: "case w.from == nil:\n", New: "case w.from == nil && planted(\"busy-when-new\"):\n\t\tcase w.from == nil:\n"},
	{Name: "busy-always", Old: "c.busy(s.g, int(a.N)) == certainly", New: "(c.busy(s.g, int(a.N)) == certainly || planted(\"busy-always\"))"},
}

func TestComplete_RanksWhatReturns_FailsWithFaultsOfBusyCells(t *testing.T) {
	if !level.More() {
		t.Skip("builds the test again, and proves five lists with each fault: -level more")
	}
	failsWith(t, faultsOfBusyCells, "-level=more", "Lazily|Leaves|Strays|Born|Stubborn")
}

func TestComplete_RanksWhatReturns_FailsWithFaults(t *testing.T) {
	level.SkipShort(t, "builds the test again")
	failsWith(t, faultsOfProgress, "-test.short", "Crossed|Kept|Polled|Never|Dueling|Back|Nested|Unhelped|Misses|LockFreeStack")
}

// failsWith plants each fault, and at a level sees one of some types proved that does not return.
func failsWith(t *testing.T, faults []planting.Fault, at, types string) {
	sources := planting.Sources{}
	sources.Read(t, "../../certificate/checker/*.go")
	sources.Read(t, "../../certificate/ranking/*.go")
	sources.EachFails(t, faults, func(out string) string {
		at := strings.Index(out, "proved true, want false")
		if at < 0 {
			at = strings.Index(out, "the reasons are")
		}
		if at < 0 {
			return ""
		}
		line := out[strings.LastIndex(out[:at], "\n")+1:]
		line, _, _ = strings.Cut(line, "\n")
		return strings.TrimSpace(line)
	}, at, "-test.run=TestComplete_RanksWhatReturns$/^("+types+")$")
}

// What is remembered between questions about one subject changes no answer, in whatever order they are asked.
func TestAttempt_AnswersAlikeFromMemory(t *testing.T) {
	level.SkipShort(t, "the same proofs ten times over")
	properties := append([]verdict.Property{verdict.Linear}, verdict.OfProgress()...)
	for _, c := range [][2]string{{"stack", "LockFreeStack"}, {"list", "FineList"}, {"progress", "Crossed"}, {"progress", "Spun"}, {"wrong", "Frontal"}} {
		s := load(t, c[0], c[1])
		answer := func(p verdict.Property, m *engine.Memo) string {
			j := &engine.Job{Subject: s, Property: p, Search: engine.Search{Certify: true}, Memo: m}
			v, _, err := Attempt(t.Context(), j, engine.Events{})
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			if v.Proof != nil {
				text = string(v.Proof.Text) + strings.Join(v.Proof.Progress, ", ")
			}
			return fmt.Sprint(v.Status, v.Reason, v.States, v.Transitions, text)
		}
		alone := map[verdict.Property]string{}
		for _, p := range properties {
			alone[p] = answer(p, nil)
		}
		backwards := slices.Clone(properties)
		slices.Reverse(backwards)
		for _, order := range [][]verdict.Property{properties, backwards} {
			m := &engine.Memo{}
			for _, p := range order {
				if answer(p, m) != alone[p] {
					t.Errorf("%s, %s: another answer than when nothing is remembered", c[1], p)
				}
			}
		}
	}
}
