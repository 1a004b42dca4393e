// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"sync"

	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// Assumptions are what steps rest on that pass over an access: that a class of memory is
// frozen, or guarded by a lock. Machines check them while they execute. A search tells what
// its machines find out; behind it what turned out to be wrong is withdrawn, and the search
// begins again. Several workers may tell at the same time.
type Assumptions struct {
	Frozen vm.Frozen  // nil: nothing is assumed to be frozen
	Guards *vm.Guards // nil: nothing is assumed to be guarded

	mu       sync.Mutex
	breached int // a class that turned out not to be frozen, or -1
	fault    *vm.Fault
}

// NewAssumptions assumes what some reductions need. Without fusing there are no steps that
// pass over an access.
func NewAssumptions(img *vm.Image, set vm.Reductions) *Assumptions {
	a := &Assumptions{breached: -1}
	if set&vm.FrozenReads != 0 && set&vm.Fusing != 0 {
		a.Frozen = img.NewFrozen()
	}
	if set&vm.GuardedAccesses != 0 && set&vm.Fusing != 0 {
		a.Guards = img.NewGuards()
	}
	return a
}

// Begin forgets what the last search has told.
func (a *Assumptions) Begin() {
	a.breached, a.fault = -1, nil
	if a.Guards != nil {
		a.Guards.Renew()
	}
}

// Tell notes what a machine has found out. It says whether the search is of no use from its
// state on: it could not go on, or an assumption is wrong.
func (a *Assumptions) Tell(m *vm.Machine) (useless bool) {
	if m.Fault() == nil && m.Breached() < 0 {
		return a.Unguarded()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.breached, a.fault = m.Breached(), m.Fault()
	return true
}

// Told says that a machine has told something: that it could not go on, or that an assumption is wrong.
func (a *Assumptions) Told() bool { return a.fault != nil || a.breached >= 0 || a.Unguarded() }

// Unguarded says that a class is not guarded that was assumed to be.
func (a *Assumptions) Unguarded() bool { return a.Guards != nil && a.Guards.Broken() }

// Run runs a search whose machines rest on the assumptions. What is assumed is shared, and changes while the search goes
// on: a step passes over an access to guarded memory, another worker finds that it is not guarded, and executed again with
// its next decision the same step stops at that access and asks for fewer decisions than before. That is no fault of
// the search, which has no result anyway: it ends, and refuted, which is asked then, says so. A step that
// does not repeat itself although nothing has been refuted is a panic.
func (a *Assumptions) Run(search func() explore.Result, refuted func() bool) (res explore.Result) {
	defer func() {
		if r := recover(); r != nil && !(explore.IsIrreproducible(r) && refuted()) {
			panic(r)
		}
	}()
	return search()
}

// Refuted says that something is wrong that was assumed.
func (a *Assumptions) Refuted() bool { return a.breached >= 0 || a.Unguarded() }

// Fault is what a machine could not do; nil: each could go on.
func (a *Assumptions) Fault() *vm.Fault { return a.fault }

// Withdraw gives up what the search has refuted. It says whether there was anything: then
// the search has to begin again. A thread that ran on and on without a scheduling point may
// have waited in vain for memory of which that was assumed.
func (a *Assumptions) Withdraw() bool {
	switch {
	case a.Unguarded(): // Begin renews
	case a.breached >= 0:
		a.Frozen[a.breached] = false
	case a.runsOn():
		a.Frozen, a.Guards = nil, nil
	default:
		return false
	}
	return true
}

func (a *Assumptions) runsOn() bool {
	return (a.Frozen != nil || a.Guards != nil) && a.fault != nil && (a.fault.Kind == vm.FaultDiverges || a.fault.Kind == vm.FaultLocal)
}
