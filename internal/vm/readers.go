// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"

	"pangolin/internal/vm/state"
)

// Readers of a sync.RWMutex, where one thread of a state stands for many. The word that counts them would tell the thread how many others
// read, and would have no bound. So it is not counted: a thread that reads has the lock in its list (state.ReadHold), and the lock's words
// stay as they are. A writer takes the lock when no thread of the state reads; whoever puts states of several threads together
// leaves out those in which one takes the lock for writing (Took) that another one has for reading.
//
// Nor does a writer announce itself: it waits until there is no reader, and takes the lock. Every execution in which a writer shuts out readers
// first is one of these, in which the readers come later. That matters to results, races and panics only if the program can ask whether a lock is
// held, or reads the words of a lock. Where it tries locks they are counted; a plain access to the words of a lock, or a lock that is
// given back by another thread, withdraws that locks are owned (disown), and without that they are counted as well.

// CountsReaders reports whether the lock's words tell how many threads read.
func (m *Machine) CountsReaders() bool {
	return !m.OneOfMany || m.Hunting || m.img.hasTry || !m.Owned()
}

// anyReads says that a thread of the state has taken a lock for reading.
func (m *Machine) anyReads(lock uint64) bool {
	return slices.ContainsFunc(m.Thread, func(t *state.Thread) bool { return slices.Contains(t.Held, lock|state.ReadHold) })
}

// countReaders notes that there are more readers of the first argument's lock, or fewer. The word counts as written even if it
// is not: who reads it plainly would learn what no state says.
func (c *call) countReaders(more int) {
	n := c.object(0, rwReaders+1)[rwReaders]
	if c.m.CountsReaders() {
		n += uint64(more)
	}
	c.set(0, rwReaders, n)
}
