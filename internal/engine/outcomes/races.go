// SPDX-License-Identifier: BSD-3-Clause

package outcomes

import (
	"context"

	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// Some races show in no state (vm/hunt.go). If the first search has met an operation that passes information without ordering accesses,
// two more searches look for them: one finds the memory that can be part of such a race, and, if there is any, the other remembers
// accesses to it.

// hunt looks for races that show in no state, if the search has met a reason to.
func (x *exploration) hunt(ctx context.Context) {
	if !x.telling.Load() || x.assumed.Fault() != nil || x.sys.breached() || ctx.Err() != nil {
		return
	}
	x.survey = x.img.NewSurvey()
	x.hunts(ctx, x.hunting(x.opt.Reductions, true), nil)
	if x.survey.Suspects() {
		x.hunts(ctx, x.hunting(x.opt.Reductions, false), x.addTracked)
	}
}

// hunting makes the system for one of these searches; surveys selects the first.
func (x *exploration) hunting(set vm.Reductions, surveys bool) *system {
	s := x.system(set)
	s.opt.Hunt = &vm.Hunt{Survey: x.survey, Surveys: surveys}
	return s
}

func (x *exploration) hunts(ctx context.Context, sys *system, look func(m *vm.Machine)) {
	visit := func(c explore.Cursor, _ explore.Trail, _ int) explore.Action {
		m := c.(*cursor).m
		if x.withdrawn() || x.assumed.Tell(m) {
			return explore.Stop
		}
		if look != nil {
			look(m)
		}
		return explore.Continue
	}
	res := explore.Run(ctx, sys, explore.Options{Workers: x.opt.Workers, MaxStates: x.opt.MaxStates, MaxBytes: x.opt.MaxBytes,
		Visit: visit, Progress: x.opt.Progress, ProgressEvery: progressEvery})
	sys.tellBreaches(x.assumed)
	x.limited(res, "the search for races by what orders accesses")
}

// addTracked records the races of a state.
func (x *exploration) addTracked(m *vm.Machine) {
	for _, r := range m.TrackedRaces() {
		o := raceOf(m, r)
		if key := o.key(); x.add(&o) {
			x.mu.Lock()
			x.hunted[key] = true
			x.mu.Unlock()
		}
	}
}
