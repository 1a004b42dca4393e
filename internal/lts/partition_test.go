package lts

import (
	"flag"
	"math/rand/v2"
	"testing"
)

var systems = flag.Int("systems", 10_000, "number of random systems on which two implementations are compared")

func TestPartition_AgreesWithSignaturesOnRandomSystems(t *testing.T) {
	n := *systems
	if testing.Short() {
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
