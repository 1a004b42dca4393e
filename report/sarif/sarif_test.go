// SPDX-License-Identifier: BSD-3-Clause

package sarif_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	log := sarif.New(&b, sarif.Options{Version: "1.2.3"})
	_ = log.Show(verdict.Verdict{Status: verdict.Unknown, Reason: "a limit was reached", Declared: &verdict.Place{File: "q.go", Line: 3}})
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
	known := verdict.Verdict{Status: verdict.Violated, Expectation: verdict.Expectation{Novelty: verdict.Known}, Subject: verdict.Subject{Collection: "q.Q"}, Declared: &verdict.Place{File: "q.go", Line: 3},
		Findings: verdict.Findings{Violation: &verdict.Violation{Execution: &verdict.Witness{Class: "history", Message: "wrong"}}}}
	_ = log.Show(known)
	known.Novelty, known.Expected = verdict.Novel, verdict.Violated
	_ = log.Show(known)
	_ = log.Show(verdict.Verdict{Status: verdict.NotJudged, Reason: "it does not compile"})
	_ = log.Show(verdict.Verdict{Status: verdict.NotShared, Reason: "no synchronisation"})
	_ = log.Show(verdict.Gone{Identity: verdict.Identity{Collection: "q.Q", Class: "race"}, Fingerprint: "0"})
	_ = log.Show(verdict.Baseline{})
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
		if x.Message == nil || x.Message.Text == nil || *x.Message.Text == "" || len(x.Locations) == 0 && x.Kind == "fail" {
			t.Errorf("%+v", x)
		}
		for _, f := range x.CodeFlows {
			flows += len(f.ThreadFlows)
		}
	}
	if len(r.Runs[0].Results) != len(files)+3 || flows != threads {
		t.Errorf("%d results for %d files, %d flows for %d threads", len(r.Runs[0].Results), len(files), flows, threads)
	}
	accepted(t, r)
	validated(t, b.String())
}

// accepted checks what the code scanning service asks of a log beyond the schema (the rules GH1001 to GH2012 of the SARIF Multitool): texts of
// rules, places of results, names of files, one fingerprint for each result and how large it may be.
func accepted(t *testing.T, r *gosarif.Report) {
	t.Helper()
	run := r.Runs[0]
	for _, rule := range run.Tool.Driver.Rules {
		if rule.ShortDescription == nil || rule.FullDescription == nil || rule.Help == nil || *rule.ShortDescription.Text == "" || *rule.FullDescription.Text == "" || *rule.Help.Text == "" {
			t.Errorf("rule %s says too little", *rule.ID)
		}
		if len(*rule.FullDescription.Text) > 1024 || len(*rule.ShortDescription.Text) > 1024 {
			t.Errorf("rule %s says too much", *rule.ID)
		}
	}
	if run.AutomationDetails == nil || run.AutomationDetails.ID == nil || !strings.HasSuffix(*run.AutomationDetails.ID, "/") || run.Tool.Driver.InformationURI == nil || run.Tool.Driver.Version == nil {
		t.Error("the run does not say what it is")
	}
	suppressed, states := 0, map[string]int{}
	for _, x := range run.Results {
		if len(x.PartialFingerprints) != 1 || x.RuleIndex < 0 || *run.Tool.Driver.Rules[x.RuleIndex].ID != *x.RuleID {
			t.Errorf("%+v", x)
		}
		suppressed += len(x.Suppressions)
		states[state(x)]++
		places := append(slices.Clone(x.Locations), x.RelatedLocations...)
		steps := 0
		for _, f := range x.CodeFlows {
			for _, thread := range f.ThreadFlows {
				steps += len(thread.Locations)
				for _, l := range thread.Locations {
					places = append(places, l.Location)
				}
			}
		}
		if len(x.Locations) > 1 || steps > 10_000 {
			t.Errorf("%d places, %d steps", len(x.Locations), steps)
		}
		for _, l := range places {
			if l.PhysicalLocation == nil {
				continue
			}
			at := l.PhysicalLocation.ArtifactLocation
			if strings.HasPrefix(*at.URI, "/") || strings.Contains(*at.URI, "\\") || strings.Contains(*at.URI, ":") || *at.URIBaseID != "SRCROOT" || *l.PhysicalLocation.Region.StartLine < 1 {
				t.Errorf("%+v is no place in the repository", l)
			}
		}
	}
	if suppressed != 2 || states["unchanged"] != 1 || states[""] != 0 {
		t.Errorf("%d suppressions, states %v", suppressed, states)
	}
}

// validated has the SARIF Multitool look at the log, with the rules of the code scanning service, if it is installed.
func validated(t *testing.T, log string) {
	tool, err := exec.LookPath("Sarif.Multitool")
	if err != nil {
		t.Log("the SARIF Multitool is not there")
		return
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "log.sarif")
	if err := os.WriteFile(file, []byte(log), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "validate", file, "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning", "-o", filepath.Join(dir, "out.sarif")).CombinedOutput()
	if err != nil || strings.Contains(string(out), ": error ") || strings.Contains(string(out), ": warning ") {
		t.Errorf("%v: %s", err, out)
	}
}

// A result stands where the sentence about it points, in files of the repository alone.
func TestLog_NamesPlacesOfTheRepository(t *testing.T) {
	data, err := os.ReadFile("../testdata/history.json")
	if err != nil {
		t.Fatal(err)
	}
	w, err := verdict.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	v := verdict.Verdict{Subject: w.Subject, Status: verdict.Violated, Declared: &verdict.Place{File: "b/types.go", Line: 9}, Findings: verdict.Findings{Violation: &verdict.Violation{Execution: w}}}
	last := w.Steps[len(w.Steps)-1]
	for i := range w.Steps {
		if w.Steps[i].Operation == "Get" && w.Steps[i].Line > 0 {
			last = w.Steps[i]
		}
	}
	for _, c := range []struct {
		located func(string) string
		file    string
		line    int
	}{
		{nil, "b/b.go", last.Line},
		{func(file string) string { return "sub/" + file }, "sub/b/b.go", last.Line},
		{func(file string) string { return map[string]string{"b/types.go": "types.go"}[file] }, "types.go", 9},
	} {
		var b strings.Builder
		log := sarif.New(&b, sarif.Options{Located: c.located})
		_ = log.Show(v)
		_ = log.Close()
		r, err := gosarif.FromString(b.String())
		if err != nil {
			t.Fatal(err)
		}
		at := r.Runs[0].Results[0].Locations[0].PhysicalLocation
		if *at.ArtifactLocation.URI != c.file || *at.Region.StartLine != c.line {
			t.Errorf("%s:%d, want %s:%d", *at.ArtifactLocation.URI, *at.Region.StartLine, c.file, c.line)
		}
		if state(r.Runs[0].Results[0]) != "" {
			t.Error("there is no baseline")
		}
	}
}

// Every class of violation has a rule with a text of its own.
func TestRules_DescribeEveryClass(t *testing.T) {
	var b strings.Builder
	log := sarif.New(&b, sarif.Options{})
	for _, class := range verdict.Classes {
		_ = log.Show(verdict.Verdict{Status: verdict.Violated, Findings: verdict.Findings{Violation: &verdict.Violation{Execution: &verdict.Witness{Class: class}}}})
	}
	_ = log.Close()
	if strings.Contains(b.String(), "A violation of the class") {
		t.Error(b.String())
	}
}

// state is the baseline state of a result; "" if it has none.
func state(x *gosarif.Result) string {
	if x.BaselineState == nil {
		return ""
	}
	return *x.BaselineState
}
