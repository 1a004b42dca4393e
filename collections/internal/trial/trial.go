// Package trial tests the collections as ordinary Go: sequentially against a
// model on random operations, and under load with invariants that hold of every
// linearizable collection. It takes constructors, and reports through testing.
//
// It does not look for rare interleavings (that is the verifier's work) and it
// asserts nothing about time. Load is small enough for the race detector.
package trial

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// Threads and Rounds are the size of a stress test.
const (
	Threads = 4
	Rounds  = 600
)

// Times is how often to do what is usually done n times: under -short a fifth.
func Times(n int) int {
	if testing.Short() {
		return (n + 4) / 5
	}
	return n
}

// A Set is what the set collections have in common.
type Set interface {
	Add(x int) bool
	Remove(x int) bool
	Contains(x int) bool
}

// SetAgainstModel compares a new set with a Go map on random operations.
func SetAgainstModel(t *testing.T, fresh func() Set) {
	t.Helper()
	for seed := range uint64(Times(6)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		set, model := fresh(), map[int]bool{}
		for step := range 400 {
			x := rng.IntN(12)
			had := model[x]
			switch rng.IntN(3) {
			case 0:
				model[x] = true
				expect(t, step, "Add", x, set.Add(x), !had)
			case 1:
				delete(model, x)
				expect(t, step, "Remove", x, set.Remove(x), had)
			default:
				expect(t, step, "Contains", x, set.Contains(x), had)
			}
		}
	}
}

func expect(t *testing.T, step int, operation string, x int, got, want bool) {
	t.Helper()
	if got != want {
		t.Fatalf("step %d: %s(%d) = %t, want %t", step, operation, x, got, want)
	}
}

// SetStress runs random operations in several threads. For every value,
// successful adds and removes must alternate, so their difference says whether
// the value is in the set at the end.
func SetStress(t *testing.T, set Set) {
	t.Helper()
	const values = 8
	var mu sync.Mutex
	var balance [values]int
	inParallel(Threads, func(thread int) {
		rng := rand.New(rand.NewPCG(uint64(thread), 2))
		var mine [values]int
		for range Rounds {
			x := rng.IntN(values)
			switch rng.IntN(3) {
			case 0:
				mine[x] += count(set.Add(x))
			case 1:
				mine[x] -= count(set.Remove(x))
			default:
				set.Contains(x)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for x, n := range mine {
			balance[x] += n
		}
	})
	for x, n := range balance {
		if n != 0 && n != 1 {
			t.Errorf("value %d: %d more successful adds than removes", x, n)
		} else if set.Contains(x) != (n == 1) {
			t.Errorf("value %d: contained %t, but %d more adds than removes", x, set.Contains(x), n)
		}
	}
}

func count(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

// inParallel runs body in several threads and waits for them.
func inParallel(threads int, body func(thread int)) {
	var wg sync.WaitGroup
	for thread := range threads {
		wg.Go(func() { body(thread) })
	}
	wg.Wait()
}

// SPDX-License-Identifier: BSD-3-Clause
