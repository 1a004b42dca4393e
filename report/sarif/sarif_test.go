// SPDX-License-Identifier: BSD-3-Clause

package sarif_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	gosarif "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"pangolin/report/sarif"
	"pangolin/verdict"
)

// The log of every class of violation, and of a verdict that is unknown, obeys the schema of
// SARIF 2.1.0, and has a flow for each thread.
func TestLog_ObeysTheSchema(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.json")
	if err != nil || len(files) < 7 {
		t.Fatal(err, files)
	}
	var b strings.Builder
	log := sarif.New(&b)
	_ = log.Show(verdict.Verdict{Status: verdict.Unknown, Reason: "a limit was reached"})
	threads := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w, err := verdict.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int]bool{}
		for _, s := range w.Steps {
			seen[s.Thread] = true
		}
		threads += len(seen)
		_ = log.Show(verdict.Verdict{Subject: w.Subject, Status: verdict.Violated, Findings: verdict.Findings{Violation: &verdict.Violation{Execution: w}}})
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := gosarif.FromString(b.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Validate(); err != nil {
		t.Error(err)
	}
	flows := 0
	for _, x := range r.Runs[0].Results {
		if x.Message == nil || x.Message.Text == nil || *x.Message.Text == "" || len(x.Locations) == 0 && x.Kind != "open" {
			t.Errorf("%+v", x)
		}
		for _, f := range x.CodeFlows {
			flows += len(f.ThreadFlows)
		}
	}
	if len(r.Runs[0].Results) != len(files)+1 || flows != threads {
		t.Errorf("%d results for %d files, %d flows for %d threads", len(r.Runs[0].Results), len(files), flows, threads)
	}
}
