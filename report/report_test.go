// SPDX-License-Identifier: BSD-3-Clause

package report_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pangolin/report"
	"pangolin/verdict"
)

// results are one of every kind, with as much in them as renderers look at.
func results() []any {
	exit := 2
	bounds := verdict.Scope{Bounds: &verdict.Bounds{Threads: [2]int{1, 2}, Steps: [2]int{1, 2}, Values: 2, Hash: "identity"}}
	at := verdict.Place{Function: "(*Box).Put", File: "box/box.go", Line: 7}
	witness := &verdict.Witness{Type: "witness", Version: verdict.Version, Class: "deadlock", Threads: 1,
		Account: verdict.Account{Steps: []verdict.Step{{Thread: 1, Operation: "Put", Call: 1, Phase: verdict.Invoke},
			{Thread: 1, Operation: "Put", Place: at, Source: "b.mu.Lock()", Access: &verdict.Access{Kind: verdict.LibraryCall, Function: "Lock", Object: "Box#1", Field: ".mu"}, Frame: 1}},
			Frames: []verdict.Frame{{Place: at}}, History: []verdict.Event{{Thread: 1, Operation: "Put", Args: []string{"1"}, Invoked: 1}},
			Waiting:     []verdict.Situation{{Thread: 1, Operation: "Put", Waits: true, For: "sync.Mutex.Lock", Place: at}},
			Explanation: &verdict.Explanation{Kind: verdict.NoOrder, Property: "linear", Stuck: []int{1}, Tried: []verdict.Order{{Rejected: []verdict.Rejection{{Call: 1}}}}}}}
	program := verdict.Verdict{Status: verdict.Violated, Findings: verdict.Findings{Outcomes: &verdict.Outcomes{Complete: true, List: []verdict.Outcome{
		{Kind: verdict.Deadlocked, Exit: &exit, Panic: "fatal error", Involved: []verdict.Situation{{Goroutine: "main", Count: 2, For: "chan send", Place: at}}},
		{Kind: verdict.Raced, Race: []verdict.Conflict{{Write: true, Place: at}, {Place: at}}},
		{Kind: verdict.Endless, Involved: []verdict.Situation{{Goroutine: "main"}}, Schedule: []verdict.OutcomeStep{{Begins: true}, {Thread: 1, Place: at}}, Cycle: []verdict.OutcomeStep{{}}},
	}}}}
	collection := verdict.Collection{Name: "box.Box", Operations: []verdict.Operation{{Name: "Put", Signature: "Put(int)"}}}
	return []any{
		verdict.Found{Collection: collection}, collection, verdict.Clients{Scope: bounds, Count: "3"},
		verdict.Verdict{Status: verdict.Violated, Scope: bounds, Effort: verdict.Effort{Clients: "1"}, Findings: verdict.Findings{Violation: &verdict.Violation{Class: "deadlock", Execution: witness}}},
		verdict.Verdict{Status: verdict.Unknown, Reason: "a limit", Effort: verdict.Effort{Clients: "1"}, Scope: verdict.Scope{Limits: []verdict.Limit{{Name: "items", Value: "2"}}}},
		program, witness, verdict.Unmutated{Verdict: verdict.Verdict{Scope: bounds}}, verdict.Gone{}, verdict.Baseline{}, verdict.Shard{Index: 1, Of: 2}, verdict.Position(1), verdict.End{}, verdict.Mutant{ID: 1, Diff: "-a\n+b\n"}, &verdict.MutationSummary{Scope: bounds},
		verdict.Points{Type: "points", Subject: verdict.Subject{Collection: "box.Box", Kind: "stack"}, Searches: 2, Outcomes: []verdict.PointOf{
			{Operation: "Push", Changes: true, Fixed: true, Points: []verdict.Point{{Place: verdict.Place{File: "box.go", Line: 3}, Column: 2, Source: "b.n = 1", When: "swapped"}}},
			{Operation: "Has", Outcome: "false", Points: []verdict.Point{{Place: verdict.Place{File: "box.go", Line: 3}, Column: 2, By: "Push"}}},
		}},
		verdict.Composition{Subject: verdict.Subject{Collection: "box.Box", Kind: "stack"}, Scope: bounds, Verdict: verdict.Verdict{Status: verdict.Verified, Scope: bounds},
			Most: 2, Helped: []verdict.Help{{Operation: "Pop", In: "Push"}}, Candidates: []verdict.OutcomeOf{{Operation: "Pop", Outcome: "_, false"}},
			Anywhere: []verdict.OutcomeOf{{Operation: "Has", Outcome: "true"}}, Intermediate: &verdict.Intermediate{Status: verdict.Verified, States: 5}},
		verdict.System{Of: "box.Box", Side: "code", File: "box.aut", States: 1}, verdict.Comparison{Left: "a.aut", Right: "b.aut", Equivalence: "branching", Formula: "<a>", Words: "can do a"},
		verdict.Checked{Subject: verdict.Subject{Collection: "box.Box"}, Reason: "a view is missing"}, verdict.Checked{Subject: verdict.Subject{Collection: "box.Box"}, Holds: true, Statement: verdict.Statement{Limits: []verdict.Limit{{Name: "items", Value: "2"}}}},
		verdict.Reproduction{Collection: "box.Box", Class: "race", Result: verdict.Reproduced, By: "go test"},
	}
}

// full is a device on which nothing more can be written.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFormats_PrintEveryKindOfResult(t *testing.T) {
	for _, f := range report.Formats {
		var first string
		for range 3 { // the same input gives the same bytes
			var b strings.Builder
			r := f.New(&b, report.Options{})
			for _, result := range results() {
				if err := r.Show(result); err != nil {
					t.Errorf("%s: %T: %v", f.Name, result, err)
				}
			}
			if err := r.Close(); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
			if first == "" {
				first = b.String()
			}
			if b.String() != first || first == "" {
				t.Errorf("%s: prints something else each time, or nothing", f.Name)
			}
		}
	}
}

func TestFormats_TellThatNothingCanBeWritten(t *testing.T) {
	for _, f := range report.Formats {
		r := f.New(full{}, report.Options{})
		var shown error
		for _, result := range results() { // a format may have no line for some
			if shown = r.Show(result); shown != nil {
				break
			}
		}
		closed := r.Close() // also to those who did not look at the first error
		if !errors.Is(closed, errFull) || shown != nil && !errors.Is(shown, errFull) {
			t.Errorf("%s: %v, %v", f.Name, shown, closed)
		}
	}
}

func TestJSON_IsOneObjectALineWithTypeAndSchema(t *testing.T) {
	var b strings.Builder
	r, err := report.New("json", &b, report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range results() {
		if err := r.Show(result); err != nil {
			t.Error(err)
		}
	}
	seen := map[string]int{}
	for lines := bufio.NewScanner(strings.NewReader(b.String())); lines.Scan(); {
		var line struct {
			Type            string
			Schema, Version int
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Errorf("%v: %s", err, lines.Text())
		}
		if line.Type == "" || line.Schema != verdict.Schema && (line.Type != "witness" || line.Version != verdict.Version) {
			t.Errorf("no type, or no version: %s", lines.Text())
		}
		seen[line.Type]++
	}
	want := map[string]int{"baseline": 1, "gone": 1, "collection": 1, "clients": 1, "verdict": 2, "outcome": 3, "points": 1, "composition": 1, "summary": 2, "witness": 1, "mutant": 1, "check": 2, "reproduction": 1, "shard": 1, "system": 1, "comparison": 1}
	for kind, n := range want {
		if seen[kind] != n {
			t.Errorf("%d lines of type %s, want %d", seen[kind], kind, n)
		}
	}
	if len(seen) != len(want) {
		t.Errorf("got %v, want %v", seen, want)
	}
}

func TestJSON_OfAnOutcomeHasWhatScriptsRelyOn(t *testing.T) {
	var b strings.Builder
	r, _ := report.New("json", &b, report.Options{})
	for _, result := range results() {
		if v, ok := result.(verdict.Verdict); ok && v.Outcomes != nil {
			_ = r.Show(v)
		}
	}
	for _, want := range []string{
		`"kind":"deadlock","exit":2,"stdout":"","stderr":"","panic":"fatal error","deadlock":true,"race":false,"endless":false,"involved":["2 × main [chan send] at box/box.go:7 in (*Box).Put"]`,
		`"kind":"race","exit":null,`, `"race":true,`, `"involved":["write at box/box.go:7 in (*Box).Put","read at box/box.go:7 in (*Box).Put"]`,
		`"endless":true,"involved":["main"],`, `"schedule":[{"thread":0,"goroutine":"","does":""},{"thread":1,"goroutine":"","does":"","at":"box/box.go:7","in":"(*Box).Put"}]`,
		`"cycle":[{"thread":0,"goroutine":"","does":"","at":"-","in":"-"}]`, `"verdict":"violated"`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
}

func TestNew_RefusesAFormatThatDoesNotExist(t *testing.T) {
	if _, err := report.New("html4", full{}, report.Options{}); err == nil || !strings.Contains(err.Error(), "there are text, json") {
		t.Error(err)
	}
}
