package vm

import "fmt"

// Piece is what a step made one thread execute. The pieces of a step, executed one
// after the other with the step's decisions, have its effect on a machine without
// any reduction as well.
type Piece struct {
	Thread       int // as threads are numbered before those that have ended are dropped
	Instructions int
}

// Pieces lists what the last step, or Settle, executed; Options.Pieces asks for it.
// It is valid until the next step.
func (m *Machine) Pieces() []Piece { return m.pieces }

// notePiece records what a thread has executed since it was in the given phase.
func (m *Machine) notePiece(t *thread, instructions int, before phase) {
	n := instructions
	if m.stoppedInside(t, n, before) {
		n++
	}
	for i, u := range m.threads {
		if u == t {
			m.pieces = append(m.pieces, Piece{i, n})
		}
	}
}

// stoppedInside says whether the instruction at which a thread stopped, after n
// others, had an effect all the same: it ended the thread or the program, or began
// to wait.
func (m *Machine) stoppedInside(t *thread, n int, before phase) bool {
	return t.idle() || m.end.Kind != Running || t.phase != phaseNone && (t.phase != before || n > 0)
}

// Execute makes thread i execute exactly so many instructions, whatever they touch.
// Threads that they let go on, or start, stay where they are. It returns an error
// if the thread stops before.
func (m *Machine) Execute(i, instructions int, ch Chooser) error {
	if i >= len(m.threads) || m.threads[i].idle() && instructions > 0 {
		return fmt.Errorf("there is no thread %d that could execute anything", i)
	}
	if instructions == 0 {
		return nil
	}
	t := m.threads[i]
	before := t.phase
	m.chooser, m.fuel, m.quota = ch, plenty, instructions
	m.exec(t)
	m.woken = m.woken[:0]
	done := instructions - m.quota
	if m.fault != nil {
		m.locate(m.fault, t)
		return m.fault
	}
	if m.quota > 0 && m.stoppedInside(t, done, before) {
		done++
	}
	if done != instructions {
		return fmt.Errorf("thread %d stops after %d instead of %d instructions, at %s", i, done, instructions, m.At(i))
	}
	return nil
}

// Settled drops the threads that have ended, as every step does at its end, and
// brings what has no order, such as the entries of a map, into the order of saved
// states.
func (m *Machine) Settled() {
	m.dropEnded()
	m.enc.sorting = m.Save(m.enc.sorting[:0])
}

// Arrange renames the threads: what stands at place perm[i] moves to place i. Saved
// states hold threads in such an order, see Permutation.
func (m *Machine) Arrange(perm []int) {
	old := append([]*thread(nil), m.threads...)
	for i, p := range perm {
		m.threads[i] = old[p]
	}
}
