// SPDX-License-Identifier: BSD-3-Clause

package client

import "slices"

// Draw draws a client of the space, with numbers that below(n) gives, each from 0 to n-1. Clients with more threads and calls are drawn
// more often than they would be for their number, and all that the space has can be. It returns false if the draw has none: its threads
// cannot make so many calls of these operations; the next may have one.
func (sp *Space) Draw(below func(n int) int) (drawn Client, ok bool) {
	between := func(r Range) int { return r.From + max(below(r.To-r.From+1), below(r.To-r.From+1)) }
	e := &enumeration{sp: sp, groups: sp.groups(), threads: make([]chosen, sp.Scope.Threads.To), pre: sp.Scope.PreAdds.From}
	for i := range e.groups {
		e.alphabets = append(e.alphabets, sp.alphabet(e.groups[i].allowed, e.groups[i].threads[0]))
	}
	e.pre += below(sp.Scope.PreAdds.To - sp.Scope.PreAdds.From + 1)
	lengths := sp.drawLengths(between, below)
	if lengths == nil {
		return Client{}, false
	}
	for g, group := range e.groups {
		idle := slices.DeleteFunc(slices.Clone(group.threads), func(thread int) bool { return lengths[thread] > 0 })
		busy := slices.DeleteFunc(slices.Clone(group.threads), func(thread int) bool { return lengths[thread] == 0 })
		for i, from := range append(busy, idle...) { // who is idle comes last, as in All
			thread := group.threads[i]
			for range lengths[from] {
				if len(e.alphabets[g]) == 0 {
					return Client{}, false
				}
				e.threads[thread].group = g
				e.threads[thread].letters = append(e.threads[thread].letters, below(len(e.alphabets[g])))
			}
		}
	}
	seen := 0
	e.yield = func(c Client) bool {
		if seen++; below(seen) == 0 {
			drawn, ok = c, true
		}
		return seen < mostAssignments
	}
	e.complete()
	return drawn, ok
}

// mostAssignments is how many ways to choose what is open when the calls are known are drawn from.
const mostAssignments = 64

// drawLengths draws how many calls each thread makes; nil if there are fewer calls than threads.
func (sp *Space) drawLengths(between func(Range) int, below func(int) int) []int {
	lengths := make([]int, sp.Scope.Threads.To)
	threads := between(sp.Scope.Threads)
	steps := between(sp.Scope.steps(threads))
	if steps < threads || threads == 0 {
		return nil
	}
	var who []int
	for i := range lengths {
		who = append(who, i)
	}
	for len(who) > threads {
		i := below(len(who))
		who = append(who[:i], who[i+1:]...)
	}
	for i := range steps {
		if per := sp.Scope.PerThread; per > 0 {
			lengths[who[i/per]]++
			continue
		}
		if i < threads {
			lengths[who[i]]++
		} else {
			lengths[who[below(threads)]]++
		}
	}
	return lengths
}
