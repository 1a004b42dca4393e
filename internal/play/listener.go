// SPDX-License-Identifier: BSD-3-Clause

package play

import "pangolin/internal/consist"

// Listener is a monitor as one cursor follows it: a cursor may have a way of its own to do so, in which states
// have no number yet until somebody asks for it.
type Listener struct {
	consist.Monitor
	follower *consist.Follower // nil: there is none
}

// Listen follows a monitor.
func Listen(to consist.Monitor) Listener {
	if m, ok := to.(*consist.PolicyMonitor); ok {
		f := m.Follower()
		return Listener{f, f}
	}
	return Listener{Monitor: to}
}

// Loose says that a state has no number yet, and Settle gives it one. Only settled ones are kept: in states
// and answers, and where two are compared.
func (l *Listener) Loose(id consist.ID) bool { return l.follower != nil && l.follower.Loose(id) }

// Settle gives a state its number.
func (l *Listener) Settle(id consist.ID) consist.ID {
	if l.follower == nil {
		return id
	}
	return l.follower.Settle(id)
}
