// SPDX-License-Identifier: BSD-3-Clause

package lts

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// slowWeakTraces lists all traces of at most so many labels, by trying all paths.
func slowTraces(s *System, weak bool, length int) map[string]bool {
	out := map[string]bool{}
	type place struct {
		at    State
		trace string
	}
	seen := map[place]bool{}
	var visit func(p place, n int)
	visit = func(p place, n int) {
		if seen[p] {
			return
		}
		seen[p] = true
		out[p.trace] = true
		for _, e := range s.Edges(p.at) {
			switch {
			case weak && e.Label == Tau:
				visit(place{e.To, p.trace}, n)
			case n < length:
				visit(place{e.To, p.trace + "," + s.Labels()[e.Label]}, n+1)
			}
		}
	}
	visit(place{s.Initial(), ""}, 0)
	return out
}

func TestIncluded_AgreesWithListedTraces(t *testing.T) {
	n := systems() / 20
	for seed := range n {
		r := rand.New(rand.NewPCG(2, uint64(seed)))
		a, b := random(r), random(r)
		if seed%3 == 0 { // nearly the same: differences show late
			b = without(a, r)
		}
		for _, weak := range []bool{false, true} {
			ok, trace := Included(a, b, weak)
			text := ""
			for _, l := range trace {
				text += "," + l
			}
			const length = 4
			as, bs := slowTraces(a, weak, length), slowTraces(b, weak, length)
			shortest := length + 1
			for x := range as {
				if !bs[x] {
					shortest = min(shortest, commas(x))
				}
			}
			switch {
			case ok && shortest <= length:
				t.Fatalf("seed %d: included, but for a trace of %d labels\n%s\n%s", seed, shortest, dump(a), dump(b))
			case !ok && len(trace) <= length && (!as[text] || bs[text] || len(trace) != shortest):
				t.Fatalf("seed %d: trace %q distinguishes, shortest %d\n%s\n%s", seed, text, shortest, dump(a), dump(b))
			case !ok && len(trace) > length && shortest <= length:
				t.Fatalf("seed %d: trace %q is not shortest", seed, text)
			}
			if !ok && (!hasTrace(a, trace, weak) || hasTrace(b, trace, weak)) {
				t.Fatalf("seed %d: trace %q does not distinguish", seed, text)
			}
		}
	}
}

func commas(s string) (n int) {
	for _, c := range s {
		if c == ',' {
			n++
		}
	}
	return n
}

// without takes one transition away.
func without(s *System, r *rand.Rand) *System {
	b := NewBuilder(0)
	for _, l := range s.Labels()[1:] {
		b.Label(l)
	}
	if s.Transitions() == 0 {
		return s
	}
	skip := r.IntN(s.Transitions())
	for i := range s.States() {
		for _, e := range s.Edges(State(i)) {
			if skip != 0 {
				b.Add(State(i), e.Label, e.To)
			}
			skip--
		}
	}
	b.SetStates(s.States())
	b.SetInitial(s.Initial())
	return b.Build()
}

// hasTrace follows a trace with sets.
func hasTrace(s *System, trace []string, weak bool) bool {
	set := map[State]bool{s.Initial(): true}
	closure := func() {
		for changed := weak; changed; {
			changed = false
			for x := range set {
				for _, e := range s.Edges(x) {
					if e.Label == Tau && !set[e.To] {
						set[e.To], changed = true, true
					}
				}
			}
		}
	}
	closure()
	for _, l := range trace {
		next := map[State]bool{}
		for x := range set {
			for _, e := range s.Edges(x) {
				if s.Labels()[e.Label] == l {
					next[e.To] = true
				}
			}
		}
		set = next
		closure()
	}
	return len(set) > 0
}

func TestDeterminise_KeepsTraces(t *testing.T) {
	for seed := range systems() / 50 {
		r := rand.New(rand.NewPCG(3, uint64(seed)))
		s := random(r)
		for _, weak := range []bool{false, true} {
			d := s.Determinise(weak)
			for i := range d.States() {
				list := d.Edges(State(i))
				for k := 1; k < len(list); k++ {
					if list[k].Label == list[k-1].Label {
						t.Fatalf("seed %d: not deterministic", seed)
					}
				}
			}
			for _, pair := range [][2]*System{{s, d}, {d, s}} {
				if ok, trace := Included(pair[0], pair[1], weak); !ok {
					t.Fatalf("seed %d: %q differs", seed, trace)
				}
			}
		}
	}
}

func TestQuotient_IsCanonicalEquivalentAndSmallest(t *testing.T) {
	for seed := range systems() / 20 {
		r := rand.New(rand.NewPCG(4, uint64(seed)))
		s := random(r)
		for _, e := range Equivalences() {
			q := s.Quotient(e)
			if other := shuffled(s, r).Quotient(e); dump(q) != dump(other) {
				t.Fatalf("seed %d, %s: the quotient depends on names\n%s\n%s\n%s", seed, e, dump(s), dump(q), dump(other))
			}
			if e.Traces() {
				continue
			}
			u, offset := Union(s, q)
			if slow := slowPartition(u, e); slow[s.Initial()] != slow[offset+q.Initial()] {
				t.Fatalf("seed %d, %s: the quotient is not equivalent\n%s\n%s", seed, e, dump(s), dump(q))
			}
			slow := slowPartition(s.Reachable(), e)
			if n := slices.Max(slow) + 1; q.States() != n {
				t.Fatalf("seed %d, %s: %d states, want %d", seed, e, q.States(), n)
			}
		}
	}
}

// shuffled renames the states and the labels.
func shuffled(s *System, r *rand.Rand) *System {
	b := NewBuilder(0)
	for _, i := range r.Perm(len(s.Labels())) {
		b.Label(s.Labels()[i])
	}
	to := r.Perm(s.States())
	for i := range s.States() {
		for _, e := range s.Edges(State(i)) {
			b.Add(State(to[i]), b.Label(s.Labels()[e.Label]), State(to[e.To]))
		}
	}
	b.SetStates(s.States())
	b.SetInitial(State(to[s.Initial()]))
	return b.Build()
}

func TestFollow_KnowsTheTracesOfASystem(t *testing.T) {
	for seed := range systems() / 50 {
		r := rand.New(rand.NewPCG(7, uint64(seed)))
		s := random(r)
		f := Follow(s)
		for range 20 {
			at, trace := f.Initial(), []string{}
			for range 1 + r.IntN(5) {
				l := []string{"a", "b", "c"}[r.IntN(3)]
				trace = append(trace, l)
				at = f.Next(at, f.Label(l))
				if has := hasTrace(s, trace, true); has != (at != Lost) {
					t.Fatalf("seed %d: trace %q is one: %v\n%s", seed, trace, has, dump(s))
				}
			}
		}
	}
}
