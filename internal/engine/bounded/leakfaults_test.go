// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"path/filepath"
	"testing"

	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

// Faults in the decision which goroutines have leaked, and in what is told of them.

// leakFaults each change one condition of leaks.go here and in package vm, or of what decides that leaks are looked for.
func leakFaults() []planting.Fault {
	return []planting.Fault{
		{Name: "the-collection-holds-nothing", Old: "for _, p := range m.Kept {\n\t\tr.follow", New: "for _, p := range m.Kept {\n\t\tif planted(\"the-collection-holds-nothing\") {\n\t\t\tbreak\n\t\t}\n\t\tr.follow"},
		{Name: "calls-hold-nothing", Old: "if !slices.Contains(some, i) {\n\t\t\tr.follow", New: "if !slices.Contains(some, i) && !planted(\"calls-hold-nothing\") {\n\t\t\tr.follow"},
		{Name: "first-goroutine-is-a-client", Old: "for i := c.sys.threads; i < c.place.Threads(); i++ {\n\t\tif !c.place.Idle", New: "for i := c.sys.threads; i < c.place.Threads(); i++ {\n\t\tif i == c.sys.threads && planted(\"first-goroutine-is-a-client\") {\n\t\t\tcontinue\n\t\t}\n\t\tif !c.place.Idle"},
		{Name: "iterators-are-goroutines", Old: "!m.mayGoOn(t) && !takesTurns(t)", New: "!m.mayGoOn(t) && (planted(\"iterators-are-goroutines\") || !takesTurns(t))"},
		{Name: "callers-keep-nothing", Old: "v.opt.Leaks && v.subject.Forgets == \"\"", New: "v.opt.Leaks && (planted(\"callers-keep-nothing\") || v.subject.Forgets == \"\")"},
		{Name: "nobody-cancels-the-background", Old: "!(cancelled && slices", New: "!(cancelled && !planted(\"nobody-cancels-the-background\") && slices"},
		{Name: "constructors-take-nothing", Old: "if what := c.madeWith(); what != \"\" {", New: "if what := c.madeWith(); what != \"\" && !planted(\"constructors-take-nothing\") {"},
		{Name: "functions-are-given-nothing", Old: "case AsFunc:\n\t\treturn handsOn", New: "case AsFunc:\n\t\treturn !planted(\"functions-are-given-nothing\") && handsOn"},
		{Name: "elements-are-dropped", Old: "for _, p := range c.Parts {\n\t\t\tif leads(", New: "for _, p := range c.Parts {\n\t\t\tif !planted(\"elements-are-dropped\") && leads("},
		{Name: "finalizers-end-nothing", Old: "if m.img.finalizes {", New: "if m.img.finalizes && !planted(\"finalizers-end-nothing\") {"},
		{Name: "nil-is-reached", Old: "return id > 0 && (", New: "return (id > 0 || planted(\"nil-is-reached\")) && ("},
		{Name: "starter-forgotten", Old: "by.Operation, by.Call = from.Operation, from.Call", New: "if !planted(\"starter-forgotten\") {\n\t\t\tby.Operation, by.Call = from.Operation, from.Call\n\t\t}"},
		{Name: "who-moves-abandons", Old: "if a.holder < 0 {", New: "if a.holder < 0 || planted(\"who-moves-abandons\") {"},
	}
}

func leakSources(t *testing.T) planting.Sources {
	s := planting.Sources{}
	s.Read(t, filepath.Join("..", "..", "vm", "*.go"))
	s.Read(t, filepath.Join("..", "..", "collection", "*.go"))
	s.Read(t, "*.go")
	return s
}

func TestLeakFaults_CanBePlanted(t *testing.T) { leakSources(t).Check(t, leakFaults()) }

// TestLeakFaults_AreFound plants each fault and looks which type of the table shows it.
func TestLeakFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: a minute")
	}
	leakSources(t).EachIsFound(t, leakFaults(), "TestLeakFault_IsFound")
}

// TestLeakFault_IsFound runs in the binary with the faults and says which type shows the one that is switched on.
func TestLeakFault_IsFound(t *testing.T) {
	if planting.On() == "" {
		t.Skip("a part of TestLeakFaults_AreFound")
	}
	for _, l := range append(leakCases(), keptCases()...) {
		if why := l.wrong(l.verify(t, "all")); why != "" {
			t.Logf("FOUND %s: %s", l.name, why)
			return
		}
	}
}
