package conditional_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"pangolin/collections/conditional"
	"pangolin/collections/internal/trial"
)

// One thread sees registers that do what the comments say.
func TestCCAS_BehavesLikeAVariableAndAFlag(t *testing.T) {
	for seed := range uint64(trial.Times(20)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		c, value, flag := conditional.NewCCAS(0), 0, false
		for range 400 {
			if rng.IntN(3) == 0 {
				flag = !flag
				c.SetFlag(flag)
				continue
			}
			old, next := rng.IntN(3), rng.IntN(3)
			want := value
			if flag && value == old {
				value = next
			}
			if got := c.Swap(old, next); got != want {
				t.Fatalf("Swap(%d, %d) = %d, want %d", old, next, got, want)
			}
		}
	}
}

func TestRDCSS_BehavesLikeTwoVariables(t *testing.T) {
	for seed := range uint64(trial.Times(20)) {
		rng := rand.New(rand.NewPCG(seed, 2))
		r, control, value := conditional.NewRDCSS(0, 0), 0, 0
		for range 400 {
			if rng.IntN(3) == 0 {
				control = rng.IntN(3)
				r.SetControl(control)
				continue
			}
			if cond, old, next := rng.IntN(3), rng.IntN(3), rng.IntN(3); true {
				want := value
				if control == cond && value == old {
					value = next
				}
				if got := r.Swap(cond, old, next); got != want {
					t.Fatalf("Swap(%d, %d, %d) = %d, want %d", cond, old, next, got, want)
				}
			}
			if got := r.Read(); got != value {
				t.Fatalf("Read() = %d, want %d", got, value)
			}
		}
	}
}

// Threads count with both registers, under conditions that others change: every number is given out once.
func TestRegisters_LoseNoSwapUnderLoad(t *testing.T) {
	c, r := conditional.NewCCAS(0), conditional.NewRDCSS(0, 0)
	c.SetFlag(true)
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := map[int]bool{}
	rounds := trial.Times(trial.Rounds)
	for range trial.Threads {
		wg.Go(func() {
			for i := range rounds {
				c.SetFlag(i%7 != 0)
				r.SetControl(i % 3)
				now := r.Read()
				if r.Swap(i%3, now, now) > rounds*trial.Threads {
					t.Errorf("a value that nobody wrote")
				}
				c.Swap(c.Swap(-1, -1), i)
			}
		})
	}
	wg.Wait()
	r.SetControl(1)
	for range trial.Threads {
		wg.Go(func() {
			for done := 0; done < rounds; {
				now := r.Read()
				if r.Swap(1, now, now+1) != now {
					continue
				}
				mu.Lock()
				if seen[now] {
					t.Errorf("%d was swapped twice", now)
				}
				seen[now] = true
				mu.Unlock()
				done++
			}
		})
	}
	wg.Wait()
	if got := r.Read(); got != rounds*trial.Threads {
		t.Errorf("%d swaps were made, want %d", got, rounds*trial.Threads)
	}
}

// SPDX-License-Identifier: BSD-3-Clause
