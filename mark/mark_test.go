// SPDX-License-Identifier: BSD-3-Clause

package mark_test

import (
	"sync"
	"testing"

	"pangolin/mark"
)

func TestChoose_StaysInRangeAndReachesEveryNumber(t *testing.T) {
	seen := make([]bool, 5)
	for range 1000 {
		seen[mark.Choose(len(seen))] = true
	}
	for n, ok := range seen {
		if !ok {
			t.Errorf("Choose(5) never gave %d in 1000 calls", n)
		}
	}
}

func TestChoose_PanicsWithoutAlternatives(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Choose(0) returned")
		}
	}()
	mark.Choose(0)
}

func TestThread_GivesEachGoroutineOneNumberOfItsOwn(t *testing.T) {
	const n = 8
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := map[int]bool{}
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			id := mark.Thread()
			if again := mark.Thread(); again != id {
				t.Errorf("Thread() gave %d, then %d to the same goroutine", id, again)
			}
			mu.Lock()
			defer mu.Unlock()
			if seen[id] {
				t.Errorf("number %d given twice", id)
			}
			seen[id] = true
		}()
	}
	wg.Wait()
}
