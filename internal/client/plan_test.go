// SPDX-License-Identifier: BSD-3-Clause

package client

import (
	"slices"
	"strings"
	"testing"

	"pangolin/oracle"
)

func spaceB(t *testing.T, kind oracle.Kind, change func(*Scope)) *Space {
	t.Helper()
	p, err := NewPreset("B", kind, oracle.Nonblocking)
	if err != nil {
		t.Fatal(err)
	}
	change(&p.Scope)
	s, err := NewSpace(p.Scope, DefaultOps(kind))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRecorded_HasOnlyPreAdds(t *testing.T) {
	pre := []Step{{Op: 1}}
	r := NewRecorded(pre, 2)
	got, all, own := r.Start(0)
	if len(got) != 1 || got[0] != pre[0] || all != 0 || len(own) != 2 || r.Calls(nil, 0, 0) != nil || !r.Done(0, own, 0) {
		t.Errorf("%v %d %v", got, all, own)
	}
}

// What a busy thread has still to make does not keep a client from ending: it never will.
// What an idle thread has to make does.
func TestGeneral_DoneAsksIdleThreadsOnly(t *testing.T) {
	for _, c := range []struct {
		name       string
		change     func(*Scope)
		done, busy string // after no call, one of the first thread, one of each
	}{
		{"any", func(*Scope) {}, "no yes yes", "yes yes yes"},
		{"two calls", func(s *Scope) { s.Steps.From = 2 }, "no no yes", "yes yes yes"},
		{"two threads", func(s *Scope) { s.Threads.From = 2 }, "no no yes", "no no yes"},
		{"two calls each", func(s *Scope) { s.PerThread = 2 }, "no no no", "yes yes no"},
	} {
		g := NewGeneral(spaceB(t, oracle.Set, c.change), never, never)
		_, all, own := g.Start(0)
		var done, busy []string
		say := func(list []string, ok bool) []string {
			return append(list, map[bool]string{true: "yes", false: "no"}[ok])
		}
		for thread := range 3 {
			done, busy = say(done, g.Done(all, own, 0)), say(busy, g.Done(all, own, 1))
			if thread < 2 {
				own = slices.Clone(own)
				_, all, own[thread] = g.Make(g.Calls(nil, all, own[thread])[0], all, own[thread])
			}
		}
		if strings.Join(done, " ") != c.done || strings.Join(busy, " ") != c.busy {
			t.Errorf("%s: %v, with the first thread busy %v", c.name, done, busy)
		}
	}
}
