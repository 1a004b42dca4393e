// SPDX-License-Identifier: BSD-3-Clause

package consist

import "pangolin/oracle"

// NewPointsMonitor makes a monitor for so many threads that takes a hypothesis at its word: a call takes effect whenever its own thread
// passes a site that the hypothesis allows for the outcome that the oracle would give there, until that has changed the oracle's state.
// It follows one state of the oracle, like the monitor of a policy with these announcements. excused tells, by operation, whether
// outcomes that change nothing need no site (PolicyMonitor).
//
// What it accepts is linearizable, whatever the hypothesis says and whenever it is told of sites: a call that has changed the oracle's
// state did so between its invocation and its response, and the result of any other was right, without a change, in a state of the oracle
// between these two. What it rejects need not be wrong.
func NewPointsMonitor(a *oracle.Automaton, g *Guess, excused []bool, threads int) (*PolicyMonitor, error) {
	one := &announced{auto: a, keyed: excused, threads: threads, guess: g}
	return newPolicyMonitor(one, one, false)
}

// passes lets a thread's call take effect, if it does so at the site. It reports whether the state has changed.
func (p *announced) passes(s *announcedState, thread, site int) bool {
	if p.guess == nil || s.calls[thread] == 0 || s.effects[thread].changed {
		return false
	}
	c := s.calls.get(thread)
	for _, e := range p.auto.Edges(s.state, c) {
		if outcome := p.outcomeOf(c, e.Result); outcome >= 0 && p.guess.allows(p.guess.Own, outcome, site) {
			return p.announces(s, Announcement{Thread: thread, Own: true, Result: e.Result})
		}
	}
	return false
}

// outcomeOf is the hypothesis's number of an outcome. It is asked once for each: Guess.Outcome may be used by one goroutine at a time.
func (p *announced) outcomeOf(c oracle.CallID, r oracle.ResultID) int {
	key := uint32(c)<<16 | uint32(r)
	if n, known := p.outcomes.Load(key); known {
		return n.(int)
	}
	p.asking.Lock()
	defer p.asking.Unlock()
	n := p.guess.Outcome(p.auto.Call(c), p.auto.Result(r))
	p.outcomes.Store(key, n)
	return n
}

// Visit is the state after a thread has passed a site of the hypothesis.
func (m *PolicyMonitor) Visit(id ID, thread, site int) ID {
	f := m.Follower()
	return f.Settle(f.Visit(id, thread, site))
}

// Visit is the loose state after a thread has passed a site of the hypothesis.
func (f *Follower) Visit(id ID, thread, site int) ID {
	if id == Rejected {
		return Rejected
	}
	p := f.at(id, behindEvents)
	if !f.judge.passes(&p.ways[0], thread, site) && id&loose == 0 {
		return id
	}
	return f.changed(behindEvents)
}

var (
	_ Visiting = (*PolicyMonitor)(nil)
	_ Visiting = (*Follower)(nil)
)
