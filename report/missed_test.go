// SPDX-License-Identifier: BSD-3-Clause

package report_test

import (
	"strings"
	"testing"

	"pangolin/report"
	"pangolin/verdict"
)

// What was not judged, and what a verdict is not about, is said in every format.
func TestFormats_NameWhatIsNotJudged(t *testing.T) {
	list := []verdict.Verdict{
		{Subject: verdict.Subject{Collection: "queue.Queue", Property: "linear", Oracle: "self"}, Package: "example/queue", Engine: "bounded", Status: verdict.Verified,
			Scope:   verdict.Scope{Bounds: &verdict.Bounds{Threads: [2]int{1, 2}, Steps: [2]int{1, 2}, Values: 2, Hash: "identity"}},
			LeftOut: []verdict.LeftOut{{Operation: "Walk", Why: "it takes a channel"}}},
		{Subject: verdict.Subject{Collection: "queue.Ring", Property: "linear"}, Package: "example/queue", Status: verdict.NotJudged, Reason: "nobody can make it"},
		{Subject: verdict.Subject{Collection: "./nope", Property: "linear"}, Status: verdict.NotJudged, Reason: "no such directory"},
	}
	if code := verdict.ExitCode(list); code != verdict.ExitUnknown {
		t.Errorf("exit code %d", code)
	}
	want := map[string][]string{
		"json":  {`"collection":"./nope"`, `"verdict":"not judged"`},
		"text":  {"queue.Ring not judged\n", "./nope not judged\n", "not judged: queue.Ring, ./nope\n", "3 verdicts: 1 verified, 2 not judged"},
		"html":  {"2 not judged", "./nope: not judged"},
		"sarif": {`"executionSuccessful": false`, "queue.Ring was not judged: nobody can make it", "verified (without Walk; one thread unchecked)"},
		"junit": {`name="example/queue" tests="2" failures="0" skipped="1"`, `name="./nope" tests="1" failures="0" skipped="1"`, `message="not judged: no such directory"`,
			"verified (without Walk; one thread unchecked)"},
	}
	for _, f := range report.Formats {
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
		if len(want[f.Name]) == 0 {
			t.Errorf("nothing is wanted of the format %s", f.Name)
		}
		for _, text := range append([]string{"nobody can make it", "no such directory", "it takes a channel"}, want[f.Name]...) {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%s: no %q in\n%s", f.Name, text, b.String())
			}
		}
	}
}
