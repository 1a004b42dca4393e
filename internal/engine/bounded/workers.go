// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"

	"pangolin/internal/explore"
)

// soloStates is the number of states that one worker searches alone first: that takes some hundredths of a second, and most violations show
// in fewer. Several workers then start from the beginning.
var soloStates uint64 = 1 << 14

// withWorkers verifies with several workers. The first violation that they find is a matter of chance, so one worker searches alone first,
// and what several find is found again by one. If there are cycles, one worker would have to search everything again to find the
// components, so it does that at once. With a limit on states or on work there is only one worker, because which states several have met when it is
// reached is a matter of chance, unless what is asked is whether there are more states (Search.Whether): then what one worker does not find again within the limit is
// not found.
func withWorkers(ctx context.Context, opt Options) (*Result, error) {
	alone := opt
	alone.Workers = 1
	if opt.MaxStates > 0 && !opt.Whether || opt.Meter != nil {
		return once(ctx, alone)
	}
	most := opt.MaxStates
	alone.MaxStates = soloStates
	if most > 0 {
		alone.MaxStates = min(most, soloStates)
	}
	r, err := once(ctx, alone)
	opt.Sample, alone.Sample = nil, nil
	if err != nil || r.limit != explore.LimitStates || alone.MaxStates == most {
		return r, err
	}
	alone.MaxStates = most
	if r.cycles {
		return once(ctx, alone)
	}
	r, err = once(ctx, opt)
	if err == nil && r.Violation == nil && r.Fault == nil {
		return r, nil
	}
	if again, failed := once(ctx, alone); failed != nil || again.limit == explore.NoLimit || most > 0 && again.limit == explore.LimitStates {
		return again, failed
	}
	return r, err
}
