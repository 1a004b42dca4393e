package vm

// Whether an execution without end is fair is decided by asking which threads move, and
// which have to wait, along a cycle of states; and a thread is known by its place. So
// there each has a place for life: one that has ended leaves its place vacant, and a new
// one takes the first that is. A thread that never moves on the cycle then holds one
// place all along, and a place where somebody moves belongs to nobody who does not.

// vacant says that a thread stands for an empty place.
func (t *thread) vacant() bool { return t.idle() && !t.keep }

// numbered says that a saved state can name the thread's number, if anything holds it.
func (t *thread) numbered() bool { return t.id < maxNames && !t.vacant() }

// alive is the number of threads, with those that end in the running step.
func (m *Machine) alive() int { return len(m.threads) - m.vacant }

// settle notes which places there are, between two steps.
func (m *Machine) settle() {
	m.settled, m.vacant = len(m.threads), 0
	if !m.forLife {
		return
	}
	for _, t := range m.threads {
		if t.vacant() {
			m.vacant++
		}
	}
}

// vacate empties the places of threads that have ended and gives places to those that the
// step has created. During the step these stand behind the others.
func (m *Machine) vacate() {
	created, places := m.threads[m.settled:], m.places[m.settled:]
	m.threads, m.places = m.threads[:m.settled], m.places[:m.settled]
	for i, t := range m.threads {
		if t.vacant() {
			t.reset()
			m.places[i] = -1
		}
	}
	free := 0
	for i, t := range created {
		if t.vacant() {
			m.spare = append(m.spare, t)
			continue
		}
		for free < len(m.threads) && !m.threads[free].vacant() {
			free++
		}
		if free < len(m.threads) {
			m.spare = append(m.spare, m.threads[free])
			m.threads[free], m.places[free] = t, places[i]
		} else {
			m.threads, m.places = append(m.threads, t), append(m.places, places[i])
		}
	}
	last := len(m.threads)
	for last > 0 && m.threads[last-1].vacant() {
		last--
		m.spare = append(m.spare, m.threads[last])
	}
	m.threads, m.places = m.threads[:last], m.places[:last]
	m.settle()
}
