// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"math/rand/v2"
	"testing"
)

func FuzzMonitor_AgreesWithPermutations(f *testing.F) {
	f.Add(uint64(1), uint8(0), true)
	f.Add(uint64(2), uint8(3), false)
	all := subjects(f)
	f.Fuzz(func(t *testing.T, seed uint64, which uint8, stuck bool) {
		s := all[int(which)%len(all)]
		h := s.randomHistory(rand.New(rand.NewPCG(seed, 0)), 3, stuck)
		for _, p := range properties() {
			if got, want := judged(monitor(t, s.spec, p), h), check(t, s.spec, h, p); got != want {
				t.Fatalf("%s, %s: monitor %t, permutations %t\n%s", s.name, p, got, want, h)
			}
		}
	})
}

func FuzzWeakerMonitor_AgreesWithTheDefinition(f *testing.F) {
	all := weakSubjects(f)
	for which := range all {
		f.Add(uint64(which), uint8(which), true)
		f.Add(uint64(which), uint8(which), false)
	}
	f.Fuzz(func(t *testing.T, seed uint64, which uint8, stuck bool) {
		s := &all[int(which)%len(all)]
		h := s.weakHistory(rand.New(rand.NewPCG(seed, 1)), 1+int(seed%4), stuck)
		if got, want := judged(weakMonitor(t, s), h), checkWeaker(t, s, h); got != want {
			t.Fatalf("%s: monitor %t, definition %t\n%s", s.name, got, want, h)
		}
	})
}
