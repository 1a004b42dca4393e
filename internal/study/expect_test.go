// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"testing"

	"pangolin/verdict"
)

// A cell that differs from the paper is explained by what the expectations say of this verdict and class, and by nothing else.
func TestCell_IsExplainedByItsOwnVerdictAndClass(t *testing.T) {
	fields := map[string]string{"collection": "Set", "package": "hashset", "class": "A:panic;E:deadlock or panic", "row": "Set", "new": "NewSet()",
		"A": "violated", "B": "verified", "C": "violated", "D": "verified", "E": "violated", "sC": "inf",
		"ours": "B=violated/history: its bound hid it | C=verified: the scope is finite"}
	e, err := expectation(fields)
	if err != nil {
		t.Fatal(err)
	}
	violated := func(class string) *verdict.Verdict {
		return &verdict.Verdict{Status: verdict.Violated, Findings: verdict.Findings{Violation: &verdict.Violation{Class: class}}}
	}
	for _, c := range []struct {
		config             string
		v                  *verdict.Verdict
		differs, explained bool
		judged             verdict.Status
	}{
		{"A", violated("panic"), false, false, verdict.Verified},
		{"A", violated("race"), true, false, verdict.Violated}, // another class than the one that is named
		{"B", &verdict.Verdict{Status: verdict.Verified}, false, false, verdict.Verified},
		{"B", violated("history"), true, true, verdict.Verified},
		{"B", violated("panic"), true, false, verdict.Violated},
		{"C", &verdict.Verdict{Status: verdict.Verified}, true, true, verdict.Verified},
		{"C", violated("history"), true, false, verdict.Violated}, // the paper's search did not end
		{"C", &verdict.Verdict{Status: verdict.Unknown, Reason: "the limit was reached"}, true, false, verdict.Unknown},
		{"D", violated("history"), true, false, verdict.Violated}, // nothing is said of it
		{"E", violated("deadlock"), false, false, verdict.Verified},
		{"E", violated("panic"), false, false, verdict.Verified},
	} {
		c.v.Scope.Bounds = &verdict.Bounds{}
		got := e.cell(c.config, c.v, 0)
		if got.Differs != c.differs || got.Explained != c.explained || got.Judgement() != c.judged {
			t.Errorf("%s %s: differs %v, explained %v, judged %s, want %v %v %s", c.config, c.v.Status, got.Differs, got.Explained, got.Judgement(), c.differs, c.explained, c.judged)
		}
		if c.v.Status == verdict.Unknown && got.Note != c.v.Reason {
			t.Errorf("%s: the note of an unknown verdict is %q", c.config, got.Note)
		}
	}
	for _, bad := range []string{"B: no verdict", "F=verified: no such configuration", "B=verified"} {
		fields["ours"] = bad
		if _, err := expectation(fields); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
