// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"errors"
	"slices"
	"strings"

	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// If goroutines run beside operations, the oracle self explores their interleavings with the reductions of the search: it does not stop
// at accesses to memory that is assumed to be frozen or guarded. Its machines check the assumptions at every access. If one is wrong,
// earlier answers may be incomplete and have been used, so the search that asked starts again.

// errWithdrawn is the answer of the oracle self after one of its assumptions was refuted.
var errWithdrawn = errors.New("an assumption of the oracle self is withdrawn")

// Settled calls run, which asks the oracle, and calls it again whenever the oracle self had to withdraw an assumption. Nothing was
// withdrawn during the last call.
func Settled(spec oracle.Spec, run func() error) error {
	o, ok := spec.(*self)
	if !ok {
		return run()
	}
	o.assumed = interleave.NewAssumptions(o.img, vm.AllReductions)
	defer func() {
		o.assumed = nil
		_ = o.renew() // as it was made at first
	}()
	for {
		o.assumed.Begin()
		if err := o.renew(); err != nil && !o.broken.Load() {
			return err
		}
		if !o.broken.Load() {
			if err := o.unless(run); !o.broken.Load() {
				return err
			}
		}
		if !o.assumed.Withdraw() {
			o.assumed.Frozen, o.assumed.Guards = nil, nil
		}
	}
}

// unless calls run. If a step of the search did not repeat itself because an assumption was refuted in between
// (interleave.Assumptions.Run), the panic ends run and marks the answers as broken.
func (o *self) unless(run func() error) (err error) {
	defer func() {
		switch r := recover(); {
		case r == nil:
		case explore.IsIrreproducible(r) && (o.broken.Load() || o.assumed.Refuted()):
			o.broken.Store(true)
		default:
			panic(r)
		}
	}()
	return run()
}

// renew drops all answers and machines, and executes the constructor again.
func (o *self) renew() error {
	o.broken.Store(false)
	o.mu.Lock()
	o.idle, o.failed = nil, nil
	clear(o.blocks)
	clear(o.hoped)
	o.mu.Unlock()
	return o.begin()
}

// tell records what a machine has found out about the assumptions. The answers are broken if one is refuted, unless the machine has a
// fault that is not a consequence of it.
func (o *self) tell(m *vm.Machine) {
	if m.CountsAddresses() {
		o.known.counts.Store(true)
	}
	if a := o.assumed; a != nil && (a.Frozen != nil || a.Guards != nil) && a.Tell(m) {
		f := m.Fault()
		if f == nil || f.Kind == vm.FaultDiverges || f.Kind == vm.FaultLocal {
			o.broken.Store(true)
		}
	}
}

// withdrawn returns errWithdrawn if the answers so far mean nothing.
func (o *self) withdrawn() error {
	if o.broken.Load() {
		return errWithdrawn
	}
	return nil
}

// ReadsClock reports whether the code reads the clock, and the clock may go on there.
func (s *Subject) ReadsClock() bool { return slices.Contains(s.Assumptions, ClockJumps) }

// StartsGoroutines reports whether any code of the program starts a goroutine, timers and cancelled contexts included.
func (s *Subject) StartsGoroutines() bool {
	return slices.ContainsFunc(s.Prog.Funcs, func(f *ir.Func) bool {
		return slices.ContainsFunc(f.Code, func(in ir.Instr) bool { return in.Op == ir.OpGo })
	})
}

// StartsIn reports whether a call of an operation may start a goroutine of the collection's, as far as ir.Program.Reach can tell.
func (s *Subject) StartsIn(operation int) (yes bool) {
	f := s.Operations[operation].Func
	if f == nil {
		return false
	}
	s.Prog.Reach([]*ir.Func{f}, func(f *ir.Func) { yes = yes || startsIn(f) })
	return yes
}

// Synchronizes says that the constructor or an operation may execute something by which goroutines meet: an atomic access, a channel, a
// function of package sync, or a goroutine of its own. It says so of code that is reached through the type alone as far as
// ir.Program.Reach can tell; initialisers of packages do not count.
func (s *Subject) Synchronizes() (yes bool) {
	s.Prog.Reach(s.Prog.Roots, func(f *ir.Func) {
		yes = yes || f.External && synchronizing(f.Name) || slices.ContainsFunc(f.Code, func(in ir.Instr) bool {
			return in.Op >= ir.OpAtomicLoad && in.Op <= ir.OpAtomicOr || in.Op >= ir.OpMakeChan && in.Op <= ir.OpSelect || in.Op == ir.OpGo
		})
	})
	return yes
}

// synchronizing says that a function without code is one by which goroutines may meet. Of this module's own functions for the machine
// (package prelude) each may be.
func synchronizing(name string) bool {
	name = strings.TrimLeft(name, "(*")
	for _, prefix := range []string{"sync.", "sync/", "internal/sync.", "time.", "runtime.", "pangolin/prelude."} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
