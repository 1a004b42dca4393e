// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"maps"
	"slices"

	"pangolin/internal/vm"
)

// The oracle self executes a call from a set of saved states. k goroutines with one step left each make 2^k of them, which differ only
// in how far the goroutines have come. Whatever can happen after the goroutines have moved can also happen from the state in which they
// have not: results, waits and crashes, since the next operation need not begin before they move. So a saved state is dropped if
// another one of the set leads to it; of states that lead to each other the least one stays.

// mostEarlier limits the states that are explored to reduce a set; a set that needs more is not reduced.
const mostEarlier = 1 << 14

// rests is the graph of the steps that goroutines can take while no operation is in progress.
type rests struct {
	o      *self
	m      *vm.Machine
	before map[string][]string // the predecessors of each state
}

// earliest reduces a set of saved states to those to which no other one leads. The result depends only on which states the
// set can reach.
func (o *self) earliest(set map[string]bool) map[string]bool {
	if o.unreduced {
		return set
	}
	m := o.machine()
	defer o.release(m)
	g := &rests{o: o, m: m, before: map[string][]string{}}
	kept := maps.Clone(set)
	for _, from := range slices.Sorted(maps.Keys(set)) {
		if kept[from] && !g.explore(from, kept) {
			return set
		}
	}
	out := map[string]bool{}
	for _, s := range slices.Sorted(maps.Keys(kept)) {
		back := g.leadingTo(s)
		if slices.ContainsFunc(back, func(b string) bool { return b != s && kept[b] }) {
			delete(kept, s)
		} else { // back are the states that lead to s and to which s leads
			out[slices.Min(back)] = true
		}
	}
	return out
}

// explore adds to the graph what can be reached from a new state, and removes from kept each state that it reaches. It returns false if
// the limit is reached.
func (g *rests) explore(from string, kept map[string]bool) bool {
	g.before[from] = nil
	for todo := []string{from}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		next, ok := g.next(at)
		if !ok {
			return false
		}
		for _, s := range next {
			if s != from {
				delete(kept, s)
			}
			before, known := g.before[s]
			g.before[s] = append(before, at)
			if !known {
				todo = append(todo, s)
			}
		}
		if len(g.before) > mostEarlier {
			return false
		}
	}
	return true
}

// next lists the successors of a state. A step that ends the program has none. ok is false if the machine has a fault,
// which whoever executes the next operation will meet again and report.
func (g *rests) next(at string) (list []string, ok bool) {
	for range stepsFrom(g.m, asWords(at), func(int) bool { return true }) {
		if g.o.tell(g.m); g.m.Fault() != nil {
			return nil, false
		}
		if g.m.Ended().Kind == vm.Running {
			list = append(list, string(save(g.m)))
		}
	}
	return list, true
}

// leadingTo lists a state and all states from which it can be reached.
func (g *rests) leadingTo(s string) []string {
	seen := map[string]bool{s: true}
	list := []string{s}
	for at := 0; at < len(list); at++ {
		for _, b := range g.before[list[at]] {
			if !seen[b] {
				seen[b] = true
				list = append(list, b)
			}
		}
	}
	return list
}
