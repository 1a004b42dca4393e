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

// The damage of an execution is done by the first step after which every continuation is wrong: whatever the client's threads do next, some
// call has a result that nothing explains, waits without a reason, or panics. It is found by bisection, because a lost way out does not
// return. Each question is a search without reductions from the state after a step, in which the client's remaining calls are made in any
// order. What a thread does between two accesses belongs to the first of them.
//
// A race has no such step, nor has an execution that need not go on for ever.

// damageStates limits the states of one question. Most questions take some hundred; if one takes more, the step is not known.
const damageStates = 4000

// errReached ends a replay after the number of accesses that was asked for.
var errReached = errors.New("the replay has made the accesses that were asked for")

// damage returns the number, counted from 1, of the step that does the damage in a confirmed execution; 0 if there is none or it is not
// known.
func (r *replayer) damage() int {
	switch r.w.Class {
	// Other classes have no such step: a race exists or not, and a cycle can always be left.
	case History, Deadlock, Livelock, Panic, Leak, Invariant:
	default:
		return 0
	}
	if r.accesses == 0 || len(r.w.Begun) > 0 || len(r.calls) > 0 || r.w.Hash.Nondeterministic {
		return 0
	}
	// Bisection needs both ends. If the client has no right continuation at the start, no step is to blame. If it has one after the last
	// access, what showed is not the effect of a step, but of calls that the client does not make.
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

// stepAt is the number, among all steps, of the n-th access.
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

// lost reports whether every continuation after the first n accesses of the execution is wrong, and whether that could be decided.
func (r *replayer) lost(p *client.Single, n int) (lost, known bool) {
	again := newReplayer(r.sys, r.w.Recording)
	again.sys.plan, again.whole, again.end = p, p, n
	again.sys.opt.leaks = r.w.Class == Leak
	// The execution is repeated up to there, now with the monitor, so that a search
	// can continue from that state.
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
			case c.found != nil || c.wrong() != nil:
				return explore.Prune
			case c.endsWell() && (r.w.Class != Leak || play.Stuck(c.place)): // a goroutine that goes on may come to wait for ever
				right = true
				return explore.Stop
			}
			return explore.Continue
		}})
	// One right continuation answers the question, however little was searched. That there is none requires a complete search, and a
	// monitor and an oracle without errors.
	return !right, right || res.Complete && again.sys.monitor.Err() == nil && subject.Failure(again.sys.subject.Spec) == nil
}

// announce tells plan and monitor about the next call of a thread's client.
func (c *cursor) announce(i int, s client.Step) {
	_, c.all, c.own[i] = c.sys.plan.Make(int(c.own[i]), c.all, c.own[i])
	c.all = client.Begun(c.all, c.sys.ops, s.Op)
	c.id = c.monitor.Invoke(c.id, i, c.callID(s))
	c.place.SetTag(i, play.BusyWith(s.Op))
}

// endsWell reports whether the client ends here and nothing is wrong.
func (c *cursor) endsWell() bool {
	busy := c.monitor.Busy(c.id)
	return !c.makes() && c.sys.plan.Done(c.all, c.own, client.ThreadSet(busy)) && (busy == 0 || play.Stuck(c.place))
}
