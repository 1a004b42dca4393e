// SPDX-License-Identifier: BSD-3-Clause

package client

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"pangolin/oracle"
)

// Space is a validated scope with the operations it is about.
type Space struct {
	Scope Scope
	Ops   []Op
	add   int  // index of the operation that pre-adds
	last  bool // what is called once is called last
	first bool // something is called before all others
}

// NewSpace reports contradictory bounds, pre-adds without an operation that adds,
// and rankings of several priorities per call.
func NewSpace(s Scope, ops []Op) (*Space, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if len(ops) == 0 {
		return nil, fmt.Errorf("no operations")
	}
	sp := &Space{Scope: s, Ops: ops, add: slices.IndexFunc(ops, func(op Op) bool { return op.Effect == Adds }),
		last:  slices.ContainsFunc(ops, func(op Op) bool { return op.Who.Last }),
		first: slices.ContainsFunc(ops, func(op Op) bool { return op.Who.First })}
	if s.PreAdds.To > 0 && sp.add < 0 {
		return nil, fmt.Errorf("pre-adds %s: none of the operations adds", s.PreAdds)
	}
	if sp.first && s.DistinctPriorities {
		return nil, fmt.Errorf("distinct priorities, and an operation that is called first: give the roles without it")
	}
	if s.DistinctPriorities && s.Calls()+s.PreAdds.To > mostRanked && slices.ContainsFunc(ops, func(op Op) bool { return op.Who.Once }) {
		return nil, fmt.Errorf("distinct priorities, and an operation that is called once: more than %d adds", mostRanked)
	}
	return sp, nil
}

// HasLast says that one of the operations is called last.
func (sp *Space) HasLast() bool { return sp.last }

// mostRanked is how many priorities a plan can tell apart beside what has been called once.
const mostRanked = 23

// Adder is the operation that makes all pre-adds; nil if there are none.
func (sp *Space) Adder() *Op {
	if sp.Scope.PreAdds.To == 0 {
		return nil
	}
	return &sp.Ops[sp.add]
}

// class is a set of step sequences that count alike: of one length, with one surplus of adds
// over removes where that matters, so many adds that are ranked, and so many calls of
// what is called once, 2 for more. Begun is 1 if there is a call of what need not come first; it does not matter to sums.
type class struct{ length, surplus, ranked, once, begun int }

// total is the sum of the classes of sequences that some threads have, with the number of the threads.
type total struct {
	class
	threads int
}

// Count is the number of clients, without listing them; nil if the scope has any number of calls, and so infinitely many clients. Time grows with the
// number of classes of sequences (polynomially in the bounds), not with the
// number of clients.
//
// With distinct priorities the rankings of A adds are A! labellings of the
// client; a multiset of sequences has A!/prod(m!) different ones, where m are the
// multiplicities of the sequences that hold a ranked add: those become different
// by their labels, whereas sequences without labels remain interchangeable.
// So ranked sequences are counted like labelled objects (N^m/m! ways), the
// others as multisets (N+m-1 choose m ways).
func (sp *Space) Count() *big.Int {
	if sp.Scope.Endless {
		return nil
	}
	sum := new(big.Rat)
	all := sp.groupTotals()
	for p := sp.Scope.PreAdds.From; p <= sp.Scope.PreAdds.To; p++ {
		for t, ways := range all {
			if !sp.fits(t, p) {
				continue
			}
			term := new(big.Rat).SetInt(sp.labellings(p, t.ranked))
			sum.Add(sum, term.Mul(term, ways))
		}
	}
	if !sum.IsInt() {
		panic("client: the count " + sum.String() + " is not whole")
	}
	return sum.Num()
}

// fits reports whether a total lies in the scope with p pre-adds.
func (sp *Space) fits(t total, p int) bool {
	s, steps := sp.Scope, sp.Scope.steps(t.threads)
	return t.threads >= s.Threads.From && t.threads <= s.Threads.To &&
		t.length >= steps.From && t.length <= steps.To &&
		(!s.AddsDominant || p+t.surplus >= 0) && t.once <= 1
}

// labellings is the number of ways to choose what is open when the whole client is known:
// rankings of p pre-adds and the ranked adds of the threads, and the arguments of the
// pre-adds that range over the values. (Those of the threads are counted with the steps.)
func (sp *Space) labellings(p, ranked int) *big.Int {
	ways := big.NewInt(1)
	if p > 0 {
		for _, param := range sp.Ops[sp.add].Params {
			switch {
			case param == oracle.ParamKey:
			case sp.enumerated(param):
				ways.Mul(ways, new(big.Int).Exp(big.NewInt(int64(sp.Scope.Values)), big.NewInt(int64(p)), nil))
			case param == oracle.ParamPriority:
				ranked += p
			}
		}
	}
	return ways.Mul(ways, new(big.Int).MulRange(1, int64(ranked)))
}

// group is a set of threads that may call the same operations, in order.
type group struct {
	threads []int
	allowed []int // indices of operations
}

// groups partitions the threads 0..Threads.To-1 by their roles, in the order of
// their first members.
func (sp *Space) groups() []group {
	var out []group
	for thread := range sp.Scope.Threads.To {
		var allowed []int
		for i, op := range sp.Ops {
			if op.Who.Allows(thread) {
				allowed = append(allowed, i)
			}
		}
		at := slices.IndexFunc(out, func(g group) bool { return slices.Equal(g.allowed, allowed) })
		if at < 0 {
			at = len(out)
			out = append(out, group{allowed: allowed})
		}
		out[at].threads = append(out[at].threads, thread)
	}
	return out
}

// groupTotals counts the choices of sequences over all groups.
func (sp *Space) groupTotals() map[total]*big.Rat {
	all := map[total]*big.Rat{{}: big.NewRat(1, 1)}
	for _, g := range sp.groups() {
		classes := sp.classes(g.allowed)
		if sp.Scope.ThreadSymmetry {
			all = sp.product(all, sp.multisets(classes, len(g.threads)))
		} else {
			all = sp.product(all, sp.tuples(classes, len(g.threads)))
		}
	}
	return all
}

// multisets counts multisets of at most n sequences.
func (sp *Space) multisets(classes map[class]*big.Int, n int) map[total]*big.Rat {
	out := map[total]*big.Rat{{}: big.NewRat(1, 1)}
	for c, count := range classes {
		choices := map[total]*big.Rat{{}: big.NewRat(1, 1)}
		for m := 1; m <= n && m*c.length <= sp.maxSteps(); m++ {
			choices[c.times(m)] = multiplicity(count, m, c.ranked > 0)
		}
		out = sp.product(out, choices)
	}
	for t := range out {
		if t.threads > n {
			delete(out, t)
		}
	}
	return out
}

// tuples counts ordered choices of at most n sequences.
func (sp *Space) tuples(classes map[class]*big.Int, n int) map[total]*big.Rat {
	single := make(map[total]*big.Rat)
	for c, count := range classes {
		addTo(single, c.times(1), new(big.Rat).SetInt(count))
	}
	last := map[total]*big.Rat{{}: big.NewRat(1, 1)}
	out := maps.Clone(last)
	for range n {
		last = sp.product(last, single)
		for t, ways := range last {
			addTo(out, t, ways)
		}
	}
	return out
}

// multiplicity is the number of ways to take m of count sequences.
func multiplicity(count *big.Int, m int, labelled bool) *big.Rat {
	if labelled {
		power := new(big.Int).Exp(count, big.NewInt(int64(m)), nil)
		return new(big.Rat).SetFrac(power, new(big.Int).MulRange(1, int64(m)))
	}
	ways := big.NewInt(1) // (count+m-1) choose m, count being large or small
	for i := range int64(m) {
		ways.Mul(ways, new(big.Int).Add(count, big.NewInt(i)))
		ways.Quo(ways, big.NewInt(i+1))
	}
	return new(big.Rat).SetInt(ways)
}

func (c class) times(m int) total {
	return total{class{length: m * c.length, surplus: m * c.surplus, ranked: m * c.ranked, once: m * c.once}, m}
}

func (t total) plus(u total) total {
	return total{class{length: t.length + u.length, surplus: t.surplus + u.surplus, ranked: t.ranked + u.ranked, once: t.once + u.once}, t.threads + u.threads}
}

func addTo(m map[total]*big.Rat, t total, ways *big.Rat) {
	if have, ok := m[t]; ok {
		m[t] = new(big.Rat).Add(have, ways)
	} else {
		m[t] = ways
	}
}

// product combines choices, leaving out what exceeds the bounds already.
func (sp *Space) product(a, b map[total]*big.Rat) map[total]*big.Rat {
	out := make(map[total]*big.Rat)
	for t, x := range a {
		for u, y := range b {
			sum := t.plus(u)
			if sum.threads <= sp.Scope.Threads.To && sum.length <= sp.maxSteps() && sum.once <= 1 {
				addTo(out, sum, new(big.Rat).Mul(x, y))
			}
		}
	}
	return out
}

func (sp *Space) maxSteps() int { return sp.Scope.steps(sp.Scope.Threads.To).To }

// classes counts the sequences over the given operations, by class, arguments
// that are not assigned later included.
func (sp *Space) classes(allowed []int) map[class]*big.Int {
	longest, only := sp.maxSteps(), 0
	if sp.Scope.PerThread > 0 {
		longest, only = sp.Scope.PerThread, sp.Scope.PerThread
	}
	out := make(map[class]*big.Int)
	last := map[class]*big.Int{{}: big.NewInt(1)}
	for length := 1; length <= longest; length++ {
		next := make(map[class]*big.Int)
		for c, n := range last {
			sp.appendStep(next, c, n, allowed)
		}
		last = next
		if only == 0 || only == length {
			maps.Copy(out, last)
		}
	}
	return out
}

// appendStep adds to next the sequences that continue the n ones of a class.
func (sp *Space) appendStep(next map[class]*big.Int, c class, n *big.Int, allowed []int) {
	for _, i := range allowed {
		d, ways := sp.extend(c, i), big.NewInt(int64(sp.variants(i)))
		if next[d] == nil {
			next[d] = new(big.Int)
		}
		next[d].Add(next[d], ways.Mul(ways, n))
	}
}

func (sp *Space) extend(c class, op int) class {
	c.length++
	if c.once > 0 && sp.last {
		c.once = 2 // a call behind the last one: no client's
	}
	switch {
	case !sp.Scope.AddsDominant:
	case sp.Ops[op].Effect == Adds:
		c.surplus++
	case sp.Ops[op].Effect == Removes:
		c.surplus--
	}
	if sp.ranked(op) {
		c.ranked++
	}
	if sp.Ops[op].Who.Once {
		c.once = min(2, c.once+1)
	}
	switch first := sp.Ops[op].Who.First; {
	case first && c.begun > 0:
		c.once = 2 // behind another call: no client's
	case !first && sp.first:
		c.begun = 1
	}
	return c
}

// ranked reports whether calls of the operation take part in the ranking.
func (sp *Space) ranked(op int) bool {
	return sp.Scope.DistinctPriorities && slices.Contains(sp.Ops[op].Params, oracle.ParamPriority)
}

// variants is the number of argument lists that a step of the operation
// ranges over; arguments assigned later count once.
func (sp *Space) variants(op int) int {
	n := 1
	for _, p := range sp.Ops[op].Params {
		switch {
		case p == oracle.ParamThread:
		case p == oracle.ParamChoice:
			n *= 2
		case p == oracle.ParamChoice3:
			n *= 3
		case sp.enumerated(p):
			n *= sp.Scope.Values
		}
	}
	return n
}

// enumerated reports whether a parameter ranges over M values, rather than being
// assigned when the whole client is known.
func (sp *Space) enumerated(p oracle.Param) bool {
	switch p {
	case oracle.ParamItem:
		return !sp.Scope.GenericValues
	case oracle.ParamPriority:
		return !sp.Scope.DistinctPriorities
	}
	return true
}
