// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/explore"
	"pangolin/internal/play"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Invariants of the collection: methods that have to return true while no call is in progress, or in every state. A machine of their own,
// the inquirer, executes them on a copy of the state, to their end and without anybody else. So whatever they do is no part of any
// execution, and their reads race with nobody.

// inquirer asks the invariants in the states of one cursor.
type inquirer struct {
	m     *vm.Machine
	asked []subject.Invariant
	words []uint64 // the state that is asked about
	// By index in asked: answered have returned or panicked in some state, waited have waited in a state in which no call was in progress.
	answered, waited uint64
}

// unfused is fusing if every access has to end a step, because the places between two accesses that fusing leaves out are states in which an
// invariant may not be true: some invariant has to be true in every state, or goroutines of the collection, timers included, go on while no
// call is in progress.
func unfused(s *subject.Subject) vm.Reductions {
	if slices.ContainsFunc(s.Invariants, func(v subject.Invariant) bool { return v.Always || s.StartsGoroutines() }) {
		return vm.Fusing
	}
	return 0
}

// newInquirer returns nil if the collection has no invariants. Options are those of the cursor's place. What invariants access is not held
// against the assumptions about frozen and guarded memory, since no thread accesses it.
func (s *system) newInquirer(opt *play.Options) *inquirer {
	asked := s.subject.Invariants
	if len(asked) == 0 || s.machine.Hunt != nil {
		return nil
	}
	o := *opt
	o.Store, o.Sites = nil, nil
	o.Machine.Frozen, o.Machine.Guards = nil, nil
	return &inquirer{m: play.NewPlace(s.img, &o).Reset(), asked: asked}
}

// useless reports whether the last invariant that was asked ended in a fault.
func (q *inquirer) useless() bool { return q != nil && q.m.Fault() != nil }

// breach is what an invariant did instead of returning true.
type breach struct {
	of  subject.Invariant
	did string // "returns false", "panics: no head"
}

func (b *breach) String() string {
	if b.of.Always {
		return fmt.Sprintf("%s %s; it has to be true %s", b.of.Name, b.did, b.of.When())
	}
	return fmt.Sprintf("%s %s %s", b.of.Name, b.did, b.of.When())
}

// first returns the first invariant that does not return true in the state of a machine; nil if all do, or if useless. Busy reports
// whether a call is in progress. Useless: the inquirer's machine has a fault, or what it did refutes an assumption of the search.
func (q *inquirer) first(m *vm.Machine, busy bool, useless func() bool) *breach {
	q.words = q.words[:0]
	for i, v := range q.asked {
		if busy && !v.Always {
			continue
		}
		if len(q.words) == 0 {
			q.words = m.Save(q.words)
		}
		var ch explore.Choices
		for more := true; more; more = ch.Next() {
			did, ok := q.ask(v, &ch)
			switch {
			case useless():
				return nil
			case did != waits:
				q.answered |= 1 << i
			case !busy:
				q.waited |= 1 << i
			}
			if !ok {
				return &breach{v, did}
			}
		}
	}
	return nil
}

// waits is what an invariant does that waits for a lock, a channel or another thread.
const waits = "waits"

// ask executes an invariant in the state, and tells what it did if it did not return true. One that waits may be true at another moment,
// unless it waits for a goroutine of its own, which nobody executes.
func (q *inquirer) ask(v subject.Invariant, ch vm.Chooser) (did string, ok bool) {
	q.m.Load(q.words)
	thread := q.m.Spawn()
	q.m.Call(thread, v.Func, []uint64{q.m.Root(0)})
	q.m.RunAlone(thread, ch)
	if q.m.Fault() == nil && q.m.Threads() > thread+1 {
		q.m.Fail(vm.FaultUnsupported, fmt.Sprintf("the invariant %s starts a goroutine, and is asked alone", v.Name))
	}
	switch {
	case q.m.Fault() != nil:
		return "", true
	case q.m.Ended().Kind != vm.Running:
		return "ends the program: " + q.m.Text(q.m.Ended().Text), false
	case !q.m.Idle(thread):
		return waits, true
	case q.m.Panicked(thread) != "":
		return strings.Replace(q.m.Panicked(thread), "panic: ", "panics: ", 1), false
	case q.m.Results(thread)[0] == 0:
		return "returns false", false
	}
	return "", true
}

// broken looks for an invariant that is broken in the cursor's state.
func (c *cursor) broken() *finding {
	if c.inquirer == nil || c.makes() || c.place.Ended() {
		return nil
	}
	if b := c.inquirer.first(c.place.Stand(), c.monitor.Busy(c.id) != 0, c.useless); b != nil {
		return &finding{class: Invariant, thread: -1, message: b.String()}
	}
	return nil
}

// tellInvariants reports which invariants have been answered, and which have waited.
func (c *cursor) tellInvariants() {
	if q := c.inquirer; q != nil && c.sys.seen != nil {
		c.sys.seen.asked(q.answered, q.waited)
	}
}

// unanswered makes a result without a violation unknown if some invariant has waited in each state in which it was asked.
func (r *Result) unanswered(s *subject.Subject) {
	for i, a := range s.Invariants {
		if r.seen.answered>>i&1 == 0 && r.Violation == nil && r.Incomplete == "" {
			r.Incomplete = fmt.Sprintf("the invariant %s has never returned: it waits in each state in which it is asked", a.Name)
			r.Undecided = true
		}
	}
}

// wrong looks for all that can be wrong in a state in which no step has failed.
func (c *cursor) wrong() *finding {
	if f := c.examine(); f != nil {
		return f
	}
	return c.broken()
}

// confirmInvariant asks the invariants again behind the execution.
func (r *replayer) confirmInvariant() error {
	q := r.c.inquirer
	if q == nil {
		return errors.New("there is no invariant")
	}
	b := q.first(r.c.m, len(r.busy) > 0, func() bool { return q.m.Fault() != nil })
	switch {
	case q.m.Fault() != nil:
		return fmt.Errorf("the invariant cannot be executed: %s", q.m.Fault().Message)
	case b == nil:
		return errors.New("every invariant is true")
	}
	r.w.Message, r.w.Broken = b.String(), &verdict.Broken{Name: b.of.Name, Always: b.of.Always, Did: b.did}
	return nil
}
