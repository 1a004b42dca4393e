package unbounded

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/client"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/front"
	"pangolin/internal/mutant"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

var update = flag.Bool("update", false, "rewrite the tables of mutants in testdata")

// planted is a mutant that compiles.
type planted struct {
	*mutant.Mutant
	id      int
	subject *subject.Subject
}

// plant compiles the mutants of a collection, numbered as `pangolin mutate` numbers them.
func plant(t *testing.T, pkg, typ string) []planted {
	t.Helper()
	ctx := context.Background()
	o := find(t, pkg, typ)
	original, err := o.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	sources, err := o.Listed.Sources(ctx)
	if err != nil {
		t.Fatal(err)
	}
	reached := mutant.Reach(original.Prog, original.Prog.Roots[1:])
	var out []planted
	id := 0
	for i := range sources {
		p := &mutant.Package{Fset: sources[i].Fset, Info: sources[i].Info}
		paths := map[*mutant.File]string{}
		for _, f := range sources[i].Files {
			g := &mutant.File{Name: f.Name, Text: f.Text, Syntax: f.Syntax}
			p.Files = append(p.Files, g)
			paths[g] = f.Path
		}
		for _, m := range mutant.All(p, reached) {
			id++
			changed := *o
			changed.Listed = o.Listed.Overlay(map[string][]byte{paths[m.File]: m.Text()})
			s, err := changed.Compile(ctx)
			if errors.As(err, new(*front.Error)) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			s.Spec = original.Spec
			out = append(out, planted{m, id, s})
		}
	}
	return out
}

// safety says whether the bounded engine finds that something goes wrong in a scope: a wrong
// result, a panic or a race.
func safety(t *testing.T, s *subject.Subject, threads, steps int) string {
	t.Helper()
	r, err := bounded.Run(context.Background(), s, bounded.Options{
		Property: verdict.Linear, Preempt: -1, Fair: true, Races: true, Reduce: vm.AllReductions, MaxStates: 300_000,
		Scope: client.Scope{Threads: client.Range{From: 1, To: threads}, Steps: client.Range{From: 1, To: steps}, Values: steps, ThreadSymmetry: true},
	})
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
var quick = []string{"LockFreeStack", "CoarseStack", "CoarseList"}

// untried are those whose mutants would take hours.
var untried = []string{"DGLMQueue", "LazyList", "OptimisticList", "LockFreeList"}

// TestSearch_ProvesNoMutantThatGoesWrong plants every fault and asks for a proof. Where there
// is one, the bounded engine may not find that something goes wrong. The tables in testdata
// say what became of each, so that neither proofs nor refusals change unseen; with -long those
// of the larger structures as well.
func TestSearch_ProvesNoMutantThatGoesWrong(t *testing.T) {
	for _, c := range proved {
		t.Run(c.typ, func(t *testing.T) {
			switch {
			case !slices.Contains(quick, c.typ) && !*long || testing.Short():
				t.Skip("takes long")
			case slices.Contains(untried, c.typ):
				t.Skip("there is no table of its mutants yet")
			}
			var b strings.Builder
			for _, m := range plant(t, c.pkg, c.typ) {
				text, proved := attempt(t, m.subject)
				if proved {
					for _, scope := range [][2]int{{2, 5}, {3, 3}} {
						if class := safety(t, m.subject, scope[0], scope[1]); class != "" {
							t.Errorf("%d: proved, although %d threads with %d calls go wrong (%s):\n%s", m.id, scope[0], scope[1], class, m.Diff())
						}
					}
				}
				fmt.Fprintf(&b, "%d %s:%d %s: %s\n", m.id, filepath.Base(m.File.Name), m.Line, m.Operator, text)
			}
			compare(t, "mutants_"+c.typ+".txt", b.String())
		})
	}
}

// attempt asks for a proof.
func attempt(t *testing.T, s *subject.Subject) (text string, proved bool) {
	t.Helper()
	p, err := programOf(s)
	if err != nil {
		return "not in the fragment: " + err.Error(), false
	}
	found, err := Search(context.Background(), p, fixpoint.Options{MaxViews: 60_000})
	if err != nil {
		if strings.Contains(err.Error(), "withdrawn") {
			t.Error(err)
		}
		return "no proof: " + err.Error(), false
	}
	facts := found.facts(p)
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

// compare compares a table with the one in testdata.
func compare(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Split(string(want), "\n")
	for _, line := range strings.Split(text, "\n") {
		if !slices.Contains(old, line) {
			t.Errorf("not in %s: %s", file, line)
		}
	}
	if len(old) != len(strings.Split(text, "\n")) {
		t.Errorf("%s has %d lines, want %d; -update rewrites it", file, len(old), len(strings.Split(text, "\n")))
	}
}
