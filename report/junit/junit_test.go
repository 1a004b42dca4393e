// SPDX-License-Identifier: BSD-3-Clause

package junit_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"pangolin/report/junit"
	"pangolin/verdict"
)

// A suite for each package counts its cases, what failed and what was skipped.
func TestSuites_CountWhatFailed(t *testing.T) {
	var b strings.Builder
	s := junit.New(&b)
	for _, v := range []verdict.Verdict{
		{Package: "a/b", Subject: verdict.Subject{Collection: "b.X", Property: "linear"}, Status: verdict.Verified, Effort: verdict.Effort{Seconds: 1.5}},
		{Package: "a/b", Subject: verdict.Subject{Collection: "b.Y"}, Status: verdict.Violated, Reason: "r",
			Findings: verdict.Findings{Violation: &verdict.Violation{Execution: &verdict.Witness{Class: "race", Message: "two <accesses> & more"}}}},
		{Package: "a/b", Subject: verdict.Subject{Collection: "b.Z"}, Status: verdict.Unknown, Reason: "a limit was reached"},
		{Subject: verdict.Subject{Collection: "c.X"}, Status: verdict.Verified},
	} {
		if err := s.Show(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Suites []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Skipped  int    `xml:"skipped,attr"`
			Cases    []struct {
				Failure *struct {
					Message string `xml:"message,attr"`
					Type    string `xml:"type,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Suites) != 2 || got.Suites[0].Name != "a/b" || got.Suites[0].Tests != 3 || got.Suites[0].Failures != 1 || got.Suites[0].Skipped != 1 ||
		got.Suites[1].Name != "c" || got.Suites[1].Tests != 1 || got.Suites[1].Failures != 0 {
		t.Errorf("%+v", got)
	}
	if f := got.Suites[0].Cases[1].Failure; f == nil || f.Type != "race" || f.Message != "two <accesses> & more" {
		t.Errorf("%+v", f)
	}
}
