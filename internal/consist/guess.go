// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"slices"

	"pangolin/history"
	"pangolin/oracle"
)

// Guess is a hypothesis on where calls take effect. Outcomes, the results of an operation
// that belong together, have numbers, and so have sites, places in the code. A call whose
// outcome is restricted takes effect when its own thread, or another one, passes a site that
// is allowed for it; one whose outcome is not may do so at any moment.
type Guess struct {
	// Outcome is the number of an outcome; -1: it is not restricted.
	Outcome func(c oracle.Call, result history.Tuple) int
	// Own and Others tell, by outcome and site, whether a call may take effect when its own thread,
	// or another one, passes the site.
	Own, Others [][]bool
}

func (g *Guess) allows(list [][]bool, outcome, site int) bool {
	return site < len(list[outcome]) && list[outcome][site]
}

// Visiting is a Monitor that is told when threads pass sites.
type Visiting interface {
	Monitor
	// Visit is the state after a thread has passed a site.
	Visit(id ID, thread, site int) ID
}

// GuessMonitor decides whether a hypothesis holds: whether every history has an explanation
// in which every call takes effect where the hypothesis lets it. It is the monitor of
// linearizability with fewer moments to choose from, and rejects at the response that
// nothing explains. Whether a passage is the one at which a call takes effect need not be
// known then: what comes later decides.
type GuessMonitor struct {
	*HistoryMonitor
	judge *guessing
}

// NewGuessMonitor makes a monitor for so many threads.
func NewGuessMonitor(a *oracle.Automaton, g *Guess, threads int) (*GuessMonitor, error) {
	j := &guessing{linear{auto: a, threads: threads}, g}
	m, err := newMonitor(a, j, threads)
	if err != nil {
		return nil, err
	}
	return &GuessMonitor{m, j}, nil
}

// Visit is the state after a thread has passed a site.
func (m *GuessMonitor) Visit(id ID, thread, site int) ID {
	if id == Rejected {
		return Rejected
	}
	key := memoKey(id, onAnnounce, uint64(thread)<<16|uint64(site))
	if v, ok := m.memo.Get(key); ok {
		return ID(v)
	}
	return m.remember(key, m.judge.visit(m.states.words(id), thread, site))
}

// guessing is the judge of a GuessMonitor. Its sets are closed under what may take effect at
// any moment, and are not reduced to minimal ones.
type guessing struct {
	linear
	guess *Guess
}

// noSite stands for the time between sites.
const noSite = -1

// passage is a moment: a thread passes a site, or (noSite) nobody does.
type passage struct{ thread, site int }

func (g *guessing) may(p passage, thread, outcome int) bool {
	switch {
	case outcome < 0:
		return true
	case p.site == noSite:
		return false
	case p.thread == thread:
		return g.guess.allows(g.guess.Own, outcome, p.site)
	}
	return g.guess.allows(g.guess.Others, outcome, p.site)
}

// closed adds the configurations to which calls that take effect at a moment lead.
func (g *guessing) closed(s *linearState, p passage) {
	known := map[config]bool{}
	for _, c := range s.configs {
		known[c] = true
	}
	for i := 0; i < len(s.configs); i++ {
		for t := range g.threads {
			c := s.configs[i]
			if s.calls[t] == 0 || c.done[t] != 0 {
				continue
			}
			call := s.calls.get(t)
			for _, e := range g.auto.Edges(c.state, call) {
				if !g.may(p, t, g.guess.Outcome(g.auto.Call(call), g.auto.Result(e.Result))) {
					continue
				}
				next := c
				next.state, next.done[t] = e.Next, uint16(e.Result)+1
				if !known[next] {
					known[next] = true
					s.configs = append(s.configs, next)
				}
			}
		}
	}
	slices.SortFunc(s.configs, compareConfigs)
}

func (g *guessing) invoke(words string, thread int, c oracle.CallID) []byte {
	s := g.read(words)
	defer s.free()
	s.calls.set(thread, c)
	g.closed(s, passage{site: noSite})
	return g.write(s)
}

func (g *guessing) visit(words string, thread, site int) []byte {
	s := g.read(words)
	defer s.free()
	g.closed(s, passage{thread, site})
	return g.write(s)
}

func (g *guessing) respond(words string, thread int, r oracle.ResultID) []byte {
	s := g.read(words)
	defer s.free()
	kept := s.configs[:0]
	for _, c := range s.configs {
		if c.done[thread] == uint16(r)+1 {
			c.done[thread] = 0
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	s.calls[thread], s.configs = 0, kept
	slices.SortFunc(s.configs, compareConfigs)
	s.configs = slices.Compact(s.configs)
	return g.write(s)
}
