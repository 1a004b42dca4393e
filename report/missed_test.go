// SPDX-License-Identifier: BSD-3-Clause

package report_test

import (
	"strings"
	"testing"

	"pangolin/report"
	"pangolin/verdict"
)

// Whatever was named has its line in every format, and one sum at the end leaves nothing out.
func TestFormats_NameEverythingThatWasNamed(t *testing.T) {
	bounds := verdict.Scope{Bounds: &verdict.Bounds{Threads: [2]int{1, 2}, Steps: [2]int{1, 2}, Values: 2, Hash: "identity"}}
	of := func(name string, status verdict.Status, reason string) verdict.Verdict {
		v := verdict.Verdict{Subject: verdict.Subject{Collection: "queue." + name, Property: "linear", Oracle: "queue"}, Package: "example/queue", Engine: "bounded", Status: status, Reason: reason, Scope: bounds}
		if status == verdict.Violated {
			v.Violation = &verdict.Violation{Class: "deadlock", Summary: reason, Execution: &verdict.Witness{Type: "witness", Class: "deadlock", Threads: 1, Subject: v.Subject}}
		}
		return v
	}
	known, expected, unseen := of("Known", verdict.Violated, ""), of("Expected", verdict.Violated, ""), of("Unseen", verdict.Verified, "")
	known.Novelty, expected.Expected, unseen.Expected = verdict.Known, verdict.Violated, verdict.Violated
	left := of("Queue", verdict.Verified, "")
	left.LeftOut, left.Oracle = []verdict.LeftOut{{Operation: "Walk", Why: "it takes a channel"}}, "self"
	empty := of("Empty", verdict.Unknown, "no call returned in the whole scope")
	empty.Cause = verdict.Vacuous
	unjudged := func(name, path, reason string, status verdict.Status) verdict.Verdict {
		return verdict.Verdict{Subject: verdict.Subject{Collection: name, Property: "linear"}, Package: path, Status: status, Reason: reason}
	}
	cases := []struct {
		v    verdict.Verdict
		code int
		want map[string]string // by format; "": it says nothing of it
	}{
		{left, 0, map[string]string{"vet": "", "text": "queue.Queue", "json": `"verdict":"verified"`, "html": "queue.Queue", "sarif": "verified (without Walk; one thread unchecked)", "junit": "verified (without Walk; one thread unchecked)"}},
		{of("Proved", verdict.Proved, ""), 0, map[string]string{"vet": "", "text": "proved", "json": `"verdict":"proved"`, "html": "queue.Proved", "sarif": "", "junit": `<testcase name="queue.Proved linear"`}},
		{of("Wrong", verdict.Violated, ""), 1, map[string]string{"vet": "# queue.Wrong: deadlock: ", "text": "VIOLATED", "json": `"verdict":"violated"`, "html": "queue.Wrong", "sarif": `"ruleId": "deadlock"`, "junit": "<failure"}},
		{known, 0, map[string]string{"vet": "", "text": "VIOLATED (known)", "json": `"baseline":"known"`, "html": "queue.Known", "sarif": `"external"`, "junit": "<skipped"}},
		{expected, 0, map[string]string{"vet": "", "text": "VIOLATED (expected)", "json": `"expected":"violated"`, "html": "queue.Expected", "sarif": `"inSource"`, "junit": "<skipped"}},
		{unseen, 0, map[string]string{"vet": "", "text": "violated was expected", "json": `"expected":"violated"`, "html": "queue.Unseen", "sarif": "", "junit": `<testcase name="queue.Unseen linear"`}},
		{of("Limited", verdict.Unknown, "the limit on states was reached"), 3, map[string]string{"vet": "# queue.Limited: unknown: the limit on states was reached", "text": "unknown", "json": `"verdict":"unknown"`, "html": "the limit on states was reached", "sarif": `"kind": "open"`, "junit": `skipped message="the limit on states was reached"`}},
		{empty, 3, map[string]string{"vet": "# queue.Empty: unknown: no call returned", "text": "no call returned in the whole scope", "json": `"cause":"vacuous"`, "html": "no call returned in the whole scope", "sarif": `"kind": "open"`, "junit": `skipped message="no call returned`}},
		{unjudged("queue.Ring", "example/queue", "nobody can make it", verdict.NotJudged), 3, map[string]string{"vet": "# queue.Ring was not judged: nobody can make it", "text": "queue.Ring not judged", "json": `"verdict":"not judged"`, "html": "nobody can make it",
			"sarif": "queue.Ring was not judged: nobody can make it", "junit": `message="not judged: nobody can make it"`}},
		{unjudged("example/broken", "example/broken", "it does not compile", verdict.NotJudged), 3, map[string]string{"vet": "# example/broken was not judged: it does not compile", "text": "example/broken not judged", "json": `"verdict":"not judged"`, "html": "it does not compile",
			"sarif": `"executionSuccessful": false`, "junit": `<testsuite name="example/broken" tests="1" failures="0" skipped="1"`}},
		{unjudged("./nope", "", "no such directory", verdict.NotJudged), 3, map[string]string{"vet": "# ./nope was not judged: no such directory", "text": "./nope not judged", "json": `"collection":"./nope"`, "html": "./nope: not judged",
			"sarif": "./nope was not judged: no such directory", "junit": `<testsuite name="./nope" tests="1" failures="0" skipped="1"`}},
		{unjudged("queue.Plain", "example/queue", "it has no synchronisation", verdict.NotShared), 0, map[string]string{"vet": "", "text": "queue.Plain not shared: it has", "json": `"verdict":"not shared"`, "html": "it has no synchronisation",
			"sarif": "queue.Plain was not verified, as it is not shared", "junit": `message="not shared: it has`}},
		{unjudged("example/old", "example/old", "it is as it was at v1", verdict.Unchanged), 0, map[string]string{"vet": "", "text": "example/old unchanged: it is as", "json": `"verdict":"unchanged"`, "html": "it is as it was at v1",
			"sarif": "example/old was not verified, as it is unchanged", "junit": `message="unchanged: it is as`}},
	}
	var all []verdict.Verdict
	for _, c := range cases {
		all = append(all, c.v)
		if code := verdict.ExitCode([]verdict.Verdict{c.v}); code != c.code {
			t.Errorf("%s: exit code %d, want %d", c.v.Collection, code, c.code)
		}
		for _, f := range report.Formats {
			want, said := c.want[f.Name]
			if f.Name == "record" {
				want, said = `"collection":"`+c.v.Collection+`"`, true
			}
			if !said {
				t.Errorf("nothing is wanted of the format %s about %s", f.Name, c.v.Collection)
			}
			if got := shownBy(t, f, c.v); !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", f.Name, want, got)
			}
		}
	}
	sums := map[string][]string{
		"text": {"total    13 verdicts: 1 proved, 2 verified, 3 violated (1 of them expected, 1", "known), 2 unknown, 3 not judged, 1 not shared, 1 unchanged, in 0.0s.",
			"not judged: queue.Ring, example/broken, ./nope\n", "unchanged: example/old\n", "not expected: queue.Wrong, queue.Unseen (verified, not violated)"},
		"html":  {`<b class="violated">3</b> violated, <b class="verified">2</b> verified, <b class="unknown">2</b> unknown, <b class="verified">1</b> proved, <b class="unknown">3</b> not judged, 1 not shared, 1 unchanged`},
		"junit": {`<testsuite name="example/queue" tests="10" failures="1" skipped="6"`},
	}
	for _, f := range report.Formats {
		got := shownBy(t, f, all...)
		for _, text := range sums[f.Name] {
			if !strings.Contains(got, text) {
				t.Errorf("%s: no %q in\n%s", f.Name, text, got)
			}
		}
		for i := range all { // everything that was named is named, but for what a log of violations has no result of
			if name := all[i].Collection; f.Name != "sarif" && f.Name != "vet" && !strings.Contains(got, name) {
				t.Errorf("%s: nothing about %s", f.Name, name)
			}
		}
	}
	if code := verdict.ExitCode(all); code != verdict.ExitViolated {
		t.Errorf("exit code %d", code)
	}
}

// shownBy is what a format prints of verdicts.
func shownBy(t *testing.T, f report.Format, list ...verdict.Verdict) string {
	t.Helper()
	var b strings.Builder
	r := f.New(&b, report.Options{})
	for _, v := range list {
		if err := r.Show(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
