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
	switch t.instr().Op {
	case ir.OpSend, ir.OpRecv, ir.OpSelect:
		return m.mayCommunicate(t)
	case ir.OpCall:
		c := m.builtinAt(t)
		if c == nil {
			return true
		}
		b := builtins[c.fn.Name]
		return b == nil || b.enabled == nil || c.args[0] == 0 || b.enabled(c)
	}
	return true
}

// Step executes the visible access that thread i stands at and everything local
// up to its next one. A decision that Go leaves open is put to ch.
func (m *Machine) Step(i int, ch Chooser) { m.steps(m.threads[i], ch, 1) }

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

// advance runs a thread and turns an exhausted quota into a fault.
func (m *Machine) advance(t *thread) {
	quota := m.quota
	m.exec(t)
	m.executed += quota - m.quota
	m.ran = append(m.ran, Ran{m.places[slices.Index(m.threads, t)], quota - m.quota})
	if m.quota == 0 && m.fault == nil && m.end.Kind == Running {
		m.tooLong(t)
	}
	if m.fault != nil && m.fault.At == "" {
		m.locate(m.fault, t)
	}
}

// dropEnded removes the threads that have ended, but for those that stay.
func (m *Machine) dropEnded() {
	n := 0
	for i, t := range m.threads {
		if t.idle() && !t.keep {
			m.spare = append(m.spare, t)
			continue
		}
		m.threads[n] = m.threads[i]
		n++
	}
	m.threads, m.places = m.threads[:n], m.places[:n]
}

// choose puts a decision between n alternatives to the chooser.
func (m *Machine) choose(n int) int {
	if n == 1 || m.chooser == nil {
		return 0
	}
	return m.chooser.Choose(n)
}

// repeatWindow is how many instructions are watched for a repetition.
const repeatWindow = 4096

// tooLong is called when a thread has executed too many instructions without a
// visible access: it finds out whether it would go on for ever.
func (m *Machine) tooLong(t *thread) {
	top := *t.top()
	depth := len(t.frames)
	before := m.Save(nil)
	for range repeatWindow {
		m.quota = 1
		m.exec(t)
		if m.fault != nil || m.quota != 0 || t.idle() {
			break
		}
		if len(t.frames) == depth && *t.top() == top && slices.Equal(before, m.Save(nil)) {
			m.fail(FaultDiverges, "this loops for ever: its state repeats without a visible access")
			return
		}
	}
	m.fail(FaultLocal, fmt.Sprintf("%d instructions were executed without a visible access; this may never end", m.limits.local))
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
