// SPDX-License-Identifier: BSD-3-Clause

package lts

// Comparison tells whether the initial states of two systems are equivalent, and if not, why.
type Comparison struct {
	Equivalent bool
	// Trace is, for trace equivalences, a shortest trace that only one of the systems has. First is
	// true if that is the first one.
	Trace []string
	First bool
	// Formula is, for bisimulations, a formula that holds for the first system's initial state and
	// not for the second's.
	Formula *Formula
}

// Compare compares two systems.
func Compare(a, b *System, e Equivalence) Comparison {
	a, b = a.Reachable(), b.Reachable()
	if e.Traces() {
		return compareTraces(a, b, !e.notion().visible)
	}
	if bisimilar(a, b, e) {
		return Comparison{Equivalent: true}
	}
	return Comparison{Formula: distinguish(a, b, e)}
}

// Equivalent is Compare without the reason, which may take longer to find than the answer.
func Equivalent(a, b *System, e Equivalence) bool {
	a, b = a.Reachable(), b.Reachable()
	if e.Traces() {
		return compareTraces(a, b, !e.notion().visible).Equivalent
	}
	return bisimilar(a, b, e)
}

func bisimilar(a, b *System, e Equivalence) bool {
	a, _ = a.condensed(e.notion().visible)
	b, _ = b.condensed(e.notion().visible)
	u, offset := Union(a, b)
	return u.Partition(e).Same(a.initial, offset+b.initial)
}

// compareTraces gives the shorter one, if each system has a trace that the other lacks.
func compareTraces(a, b *System, weak bool) Comparison {
	left, trace := Included(a, b, weak)
	right, other := Included(b, a, weak)
	switch {
	case left && right:
		return Comparison{Equivalent: true}
	case left || !right && len(other) < len(trace):
		return Comparison{Trace: other}
	}
	return Comparison{Trace: trace, First: true}
}
