// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/collections"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// The table of scopes: what kills most for its time.

func TestScopesTable_ListsTheUnionsThatKillMostForTheirTime(t *testing.T) {
	runs := func(config string, seconds float64, killed ...int) ScopeRuns {
		return ScopeRuns{Config: config, Verdict: verdict.Verified, States: 10, Seconds: seconds, Killed: killed}
	}
	rows := []Line{
		&ScopesRow{Row: "a", Kind: "set", Mutants: 9, Left: []int{1, 2, 3}, Scopes: []ScopeRuns{runs("D", 1), runs("2x5", 2, 1, 2), runs("3x4", 9, 2, 3)}},
		&ScopesRow{Row: "b", Kind: "set", Mutants: 9, Left: []int{1}, Scopes: []ScopeRuns{runs("D", 1, 1), runs("2x5", 2), {Config: "3x4", Verdict: verdict.Unknown, Seconds: 9}}},
		&ScopesRow{Row: "c", Kind: "set", Mutants: 9, Scopes: []ScopeRuns{}},
	}
	page := printed(t, "scopes", rows)
	_, unions, _ := strings.Cut(page, "Unions of which")
	for _, want := range []string{
		"| D | 1 | 20 | 2.0 | 1.0 |  |\n| 2x5 | 2 | 20 | 4.0 | 2.0 |  |\n" +
			"| D+2x5 | 3 | 40 | 6.0 | 3.0 |  |\n| D+2x5+3x4 | 4 | 50 | 24.0 | 12.0 | b |\n",
		core + " kills every mutant of c.",
	} {
		if !strings.Contains(unions, want) {
			t.Errorf("%q is missing in\n%s", want, unions)
		}
	}
}

// The pages are what their data give.
func TestPages_AreThoseOfTheirData(t *testing.T) {
	for name, files := range map[string][2]string{"scopes": {"scopes.jsonl", "scopes.md"}, "mutants": {"mutants.jsonl", "mutants.md"}, "cmp": {"study-cmp.jsonl", "study-cmp.md"}} {
		data, err := os.Open("../../doc/" + files[0])
		if err != nil {
			t.Fatal(err)
		}
		defer data.Close()
		lines, err := named(t, name).Read(data)
		if err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile("../../doc/" + files[1])
		if err != nil || printed(t, name, lines) != string(page) {
			t.Errorf("doc/%s is not what study %s -from doc/%s prints (%v)", files[1], name, files[0], err)
		}
	}
}

// Packages of others take the place of the collections; one that is wrong without a fault has no row.
func TestScopes_OfPackages(t *testing.T) {
	level.SkipShort(t, "verifies mutants")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example\n\ngo 1.26\n",
		"gate/gate.go": `package gate

import "sync/atomic"

// Gate lets the fourth call through.
type Gate struct{ n atomic.Int64 }

// New returns one.
func New() *Gate { return &Gate{} }

// Enter says whether the call comes through.
func (g *Gate) Enter() bool { return g.n.Add(1) > 3 }

// Close lets nobody through for three more calls.
func (g *Gate) Close() { g.n.Store(0) }
`,
		"wrong/wrong.go": `package wrong

// Flag is for one thread.
type Flag struct{ on bool }

// New returns one.
func New() *Flag { return &Flag{} }

// Flip flips it.
func (f *Flag) Flip() bool { f.on = !f.on; return f.on }

// Clear sets it back.
func (f *Flag) Clear() { f.on = false }
`,
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var notes []string
	opt := Options{Dir: dir, Packages: []string{"./wrong", "./gate"}, Configs: []string{"2x3", "2x4"}, Workers: 1, Note: func(s string) { notes = append(notes, s) }}
	rows := of[ScopesRow](linesOf(t, "scopes", opt))
	if len(rows) != 1 || len(notes) != 1 || !strings.Contains(notes[0], "wrong.Flag") {
		t.Fatalf("rows %v, notes %q", rows, notes)
	}
	r := rows[0]
	if r.Row != "gate" || r.Kind != "object" || len(r.Left) == 0 || len(r.Scopes) != 2 || len(r.Scopes[0].Killed) != 0 || len(r.Scopes[1].Killed) == 0 {
		t.Errorf("%+v: want mutants that take four calls to show", r)
	}
}

// A published time that is infinite is no number, and a cell that has one can be written.
func TestCell_WithAnInfinitePublishedTimeIsJSON(t *testing.T) {
	rows, err := Expectations(collections.Expectations)
	if err != nil {
		t.Fatal(err)
	}
	infinite := 0
	for i := range rows {
		for _, config := range Configs() {
			c := rows[i].cell(config, &verdict.Verdict{Scope: verdict.Scope{Bounds: &verdict.Bounds{}}}, 0)
			c.Clients = "0"
			if _, err := json.Marshal(c); err != nil {
				t.Errorf("%s %s: %v", c.Row, config, err)
			}
			if c.Expected == Infinite {
				infinite++
			}
		}
	}
	if infinite != 2 {
		t.Errorf("%d cells are infinite in the paper", infinite)
	}
}
