// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"context"
	"sync/atomic"
)

// How much memory a search takes depends on the machine and on its workers, so a result behind which a search has ended at its limit on
// memory may be another one the next time, whatever became of that search. Those who keep results have to know.

// watchKey is that of the flag in a context.
type watchKey struct{}

// WatchMemory gives a context, and a function that reports whether a search with that context has ended at its limit on memory.
func WatchMemory(ctx context.Context) (context.Context, func() bool) {
	met := new(atomic.Bool)
	return context.WithValue(ctx, watchKey{}, met), met.Load
}

// watched tells those who watch how a search has ended.
func watched(ctx context.Context, l Limit) {
	if met, ok := ctx.Value(watchKey{}).(*atomic.Bool); ok && l == LimitBytes {
		met.Store(true)
	}
}
