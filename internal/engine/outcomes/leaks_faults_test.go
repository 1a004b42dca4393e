// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"path/filepath"
	"slices"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

// Faults in the decision which goroutines have leaked.

// leakFaults each change one condition of vm/leaks.go.
func leakFaults() []planting.Fault {
	return []planting.Fault{
		{Name: "movers-reach-nothing", Old: "if !slices.Contains(some, i) {\n\t\t\tr.follow", New: "if !slices.Contains(some, i) && !planted(\"movers-reach-nothing\") {\n\t\t\tr.follow"},
		{Name: "variables-reach-nothing", Old: "o.Flags&state.IsDirty != 0 {\n\t\t\tr.follow", New: "o.Flags&state.IsDirty != 0 && !planted(\"variables-reach-nothing\") {\n\t\t\tr.follow"},
		{Name: "waiters-reach-nothing", Old: "\t\t\tr.follow(m.threadReferences(nil, t, false))\n\t\t\treturn true", New: "\t\t\tif !planted(\"waiters-reach-nothing\") {\n\t\t\t\tr.follow(m.threadReferences(nil, t, false))\n\t\t\t}\n\t\t\treturn true"},
		{Name: "one-pass", Old: "for before := 0; before != len(waiting); {", New: "for before := 0; before != len(waiting) && !(planted(\"one-pass\") && before > 0); {"},
		{Name: "first-case-only", Old: "for _, c := range m.comms(nil, t) {\n\t\t\tlist", New: "for i, c := range m.comms(nil, t) {\n\t\t\tif i > 0 && planted(\"first-case-only\") {\n\t\t\t\tbreak\n\t\t\t}\n\t\t\tlist"},
		{Name: "nil-is-reached", Old: "return id > 0 && (", New: "return (id > 0 || planted(\"nil-is-reached\")) && ("},
		{Name: "iterators-are-goroutines", Old: "!m.mayGoOn(t) && !takesTurns(t)", New: "!m.mayGoOn(t) && (planted(\"iterators-are-goroutines\") || !takesTurns(t))"},
		{Name: "objects-lead-nowhere", Old: "work = r.m.References(work, &r.m.Objs[id])", New: "if !planted(\"objects-lead-nowhere\") {\n\t\t\t\twork = r.m.References(work, &r.m.Objs[id])\n\t\t\t}"},
	}
}

func leakSources(t *testing.T) planting.Sources {
	s := planting.Sources{}
	s.Read(t, filepath.Join("..", "..", "vm", "*.go"))
	return s
}

func TestLeakFaults_CanBePlanted(t *testing.T) { leakSources(t).Check(t, leakFaults()) }

// TestLeakFaults_AreFound plants each fault and looks which program of the table shows it.
func TestLeakFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: a minute")
	}
	leakSources(t).EachIsFound(t, leakFaults(), "TestLeakFault_IsFound")
}

// TestLeakFault_IsFound runs in the binary with the faults and says which program shows the one that is switched on.
func TestLeakFault_IsFound(t *testing.T) {
	if planting.On() == "" {
		t.Skip("a part of TestLeakFaults_AreFound")
	}
	for _, l := range slices.Concat(leaks(), noLeaks()) {
		if got := leaksOf(t, l, outcomes.Applicable); !slices.Equal(got, l.want) {
			t.Logf("FOUND %s: %q, want %q", l.name, got, l.want)
			return
		}
	}
}
