// SPDX-License-Identifier: BSD-3-Clause

package bounded

import "pangolin/internal/explore"

// move is a move of the system: the thread that moves, and the call that it makes, if any.
type move explore.Move

// goOn is the move of a thread that takes a step without a call.
func goOn(thread int) explore.Move { return explore.MoveOf(thread) }

// invocation is the move of an idle thread that makes a call, by the plan's number.
func invocation(thread, call int) explore.Move { return explore.MoveWith(thread, call+1) }

// call is the plan's number of the call that the move makes; false if it makes none.
func (m move) call() (number int, ok bool) {
	more := explore.Move(m).More()
	return more - 1, more > 0
}

// invokes reports whether a move makes a call.
func invokes(m explore.Move) bool {
	_, ok := move(m).call()
	return ok
}

// anyInvocation is a move that makes a call, for recordings, which list their calls separately.
func anyInvocation() explore.Move { return invocation(0, 0) }

// countSwitch counts a preemption if another thread could have gone on.
func (c *cursor) countSwitch(i int) {
	if c.sys.opt.preempt < 0 {
		return
	}
	if c.last >= 0 && c.last != i && c.last < c.place.Threads() && c.place.Enabled(c.last) {
		c.switches++
	}
	c.last = i
}
