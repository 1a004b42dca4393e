// SPDX-License-Identifier: BSD-3-Clause

package lts

import (
	"fmt"
	"slices"
	"strings"
)

// Formula is a formula of Hennessy-Milner logic, with the until operator of De Nicola and
// Vaandrager (Three logics for branching bisimulation, JACM 1995) for branching bisimulation.
// Exactly one of And and Step is set; both are not: true.
type Formula struct {
	// Negated negates the rest.
	Negated bool
	// And is a conjunction.
	And []*Formula
	// Step is true where a step can be made.
	Step *Step
}

// Step is a formula that holds for a state if a transition with a label leads from it to a state
// for which To holds. For branching bisimulation internal steps may come first, through states for
// all of which While holds, the first included; and if the label is internal, To may hold for the
// state itself. For weak bisimulation internal steps may come before and behind.
type Step struct {
	While *Formula // for branching bisimulation only
	Label string
	// Internal is true for the internal label. Diverges is true if the formula is that internal
	// steps can go on for ever among equivalent states; then no other field is set.
	Internal bool
	Diverges bool
	To       *Formula
}

// True holds of every state.
func True() *Formula { return &Formula{} }

// not is the negation.
func not(f *Formula) *Formula {
	g := *f
	g.Negated = !g.Negated
	return &g
}

// sorted is the formula with the parts of each conjunction sorted by their texts.
func (f *Formula) sorted() *Formula {
	g := *f
	if f.Step != nil && !f.Step.Diverges {
		step := *f.Step
		step.To = step.To.sorted()
		if step.While != nil {
			step.While = step.While.sorted()
		}
		g.Step = &step
	}
	g.And = nil
	for _, part := range f.And {
		g.And = append(g.And, part.sorted())
	}
	slices.SortStableFunc(g.And, func(a, b *Formula) int { return strings.Compare(a.String(), b.String()) })
	return &g
}

func (f *Formula) isTrue() bool { return !f.Negated && len(f.And) == 0 && f.Step == nil }

// String writes the formula: [while φ] <label> φ, and, not, true.
func (f *Formula) String() string {
	text := ""
	switch {
	case f.Step != nil:
		text = f.Step.String()
	case len(f.And) == 0:
		text = "true"
	default:
		var parts []string
		for _, g := range f.And {
			parts = append(parts, g.String())
		}
		text = "(" + strings.Join(parts, " and ") + ")"
	}
	if f.Negated {
		return "not " + text
	}
	return text
}

func (s *Step) String() string {
	if s.Diverges {
		return "diverges"
	}
	text := fmt.Sprintf("<%s>", s.Label)
	if s.While != nil && !s.While.isTrue() {
		text = fmt.Sprintf("[while %s] %s", s.While, text)
	}
	if s.To.isTrue() {
		return text
	}
	return text + " " + s.To.String()
}

// Words is the formula in English: what a state can do for which it holds.
func (f *Formula) Words() string { return f.words(false) }

func (f *Formula) words(negated bool) string {
	negated = negated != f.Negated
	switch {
	case f.Step != nil:
		return f.Step.words(negated)
	case len(f.And) == 0 && negated:
		return "never holds"
	case len(f.And) == 0:
		return "always holds"
	}
	join := " and "
	if negated {
		join = " or "
	}
	var parts []string
	for _, g := range f.And {
		parts = append(parts, g.words(negated))
	}
	return strings.Join(parts, join)
}

func (s *Step) words(negated bool) string {
	can := "can"
	if negated {
		can = "cannot"
	}
	if s.Diverges {
		return can + " make internal steps for ever"
	}
	text := fmt.Sprintf("%s do %s", can, s.Label)
	if s.Internal {
		text = can + " take an internal step"
	}
	if s.While != nil && !s.While.isTrue() {
		text += ", before which it always (" + s.While.Words() + "),"
	}
	if !s.To.isTrue() {
		text += " to where it (" + s.To.Words() + ")"
	}
	return text
}

// Size is the number of steps in the formula.
func (f *Formula) Size() int {
	n := 0
	if f.Step != nil {
		n = 1
		if f.Step.While != nil {
			n += f.Step.While.Size()
		}
		if f.Step.To != nil {
			n += f.Step.To.Size()
		}
	}
	for _, g := range f.And {
		n += g.Size()
	}
	return n
}

// Evaluate tells for which states the formula holds under an equivalence.
func (f *Formula) Evaluate(s *System, e Equivalence) []bool {
	n := e.notion()
	v := &evaluator{s: s, weak: n.saturated()}
	if v.weak {
		v.s = s.saturated()
	}
	if n.diverging {
		v.diverges = s.diverging()
	}
	return v.of(f)
}

// diverging tells which states can make internal steps for ever inside their class.
func (s *System) diverging() []bool {
	p := s.Partition(DivergenceBranching)
	loops := s.endless(p)
	out := make([]bool, s.States())
	for i, c := range p.Of {
		out[i] = loops[c]
	}
	return out
}

// evaluator evaluates formulas by their definition.
type evaluator struct {
	s        *System
	weak     bool
	diverges []bool
}

func (v *evaluator) of(f *Formula) []bool {
	n := v.s.States()
	out := make([]bool, n)
	if f.Step != nil {
		out = v.step(f.Step)
	} else {
		for i := range out {
			out[i] = true
		}
		for _, g := range f.And {
			for i, holds := range v.of(g) {
				out[i] = out[i] && holds
			}
		}
	}
	if f.Negated {
		for i := range out {
			out[i] = !out[i]
		}
	}
	return out
}

func (v *evaluator) step(st *Step) []bool {
	if st.Diverges {
		return slices.Clone(v.diverges)
	}
	n := v.s.States()
	to, out := v.of(st.To), make([]bool, n)
	var while []bool
	if st.While != nil {
		while = v.of(st.While)
	}
	for i := range n {
		for _, e := range v.s.Edges(State(i)) {
			if v.named(e.Label, st) && to[e.To] && (while == nil || while[i]) {
				out[i] = true
			}
		}
	}
	if while == nil {
		return out
	}
	for changed := true; changed; { // internal steps before the transition
		changed = false
		for i := range n {
			for _, e := range v.s.Edges(State(i)) {
				if e.Label == Tau && !out[i] && while[i] && out[e.To] {
					out[i], changed = true, true
				}
			}
		}
	}
	for i := range n {
		out[i] = out[i] || st.Internal && to[i]
	}
	return out
}

func (v *evaluator) named(l Label, st *Step) bool {
	return st.Internal == (l == Tau) && (st.Internal || v.s.labels[l] == st.Label)
}
