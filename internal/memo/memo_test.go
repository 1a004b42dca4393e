// SPDX-License-Identifier: BSD-3-Clause

package memo

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// Tables that goroutines read while others write them.

func TestTable_KeepsWhatWasPut(t *testing.T) {
	var m Table
	rng := rand.New(rand.NewPCG(1, 1))
	want := make(map[uint64]uint32)
	for range 20000 {
		key, value := rng.Uint64()>>rng.IntN(40)|1, rng.Uint32()
		if _, ok := want[key]; !ok {
			want[key] = value
		}
		m.Put(key, value) // the first value stays
	}
	for key, value := range want {
		if got, ok := m.Get(key); !ok || got != value {
			t.Fatalf("%x: got %d, %t", key, got, ok)
		}
	}
	if _, ok := m.Get(2); ok {
		t.Error("found what was never put")
	}
}

// Goroutines that put the same answers read nothing else, whatever grows meanwhile.
func TestTable_IsSharedByGoroutines(t *testing.T) {
	var m Table
	var wg sync.WaitGroup
	for g := range uint64(4) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(g, 2))
			for range 50000 {
				key := rng.Uint64N(20000) + 1
				if v, ok := m.Get(key); ok && v != uint32(key)*3 {
					t.Errorf("%d: got %d", key, v)
				}
				m.Put(key, uint32(key)*3)
			}
		})
	}
	wg.Wait()
	for key := range uint64(20000) {
		if v, ok := m.Get(key + 1); ok && v != uint32(key+1)*3 {
			t.Fatalf("%d: got %d", key+1, v)
		}
	}
}

// Values are read without a lock while others get numbers.
func TestNumbers_AreReadWhileTheyGrow(t *testing.T) {
	var n Numbers[int]
	var mu sync.Mutex
	var wg sync.WaitGroup
	for g := range uint64(4) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(g, 3))
			for range 5000 {
				v := rng.IntN(2000)
				mu.Lock()
				before := n.Len()
				number, isNew := n.Of(v)
				if isNew != (number == before) {
					t.Errorf("number %d of %d, new: %t", number, before, isNew)
				}
				mu.Unlock()
				if got := *n.At(number); got != v {
					t.Errorf("%d has number %d, at which there is %d", v, number, got)
				}
			}
		})
	}
	wg.Wait()
	for v := range 2000 {
		if number, ok := n.Find(v); ok && *n.At(number) != v {
			t.Errorf("%d is found at %d", v, number)
		}
	}
	if _, ok := n.Find(-1); ok {
		t.Error("found what never came")
	}
}
