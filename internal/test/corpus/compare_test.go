// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// Outcomes as text, and when two sets of them count as the same.

func outcome(t *testing.T, text string) Outcome {
	t.Helper()
	o, err := ParseOutcome(text)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func outcomes(t *testing.T, texts ...string) []Outcome {
	t.Helper()
	var list []Outcome
	for _, text := range texts {
		list = append(list, outcome(t, text))
	}
	return list
}

func TestOutcome_ReadsWhatItWrites(t *testing.T) {
	for _, text := range []string{
		`""`, `"a\nb\n"`, `deadlock`, `"x" deadlock`, `race`, `endless`, `panic "boom"`,
		`"out\n" stderr "err" panic "a\n\tpanic: b"`, `fatal "sync: unlock of unlocked mutex"`, `"bye\n" exit 3`, `panic "b" exit 0`,
	} {
		if got := outcome(t, text).String(); got != text {
			t.Errorf("%s came back as %s", text, got)
		}
	}
}

func TestOutcome_RejectsMalformedText(t *testing.T) {
	for _, text := range []string{`nonsense "a"`, `panic boom`, `"open`, `exit x`, `deadlocked`} {
		if o, err := ParseOutcome(text); err == nil {
			t.Errorf("%s was read as %s", text, o)
		}
	}
}

func TestOutcome_ExitStatusOfPanicsAndDeadlocksIsTwo(t *testing.T) {
	for _, text := range []string{`deadlock`, `panic "x"`, `fatal "x"`} {
		if o := outcome(t, text); o.Exit != 2 {
			t.Errorf("%s exits with %d", text, o.Exit)
		}
	}
}

func TestDistinct_SortsAndKeepsDeadlocksWithDifferentWaitsApart(t *testing.T) {
	list := outcomes(t, `deadlock`, `"b"`, `"a"`, `"b"`, `deadlock`)
	list[0].Waits = []string{"select"}
	list[4].Waits = []string{"chan send"}
	if got := Distinct(list); len(got) != 4 || got[0].Stdout != "a" || got[2].Waits[0] != "chan send" {
		t.Errorf("Distinct = %v", got)
	}
}

func TestCompare_AgreesWithAFaithfulMachine(t *testing.T) {
	for _, p := range corpus(t) {
		if r := Compare(p, nil, p.Expect.Outcomes); !r.OK() {
			t.Errorf("%s", r)
		}
	}
}

func TestCompare_NamesEachKindOfDifference(t *testing.T) {
	p := Program{Name: "p", Expect: Expectation{Exact: true, Outcomes: outcomes(t, `"a"`, `"b"`)}}
	r := Compare(p, outcomes(t, `"a"`, `"n"`), outcomes(t, `"a"`, `"u"`, `"a"`))
	want := `p: seen natively, not enumerated: "n"
p: declared, not enumerated: "b"
p: enumerated, not expected: "u"
p: seen natively, not in the exact set (the header is wrong): "n"
p: enumerated more than once: "a"
`
	if r.OK() || r.String() != want {
		t.Errorf("report:\n%swant:\n%s", r, want)
	}
}

func TestCompare_ASubsetAllowsMoreOutcomes(t *testing.T) {
	p := Program{Name: "p", Expect: Expectation{Outcomes: outcomes(t, `"a"`)}}
	if r := Compare(p, nil, outcomes(t, `"a"`, `"u"`)); !r.OK() {
		t.Errorf("%s", r)
	}
	if r := Compare(p, nil, outcomes(t, `"u"`)); r.OK() {
		t.Error("a lost outcome went unnoticed")
	}
}

func TestCompare_ARaceExcusesNativeOutcomesOnly(t *testing.T) {
	p := Program{Name: "p", Expect: Expectation{Exact: true, Outcomes: outcomes(t, `"a"`, `race`)}}
	if r := Compare(p, outcomes(t, `"torn"`), outcomes(t, `"a"`, `"x" race`)); !r.OK() {
		t.Errorf("%s", r)
	}
	if r := Compare(p, nil, outcomes(t, `"a"`)); r.OK() {
		t.Error("a lost race went unnoticed")
	}
	p.Expect = Expectation{Outcomes: outcomes(t, `"a"`)}
	if r := Compare(p, nil, outcomes(t, `"a"`, `race`)); r.OK() {
		t.Error("an unexpected race went unnoticed")
	}
	p.Expect.MayRace = true
	if r := Compare(p, outcomes(t, `"torn"`), outcomes(t, `"a"`, `race`)); !r.OK() {
		t.Errorf("%s", r)
	}
}

func TestCompare_LooksAtWhatDeadlockedGoroutinesWaitFor(t *testing.T) {
	p := Program{Name: "p", Expect: Expectation{Exact: true, Outcomes: outcomes(t, `deadlock`)}}
	p.Expect.Outcomes[0].Waits = []string{"chan send"}
	enumerated := outcomes(t, `deadlock`)
	if r := Compare(p, nil, enumerated); !r.OK() {
		t.Errorf("waits that are not recorded: %s", r)
	}
	enumerated[0].Waits = []string{"select"}
	if r := Compare(p, nil, enumerated); !strings.Contains(r.String(), "waits for [chan send] (declared), but is enumerated with [select]") {
		t.Errorf("report: %s", r)
	}
}

func TestCompareAll_AsksForEachFileAndStopsAtAnError(t *testing.T) {
	p, err := Program{Name: "p", Source: "package main\n", Expect: Expectation{Outcomes: outcomes(t, `"a"`)}}.Save(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fake := func(file string) ([]Outcome, error) {
		if text, err := os.ReadFile(file); err != nil || string(text) != p.Source {
			return nil, errors.New("not the program")
		}
		return outcomes(t, `"a"`), nil
	}
	reports, err := CompareAll([]Program{p, p}, [][]Outcome{nil, outcomes(t, `"n"`)}, fake)
	if err != nil || len(reports) != 2 || !reports[0].OK() || reports[1].OK() {
		t.Errorf("reports %v, error %v", reports, err)
	}
	if _, err := CompareAll([]Program{{Name: "gone", File: "nowhere"}}, nil, fake); err == nil {
		t.Error("an error went unnoticed")
	}
}
