// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/history"
	"pangolin/internal/test/level"
	"pangolin/oracle"
)

// both follows a sequence with a monitor and with a Follower of it, and compares what they say of every state.
type both struct {
	t    *testing.T
	rng  *rand.Rand
	m    *PolicyMonitor
	f    *Follower
	id   ID // of the monitor
	own  ID // of the follower
	what *sequence
	// compared counts the comparisons of states that were loose, by what was compared.
	compared map[string]int
}

func (b *both) same(what string, got, want any) {
	b.t.Helper()
	if got != want {
		b.t.Fatalf("%s: %s: the follower says %v, the monitor %v\n%+v", b.what.name, what, got, want, b.what.events)
	}
	if b.f.Loose(b.own) {
		b.compared[what]++
	}
}

// look compares all that can be asked of the state in which both are, and of what it is when it is renamed.
func (b *both) look() {
	m, f := b.m, b.f
	if b.rng.IntN(8) == 0 { // otherwise the state remains loose, often over several events
		b.same("state", f.Settle(b.own), b.id)
		b.own = f.Settle(b.own)
	}
	b.same("busy", f.Busy(b.own), m.Busy(b.id))
	b.same("content", f.Content(b.own), m.Content(b.id))
	thread := b.rng.IntN(b.m.threads)
	b.same("signature", f.Signature(b.own, thread), m.Signature(b.id, thread))
	p := NewPerm(b.rng.Perm(b.m.threads))
	renamed, want := f.Rename(b.own, p), m.Rename(b.id, p)
	b.same("content with threads permuted", f.Content(renamed), m.Content(want))
	if m.Renamable() && b.rng.IntN(2) == 0 {
		b.same("names", f.Names(renamed), m.Names(want))
		r := m.Renaming(shuffledNames(b.rng))
		renamed, want = f.RenameValues(renamed, r), m.RenameValues(want, r)
		b.same("names of what is renamed", f.Names(renamed), m.Names(want))
	}
	b.same("renamed state", f.Settle(renamed), want)
	if b.rng.IntN(4) == 0 {
		b.same("state", f.Settle(b.own), b.id)
	}
}

// shuffledNames exchanges small keys and items; priorities have an order.
func shuffledNames(rng *rand.Rand) oracle.Renaming {
	r := oracle.NoRenaming()
	for _, d := range []oracle.Domain{oracle.Keys, oracle.Items} {
		for i, to := range rng.Perm(4) {
			r[d][i+1] = uint8(to + 1)
		}
	}
	return r
}

// event lets both see an event, or a group of announcements. It gives the next one, and says whether it is accepted.
func (b *both) event(i int) (next int, accepted bool) {
	m, f, e := b.m, b.f, &b.what.events[i]
	next = groupEnd(b.what.events, i)
	switch {
	case next > i+1:
		var all []Announcement
		for k := range b.what.events[i:next] {
			all = append(all, b.what.announcement(m, &b.what.events[i+k]))
		}
		b.id, b.own = m.AnnounceAll(b.id, all), f.AnnounceAll(b.own, all)
		b.same("several at once", b.own == Rejected, b.id == Rejected)
	case e.Kind == Called:
		c := m.Call(e.Call.Op, e.Call.Args)
		b.id, b.own = m.Invoke(b.id, e.Thread, c), f.Invoke(b.own, e.Thread, c)
	case e.Kind == Returned:
		var ok, right bool
		r := m.Result(e.Result)
		b.id, right = m.Respond(b.id, e.Thread, r)
		b.own, ok = f.Respond(b.own, e.Thread, r)
		b.same("response", ok, right)
	default:
		a := b.what.announcement(m, e)
		b.id, b.own = m.Announce(b.id, a), f.Announce(b.own, a)
	}
	b.same("rejection", b.own == Rejected, b.id == Rejected)
	return next, b.id != Rejected
}

// A follower and its monitor say the same of every state of random sequences, right and spoilt, definite and speculating.
func TestFollower_SaysWhatTheMonitorSays(t *testing.T) {
	n := 50 * histories()
	if level.Short() {
		n = 2_000
	}
	rng := rand.New(rand.NewPCG(22, 11))
	compared := map[string]int{}
	ways, rejected := 0, 0
	for _, speculates := range []bool{false, true} {
		for _, s := range deterministic(t) {
			var keyed []bool
			for _, o := range s.ops {
				keyed = append(keyed, slices.Contains(o.Params, oracle.ParamKey))
			}
			m := policyMonitor(t, s, keyed, speculates)
			f := m.Follower()
			for range n / 2 / len(deterministic(t)) {
				q := &sequence{subject: s, keyed: keyed, rng: rng, state: s.spec.Initial(), calls: make([]*announcing, 3)}
				q.fill(t, 4+rng.IntN(12))
				if rng.IntN(2) == 0 {
					q.spoil()
				}
				if speculates {
					q.loosen()
				}
				if !q.valid() {
					continue
				}
				b := &both{t: t, rng: rng, m: m, f: f, id: m.Initial(), own: m.Initial(), what: q, compared: compared}
				for i := 0; i < len(q.events); {
					accepted := false
					if i, accepted = b.event(i); !accepted {
						rejected++
						break
					}
					ways = max(ways, len(f.find(f.loosened(b.own)).ways))
					b.look()
				}
			}
		}
	}
	for _, what := range []string{"busy", "content", "signature", "content with threads permuted", "names", "names of what is renamed", "renamed state",
		"state", "response", "rejection", "several at once"} {
		if compared[what] < n/80 {
			t.Errorf("%s was compared %d times with a loose state: too seldom to say anything", what, compared[what])
		}
	}
	if ways < 4 || rejected < n/20 {
		t.Errorf("at most %d ways, %d sequences rejected: too few to say anything", ways, rejected)
	}
}

// loosened is a loose state that is the same.
func (f *Follower) loosened(id ID) ID {
	if f.Loose(id) {
		return id
	}
	f.at(id, behindRenaming)
	return f.changed(behindRenaming)
}

func policyMonitor(t *testing.T, s subject, keyed []bool, speculates bool) *PolicyMonitor {
	t.Helper()
	create := NewPolicyMonitor
	if speculates {
		create = NewSpeculatingMonitor
	}
	m, err := create(oracle.NewAutomaton(s.spec), keyed, 3)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A call may have more results than a state has room for without a list of its own; copies of it do not share the list.
func TestEffect_HoldsManyResults(t *testing.T) {
	var e effect
	for _, r := range []uint16{7, 3, 9, 3, 1, 8, 2, 9, 12, 4} {
		before := e
		want := slices.Clone(before.results())
		e.add(r)
		if !slices.Equal(before.results(), want) {
			t.Fatalf("%d was added to a copy: %v", r, before.results())
		}
	}
	if want := []uint16{1, 2, 3, 4, 7, 8, 9, 12}; !slices.Equal(e.results(), want) {
		t.Fatalf("%v, want %v", e.results(), want)
	}
	p := &announced{threads: 2}
	s := announcedState{calls: calls{0, 5}, state: 3}
	s.effects[1] = e
	var again announcedState
	p.read(&again, string(p.write(&s)))
	if again.calls != s.calls || again.state != s.state || !slices.Equal(again.effects[1].results(), e.results()) {
		t.Fatalf("%+v is read as %+v", s, again)
	}
}

// A state that has been left is not mistaken for another one.
func TestFollower_RefusesWhatItNoLongerFollows(t *testing.T) {
	s := deterministic(t)[0]
	m := policyMonitor(t, s, make([]bool, len(s.ops)), false)
	call := m.Call(0, s.randomCall(rand.New(rand.NewPCG(1, 1))).Args)
	for name, leave := range map[string]func(f *Follower, id ID){
		"another event":      func(f *Follower, id ID) { f.Invoke(id, 1, call) },
		"an event not right": func(f *Follower, id ID) { f.Announce(id, Announcement{Thread: 0, Call: call + 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			f := m.Follower()
			first := f.Invoke(m.Initial(), 0, call)
			leave(f, first)
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "not followed any more") {
					t.Errorf("a state that has been left is used: %q", text)
				}
			}()
			f.Settle(first)
		})
	}
}

// A state with threads and values renamed is that of the sequence with threads and values renamed.
func TestPolicyMonitor_RenamesToTheStateOfTheRenamedSequence(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 12))
	r := shuffledNames(rng)
	for _, s := range deterministic(t) {
		if s.kind == oracle.Counter || s.kind == oracle.Register {
			continue // the initial 0 is no name
		}
		for _, speculates := range []bool{false, true} {
			m := policyMonitor(t, s, make([]bool, len(s.ops)), speculates)
			for range 200 {
				q := &sequence{subject: s, keyed: make([]bool, len(s.ops)), rng: rng, state: s.spec.Initial(), calls: make([]*announcing, 3)}
				q.fill(t, 4+rng.IntN(20))
				if speculates {
					q.loosen()
				}
				to := rng.Perm(3)
				renamed := &sequence{subject: s, rng: rng}
				for i := range q.events {
					renamed.events = append(renamed.events, q.renamed(i, to, &r))
				}
				id, other := q.end(m), renamed.end(m)
				if m.RenameValues(m.Rename(id, NewPerm(to)), m.Renaming(r)) != other {
					t.Fatalf("%s: %+v\nthreads to %v: %+v", s.name, q.events, to, renamed.events)
				}
			}
		}
	}
}

// renamed is an event with threads and values renamed.
func (s *sequence) renamed(i int, to []int, r *oracle.Renaming) Announced {
	spec, e := s.spec.(oracle.RenamableSpec), s.events[i]
	for k := range i { // what a thread returns from is what it has called last
		if s.events[k].Thread == e.Thread && s.events[k].Kind == Called && e.Kind == Returned {
			e.Call = s.events[k].Call
		}
	}
	if e.Kind != Called {
		e.Result = spec.MapResult(e.Call, e.Result, r.Name)
	}
	e.Call, e.Thread = spec.MapCall(e.Call, r.Name), to[e.Thread]
	return e
}

// end is the state behind a sequence.
func (s *sequence) end(m *PolicyMonitor) ID {
	id := m.Initial()
	for i := range s.events {
		switch e := &s.events[i]; e.Kind {
		case Called:
			id = m.Invoke(id, e.Thread, m.Call(e.Call.Op, e.Call.Args))
		case Announces:
			id = m.Announce(id, s.announcement(m, e))
		default:
			id, _ = m.Respond(id, e.Thread, m.Result(e.Result))
		}
	}
	return id
}

// Results that are renamed remain in the order of their numbers, in which they are looked for, and those of a copy of the state
// as they were.
func TestAnnounced_RenamesResultsInOrder(t *testing.T) {
	a := oracle.NewAutomaton(queueOf(t, oracle.Protocol{}))
	p := &announced{auto: a, threads: 1}
	for _, n := range []int{2, fewResults, fewResults + 2} {
		r, take := oracle.NoRenaming(), a.CallID(oracle.Call{Op: 1})
		item := func(k int) uint16 {
			return uint16(a.ResultID(history.Of(history.IntValue(int64(k)), history.BoolValue(true))))
		}
		var s announcedState
		var want []uint16
		s.calls.set(0, take)
		for k := range n {
			s.effects[0].add(item(k + 1))
		}
		for k := range n { // the first item becomes the last one of the new ones
			r[oracle.Items][k+1] = uint8(2*n - k)
			want = append(want, item(n+k+1))
		}
		slices.Sort(want)
		again, before := s, slices.Clone(s.effects[0].results())
		p.renamed(&again, a.Renaming(r))
		if got := again.effects[0].results(); !slices.Equal(got, want) {
			t.Errorf("%v are renamed to %v, want %v", before, got, want)
		}
		if !slices.Equal(s.effects[0].results(), before) {
			t.Errorf("those of a copy are %v, and were %v", s.effects[0].results(), before)
		}
	}
}
