// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/history"
	"pangolin/oracle"
)

// The monitor that judges nothing gives back every history that it was shown.

func recorderOf(t *testing.T, s subject) *HistoryMonitor {
	t.Helper()
	m, err := NewRecorder(oracle.NewAutomaton(s.spec), 4)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// same compares two histories but for what a recorder does not know: the names of
// methods, and idle threads at the end.
func same(a, b history.History) bool {
	return slices.EqualFunc(a.Events, b.Events, func(x, y history.Event) bool {
		x.Name, y.Name = "", ""
		if x.Phase == history.Invoke {
			x.Result, y.Result = history.Tuple{}, history.Tuple{}
		}
		return x == y
	})
}

func TestRecorder_GivesBackEveryHistory(t *testing.T) {
	for _, s := range subjects(t) {
		m, rng := recorderOf(t, s), rand.New(rand.NewPCG(4, 4))
		seen := make(map[ID]history.History)
		for range 200 {
			h := s.prefix(rng)
			id := follow(m, h)
			start, got := m.Recorded(id)
			if start != s.spec.Initial() || !same(got, h) {
				t.Fatalf("%s: got\n%sof\n%s", s.name, got, h)
			}
			if known, ok := seen[id]; ok && !same(known, h) {
				t.Fatalf("%s: one state for\n%sand\n%s", s.name, known, h)
			}
			seen[id] = h
			if !judged(m, h) {
				t.Fatalf("%s: a history was rejected\n%s", s.name, h)
			}
		}
	}
}

func TestRecorder_RenamesThreadsAndValues(t *testing.T) {
	r := oracle.NoRenaming()
	r[oracle.Keys][0], r[oracle.Keys][1] = 1, 0
	r[oracle.Items][0], r[oracle.Items][1] = 3, 2
	r[oracle.Priorities][1] = 4
	for _, s := range subjects(t) {
		m, rng := recorderOf(t, s), rand.New(rand.NewPCG(5, 4))
		for range 100 {
			h, to := s.prefix(rng), rng.Perm(4)
			id, other := follow(m, h), follow(m, permuted(h, to))
			if m.Rename(id, NewPerm(to)) != other {
				t.Fatalf("%s: by %v\n%s", s.name, to, h)
			}
			for thread := range 4 {
				if m.Signature(id, thread) != m.Signature(other, to[thread]) {
					t.Fatalf("%s: signature of thread %d\n%s", s.name, thread, h)
				}
			}
			if s.kind == oracle.Counter || s.kind == oracle.Register {
				continue // the initial 0 is no name
			}
			if m.RenameValues(id, m.Renaming(r)) != follow(m, renamedHistory(s.spec.(oracle.RenamableSpec), h, &r)) {
				t.Fatalf("%s: values\n%s", s.name, h)
			}
		}
	}
}

func TestRecorder_NamesAllValuesOfTheHistory(t *testing.T) {
	m, err := NewRecorder(oracle.NewAutomaton(queueOf(t, oracle.Protocol{})), 2)
	if err != nil {
		t.Fatal(err)
	}
	id := follow(m, script(2, "1+put1 1- 1+put5 1- 1+take 1-1 2+put7"))
	if got := m.Names(id)[oracle.Items]; got != 1<<1|1<<5|1<<7 {
		t.Errorf("got %b", got)
	}
}
