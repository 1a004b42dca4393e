// SPDX-License-Identifier: BSD-3-Clause

package outcomes

import (
	"context"

	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/vm"
)

// An execution that never ends follows a cycle of the state graph. It counts if the cycle is strongly fair: a goroutine that can
// continue again and again does so at some time. This is the guarantee of Go's scheduler: a runnable goroutine is not passed over for
// ever, and those that wait for a lock or a channel are served in turn (a sync.Mutex is handed over to one that has waited for a
// millisecond).

// onComponent returns the function that is called for each component of the state graph with a cycle. With symmetry threads change
// their indices along edges, so that it is not known who moves: then the search is repeated without symmetry.
func (x *exploration) onComponent() func(*explore.Component) explore.Action {
	switch {
	case x.opt.NoCycles:
		return nil
	case x.symmetric():
		return func(*explore.Component) explore.Action {
			x.needsEndless = true
			return explore.Continue
		}
	}
	return x.component
}

// searchEndless looks for executions without end in the graph without symmetry.
func (x *exploration) searchEndless(ctx context.Context) {
	sys := x.system(x.opt.Reductions &^ vm.Symmetry)
	x.limited(explore.Run(ctx, sys, explore.Options{
		MaxStates: x.opt.MaxStates, MaxBytes: x.opt.MaxBytes, Progress: x.opt.Progress, ProgressEvery: progressEvery,
		Cycles: true, OnComponent: x.component,
	}), "the search for executions without end, which tells alike goroutines apart")
}

// component looks for a strongly fair cycle in a component of the graph without symmetry.
func (x *exploration) component(c *explore.Component) explore.Action {
	if !c.Fair() { // not even weakly
		return explore.Continue
	}
	cur := x.system(x.opt.Reductions &^ vm.Symmetry).NewCursor().(*cursor)
	for _, loop := range interleave.FairLoops(c, cur) {
		m := cur.m
		m.Load(loop.Root)
		o := Outcome{Kind: Endless, Involved: named(m.Names(loop.Moved.List()))}
		o.Stdout, o.Stderr = m.Printed()
		key := o.key()
		if x.found[key] == nil {
			x.found[key] = &o
			x.goals[key] = &goal{root: loop.Root, cycle: loop.Cycle}
		}
	}
	return explore.Continue
}
