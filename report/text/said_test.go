// SPDX-License-Identifier: BSD-3-Clause

package text_test

import (
	"fmt"
	"strings"
	"testing"

	"pangolin/report/text"
	"pangolin/verdict"
)

// Sentences of which each was once left out, or said too often, without a test that noticed (doc/mutation.md).

// says fails unless a text has some parts and lacks others.
func says(t *testing.T, got string, want, never []string) {
	t.Helper()
	got = strings.Join(strings.Fields(got), " ")
	for _, part := range want {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
	for _, part := range never {
		if strings.Contains(got, part) {
			t.Errorf("%q in\n%s", part, got)
		}
	}
}

func TestChecked_CountsOneEffect(t *testing.T) {
	c := verdict.Checked{Holds: true, Views: 3, Effects: 1}
	says(t, render(func(p *text.Printer) { _ = p.Show(c) }), []string{"3 views, 1 effects"}, nil)
	c.Effects = 0
	says(t, render(func(p *text.Printer) { _ = p.Show(c) }), nil, []string{"effects"})
}

func TestHistories_CountThoseThatAreStuck(t *testing.T) {
	h := verdict.Histories{List: []verdict.History{{Events: []string{"1:Get()"}, Stuck: 1}, {Events: []string{"1:Put()", "1="}, Has: []verdict.Property{verdict.Linear}}}}
	got := render(func(p *text.Printer) { _ = p.Show(h) })
	says(t, got, []string{"none (stuck)", "; 1 with calls that never return", ", 1 linear"}, []string{"linear (stuck)"})
}

func TestProof_ShowsTheWayToAnAlarmUnlessThereIsAnExecution(t *testing.T) {
	v := line("list.LazyList", verdict.Unknown)
	v.Proof = &verdict.Proof{Alarm: &verdict.Alarm{Trace: []verdict.AbstractStep{{Text: "call of Add(0)", At: "lazy.go:3", Sees: "lazyNode#2{mu=1}"}}}}
	const way = "on the way there, as the abstraction has it: 1 call of Add(0) at lazy.go:3 lazyNode#2{mu=1}"
	says(t, render(func(p *text.Printer) { p.Verdict(v) }), []string{way}, nil)
	v.Status, v.Violation = verdict.Violated, &verdict.Violation{Class: "history"}
	says(t, render(func(p *text.Printer) { p.Verdict(v) }), nil, []string{"on the way there"})
	var b strings.Builder
	text.New(&b, text.Options{All: true}).Verdict(v)
	says(t, b.String(), []string{way}, nil)
}

func TestLemmas_SayWhatTheyAreGoodFor(t *testing.T) {
	needed := []verdict.Lemma{{At: "lazy.go:54 in Remove", Does: "write of the next", Facts: []string{"a == b", "c != nil"}}}
	for want, l := range map[string]*verdict.Lemmas{
		"9 facts mined, 7 true of any number of threads, and as lemmas alone they would not be enough": {Mined: 9, True: 7},
		"the time was up before it was known which the proof needs":                                    {Unfinished: true},
		"9 facts mined, 7 true of any number of threads, none of them needed":                          {Mined: 9, True: 7, Sufficient: true, Minimal: true},
		"7 true of any number of threads, 2 of them needed at":                                         {Mined: 9, True: 7, Sufficient: true, Minimal: true, Needed: needed},
		"2 of them needed (or fewer: not all was tried) at":                                            {Mined: 9, True: 7, Sufficient: true, Needed: needed},
		"of those given (1 fact) all are true of any number of threads, and they are enough":           {Given: true, True: 1, Sufficient: true},
		"and they are enough; 2 of them are needed":                                                    {Given: true, True: 3, Sufficient: true, Minimal: true, Needed: needed},
	} {
		v := line("list.LazyList", verdict.Proved)
		v.Proof = &verdict.Proof{Lemmas: l}
		says(t, render(func(p *text.Printer) { p.Verdict(v) }), []string{want}, nil)
	}
}

func TestClose_SaysWhatTestsAssume(t *testing.T) {
	got := render(func(p *text.Printer) {
		for _, a := range []string{"timers fire at any moment", "maps have any order"} {
			_ = p.Show(verdict.Tested{Package: "p", Name: "TestA", Result: verdict.TestWhole, Assumptions: []string{a}})
		}
		_ = p.Close()
	})
	says(t, got, []string{"2 tests: 2 whole", "assuming: timers fire at any moment", "assuming: maps have any order"}, nil)
}

// What was not judged is not unknown, and the column of both says so.
func TestTotals_NameTheColumnOfWhatIsOpen(t *testing.T) {
	for status, want := range map[verdict.Status]string{verdict.Unknown: "violated unknown", verdict.NotJudged: "violated open"} {
		list := many(2, 8)
		for i := range list {
			if list[i].Status == verdict.Unknown {
				list[i].Status = status
			}
		}
		says(t, strings.Join(tail(list, 100), "\n"), []string{want}, nil)
	}
}

// A package with a violation, though it was expected, is named before those with none.
func TestTotals_NameWhatIsViolatedAsExpected(t *testing.T) {
	list := many(30, 1)
	v := line("z.T", verdict.Violated)
	v.Expected, v.Package = verdict.Violated, "example.org/module/collections/z"
	got := strings.Join(tail(append(list, v), 100), "\n")
	says(t, got, []string{"z 0 1 0", fmt.Sprintf("%d other packages", 31-9)}, nil)
}
