// SPDX-License-Identifier: BSD-3-Clause

package refine

import (
	"pangolin/internal/explore"
)

// calling is the part of a state that tells what each thread is doing, whatever executes its operation. Its moves are invocations and
// responses.
type calling struct {
	sys     *system
	threads []thread
	label   label
}

// phase is the position of a thread relative to its operation.
type phase uint64

const (
	idle     phase = iota
	busy           // in an operation
	returned       // after the operation and before its response
)

// thread is the part of a state about one thread.
type thread struct {
	phase phase
	calls int // number of calls so far; 0 where there are any number of calls, which nothing counts
	step  int // number of the last call, unless idle
	value int // the number of its result, once it has returned
}

func (t thread) word() uint64 {
	return uint64(t.phase) | uint64(t.calls)<<2 | uint64(t.step)<<16 | uint64(t.value)<<32
}

func threadOf(w uint64) thread {
	return thread{phase(w & 3), int(w >> 2 & 0x3fff), int(w >> 16 & 0xffff), int(w >> 32)}
}

// Label is the visible part of the last step.
func (c *calling) Label() uint64 { return uint64(c.label) }

// moves appends the moves of a thread: its possible calls, a step, or its response.
func (c *calling) moves(dst []explore.Move, i int) []explore.Move {
	switch {
	case c.threads[i].phase != idle:
		dst = append(dst, explore.MoveOf(i))
	case c.mayCall(i):
		may := c.sys.may[i]
		for _, k := range may[min(c.threads[i].calls, len(may)-1)] {
			dst = append(dst, explore.MoveWith(i, k+1))
		}
	}
	return dst
}

// mayCall reports whether the client lets a thread make another call.
func (c *calling) mayCall(i int) bool {
	if c.sys.client.Endless {
		return true
	}
	if c.sys.client.Calls > 0 {
		return c.threads[i].calls < c.sys.client.Calls
	}
	all := 0
	for _, t := range c.threads {
		all += t.calls
	}
	return all < c.sys.client.Steps
}

// see executes an invocation or a response; it returns false for another move.
func (c *calling) see(mv explore.Move) bool {
	i, k := mv.Agent(), mv.More()-1
	c.label = internal
	switch {
	case k >= 0:
		calls := c.threads[i].calls
		if !c.sys.client.Endless {
			calls++
		}
		c.threads[i] = thread{phase: busy, calls: calls, step: k}
		c.label = labelOf(invocation, i, c.threads[i])
	case i < len(c.threads) && c.threads[i].phase == returned:
		c.label = labelOf(response, i, c.threads[i])
		c.threads[i] = thread{calls: c.threads[i].calls}
	}
	return c.label != internal
}

// save appends a word for each thread.
func (c *calling) save(dst []uint64) []uint64 {
	for _, t := range c.threads {
		dst = append(dst, t.word())
	}
	return dst
}

// load reads what save has written, and returns the rest of the state.
func (c *calling) load(state []uint64) []uint64 {
	for i := range c.threads {
		c.threads[i] = threadOf(state[i])
	}
	return state[len(c.threads):]
}
