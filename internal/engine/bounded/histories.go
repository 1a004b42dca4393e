// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/explore"
	"pangolin/internal/play"
	"pangolin/internal/store"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Observed is a history of some execution, with what a second judgement needs.
type Observed struct {
	Start   oracle.State // of the oracle, after the pre-adds
	History history.History
	// Ends reports whether a client of the scope ends like this: all its calls are made, and those that have not returned never will,
	// because every thread waits or they go on for ever without a way out.
	Ends bool
}

// Histories explores a scope like Run without judging: it lists the histories of all executions and of their beginnings. The history is
// part of a state, so no two histories are merged; reductions that rename threads or values are off. With fusing one history stands for
// those in which calls begin earlier or return later (a thread does nothing before its first access and after its last); without it, one
// still stands for those in which calls return later. The second result says why the list is incomplete; "" if it is not.
//
// Judged prints them; tests compare the monitor, which sees histories only after states were merged, with the judgement by permutations of
// each history.
func Histories(ctx context.Context, opt Options) (list []Observed, incomplete string, err error) {
	opt.Reduce &^= vm.Symmetry | vm.RankedKeys | vm.RenamedItems
	opt.NoRaces, opt.Store = true, store.Exact
	v, err := newVerification(opt)
	if err != nil {
		return nil, "", err
	}
	for {
		v.begin()
		recorder, err := consist.NewRecorder(oracle.NewAutomaton(opt.Subject.Spec), opt.Scope.Clients.Threads.To)
		if err != nil {
			return nil, "", err
		}
		v.monitor = recorder
		ends := make(map[consist.ID]bool)
		res := v.observe(ctx, ends)
		if v.withdraws() {
			if v.looked.Items {
				if err := v.chooseItems(); err != nil {
					return nil, "", err
				}
			}
			continue
		}
		switch {
		case v.assumed.Fault() != nil:
			incomplete = v.assumed.Fault().Error()
		case !res.Complete:
			incomplete = res.Limit.After(res.States)
		}
		return v.observed(recorder, ends), incomplete, v.monitor.Err()
	}
}

// observe runs the search and records which of the monitor's states are histories that end.
func (v *verification) observe(ctx context.Context, ends map[consist.ID]bool) explore.Result {
	no := func() bool { return false }
	var calls client.Plan = client.NewGeneral(v.space, no, no)
	if v.opt.Only != nil {
		calls = client.NewSingle(*v.opt.Only, v.opt.Scope.Clients.Threads.To)
	}
	sys := v.system(calls)
	opt := v.searchOptions(ctx, sys)
	opt.Visit = func(cur explore.Cursor, _ explore.Trail, _ int) explore.Action {
		c := cur.(*cursor)
		if v.spoilt(c) {
			return explore.Stop
		}
		if c.found != nil { // nothing follows
			return explore.Prune
		}
		if (c.idle() || play.Stuck(c.place)) && c.mayEnd() {
			ends[c.id] = true
		}
		return explore.Continue
	}
	opt.OnComponent = func(d *explore.Component) explore.Action {
		v.endlessly(ctx, sys, d, ends)
		return explore.Continue
	}
	return v.assumed.Run(func() explore.Result { return explore.Run(ctx, sys, opt) }, func() bool { return v.refuted(sys) })
}

// observed lists the recorder's states.
func (v *verification) observed(recorder *consist.HistoryMonitor, ends map[consist.ID]bool) (list []Observed) {
	for id := consist.ID(1); int(id) <= recorder.States(); id++ {
		o := Observed{Ends: ends[id]}
		o.Start, o.History = recorder.Recorded(id)
		for i := range o.History.Events {
			e := &o.History.Events[i]
			op := &v.subject.Operations[e.Method].Client
			e.Name, e.Notation = op.Name, op.Notation
		}
		list = append(list, o)
	}
	return list
}

// idle reports whether no operation is in progress.
func (c *cursor) idle() bool { return c.monitor.Busy(c.id) == 0 }

// mayEnd reports whether the calls so far are those of one of the scope's clients.
func (c *cursor) mayEnd() bool {
	return !c.makes() && c.sys.plan.Done(c.all, c.own, client.ThreadSet(c.monitor.Busy(c.id)))
}

// endlessly records the histories of a component that has no exit.
func (v *verification) endlessly(ctx context.Context, sys *system, c *explore.Component, ends map[consist.ID]bool) {
	closed := sys.closed()
	explore.Run(ctx, closed, explore.Options{
		From: c.Root, Cycles: true,
		Visit: func(cur explore.Cursor, _ explore.Trail, _ int) explore.Action {
			if cur.(*cursor).found != nil { // there is no going on from here
				return explore.Prune
			}
			return explore.Continue
		},
		OnComponent: func(d *explore.Component) explore.Action {
			c := closed.NewCursor().(*cursor)
			c.Load(d.Root)
			if d.Bottom && (d.Fair() || !v.opt.Scope.Fair) && !c.idle() && c.mayEnd() {
				ends[c.id] = true
			}
			return explore.Continue
		},
	})
}
