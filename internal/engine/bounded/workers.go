// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"

	"pangolin/internal/explore"
)

// soloStates is how many states one worker searches alone: it takes some hundredths of a second, and most violations
// show in fewer. All of it is done again by several.
var soloStates uint64 = 1 << 14

// withWorkers verifies with several workers. Which violation they find first is chance. So
// one searches alone at first, and what several find then, one finds again. If there are cycles, one would have to search all of it
// again to find the components, so it does that at once. With a limit on states there is one worker only: which states several have
// met there is chance, and with them the verdict.
func withWorkers(ctx context.Context, opt Options) (*Result, error) {
	alone := opt
	alone.Workers = 1
	if opt.MaxStates > 0 {
		return once(ctx, alone)
	}
	alone.MaxStates = soloStates
	r, err := once(ctx, alone)
	if err != nil || r.limit != explore.LimitStates {
		return r, err
	}
	if r.cycles {
		alone.MaxStates = 0
		return once(ctx, alone)
	}
	r, err = once(ctx, opt)
	if err == nil && r.Violation == nil && r.Fault == nil {
		return r, nil
	}
	alone.MaxStates = 0
	if again, failed := once(ctx, alone); failed != nil || again.limit == explore.NoLimit {
		return again, failed
	}
	return r, err
}
