// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pangolin"
	"pangolin/collections"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// Mutants that survive have an explanation, which is checked where it can be.

func TestChanged_GivesTheFirstLineOfEachSide(t *testing.T) {
	old, now := changed("--- a.go\n+++ a.go\n@@ -1,3 +1,3 @@\n {\n-\tx--\n-\ty--\n+\t--z\n }\n")
	if old != "x--" || now != "--z" {
		t.Errorf("%q becomes %q", old, now)
	}
}

func explained(t *testing.T) explainer {
	t.Helper()
	e, err := newExplainer()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// correctRows are the collections that the study mutates.
func correctRows(t *testing.T) []Expectation {
	t.Helper()
	rows, err := Expectations(collections.Expectations)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(rows, func(e Expectation) bool { return !e.correct() })
}

func TestExplanations_SayWhatTheyMust(t *testing.T) {
	for _, x := range explained(t) {
		if err := setFlags(&pangolin.Request{}, x.flags); err != nil {
			t.Error(err)
		}
		if !strings.HasSuffix(x.file, ".go") || x.why == "" && x.flags == "" {
			t.Errorf("explanation %+v", x)
		}
	}
}

// planted gives the mutants of a collection, untried.
func planted(t *testing.T, row *Expectation) []verdict.Mutant {
	t.Helper()
	r := row.Request("A")
	r.Scope.Threads, r.Scope.Steps, r.Roles = "1", "1", "" // nothing of it is executed
	var out []verdict.Mutant
	_, err := pangolin.Mutate(repository, r, pangolin.Mutation{Where: func(m *verdict.Mutant) bool {
		out = append(out, *m)
		return false
	}})
	if err != nil {
		t.Fatalf("%s: %v", row.name(), err)
	}
	return out
}

// What an explanation says to be killed with some flags is killed with them: all of it in a
// long run, else what one thread alone shows, and of some rows.
func TestExplanations_NameFlagsThatKill(t *testing.T) {
	level.SkipShort(t, "compiles every collection")
	e := explained(t)
	for i, row := range correctRows(t) {
		if i%20 != 0 && !level.More() || !flags.Only(row.name()) {
			continue
		}
		kills := map[string]bool{}
		for _, m := range planted(t, &row) {
			kills[e.flags(row.name(), &m)] = true
		}
		for _, with := range slices.Sorted(maps.Keys(kills)) {
			if with != "" && (level.All() || strings.Contains(with, "-threads 1 ")) {
				t.Run(row.name()+" "+with, func(t *testing.T) { e.kill(t, &row, with) })
			}
		}
	}
}

// kill tries the mutants of a collection that are said to be killed with the flags.
func (e explainer) kill(t *testing.T, row *Expectation, flags string) {
	r := row.Request("D")
	if err := setFlags(&r, flags); err != nil {
		t.Fatal(err)
	}
	r.Search.MaxMemory = 2 << 30
	_, err := pangolin.Mutate(repository, r, pangolin.Mutation{
		Where: func(m *verdict.Mutant) bool { return e.flags(row.name(), m) == flags },
		Mutant: func(m verdict.Mutant) {
			if m.Outcome != verdict.Killed {
				t.Errorf("mutant %d %s %s\n%s", m.ID, m.Outcome, m.Reason, m.Diff)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSetFlags_AreThoseOfTheCommandLine(t *testing.T) {
	r := pangolin.Request{New: "NewSome()", Kind: "set"}
	if err := setFlags(&r, "-threads 2 -steps 1..5 -preadds 0..1 -preempt 3 -values 4 -roles Get:1 -adds-dominant=false -new 'New(1, T{N: 2})'"); err != nil {
		t.Fatal(err)
	}
	three := 3
	want := pangolin.Request{New: "New(1, T{N: 2})", Kind: "set", Roles: "Get:1",
		Scope: pangolin.Scope{Config: "D", Threads: "2", Steps: "1..5", PreAdds: "0..1", Values: 4, AddsDominant: pangolin.Off}, Search: pangolin.Search{Preempt: &three}}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("request %+v, want %+v", r, want)
	}
	for _, bad := range []string{"-new 'New()", "-thread 2", "-preempt x", "-steps 3 4"} {
		if err := setFlags(&r, bad); err == nil {
			t.Errorf("flags %q are accepted", bad)
		}
	}
}

// unexamined are the collections whose surviving mutants nobody has looked at yet, so that they have
// no row; WARTS.md says so.
var unexamined = []string{"RDCSS", "MichaelList", "HarrisList", "UnorderedList", "EliminationQueue"}

// The published table has every correct collection but those, in configuration D, and nothing in it
// is open. Each explanation is about mutants that survive there, and stands behind none
// that is about the same.
func TestMutantTable_AsPublishedIsComplete(t *testing.T) {
	published := published(t)
	e := explained(t)
	used := map[*explanation]bool{}
	for _, x := range correctRows(t) {
		row := published[x.name()]
		if row == nil && slices.Contains(unexamined, x.name()) {
			continue
		}
		if row == nil {
			t.Errorf("%s has no row", x.name())
			continue
		}
		if row.Config != "D" || row.Sum.Mutants < 9 {
			t.Errorf("%s: %d mutants in %s", row.Row, row.Sum.Mutants, row.Config)
		}
		e.explain(row)
		for i := range row.Left {
			if row.Left[i].Open() {
				t.Errorf("%s: mutant %d is open", row.Row, row.Left[i].ID)
			}
			used[e.find(row.Row, &row.Left[i].Mutant)] = true
		}
	}
	for i := range e {
		if !used[&e[i]] {
			t.Errorf("no mutant survives that line %d explains: %+v", i+2, e[i])
		}
	}
}

func published(t *testing.T) map[string]*MutantRow {
	t.Helper()
	data, err := os.ReadFile("../../doc/mutants.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]*MutantRow{}
	for line := range strings.Lines(string(data)) {
		row := new(MutantRow)
		if err := json.Unmarshal([]byte(line), row); err != nil {
			t.Fatal(err)
		}
		rows[row.Row] = row
	}
	return rows
}
