// SPDX-License-Identifier: BSD-3-Clause

package lts

import (
	"math/rand/v2"
	"testing"

	"pangolin/internal/test/level"
)

// Differences of systems are explained, and the explanations hold.

func TestCompare_ExplainsEveryDifference(t *testing.T) {
	n := systems() / 10
	if level.Short() {
		n /= 10
	}
	different := map[Equivalence]int{}
	for seed := range n {
		r := rand.New(rand.NewPCG(5, uint64(seed)))
		a := random(r)
		b := without(a, r)
		if seed%4 == 0 {
			b = random(r)
		}
		u, offset := Union(a, b)
		for _, e := range Equivalences() {
			c := Compare(a, b, e)
			if e.Traces() {
				if !c.Equivalent && (hasTrace(a, c.Trace, e == WeakTrace) != c.First || hasTrace(b, c.Trace, e == WeakTrace) == c.First) {
					t.Fatalf("seed %d, %s: trace %q does not distinguish", seed, e, c.Trace)
				}
				continue
			}
			slow := slowPartition(u, e)
			if same := slow[a.Initial()] == slow[offset+b.Initial()]; c.Equivalent != same {
				t.Fatalf("seed %d, %s: equivalent is %v, signatures say %v\n%s\n%s", seed, e, c.Equivalent, same, dump(a), dump(b))
			}
			if c.Equivalent {
				continue
			}
			different[e]++
			if in, out := c.Formula.Evaluate(a, e)[a.Initial()], c.Formula.Evaluate(b, e)[b.Initial()]; !in || out {
				t.Fatalf("seed %d, %s: %s is %v of the first, %v of the second\n%s\n%s", seed, e, c.Formula, in, out, dump(a), dump(b))
			}
		}
	}
	for _, e := range bisimulations() {
		if different[e] < n/10 {
			t.Errorf("%s: only %d of %d pairs differ", e, different[e], n)
		}
	}
}

// A formula may not tell apart what is equivalent: it is evaluated on quotients, too.
func TestFormula_HoldsOfAQuotientAsOfTheSystem(t *testing.T) {
	for seed := range systems() / 50 {
		r := rand.New(rand.NewPCG(6, uint64(seed)))
		a := random(r)
		b := without(a, r)
		for _, e := range bisimulations() {
			c := Compare(a, b, e)
			if c.Equivalent {
				continue
			}
			if q := b.Quotient(e); c.Formula.Evaluate(q, e)[q.Initial()] {
				t.Fatalf("seed %d, %s: %s holds of the quotient of the second\n%s\n%s", seed, e, c.Formula, dump(a), dump(b))
			}
		}
	}
}

func TestCompare_TheClassicPairs(t *testing.T) {
	system := func(edges ...any) *System {
		b := NewBuilder(0)
		for i := 0; i < len(edges); i += 3 {
			b.Add(State(edges[i].(int)), b.Label(edges[i+1].(string)), State(edges[i+2].(int)))
		}
		return b.Build()
	}
	for _, c := range []struct {
		name    string
		a, b    *System
		equal   []Equivalence
		formula string // under branching bisimulation, or strong if that is finer
	}{
		{"a(b+c) and ab+ac: the choice is made later",
			system(0, "a", 1, 1, "b", 2, 1, "c", 2),
			system(0, "a", 1, 0, "a", 2, 1, "b", 3, 2, "c", 3),
			[]Equivalence{Trace, WeakTrace}, "<a> (<b> and <c>)"},
		{"a and tau.a: only strong bisimulation and traces count internal steps",
			system(0, "a", 1), system(0, "tau", 1, 1, "a", 2),
			[]Equivalence{DivergenceBranching, Branching, Weak, WeakTrace}, ""},
		{"a+tau.b and a+tau.b+b: weak bisimulation does not look at what was passed on the way",
			system(0, "a", 1, 0, "tau", 2, 2, "b", 1), system(0, "a", 1, 0, "tau", 2, 2, "b", 1, 0, "b", 1),
			[]Equivalence{Weak, WeakTrace}, "not [while <a>] <b>"},
		{"a and a with an internal loop: divergence",
			system(0, "a", 1), system(0, "a", 1, 0, "tau", 0),
			[]Equivalence{Branching, Weak, WeakTrace}, ""},
	} {
		for _, e := range Equivalences() {
			want := false
			for _, x := range c.equal {
				want = want || x == e
			}
			got := Compare(c.a, c.b, e)
			if got.Equivalent != want {
				t.Errorf("%s: under %s equivalent is %v", c.name, e, got.Equivalent)
			}
			if e == Branching && c.formula != "" && got.Formula.String() != c.formula {
				t.Errorf("%s: formula %s, want %s", c.name, got.Formula, c.formula)
			}
		}
	}
}

// Two systems with labels that the other one does not have differ, and their union has the labels of both, each once; tau is tau in both.
func TestUnion_KeepsLabelsApart(t *testing.T) {
	one := func(labels ...string) *System {
		b := NewBuilder(len(labels))
		at := b.AddState()
		b.SetInitial(at)
		for _, l := range labels {
			label := Label(Tau)
			if l != "tau" {
				label = b.Visible(l)
			}
			next := b.AddState()
			b.Add(at, label, next)
			at = next
		}
		return b.Build()
	}
	for _, c := range []struct {
		a, b   *System
		labels int // besides tau
		same   bool
	}{
		{one("x"), one("y"), 2, false},
		{one("x", "y"), one("y", "x"), 2, false},
		{one("x"), one("x", "y"), 2, false},
		{one("x"), one("tau"), 1, false},
		{one("tau"), one("x"), 1, false},
		{one("x", "y"), one("x", "y"), 2, true},
		{one(), one(), 0, true},
	} {
		u, offset := Union(c.a, c.b)
		if len(u.Labels()) != 1+c.labels || u.States() != c.a.States()+c.b.States() {
			t.Errorf("the union has the labels %q and %d states\n%s\n%s", u.Labels(), u.States(), dump(c.a), dump(c.b))
		}
		for at := range c.b.States() {
			for i, e := range c.b.Edges(State(at)) {
				if moved := u.Edges(offset + State(at))[i]; u.Labels()[moved.Label] != c.b.Labels()[e.Label] || moved.To != e.To+offset || (moved.Label == Tau) != (e.Label == Tau) {
					t.Errorf("an edge %q of the second is %q", c.b.Labels()[e.Label], u.Labels()[moved.Label])
				}
			}
		}
		for _, e := range Equivalences() {
			if got := Compare(c.a, c.b, e).Equivalent; got != c.same {
				t.Errorf("%s: equivalent is %t\n%s\n%s", e, got, dump(c.a), dump(c.b))
			}
		}
	}
}
