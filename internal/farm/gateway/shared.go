// SPDX-License-Identifier: BSD-3-Clause

package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"pangolin/internal/cache"
	"pangolin/internal/farm"
	"pangolin/internal/farm/queue"
	"pangolin/internal/farm/shared"
)

// Results in a store that others run. It is asked for what the queue's results lack, and is given each result that a command gets from
// there. It may be away, or lose what it has: then a task is done here.

// lent is a result for the shared store.
type lent struct {
	queue.Facts
	sealed []byte
}

// lenders is how many results are written to the shared store at a time, and mostLent how many may wait for that; others are not written.
const (
	lenders  = 8
	mostLent = 1000
)

func resultName(key string) string { return "result/" + key }

// lend writes results to the shared store until the context ends.
func (g *Gateway) lend(ctx context.Context) {
	g.lending = make(chan lent, mostLent)
	for range lenders {
		go func() {
			for {
				select {
				case <-ctx.Done():
					return
				case l := <-g.lending:
					if err := g.write(ctx, &l); err != nil && ctx.Err() == nil {
						g.complain("a result is not kept in the shared store: " + err.Error())
					}
				}
			}
		}()
	}
}

// offer has a result written to the shared store, if it keeps up.
func (g *Gateway) offer(l lent) {
	select {
	case g.lending <- l:
	default: // there is none, or it is slow
	}
}

// write writes a result, or compares it with the one that is there.
func (g *Gateway) write(ctx context.Context, l *lent) error {
	there, err := g.Shared.Get(ctx, resultName(l.Key))
	if errors.Is(err, shared.ErrNone) {
		return g.Shared.Put(ctx, resultName(l.Key), l.sealed)
	}
	if err != nil {
		return err
	}
	theirs, err := cache.Unseal(l.Key, there)
	if err != nil {
		return fmt.Errorf("the one that it has, with the key %s, is damaged", l.Key)
	}
	mine, err := cache.Unseal(l.Key, l.sealed)
	if err != nil || bytes.Equal(mine.Same, theirs.Same) {
		return err
	}
	other := l.Facts
	other.Worker = "shared store"
	return g.Queue.Dispute(ctx, [2]queue.Facts{other, l.Facts}, [2][]byte{there, l.sealed})
}

// borrow delivers the result that the shared store has of a want.
func (g *Gateway) borrow(ctx context.Context, w *want) bool {
	if g.Shared == nil {
		return false
	}
	sealed, err := g.Shared.Get(ctx, resultName(w.Key))
	if err == nil {
		if _, err = cache.Unseal(w.Key, sealed); err != nil {
			err = fmt.Errorf("the one with the key %s is damaged", w.Key)
		}
	}
	if err != nil {
		if !errors.Is(err, shared.ErrNone) {
			g.complain("the shared store does not give a result: " + err.Error())
		}
		return false
	}
	if differs, err := g.Queue.Differs(ctx, w.Key); err != nil || differs {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.deliver(w, farm.Result{Sealed: sealed, Worker: "of the shared store"})
	return true
}
