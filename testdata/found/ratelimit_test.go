// SPDX-License-Identifier: BSD-3-Clause

package found

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/juju/ratelimit"
)

// TakeAvailable takes what is there and lets nobody wait, so that Available is never negative.
func TestBucket_IsNotNegativeWithNobodyWaiting(t *testing.T) {
	b := ratelimit.NewBucket(time.Microsecond, 10)
	var over atomic.Bool
	ended := make(chan bool)
	go func() {
		for !over.Load() {
			b.TakeAvailable(1)
		}
		ended <- true
	}()
	const calls = 1_000_000
	negative, least := 0, int64(0)
	for range calls {
		if n := b.Available(); n < 0 {
			negative++
			least = min(least, n)
		}
	}
	over.Store(true)
	<-ended
	if negative > 0 {
		t.Errorf("%d of %d calls of Available were negative, the least %d", negative, calls, least)
	}
}
