// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"slices"

	"pangolin/oracle"
	"pangolin/verdict"
)

// A proof covers the executions in which the content stays within the bound. Of a set or a queue that is any number of calls, because
// what was put in is taken out again. What a counter or a generator of numbers does is never undone: within the bound on items it takes
// effect so many times, and then never again. Such operations are named in the scope of the verdict.

// edge is a call that changes a content within the bound.
type edge struct {
	op   int  // index of the operation
	to   int  // index in model.order of the content behind it; -1: it is beyond the bound
	back bool // from there the content can come back to where it was
}

// scope is the scope of a proof with the model.
func (m *model) scope() verdict.Scope {
	b := m.bounds()
	for i := range m.subject.Operations {
		if op := &m.subject.Operations[i]; op.Client.Who.Only > 0 {
			if b.Single == nil {
				b.Single = map[string]int{}
			}
			b.Single[op.Name] = op.Client.Who.Only
		}
	}
	return b.Scope()
}

// bounds are the bounds of a proof with the model.
func (m *model) bounds() verdict.FewItems {
	graph := m.graph()
	beyond, again := map[int]bool{}, map[int]bool{}
	for _, edges := range graph {
		for _, e := range edges {
			beyond[e.op] = beyond[e.op] || e.to < 0
			again[e.op] = again[e.op] || e.back
		}
	}
	b := m.arguments()
	used := map[int]bool{}
	for op := range m.subject.Operations {
		switch {
		case !beyond[op]:
		case again[op]:
			b.Items = m.items
		default:
			used[op] = true
			b.Used = append(b.Used, m.subject.Operations[op].Name)
		}
	}
	if len(used) > 0 {
		b.Effects = mostOf(graph, used)
	}
	return b
}

// graph lists, for each content of model.order, the calls that change it.
func (m *model) graph() [][]edge {
	at := map[oracle.StateID]int{}
	for i, q := range m.order {
		at[q] = i
	}
	graph := make([][]edge, len(m.order))
	for i, q := range m.order {
		for c := range m.calls {
			e, changes := m.changes(q, c)
			if !changes {
				continue
			}
			to, within := at[e.Next]
			if !within {
				to = -1
			}
			graph[i] = append(graph[i], edge{op: m.calls[c].step.Op, to: to})
		}
	}
	of := components(graph)
	for i := range graph {
		for k := range graph[i] {
			e := &graph[i][k]
			e.back = e.to >= 0 && of[e.to] == of[i]
		}
	}
	return graph
}

// components gives each content its strongly connected component, by a number: in the order in which a depth-first search leaves them, last
// first, each unnumbered content numbers those that lead to it (Kosaraju's algorithm, see Sharir, A strong-connectivity algorithm, 1981).
func components(graph [][]edge) []int {
	into := make([][]int, len(graph)) // from where edges come
	for i, edges := range graph {
		for _, e := range edges {
			if e.to >= 0 {
				into[e.to] = append(into[e.to], i)
			}
		}
	}
	var left []int
	seen := make([]bool, len(graph))
	var leave func(i int)
	leave = func(i int) {
		seen[i] = true
		for _, e := range graph[i] {
			if e.to >= 0 && !seen[e.to] {
				leave(e.to)
			}
		}
		left = append(left, i)
	}
	leave(0) // from a new collection, from which all are reached
	of := make([]int, len(graph))
	for n := len(left) - 1; n >= 0; n-- {
		for work := []int{left[n]}; len(work) > 0; {
			i := work[len(work)-1]
			if work = work[:len(work)-1]; of[i] == 0 {
				of[i] = n + 1
				work = append(work, into[i]...)
			}
		}
	}
	return of
}

// mostOf is the greatest number of edges of some operations on a way through the contents. No such edge is on a cycle, so the number is
// finite: it is found by improving until nothing changes.
func mostOf(graph [][]edge, ops map[int]bool) int {
	most := make([]int, len(graph)) // on a way from the first content
	for changed := true; changed; {
		changed = false
		for i, edges := range graph {
			for _, e := range edges {
				n := most[i]
				if ops[e.op] {
					n++
				}
				if e.to >= 0 && n > most[e.to] {
					most[e.to], changed = n, true
				}
			}
		}
	}
	return slices.Max(most)
}

// arguments are the bounds on arguments alone.
func (m *model) arguments() (b verdict.FewItems) {
	for i := range m.calls {
		s := &m.calls[i].step
		for k, p := range m.subject.Operations[s.Op].Client.Params {
			n := int(s.Args.At(k).Int) + 1
			switch p {
			case oracle.ParamChoice, oracle.ParamChoice3: // all ways are taken
			case oracle.ParamKey:
				b.Keys = max(b.Keys, n)
			default:
				b.Values = max(b.Values, n)
			}
		}
	}
	return b
}
