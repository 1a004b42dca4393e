// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"context"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// What an optimisation must not change. A reduction may: then the new figures go here, and
// into doc/benchmarks.md.
var pinned = []struct {
	name                string
	threads, calls      int
	states, transitions uint64
}{
	{"treiber", 2, 2, 299, 456},
	{"msq", 2, 2, 1754, 3152},
	{"harris", 2, 2, 3913, 8652},
	{"lazy", 2, 2, 6011, 11791},
	{"treiber", 3, 2, 25024, 52834},
	{"lazy", 3, 1, 2507, 4987},
}

func TestVerify_CountsThePinnedStates(t *testing.T) {
	level.SkipShort(t, "verifies what the benchmarks verify")
	for _, p := range pinned {
		s := structureNamed(t, p.name)
		r := verify(t, s.subject(t), linear(perThread(t, s.kind, p.threads, p.calls)))
		if r.States != p.states || r.Transitions != p.transitions {
			t.Errorf("%s, %d x %d: %d states, %d transitions; want %d, %d", p.name, p.threads, p.calls,
				r.States, r.Transitions, p.states, p.transitions)
		}
	}
}

func TestRunAll_CountsThePinnedStates(t *testing.T) {
	level.SkipShort(t, "runs what the benchmarks run")
	prog := loadProgram(t, "treiber")
	r, err := outcomes.Explore(context.Background(), prog, prog.Roots[0], outcomes.Options{Reductions: vm.AllReductions})
	if err != nil || !r.Complete {
		t.Fatal(err, r)
	}
	const states, transitions = 82937, 220883
	if r.States != states || r.Transitions != transitions {
		t.Errorf("%d states, %d transitions; want %d, %d", r.States, r.Transitions, states, transitions)
	}
}

// TestVerify_AllocatesNothingPerTransition looks at the difference between a search and a
// larger one, so that what setting up allocates does not count.
func TestVerify_AllocatesNothingPerTransition(t *testing.T) {
	level.SkipShort(t, "searches large systems")
	s := structureNamed(t, "lazy")
	sub := s.subject(t)
	count := func(threads, calls int) (allocs float64, transitions uint64) {
		allocs = testing.AllocsPerRun(1, func() {
			transitions = verify(t, sub, linear(perThread(t, s.kind, threads, calls))).Transitions
		})
		return allocs, transitions
	}
	few, small := count(2, 2)
	many, large := count(3, 1)
	if large < small {
		few, small, many, large = many, large, few, small
	}
	if per := (many - few) / float64(large-small); per > 0.2 {
		t.Errorf("%.2f allocations for each transition; only new states of the monitor should need any", per)
	}
}
