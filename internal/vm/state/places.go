// SPDX-License-Identifier: BSD-3-Clause

package state

// Whether an endless execution is fair depends on which threads move, and which have to wait, along
// a cycle of states. Threads are identified by their places there, so each has one place for life.
// A thread that has ended leaves its place vacant, and a new one takes the first vacant place. So a
// thread that does not move on the cycle keeps its place, and a place where some thread moves does
// not belong to one that never does.

// vacant reports whether a thread only stands for an empty place.
func (t *Thread) vacant() bool { return t.Idle() && !t.Keep }

// numbered reports whether a saved state can name the thread's number, if anything holds it.
func (t *Thread) numbered() bool { return t.id < maxNames && !t.vacant() }

// Alive is the number of threads, including those that end in the running step.
func (m *State) Alive() int { return len(m.Thread) - m.vacant }

// settle records which places there are, between two steps.
func (m *State) settle() {
	m.settled, m.vacant = len(m.Thread), 0
	if !m.ForLife {
		return
	}
	for _, t := range m.Thread {
		if t.vacant() {
			m.vacant++
		}
	}
}

// Vacate empties the places of threads that have ended, and gives places to those that the step has
// created. During the step these come after the others.
func (m *State) Vacate() {
	created, places := m.Thread[m.settled:], m.Places[m.settled:]
	m.Thread, m.Places = m.Thread[:m.settled], m.Places[:m.settled]
	for i, t := range m.Thread {
		if t.vacant() {
			t.reset()
			m.Places[i] = -1
		}
	}
	free := 0
	for i, t := range created {
		if t.vacant() {
			m.Spare = append(m.Spare, t)
			continue
		}
		for free < len(m.Thread) && !m.Thread[free].vacant() {
			free++
		}
		if free < len(m.Thread) {
			m.Spare = append(m.Spare, m.Thread[free])
			m.Thread[free], m.Places[free] = t, places[i]
		} else {
			m.Thread, m.Places = append(m.Thread, t), append(m.Places, places[i])
		}
	}
	last := len(m.Thread)
	for last > 0 && m.Thread[last-1].vacant() {
		last--
		m.Spare = append(m.Spare, m.Thread[last])
	}
	m.Thread, m.Places = m.Thread[:last], m.Places[:last]
	m.settle()
}
