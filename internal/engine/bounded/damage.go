// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"errors"

	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/play"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
)

// The damage of an execution is done by the first step behind which every way to go on is
// wrong: whatever the threads of the client do next and in whatever order, some call is
// not explained, or waits without a reason, or panics. Steps before it leave a way that is
// right. It is looked for by bisection, since no way out comes back: each question is a
// search, without reductions, from the state behind a step of the execution, in which the
// calls of the client that are not made yet may be made in any order. What a thread does
// between two accesses, its call's return too, goes with the first of them.
//
// A race damages nothing that a later step could show, and an execution that need not
// go on for ever has no such step.

// damageStates is how many states one question may take: of the searches that find no way
// out most take some hundred. If one takes more, the step is not known.
const damageStates = 4000

// errReached ends a replay where it was to end.
var errReached = errors.New("as far as wanted")

// damage gives the number of the step, counted from 1, that does the damage of a confirmed
// execution; 0 if there is none, or it is not known.
func (r *replayer) damage() int {
	switch r.w.Class {
	// Of other classes the question means nothing: a race is there or not, and a cycle can always be left.
	case History, Deadlock, Livelock, Panic:
	default:
		return 0
	}
	if r.accesses == 0 || len(r.w.Begun) > 0 || len(r.calls) > 0 || r.w.Hash.Nondeterministic {
		return 0
	}
	// Bisection needs both ends. If already the client has no way that is right, no step is to blame; if behind the last access there is
	// one after all, what showed is not lost by any step, but by calls that do not come (a client that ends).
	p := client.NewSingle(r.w.client(), r.sys.threads)
	if lost, known := r.lost(p, 0); lost || !known { // from the start
		return 0
	}
	right, wrong := 0, r.accesses
	for wrong-right > 1 {
		middle := (right + wrong) / 2
		lost, known := r.lost(p, middle)
		switch {
		case !known:
			return 0
		case lost:
			wrong = middle
		default:
			right = middle
		}
	}
	if lost, known := r.lost(p, wrong); !lost || !known {
		return 0
	}
	return r.stepAt(wrong)
}

// stepAt is the number, among all steps, of access n.
func (r *replayer) stepAt(n int) int {
	for i := range r.w.Steps {
		if r.w.Steps[i].Access != nil {
			n--
		}
		if n == 0 {
			return i + 1
		}
	}
	return 0
}

// lost says whether every way to go on is wrong behind the first n accesses of the
// execution, and whether that could be found out.
func (r *replayer) lost(p *client.Single, n int) (lost, known bool) {
	again := newReplayer(r.sys, r.w.Recording)
	again.sys.plan, again.whole, again.end = p, p, n
	// The execution is repeated up to there, with the monitor beside it now: the state behind it has to be one that a search
	// can go on from.
	if err := again.run(); !errors.Is(err, errReached) {
		return false, false
	}
	if again.c.found != nil || again.c.m.Ended().Kind != vm.Running { // a result that nothing explains, or a panic
		return true, true
	}
	state := again.c.Save(nil)
	if again.c.useless() {
		return false, false
	}
	right := false
	res := explore.Run(context.Background(), again.sys, explore.Options{From: state, MaxStates: damageStates,
		Visit: func(cur explore.Cursor, _ explore.Trail, _ int) explore.Action {
			c := cur.(*cursor)
			switch {
			case c.useless():
				return explore.Stop
			case c.found != nil || c.examine() != nil:
				return explore.Prune
			case c.endsWell():
				right = true
				return explore.Stop
			}
			return explore.Continue
		}})
	// One way that is right answers the question, however little has been searched. That there is none needs a complete search, and a
	// monitor and an oracle that have answered throughout.
	return !right, right || res.Complete && again.sys.monitor.Err() == nil && subject.Failure(again.sys.subject.Spec) == nil
}

// announce tells plan and monitor of the next call of a thread, which is that of its client.
func (c *cursor) announce(i int, s client.Step) {
	_, c.all, c.own[i] = c.sys.plan.Make(int(c.own[i]), c.all, c.own[i])
	c.id = c.monitor.Invoke(c.id, i, c.callID(s))
	c.place.SetTag(i, play.BusyWith(s.Op))
}

// endsWell says that the client ends in a state in which nothing is wrong.
func (c *cursor) endsWell() bool {
	busy := c.monitor.Busy(c.id)
	return !c.makes() && c.sys.plan.Done(c.all, c.own, client.ThreadSet(busy)) && (busy == 0 || play.Stuck(c.place))
}
