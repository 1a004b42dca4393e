// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/ir"
)

// phase says what a call has done with the lock, and whether its moment has passed: the one access to an atomic word at which it takes effect.
type phase uint8

const (
	before      phase = iota // it has not taken the lock
	reading                  // it has it for reading
	writing                  // it has it
	readingPast              // it has it for reading, and its moment has passed
	writingPast              // it has it, and its moment has passed
	after                    // it has given it back, or its moment has passed without it
	making                   // it is the constructor: there is no collection yet that others could reach
)

func (p phase) String() string {
	return [...]string{"before", "reading", "writing", "reading+", "writing+", "after", "making"}[p]
}

// locks reports whether the call has the lock.
func (p phase) locks() bool { return p >= reading && p <= writingPast }

// writes reports whether it has it for writing.
func (p phase) writes() bool { return p == writing || p == writingPast }

// past is the phase behind a moment; false: there is none, for it has passed.
func (p phase) past() (phase, bool) {
	switch p {
	case before:
		return after, true
	case reading:
		return readingPast, true
	case writing:
		return writingPast, true
	}
	return p, false
}

// deferred is a deferred call: the words of the function, and then of its arguments.
type deferred struct {
	call  *ir.Call
	words []value
}

// state is what is known of a call in progress of a function.
type state struct {
	phase     phase
	holds     origins // what own memory may lead to, beside own memory
	published bool    // something that was own when the function was called may be shared
	deferred  []deferred
	regs      []value
}

func (s *state) clone() *state {
	c := *s
	c.regs, c.deferred = slices.Clone(s.regs), slices.Clone(s.deferred)
	return &c
}

// key is what states have in common that are joined.
func (s *state) key() string {
	var b strings.Builder
	fmt.Fprint(&b, s.phase, s.published)
	for _, d := range s.deferred {
		fmt.Fprint(&b, " ", d.call.ID)
	}
	return b.String()
}

// join makes s cover another state with its key, and reports whether that changes it.
func (s *state) join(o *state) (changed bool) {
	if s.holds|o.holds != s.holds {
		s.holds, changed = s.holds|o.holds, true
	}
	changed = joinAll(s.regs, o.regs) || changed
	for i := range s.deferred {
		words := slices.Clone(s.deferred[i].words) // others may have the list
		if joinAll(words, o.deferred[i].words) {
			s.deferred[i].words, changed = words, true
		}
	}
	return changed
}

func joinAll(list, others []value) (changed bool) {
	for i, v := range list {
		if j := v.join(others[i]); j != v {
			list[i], changed = j, true
		}
	}
	return changed
}

// publish makes everything that is own shared.
func (s *state) publish(c closures) {
	s.published, s.holds = true, 0
	s.regs = c.allPublished(s.regs)
	for i := range s.deferred {
		s.deferred[i].words = c.allPublished(s.deferred[i].words)
	}
}

// end is how a function may return.
type end struct {
	phase     phase
	holds     origins
	published bool
	results   []value
}

// invocation is a function that is called in some way.
type invocation struct {
	id     int
	fn     *ir.Func
	given  []value
	phase  phase
	holds  origins
	ends   []end // at most two for each phase: whether something is published
	states []*reached
	byKey  map[string]*reached
	// callers are to be executed again when there is another end.
	callers []*reached
	from    *invocation // the first one that calls it, at instruction pc
	pc      int
	locks   bool // it takes or gives back the lock itself, or its moment is in it
	calls   []*invocation
	// recovers: it has deferred a function that recovers.
	recovers bool
	// exposed: who calls it recovers, so that calls that it deferred could be made behind any instruction.
	exposed bool
}

// reached is a state in which the beginning of a block is reached.
type reached struct {
	in     *invocation
	pc     int
	known  *state
	queued bool
}

// ended joins an end to those of the context, and reports whether that changes them.
func (c *invocation) ended(e end) (changed bool) {
	for i := range c.ends {
		old := &c.ends[i]
		if old.phase != e.phase || old.published != e.published {
			continue
		}
		if old.holds|e.holds != old.holds {
			old.holds, changed = old.holds|e.holds, true
		}
		return joinAll(old.results, e.results) || changed
	}
	c.ends = append(c.ends, end{e.phase, e.holds, e.published, slices.Clone(e.results)})
	return true
}
