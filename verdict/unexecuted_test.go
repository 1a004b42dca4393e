// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"slices"
	"testing"
)

// A line counts as executed if one of two searches has executed it. A function that only one of them has called counts as called.
func TestNotExecutedIn_KnowsWhatEitherHasExecuted(t *testing.T) {
	a := &Findings{NotExecuted: []string{"q.go:9", "q.go:10", "q.go:12"}, NotCalled: []string{"q.go:30", "q.go:31"}}
	b := &Findings{NotExecuted: []string{"q.go:10", "q.go:31"}, NotCalled: []string{"q.go:12"}}
	lines, uncalled := NotExecutedIn(a, b)
	if want := []string{"q.go:10", "q.go:12", "q.go:31"}; !slices.Equal(lines, want) || len(uncalled) > 0 {
		t.Errorf("%v and %v, want %v and none", lines, uncalled, want)
	}
	v := &Verdict{Status: Verified, Assumptions: []string{"a fair scheduler", unexecuted([]string{"q.go:9"})}}
	v.NotExecuted = []string{"q.go:9", "q.go:10", "q.go:12", "r.go:3"}
	v.SayUnexecuted()
	if want := []string{"a fair scheduler", "no client of these scopes executes q.go:9-10, 12, r.go:3, of which the verdict says nothing"}; !slices.Equal(v.Assumptions, want) {
		t.Errorf("%q, want %q", v.Assumptions, want)
	}
}
