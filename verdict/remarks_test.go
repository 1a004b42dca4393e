// SPDX-License-Identifier: BSD-3-Clause

package verdict_test

import (
	"slices"
	"testing"

	"pangolin/verdict"
)

func TestVerdict_RemarksOnRefusalsAndPanics(t *testing.T) {
	list := []verdict.Returns{
		{Operation: "Get", Results: []string{"0, false"}, Refuses: true},
		{Operation: "Put", Results: []string{"", "panic"}},
		{Operation: "Name", Results: []string{`"panic"`}},
	}
	v := verdict.Verdict{Status: verdict.Verified, Findings: verdict.Findings{Returns: list}}
	want := []string{"Get always returned (0, false) in this scope", "Put panics in some calls, as it does when one thread makes them"}
	if got := v.Remarks(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if v.Status = verdict.Violated; v.Remarks() != nil {
		t.Errorf("of what is wrong: %q", v.Remarks())
	}
}
