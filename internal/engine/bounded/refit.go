// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"errors"
	"fmt"
	"strings"

	"pangolin/internal/consist"
	"pangolin/internal/interleave"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// A recording counts instructions, whose number for a line depends on the compiler. A witness also lists its steps: which thread made which
// access in which function. If the counts no longer fit the code, the steps are followed instead, and the instructions are counted again.
// The result is replayed and confirmed like any recording.

// segment is a part of a witness in which only one thread moves.
type segment struct {
	thread  int // counted from 0
	invokes bool
	returns bool
	loops   bool // the lap of the execution begins here
	steps   []*verdict.Step
}

// segments divides the steps of a witness.
func segments(w *verdict.Witness) []segment {
	var list []segment
	for i := range w.Steps {
		s := &w.Steps[i]
		if s.Phase == verdict.Announce {
			continue
		}
		n, loops := len(list), w.Loop == i+1
		// A thread's successive steps are one turn. The return of a call or the beginning of a lap ends a turn, because the replay records
		// both between turns.
		same := n > 0 && list[n-1].thread == s.Thread-1 && !list[n-1].returns && !loops && s.Phase != verdict.Invoke
		if !same {
			list = append(list, segment{thread: s.Thread - 1, invokes: s.Phase == verdict.Invoke, loops: loops})
		}
		last := &list[len(list)-1]
		switch s.Phase {
		case verdict.Respond:
			last.returns = true
		case "":
			last.steps = append(last.steps, s)
		}
	}
	return list
}

// refit makes the recording of a witness with instruction counts of the present code.
func refit(s *subject.Subject, w *verdict.Witness, rec Recording) (Recording, error) {
	if len(rec.Begun) > 0 {
		return rec, fmt.Errorf("%w: the constructor starts goroutines, so that the recorded steps are not enough to follow it", ErrNotReplayed)
	}
	// Decisions belong to no access, so only their order can be used. If a select now has another number of cases, the replay fails; it
	// never shows another execution.
	var decisions []uint32
	for _, t := range rec.Turns {
		decisions = append(decisions, t.Decisions...)
	}
	fitted := rec
	fitted.Turns, fitted.Cycle = nil, -1
	sys, err := replaySystem(s, consist.Property(w.Subject.Property), rec)
	if err != nil {
		return rec, err
	}
	r := newReplayer(sys, fitted)
	if err := r.begin(); err != nil {
		return rec, err
	}
	r.rerun.Settle()
	for _, g := range segments(w) {
		if g.loops {
			fitted.Cycle = len(fitted.Turns)
		}
		turn, err := r.follow(&g, decisions)
		if err != nil {
			return rec, fmt.Errorf("%w: %w", ErrNotReplayed, err)
		}
		decisions = decisions[len(turn.Decisions):]
		fitted.Turns = append(fitted.Turns, turn)
	}
	return fitted, nil
}

// anchors lists the steps by which a segment is followed: plain reads in between may now be made in another order.
func (g *segment) anchors() []*verdict.Step {
	var list []*verdict.Step
	for i, s := range g.steps {
		if s.Access.Kind != verdict.Read || s.Access.Atomic || i == len(g.steps)-1 {
			list = append(list, s)
		}
	}
	return list
}

// follow executes a segment and returns it as a turn.
func (r *replayer) follow(g *segment, decisions []uint32) (interleave.Turn, error) {
	left := g.anchors()
	r.rerun.Watch = g.seen(r, &left)
	if g.invokes {
		if len(r.calls) == 0 {
			return interleave.Turn{}, errors.New("the witness has fewer calls than invocations")
		}
		r.invoke(g.thread)
	}
	// A turn goes on until its last anchor has been seen, and up to its return where one was recorded.
	turn, err := r.rerun.Follow(g.thread, decisions, func() bool { return len(left) > 0 || g.returns })
	if err != nil {
		return turn, err
	}
	if len(left) > 0 {
		return turn, fmt.Errorf("thread %d no longer reaches the recorded step at %s", g.thread+1, left[0].Place)
	}
	if g.invokes {
		turn.Move = anyInvocation()
	}
	r.respond()
	return turn, nil
}

// alike reports whether an access is the one of a witness's step, or one to a part of the same memory.
func alike(s *verdict.Step, was *verdict.Step) bool {
	a, b := s.Access, was.Access
	part := strings.HasPrefix(a.Field, b.Field) || strings.HasPrefix(b.Field, a.Field)
	return a.Kind == b.Kind && a.Type == b.Type && part && a.Function == b.Function && s.Function == was.Function
}

// seen compares what a thread does with the steps of a segment; new accesses are ignored.
func (g *segment) seen(r *replayer, left *[]*verdict.Step) func(int, *vm.Event) {
	return func(thread int, e *vm.Event) {
		s := r.frames.Step(thread, e)
		if len(*left) > 0 && thread == g.thread && alike(&s, (*left)[0]) {
			*left = (*left)[1:]
		}
	}
}
