// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"fmt"
	"strings"
	"testing"

	"pangolin"
	"pangolin/verdict"
)

// recorder is a test that only notes what it is told.
type recorder struct {
	testing.TB
	logs, errors []string
}

func (r *recorder) Helper()                   {}
func (r *recorder) Attr(key, value string)    {}
func (r *recorder) Errorf(f string, a ...any) { r.errors = append(r.errors, fmt.Sprintf(f, a...)) }
func (r *recorder) Log(args ...any)           { r.logs = append(r.logs, fmt.Sprint(args...)) }
func (r *recorder) Error(args ...any)         { r.errors = append(r.errors, fmt.Sprint(args...)) }
func (r *recorder) Fatalf(f string, a ...any) { r.errors = append(r.errors, fmt.Sprintf(f, a...)) }

func TestCheck_PassesWhatIsVerified(t *testing.T) {
	r := &recorder{TB: t}
	list := pangolin.Check(r, pangolin.Request{Packages: []string{"./collections/list.LazyList"}, Scope: pangolin.Scope{Config: "A"}})
	if len(r.errors) > 0 || len(r.logs) != 1 || list[0].Status != verdict.Verified {
		t.Errorf("errors %q, logs %q, verdicts %v", r.errors, r.logs, list)
	}
}

func TestCheck_FailsWithAWitness(t *testing.T) {
	r := &recorder{TB: t}
	pangolin.Check(r, pangolin.Request{Packages: []string{"./collections/list.LockFreeListOriginal"}, Specification: pangolin.Specification{Expect: "verified"}, Out: t.TempDir(), Scope: pangolin.Scope{Config: "B"}})
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "VIOLATED") || !strings.Contains(r.errors[0], "pre: Add(0)") {
		t.Errorf("errors %q", r.errors)
	}
}

// A violation that is expected passes, each time: the witness of the first time is no failure the second time.
func TestCheck_PassesWhatIsExpected(t *testing.T) {
	q := pangolin.Request{Packages: []string{"./collections/list.LockFreeListOriginal"}, Specification: pangolin.Specification{Expect: "violated"}, Out: t.TempDir(), Scope: pangolin.Scope{Config: "B"}}
	for range 2 {
		r := &recorder{TB: t}
		list := pangolin.Check(r, q)
		if len(r.errors) > 0 || len(list) != 1 || list[0].Status != verdict.Violated || len(r.logs) != 1 || !strings.Contains(r.logs[0], "VIOLATED (expected)") {
			t.Errorf("errors %q, logs %q", r.errors, r.logs)
		}
	}
	q.Expect = "sc:violated" // another property
	r := &recorder{TB: t}
	if pangolin.Check(r, q); len(r.errors) != 1 || !strings.Contains(r.errors[0], "still VIOLATED") {
		t.Errorf("errors %q", r.errors)
	}
}

func TestCheck_FailsOnWhatCannotBeVerified(t *testing.T) {
	r := &recorder{TB: t}
	pangolin.Check(r, pangolin.Request{Packages: []string{"./collections/list"}, Type: "Nothing"})
	if len(r.errors) < 1 || !strings.Contains(r.errors[0], "has no type Nothing") {
		t.Errorf("errors %q", r.errors)
	}
}
