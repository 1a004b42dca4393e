// SPDX-License-Identifier: BSD-3-Clause

package vm

import "pangolin/internal/ir"

// What an engine needs that calls functions on threads of its own: threads that
// stay when they have nothing to execute, roots that keep objects alive, and tags
// that belong to the state.

// Call makes idle thread i enter a function with the given argument words. Nothing
// is executed yet. The first call of an execution goes with package initialisation, if
// that could not be done once for all: goroutines that it starts stay beside all that
// follows.
func (m *Machine) Call(i int, f *ir.Func, args []uint64) {
	t := m.Thread[i]
	t.Results, t.Panicked = t.Results[:0], 0
	m.enter(t, f, args)
}

// Abandon makes thread i idle where it stands: what is left of its call is what it has written,
// and the locks that it holds.
func (m *Machine) Abandon(i int) {
	t := m.Thread[i]
	t.Frames, t.Regs, t.Results = t.Frames[:0], t.Regs[:0], t.Results[:0]
	t.Panics, t.Panicked, t.Phase, t.Asleep = 0, 0, 0, false
}

// Idle says whether thread i has nothing to execute.
func (m *Machine) Idle(i int) bool { return m.Thread[i].Idle() }

// Results returns what thread i's last call returned. It is valid until the
// thread's next call or the next Load.
func (m *Machine) Results(i int) []uint64 { return m.Thread[i].Results }

// Panicked returns the text of the panic that ended thread i's last call; "" if it
// returned. The program goes on: to an engine a panic is a result.
func (m *Machine) Panicked(i int) string { return m.Text(m.Thread[i].Panicked) }

// SetView says how thread i looks to the engine: threads that differ in nothing else are sorted by it when a state
// is saved, and it is no part of the state.
func (m *Machine) SetView(i int, view uint64) { m.Thread[i].View = view }

// SetTag attaches a word to thread i. It belongs to the state, and threads are
// sorted by it first.
func (m *Machine) SetTag(i int, tag uint64) { m.Thread[i].Tag = tag }

// Tag returns the word that SetTag attached.
func (m *Machine) Tag(i int) uint64 { return m.Thread[i].Tag }

// SetRoots keeps the objects that pointers refer to alive; they are the first in
// the canonical order.
func (m *Machine) SetRoots(pointers ...uint64) { m.Kept = append(m.Kept[:0], pointers...) }

// Roots is the number of pointers that SetRoots has set.
func (m *Machine) Roots() int { return len(m.Kept) }

// Root returns a pointer that SetRoots set, as it is in the current state.
func (m *Machine) Root(i int) uint64 { return m.Kept[i] }

// BeginDraws says that a step begins that RunExactly executes: how often the same random number may be drawn is counted from here on.
func (m *Machine) BeginDraws() { m.alike, m.lastBelow.times = 0, 0 }

// Draws is how many random numbers the machine has drawn, of few that stand for many (FewRandoms).
func (m *Machine) Draws() int { return m.taken }

// RunAlone lets thread i execute until it is idle, cannot go on or fails; accesses
// are not scheduling points, and other threads do not move.
func (m *Machine) RunAlone(i int, ch Chooser) {
	t := m.Thread[i]
	m.steps(t, ch, plenty)
}

// StandsAtPlain says whether thread i is about to access shared memory without
// synchronisation.
func (m *Machine) StandsAtPlain(i int) bool {
	t := m.Thread[i]
	return !t.Idle() && m.atPlain(t)
}

// RaceWith looks for a data race between thread i and any other.
func (m *Machine) RaceWith(i int) (Race, bool) {
	plain := m.StandsAtPlain(i)
	for j := range m.Thread {
		if j != i && (plain || m.StandsAtPlain(j)) && m.conflict(m.Thread[i], m.Thread[j]) {
			return m.race(min(i, j), max(i, j)), true
		}
	}
	return Race{}, false
}

// Access is memory that a thread is about to touch.
type Access struct {
	P             uint64
	Words         int
	Write, Atomic bool
}

// Accesses lists what thread i is about to touch, where that can be a data race.
func (m *Machine) Accesses(i int) []Access {
	t := m.Thread[i]
	if t.Idle() || t.Top().Code.Func.NoRace {
		return nil
	}
	var list []Access
	for _, a := range m.accesses(t, nil) {
		list = append(list, Access{a.p, a.words, a.write, a.atomic})
	}
	return list
}

// Atomic says that the running thread is inside an atomic step: nobody else may move.
func (m *Machine) Atomic() bool { return m.region }

// UserPlace is the line of the program's own code at which thread i stands: inside a call of the library, that of the call.
func (m *Machine) UserPlace(i int) Place { return m.userPlace(m.Thread[i]) }

// InHarness says whether thread i stands in the file that drives the collection, and so in no operation's own code.
func (m *Machine) InHarness(i int) bool { return m.Thread[i].Top().Code.Func.Harness }

// Conflicts says that two accesses of two threads are a data race.
func (a Access) Conflicts(b Access) bool {
	return access{a.P, a.Words, a.Write, a.Atomic}.conflicts(access{b.P, b.Words, b.Write, b.Atomic})
}

// Calls is the name of the built-in function that thread i is about to call; "" if it is
// about to do something else.
func (m *Machine) Calls(i int) string {
	t := m.Thread[i]
	if t.Idle() || t.Instr().Op != ir.OpCall {
		return ""
	}
	if c := m.builtinAt(t); c != nil {
		return c.fn.Name
	}
	return ""
}
