// SPDX-License-Identifier: BSD-3-Clause

package pairs

import (
	"maps"
	"slices"

	"pangolin/oracle"
	"pangolin/verdict"
)

// Bounds is what the certificate bounds, found out from the contents within the bound: each content that can be reached from another is
// looked for by itself, and not by components of their graph as the engine does it.
func (c *Checker) Bounds() verdict.FewItems {
	b := verdict.FewItems{Single: c.head.Roles}
	for op := range c.subject.Operations {
		name := c.subject.Operations[op].Name
		beyond, again := false, false
		for q := range c.contents {
			for _, next := range c.effects(q, op) {
				beyond = beyond || next < 0
				again = again || next >= 0 && c.leads(next, q)
			}
		}
		switch {
		case beyond && again:
			b.Items = c.head.Items
		case beyond:
			b.Used = append(b.Used, name)
		}
		b.Keys = max(b.Keys, c.arguments(op, func(p oracle.Param) bool { return p == oracle.ParamKey }))
		b.Values = max(b.Values, c.arguments(op, func(p oracle.Param) bool { return p != oracle.ParamKey && !p.Chooses() }))
	}
	b.Effects = c.most(b.Used)
	return b
}

// effects lists the contents, by index, to which calls of an operation change content q; -1: one beyond the bound.
func (t *terms) effects(q, op int) (list []int) {
	for i := range t.calls {
		if t.calls[i].step.Op != op {
			continue
		}
		for _, e := range t.auto.Edges(t.contents[q], t.calls[i].id) {
			next, within := t.index[e.Next]
			switch {
			case e.Next == t.contents[q]:
			case within:
				list = append(list, next)
			default:
				list = append(list, -1)
			}
		}
	}
	return list
}

// leads reports whether calls lead from one content to another within the bound.
func (t *terms) leads(from, to int) bool {
	seen := map[int]bool{from: true}
	for work := []int{from}; len(work) > 0; {
		q := work[0]
		if work = work[1:]; q == to {
			return true
		}
		for op := range t.subject.Operations {
			for _, next := range t.effects(q, op) {
				if next >= 0 && !seen[next] {
					seen[next] = true
					work = append(work, next)
				}
			}
		}
	}
	return false
}

// most is the greatest number of effects of operations, which are never undone, in one execution within the bound: there are no more than
// contents.
func (t *terms) most(names []string) int {
	if len(names) == 0 {
		return 0
	}
	reached := map[int]int{0: 0} // contents with the greatest number so far
	for range len(t.contents) + 1 {
		next := maps.Clone(reached)
		for q, n := range reached {
			for op := range t.subject.Operations {
				one := 0
				if slices.Contains(names, t.subject.Operations[op].Name) {
					one = 1
				}
				for _, to := range t.effects(q, op) {
					if to >= 0 {
						next[to] = max(next[to], n+one)
					}
				}
			}
		}
		reached = next
	}
	return slices.Max(slices.Collect(maps.Values(reached)))
}

// arguments is one more than the greatest argument of an operation among parameters of some sort; 0: there are none.
func (t *terms) arguments(op int, of func(oracle.Param) bool) (most int) {
	for i := range t.calls {
		s := &t.calls[i].step
		if s.Op != op {
			continue
		}
		for k, p := range t.subject.Operations[op].Client.Params {
			if of(p) {
				most = max(most, int(s.Args.At(k).Int)+1)
			}
		}
	}
	return most
}
