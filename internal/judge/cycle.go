// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"fmt"
	"slices"
	"strings"
)

// Cycles of dependencies, and what they are called.

// Dependency says why a transaction comes before the next one of a cycle.
type Dependency struct {
	Call int // the transaction, as a number of the witness
	Text string
}

// cyclic is the outcome of a graph with a cycle.
func (s *serializer) cyclic() outcome {
	got := outcome{status: Violated, way: waySerial}
	cycle := s.g.cycle(s.nodes)
	begin := slices.IndexFunc(cycle, func(n int32) bool { return int(s.g.arcs[n].from) < s.nodes })
	cycle = append(slices.Clone(cycle[begin:]), cycle[:begin]...)
	var of []int32
	var reasons []arc
	for _, n := range cycle {
		if a := s.g.arcs[n]; int(a.from) < s.nodes {
			of, reasons = append(of, a.from), append(reasons, a)
		}
	}
	got.calls = s.shown(of, reasons)
	at := func(i int32) int {
		return slices.IndexFunc(got.calls, func(c Call) bool { return c.Begin == s.calls[i].Begin })
	}
	antis, times := 0, ""
	for n, a := range reasons {
		to := of[(n+1)%len(of)]
		got.cycle = append(got.cycle, Dependency{at(a.from), s.reason(a, to)})
		switch a.why {
		case rw:
			antis++
		case byTime:
			times = "-realtime"
		case byClient:
			times = "-process"
		}
	}
	switch {
	case antis > 1:
		got.anomaly = "G2"
	case antis == 1:
		got.anomaly = "G-single"
	case slices.ContainsFunc(reasons, func(a arc) bool { return a.why == wr }):
		got.anomaly = "G1c"
	default:
		got.anomaly = "G0"
	}
	got.anomaly += times
	return got
}

// shown are the transactions of a cycle, and, if these alone have an order, others that show in which order keys were written: first those that read the longest
// lists, then all on the keys of the cycle, as many as are needed.
func (s *serializer) shown(of []int32, reasons []arc) []Call {
	on := map[Value]bool{}
	var more, rest []int32
	for _, a := range reasons {
		if a.why == ww || a.why == rw {
			on[a.key] = true
		}
	}
	for _, k := range s.keys {
		if on[k.key] && k.isList {
			more = append(more, k.longestRead().by)
		}
	}
	for i := range s.calls {
		if slices.ContainsFunc(s.steps[i], func(step Step) bool { return on[step.Key] }) {
			more = append(more, int32(i))
		} else {
			rest = append(rest, int32(i))
		}
	}
	of = slices.Clone(of)
	calls := pick(s.calls, slices.Clone(of)...)
	for _, i := range append(more, rest...) {
		if i < 0 || slices.Contains(of, i) {
			continue
		}
		if explained, _ := explainable(s.j.h, calls, s.j.o.Property); !explained {
			break
		}
		of = append(of, i)
		calls = pick(s.calls, slices.Clone(of)...)
	}
	return calls
}

// Claim says what no order explains.
func (v *Verdict) Claim() string {
	each := "each"
	if len(v.Cycle) < len(v.Witness) {
		each = fmt.Sprintf("each of %d", len(v.Cycle))
	}
	return fmt.Sprintf("%d transactions: %s has to come before the next (%s)", len(v.Witness), each, v.Anomaly)
}

// reason says why a transaction comes before another one.
func (s *serializer) reason(a arc, to int32) string {
	key := s.j.h.Values.Format(a.key)
	other := fmt.Sprintf("line %d", s.calls[to].Line)
	switch a.why {
	case byTime:
		return "it returned before " + other + " began"
	case byClient:
		return "it is an earlier one of the client of " + other
	case wr:
		return other + " read what it left in " + key
	case ww:
		return other + " wrote " + key + " after it"
	}
	return "it read " + key + " as it was before " + other + " wrote there"
}

// Lines are the dependencies of a cycle as text, one a line.
func (v *Verdict) Lines() string {
	var b strings.Builder
	for n, d := range v.Cycle {
		to := v.Cycle[(n+1)%len(v.Cycle)]
		fmt.Fprintf(&b, "  line %d before line %d: %s\n", v.Witness[d.Call].Line, v.Witness[to.Call].Line, d.Text)
	}
	return b.String()
}
