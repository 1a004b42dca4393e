// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"slices"

	"pangolin/history"
	"pangolin/internal/explore"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Other calls may see a call that waits. Acquire(1) of a semaphore that serves callers in the order in which they came waits behind Acquire(2), though one unit is free, so that
// Acquire(2) returns some day; and TryAcquire(1) is refused meanwhile. The oracle self executes one call at a time, so it would let both take the unit. With Operation.InTurn
// it is asked what a call c does that begins while another call, first, waits (oracle.TurnSpec).
//
// Three kinds of calls are not excused. c begins anew, where all calls have taken effect that did and first has just begun to wait: Get(b) whose wake-up Put(b) gave to
// Get(a) would find its item now, and is stuck. If c returns and has changed nothing, its result must say so: TryAcquire(1) = true without a unit is wrong. And Lock(b) does not wait its turn behind
// Lock(a).

// Turns tells which calls of an operation wait in turn, and which results are refusals.
type Turns struct {
	Alike    func(a, b history.Tuple) bool // calls with these arguments are served in one order
	Declines func(t history.Tuple) bool    // the call with this result has not done what it was to do
	// Uncancelled replaces contexts that are cancelled at any moment by such that nobody cancels. Until the moment comes, a call waits alike with both.
	Uncancelled func(args history.Tuple) history.Tuple
}

// Turns reports whether some operation has calls that others may meet while they wait.
func (o *self) Turns() bool {
	return slices.ContainsFunc(o.subject.Operations, func(op Operation) bool { return op.InTurn != nil })
}

// Behind executes first in each state of s until it waits for ever and no other goroutine can move, and then c. A result of c counts only if first would also wait behind c executed
// in s: that a Put waits for room is no reason to refuse TryTake(), which makes room.
func (o *self) Behind(s oracle.State, first, c oracle.Call) (results []history.Tuple, waits bool) {
	a := o.remembered(blockKey{state: s, call: c, first: first, turn: true}, func() (a blockAnswer) {
		_, rest := o.names(s)
		first := oracle.Call{Op: first.Op, Args: o.subject.Operations[first.Op].InTurn.Uncancelled(first.Args)}
		for _, state := range o.waits(first, members(rest)...) {
			o.meets(c, state, &a)
		}
		if turns := o.subject.Operations[c.Op].InTurn; first.Op != c.Op || !turns.Alike(first.Args, c.Args) { // they are not served in one order
			a.waits = false
		}
		if len(a.results) > 0 && !o.stays(s, first, c) {
			a.results = nil
		}
		return a
	})
	return a.results, a.waits
}

// stays reports whether first may wait in s, and in each state to which c leads from there.
func (o *self) stays(s oracle.State, first, c oracle.Call) bool {
	outcomes, err := o.Outcomes(s, c)
	return err == nil && o.MayBlock(s, first) && !slices.ContainsFunc(outcomes, func(next oracle.Outcome) bool { return !o.MayBlock(next.Next, first) })
}

// meets executes c by a thread of its own, while no other thread moves, in a saved state in which thread 0 waits. It adds to an answer that c waits, if thread 0 still does and nobody can go on, and the
// results with which c declines and leaves the saved state as it was. Ways that end the program, or cannot be executed, add nothing.
func (o *self) meets(c oracle.Call, state []uint64, a *blockAnswer) {
	op := &o.subject.Operations[c.Op]
	m := o.machine()
	defer o.release(m)
	m.Load(state)
	i := m.Spawn()
	before := save(m)
	m.SetNumber(i, op.Caller(c.Args))
	m.Call(i, op.Func, op.Words(nil, m.Root(0), c.Args))
	from := m.Save(nil)
	for ch := (&explore.Choices{}); ; {
		m.Load(from)
		m.RunAlone(i, ch)
		o.tell(m)
		switch {
		case m.Fault() != nil || m.Ended().Kind != vm.Running:
		case !m.Idle(i):
			a.waits = a.waits || !m.Idle(0) && nobodyMoves(m)
		case m.Panicked(i) == "" && !op.Objects: // objects would have to be named
			result := op.Tuple(m.Results(i))
			m.SetNumber(i, 0)
			if op.InTurn.Declines(result) && slices.Equal(save(m), before) && !slices.Contains(a.results, result) {
				a.results = append(a.results, result)
			}
		}
		if !ch.Next() {
			return
		}
	}
}
