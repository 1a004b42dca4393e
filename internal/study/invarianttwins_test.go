// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"fmt"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// The page of invariants of one's own.

const invariantPage = "../../doc/study-invariants.md"

func invariantRows() []twins {
	return []twins{
		{"chains", "Sorted", "Overwritten", large},
		{"chains", "Sized", "Recounted", large},
		{"chains", "Treiber", "Announced", large},
		{"chains", "Lagging", "Behind", small},
		{"chains", "Linked", "OneWay", large},
		{"numbers", "Ordered", "Disordered", large},
		{"numbers", "Permits", "Debts", large},
		{"numbers", "Held", "Shared", large},
		{"numbers", "Bank", "Lossy", large},
		{"numbers", "Cached", "Slipped", large},
		{"slices", "Ring", "Crowded", large},
		{"slices", "Heap", "LeftHeap", large},
		{"slices", "Buckets", "Moved", large},
		{"slices", "Pool", "Careless", large},
	}
}

const invariantHead = `# Invariants of one's own, in a table

Small types, each with an invariant (` + "`//pangolin:invariant`" + `, [annotations.md](annotations.md)) and a twin that breaks it
([source](../internal/study/testdata/invariants)). Most wrong twins give no wrong result in the scope, or not before the invariant is broken; it shows the step that does it.

Written by ` + "`go test ./internal/study -run TestInvariantTwins -update`" + `. Each run of the tests computes all verdicts anew and compares them.

    pangolin verify -config 3x4 ./internal/study/testdata/invariants/...
    pangolin prove ./internal/study/testdata/invariants/locked

## In a scope

"always": in every state, between two accesses of a call too; else while no call is in progress. Scopes are up to three threads with three or four calls in all, and nothing else is searched. Of what is
violated there is the client, and the line of its last access, behind which the invariant is broken. CPU-s are of the process, compiling the package included, for one worker, on a machine with other work; states and
CPU-s are those of the run that wrote the page, and are not compared.

| type | what it does | invariant | scope | verdict | client | last access | states | CPU-s |
|---|---|---|---|---|---|---|---:|---:|
`

const provedHead = `
## For any number of threads

Invariants that take the type's lock are operations with an oracle that says "true" ([proofs.md](proofs.md) has why that proves them, and what is not proved): the keys ascend (Sorted), the size is the chain's
length (Sized), no cell is reached twice (Ends).

| type | what it does | operations | verdict | for | what is seen | states | CPU-s |
|---|---|---|---|---|---|---:|---:|
`

// TestInvariantTwins computes the page.
func TestInvariantTwins(t *testing.T) {
	level.SkipShort(t, "verifies 28 types with invariants, and proves some")
	a := newAsker(t, "testdata/invariants", invariantPage)
	var b strings.Builder
	b.WriteString(invariantHead)
	for _, w := range invariantRows() {
		for k, typ := range w.types() {
			v := a.one(typ, pangolin.Request{Scope: w.scope})
			if want := []verdict.Status{verdict.Verified, verdict.Violated}[k]; v.Status != want || len(v.Invariants) == 0 || v.Violation != nil && v.Violation.Class != "invariant" {
				t.Fatalf("%s: %s %s, want %s by an invariant", typ, v.Status, v.Reason, want)
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |", typ, a.says(typ), strings.ReplaceAll(strings.ReplaceAll(strings.Join(v.Invariants, "; "), "while no call is in progress", "at rest"), "in every state", "always"), w.scope.Config, v.Status, breaking(&v))
			b.WriteString(a.figures(v.States))
		}
	}
	b.WriteString(provedHead)
	for _, name := range []string{"Kept", "Appended", "Forgot", "Touched", "Knotted"} {
		v := a.one("locked."+name, pangolin.Request{Engine: "prover"})
		want := map[bool]verdict.Status{true: verdict.Proved, false: verdict.Violated}[name == "Kept" || name == "Touched"]
		if v.Status != want {
			t.Errorf("%s: %s, want %s", name, v.Status, want)
		}
		fmt.Fprintf(&b, "| locked.%s | %s | %s | %s | %s | %s |", name, a.says("locked."+name), strings.Join(v.Operations, ", "), v.Status, extent(&v), seen(&v))
		b.WriteString(a.figures(v.States))
	}
	compared(t, invariantPage, b.String())
}

// extent is what a proof covers.
func extent(v *verdict.Verdict) string {
	if v.Status != verdict.Proved {
		return ""
	}
	return v.Scope.Extent()
}

// breaking is the client that breaks an invariant, and the line of the last access, as two cells.
func breaking(v *verdict.Verdict) string {
	if v.Violation == nil {
		return " | "
	}
	line := ""
	for _, step := range v.Violation.Execution.Steps {
		if step.Access != nil && step.Source != "" {
			line = "`" + strings.TrimSpace(step.Source) + "`"
		}
	}
	return strings.ReplaceAll(v.Violation.Client+" | "+line, "  |  ", " \\| ")
}
