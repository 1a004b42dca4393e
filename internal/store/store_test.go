// SPDX-License-Identifier: BSD-3-Clause

package store

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// Sets of visited states, held against a map.

var kinds = []Kind{Hash64, Hash128, Exact}

// reference is the obvious set: a Go map from contents to numbers.
type reference map[string]uint32

func (r reference) add(state []uint64) (uint32, bool) {
	k := contents(state)
	if n, ok := r[k]; ok {
		return n, false
	}
	r[k] = uint32(len(r))
	return r[k], true
}

func contents(state []uint64) string {
	b := make([]byte, 0, 8*len(state))
	for _, w := range state {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}

// randomState returns one of about 15,000 states of 0 to 6 words.
func randomState(r *rand.Rand) []uint64 {
	state := make([]uint64, r.IntN(7))
	for i := range state {
		state[i] = r.Uint64N(5)
	}
	return state
}

func TestSet_NumbersLikeAMap(t *testing.T) {
	for _, kind := range kinds {
		r := rand.New(rand.NewPCG(1, uint64(kind)))
		s, want := New(Config{Kind: kind, Indexed: true}), reference{}
		for range 40000 {
			state := randomState(r)
			wantN, wantNew := want.add(state)
			n, isNew := s.Add(state)
			if n != wantN || isNew != wantNew {
				t.Fatalf("%v: Add(%v) = %d, %v; want %d, %v", kind, state, n, isNew, wantN, wantNew)
			}
			if n, found := s.Find(state); n != wantN || !found {
				t.Fatalf("%v: Find(%v) = %d, %v; want %d, true", kind, state, n, found, wantN)
			}
		}
		if s.Len() != len(want) || int(s.Bound()) != len(want) {
			t.Errorf("%v: Len %d, Bound %d; want %d", kind, s.Len(), s.Bound(), len(want))
		}
	}
}

func TestSet_WithoutNumbersStillTellsNewFromOld(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	s, want := New(Config{}), reference{}
	for range 40000 {
		state := randomState(r)
		_, wantNew := want.add(state)
		if _, isNew := s.Add(state); isNew != wantNew {
			t.Fatalf("Add(%v): new %v; want %v", state, isNew, wantNew)
		}
	}
	if s.Len() != len(want) {
		t.Errorf("Len %d; want %d", s.Len(), len(want))
	}
}

func TestSet_FindsNothingThatWasNotAdded(t *testing.T) {
	for _, kind := range kinds {
		s := New(Config{Kind: kind})
		for i := range uint64(1000) {
			if _, found := s.Find([]uint64{i, 1}); found {
				t.Fatalf("%v: found state %d before it was added", kind, i)
			}
			s.Add([]uint64{i, 1})
		}
	}
}

func TestSet_TellsFingerprintZeroFromAFreeSlot(t *testing.T) {
	s := New(Config{Indexed: true})
	for want, fp := range []uint64{1, 0, 1 << 63, 2} {
		if n, isNew := s.Insert(fp); !isNew || int(n) != want {
			t.Errorf("first Insert(%#x) = %d, %v; want %d, true", fp, n, isNew, want)
		}
	}
	for want, fp := range []uint64{1, 0, 1 << 63, 2} {
		if n, isNew := s.Insert(fp); isNew || int(n) != want {
			t.Errorf("second Insert(%#x) = %d, %v; want %d, false", fp, n, isNew, want)
		}
	}
	if s.Len() != 4 {
		t.Errorf("Len %d; want 4", s.Len())
	}
}

// Elements with the same key must be told apart by the rest of the fingerprint or by
// the contents, also when the key is 0.
func TestSet_ComparesTheRestWhenKeysAgree(t *testing.T) {
	for _, kind := range []Kind{Hash128, Exact} {
		for _, shared := range []bool{false, true} {
			s := New(Config{Kind: kind, Shared: shared})
			for _, key := range []uint64{0, 1, 1 << 62} {
				seen := map[uint32]bool{}
				for rest := range uint64(10) {
					n, isNew := s.insert(key, []uint64{rest})
					if !isNew || seen[n] {
						t.Errorf("%v: (%d, %d) was taken for another element", kind, key, rest)
					}
					seen[n] = true
					if again, isNew := s.insert(key, []uint64{rest}); isNew || again != n {
						t.Errorf("%v: (%d, %d) has number %d, then %d", kind, key, rest, n, again)
					}
				}
			}
		}
	}
}

func TestSet_KeepsLargeStatesExactly(t *testing.T) {
	s := New(Config{Kind: Exact})
	for size := range 30 {
		state := make([]uint64, size*pageWords/10)
		if n, isNew := s.Add(state); !isNew || int(n) != size {
			t.Fatalf("Add of %d zero words = %d, %v", len(state), n, isNew)
		}
		if n, isNew := s.Add(state); isNew || int(n) != size {
			t.Fatalf("second Add of %d zero words = %d, %v", len(state), n, isNew)
		}
	}
}

// Workers that add overlapping sets of states agree on every number, and each state is
// new to exactly one of them.
func TestSet_SharedByWorkersIsConsistent(t *testing.T) {
	const workers, states = 4, 20000
	for _, kind := range kinds {
		s := New(Config{Kind: kind, Indexed: true, Shared: true})
		numbers := make([][]uint32, workers)
		fresh := make([]int, workers)
		var wg sync.WaitGroup
		for w := range workers {
			numbers[w] = make([]uint32, states)
			wg.Go(func() {
				for _, i := range rand.New(rand.NewPCG(3, uint64(w))).Perm(states) {
					n, isNew := s.Add([]uint64{uint64(i), 7})
					numbers[w][i] = n
					if isNew {
						fresh[w]++
					}
				}
			})
		}
		wg.Wait()
		checkNumbers(t, s, numbers, fresh)
	}
}

func checkNumbers(t *testing.T, s *Set, numbers [][]uint32, fresh []int) {
	t.Helper()
	used := map[uint32]bool{}
	for i, n := range numbers[0] {
		if used[n] || n >= s.Bound() {
			t.Fatalf("%v: number %d of state %d is taken or not below %d", s.Kind(), n, i, s.Bound())
		}
		used[n] = true
		for w := range numbers {
			if numbers[w][i] != n {
				t.Fatalf("%v: state %d has numbers %d and %d", s.Kind(), i, n, numbers[w][i])
			}
		}
	}
	sum := 0
	for _, f := range fresh {
		sum += f
	}
	if sum != len(numbers[0]) || s.Len() != sum {
		t.Errorf("%v: %d states were new, Len %d; want %d", s.Kind(), sum, s.Len(), len(numbers[0]))
	}
	if s.Bound() > uint32(len(numbers[0]))*3/2 {
		t.Errorf("%v: numbers up to %d for %d states are not nearly dense", s.Kind(), s.Bound(), sum)
	}
}

func TestSet_TakesAtMostSixteenBytesAState(t *testing.T) {
	for _, indexed := range []bool{false, true} {
		s := New(Config{Indexed: indexed})
		limit := 10.7
		if indexed {
			limit = 16
		}
		r := rand.New(rand.NewPCG(4, 4))
		for n := 1; n <= 600_000; n++ {
			s.Insert(r.Uint64())
			if n >= 400_000 && n%10_000 == 0 {
				if per := float64(s.Bytes()) / float64(n); per > limit {
					t.Errorf("indexed %v: %.2f B a state at %d states; want at most %.1f", indexed, per, n, limit)
				}
			}
		}
	}
}

func TestKind_ExpectsTheBirthdayNumberOfCollisions(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		n    uint64
		want float64
	}{{Hash64, 1 << 32, 0.5}, {Hash64, 1 << 33, 2}, {Hash128, 1 << 63, 0.125}, {Exact, 1 << 40, 0}} {
		if got := c.kind.Collisions(c.n); got != c.want {
			t.Errorf("%v.Collisions(%d) = %g; want %g", c.kind, c.n, got, c.want)
		}
	}
}

func BenchmarkSet_Insert(b *testing.B) {
	for _, indexed := range []bool{false, true} {
		for _, shared := range []bool{false, true} {
			b.Run(fmt.Sprintf("indexed=%v/shared=%v", indexed, shared), func(b *testing.B) {
				benchmarkInsert(b, Config{Indexed: indexed, Shared: shared})
			})
		}
	}
}

// benchmarkInsert fills sets of ten million elements; two of three operations find
// the element there, as in a search of a state space with three transitions a state.
func benchmarkInsert(b *testing.B, c Config) {
	const size = 10_000_000
	b.ReportAllocs()
	var s *Set
	for i := 0; b.Loop(); i++ {
		if i%(3*size) == 0 {
			s = New(c)
		}
		n := uint64(i / 3)
		if i%3 != 0 {
			n = scatter(n) % (n + 1)
		}
		s.Insert(scatter(n))
	}
	b.ReportMetric(float64(s.Bytes())/float64(s.Len()), "B/state")
}

// scatter is the finaliser of SplitMix64, a bijection.
func scatter(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A set says what it keeps of states: a verdict counts on no collisions where it keeps them whole, and says how likely one is where it does not.
func TestSet_SaysWhatItKeeps(t *testing.T) {
	for _, kind := range kinds {
		if got := New(Config{Kind: kind}).Kind(); got != kind {
			t.Errorf("a set of kind %v says that it is of kind %v", kind, got)
		}
	}
}
