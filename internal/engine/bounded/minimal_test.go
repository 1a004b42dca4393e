// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"fmt"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// bookList is a collection with a defect that shows in many ways.
func bookList(t *testing.T, scope pangolin.Scope, s pangolin.Search) verdict.Verdict {
	t.Helper()
	p, err := pangolin.Prepare(repository, pangolin.Request{Packages: []string{"pangolin/collections/list"}, Type: "LockFreeListOriginal", Scope: scope})
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.Verify(repository, s)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// A minimal witness has as few calls as there can be, and then as few preemptions: one less
// of either, and the collection is verified.
func TestMinimal_NothingSmallerIsAViolation(t *testing.T) {
	level.SkipShort(t, "verifies a list in several scopes")
	v := bookList(t, pangolin.Scope{Config: "D"}, pangolin.Search{Min: true})
	if v.Violation == nil {
		t.Fatal("no violation")
	}
	w := v.Violation.Execution
	calls, pre := len(w.History), len(w.Schedule.PreAdds)
	scope := func(calls, pre int) pangolin.Scope {
		return pangolin.Scope{Config: "D", Steps: pangolin.Range(fmt.Sprintf("1..%d", calls)), PreAdds: pangolin.Range(fmt.Sprintf("%d..%d", pre, pre))}
	}
	if less := bookList(t, scope(calls-1, 1), pangolin.Search{}); less.Status != verdict.Verified {
		t.Errorf("the witness has %d calls, and with one less it is %s", calls, less.Status)
	}
	if pre > 0 {
		if less := bookList(t, scope(calls, pre-1), pangolin.Search{}); less.Status != verdict.Verified {
			t.Errorf("the witness has %d pre-adds, and with one less it is %s", pre, less.Status)
		}
	}
	for k := 0; ; k++ {
		first := bookList(t, scope(calls, pre), pangolin.Search{Preempt: &k, Min: true})
		if first.Violation == nil {
			continue
		}
		if got := len(first.Violation.Execution.Steps); got != len(w.Steps) {
			t.Errorf("with the fewest preemptions, %d, there is one of %d steps; the witness has %d", k, got, len(w.Steps))
		}
		return
	}
}
