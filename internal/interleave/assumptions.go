// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"sync"

	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// Assumptions are classes of memory that are assumed to be frozen, or guarded by a lock, so that a step need not end at an access to
// them. Machines check them while they execute. A search passes on what its machines find out (Tell); afterwards wrong assumptions are
// withdrawn, and the search starts again. Several workers may call Tell at the same time.
type Assumptions struct {
	Frozen vm.Frozen  // nil: nothing is assumed to be frozen
	Guards *vm.Guards // nil: nothing is assumed to be guarded

	mu       sync.Mutex
	breached int // a class that turned out not to be frozen, or -1
	fault    *vm.Fault
}

// NewAssumptions makes the assumptions of the given reductions. Without fusing every access ends a step, and nothing is
// assumed.
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

// Begin drops what the last search found out.
func (a *Assumptions) Begin() {
	a.breached, a.fault = -1, nil
	if a.Guards != nil {
		a.Guards.Renew()
	}
}

// Tell records what a machine has found out: a fault, or a wrong assumption. It reports whether the search need not continue from the
// machine's state.
func (a *Assumptions) Tell(m *vm.Machine) (useless bool) {
	if m.Fault() == nil && m.Breached() < 0 {
		return a.Unguarded()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.breached, a.fault = m.Breached(), m.Fault()
	return true
}

// Told reports whether some machine had a fault or refuted an assumption.
func (a *Assumptions) Told() bool { return a.fault != nil || a.breached >= 0 || a.Unguarded() }

// Unguarded reports whether a class that was assumed to be guarded is not.
func (a *Assumptions) Unguarded() bool { return a.Guards != nil && a.Guards.Broken() }

// Run runs a search whose machines use the assumptions. They are shared and change during the search: a step passes over an access to
// guarded memory; another worker finds that the memory is not guarded; the same step, executed again with its next decision, stops at
// that access and asks for fewer decisions than before. That is no fault of the search, whose result is useless anyway: it ends, if
// refuted then returns true. A step that does not repeat itself although no assumption was refuted is a panic.
func (a *Assumptions) Run(search func() explore.Result, refuted func() bool) (res explore.Result) {
	defer func() {
		if r := recover(); r != nil && !(explore.IsIrreproducible(r) && refuted()) {
			panic(r)
		}
	}()
	return search()
}

// Refuted reports whether an assumption was wrong.
func (a *Assumptions) Refuted() bool { return a.breached >= 0 || a.Unguarded() }

// Fault is the fault that a machine had; nil: none.
func (a *Assumptions) Fault() *vm.Fault { return a.fault }

// Withdraw drops the assumptions that the search has refuted, and reports whether there were any: then the search must start again. It
// also drops all if a thread ran on without a scheduling point, because it may have waited for a change of memory that was assumed to
// be frozen or guarded.
func (a *Assumptions) Withdraw() bool {
	switch {
	case a.Unguarded(): // Begin drops the refuted ones
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
