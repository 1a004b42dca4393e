// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"fmt"
	"path/filepath"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
	"pangolin/verdict"
)

// Faults in the decision when points judge, in what they are told, and in what follows from their answer. Those in the judge itself are planted in
// package consist.

func firstFaults() []planting.Fault {
	return []planting.Fault{
		{Name: "any-answer-verifies", Old: "if err != nil || v.Status != verdict.Verified {\n\t\t\treturn v, false", New: "if err != nil || v.Status != verdict.Verified && !planted(\"any-answer-verifies\") {\n\t\t\treturn v, false"},
		{Name: "small-scope-verifies", Old: "within(j, j.Scope.Clients.Threads.To, tryCalls), j} {", New: "within(j, j.Scope.Clients.Threads.To, tryCalls), j} {\n\t\tif scope == j && planted(\"small-scope-verifies\") {\n\t\t\tbreak\n\t\t}"},
		{Name: "rejected-is-complete", Old: "case v.found != nil && (v.opt.Points != nil", New: "case v.found != nil && v.opt.Points != nil && planted(\"rejected-is-complete\"):\n\tcase v.found != nil && (v.opt.Points != nil"},
		{Name: "wrong-answer-stays", Old: "if !judged {\n\t\t\tbefore =", New: "if !judged && !planted(\"wrong-answer-stays\") {\n\t\t\tbefore ="},
		{Name: "races-unseen", Old: "races: !v.opt.NoRaces,", New: "races: !v.opt.NoRaces && (v.opt.Points == nil || !planted(\"races-unseen\")),"},
		{Name: "limit-forgotten", Old: "case v.ended || !res.Complete:", New: "case v.opt.Points != nil && planted(\"limit-forgotten\"):\n\tcase v.ended || !res.Complete:"},
		{Name: "many-are-few", Old: "2*s.apart <= sampled", New: "(2*s.apart <= sampled || planted(\"many-are-few\"))"},
		{Name: "history-counts-as-state", Old: "s.bare.Add(state[1:])", New: "s.bare.Add(state[map[bool]int{true: 0, false: 1}[planted(\"history-counts-as-state\")]:])"},
		{Name: "always-on", Old: "if j.Reduce&engine.Points == 0 ||", New: "if j.Reduce&engine.Points == 0 && !planted(\"always-on\") ||"},
		{Name: "for-progress", Old: "|| !isHistory(j.Property)", New: "|| !isHistory(j.Property) && !planted(\"for-progress\")"},
		{Name: "first-calls", Old: "if o.Who.First || o.Who.Alone {\n\t\t\treturn false", New: "if (o.Who.First || o.Who.Alone) && !planted(\"first-calls\") {\n\t\t\treturn false"},
		{Name: "site-not-remembered", Old: "Site: uint16(d.Site)}", New: "Site: map[bool]uint16{false: uint16(d.Site)}[planted(\"site-not-remembered\")]}"},
		{Name: "site-not-recalled", Old: "e.Race, e.Site, e.Said, e.Returned = nil, int(s.Site),", New: "e.Race, e.Site, e.Said, e.Returned = nil, map[bool]int{false: int(s.Site)}[planted(\"site-not-recalled\")],"},
		{Name: "another-site", Old: "return n + 1\n\t}\n\treturn 0", New: "if planted(\"another-site\") {\n\t\t\treturn n + 2\n\t\t}\n\t\treturn n + 1\n\t}\n\treturn 0"},
		{Name: "another-thread", Old: ".(consist.Visiting).Visit(c.id, i, site)", New: ".(consist.Visiting).Visit(c.id, map[bool]int{true: 0, false: i}[planted(\"another-thread\")], site)"},
		{Name: "assumptions-not-taken-over", Old: "if g == nil || !g.Guarded {\n\t\treturn fresh", New: "if g == nil || !g.Guarded || planted(\"assumptions-not-taken-over\") {\n\t\treturn fresh"},
	}
}

func firstSources(t *testing.T) planting.Sources {
	s := planting.Sources{}
	for _, pattern := range []string{"*.go", "../bounded/*.go", "../../play/*.go", "../../vm/parts/*.go"} {
		s.Read(t, filepath.FromSlash(pattern))
	}
	return s
}

func TestFirstFaults_CanBePlanted(t *testing.T) { firstSources(t).Check(t, firstFaults()) }

// TestFirstFaults_AreFound plants each fault and looks which case shows it.
func TestFirstFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: some minutes")
	}
	firstSources(t).EachIsFound(t, firstFaults(), "TestFirstFault_IsFound")
}

// TestFirstFault_IsFound runs in the binary with the faults and says which case shows the one that is switched on.
func TestFirstFault_IsFound(t *testing.T) {
	if planting.On() == "" {
		t.Skip("a part of TestFirstFaults_AreFound")
	}
	if why := misapplied(calling(t, "stack", "LockFreeStack", 6, nil, "")); why != "" {
		t.Logf("FOUND applies: %s", why)
		return
	}
	if err := differs(calling(t, large[0].pkg, large[0].typ, large[0].calls, nil, ""), large[0].states, large[0].monitors); err != nil {
		t.Logf("FOUND %s: %v", large[0].typ, err)
		return
	}
	for _, c := range largeFaults {
		if why := takesBack(deep(t, c.does), c.status); why != "" {
			t.Logf("FOUND %s: %s", c.name, why)
			return
		}
	}
	if why := otherwise(t); why != "" {
		t.Logf("FOUND %s", why)
	}
}

// otherwise says what is wrong where locks guard what points stand at, where a limit is reached, and where most states differ.
func otherwise(t testing.TB) string {
	j := calling(t, "queue", "UnboundedQueue", 6, nil, "")
	if v, judged := byPoints(shared, j, engine.Events{}); !judged || v.States != guardedStates {
		return fmt.Sprintf("UnboundedQueue: judged by points: %t, %s, %d states", judged, v.Status, v.States)
	}
	j = calling(t, "queue", "LockFreeQueue", 5, nil, "")
	j.MaxStates = 12_000
	if _, judged := byPoints(shared, j, engine.Events{}); judged {
		return "a limit is reached, and nobody says so"
	}
	j = calling(t, "list", "LazyList", 4, nil, "")
	j.MaxStates = 12_000
	sample := new(bounded.Sample)
	if v, err := bounded.Decide(shared, bounded.Options{Job: *j, Sample: sample}, engine.Events{}); err != nil || sample.Few || v.Status != verdict.Unknown || v.States != 12_000 {
		return "LazyList: its first states are taken to differ in their history alone"
	}
	return ""
}

// guardedStates are those of a queue under locks by points.
const guardedStates = 382

func TestUsual_IsRightOtherwise(t *testing.T) {
	if why := otherwise(t); why != "" {
		t.Error(why)
	}
}
