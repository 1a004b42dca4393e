// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"sync/atomic"

	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// Races that show in no state (vm/hunt.go). They are looked for when nothing else is wrong,
// in two more searches, if the first has met an operation that tells without ordering: one that finds out
// which memory can be part of a race, and, if there is any, one that remembers accesses.
// Their states are counted nowhere: what a verdict counts are states of the code.

// tells is where machines say so; nil: races are not looked for.
func (v *verification) tells() *atomic.Bool {
	if v.opt.NoRaces {
		return nil
	}
	return &v.telling
}

// examineHunt looks for a race with the access that the state remembers, if it remembers one. Everything else has been looked
// for.
func (c *cursor) examineHunt() *finding {
	if r, ok := c.m.TrackedRace(); ok {
		return &finding{class: Race, race: r}
	}
	return nil
}

// hunt looks for races by what orders accesses, if the search has met a reason to. It notes in the search's
// result if it cannot come to its end, and gives the system in which it has found one.
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

// useless says that a search has refuted what it rests on, or met what a machine cannot do.
func (v *verification) useless() bool {
	return v.assumed.Told() || v.misled()
}

// huntingSystem is that of one of these searches.
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

// looks is visit for these searches.
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
