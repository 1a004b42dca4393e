// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/consist"
	"pangolin/internal/interleave"
	"pangolin/verdict"
)

// The engine refine finds violations of properties of progress; this file confirms them. In such an execution a call waits for another
// thread at the end, or the execution ends with a lap that leads the machine back to the same state and can be repeated for ever.

// lap records the part of an execution that repeats.
type lap struct {
	begun   bool
	busy    map[int]int  // by thread: the number of the call in progress at its beginning
	moved   map[int]bool // threads that have executed something since
	returns int          // number of calls that have returned since
	draws   int          // random numbers that were drawn before
}

// enter begins the lap.
func (r *replayer) enter() {
	l := &r.lap
	*l = lap{begun: true, busy: map[int]int{}, moved: map[int]bool{}, draws: r.c.m.Draws()}
	for thread := range r.busy {
		l.busy[thread] = r.w.lastCall(thread)
	}
}

// note records which thread moves.
func (l *lap) note(turn interleave.Turn) {
	if l.begun {
		l.moved[turn.Thread] = true
	}
}

// monitored is the property that the monitor follows while a recording is executed.
func monitored(p consist.Property) consist.Property {
	if p.IsProgress() {
		return consist.Linear
	}
	return p
}

// confirmProgress checks that a call is kept from returning in a way that the property excludes. The replay has checked that the lap leads
// back to its beginning.
func (r *replayer) confirmProgress(p consist.Property) error {
	if r.w.Cycle < 0 {
		return r.confirmWaiting(p)
	}
	// A thread is starved if it is in the same call at the beginning and at the end of the lap, and has moved: one that has not moved is
	// delayed, and no property requires its call to return. The lap leads back to the same state of the machine (Rerun.Back), whatever
	// calls returned meanwhile.
	l := &r.lap
	var starved []int
	for thread, call := range l.busy {
		if _, busy := r.busy[thread]; busy && l.moved[thread] && r.w.lastCall(thread) == call {
			starved = append(starved, thread)
		}
	}
	slices.Sort(starved)
	switch {
	case len(starved) == 0:
		return errors.New("every call whose thread moves returns")
	case p == verdict.LockFree && l.returns > 0:
		return errors.New("some call returns in every lap, so that it is lock-free here")
	case p == verdict.ObstructionFree && len(l.moved) > 1:
		return errors.New("several threads move, so that no thread runs alone")
	}
	name := r.names[starved[0]]
	switch {
	case p == verdict.ObstructionFree:
		r.w.Message = fmt.Sprintf("%s runs alone and never returns", name)
	case l.returns > 0:
		r.w.Message = fmt.Sprintf("%s goes on for ever and never returns, while calls of others do", name)
	default:
		r.w.Message = fmt.Sprintf("%s goes on for ever, and no call returns", r.namesOf(starved))
	}
	return nil
}

// confirmWaiting checks that a call waits for another thread.
func (r *replayer) confirmWaiting(p consist.Property) error {
	for thread := range r.sys.threads {
		if _, busy := r.busy[thread]; !busy || r.c.m.Enabled(thread) {
			continue
		}
		s := r.c.m.Situation(thread)
		r.w.Waiting = append(r.w.Waiting, verdict.Situation{Thread: thread + 1, Operation: r.names[thread],
			Waits: s.Waits, For: s.For, Object: s.Object, Place: verdict.Place(s.Place)})
		r.w.Message = fmt.Sprintf("%s waits: as long as the other threads are delayed it cannot go on (not %s)", r.names[thread], p)
		return nil
	}
	return errors.New("no call waits")
}

func (r *replayer) namesOf(threads []int) string {
	var list []string
	for _, thread := range threads {
		if !slices.Contains(list, r.names[thread]) {
			list = append(list, r.names[thread])
		}
	}
	return strings.Join(list, " and ")
}
