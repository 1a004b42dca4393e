// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"

	"pangolin/internal/vm/state"
)

// A step that goes round a loop: who comes back to the state in which he was, without a visible access and without a decision, will never do
// anything else. Who decides in each round may leave it in any of them.

// follow executes a thread until it stops, spins, or has used up the quota. It looks
// for a repetition again and again, each time for a longer one: a body that goes round a few loads,
// for the queue is full, shows soon, and most local computations are over before that.
func (m *Machine) follow(t *state.Thread) {
	done := 0
	for _, look := range looks {
		part := min(m.quota, look.after-done)
		if look.after == atTheEnd {
			part = max(0, m.quota-look.watch)
		}
		rest := m.quota - part
		m.quota = part
		m.exec(t)
		if m.quota > 0 || m.Undecided || m.Failure != nil || m.End.Kind != Running || t.Idle() {
			m.quota += rest
			return
		}
		m.quota = rest
		if m.Numbers && m.Misnumbered || m.Items && m.Inspected {
			m.quota = 0 // a loop up to what stands for a number or an item would take as long as it may, for nothing
			return
		}
		switch repeats, decided := m.spins(t, min(look.watch, m.quota)); {
		case m.Undecided:
			return
		case repeats && decided: // the next round may be the last one
			m.Undecided = true
			return
		case repeats:
			t.Phase = state.PhaseSpinning
			return
		}
		done = look.after + look.watch
	}
}

// decidedEnough says that the running step ends behind the instruction that has just been executed, as a step may anywhere but in an
// atomic one: its decisions have so many combinations already. It is executed once for each of them, and what a loop decides in each
// round,
//
//	for range 20 {
//		a, b := append(s, 1), append(s, 2) // room behind s, or none
//		n += a[0] + b[0]
//	}
//
// would have a million. The state in which the step ends is the same behind most combinations (nothing leads to a and b any more),
// and what follows is executed once for each such state.
func (m *Machine) decidedEnough() bool {
	if m.combinations < mostCombinations || m.region || m.Ghost {
		return false
	}
	m.Undecided = true
	return true
}

// mostCombinations is the number of combinations of its decisions behind which a step ends: eight decisions between two answers.
const mostCombinations = 1 << 8

// looks are those for a repetition: behind so many instructions, at so many of the next.
var looks = []struct{ after, watch int }{{FirstLook, 1 << 8}, {100_000, 1 << 12}, {atTheEnd, LongestRound}}

const (
	FirstLook    = 1 << 10   // instructions before the first
	LongestRound = 1 << 20   // instructions that are watched at the end of the quota
	atTheEnd     = 1<<63 - 1 // at the end of the quota
	spinWords    = 1 << 26   // words of saved states that a look compares at most
)

// spins executes up to n instructions of a thread, and says whether the state repeats
// without a visible access: then nothing will ever change, unless something has been decided, and may be decided otherwise.
func (m *Machine) spins(t *state.Thread, n int) (repeats, decided bool) {
	before, decisions := m.Save(nil), m.decisions
	var now []uint64
	top, depth, rest := *t.Top(), len(t.Frames), m.quota-n
	defer func() { m.quota += rest }()
	m.quota = n
	for budget := spinWords; m.quota > 0; {
		left := m.quota - 1
		m.quota = 1
		m.exec(t)
		stopped := m.quota > 0 || m.Undecided
		m.quota += left
		if stopped || m.Failure != nil || m.End.Kind != Running || t.Idle() {
			return false, false
		}
		if len(t.Frames) != depth || *t.Top() != top || budget < 0 {
			continue
		}
		now = m.Save(now[:0])
		if slices.Equal(before, now) {
			return true, m.decisions > decisions
		}
		budget -= len(now)
	}
	return false, false
}

// Spins says whether the only thread that can go on would never do anything else: it
// goes round a loop and the state repeats.
func (m *Machine) Spins() bool {
	runs := -1
	for i := range m.Thread {
		if m.Enabled(i) {
			if runs >= 0 {
				return false
			}
			runs = i
		}
	}
	if runs < 0 {
		return false
	}
	m.chooser, m.fuel, m.quota = nil, plenty, LongestRound
	t := m.Thread[runs]
	if repeats, decided := m.spins(t, LongestRound); !repeats || decided {
		return false
	}
	m.Fail(FaultDiverges, "the program never ends: this loops for ever, and nothing else can happen")
	m.Locate(m.Failure, t)
	return true
}
