package trial

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// A Pool is a queue or a stack seen through two functions, so that one test fits
// all method names. Take says false if it found the pool empty; one that blocks
// instead always says true.
type Pool struct {
	Put  func(x int)
	Take func() (int, bool)
}

// Order says which of a pool's items Take returns.
type Order int

// The orders of the pools.
const (
	FIFO Order = iota
	LIFO
)

// PoolAgainstModel compares a new pool with a slice on random operations that
// never hold more than limit items. A blocking pool (blocks) is never asked to
// take from nothing.
func PoolAgainstModel(t *testing.T, fresh func() Pool, order Order, limit int, blocks bool) {
	t.Helper()
	for seed := range uint64(Times(8)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		pool := fresh()
		var model []int
		for step := range 400 {
			put := rng.IntN(2) == 0
			switch {
			case put && len(model) < limit:
				pool.Put(step)
				model = append(model, step)
			case !put && (len(model) > 0 || !blocks):
				model = takeBoth(t, pool, model, order)
			}
		}
	}
}

// takeBoth takes from the pool and from the model and compares.
func takeBoth(t *testing.T, pool Pool, model []int, order Order) []int {
	t.Helper()
	got, ok := pool.Take()
	if ok != (len(model) > 0) {
		t.Fatalf("Take = (%d, %t) with %v inside", got, ok, model)
	}
	if !ok {
		return model
	}
	at := 0
	if order == LIFO {
		at = len(model) - 1
	}
	if got != model[at] {
		t.Fatalf("Take = %d with %v inside", got, model)
	}
	return slices.Delete(model, at, at+1)
}

// PoolStress puts and takes in several threads: every item must come out
// exactly once, and out of a FIFO pool the items that one thread put come to any
// other thread in the order in which they were put.
func PoolStress(t *testing.T, pool Pool, order Order) {
	t.Helper()
	taken := make([][]int, Threads)
	inParallel(2*Threads, func(thread int) {
		if thread < Threads {
			for i := range Rounds {
				pool.Put(thread*Rounds + i)
			}
			return
		}
		taken[thread-Threads] = takeMany(pool, Rounds)
	})
	checkOnce(t, taken, Threads*Rounds)
	if order == FIFO {
		checkOrder(t, taken)
	}
}

// takeMany takes n items, yielding while the pool is empty.
func takeMany(pool Pool, n int) []int {
	var items []int
	for len(items) < n {
		if x, ok := pool.Take(); ok {
			items = append(items, x)
		} else {
			runtime.Gosched()
		}
	}
	return items
}

// checkOnce reports items of [0, n) that did not come out exactly once.
func checkOnce(t *testing.T, taken [][]int, n int) {
	t.Helper()
	times := make([]int, n)
	for _, items := range taken {
		for _, x := range items {
			times[x]++
		}
	}
	for x, k := range times {
		if k != 1 {
			t.Fatalf("item %d came out %d times", x, k)
		}
	}
}

// checkOrder reports a thread that saw two items of one producer in reverse.
func checkOrder(t *testing.T, taken [][]int) {
	t.Helper()
	for taker, items := range taken {
		last := map[int]int{}
		for _, x := range items {
			producer := x / Rounds
			if before, ok := last[producer]; ok && before > x {
				t.Fatalf("thread %d took %d after %d", taker, x, before)
			}
			last[producer] = x
		}
	}
}

// MixedStress makes every thread put and take in turn, at most one of its items
// being inside: each put is matched by a take that must find something.
func MixedStress(t *testing.T, pool Pool) {
	t.Helper()
	var mu sync.Mutex
	taken := make([][]int, 1)
	inParallel(Threads, func(thread int) {
		var mine []int
		for i := range Rounds {
			pool.Put(thread*Rounds + i)
			mine = append(mine, takeMany(pool, 1)...)
		}
		mu.Lock()
		defer mu.Unlock()
		taken[0] = append(taken[0], mine...)
	})
	checkOnce(t, taken, Threads*Rounds)
}

// SPDX-License-Identifier: BSD-3-Clause
