// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/test/level"
)

// saver is a cursor that saves the words it is given.
type saver struct {
	Cursor
	words []uint64
}

func (s *saver) Save(dst []uint64) []uint64 { return append(dst, s.words...) }

// A stack of states in an arena is compared with a stack of slices. States are small,
// now and then greater than a page.
func TestArena_HoldsAStackOfStates(t *testing.T) {
	level.SkipShort(t, "fills an arena")
	rng := rand.New(rand.NewPCG(5, 8))
	a, most := new(arena), 0
	type kept struct {
		place span
		words []uint64
	}
	var stack []kept
	for step := range 200_000 {
		if len(stack) > 0 && rng.IntN(100) < 30+40*(step/40_000%2) {
			a.release(stack[len(stack)-1].place)
			stack = stack[:len(stack)-1]
			continue
		}
		words := make([]uint64, 1+rng.IntN(400))
		if rng.IntN(500) == 0 {
			words = make([]uint64, rng.IntN(3*firstPage))
		}
		for i := range words {
			words[i] = rng.Uint64()
		}
		a.save(&saver{words: words})
		if !slices.Equal(a.state(), words) {
			t.Fatalf("step %d: the newest state is another", step)
		}
		if rng.IntN(3) == 0 {
			a.drop()
			continue
		}
		stack = append(stack, kept{a.place(), words})
		most = max(most, len(a.below))
		for range 3 {
			if k := stack[rng.IntN(len(stack))]; !slices.Equal(a.at(k.place), k.words) {
				t.Fatalf("step %d: state at %v of %d pages has changed", step, k.place, len(a.below))
			}
		}
		if got := pages(a); a.words != got {
			t.Fatalf("step %d: pages of %d words are counted as %d", step, got, a.words)
		}
	}
	if most < 3 {
		t.Errorf("%d pages at most were full", most)
	}
}

func pages(a *arena) int {
	n := cap(a.page) + cap(a.spare)
	for _, p := range a.below {
		n += cap(p)
	}
	return n
}
