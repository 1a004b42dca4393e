// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"slices"
	"sync"
	"testing"

	"pangolin/internal/engine"
)

// A task to which its share of the memory is too little is done again, with all of it, and no other is being done then.
func TestSharing_GivesAllOfTheMemoryToWhatNeedsIt(t *testing.T) {
	h := &Here{AtOnce: 3, room: &sync.RWMutex{}}
	for _, c := range []struct {
		name   string
		scarce []bool // in the first attempt, and in the second
		shares []int
	}{
		{"enough", []bool{false}, []int{3}},
		{"too little", []bool{true, false}, []int{3, 1}},
		{"all is too little", []bool{true, true}, []int{3, 1}},
	} {
		var shares []int
		r := h.sharing(t.Context(), nil, func(ctx context.Context, _ *Task) Result {
			shares = append(shares, engine.Shared(ctx))
			if others := h.room.TryRLock(); others != (len(shares) == 1) {
				t.Errorf("%s: attempt %d, others may be done: %v", c.name, len(shares), others)
			} else if others {
				h.room.RUnlock()
			}
			return Result{scarce: c.scarce[len(shares)-1]}
		})
		if !slices.Equal(shares, c.shares) || r.scarce != c.scarce[len(c.scarce)-1] {
			t.Errorf("%s: shares %d, scarce %v", c.name, shares, r.scarce)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	attempts := 0
	h.sharing(ctx, nil, func(context.Context, *Task) Result {
		attempts++
		stop()
		return Result{scarce: true}
	})
	if attempts != 1 {
		t.Errorf("%d attempts of what was interrupted", attempts)
	}
}
