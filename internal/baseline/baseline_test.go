// SPDX-License-Identifier: BSD-3-Clause

package baseline

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/verdict"
)

// violated is a verdict with a violation of a client with some calls.
func violated(collection, property, class string, results ...string) verdict.Verdict {
	w := &verdict.Witness{Class: class}
	for i, r := range results {
		w.History = append(w.History, verdict.Event{Thread: i + 1, Operation: "Get", Args: []string{"0"}, Results: []string{r}, Responded: 1})
	}
	return verdict.Verdict{Package: "example/" + collection, Subject: verdict.Subject{Collection: collection, Property: property}, Status: verdict.Violated,
		Findings: verdict.Findings{Violation: &verdict.Violation{Class: class, Execution: w}}}
}

func as(v verdict.Verdict, s verdict.Status) verdict.Verdict {
	v.Status, v.Violation = s, nil
	return v
}

// marked notes verdicts and gives what became of each.
func marked(l *List, list ...verdict.Verdict) (out []verdict.Novelty) {
	for i := range list {
		l.Mark(&list[i])
		out = append(out, list[i].Novelty)
	}
	return out
}

// after is the baseline that a run writes, read again.
func after(t *testing.T, l *List, list ...verdict.Verdict) *List {
	t.Helper()
	marked(l, list...)
	l.Renew()
	again, err := Parse("file", l.Text())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Text(), l.Text()) {
		t.Fatalf("read again it is\n%s, not\n%s", again.Text(), l.Text())
	}
	return again
}

func TestMark_TellsNewFromKnown(t *testing.T) {
	known := violated("q.Queue", "linear", "history", "1", "2")
	for name, c := range map[string]struct {
		v    verdict.Verdict
		want verdict.Novelty
	}{
		"the same":            {known, verdict.Known},
		"threads exchanged":   {violated("q.Queue", "linear", "history", "2", "1"), verdict.Known},
		"another result":      {violated("q.Queue", "linear", "history", "1", "1"), verdict.Novel},
		"another call":        {violated("q.Queue", "linear", "history", "1", "2", "2"), verdict.Novel},
		"another class":       {violated("q.Queue", "linear", "deadlock", "1", "2"), verdict.Novel},
		"another property":    {violated("q.Queue", "sc", "history", "1", "2"), verdict.Novel},
		"another type":        {violated("q.Ring", "linear", "history", "1", "2"), verdict.Novel},
		"no violation":        {as(known, verdict.Verified), ""},
		"unknown":             {as(known, verdict.Unknown), ""},
		"the source declares": {func() verdict.Verdict { v := known; v.Expected = verdict.Violated; return v }(), ""},
	} {
		l := after(t, New(), known)
		if got := marked(l, c.v); got[0] != c.want {
			t.Errorf("%s: %q, want %q", name, got[0], c.want)
		}
	}
}

// Lines, schedules and numbers of objects are chance; what ends an execution, and where, is not.
func TestIdentity_IsThatOfTheViolation(t *testing.T) {
	base := func() verdict.Verdict {
		v := violated("q.Queue", "linear", "race", "1", "node#3")
		w := v.Violation.Execution
		w.Race = []verdict.Conflict{{Thread: 1, Write: true, Object: "head", Place: verdict.Place{Function: "Push", File: "q.go", Line: 3}}, {Thread: 2, Object: "head", Place: verdict.Place{Function: "Pop", Line: 9}}}
		w.Waiting = []verdict.Situation{{Thread: 2, Operation: "Pop", For: "sync.Mutex.Lock"}}
		w.Crash = &verdict.Crash{Thread: 1, Text: "panic: index out of range [3] with length 2\nmore"}
		return v
	}
	v := base()
	want, _ := v.Identity()
	for name, c := range map[string]struct {
		change func(w *verdict.Witness)
		same   bool
	}{
		"lines":       {func(w *verdict.Witness) { w.Race[0].Line, w.Race[1].File = 77, "other.go" }, true},
		"steps":       {func(w *verdict.Witness) { w.Steps = append(w.Steps, verdict.Step{Thread: 1}) }, true},
		"objects":     {func(w *verdict.Witness) { w.History[1].Results[0] = "node#7" }, true},
		"numbers":     {func(w *verdict.Witness) { w.Crash.Text = "panic: index out of range [4] with length 4" }, true},
		"results":     {func(w *verdict.Witness) { w.History[0].Results[0] = "2" }, false},
		"arguments":   {func(w *verdict.Witness) { w.History[0].Args[0] = "2" }, false},
		"panicked":    {func(w *verdict.Witness) { w.History[0].Panicked = true }, false},
		"pending":     {func(w *verdict.Witness) { w.History[0].Responded = 0 }, false},
		"raced for":   {func(w *verdict.Witness) { w.Race[1].Object = "tail" }, false},
		"raced in":    {func(w *verdict.Witness) { w.Race[1].Function = "Len" }, false},
		"writes":      {func(w *verdict.Witness) { w.Race[1].Write = true }, false},
		"waits for":   {func(w *verdict.Witness) { w.Waiting[0].For = "chan receive" }, false},
		"panics":      {func(w *verdict.Witness) { w.Crash.Text = "panic: nil map" }, false},
		"goes wrong":  {func(w *verdict.Witness) { w.Race[0].Function = "Add" }, false},
		"operations":  {func(w *verdict.Witness) { w.History[0].Operation = "Len" }, false},
		"more panics": {func(w *verdict.Witness) { w.Crash = nil }, false},
	} {
		v := base()
		c.change(v.Violation.Execution)
		if id, _ := v.Identity(); (id.Fingerprint() == want.Fingerprint()) != c.same {
			t.Errorf("%s: the same %v, want %v", name, !c.same, c.same)
		}
	}
}

// What a run says nothing about is not gone, and stays in the file.
func TestGone_IsWhatTheRunDecided(t *testing.T) {
	a, b, c := violated("a.A", "linear", "history", "1"), violated("b.B", "linear", "history", "1"), violated("c.C", "linear", "race", "1")
	l := after(t, New(), a, b, c)
	other := violated("b.B", "linear", "history", "2")
	marked(l, as(a, verdict.Proved), other, as(c, verdict.Unknown))
	gone := l.Gone()
	if len(gone) != 2 || gone[0].Collection != "a.A" || gone[0].Now != verdict.Proved || gone[1].Collection != "b.B" || gone[1].Now != verdict.Violated {
		t.Errorf("%+v", gone)
	}
	if s := l.Sum("x"); s.New != 1 || s.Known != 0 || s.Gone != 2 || s.Undecided != 1 || s.File != "x" {
		t.Errorf("%+v", s)
	}
	l = after(t, l)
	if got := marked(l, a, b, other, c); !slices.Equal(got, []verdict.Novelty{verdict.Novel, verdict.Novel, verdict.Known, verdict.Known}) {
		t.Error(got)
	}
	// A violation that the source declares leaves the file, without being gone.
	l = after(t, New(), a)
	declared := a
	declared.Expected = verdict.Violated
	marked(l, declared)
	if l.Renew(); len(l.Gone()) != 0 || l.Len() != 0 {
		t.Error(l.Gone(), l.Len())
	}
}

// Random runs: the file that one writes knows its violations, each counts once, and every entry is known, gone or undecided.
func TestBaseline_Random(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	run := func() (list []verdict.Verdict) {
		for c := range 5 {
			v := violated(fmt.Sprintf("p.T%d", c), "linear", []string{"history", "race"}[r.IntN(2)], fmt.Sprint(r.IntN(3)), fmt.Sprint(r.IntN(2)))
			switch r.IntN(5) {
			case 0:
				v = as(v, verdict.Verified)
			case 1:
				v = as(v, verdict.Unknown)
			case 2:
				v.Expected = verdict.Violated
			case 3:
				continue
			}
			list = append(list, v)
		}
		return list
	}
	for range 2000 {
		l := after(t, New(), run()...)
		before := l.Len()
		next := run()
		marked(l, next...)
		s, open := l.Sum("f"), 0
		for i := range next {
			if next[i].Status == verdict.Violated && next[i].Expected == "" {
				open++
			}
		}
		declared := 0
		for i := range next {
			if next[i].Expected == verdict.Violated {
				if _, listed := l.entries[next[i].Fingerprint]; listed {
					declared++
				}
			}
		}
		if s.New+s.Known != open || s.Known+s.Gone+s.Undecided+declared != before {
			t.Fatalf("%+v: %d violations, %d entries, %d declared", s, open, before, declared)
		}
		l = after(t, l)
		for i, n := range marked(l, next...) {
			if next[i].Status == verdict.Violated && next[i].Expected == "" && n != verdict.Known {
				t.Fatalf("%+v is %q in the baseline that was written for it", next[i], n)
			}
		}
	}
}

func TestParse_RefusesWhatIsNoBaseline(t *testing.T) {
	const head = `{"type":"baseline","version":1}` + "\n"
	const line = `{"package":"p","collection":"p.T","property":"linear","class":"race","operations":["A"],"shape":"0a"}`
	if l, err := Parse("f", []byte(head+line+"\n\n")); err != nil || l.Len() != 1 {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"":                                    "f:1: the baseline is empty",
		"\n":                                  "f:1: this is no baseline",
		line:                                  "f:1: this is no baseline",
		`{"type":"baseline","version":2}`:     "f:1: the baseline has version 2",
		head + line + line:                    "f:2: ",
		head + `{"colection":"x"}`:            "f:2: ",
		head + line + "\n" + line[:20]:        "f:3: ",
		head + `{"collection":"p.T"}`:         "f:2: this is no violation of a baseline: collection, property",
		head + "<<<<<<< HEAD\n" + line + "\n": "f:2: ",
	} {
		if _, err := Parse("f", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
