// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/verdict"
)

// A scope of few calls cannot show that a read is more than eight changes behind; one that can says nothing of the kind.
func TestWeaker_SaysWhereTheScopeIsTooSmallForTheBound(t *testing.T) {
	const source = `package example

import "sync"

// Set forgets nothing, and its Len never counts.
type Set struct {
	mu sync.Mutex
	m  map[int]bool
}

func New() *Set { return &Set{m: map[int]bool{}} }

func (s *Set) Add(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	had := s.m[key]
	s.m[key] = true
	return !had
}

func (s *Set) Contains(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[key]
}

func (s *Set) Len() int { return 0 }
`
	for bound, want := range map[string]struct {
		status verdict.Status
		says   bool
	}{"1": {verdict.Violated, false}, "2": {verdict.Verified, true}, "8": {verdict.Verified, true}} {
		r := pangolin.Request{Type: "Set", Kind: "set", Scope: pangolin.Scope{Threads: "1..2", Steps: "1..3"}}
		r.Overlaps = "Len:stale(" + bound + ")"
		v := verifySource(t, source, r)
		if says := strings.Contains(strings.Join(v.Assumptions, "\n"), "any greater bound"); v.Status != want.status || want.status == verdict.Verified && says != want.says {
			t.Errorf("stale(%s): %s %s\n%s", bound, v.Status, v.Reason, strings.Join(v.Assumptions, "\n"))
		}
	}
}
