// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"math/rand/v2"
	"testing"

	"pangolin/history"
	"pangolin/oracle"
)

// permuted is a history with its threads renumbered.
func permuted(h history.History, to []int) history.History {
	out := history.History{Threads: h.Threads}
	for _, e := range h.Events {
		e.Thread = to[e.Thread]
		out.Events = append(out.Events, e)
	}
	return out
}

// prefix is a random beginning of a random history.
func (s subject) prefix(rng *rand.Rand) history.History {
	h := s.randomHistory(rng, 3, true)
	h.Events = h.Events[:rng.IntN(len(h.Events)+1)]
	return h
}

func TestRename_LeadsToTheStateOfTheRenumberedHistory(t *testing.T) {
	for _, s := range subjects(t) {
		for _, p := range properties() {
			m, rng := monitor(t, s.spec, p), rand.New(rand.NewPCG(1, 3))
			for range 150 {
				h, to := s.prefix(rng), rng.Perm(4)
				h.Threads = 4
				id, other := follow(m, h), follow(m, permuted(h, to))
				if m.Rename(id, NewPerm(to)) != other {
					t.Fatalf("%s, %s: by %v\n%s", s.name, p, to, h)
				}
				for thread := range 4 {
					if m.Signature(id, thread) != m.Signature(other, to[thread]) {
						t.Fatalf("%s, %s: signature of thread %d\n%s", s.name, p, thread, h)
					}
				}
			}
		}
	}
}

// Other threads' numbers must not show in a signature, and threads that differ
// must differ (hashes permitting).
func TestSignature_TellsThreadsApart(t *testing.T) {
	m := monitor(t, queueOf(t, oracle.Protocol{}), Linear)
	id := follow(m, script(4, "1+put1 2+put2 3+put1"))
	if m.Signature(id, 0) != m.Signature(id, 2) {
		t.Error("threads 1 and 3 do the same")
	}
	if m.Signature(id, 0) == m.Signature(id, 1) || m.Signature(id, 0) == m.Signature(id, 3) {
		t.Error("threads 1, 2 and 4 do different things")
	}
}

// The order of discovery differs between the two monitors; contents must not.
func TestContent_DoesNotDependOnNumbering(t *testing.T) {
	for _, s := range subjects(t) {
		for _, p := range properties() {
			m, other := monitor(t, s.spec, p), monitor(t, s.spec, p)
			rng := rand.New(rand.NewPCG(2, 5))
			var all []history.History
			for range 60 {
				all = append(all, s.prefix(rng))
			}
			for i := range all { // the other way round
				follow(other, all[len(all)-1-i])
			}
			content := make(map[uint64]ID)
			for _, h := range all {
				a, b := follow(m, h), follow(other, h)
				if m.Content(a) != other.Content(b) {
					t.Fatalf("%s, %s:\n%s", s.name, p, h)
				}
				if known, ok := content[m.Content(a)]; ok && known != a {
					t.Fatalf("%s, %s: two states with one content hash\n%s", s.name, p, h)
				}
				content[m.Content(a)] = a
			}
		}
	}
}

// renamedHistory renames the values of a history through the oracle.
func renamedHistory(spec oracle.RenamableSpec, h history.History, r *oracle.Renaming) history.History {
	out := history.History{Threads: h.Threads}
	for _, e := range h.Events {
		c := oracle.Call{Op: e.Method, Args: e.Args}
		e.Args = spec.MapCall(c, r.Name).Args
		if e.Phase == history.Respond {
			e.Result = spec.MapResult(c, e.Result, r.Name)
		}
		out.Events = append(out.Events, e)
	}
	return out
}

func TestRenameValues_LeadsToTheStateOfTheRenamedHistory(t *testing.T) {
	r := oracle.NoRenaming()
	r[oracle.Keys][0], r[oracle.Keys][1] = 1, 0
	r[oracle.Items][0], r[oracle.Items][1] = 3, 2
	r[oracle.Priorities][1] = 4
	for _, s := range subjects(t) {
		if s.kind == oracle.Counter || s.kind == oracle.Register {
			continue // the initial 0 is no name
		}
		for _, p := range properties() {
			m, rng := monitor(t, s.spec, p), rand.New(rand.NewPCG(1, 3))
			for range 100 {
				h := s.prefix(rng)
				id := follow(m, h)
				other := follow(m, renamedHistory(s.spec.(oracle.RenamableSpec), h, &r))
				if m.RenameValues(id, m.Renaming(r)) != other {
					t.Fatalf("%s, %s:\n%s", s.name, p, h)
				}
			}
		}
	}
}

func TestNames_AreThoseThatStillMatter(t *testing.T) {
	m := monitor(t, queueOf(t, oracle.Protocol{}), Linear)
	id := follow(m, script(2, "1+put1 1- 1+put5 1- 1+take 1-1 2+put7"))
	if got := m.Names(id)[oracle.Items]; got != 1<<5|1<<7 {
		t.Errorf("got %b", got)
	}
}
