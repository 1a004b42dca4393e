// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// What the caller of an operation does has no place in the code that is verified.
func TestRace_WithWhatTheCallerDoesNamesTheCaller(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"a critical section", `package example

import "sync/atomic"

type Spin struct{ held atomic.Bool }

func (s *Spin) Lock() {
	for s.held.Load() {
	}
	s.held.Store(true)
}

func (s *Spin) Unlock() { s.held.Store(false) }
`, "data race: two are in the critical section at a time, the caller of Lock+Unlock and the caller of Lock+Unlock"},
		{"a result", `package example

import "sync"

type Box struct {
	mu sync.Mutex
	b  []byte
}

func NewBox() *Box { return &Box{b: make([]byte, 1)} }

func (b *Box) Set(v byte) {
	b.mu.Lock()
	b.b[0] = v
	b.mu.Unlock()
}

func (b *Box) Get() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b
}
`, "read by the caller of Get and write at example.go:14 in (*Box).Set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verifySource(t, c.source, pangolin.Request{Scope: pangolin.Scope{Config: "A"}})
			if v.Status != verdict.Violated || v.Violation.Class != "race" || !strings.Contains(v.Reason, c.want) {
				t.Errorf("%s %s", v.Status, v.Reason)
			}
			if strings.Contains(v.Reason, "harness") {
				t.Error("the tool's own file is named")
			}
		})
	}
}

// The race detector does not see the accesses of package sync, nor of functions that ask
// for it.
func TestRace_IsNotLookedForWhereTheDetectorDoesNotLook(t *testing.T) {
	level.SkipShort(t, "verifies many small types")
	counter := func(directive string) string {
		return `package example

import "sync/atomic"

type Counter struct{ n int64 }

func (c *Counter) Inc() { atomic.AddInt64(&c.n, 1) }

// Get looks without more ado.
//
` + directive + `
func (c *Counter) Get() int { return int(c.n) }
`
	}
	for directive, want := range map[string]verdict.Status{"//": verdict.Violated, "//go:norace": verdict.Verified, "//go:noinline": verdict.Violated} {
		if v := verifySource(t, counter(directive), pangolin.Request{Scope: pangolin.Scope{Config: "B"}}); v.Status != want {
			t.Errorf("%s: %s %s, want %s", directive, v.Status, v.Reason, want)
		}
	}
	for _, name := range []string{"Mutex", "RWMutex", "Once"} {
		list, err := pangolin.Verify(t.Context(), pangolin.Request{Dir: t.TempDir(), Packages: []string{"sync"}, Type: name, Scope: pangolin.Scope{Config: "A"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			if v.Status != verdict.Verified {
				t.Errorf("sync.%s: %s %s", name, v.Status, v.Reason)
			}
		}
	}
}
