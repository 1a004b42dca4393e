// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/history"
	"pangolin/internal/test/level"
	"pangolin/oracle"
)

// passing is a random history in which threads pass sites. The calls of half of them take effect at sites; then a result may be spoilt.
type passing struct {
	subject
	rng    *rand.Rand
	state  oracle.State
	calls  []*announcing // by thread; nil: idle
	events []passed
	open   bool // the oracle let some call return in several ways
}

// passed is a call, a response, or the passage of a site (site >= 0) by a thread.
type passed struct {
	event history.Event
	site  int
}

// sites is how many sites there are. Calls of the operation k take effect at site k%sites.
const sites = 2

func (p *passing) fill(n int, right bool) {
	for tries := 0; len(p.events) < n && tries < 10*n; tries++ {
		thread := p.rng.IntN(len(p.calls))
		c := p.calls[thread]
		switch {
		case c == nil:
			c = &announcing{call: p.randomCall(p.rng)}
			p.calls[thread] = c
			p.add(history.Event{Phase: history.Invoke, Thread: thread, Method: c.call.Op, Args: c.call.Args}, -1)
		case c.done && p.rng.IntN(2) == 0:
			p.respond(thread)
		case !c.done:
			if outcomes, _ := p.spec.Outcomes(p.state, c.call); len(outcomes) > 0 {
				o := outcomes[p.rng.IntN(len(outcomes))]
				p.open = p.open || len(outcomes) > 1
				c.done, c.result, p.state = true, o.Result, o.Next
				if right {
					p.add(history.Event{Thread: thread}, c.call.Op%sites)
				}
			}
		}
		if !right && p.rng.IntN(2) == 0 {
			p.add(history.Event{Thread: p.rng.IntN(len(p.calls))}, p.rng.IntN(sites))
		}
	}
	for thread, c := range p.calls {
		if c != nil && c.done {
			p.respond(thread)
		}
	}
}

func (p *passing) respond(thread int) {
	c := p.calls[thread]
	p.add(history.Event{Phase: history.Respond, Thread: thread, Method: c.call.Op, Args: c.call.Args, Result: c.result}, -1)
	p.calls[thread] = nil
}

func (p *passing) complete() bool {
	return !slices.ContainsFunc(p.calls, func(c *announcing) bool { return c != nil })
}

func (p *passing) add(e history.Event, site int) { p.events = append(p.events, passed{e, site}) }

// spoil gives a response the result of another one of the same operation.
func (p *passing) spoil() {
	var responses []*history.Event
	for i := range p.events {
		if e := &p.events[i]; e.site < 0 && e.event.Phase == history.Respond {
			responses = append(responses, &e.event)
		}
	}
	for range 4 {
		if len(responses) < 2 {
			return
		}
		a, b := responses[p.rng.IntN(len(responses))], responses[p.rng.IntN(len(responses))]
		if a.Method == b.Method {
			a.Result = b.Result
		}
	}
}

// anywhere is the hypothesis that calls take effect at the site of their operation if exact, else at a random set of sites.
func anywhere(rng *rand.Rand, operations int, exact bool) *Guess {
	g := &Guess{Outcome: func(c oracle.Call, _ history.Tuple) int { return c.Op }}
	for k := range operations {
		own := make([]bool, sites)
		for s := range own {
			own[s] = exact && s == k%sites || !exact && rng.IntN(3) > 0
		}
		g.Own = append(g.Own, own)
	}
	return g
}

// What the monitor of points accepts has each of the properties, whatever the points are, at whatever moments it is told of them, and
// also while threads and names are exchanged: permutations judge the whole history, complete or stuck. What takes effect at its site it
// accepts.
func TestPointsMonitor_AcceptsOnlyWhatIsLinearizable(t *testing.T) {
	n := 60 * histories()
	if level.Short() {
		n = 2_000
	}
	rng := rand.New(rand.NewPCG(36, 1))
	all, count := deterministic(t), map[string]int{}
	for range n {
		s := all[rng.IntN(len(all))]
		right := rng.IntN(2) == 0
		p := &passing{subject: s, rng: rng, state: s.spec.Initial(), calls: make([]*announcing, 1+rng.IntN(3))}
		p.fill(4+rng.IntN(14), right)
		whole := rng.IntN(3) == 0
		if !whole {
			p.spoil()
		}
		excused := make([]bool, len(s.ops))
		for k := range excused {
			excused[k] = rng.IntN(2) == 0
		}
		m, err := NewPointsMonitor(oracle.NewAutomaton(s.spec), anywhere(rng, len(s.ops), right), excused, len(p.calls))
		if err != nil {
			t.Fatal(err)
		}
		if p.judge(t, m, count); m.Err() != nil {
			t.Fatal(m.Err())
		} else if right && whole && p.complete() && !p.open && count["last"] != 1 {
			t.Fatalf("%s: every call takes effect at its site, and it is rejected: %+v", s.name, p.events)
		}
	}
	for what, least := range map[string]int{"accepted": n / 5, "accepted, stuck": n / 50, "rejected": n / 10, "rejected, and right": n / 50, "rejected, and wrong": n / 50} {
		if count[what] < least {
			t.Errorf("%d of %d histories are %s: too few to say anything", count[what], n, what)
		}
	}
	t.Log(count)
}

// judge follows the events by the monitor and a follower in turn, exchanging threads at random, and holds what it says at the end against
// permutations. count["last"] is 1 if it has accepted.
func (p *passing) judge(t *testing.T, m *PolicyMonitor, count map[string]int) {
	t.Helper()
	f := m.Follower()
	h := history.History{Threads: len(p.calls)}
	now := make([]int, len(p.calls)) // where a thread is
	for i := range now {
		now[i] = i
	}
	id := m.Initial()
	for _, e := range p.events {
		thread := now[e.event.Thread]
		switch {
		case e.site >= 0:
			id = f.Visit(id, thread, e.site)
		case e.event.Phase == history.Invoke:
			h.Events = append(h.Events, e.event)
			id = f.Invoke(id, thread, m.Call(e.event.Method, e.event.Args))
		default:
			h.Events = append(h.Events, e.event)
			id, _ = f.Respond(id, thread, m.Result(e.event.Result))
		}
		if id == Rejected {
			break
		}
		if p.rng.IntN(4) == 0 {
			perm := p.rng.Perm(len(now))
			for i, at := range now {
				now[i] = perm[at]
			}
			id = f.Settle(f.Rename(f.Settle(id), NewPerm(perm)))
		}
	}
	accepted, what := id != Rejected, ""
	if accepted {
		id = f.Settle(id)
		if stuck := f.Busy(id); stuck != 0 {
			accepted, _ = m.StuckOK(id, stuck)
			what = ", stuck"
		} else {
			accepted = m.CompleteOK(id)
		}
	}
	right := true
	for _, property := range []Property{Linear, Sequential, Quiescent} {
		j, err := Check(p.spec, h, property)
		if err != nil {
			t.Fatal(err)
		}
		right = right && j.OK
	}
	count["last"] = 0
	switch {
	case accepted && !right:
		t.Fatalf("%s: accepted%s, and not right: %+v", p.name, what, p.events)
	case accepted:
		count["last"] = 1
		count["accepted"+what]++
	case right:
		count["rejected"]++
		count["rejected, and right"]++
	default:
		count["rejected"]++
		count["rejected, and wrong"]++
	}
}
