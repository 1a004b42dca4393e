// SPDX-License-Identifier: BSD-3-Clause

package lts

import (
	"math/rand/v2"
	"slices"
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
		for _, e := range bisimulations() {
			if p, slow := s.Partition(e), slowPartition(s, e); !samePartition(p.Of, slow) {
				t.Fatalf("seed %d, %s: classes %v, signatures say %v\n%s", seed, e, p.Of, slow, dump(s))
			}
		}
	}
}

// Signatures go on from any partition that is coarser than the one that is looked for: from one block, and from
// what sketches have split.
func TestSignatures_AgreeWhereverTheyBegin(t *testing.T) {
	n := systems()
	if level.Short() {
		n /= 50
	}
	for seed := range n {
		s, _ := random(rand.New(rand.NewPCG(2, uint64(seed)))).contracted(Tau)
		for _, strong := range []bool{false, true} {
			e := Branching
			if strong {
				e = Strong
			}
			slow := slowPartition(s, e)
			split := make([]int32, s.States())
			s.splitBySketches(strong, split)
			for _, from := range [][]int32{make([]int32, s.States()), split} {
				if count := signatures(s, strong, from); !samePartition(from, slow) || count != int(slices.Max(from))+1 {
					t.Fatalf("seed %d, %s: signatures give %v, %d blocks, want %v\n%s", seed, e, from, count, slow, dump(s))
				}
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
