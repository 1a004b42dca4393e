// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// One step of a thread, as the search knows it: the visible access at which the thread
// stands, and everything behind it up to the next one. So between two steps every thread
// stands at an access that others may notice, blocks, or has ended, and the interleavings
// of these accesses are all there are.
//
// A step is a function of the state and of the decisions that it asks its Chooser for. The
// search relies on it: it executes a step again with other decisions, and long afterwards
// once more for a witness.

// Threads is the number of threads, those that have nothing to execute included.
func (m *Machine) Threads() int { return len(m.Thread) }

// Enabled says whether thread i has a step: it has something to execute and does
// not wait for another thread.
func (m *Machine) Enabled(i int) bool {
	t := m.Thread[i]
	return m.End.Kind == Running && !t.Idle() && m.mayGoOn(t) && m.inTime(t)
}

func (m *Machine) mayGoOn(t *state.Thread) bool {
	if t.Phase == state.PhaseSpinning {
		return true
	}
	switch t.Instr().Op {
	case ir.OpSend, ir.OpRecv, ir.OpSelect:
		return m.mayCommunicate(t)
	case ir.OpCall:
		c := m.builtinAt(t)
		if c == nil {
			return true
		}
		return c.b == nil || c.b.enabled == nil || c.args[0] == 0 || c.b.enabled(c)
	}
	return true
}

// Step executes the visible access that thread i stands at and everything local
// up to its next one. A decision that Go leaves open is put to ch.
//
// What the thread stands at may have become local since: the other threads have lost
// the memory. Then the step goes as far as the next visible access only, for a race
// is seen where threads stand.
func (m *Machine) Step(i int, ch Chooser) {
	if m.hunt != nil {
		m.hunted(m.Thread[i], ch)
	}
	if m.steps(m.Thread[i], ch, 0); m.executed == 0 {
		m.steps(m.Thread[i], ch, 1)
	}
}

// Settle executes what thread i does before its first visible access.
func (m *Machine) Settle(i int, ch Chooser) { m.steps(m.Thread[i], ch, 0) }

func (m *Machine) steps(t *state.Thread, ch Chooser, fuel int) {
	m.chooser, m.fuel, m.quota, m.executed, m.Passed, m.Acquired, m.Undecided = ch, fuel, m.local, 0, true, false, false
	m.alike, m.lastBelow.times, m.combinations, m.Took = 0, 0, 1, m.Took[:0]
	m.advance(t)
	for i := 0; i < len(m.woken) && m.Failure == nil && m.End.Kind == Running && !m.decidedEnough(); i++ {
		m.fuel, m.quota, m.Passed, m.Acquired = 0, m.local, true, false
		m.advance(m.woken[i])
	}
	m.woken, m.combinations = m.woken[:0], 0
	m.dropEnded()
}

// Ran says how many instructions a thread has executed.
type Ran struct{ Thread, Instructions int }

// Ran lists, in order, what the threads have executed since the state was loaded.
// Threads have the places they had then; those that were created since follow.
func (m *Machine) Ran() []Ran { return m.ran }

// RunExactly lets thread i execute so many instructions, whatever they touch, and
// nobody else. It returns how many it executed: fewer if it had to wait.
func (m *Machine) RunExactly(i, instructions int, ch Chooser) int {
	t := m.Thread[i]
	m.chooser, m.fuel, m.quota = ch, plenty, instructions
	for m.quota > 0 && m.Failure == nil && m.End.Kind == Running && !t.Idle() {
		before := m.quota
		if m.exactly(t); m.quota == before {
			break
		}
	}
	if m.Failure != nil && m.Failure.At == "" {
		m.Locate(m.Failure, t)
	}
	m.woken = m.woken[:0]
	done := instructions - m.quota
	m.dropEnded()
	return done
}

// advance runs a thread. If its quota is exhausted it either goes round and round a
// loop, which others may go on beside, or that is a fault.
func (m *Machine) advance(t *state.Thread) {
	quota := m.quota
	if t.Phase != state.PhaseSpinning {
		m.follow(t)
	}
	m.executed += quota - m.quota
	if m.meter != nil {
		m.meter.step(quota - m.quota)
	}
	m.ran = append(m.ran, Ran{m.Places[slices.Index(m.Thread, t)], quota - m.quota})
	if m.quota == 0 && m.Failure == nil && m.End.Kind == Running {
		m.Fail(FaultLocal, fmt.Sprintf("%d instructions were executed without a visible access%s; this may never end", quota, m.looping(t)))
	}
	if m.Failure != nil && m.Failure.At == "" {
		m.Locate(m.Failure, t)
	}
}

// looping says which loops a thread goes round, for messages.
func (m *Machine) looping(t *state.Thread) string {
	switch at := m.Loops(t); len(at) {
	case 0:
		return ""
	case 1:
		return ", the last of them in the loop around " + at[0]
	default:
		return ", the last of them in the loops around " + strings.Join(at[:min(len(at), maxLoops)], ", ")
	}
}

// maxLoops bounds the loops that a message names.
const maxLoops = 4

// dropEnded removes the threads that have ended, but for those that stay.
func (m *Machine) dropEnded() {
	if m.ForLife {
		m.Vacate()
		return
	}
	n := 0
	for i, t := range m.Thread {
		if t.Idle() && !t.Keep {
			m.Spare = append(m.Spare, t)
			continue
		}
		m.Thread[n], m.Places[n] = t, m.Places[i]
		n++
	}
	m.Thread, m.Places = m.Thread[:n], m.Places[:n]
}

// choose puts a decision between n alternatives to the chooser.
func (m *Machine) choose(n int) int {
	if n == 1 {
		return 0
	}
	m.decisions++
	m.combinations = min(m.combinations*n, mostCombinations)
	if m.chooser == nil {
		return 0
	}
	return m.chooser.Choose(n)
}

// Meeting is a decision about which of several threads that wait for a partner is served. It
// refers to the order of the threads, which another machine may keep in another way.
type Meeting struct {
	Decision int   // index among the decisions made since the state was loaded
	Places   []int // of the threads to choose from, in the order of the alternatives
}

// Meetings lists the decisions about partners that were made since the state was loaded.
func (m *Machine) Meetings() []Meeting { return m.meetings }

func (m *Machine) choosePartner(list []partner) int {
	if len(list) > 1 && m.chooser != nil {
		places := make([]int, len(list))
		for i, p := range list {
			places[i] = m.Places[slices.Index(m.Thread, p.t)]
		}
		m.meetings = append(m.meetings, Meeting{m.decisions, places})
	}
	k := m.choose(len(list))
	for i, p := range list {
		m.chance(p.t, p.c.index, i == k)
	}
	return k
}

// DeadlockText is the fatal error with which the runtime ends a program that is
// deadlocked.
func (m *Machine) DeadlockText() string {
	for _, t := range m.Thread {
		if !t.Idle() {
			return "fatal error: all goroutines are asleep - deadlock!"
		}
	}
	return "fatal error: no goroutines (main called runtime.Goexit) - deadlock!"
}

// Deadlocked says that the program has not ended and no thread can go on.
func (m *Machine) Deadlocked() bool {
	if m.End.Kind != Running || m.Failure != nil {
		return false
	}
	for i := range m.Thread {
		if m.Enabled(i) {
			return false
		}
	}
	return true
}
