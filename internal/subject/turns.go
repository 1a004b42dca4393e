// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"slices"

	"pangolin/history"
	"pangolin/internal/explore"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// A call that waits may be seen by others. Acquire(1) of a semaphore that serves who came first waits behind Acquire(2), though there is room for one, so that
// who wants much is not passed over for ever; and TryAcquire(1) is refused meanwhile. The oracle self executes one call at a time, so it would let both return at once. With Operation.InTurn
// it is asked what a call does that begins while another one waits, which has begun alone (oracle.TurnSpec).
//
// Nothing else is excused by that. The call begins anew, in a state in which all calls have taken effect that did, and the other one has just begun to
// wait. A call that returns and changes nothing must say that it has not done what it was to do: TryAcquire(1) = true without a unit is wrong. And who waits for one key does not keep
// others from another one. One that was there first and was not woken, Get(b) beside Get(a) of which Put(b) has woken the wrong one, finds its item there and returns.

// Turns says what calls of an operation do where others wait.
type Turns struct {
	Alike    func(a, b history.Tuple) bool // calls with these arguments are served in one order
	Declines func(t history.Tuple) bool    // the call with this result has not done what it was to do
	// Uncancelled are the arguments with which a call waits, if nobody ends its wait, as it does with these until its context is cancelled.
	Uncancelled func(args history.Tuple) history.Tuple
}

// Turns reports whether some operation has calls that others may meet while they wait.
func (o *self) Turns() bool {
	return slices.ContainsFunc(o.subject.Operations, func(op Operation) bool { return op.InTurn != nil })
}

// Behind executes first in each state of s until it waits for ever and whoever else could move has, and then c. A result of c counts only if c, executed in s without first, would let nobody
// go on who is first: TryTake() of a full buffer is not to be refused because a Put waits for room.
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

// meets executes a call of another thread in a saved state in which thread 0 waits, and adds to an answer how it ends: that it waits, as thread 0 still does, and nobody can go on, or the results with which it declines,
// having left everything as it was, thread 0 included.
func (o *self) meets(c oracle.Call, state []uint64, a *blockAnswer) {
	op := &o.subject.Operations[c.Op]
	m := o.machine()
	defer o.release(m)
	m.Load(state)
	i := m.Spawn()
	before := save(m)
	o.makes(m, i, c, func() {
		switch {
		case !m.Idle(i):
			a.waits = a.waits || !m.Idle(0) && nobodyMoves(m)
		case m.Panicked(i) == "" && !op.Objects: // objects would have to be named
			result := op.Tuple(m.Results(i))
			m.SetNumber(i, 0)
			if op.InTurn.Declines(result) && slices.Equal(save(m), before) && !slices.Contains(a.results, result) {
				a.results = append(a.results, result)
			}
		}
	})
}

// makes executes a call by thread i of a machine, which is idle, while nobody else moves, until it is idle again or cannot go on; then it calls stopped, for each way in which that comes about.
// Ways that end the program, or cannot be executed, are left out.
func (o *self) makes(m *vm.Machine, i int, c oracle.Call, stopped func()) {
	op := &o.subject.Operations[c.Op]
	m.SetNumber(i, op.Caller(c.Args))
	m.Call(i, op.Func, op.Words(nil, m.Root(0), c.Args))
	from := m.Save(nil)
	for ch := (&explore.Choices{}); ; {
		m.Load(from)
		m.RunAlone(i, ch)
		o.tell(m)
		if m.Fault() == nil && m.Ended().Kind == vm.Running {
			stopped()
		}
		if !ch.Next() {
			return
		}
	}
}

// nobodyMoves reports whether no thread of the machine can go on.
func nobodyMoves(m *vm.Machine) bool {
	for i := range m.Threads() {
		if m.Enabled(i) {
			return false
		}
	}
	return true
}
