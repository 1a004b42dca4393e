// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"maps"
	"slices"

	"pangolin/internal/vm"
)

// What the goroutines beside the operations have done when an operation returns, and what they have still to
// do, is a matter of chance: k of them with one step left make 2^k saved states of one history, and
// the next operation would be executed from them all. But whatever happens from a state that the goroutines can
// reach while no operation is in progress happens from the state in which they have not moved yet, too: the
// outcome, the wait and the end of the program, as the next operation need not begin before they have moved.
// So of a set of saved states only those are kept to which no other leads; of those that lead to each other the least.

// mostEarlier is how many states are looked at to make a set smaller; a set that leads to more stays as it is.
const mostEarlier = 1 << 14

// rests is the graph of what goroutines do while no operation is in progress.
type rests struct {
	o      *self
	m      *vm.Machine
	before map[string][]string // for each state those that lead to it in a step
}

// earliest is the set of states that leads where a set of saved states leads, and
// depends on nothing but that.
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

// explore adds all that a state that has not been met leads to, and takes what it meets out of those that are kept. It is
// false if there is too much.
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

// next lists the states behind one step. What ends the program leads nowhere; ok is false if the
// machine cannot go on, which is to be found out by who executes an operation.
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

// leadingTo lists the states that lead to a state, and itself.
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
