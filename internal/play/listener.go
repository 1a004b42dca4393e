// SPDX-License-Identifier: BSD-3-Clause

package play

import "pangolin/internal/consist"

// Listener is a monitor as one cursor follows it. A policy monitor has a follower for each cursor, whose states get a number only when
// one is needed.
type Listener struct {
	consist.Monitor
	follower *consist.Follower // nil: the monitor itself is followed
}

// Listen makes the listener of a monitor.
func Listen(to consist.Monitor) Listener {
	if m, ok := to.(*consist.PolicyMonitor); ok {
		f := m.Follower()
		return Listener{f, f}
	}
	return Listener{Monitor: to}
}

// Loose reports whether a state has no number yet. Settle gives it one, which is needed before the state is saved, compared or
// remembered.
func (l *Listener) Loose(id consist.ID) bool { return l.follower != nil && l.follower.Loose(id) }

// Settle returns the state with a number.
func (l *Listener) Settle(id consist.ID) consist.ID {
	if l.follower == nil {
		return id
	}
	return l.follower.Settle(id)
}
