// SPDX-License-Identifier: BSD-3-Clause

package lts

import (
	"math/rand/v2"
	"testing"

	"pangolin/internal/test/level"
)

// systems is on how many random systems two implementations are compared.
func systems() int {
	if level.More() {
		return 100_000
	}
	return 5_000
}

func TestPartition_AgreesWithSignaturesOnRandomSystems(t *testing.T) {
	n := systems()
	if level.Short() {
		n /= 50
	}
	for seed := range n {
		r := rand.New(rand.NewPCG(1, uint64(seed)))
		s := random(r)
		for _, e := range []Equivalence{Strong, Branching, DivergenceBranching, Weak} {
			if p, slow := s.Partition(e), slowPartition(s, e); !samePartition(p.Of, slow) {
				t.Fatalf("seed %d, %s: classes %v, signatures say %v\n%s", seed, e, p.Of, slow, dump(s))
			}
		}
	}
}

// What signatures leave is refined by the algorithm of refine.go, from whatever partition they have
// come to.
func TestRefined_AgreesWithSignaturesWhereverItBegins(t *testing.T) {
	n := systems()
	if level.Short() {
		n /= 50
	}
	unfinished := 0
	for seed := range n {
		s, _ := random(rand.New(rand.NewPCG(2, uint64(seed)))).contracted(Tau)
		for _, e := range []Equivalence{Strong, Branching} {
			slow := slowPartition(s, e)
			for _, visits := range []int{0, 2 * s.Transitions(), 1 << 20, 1<<20 + 1} {
				from := s.coarse(e == Strong)
				if visits > 1<<20 {
					s.splitBySketches(e == Strong, from)
				}
				_, done := signatures(s, e == Strong, from, visits)
				if !done {
					unfinished++
				} else if !samePartition(from, slow) {
					t.Fatalf("seed %d, %s: signatures give %v, want %v\n%s", seed, e, from, slow, dump(s))
				}
				if of, _ := refined(s, e == Strong, from); !samePartition(of, slow) {
					t.Fatalf("seed %d, %s, %d visits: from %v to %v, want %v\n%s", seed, e, visits, from, of, slow, dump(s))
				}
			}
		}
	}
	if unfinished < n/2 {
		t.Errorf("only %d partitions were left unfinished", unfinished)
	}
}

// samePartition says that two namings of classes mean the same.
func samePartition(a []int32, b []int) bool {
	to, from := map[int32]int{}, map[int]int32{}
	for i := range a {
		x, ok := to[a[i]]
		y, ok2 := from[b[i]]
		if ok != ok2 || ok && (x != b[i] || y != a[i]) {
			return false
		}
		to[a[i]], from[b[i]] = b[i], a[i]
	}
	return true
}
