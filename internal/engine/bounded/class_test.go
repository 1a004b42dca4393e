// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// verifySource verifies a package that consists of one file.
func verifySource(t *testing.T, source string, r pangolin.Request) verdict.Verdict {
	t.Helper()
	v, err := trySource(t, source, r)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func trySource(t *testing.T, source string, r pangolin.Request) (verdict.Verdict, error) {
	t.Helper()
	dir, done := modules.Take(t, source)
	defer done()
	r.Dir, r.Expect = dir, "violated" // no hints
	list, err := pangolin.Verify(modules.Context, r)
	if err != nil {
		return verdict.Verdict{}, err
	}
	if len(list) != 1 {
		t.Fatalf("%d verdicts", len(list))
	}
	for _, a := range list[0].Assumptions {
		if strings.HasPrefix(a, "searched without ") { // a mechanism has failed, and the verdict is that of a search without it
			t.Error(a)
		}
	}
	return list[0], nil
}

// A panic that the oracle does not know is one whenever it shows: under linearizability
// at once, under the others at the end.
func TestClass_OfAPanicIsTheSameUnderEveryProperty(t *testing.T) {
	level.SkipShort(t, "verifies several types under each property")
	const unknown = `package example

import "sync"

type Stack struct {
	mu   sync.Mutex
	list []int
}

func (s *Stack) Push(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, v)
}

func (s *Stack) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.list[len(s.list)-1]
	s.list = s.list[:len(s.list)-1]
	return last, true
}
`
	// The oracle, the code itself, knows that Take panics: of a box that is empty.
	const known = `package example

import "sync/atomic"

type Box struct{ full atomic.Bool }

func (b *Box) Fill() bool { return !b.full.Swap(true) }

func (b *Box) Take() {
	if !b.full.Load() {
		panic("empty")
	}
	b.full.Store(false)
}
`
	for _, c := range []struct{ name, source, oracle, class string }{
		{"unknown to the oracle", unknown, "stack", "panic"},
		{"known to the oracle", known, "self", "history"},
	} {
		for _, property := range []string{"linear", "sc", "quiescent"} {
			v := verifySource(t, c.source, pangolin.Request{Property: pangolin.Properties(property), Oracle: pangolin.Oracle(c.oracle), Scope: pangolin.Scope{Config: "D"}})
			if v.Violation == nil || v.Violation.Class != c.class {
				t.Errorf("%s, %s: %s %+v, want a violation of class %s", c.name, property, v.Status, v.Violation, c.class)
			}
		}
	}
}

// An operation that ends the goroutine of its caller gives no result: the verdict says where.
func TestClass_OfAnOperationThatEndsItsGoroutineIsNone(t *testing.T) {
	v := verifySource(t, `package example

import (
	"runtime"
	"sync"
)

type Box struct {
	mu sync.Mutex
	n  int
}

func (b *Box) Next() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
	if b.n == 2 {
		runtime.Goexit()
	}
	return b.n
}
`, pangolin.Request{Kind: "object"})
	if v.Status != verdict.Unknown || !strings.Contains(v.Reason, "example.go:18") || !strings.Contains(v.Reason, "runtime.Goexit") {
		t.Errorf("%s: %s", v.Status, v.Reason)
	}
}
