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

// histories is how many random ones to compare per oracle and property; the
// project's yardstick is 100,000.

func properties() []Property { return []Property{Linear, Sequential, Quiescent} }

func monitor(t testing.TB, spec oracle.Spec, p Property) *HistoryMonitor {
	t.Helper()
	m, err := NewMonitor(oracle.NewAutomaton(spec), p, 4)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func check(t testing.TB, spec oracle.Spec, h history.History, p Property) bool {
	t.Helper()
	j, err := Check(spec, h, p)
	if err != nil {
		t.Fatal(err)
	}
	return j.OK
}

// histories is how many random histories are judged for each oracle and property.
func histories() int {
	if level.More() {
		return 2000
	}
	return 200
}

func TestMonitor_AgreesWithPermutationsOnRandomHistories(t *testing.T) {
	n := histories()
	switch {
	case level.All():
		n = 100_000
	case level.Short():
		n /= 2
	}
	for _, s := range subjects(t) {
		for _, p := range properties() {
			m, rng := monitor(t, s.spec, p), rand.New(rand.NewPCG(7, 7))
			count := map[[2]bool]int{}
			for i := range n {
				h := s.randomHistory(rng, 1+i%3, i%2 == 0)
				want := check(t, s.spec, h, p)
				if got := judged(m, h); got != want {
					t.Fatalf("%s, %s: monitor %t, permutations %t\n%s", s.name, p, got, want, h)
				}
				count[[2]bool{h.Complete(), want}]++
			}
			t.Logf("%-30s %-9s %7d states; complete: %d good %d bad; stuck: %d good %d bad", s.name, p, m.States(),
				count[[2]bool{true, true}], count[[2]bool{true, false}], count[[2]bool{false, true}], count[[2]bool{false, false}])
		}
	}
}

// literal is definition 2.1 without any thought of speed: all permutations, each
// judged as a whole.
func literal(spec oracle.Spec, h history.History, p Property) bool {
	if l, ok := spec.(lenient); ok {
		if p != Linear {
			return literal(l.Spec, h, p)
		}
		return slices.ContainsFunc(l.excused(h), func(h history.History) bool { return literal(l.Spec, h, p) })
	}
	if _, ok := spec.(turning); ok && p == Linear {
		return literalTurns(spec, h)
	}
	stuck := h.Stuck()
	if len(stuck) == 0 {
		return literalOne(spec, h.Operations(), p)
	}
	if partnersStuck(spec, h.Operations()) {
		return false
	}
	for i := range stuck {
		alpha := h.Without(slices.Delete(slices.Clone(stuck), i, i+1))
		if !literalOne(spec, alpha.Operations(), p) {
			return false
		}
	}
	return true
}

// excused lists the histories without some of the calls that may have failed because of others, the whole one first.
func (l lenient) excused(h history.History) []history.History {
	var failed [][2]int // indices of the two events
	for i, x := range h.Events {
		if x.Phase != history.Respond || !l.MayFail(oracle.Call{Op: x.Method, Args: x.Args}, x.Result) {
			continue
		}
		begun := i - 1
		for h.Events[begun].Thread != x.Thread {
			begun--
		}
		others := 0 // in progress when the call begins
		for _, e := range h.Events[:begun] {
			if e.Phase == history.Invoke {
				others++
			} else {
				others--
			}
		}
		if others > 0 || i > begun+1 { // an event in between is one of another call
			failed = append(failed, [2]int{begun, i})
		}
	}
	list := make([]history.History, 1<<len(failed))
	for set := range list {
		list[set].Threads = h.Threads
		for i, e := range h.Events {
			if !slices.ContainsFunc(failed, func(f [2]int) bool {
				return (f[0] == i || f[1] == i) && set>>slices.Index(failed, f)&1 != 0
			}) {
				list[set].Events = append(list[set].Events, e)
			}
		}
	}
	return list
}

// partnersStuck is what is asked besides the definition.
func partnersStuck(spec oracle.Spec, ops []history.Operation) bool {
	return slices.ContainsFunc(ops, func(a history.Operation) bool {
		return !a.Returned && slices.ContainsFunc(ops, func(b history.Operation) bool {
			return !b.Returned && oracle.Partners(spec, callOf(a), callOf(b))
		})
	})
}

func literalOne(spec oracle.Spec, ops []history.Operation, p Property) bool {
	before := precedence(ops, p)
	found := false
	permutationsOf(len(ops), nil, func(order []int) {
		for i, x := range order {
			for _, y := range order[:i] {
				if before[x][y] {
					return
				}
			}
		}
		found = found || accepted(spec, ops, order, spec.Initial())
	})
	return found
}

func permutationsOf(n int, prefix []int, visit func([]int)) {
	if len(prefix) == n {
		visit(prefix)
	}
	for i := range n {
		if !slices.Contains(prefix, i) {
			permutationsOf(n, append(slices.Clone(prefix), i), visit)
		}
	}
}

// accepted judges a sequential history, possibly with a stuck call at its end.
func accepted(spec oracle.Spec, ops []history.Operation, order []int, s oracle.State) bool {
	if len(order) == 0 {
		return spec.Accepting(s)
	}
	op := ops[order[0]]
	if !op.Returned {
		return len(order) == 1 && spec.MayBlock(s, callOf(op))
	}
	outcomes, _ := spec.Outcomes(s, callOf(op))
	for _, o := range outcomes {
		if o.Result == op.Result && accepted(spec, ops, order[1:], o.Next) {
			return true
		}
	}
	return oracle.MayFail(spec, callOf(op), op.Result) && accepted(spec, ops, order[1:], s)
}

func TestCheck_AgreesWithTheLiteralDefinition(t *testing.T) {
	level.SkipShort(t, "tries permutations")
	for _, s := range subjects(t) {
		for _, p := range properties() {
			rng := rand.New(rand.NewPCG(3, 4))
			for i := range 150 {
				h := s.randomHistory(rng, 1+i%2, i%3 == 0)
				if len(h.Operations()) > 6 {
					continue // 720 orders are enough
				}
				if got, want := check(t, s.spec, h, p), literal(s.spec, h, p); got != want {
					t.Fatalf("%s, %s: got %t, want %t\n%s", s.name, p, got, want, h)
				}
			}
		}
	}
}

func TestCheck_GivesAnOrderThatTheOracleFollows(t *testing.T) {
	for _, s := range subjects(t) {
		rng := rand.New(rand.NewPCG(5, 6))
		for i := range 300 {
			h := s.randomHistory(rng, 3, i%2 == 0)
			j, err := Check(s.spec, h, Linear)
			if err != nil {
				t.Fatal(err)
			}
			if !j.OK {
				if j.Why == nil || len(j.Why.DeadEnds) == 0 && j.Why.Partner < 0 {
					t.Fatalf("%s: no explanation\n%s", s.name, h)
				}
				continue
			}
			fits := accepted(s.spec, h.Operations(), j.Order, s.spec.Initial())
			if _, ok := s.spec.(turning); ok {
				fits = fitsInTurn(s.spec, h.Operations(), j.Order)
			}
			if !fits {
				t.Fatalf("%s: order %v does not fit\n%s", s.name, j.Order, h)
			}
		}
	}
}

// L implies SC and QC (COLLECT, after definition 2.1), but for calls that may fail because of others, or meet others that wait: L alone knows of them.
func TestCheck_LinearImpliesTheOthers(t *testing.T) {
	for _, s := range subjects(t) {
		switch s.spec.(type) {
		case lenient, turning:
			continue
		}
		rng := rand.New(rand.NewPCG(8, 9))
		for i := range 200 {
			h := s.randomHistory(rng, 3, i%2 == 0)
			if check(t, s.spec, h, Linear) && (!check(t, s.spec, h, Sequential) || !check(t, s.spec, h, Quiescent)) {
				t.Fatalf("%s:\n%s", s.name, h)
			}
		}
	}
}
