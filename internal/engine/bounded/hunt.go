// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"sync/atomic"

	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// Some races show in no state (vm/hunt.go). If nothing else is wrong and the search has met an operation that passes information without
// ordering accesses, two more searches look for them: one finds the memory that can be part of such a race, and, if there is any, the other
// remembers accesses to it. Their states are not counted in the verdict.

// tells is the flag that machines set when they execute such an operation; nil: races are not looked for.
func (v *verification) tells() *atomic.Bool {
	if v.opt.NoRaces {
		return nil
	}
	return &v.telling
}

// examineHunt looks for a race with the access that the state remembers. Everything else was checked by the first search.
func (c *cursor) examineHunt() *finding {
	if r, ok := c.m.TrackedRace(); ok {
		return &finding{class: Race, race: r}
	}
	return nil
}

// hunt looks for races that show in no state, if the search has met a reason to. It marks the search's result as incomplete if a limit is
// reached, and returns the system in which it has found a race.
func (v *verification) hunt(ctx context.Context, p client.Plan, res *explore.Result) (sys *system, found bool) {
	if !v.telling.Load() || v.found != nil || !res.Complete || v.opt.Laps != "" || v.useless() {
		return nil, false
	}
	v.survey = v.img.NewSurvey()
	v.hunts(ctx, v.huntingSystem(p, true), res)
	if !res.Complete || v.useless() || !v.survey.Suspects() {
		return nil, false
	}
	sys = v.huntingSystem(p, false)
	v.hunts(ctx, sys, res)
	return sys, v.found != nil
}

// useless reports whether a search has refuted an assumption, or its machine has a fault.
func (v *verification) useless() bool {
	return v.assumed.Told() || v.misled()
}

// huntingSystem makes the system for one of these searches; surveys selects the first.
func (v *verification) huntingSystem(p client.Plan, surveys bool) *system {
	s := v.system(p)
	s.store, v.parts = nil, nil
	s.machine.Hunt = &vm.Hunt{Survey: v.survey, Surveys: surveys}
	return s
}

func (v *verification) hunts(ctx context.Context, sys *system, res *explore.Result) {
	opt := v.searchOptions(ctx, sys)
	opt.Cycles, opt.OnComponent = false, nil
	opt.Visit = v.looks
	r := explore.Run(ctx, sys, v.around(opt))
	res.Collisions += r.Collisions
	if !r.Complete && v.found == nil {
		res.Complete, res.Limit = false, r.Limit
	}
}

// looks judges a new state in these searches.
func (v *verification) looks(cur explore.Cursor, t explore.Trail, _ int) explore.Action {
	c := cur.(*cursor)
	if v.spoilt(c) {
		return explore.Stop
	}
	f := c.found
	if f == nil {
		f = c.examine()
	}
	if f == nil {
		return explore.Continue
	}
	if f.class != Race {
		return explore.Prune
	}
	v.report(&found{finding: *f, path: t.Path()})
	return explore.Stop
}
