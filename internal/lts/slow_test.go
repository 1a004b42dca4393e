// SPDX-License-Identifier: BSD-3-Clause

package lts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
)

// The obvious second implementations: signatures until nothing changes, and sets of
// states.

// bisimulations lists the equivalences that partition states.
func bisimulations() (list []Equivalence) {
	for _, e := range Equivalences() {
		if !e.Traces() {
			list = append(list, e)
		}
	}
	return list
}

// slowPartition refines one class by signatures until nothing changes.
func slowPartition(s *System, e Equivalence) []int {
	n := s.States()
	of := make([]int, n)
	for count := 1; ; {
		names := map[string]int{}
		next := make([]int, n)
		for i := range n {
			text := fmt.Sprint(of[i], " ", slowSignature(s, e, of, State(i)))
			c, ok := names[text]
			if !ok {
				c = len(names)
				names[text] = c
			}
			next[i] = c
		}
		of = next
		if len(names) == count {
			return of
		}
		count = len(names)
	}
}

// slowSignature is what a state can do: of branching bisimulation, behind internal steps
// within the class; of weak bisimulation, behind any.
func slowSignature(s *System, e Equivalence, of []int, at State) string {
	set := map[string]bool{}
	for _, mid := range slowInner(s, e, of, at) {
		for _, x := range s.Edges(mid) {
			inside := x.Label == Tau && of[x.To] == of[at] && (e == Branching || e == DivergenceBranching)
			if inside || x.Label == Tau && e == Weak {
				continue
			}
			ends := []State{x.To}
			if e == Weak {
				ends = slowInner(s, e, of, x.To)
			}
			for _, end := range ends {
				set[fmt.Sprint(x.Label, "-", of[end])] = true
			}
		}
		if e == Weak {
			set[fmt.Sprint("tau-", of[mid])] = true
		}
	}
	if e == DivergenceBranching && slowDiverges(s, of, at) {
		set["diverges"] = true
	}
	list := make([]string, 0, len(set))
	for x := range set {
		list = append(list, x)
	}
	sort.Strings(list)
	return strings.Join(list, " ")
}

// slowInner lists the states that internal steps lead to, under branching bisimulation without
// leaving the class.
func slowInner(s *System, e Equivalence, of []int, at State) []State {
	list := []State{at}
	if e == Strong {
		return list
	}
	for k := 0; k < len(list); k++ {
		for _, x := range s.Edges(list[k]) {
			if x.Label == Tau && (e == Weak || of[x.To] == of[at]) && !slices.Contains(list, x.To) {
				list = append(list, x.To)
			}
		}
	}
	return list
}

// slowDiverges says that internal steps within the class go on for ever.
func slowDiverges(s *System, of []int, at State) bool {
	inner := slowInner(s, Branching, of, at)
	alive := map[State]bool{}
	for _, x := range inner {
		alive[x] = true
	}
	for changed := true; changed; {
		changed = false
		for _, x := range inner {
			if !alive[x] {
				continue
			}
			goes := false
			for _, y := range s.Edges(x) {
				goes = goes || y.Label == Tau && alive[y.To]
			}
			if !goes {
				alive[x], changed = false, true
			}
		}
	}
	return alive[at]
}

// random makes a system with few states and labels, many of its steps internal.
func random(r *rand.Rand) *System {
	n := 1 + r.IntN(7)*(1+r.IntN(3))
	b := NewBuilder(0)
	labels := []Label{Tau, Tau, b.Label("a"), b.Label("b")}
	for range r.IntN(3*n + 1) {
		b.Add(State(r.IntN(n)), labels[r.IntN(2+r.IntN(3))], State(r.IntN(n)))
	}
	b.SetStates(n)
	b.SetInitial(State(r.IntN(n)))
	return b.Build()
}

// dump writes a system down for a message.
func dump(s *System) string {
	var b strings.Builder
	fmt.Fprintf(&b, "initial %d of %d:", s.Initial(), s.States())
	for i := range s.States() {
		for _, e := range s.Edges(State(i)) {
			fmt.Fprintf(&b, " %d-%s->%d", i, s.Labels()[e.Label], e.To)
		}
	}
	return b.String()
}
