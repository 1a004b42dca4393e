// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/client"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// kinds are those whose clients differ in how arguments are chosen.
var kinds = []oracle.Kind{oracle.Set, oracle.Queue, oracle.PQueue, oracle.Map, oracle.Counter}

func scopesOf(t *testing.T, b Bounds, kind oracle.Kind) (Union, *Operations) {
	t.Helper()
	o, err := Usual(string(kind), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	u, err := b.Scopes(o)
	if err != nil {
		t.Fatal(err)
	}
	return u, o
}

// A client that several scopes share is counted and listed once.
func TestCount_CountsEveryClientOfAUnionOnce(t *testing.T) {
	level.SkipShort(t, "lists the clients of many scopes")
	two, three := &Range{From: 1, To: 2}, &Range{From: 1, To: 3}
	off := false
	for _, b := range []Bounds{{Config: "D+2x5"}, {Config: "A+D+2x5"}, {Config: "D+B+2x5", PerThread: 1}, {Config: "B+2x5", Threads: two, Values: 2},
		{Config: "D+2x5", Steps: three, ThreadSymmetry: &off}, {Config: "B+D+2x5", AddsDominant: &off, DistinctPriorities: &off, Values: 2}} {
		for _, kind := range kinds {
			if kind != oracle.Queue {
				b.Steps = three // millions of clients otherwise
			}
			if b.PerThread > 0 {
				b.Steps = nil
			}
			if kind != oracle.PQueue {
				b.DistinctPriorities = nil
			}
			u, o := scopesOf(t, b, kind)
			c, err := u.Count(o, true)
			if err != nil {
				t.Fatal(err)
			}
			all := map[string]bool{}
			for i := range u {
				space, err := client.NewSpace(u[i].Clients, o.List)
				if err != nil {
					t.Fatal(err)
				}
				for one := range space.All() {
					all[space.Format(one)] = true
				}
			}
			slices.Sort(c.List)
			if len(c.List) != len(all) || len(slices.Compact(c.List)) != len(all) || c.Count.String() != fmt.Sprint(len(all)) {
				t.Errorf("%+v of a %s: %s counted, %d listed, %d there are", b, kind, c.Count, len(c.List), len(all))
			}
		}
	}
}

// What is asked for is what is verified: bounds on threads and calls are all there are,
// other options hold in every scope, and a scope within another one is not searched twice.
func TestScopes_AreWhatIsAskedFor(t *testing.T) {
	two := &Range{To: 2, Open: true}
	hash := client.Hash{Nondeterministic: true, Domain: 3, Range: 2}
	for _, c := range []struct {
		bounds Bounds
		names  string
	}{
		{Bounds{}, "D+1x5x3+2x4+2x5+3x4+2x6"},
		{Bounds{Config: "3xany"}, "3xany"},
		{Bounds{Config: "D+2xany"}, "D+2xany"},
		{Bounds{Config: "2xany", Values: 3}, "2t any number of calls"},
		{Bounds{Config: "B"}, "B"},
		{Bounds{Config: "D+2x5"}, "D+2x5"},
		{Bounds{Threads: two}, "2t 3s 1p"},
		{Bounds{Steps: two}, "3t 2s 1p"},
		{Bounds{PreAdds: two}, "3t 3s 2p"},
		{Bounds{PerThread: 2}, "3t x2 1p"},
		{Bounds{Config: "D+2x5", Threads: two}, "2x5"},
		{Bounds{Config: "D+2x5", Steps: two}, "3t 2s 1p"},
		{Bounds{Config: "2x5+D", Hash: &hash}, "2t 5s 1p+3t 3s 1p"},
		{Bounds{Config: "A+B+D"}, "D"},
		{Bounds{Config: "B+C"}, "B+C"},
	} {
		u, _ := scopesOf(t, c.bounds, oracle.Set)
		if got := u.Plain().Name(); got != c.names {
			t.Errorf("%+v: %s, want %s", c.bounds, got, c.names)
		}
	}
}

// The scopes are searched in their order, until one is not verified, within the limits of
// the whole.
func TestDecideUnion_SumsUp(t *testing.T) {
	u, o := scopesOf(t, Bounds{Config: "D+2x5"}, oracle.Queue)
	for _, c := range []struct {
		answers  []verdict.Verdict // of the engine
		limits   []uint64          // that it is given
		status   verdict.Status
		reason   string
		states   uint64
		progress uint64
	}{
		{[]verdict.Verdict{{Status: verdict.Verified, Effort: verdict.Effort{States: 30}}, {Status: verdict.Verified, Effort: verdict.Effort{States: 40}}},
			[]uint64{100, 70}, verdict.Verified, "", 70, 31},
		{[]verdict.Verdict{{Status: verdict.Verified, Effort: verdict.Effort{States: 100}}, {Status: verdict.Unknown, Reason: "too many", Effort: verdict.Effort{States: 1}}},
			[]uint64{100, 1}, verdict.Unknown, "verified in D; in 2x5: too many", 101, 101},
		{[]verdict.Verdict{{Status: verdict.Unknown, Reason: "too many", Effort: verdict.Effort{States: 100}}},
			[]uint64{100}, verdict.Unknown, "in D: too many", 100, 1},
		{[]verdict.Verdict{{Status: verdict.Violated, Reason: "wrong", Effort: verdict.Effort{States: 5}}},
			[]uint64{100}, verdict.Violated, "wrong", 5, 1},
	} {
		var limits []uint64
		e := Engine{Run: func(_ context.Context, j *Job, ev Events) (verdict.Verdict, error) {
			limits = append(limits, j.MaxStates)
			ev.Progress(Progress{States: 1})
			return c.answers[len(limits)-1], nil
		}}
		var progress uint64
		s := &subject.Subject{}
		for _, op := range o.List {
			s.Operations = append(s.Operations, subject.Operation{Client: op})
		}
		v, err := e.DecideUnion(t.Context(), &Job{Subject: s, Search: Search{MaxStates: 100}}, u,
			Events{Progress: func(p Progress) { progress = p.States }})
		if err != nil {
			t.Fatal(err)
		}
		if v.Status != c.status || v.Reason != c.reason || v.States != c.states || !slices.Equal(limits, c.limits) || progress != c.progress {
			t.Errorf("%v %q, %d states, limits %v, progress %d", v.Status, v.Reason, v.States, limits, progress)
		}
		if v.Scope.Name() != "D+2x5" || v.Clients != "334" {
			t.Errorf("scope %s, %s clients", v.Scope.Name(), v.Clients)
		}
	}
}

// An engine that proves searches no scope: its verdict has the scope of its own, though a rule has asked for two.
func TestDecideUnion_KeepsTheScopeOfAnEngineThatProves(t *testing.T) {
	for _, bounds := range []string{"D+2x5", "2x5+D"} {
		u, o := scopesOf(t, Bounds{Config: bounds}, oracle.Queue)
		e := Engine{Run: func(context.Context, *Job, Events) (verdict.Verdict, error) {
			return verdict.Verdict{Status: verdict.Unknown, Reason: "not proved", Scope: verdict.Unbounded()}, nil
		}}
		s := &subject.Subject{}
		for _, op := range o.List {
			s.Operations = append(s.Operations, subject.Operation{Client: op})
		}
		v, err := e.DecideUnion(t.Context(), &Job{Subject: s}, u, Events{})
		if err != nil || v.Scope.Bounds != nil || len(v.Scope.And) > 0 {
			t.Errorf("%s: scope %+v, %v", bounds, v.Scope, err)
		}
	}
}

// Assumptions of scopes are joined; those that are the same are one.
func TestDecideUnion_JoinsAssumptions(t *testing.T) {
	u, _ := scopesOf(t, Bounds{Config: "B+D+2x5"}, oracle.Queue)
	n := 0
	e := Engine{Run: func(context.Context, *Job, Events) (verdict.Verdict, error) {
		n++
		return verdict.Verdict{Status: verdict.Verified, Assumptions: []string{"all", fmt.Sprint(n)},
			Effort: verdict.Effort{Apart: "prints", Confusions: 0.004}}, nil
	}}
	o, err := Usual("queue", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &subject.Subject{Operations: []subject.Operation{{Client: o.List[0]}}}
	v, err := e.DecideUnion(t.Context(), &Job{Subject: s}, u, Events{})
	if err != nil || strings.Join(v.Assumptions, "; ") != "all; 1; 2; states are told apart by prints: fewer than 1e-02 confusions expected" {
		t.Errorf("%q %v", v.Assumptions, err)
	}
}

// Scopes that nobody has asked for are searched while that is cheap. One that is not, or in
// which a limit is reached, costs nobody the verdict.
func TestDecideUnion_SearchesExtraScopesWhileThatIsCheap(t *testing.T) {
	u, o := scopesOf(t, Bounds{}, oracle.Queue)
	s := &subject.Subject{}
	for _, op := range o.List {
		s.Operations = append(s.Operations, subject.Operation{Client: op})
	}
	verified := func(n uint64) verdict.Verdict {
		return verdict.Verdict{Status: verdict.Verified, Effort: verdict.Effort{States: n}}
	}
	limited := verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Limited, Reason: "memory", Effort: verdict.Effort{States: mostExtra / 2}}
	const cheap = mostExtra / 2
	for _, c := range []struct {
		answers []verdict.Verdict // of the engine, one scope after the other
		max     uint64
		status  verdict.Status
		scope   string
		states  uint64
	}{
		{[]verdict.Verdict{verified(1), verified(1), verified(1), verified(1), verified(1), verified(1)}, 0, verdict.Verified, "3x4+2x6+1x5x3", 6},
		{[]verdict.Verdict{verified(cheap + 1)}, 0, verdict.Verified, "D", cheap + 1},
		{[]verdict.Verdict{verified(1), verified(cheap)}, 0, verdict.Verified, "D+1x5x3", cheap + 1},
		{[]verdict.Verdict{verified(1), verified(1), limited}, 0, verdict.Verified, "D+1x5x3", 2},
		{[]verdict.Verdict{verified(100)}, 100, verdict.Verified, "D", 100},
		{[]verdict.Verdict{limited}, mostLarge, verdict.Unknown, "D", cheap},
		{[]verdict.Verdict{verified(1), verified(1), {Status: verdict.Violated}}, 0, verdict.Violated, "D+2x4+1x5x3", 2},
		{[]verdict.Verdict{verified(1), {Status: verdict.Unknown, Cause: verdict.Unsupported}}, 0, verdict.Unknown, "D+1x5x3", 1},
	} {
		n := 0
		e := Engine{Extras: true, Run: func(_ context.Context, j *Job, _ Events) (verdict.Verdict, error) {
			if j.Scope.Extra && (j.MaxStates == 0 || j.MaxStates > mostExtra) {
				t.Errorf("an extra scope may come to %d states", j.MaxStates)
			}
			n++
			return c.answers[n-1], nil
		}}
		v, done, err := e.Exhaust(t.Context(), &Job{Subject: s, Search: Search{MaxStates: c.max}}, u, Events{})
		if err != nil || n != len(c.answers) {
			t.Fatalf("%d scopes searched, %v", n, err)
		}
		if v.Status != c.status || v.Scope.Name() != c.scope || v.States != c.states || len(done) != strings.Count(c.scope, "+")+1 {
			t.Errorf("%s in %s, %d states; want %s in %s, %d states", v.Status, v.Scope.Name(), v.States, c.status, c.scope, c.states)
		}
		refuses := Engine{Extras: true, Run: func(_ context.Context, j *Job, _ Events) (verdict.Verdict, error) {
			if j.Scope.Clients.PreAdds.To > 1 {
				return verdict.Verdict{}, &subject.SetupError{}
			}
			return verified(1), nil
		}}
		if v, err := refuses.DecideUnion(t.Context(), &Job{Subject: s}, u, Events{}); err != nil || v.Scope.Name() != "3x4+2x6" {
			t.Errorf("with one pre-add at most: %s, %v", v.Scope.Name(), err)
		}
		e.Extras, n = false, 0
		if v, err := e.DecideUnion(t.Context(), &Job{Subject: s}, u, Events{}); err != nil || n != 1 || v.Scope.Name() != "D" {
			t.Errorf("%d scopes searched by an engine without extra ones, %s, %v", n, v.Scope.Name(), err)
		}
	}
}

// Beside objects fewer states are cheap, and a scope that leaves a question open is left out.
func TestDecideUnion_SpendsLessWhereStatesAreDear(t *testing.T) {
	u, o := scopesOf(t, Bounds{Config: "D", Beside: []string{"1x5", "2x4", "D"}}, oracle.Counter)
	s := &subject.Subject{}
	for _, op := range o.List {
		s.Operations = append(s.Operations, subject.Operation{Client: op})
	}
	of := func(status verdict.Status, cause verdict.Cause, n uint64) verdict.Verdict {
		return verdict.Verdict{Status: status, Cause: cause, Effort: verdict.Effort{States: n}}
	}
	for _, c := range []struct {
		answers []verdict.Verdict
		status  verdict.Status
		scope   string
	}{
		{[]verdict.Verdict{of(verdict.Verified, "", 1), of(verdict.Verified, "", 1), of(verdict.Verified, "", 1)}, verdict.Verified, "D+2x4+1x5"},
		{[]verdict.Verdict{of(verdict.Verified, "", mostExtra), of(verdict.Verified, "", 1), of(verdict.Verified, "", 1)}, verdict.Verified, "D+2x4+1x5"},
		{[]verdict.Verdict{of(verdict.Verified, "", 1), of(verdict.Unknown, verdict.Limited, 1)}, verdict.Verified, "D"},
		{[]verdict.Verdict{of(verdict.Verified, "", 1), of(verdict.Unknown, verdict.Unsupported, 1)}, verdict.Unknown, "D+1x5"}, // as of a history that is neither right nor wrong
		{[]verdict.Verdict{of(verdict.Verified, "", 1), of(verdict.Unknown, verdict.Diverges, 1)}, verdict.Unknown, "D+1x5"},
		{[]verdict.Verdict{of(verdict.Unknown, verdict.Unsupported, 1)}, verdict.Unknown, "D"},
		{[]verdict.Verdict{of(verdict.Verified, "", 1), of(verdict.Violated, "", 1)}, verdict.Violated, "D+1x5"},
	} {
		n := 0
		e := Engine{Extras: true, Run: func(_ context.Context, j *Job, _ Events) (verdict.Verdict, error) {
			if j.Scope.Extra && j.MaxStates != mostDear {
				t.Errorf("a dear scope may come to %d states", j.MaxStates)
			}
			n++
			return c.answers[n-1], nil
		}}
		v, err := e.DecideUnion(t.Context(), &Job{Subject: s}, u, Events{})
		if err != nil || n != len(c.answers) || v.Status != c.status || v.Scope.Name() != c.scope {
			t.Errorf("%s in %s after %d scopes, %v; want %s in %s after %d", v.Status, v.Scope.Name(), n, err, c.status, c.scope, len(c.answers))
		}
	}
}

// Where the code itself judges, a meter counts the work in all longer scopes and another one that in all extra scopes, and that of a question with a meter of its own in all of them.
func TestDecideUnion_LimitsTheWorkInScopesThatNobodyAskedFor(t *testing.T) {
	u, o := scopesOf(t, Bounds{Config: "D+2x4", Beside: []string{"1x5", "2x5"}, Chosen: true}, oracle.Counter)
	s := &subject.Subject{Self: true}
	for _, op := range o.List {
		s.Operations = append(s.Operations, subject.Operation{Client: op})
	}
	own := vm.NewMeter(7, func() {})
	for _, given := range []*vm.Meter{nil, own} {
		s.Self = true
		var meters []*vm.Meter
		e := Engine{Extras: true, Run: func(_ context.Context, j *Job, _ Events) (verdict.Verdict, error) {
			meters = append(meters, j.Meter)
			return verdict.Verdict{Status: verdict.Verified, Effort: verdict.Effort{States: 1}}, nil
		}}
		if _, err := e.DecideUnion(t.Context(), &Job{Subject: s, Meter: given}, u, Events{}); err != nil || len(meters) != 4 {
			t.Fatal(len(meters), err)
		}
		if meters[0] != given {
			t.Error("the scope that was asked for is limited")
		}
		if meters[1] == nil || meters[2] == nil || meters[3] != meters[2] || (meters[2] == meters[1]) != (given != nil) || given != nil && meters[1] != given {
			t.Errorf("other scopes: %v", meters[1:])
		}
		meters, s.Self = nil, false
		if _, err := e.DecideUnion(t.Context(), &Job{Subject: s, Meter: given}, u, Events{}); err != nil || slices.ContainsFunc(meters, func(m *vm.Meter) bool { return m != given }) {
			t.Error("scopes are limited though an oracle judges", err)
		}
	}
}

// Of the scopes that were chosen for a collection only the first was asked for: a search of the second that reaches a limit does not make
// what holds in the first unknown. Where the user has named both, it does.
func TestDecideUnion_DropsALongerScopeThatReachesALimit(t *testing.T) {
	limited := verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Limited, Reason: "time", Effort: verdict.Effort{States: 7}}
	unsupported := verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Unsupported, Effort: verdict.Effort{States: 7}}
	verified := verdict.Verdict{Status: verdict.Verified, Effort: verdict.Effort{States: 1}}
	for _, c := range []struct {
		chosen  bool
		answers []verdict.Verdict
		status  verdict.Status
		scope   string
		dropped string
	}{
		{true, []verdict.Verdict{verified, limited}, verdict.Verified, "D", "2x4: time"},
		{true, []verdict.Verdict{verified, verified}, verdict.Verified, "D+2x4", ""},
		{true, []verdict.Verdict{verified, unsupported}, verdict.Unknown, "D+2x4", ""},
		{true, []verdict.Verdict{verified, {Status: verdict.Violated}}, verdict.Violated, "D+2x4", ""},
		{true, []verdict.Verdict{limited}, verdict.Unknown, "D+2x4", ""},
		{false, []verdict.Verdict{verified, limited}, verdict.Unknown, "D+2x4", ""},
	} {
		u, o := scopesOf(t, Bounds{Config: "D+2x4", Chosen: c.chosen}, oracle.Counter)
		s := &subject.Subject{}
		for _, op := range o.List {
			s.Operations = append(s.Operations, subject.Operation{Client: op})
		}
		n := 0
		ctx, stop := context.WithCancel(t.Context())
		e := Engine{Extras: true, Run: func(context.Context, *Job, Events) (verdict.Verdict, error) {
			if n++; n == len(c.answers) && c.status == verdict.Unknown { // the time is over
				stop()
			}
			return c.answers[n-1], nil
		}}
		v, err := e.DecideUnion(ctx, &Job{Subject: s}, u, Events{})
		stop()
		if dropped := strings.Join(v.DroppedTexts(), "; "); err != nil || n != len(c.answers) || v.Status != c.status || v.Scope.Name() != c.scope || dropped != c.dropped {
			t.Errorf("chosen %v: %s in %s, dropped %q, after %d scopes, %v; want %s in %s, dropped %q", c.chosen, v.Status, v.Scope.Name(), dropped, n, err, c.status, c.scope, c.dropped)
		}
	}
}

// Extra scopes are smaller than a longer one, so that they are searched behind one that reaches a limit, with what it has left of the limit on states.
func TestDecideUnion_SearchesExtraScopesBehindALongerOne(t *testing.T) {
	limited := verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Limited, Reason: "work", Effort: verdict.Effort{States: 7}}
	verified := verdict.Verdict{Status: verdict.Verified, Effort: verdict.Effort{States: 1}}
	for _, c := range []struct {
		answers []verdict.Verdict
		max     uint64
		status  verdict.Status
		scope   string
		dropped string
		limits  []uint64
	}{
		{[]verdict.Verdict{verified, limited, verified, verified}, 100, verdict.Verified, "3x4+1x5", "2x6: work", []uint64{100, 99, 92, 91}},
		{[]verdict.Verdict{verified, limited, {Status: verdict.Violated}}, 0, verdict.Violated, "3x4", "2x6: work", []uint64{mostLarge / tried, 0, mostDear}},
		{[]verdict.Verdict{verified, limited, limited}, 0, verdict.Verified, "D", "2x6, 3x4: work; 1x5: not begun, behind 3x4", []uint64{mostLarge / tried, 0, mostDear}},
		{[]verdict.Verdict{verified, limited}, 8, verdict.Verified, "D", "2x6: work; 3x4, 1x5: not begun: the limit of 8 states is reached", []uint64{8, 7}},
	} {
		u, o := scopesOf(t, Bounds{Config: "D+2x6", Beside: []string{"3x4", "1x5"}, Chosen: true}, oracle.Counter)
		s := &subject.Subject{}
		for _, op := range o.List {
			s.Operations = append(s.Operations, subject.Operation{Client: op})
		}
		var limits []uint64
		e := Engine{Extras: true, Run: func(_ context.Context, j *Job, _ Events) (verdict.Verdict, error) {
			limits = append(limits, j.MaxStates)
			return c.answers[len(limits)-1], nil
		}}
		v, err := e.DecideUnion(t.Context(), &Job{Subject: s, Search: Search{MaxStates: c.max}}, u, Events{})
		if dropped := strings.Join(v.DroppedTexts(), "; "); err != nil || !slices.Equal(limits, c.limits) || v.Status != c.status || v.Scope.Name() != c.scope || dropped != c.dropped {
			t.Errorf("%s in %s, dropped %q, limits %d, %v; want %s in %s, dropped %q, limits %d", v.Status, v.Scope.Name(), dropped, limits, err, c.status, c.scope, c.dropped, c.limits)
		}
	}
}

// The usual scope is given up if it, or what is searched in its place, has too many states, unless somebody has asked for it or for a number of states. The
// verdict names what it was searched in, and says what was given up.
func TestDecideUnion_SearchesSmallerScopesInPlaceOfALargeOne(t *testing.T) {
	answer := func(status verdict.Status, states uint64) verdict.Verdict {
		return verdict.Verdict{Status: status, Effort: verdict.Effort{States: states, Seconds: 1}}
	}
	verified, violated := answer(verdict.Verified, 1), answer(verdict.Violated, 1)
	dear, half := answer(verdict.Verified, mostExtra), answer(verdict.Verified, mostLarge/within/2)
	limited := func(states uint64) verdict.Verdict {
		return verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Limited, Reason: "limited", Effort: verdict.Effort{States: states, Transitions: 9, Seconds: 1}}
	}
	many, late, unsupported := limited(mostLarge), limited(1), limited(mostLarge)
	late.Reason = "late"
	unsupported.Cause = verdict.Unsupported
	const first, all = mostLarge / tried, mostLarge
	for _, c := range []struct {
		name    string
		bounds  Bounds
		kind    oracle.Kind
		self    bool
		max     uint64
		answers []verdict.Verdict // the limit on time is reached with one that is called late
		status  verdict.Status
		scope   string
		dropped string
		limits  []uint64
	}{
		{"small enough", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{limited(first), verified, verified, dear}, verdict.Verified, "D", "", []uint64{first, all, all, all}},
		{"as many as may be", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{limited(first), half, half, dear}, verdict.Verified, "D", "", []uint64{first, all, all, all}},
		{"extra scopes follow", Bounds{}, oracle.Counter, false, 0, []verdict.Verdict{limited(first), verified, verified, verified, limited(mostExtra)}, verdict.Verified, "D+1x5x3", "2x4: limited; 2x5, 3x4, 2x6: not begun, behind 2x4", []uint64{first, all, all, mostExtra, mostExtra}},
		{"violated after all", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{limited(first), verified, verified, violated}, verdict.Violated, "D", "", []uint64{first, all, all, all}},
		{"not supported after all", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{limited(first), verified, verified, unsupported}, verdict.Unknown, "D", "", []uint64{first, all, all, all}},
		{"too large after all", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{limited(first), verified, verified, many}, verdict.Verified, "3x3x0+2x3", "D: more than 1048576 states", []uint64{first, all, all, all}},
		{"the limit on time comes then", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{limited(first), verified, verified, late}, verdict.Verified, "3x3x0+2x3", "D: more than 131072 states, and then: late", []uint64{first, all, all, all}},
		{"one more than may be", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{limited(first), half, answer(verdict.Verified, mostLarge/within/2+1)}, verdict.Verified, "3x3x0+2x3", "D: more than 131072 states, and smaller scopes have 262145", []uint64{first, all, all}},
		{"another limit first", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{limited(7), verified, verified, dear}, verdict.Verified, "D", "", []uint64{first, all, all, all}},
		{"another limit, and smaller ones have many", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{limited(7), half, dear, limited(9)}, verdict.Verified, "3x3x0+2x3", "D: limited, and then: limited", []uint64{first, all, all, all}},
		{"the limit on time comes first", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{late}, verdict.Unknown, "D", "", []uint64{first}},
		{"the limit on time comes in a smaller one", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{many, verified, late}, verdict.Unknown, "3x3x0+2x3", "D: more than 131072 states", []uint64{first, all, all}},
		{"violated in the first", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{many, violated}, verdict.Violated, "2x3", "D: more than 131072 states", []uint64{first, all}},
		{"violated in the second", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{many, verified, violated}, verdict.Violated, "3x3x0+2x3", "D: more than 131072 states", []uint64{first, all, all}},
		{"the second is large, too", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{many, verified, many}, verdict.Verified, "2x3", "D: more than 131072 states; 3x3x0: more than 1048576 states", []uint64{first, all, all}},
		{"all are large", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{many, many, many, verified}, verdict.Verified, "2x2", "D: more than 131072 states; 2x3, 3x3x0: more than 1048576 states", []uint64{first, all, all, 0}},
		{"so is the last", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{many, many, many, many}, verdict.Unknown, "2x2", "D: more than 131072 states; 2x3, 3x3x0: more than 1048576 states", []uint64{first, all, all, 0}},
		{"nothing is added before", Bounds{}, oracle.Counter, false, 0, []verdict.Verdict{many, verified, dear}, verdict.Verified, "D", "", []uint64{first, all, all}},
		{"judged by itself", Bounds{}, oracle.Counter, true, 0, []verdict.Verdict{many, answer(verdict.Verified, mostLargeSelf/within+1)}, verdict.Verified, "2x3", "D: more than 65536 states, and smaller scopes have 131073", []uint64{mostLargeSelf / tried, mostLargeSelf}},
		{"longer ones were chosen", Bounds{Config: "D+2x6", Beside: []string{"3x4"}, Chosen: true}, oracle.Counter, false, 0, []verdict.Verdict{many, verified, many}, verdict.Verified, "2x3", "D: more than 1048576 states", []uint64{first, all, all}},
		{"not supported", Bounds{}, oracle.Set, false, 0, []verdict.Verdict{unsupported}, verdict.Unknown, "D", "", []uint64{first}},
		{"asked for", Bounds{Config: "D"}, oracle.Set, false, 0, []verdict.Verdict{many}, verdict.Unknown, "D", "", []uint64{0}},
		{"with a limit", Bounds{}, oracle.Set, false, 2 * mostLarge, []verdict.Verdict{many}, verdict.Unknown, "D", "", []uint64{2 * mostLarge}},
	} {
		u, o := scopesOf(t, c.bounds, c.kind)
		s := &subject.Subject{Self: c.self}
		for _, op := range o.List {
			s.Operations = append(s.Operations, subject.Operation{Client: op})
		}
		var limits []uint64
		var last verdict.Verdict
		ctx, stop := context.WithCancel(t.Context())
		e := Engine{Extras: true, Run: func(_ context.Context, j *Job, _ Events) (verdict.Verdict, error) {
			if limits = append(limits, j.MaxStates); len(limits) > len(c.answers) {
				return verdict.Verdict{}, errors.New("searches " + j.Scope.Plain().Name())
			}
			if j.Whether != (j.MaxStates > 0 && c.max == 0 && !j.Scope.Extra) {
				t.Errorf("%s: a limit of %d states, and several workers may search: %v", c.name, j.MaxStates, j.Whether)
			}
			if last = c.answers[len(limits)-1]; last.Reason == "late" {
				stop()
			}
			return last, nil
		}}
		v, err := e.DecideUnion(ctx, &Job{Subject: s, Search: Search{MaxStates: c.max}}, u, Events{})
		if dropped := strings.Join(v.DroppedTexts(), "; "); err != nil || !slices.Equal(limits, c.limits) || v.Status != c.status || v.Scope.Name() != c.scope || dropped != c.dropped {
			t.Errorf("%s: %s in %s, dropped %q, limits %d, %v; want %s in %s, dropped %q, limits %d", c.name, v.Status, v.Scope.Name(), dropped, limits, err, c.status, c.scope, c.dropped, c.limits)
		}
		stop()
		if v.Seconds != float64(len(c.answers)) {
			t.Errorf("%s: %v seconds of %d searches that took one each", c.name, v.Seconds, len(c.answers))
		}
		if c.scope == "D" && v.States != last.States {
			t.Errorf("%s: %d states, want those of D, %d", c.name, v.States, last.States)
		}
		why, _, _ := strings.Cut(strings.TrimPrefix(c.dropped, "D: "), "; ")
		said := slices.Contains(v.Assumptions, "the usual scope, D, is not judged as a whole ("+why+"): -config D searches it to its end")
		if said != (strings.HasPrefix(c.dropped, "D: ") && c.status == verdict.Verified) {
			t.Errorf("%s: %q", c.name, v.Assumptions)
		}
	}
}

// A smaller scope has the name of the configuration that somebody would ask for, and is what he would get.
func TestSmaller_AreTheConfigurationsOfTheirNames(t *testing.T) {
	for _, kind := range kinds {
		u, o := scopesOf(t, Bounds{}, kind)
		instead, err := u[0].smaller(o.List)
		if err != nil || len(instead) == 0 {
			t.Fatalf("%s: %v, %v", kind, instead, err)
		}
		for _, s := range instead {
			asked, _ := scopesOf(t, Bounds{Config: s.Preset}, kind)
			if asked[0].Large = s.Large; s != asked[0] {
				t.Errorf("%s: %s is %+v, want %+v", kind, s.Preset, s, asked[0])
			}
		}
	}
}

// Clients and states of a verdict are those of its scope. A scope that was begun and dropped, and those that a limit of the
// user's kept from being begun, are named.
func TestDecideUnion_NamesWhatItDrops(t *testing.T) {
	u, o := scopesOf(t, Bounds{}, oracle.Queue)
	s := &subject.Subject{}
	for _, op := range o.List {
		s.Operations = append(s.Operations, subject.Operation{Client: op})
	}
	answer := func(status verdict.Status, states uint64, clients json.Number) verdict.Verdict {
		v := verdict.Verdict{Status: status, Effort: verdict.Effort{Clients: clients, States: states, Transitions: states, Seconds: 1, PeakBytes: int64(states)}}
		if status == verdict.Unknown {
			v.Cause, v.Reason = verdict.Limited, "memory"
		}
		return v
	}
	d := answer(verdict.Verified, 10, "292")
	for _, c := range []struct {
		name    string
		answers []verdict.Verdict
		max     uint64
		dropped string
		seconds float64
	}{
		{"the first that is begun", []verdict.Verdict{d, answer(verdict.Unknown, 700, "58")}, 0, "1x5x3: memory; 2x4, 2x5, 3x4, 2x6: not begun, behind 1x5x3", 2},
		{"none is begun", []verdict.Verdict{d}, 10, "1x5x3, 2x4, 2x5, 3x4, 2x6: not begun: the limit of 10 states is reached", 1},
		{"none would be cheap", []verdict.Verdict{answer(verdict.Verified, mostExtra/2+1, "292")}, 0, "", 1},
		{"none would be cheap, and a limit is reached", []verdict.Verdict{answer(verdict.Verified, mostExtra/2+1, "292")}, mostExtra/2 + 1, "", 1},
	} {
		n := 0
		e := Engine{Extras: true, Run: func(context.Context, *Job, Events) (verdict.Verdict, error) {
			n++
			return c.answers[n-1], nil
		}}
		v, err := e.DecideUnion(t.Context(), &Job{Subject: s, Search: Search{MaxStates: c.max}}, u, Events{})
		if err != nil || v.Scope.Name() != "D" || v.Clients != "292" || v.States != c.answers[0].States || v.Transitions != v.States || v.Seconds != c.seconds {
			t.Errorf("%s: %s, %s clients, %d states, %f seconds, %v", c.name, v.Scope.Name(), v.Clients, v.States, v.Seconds, err)
		}
		if dropped := strings.Join(v.DroppedTexts(), "; "); dropped != c.dropped {
			t.Errorf("%s: dropped %q, want %q", c.name, dropped, c.dropped)
		}
	}
}
