package vm

import (
	"fmt"
	"slices"

	"pangolin/internal/ir"
)

// Threads is the number of threads, those that have nothing to execute included.
func (m *Machine) Threads() int { return len(m.threads) }

// Enabled says whether thread i has a step: it has something to execute and does
// not wait for another thread.
func (m *Machine) Enabled(i int) bool {
	t := m.threads[i]
	return m.end.Kind == Running && !t.idle() && m.mayGoOn(t)
}

func (m *Machine) mayGoOn(t *thread) bool {
	if t.phase == phaseSpinning {
		return true
	}
	switch t.instr().Op {
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
	if m.steps(m.threads[i], ch, 0); m.executed == 0 {
		m.steps(m.threads[i], ch, 1)
	}
}

// Settle executes what thread i does before its first visible access.
func (m *Machine) Settle(i int, ch Chooser) { m.steps(m.threads[i], ch, 0) }

func (m *Machine) steps(t *thread, ch Chooser, fuel int) {
	m.chooser, m.fuel, m.quota, m.executed = ch, fuel, m.limits.local, 0
	m.advance(t)
	for i := 0; i < len(m.woken) && m.fault == nil && m.end.Kind == Running; i++ {
		m.fuel, m.quota = 0, m.limits.local
		m.advance(m.woken[i])
	}
	m.woken = m.woken[:0]
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
	t := m.threads[i]
	m.chooser, m.fuel, m.quota = ch, plenty, instructions
	for m.quota > 0 && m.fault == nil && m.end.Kind == Running && !t.idle() {
		before := m.quota
		if m.exec(t); m.quota == before {
			break
		}
	}
	if m.fault != nil && m.fault.At == "" {
		m.locate(m.fault, t)
	}
	m.woken = m.woken[:0]
	done := instructions - m.quota
	m.dropEnded()
	return done
}

// advance runs a thread. If its quota is exhausted it either goes round and round a
// loop, which others may go on beside, or that is a fault.
func (m *Machine) advance(t *thread) {
	quota := m.quota
	if t.phase != phaseSpinning {
		m.follow(t)
	}
	m.executed += quota - m.quota
	m.ran = append(m.ran, Ran{m.places[slices.Index(m.threads, t)], quota - m.quota})
	if m.quota == 0 && m.fault == nil && m.end.Kind == Running {
		m.fail(FaultLocal, fmt.Sprintf("%d instructions were executed without a visible access; this may never end", quota))
	}
	if m.fault != nil && m.fault.At == "" {
		m.locate(m.fault, t)
	}
}

// follow executes a thread until it stops, spins, or has used up the quota. It looks
// for a repetition when the thread has been running for some time, and once more for
// a long one at the end.
func (m *Machine) follow(t *thread) {
	for _, watch := range []int{repeatSoon, repeatLate} {
		rest := max(0, m.quota-patience)
		if watch == repeatLate {
			rest = min(m.quota, repeatLate)
		}
		m.quota -= rest
		m.exec(t)
		if m.quota > 0 || m.fault != nil || m.end.Kind != Running || t.idle() {
			m.quota += rest
			return
		}
		m.quota = rest
		if m.spins(t, min(watch, m.quota)) {
			t.phase = phaseSpinning
			return
		}
	}
}

const (
	patience   = 100_000 // instructions before the first look for a repetition
	repeatSoon = 1 << 12 // instructions that are watched at the first look
	repeatLate = 1 << 20 // and at the last
	spinWords  = 1 << 26 // words of saved states that a look compares at most
)

// spins executes up to n instructions of a thread, and says whether the state repeats
// without a visible access: then nothing will ever change.
func (m *Machine) spins(t *thread, n int) bool {
	before := m.Save(nil)
	var now []uint64
	top, depth, rest := *t.top(), len(t.frames), m.quota-n
	defer func() { m.quota += rest }()
	m.quota = n
	for budget := spinWords; m.quota > 0; {
		left := m.quota - 1
		m.quota = 1
		m.exec(t)
		stopped := m.quota > 0
		m.quota += left
		if stopped || m.fault != nil || m.end.Kind != Running || t.idle() {
			return false
		}
		if len(t.frames) != depth || *t.top() != top || budget < 0 {
			continue
		}
		now = m.Save(now[:0])
		if slices.Equal(before, now) {
			return true
		}
		budget -= len(now)
	}
	return false
}

// dropEnded removes the threads that have ended, but for those that stay.
func (m *Machine) dropEnded() {
	if m.forLife {
		m.vacate()
		return
	}
	n := 0
	for i, t := range m.threads {
		if t.idle() && !t.keep {
			m.spare = append(m.spare, t)
			continue
		}
		m.threads[n], m.places[n] = t, m.places[i]
		n++
	}
	m.threads, m.places = m.threads[:n], m.places[:n]
}

// choose puts a decision between n alternatives to the chooser.
func (m *Machine) choose(n int) int {
	if n == 1 || m.chooser == nil {
		return 0
	}
	m.decisions++
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
			places[i] = m.places[slices.Index(m.threads, p.t)]
		}
		m.meetings = append(m.meetings, Meeting{m.decisions, places})
	}
	k := m.choose(len(list))
	for i, p := range list {
		m.chance(p.t, p.c.index, i == k)
	}
	return k
}

// Spins says whether the only thread that can go on would never do anything else: it
// goes round a loop and the state repeats.
func (m *Machine) Spins() bool {
	runs := -1
	for i := range m.threads {
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
	m.chooser, m.fuel, m.quota = nil, plenty, repeatLate
	t := m.threads[runs]
	if !m.spins(t, repeatLate) {
		return false
	}
	m.fail(FaultDiverges, "the program never ends: this loops for ever, and nothing else can happen")
	m.locate(m.fault, t)
	return true
}

// DeadlockText is the fatal error with which the runtime ends a program that is
// deadlocked.
func (m *Machine) DeadlockText() string {
	for _, t := range m.threads {
		if !t.idle() {
			return "fatal error: all goroutines are asleep - deadlock!"
		}
	}
	return "fatal error: no goroutines (main called runtime.Goexit) - deadlock!"
}

// Deadlocked says that the program has not ended and no thread can go on.
func (m *Machine) Deadlocked() bool {
	if m.end.Kind != Running || m.fault != nil {
		return false
	}
	for i := range m.threads {
		if m.Enabled(i) {
			return false
		}
	}
	return true
}
