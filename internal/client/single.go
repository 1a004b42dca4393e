// SPDX-License-Identifier: BSD-3-Clause

package client

import ()

// Single is the plan of one client: each thread makes its calls in order. A
// thread's own count is the number of what it has left to do, so that two threads
// with the same rest have the same count.
type Single struct {
	client Client
	rests  []rest
	first  []uint64 // by thread: its rest at the start
}

// rest is what a thread has left to do: a step and then another rest. Rest 0 is
// nothing.
type rest struct {
	step Step
	next uint64
}

// NewSingle makes the plan of a client for so many threads.
func NewSingle(c Client, threads int) *Single {
	s := &Single{client: c, rests: make([]rest, 1), first: make([]uint64, threads)}
	for t, steps := range c.Threads {
		for i := len(steps) - 1; i >= 0; i-- {
			s.first[t] = s.prepend(steps[i], s.first[t])
		}
	}
	return s
}

func (s *Single) prepend(step Step, next uint64) uint64 {
	for i, r := range s.rests {
		if i > 0 && r.step == step && r.next == next {
			return uint64(i)
		}
	}
	s.rests = append(s.rests, rest{step, next})
	return uint64(len(s.rests) - 1)
}

// Variants is 1.
func (s *Single) Variants() int { return 1 }

// Start gives the client's pre-adds and each thread's rest.
func (s *Single) Start(int) (pre []Step, all uint64, own []uint64) {
	return s.client.Pre, 0, s.first
}

// Calls appends the thread's next call.
func (s *Single) Calls(dst []int, _, own uint64) []int {
	if own == 0 {
		return dst
	}
	return append(dst, int(own))
}

// Make gives a call and the rest behind it.
func (s *Single) Make(call int, all, own uint64) (step Step, nextAll, nextOwn uint64) {
	return s.rests[call].step, all, s.rests[own].next
}

// Done says that nobody has calls left but those that are busy.
func (s *Single) Done(_ uint64, own []uint64, busy ThreadSet) bool {
	for i, o := range own {
		if o != 0 && !busy.Has(i) {
			return false
		}
	}
	return true
}
