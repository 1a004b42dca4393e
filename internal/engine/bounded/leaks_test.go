// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/report/story"
	"pangolin/verdict"
)

// TestLeak_IsFoundWhereThereIsOne verifies each type of the table with all reductions and with none.
func TestLeak_IsFoundWhereThereIsOne(t *testing.T) {
	for i, l := range leakCases() {
		if level.Short() && i%8 > 0 {
			continue
		}
		for _, set := range []string{"all", "none"} {
			if set == "none" && !level.More() && i%4 > 0 {
				continue
			}
			if why := l.wrong(l.verify(t, set)); why != "" {
				t.Errorf("%s, reductions %s: %s", l.name, set, why)
			}
		}
	}
}

// verify verifies the type.
func (l *leakCase) verify(t *testing.T, reductions string) verdict.Verdict {
	t.Helper()
	return verifySource(t, "package example\n\n"+leakImports(l.source)+"\n"+l.source+"\n", pangolin.Request{
		Kind: "object", Oracle: "self", Type: l.typ(), Scope: pangolin.Scope{Config: "2x2x0"}, Search: pangolin.Search{Reduce: pangolin.Reduce(reductions)}})
}

// wrong says what is wrong with a verdict on the type; "" if nothing is.
func (l *leakCase) wrong(v verdict.Verdict) string {
	if l.calls == "" {
		if v.Status != verdict.Verified {
			return string(v.Status) + ": " + v.Reason
		}
		return ""
	}
	if v.Violation == nil || v.Violation.Class != "leak" {
		return string(v.Status) + ": " + v.Reason + ", want a leak"
	}
	text := story.Sentence(v.Violation.Execution)
	for part := range strings.SplitSeq(l.about, "|") {
		if !strings.Contains(text, part) {
			return "the sentence is " + text + "; want " + part
		}
	}
	if !strings.Contains(v.Violation.Client, l.calls) {
		return "the client is " + v.Violation.Client + "; want " + l.calls
	}
	return ""
}

// TestLeaks_AreNotLookedForIfTheUserSaysSo: then the search is the same, without the question.
func TestLeaks_AreNotLookedForIfTheUserSaysSo(t *testing.T) {
	l := leakCases()[0]
	source := "package example\n\n" + leakImports(l.source) + "\n" + l.source + "\n"
	v := verifySource(t, source, pangolin.Request{Kind: "object", Oracle: "self", Type: l.typ(), Scope: pangolin.Scope{Config: "2x2x0"}, Program: pangolin.Program{Leaks: "none"}})
	if v.Status != verdict.Verified {
		t.Errorf("%s: %s", v.Status, v.Reason)
	}
}

// TestLeaks_OfProgramsThatUseTheTypes: main makes an object, keeps it in a package variable, and uses it.
func TestLeaks_OfProgramsThatUseTheTypes(t *testing.T) {
	for i, l := range leakCases() {
		if level.Short() && i%8 > 0 {
			continue
		}
		dir, done := modules.Take(t, l.program())
		v, err := pangolin.Run(modules.Context, pangolin.Request{Dir: dir, Packages: []string{"."}})
		if done(); err != nil || v.Outcomes == nil || v.Status == verdict.Unknown {
			t.Errorf("%s: %v %s", l.name, err, v.Reason)
			continue
		}
		leaks := ""
		for _, o := range v.Outcomes.List {
			if o.Kind == verdict.Leaked {
				leaks += o.Involved[0].String() + "; "
			}
		}
		if (leaks != "") != (l.calls != "") {
			t.Errorf("%s: the program leaks %q", l.name, leaks)
		}
	}
}
