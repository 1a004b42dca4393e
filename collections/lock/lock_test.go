package lock_test

import (
	"runtime"
	"sync"
	"testing"

	"pangolin/collections/lock"
)

// The locks exclude, are reentrant, and work with conditions.

type reentrant interface {
	sync.Locker
	IsLocked() bool
}

func both(t *testing.T, test func(t *testing.T, l reentrant)) {
	t.Run("Reentrant", func(t *testing.T) { test(t, new(lock.Reentrant)) })
	t.Run("FairReentrant", func(t *testing.T) { test(t, new(lock.FairReentrant)) })
}

func TestLocks_ExcludeOtherThreads(t *testing.T) {
	both(t, func(t *testing.T, l reentrant) {
		const threads, rounds = 4, 2000
		counter := 0
		var wg sync.WaitGroup
		for range threads {
			wg.Go(func() {
				for range rounds {
					l.Lock()
					l.Lock()
					counter++
					l.Unlock()
					l.Unlock()
				}
			})
		}
		wg.Wait()
		if counter != threads*rounds {
			t.Errorf("counted %d, want %d", counter, threads*rounds)
		}
	})
}

func TestLocks_AreFreeOnlyAfterAsManyUnlocksAsLocks(t *testing.T) {
	both(t, func(t *testing.T, l reentrant) {
		for range 2 {
			l.Lock()
		}
		l.Unlock()
		if !l.IsLocked() {
			t.Error("free after one of two unlocks")
		}
		l.Unlock()
		if l.IsLocked() {
			t.Error("locked after both unlocks")
		}
	})
}

func TestLocks_RefuseUnlockByAnotherThread(t *testing.T) {
	both(t, func(t *testing.T, l reentrant) {
		l.Lock()
		refused := make(chan bool)
		go func() {
			defer func() { refused <- recover() != nil }()
			l.Unlock()
		}()
		if !<-refused {
			t.Error("another thread unlocked the lock")
		}
		l.Unlock()
	})
}

func TestLocks_WorkWithConditions(t *testing.T) {
	both(t, func(t *testing.T, l reentrant) {
		cond := sync.NewCond(l)
		ready := false
		done := make(chan struct{})
		go func() {
			l.Lock()
			for !ready {
				cond.Wait()
			}
			l.Unlock()
			close(done)
		}()
		l.Lock()
		ready = true
		l.Unlock()
		cond.Broadcast()
		<-done
	})
}

// The lock is held while the threads queue one after the other, so the order in
// which they get it must be the order in which they asked.
func TestFairReentrant_ServesInOrderOfArrival(t *testing.T) {
	const threads = 8
	var l lock.FairReentrant
	var order []int
	var wg sync.WaitGroup
	l.Lock()
	for i := range threads {
		before := lock.LastTurn(&l)
		wg.Go(func() {
			l.Lock()
			order = append(order, i)
			l.Unlock()
		})
		for lock.LastTurn(&l) == before {
			runtime.Gosched()
		}
	}
	l.Unlock()
	wg.Wait()
	for i, got := range order {
		if got != i {
			t.Fatalf("served in order %v", order)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
