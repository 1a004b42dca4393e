// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/report"
	"pangolin/verdict"
)

// A verdict that was kept, or that another machine has sent, is shown as it was when it was made: in every format the same bytes. There
// are verdicts on all collections, and with every class of violation, every way in which a program ends, and every status.
func TestRecord_IsShownTheSameInEveryFormat(t *testing.T) {
	var list []verdict.Verdict
	add := func(r pangolin.Request) {
		r.Search.Scenes = true
		some, err := pangolin.Verify(repository, r)
		if err != nil {
			t.Errorf("%v: %v", r.Packages, err)
		}
		list = append(list, some...)
	}
	config := "2x2"
	if level.Short() {
		config = "1x2"
	}
	add(pangolin.Request{Packages: []string{"pangolin/collections/..."}, Scope: pangolin.Scope{Config: config}})
	add(pangolin.Request{Packages: []string{"pangolin/collections/list.LockFreeList"}, Search: pangolin.Search{MaxStates: 100}})
	add(pangolin.Request{Packages: []string{"pangolin/collections/queue.DGLMQueue"}, Engine: "points", Scope: pangolin.Scope{Config: "2x3"}})
	add(pangolin.Request{Packages: []string{"pangolin/collections/stack.LockFreeStack"}, Engine: "prover", Search: pangolin.Search{Evidence: pangolin.Evidence{Certify: true}}})
	add(pangolin.Request{Packages: []string{"pangolin/collections/list.CoarseList"}, Property: "wait-free", Scope: pangolin.Scope{Config: "2x2"}})
	v, err := pangolin.Run(repository, pangolin.Request{Packages: []string{"internal/test/corpus/testdata/programs/select_timeout.go"}, Search: pangolin.Search{Min: true}})
	if err != nil {
		t.Error(err)
	}
	list = append(list, v)
	list = append(list, drawn(t)...)
	classes, statuses := map[string]bool{}, map[verdict.Status]bool{}
	for i := range list {
		v := &list[i]
		if statuses[v.Status] = true; v.Violation != nil {
			classes[v.Violation.Class] = true
		}
		text, err := verdict.Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := verdict.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Formats {
			for _, all := range []bool{false, true} {
				if was, is := shown(t, f, all, *v), shown(t, f, all, *kept); was != is {
					t.Errorf("%s %s as %s:\n%s\nwas\n%s", v.Collection, v.Property, f.Name, is, was)
				}
			}
		}
	}
	for _, class := range verdict.Classes {
		if !classes[class] {
			t.Errorf("no verdict has a violation of the class %s", class)
		}
	}
	for _, s := range []verdict.Status{verdict.Verified, verdict.Proved, verdict.Violated, verdict.Unknown, verdict.NotJudged} {
		if !statuses[s] {
			t.Errorf("no verdict is %s", s)
		}
	}
	t.Logf("%d verdicts", len(list))
}

// drawn are verdicts with the executions of report/testdata: every class, and every way in which a program ends.
func drawn(t *testing.T) (list []verdict.Verdict) {
	t.Helper()
	files, err := filepath.Glob("report/testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w, err := verdict.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		v := verdict.Verdict{Type: "verdict", Subject: w.Subject, Scope: w.Scope, Status: verdict.Violated, Engine: "bounded", Reason: w.Message, Schema: verdict.Schema,
			LeftOut: []verdict.LeftOut{{Operation: "Len", Why: "nothing tells what it gives"}}, Assumptions: []string{"the clock stands still"},
			Hints: []string{"holds with -property sc, in this scope"}, Dropped: []verdict.Dropped{{Scope: "2x6", Why: "the limit", States: 7}},
			Asked:  []verdict.Asked{{Rule: "one thread", Kind: "queue", Scope: "D", OneThread: true, Status: verdict.Violated, Class: "history", States: 3, Seconds: 0.1}},
			Effort: verdict.Effort{Clients: "123456789012345678901234567890", States: 5, Apart: "64-bit hashes", Confusions: 1e-12}}
		w.Around = []verdict.SourceLine{{File: "queue.go", Line: 3, Text: "q.head"}}
		if w.Source.Program {
			v.Outcomes = &verdict.Outcomes{List: []verdict.Outcome{*w.Ending}, Complete: true, Reductions: []string{"fusing"}}
			v.Outcomes.List[0].Execution = w
		} else {
			at := w.Where()
			v.Violation = &verdict.Violation{Class: w.Class, Client: w.Client, Summary: w.Message, Function: at.Function, File: at.File, Line: at.Line, Steps: w.Steps, Execution: w}
		}
		list = append(list, v)
	}
	return append(list, verdict.Verdict{Type: "verdict", Subject: verdict.Subject{Collection: "queue.Ring"}, Status: verdict.NotJudged, Reason: "nobody can make one",
		LeftOut: []verdict.LeftOut{}, Assumptions: []string{}})
}

// shown is a verdict in a format, as the command prints it.
func shown(t *testing.T, f report.Format, all bool, v verdict.Verdict) string {
	t.Helper()
	var b bytes.Buffer
	var o report.Options
	o.Width, o.All = 100, all
	r := f.New(&b, o)
	if err := r.Show(v); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
