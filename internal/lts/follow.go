// SPDX-License-Identifier: BSD-3-Clause

package lts

import "sync"

// Follower follows the weak traces of a system, step by step. It determinises the system as far as
// it is asked. Several goroutines may use it.
type Follower struct {
	mu      sync.Mutex
	d       *subsets
	byName  map[string]Label
	initial int
	next    []map[Label]int
}

// Lost is the place of a follower after a trace that the system cannot make.
const Lost = -1

// Follow makes a follower of a system.
func Follow(s *System) *Follower {
	s = s.Quotient(Branching)
	f := &Follower{d: newSubsets(s, true), byName: map[string]Label{}}
	for i, n := range s.labels {
		if i != Tau {
			f.byName[n] = Label(i)
		}
	}
	f.initial = f.number(f.d.start())
	return f
}

// Initial is the place of a follower after the empty trace.
func (f *Follower) Initial() int { return f.initial }

// Label is the number of a label for Next; it is negative if the system has no such label.
func (f *Follower) Label(name string) Label {
	if l, ok := f.byName[name]; ok {
		return l
	}
	return -1
}

// Next is the place of a follower after one more label; Lost if the system has no such trace.
// Places are numbered in the order in which they are met.
func (f *Follower) Next(at int, l Label) int {
	if l < 0 || at == Lost {
		return Lost
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	to, ok := f.next[at][l]
	if !ok {
		to = f.number(f.d.on(f.d.sets[at], l))
		f.next[at][l] = to
	}
	return to
}

func (f *Follower) number(set []State) int {
	if len(set) == 0 {
		return Lost
	}
	n := int(f.d.intern(set))
	if n == len(f.next) {
		f.next = append(f.next, map[Label]int{})
	}
	return n
}
