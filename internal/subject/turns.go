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
}

// Turns reports whether some operation has calls that others may meet while they wait.
func (o *self) Turns() bool {
	return slices.ContainsFunc(o.subject.Operations, func(op Operation) bool { return op.InTurn != nil })
}

// Behind executes first in each state of s until it waits, and then c, while nobody else moves. Where c is to wait for ever, first waits for ever, too, and whoever else could move has.
func (o *self) Behind(s oracle.State, first, c oracle.Call) (results []history.Tuple, waits bool) {
	a := o.remembered(blockKey{state: s, call: c, first: first, turn: true}, func() (a blockAnswer) {
		m := o.machine()
		defer o.release(m)
		_, rest := o.names(s)
		for _, member := range members(rest) {
			m.Load(asWords(member))
			o.makes(m, 0, first, func() {
				if !m.Idle(0) && !m.Enabled(0) {
					o.meets(c, m.Save(nil), &a)
				}
			})
		}
		a.waits = false
		if turns := o.subject.Operations[c.Op].InTurn; first.Op == c.Op && turns.Alike(first.Args, c.Args) { // others are not served in one order with it
			for _, state := range o.waits(first, members(rest)...) {
				o.meets(c, state, &a)
			}
		}
		return a
	})
	return a.results, a.waits
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
