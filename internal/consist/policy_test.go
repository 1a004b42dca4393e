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

// sequence is a random sequence of calls, announcements and returns: such as a right policy
// makes, and then spoilt by one fault at most.
type sequence struct {
	subject
	keyed  []bool
	rng    *rand.Rand
	state  oracle.State
	events []Announced
	calls  []*announcing // by thread; nil: idle
	groups int           // of events whose order is not said
}

type announcing struct {
	call   oracle.Call
	result history.Tuple
	done   bool
}

func (s *sequence) fill(t *testing.T, n int) {
	for tries := 0; len(s.events) < n && tries < 10*n; tries++ { // all may wait
		thread := s.rng.IntN(len(s.calls))
		c := s.calls[thread]
		switch {
		case c == nil:
			c = &announcing{call: s.randomCall(s.rng)}
			s.calls[thread] = c
			s.events = append(s.events, Announced{Kind: Called, Thread: thread, Call: c.call})
		case c.done && s.rng.IntN(2) == 0:
			s.events = append(s.events, Announced{Kind: Returned, Thread: thread, Result: c.result})
			s.calls[thread] = nil
		case s.rng.IntN(3) == 0:
			s.helps(t, thread)
		default:
			s.announce(t, thread, c)
		}
	}
}

// helps lets a call take effect with others in one step: one that its thread does it for (elimination, the
// owner of a descriptor), or receivers of a message, before or behind it, in no order.
func (s *sequence) helps(t *testing.T, thread int) {
	switch s.rng.IntN(3) {
	case 0:
		s.receive(t, thread)
		s.announce(t, thread, s.calls[thread])
	case 1:
		s.announce(t, thread, s.calls[thread])
		s.receive(t, thread)
	default:
		if owner := s.rng.IntN(len(s.calls)); s.calls[owner] != nil {
			s.announce(t, owner, s.calls[owner])
		}
	}
}

// receive lets some of the other calls take effect, as a group.
func (s *sequence) receive(t *testing.T, sender int) {
	from := len(s.events)
	for thread, c := range s.calls {
		if thread != sender && c != nil && s.rng.IntN(3) > 0 {
			s.announce(t, thread, c)
		}
	}
	s.groups++
	for i := from; i < len(s.events); i++ {
		s.events[i].Group = s.groups
	}
}

// announce lets a call take effect, or announce once more what it may.
func (s *sequence) announce(t *testing.T, thread int, c *announcing) {
	outcomes, err := s.spec.Outcomes(s.state, c.call)
	if err != nil {
		t.Fatal(err)
	}
	if len(outcomes) == 0 {
		return
	}
	o := outcomes[s.rng.IntN(len(outcomes))]
	if c.done && (s.rng.IntN(4) > 0 || o.Next != s.state) {
		return
	}
	c.result, c.done = o.Result, o.Next != s.state || c.done || s.rng.IntN(2) == 0
	if s.keyed[c.call.Op] && o.Next == s.state && s.rng.IntN(2) == 0 {
		c.done = true // it needs none
		return
	}
	s.state = o.Next
	s.events = append(s.events, Announced{Kind: Announces, Thread: thread, Call: c.call, Result: o.Result})
}

// spoil plants a fault: an announcement is missing, doubled, at another place, of another
// result, or of another thread; or a return has another result.
func (s *sequence) spoil() {
	i := s.rng.IntN(len(s.events))
	e := s.events[i]
	switch fault := s.rng.IntN(8); {
	case fault == 0 && e.Kind == Announces:
		s.events = slices.Delete(s.events, i, i+1)
	case fault == 1 && e.Kind == Announces:
		s.events = slices.Insert(s.events, i, e)
	case fault == 2 && e.Kind == Announces:
		rest := slices.Delete(s.events, i, i+1)
		s.events = slices.Insert(rest, s.rng.IntN(len(rest)+1), e)
	case fault <= 4 && e.Kind != Called:
		if outcomes, err := s.spec.Outcomes(s.spec.Initial(), s.randomCall(s.rng)); err == nil && len(outcomes) > 0 {
			s.events[i].Result = outcomes[0].Result
		}
	case fault == 5 && e.Kind == Announces:
		s.events[i].Call = s.randomCall(s.rng)
	}
}

// valid says that calls, announcements and returns are in an order that a search can see.
func (s *sequence) valid() bool {
	busy := map[int]bool{}
	for _, e := range s.events {
		if busy[e.Thread] != (e.Kind != Called) {
			return false
		}
		if e.Kind != Announces {
			busy[e.Thread] = e.Kind == Called
		}
	}
	return true
}

// follow is the index of the event that is rejected by the monitor, or by a follower of it, of a group the first, or -1; it gives
// up at a group whose order matters.
func (s *sequence) follow(m *PolicyMonitor, by Announcing) (int, error) {
	m.open.unordered.Store(false)
	m.open.open.Store(false)
	id := m.Initial()
	for i, e := range s.events {
		if to := groupEnd(s.events, i); to > i+1 {
			if i > 0 && s.events[i-1].Group == e.Group {
				continue
			}
			var all []Announcement
			for _, e := range s.events[i:to] {
				all = append(all, s.announcement(m, &e))
			}
			if id = by.AnnounceAll(id, all); id == Rejected {
				return i, nil
			}
			if err := m.Err(); err != nil {
				return -1, err
			}
			continue
		} else if e.Group != 0 && i > 0 && s.events[i-1].Group == e.Group {
			continue
		}
		switch e.Kind {
		case Called:
			id = by.Invoke(id, e.Thread, m.Call(e.Call.Op, e.Call.Args))
		case Announces:
			id = by.Announce(id, s.announcement(m, &e))
		default:
			id, _ = by.Respond(id, e.Thread, m.Result(e.Result))
		}
		if id == Rejected {
			return i, nil
		}
	}
	return -1, nil
}

func (s *sequence) announcement(m *PolicyMonitor, e *Announced) Announcement {
	a := Announcement{Thread: e.Thread, Call: m.Call(e.Call.Op, e.Call.Args), Result: m.Result(e.Result), May: e.May}
	if e.Given {
		a.Result = Given
	}
	return a
}

// loosen makes some announcements such that may have been made or not, and lets the oracle give the
// results of some.
func (s *sequence) loosen() {
	may := s.rng.IntN(2) == 0
	for i := range s.events {
		if e := &s.events[i]; e.Kind == Announces {
			e.May = may && s.rng.IntN(2) == 0
			e.Given = s.rng.IntN(8) == 0
		}
	}
}

// deterministic are the oracles that a policy can be checked against.
func deterministic(t *testing.T) []subject {
	var out []subject
	for _, s := range subjects(t) {
		if !slices.Contains([]string{"spurious queue", "synchronous queue", "synchronous queue with offers"}, s.name) {
			out = append(out, s)
		}
	}
	return out
}

// The monitor, which follows a sequence event by event, a follower of it, and CheckPolicy, which looks at
// the whole of it, agree on where it breaks a rule. Half of the sequences are spoilt.
func TestPolicyMonitor_AgreesWithTheDefinitions(t *testing.T) {
	n := 150 * histories()
	if level.Short() {
		n = 3_000
	}
	rng := rand.New(rand.NewPCG(12, 4))
	rules := map[string]int{}
	all := deterministic(t)
	monitors, speculating, keyed := make([]*PolicyMonitor, len(all)), make([]*PolicyMonitor, len(all)), make([][]bool, len(all))
	for k, s := range all {
		for _, o := range s.ops {
			keyed[k] = append(keyed[k], slices.Contains(o.Params, oracle.ParamKey))
		}
		var err error
		if monitors[k], err = NewPolicyMonitor(oracle.NewAutomaton(s.spec), keyed[k], 3); err != nil {
			t.Fatal(err)
		}
		if speculating[k], err = NewSpeculatingMonitor(oracle.NewAutomaton(s.spec), keyed[k], 3); err != nil {
			t.Fatal(err)
		}
	}
	for judged := 0; judged < n; {
		k := rng.IntN(len(all))
		s := &sequence{subject: all[k], keyed: keyed[k], rng: rng, state: all[k].spec.Initial(), calls: make([]*announcing, 1+rng.IntN(3))}
		s.fill(t, 4+rng.IntN(12))
		if rng.IntN(4) > 0 {
			s.spoil()
		}
		if !s.valid() {
			continue
		}
		monitor := monitors[k]
		if rng.IntN(3) == 0 {
			s.loosen()
			monitor = speculating[k]
		}
		broken, err := CheckPolicy(s.spec, s.keyed, s.events, monitor.several)
		want, rule := -1, "none"
		got, disorder := s.follow(monitor, monitor)
		if own, open := s.follow(monitor, monitor.Follower()); own != got || open != disorder {
			t.Fatalf("%s: the follower rejects event %d (%v), the monitor %d (%v)\n%+v", s.name, own, open, got, disorder, s.events)
		}
		if err == ErrNondeterministic || disorder == ErrNondeterministic {
			continue // of an oracle with several results, none of which is given
		}
		judged++
		switch {
		case err != nil && err != ErrOrder:
			t.Fatal(err)
		case err != nil:
			rule = "order"
		case broken != nil:
			want, rule = broken.Event, broken.Rule
			for want > 0 && s.events[want].Group != 0 && s.events[want-1].Group == s.events[want].Group {
				want--
			}
		}
		rules[rule]++
		if got != want || disorder != err {
			t.Fatalf("%s: the monitor rejects event %d (%v), the definitions %d (%v, %v)\n%+v", s.name, got, disorder, want, broken, err, s.events)
		}
	}
	for rule, least := range map[string]int{"none": n / 100, "order": n / 5000, "M3": n / 100, "M4": n / 100, "M5": n / 100, "M6": n / 100} {
		if rules[rule] < least {
			t.Errorf("%d of %d sequences come to %s: too few to say anything", rules[rule], n, rule)
		}
	}
	t.Log(rules)
}

// A sequence that the definitions accept has a history that is linearizable.
func TestCheckPolicy_AcceptsOnlyLinearizableHistories(t *testing.T) {
	level.SkipShort(t, "tries permutations")
	rng := rand.New(rand.NewPCG(7, 7))
	accepted := 0
	all := deterministic(t)
	n := 50 * histories()
	for range n {
		s := all[rng.IntN(len(all))]
		var keyed []bool
		for _, o := range s.ops {
			keyed = append(keyed, slices.Contains(o.Params, oracle.ParamKey))
		}
		q := &sequence{subject: s, keyed: keyed, rng: rng, state: s.spec.Initial(), calls: make([]*announcing, 3)}
		q.fill(t, 12)
		q.spoil()
		if !q.valid() {
			continue
		}
		if broken, err := CheckPolicy(s.spec, keyed, q.events, false); err != nil || broken != nil {
			continue
		}
		accepted++
		m, err := NewMonitor(oracle.NewAutomaton(s.spec), Linear, 3)
		if err != nil {
			t.Fatal(err)
		}
		id := m.Initial()
		for _, e := range q.events {
			switch e.Kind {
			case Called:
				id = m.Invoke(id, e.Thread, m.Call(e.Call.Op, e.Call.Args))
			case Returned:
				id, _ = m.Respond(id, e.Thread, m.Result(e.Result))
			}
		}
		if id == Rejected {
			t.Fatalf("%s: accepted, and not linearizable: %+v", s.name, q.events)
		}
	}
	if accepted < n/4 {
		t.Errorf("only %d sequences were accepted", accepted)
	}
}
