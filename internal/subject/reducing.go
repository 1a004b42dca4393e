// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"errors"
	"slices"

	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Where goroutines go on beside operations, the oracle self explores their interleavings, and passes over accesses
// as the search does that it serves: to what is frozen or guarded, which its own machines check at every access. What it
// has answered on an assumption that turns out to be wrong may be incomplete, and has been used; so who has asked begins again.

// errWithdrawn is what the oracle self answers when one of its assumptions is wrong.
var errWithdrawn = errors.New("an assumption of the oracle self is withdrawn")

// Settled lets a search ask an oracle, again if the oracle self has to withdraw what it assumed: the last
// time that run is called nothing was withdrawn.
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

// unless runs what asks the oracle. A step of its that does not repeat itself, because something was refuted in the meantime
// (interleave.Assumptions.Run), ends that.
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

// renew forgets what was answered, and the machines that answered.
func (o *self) renew() error {
	o.broken.Store(false)
	o.mu.Lock()
	o.idle, o.failed = nil, nil
	clear(o.blocks)
	o.mu.Unlock()
	return o.begin()
}

// tell notes what a machine has found out about the assumptions. A fault is none of it, unless the machine
// may have run on because of them.
func (o *self) tell(m *vm.Machine) {
	if m.CountsAddresses() {
		o.counts.Store(true)
	}
	if a := o.assumed; a != nil && (a.Frozen != nil || a.Guards != nil) && a.Tell(m) {
		f := m.Fault()
		if f == nil || f.Kind == vm.FaultDiverges || f.Kind == vm.FaultLocal {
			o.broken.Store(true)
		}
	}
}

// withdrawn is the error of an answer that means nothing any more.
func (o *self) withdrawn() error {
	if o.broken.Load() {
		return errWithdrawn
	}
	return nil
}

// StartsGoroutines says that some of the code does, be it a timer's or one that cancels a context.
func (s *Subject) StartsGoroutines() bool {
	return slices.ContainsFunc(s.Prog.Funcs, func(f *ir.Func) bool {
		return slices.ContainsFunc(f.Code, func(in ir.Instr) bool { return in.Op == ir.OpGo })
	})
}
