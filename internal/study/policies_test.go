// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"slices"
	"strings"
	"testing"

	"pangolin/collections"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// named is a study.
func named(t *testing.T, name string) *Study {
	t.Helper()
	for _, s := range All() {
		if s.Name == name {
			return &s
		}
	}
	t.Fatalf("there is no study %s", name)
	return nil
}

// linesOf are what a study gives.
func linesOf(t *testing.T, name string, o Options) (list []Line) {
	t.Helper()
	if err := named(t, name).Run(repository, o, func(l Line) error {
		list = append(list, l)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// printed is the page of lines.
func printed(t *testing.T, name string, lines []Line) string {
	t.Helper()
	var b strings.Builder
	if err := named(t, name).Print(&b, lines, 0); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every algorithm of Fig. 6 has a row, once, about a collection that is expected to be verified.
func TestPolicies_HaveTheAlgorithmsOfTheFigure(t *testing.T) {
	known, err := Expectations(collections.Expectations)
	if err != nil {
		t.Fatal(err)
	}
	names, types := map[string]bool{}, map[string]bool{}
	for _, r := range policyRows {
		names[r.name], types[r.typ] = true, true
		if !slices.ContainsFunc(known, func(e Expectation) bool {
			return e.Collection == r.typ && e.Package == "pangolin/collections/"+r.pkg && e.Class == ""
		}) {
			t.Errorf("%s: no expectation for %s.%s", r.name, r.pkg, r.typ)
		}
	}
	if len(names) != 19 || len(types) != 19 {
		t.Errorf("%d names and %d types, want 19", len(names), len(types))
	}
}

// Cells are those of the question: both verdicts, and the points in a note.
func TestPolicies_AskEveryQuestion(t *testing.T) {
	level.SkipShort(t, "verifies a stack in four ways")
	opt := Options{Rows: []string{"LockFreeStack", "HW queue"}, Configs: []string{"policy", "bounded", "points"}, Workers: 1}
	got := of[Cell](linesOf(t, "policies", opt))
	if len(got) != 6 {
		t.Fatalf("%d cells: %+v", len(got), got)
	}
	for i, c := range got {
		if c.Config != policyColumns[i%3] || c.Verdict != verdict.Verified || c.States == 0 || c.Judgement() != verdict.Verified {
			t.Errorf("%+v", c)
		}
	}
	const want = "Pop = _, true: `if s.top.CompareAndSwap(top, top.next) {` (swapped)"
	if points := got[2].Note; !strings.Contains(points, want) {
		t.Errorf("%s\nwithout %s", points, want)
	}
	// In configuration D one of two steps of its own is always that at which an Enqueue takes effect.
	if points := got[5].Note; !strings.Contains(points, "Enqueue: `q.items[place].Store(&x)`, `place := q.back.Add(1) - 1`") {
		t.Errorf("%s\nwithout both points of Enqueue", points)
	}
}

func TestPolicies_RefuseUnknownRowsAndColumns(t *testing.T) {
	for _, opt := range []Options{{Rows: []string{"LockFreeStak"}}, {Configs: []string{"D"}}} {
		if err := named(t, "policies").Run(repository, opt, func(Line) error { return nil }); err == nil {
			t.Errorf("%+v: no error", opt)
		}
	}
}
