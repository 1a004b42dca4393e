// SPDX-License-Identifier: BSD-3-Clause

package found

import (
	"sync"
	"testing"

	"github.com/bytedance/gopkg/collection/zset"
)

// Two calls remove the same element: go test -race reports them, and both may return it.
func TestZset_RemovesOnce(t *testing.T) {
	for range 1000 {
		z := zset.NewFloat64()
		z.Add(0, "v")
		var wg sync.WaitGroup
		var removed [2]int
		for i := range removed {
			wg.Go(func() { removed[i] = len(z.RemoveRangeByScore(0, 0)) })
		}
		wg.Wait()
		if removed[0]+removed[1] != 1 {
			t.Fatalf("%d and %d removed", removed[0], removed[1])
		}
	}
}
