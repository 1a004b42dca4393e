package threadlocal_test

import (
	"sync"
	"testing"

	"pangolin/collections/threadlocal"
)

func TestVar_KeepsThreadsApart(t *testing.T) {
	var v threadlocal.Var[int]
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			*v.Get() = i
			for range 100 {
				if got := *v.Get(); got != i {
					t.Errorf("thread %d finds %d", i, got)
				}
			}
		})
	}
	wg.Wait()
}

// SPDX-License-Identifier: BSD-3-Clause
