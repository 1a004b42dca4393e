// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"pangolin/internal/vm/state"
)

// A machine that follows one execution (Run) lets each thread execute for a while
// in turn. A thread that waits for a partner on a channel is not looked at again
// until one comes, so that programs with thousands of goroutines run well.

// lounge is where threads wait that are parked: by channel end, in
// order of arrival. It is used only where tracking is off; entries of threads that
// have left are dropped when they are met.
type lounge struct {
	waiting map[uint64][]guest
	tickets uint64
}

// guest is a thread in the lounge; it has left if its ticket is another one.
type guest struct {
	t      *state.Thread
	ticket uint64
}

// park makes a thread wait for a partner.
func (m *Machine) park(t *state.Thread, list []comm) {
	t.Phase = state.PhaseParked
	if m.Tracking {
		return
	}
	l := &m.lounge
	if l.waiting == nil {
		l.waiting = map[uint64][]guest{}
	}
	l.tickets++
	t.Ticket, t.Asleep = l.tickets, true
	for _, c := range list {
		if c.ch == 0 {
			continue
		}
		l.waiting[end(c.ch, c.send)] = append(l.waiting[end(c.ch, c.send)], guest{t, l.tickets})
	}
}

// end is one end of a channel as a key of the lounge: that of the senders or that of the
// receivers. A channel's address has no offset.
func end(ch uint64, send bool) uint64 {
	if send {
		return ch | 1
	}
	return ch
}

// parked lists threads that may be parked at a channel.
func (m *Machine) parked(ch uint64, send bool) []*state.Thread {
	m.Peered = true
	if m.Tracking {
		return m.Thread
	}
	key := end(ch, send)
	list := m.lounge.waiting[key]
	present := list[:0]
	threads := make([]*state.Thread, 0, len(list))
	for _, g := range list {
		if g.t.Phase == state.PhaseParked && g.t.Ticket == g.ticket {
			present = append(present, g)
			threads = append(threads, g.t)
		}
	}
	if len(present) == 0 {
		delete(m.lounge.waiting, key)
	} else {
		clear(list[len(present):])
		m.lounge.waiting[key] = present
	}
	return threads
}

// awaken makes the machine look again at the threads that wait at a channel.
func (m *Machine) awaken(ch uint64) {
	if !m.Tracking {
		for _, t := range append(m.parked(ch, true), m.parked(ch, false)...) {
			t.Asleep = false
		}
	}
}

// Run follows one execution to its end: each thread in turn for a while. It
// returns false if a limit on the instructions is reached first.
func (m *Machine) Run(ch Chooser, instructions int) bool {
	m.Tracking = false
	for done := 0; done < instructions; {
		n := m.round(ch)
		done += n
		if m.End.Kind != Running || m.Failure != nil {
			return true
		}
		if n == 0 { // nobody can go on
			return true
		}
	}
	return false
}

const (
	// turn is how many instructions a thread executes before the next one's turn.
	turn = 20_000
	// errands is how many turns in a round may go to threads that were woken in it.
	errands = 64
)

// round gives each thread a turn, and at once some of those that it woke, and
// returns the number of instructions executed.
func (m *Machine) round(ch Chooser) int {
	total := 0
	for i := 0; i < len(m.Thread) && m.End.Kind == Running && m.Failure == nil; i++ {
		m.woken = m.woken[:0]
		total += m.turn(m.Thread[i], ch)
		for k := 0; k < len(m.woken) && k < errands && m.End.Kind == Running && m.Failure == nil; k++ {
			total += m.turn(m.woken[k], ch)
		}
	}
	m.woken = m.woken[:0]
	if m.End.Kind == Running && m.Failure == nil {
		m.dropEnded()
	}
	return total
}

// turn lets a thread execute for a while, if it can go on.
func (m *Machine) turn(t *state.Thread, ch Chooser) int {
	if t.Idle() || t.Phase == state.PhaseParked && t.Asleep || !m.mayGoOn(t) || !m.inTime(t) {
		return 0
	}
	m.chooser, m.fuel, m.quota = ch, plenty, turn
	m.exec(t)
	if m.Failure != nil {
		m.Locate(m.Failure, t)
	}
	return turn - m.quota + 1
}
