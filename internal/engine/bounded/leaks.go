// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"errors"
	"fmt"

	"pangolin/internal/play"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Goroutines that operations, or the constructor, have started and that wait for ever. Where a client may end, with no call in progress
// or with calls that may wait for ever, a goroutine has leaked if it waits for objects that nobody can reach who may still move. Users
// hold the collection, with all that it reaches, and what operations have given them (the handles that the harness stores); a package
// variable holds what it reaches. So a worker that waits for work at the collection has not leaked, whatever the scope's clients do. The
// others' moves are explored like all moves, so that no state needs to be run on: what can still move keeps what it reaches, and in a
// state behind it, it has ended or waits itself. The decision is the machine's (vm/leaks.go), as for whole programs.

// looksForLeaks reports whether a search looks for leaks: not if callers keep something that the harness does not, for then
// nobody knows what they can still reach.
func (v *verification) looksForLeaks() bool {
	return v.opt.Leaks && v.subject.Forgets == "" && v.opt.Guess == nil
}

// leaking looks for goroutines that have leaked, in a state in which the client may end. A collection without goroutines
// costs a comparison.
func (c *cursor) leaking() *finding {
	if !c.sys.opt.leaks || !c.waits() || len(c.place.Stand().LeakedBeside(c.sys.threads, c.sys.subject.Background != "")) == 0 {
		return nil
	}
	return &finding{class: Leak, thread: -1}
}

// waits reports whether some goroutine beside the clients' threads cannot go on.
func (c *cursor) waits() bool {
	for i := c.sys.threads; i < c.place.Threads(); i++ {
		if !c.place.Idle(i) && !c.place.Enabled(i) {
			return true
		}
	}
	return false
}

// tracing is what a replay finds out about goroutines.
type tracing struct {
	started map[int]*verdict.Origin // by number: who has started it
	ran     func(thread int)        // called when a thread has executed its part of a turn; nil: not called
}

// confirmLeak checks that goroutines wait for what nobody can reach, and tells who started them and who abandoned them.
func (r *replayer) confirmLeak() error {
	w, m := r.w, r.c.m
	leaked := m.LeakedBeside(r.sys.threads, r.sys.subject.Background != "")
	switch {
	case len(leaked) == 0:
		return errors.New("no goroutine waits for what nobody can reach")
	case r.c.makes() || len(r.busy) > 0 && !play.Stuck(r.c.place):
		return errors.New("a call is in progress that can go on")
	}
	threads := r.rerun.Threads()
	for _, i := range leaked {
		s := r.frames.Situation(m, i, func(place int) int { return threads[place] })
		s.Goroutine, s.Started, s.Abandoned = m.Goroutine(i), r.leaks.started[threads[i]], r.abandoned(leaked, i)
		s.Owner = m.Owner(m.Awaited(i))
		w.Waiting = append(w.Waiting, s)
	}
	first := &w.Waiting[0]
	w.Message = fmt.Sprintf("a goroutine waits for ever for what nobody can reach: %s [%s] at %s", first.Goroutine, first.For, first.Place)
	if n := len(leaked); n > 1 {
		w.Message = fmt.Sprintf("%d goroutines wait for ever for what nobody can reach, the first one: %s [%s] at %s", n, first.Goroutine, first.For, first.Place)
	}
	return nil
}

// origins notes who starts which goroutine.
type origins struct{ r *replayer }

func (o origins) Accesses(int) {}

// Synchronises is told of each goroutine when it is started; then the thread that starts it stands at the go statement.
func (o origins) Synchronises(e vm.Sync) {
	if e.Kind != vm.Started {
		return
	}
	threads := o.r.rerun.Threads()
	by := o.r.origin(threads[e.Thread])
	by.Place = verdict.Place(o.r.c.m.UserPlace(e.Thread))
	o.r.leaks.started[threads[e.Other]] = by
}

// origin says for which call a thread works.
func (r *replayer) origin(thread int) *verdict.Origin {
	by := &verdict.Origin{}
	switch from := r.leaks.started[thread]; {
	case from != nil:
		by.Operation, by.Call = from.Operation, from.Call
	case r.c.makes():
		by.Operation = r.c.making()
	case thread < r.sys.threads:
		by.Operation, by.Call = r.names[thread], r.w.lastCall(thread)
	}
	return by
}

// abandoned says who was the last that could reach what a leaked goroutine waits for, beside others that have leaked; nil: nobody
// could since the construction was done. The execution is repeated, and behind each thread's part of a turn it is asked who still
// can. A thread that no longer can, because of what it stood at, has abandoned it; where it was in reach of the collection or
// of package variables only, that is the thread that has moved.
func (r *replayer) abandoned(leaked []int, of int) (by *verdict.Origin) {
	a := &abandonment{r: newReplayer(r.sys, r.w.Recording), objects: r.c.m.Awaited(of), lost: map[int]bool{}}
	for threads := r.rerun.Threads(); len(leaked) > 0; leaked = leaked[1:] {
		a.lost[threads[leaked[0]]] = true
	}
	a.r.leaks.ran = a.follow
	if a.r.run() != nil {
		return nil
	}
	return a.by
}

// abandonment follows an execution to the moment from which on nobody can reach some objects.
type abandonment struct {
	r       *replayer
	objects []uint32
	lost    map[int]bool            // numbers of the threads that will have leaked
	held    bool                    // somebody else can reach the objects
	holder  int                     // number of a thread that can; -1: none
	at      map[int]*verdict.Origin // by number: what each thread is about to do
	by      *verdict.Origin
}

// follow looks who can reach the objects when a thread has moved.
func (a *abandonment) follow(moved int) {
	m, threads := a.r.c.m, a.r.rerun.Threads()
	var lost []int
	holder := -1
	for i, number := range threads {
		switch {
		case a.lost[number]:
			lost = append(lost, i)
		case holder < 0 && m.Leads(i, a.objects):
			holder = number
		}
	}
	held := m.Holds(a.objects, lost)
	if a.held && !held {
		if a.holder < 0 {
			a.holder = moved
		}
		if a.by = a.at[a.holder]; a.by == nil {
			a.by = a.r.origin(a.holder)
		}
	}
	a.held, a.holder, a.at = held, holder, map[int]*verdict.Origin{}
	for i, number := range threads {
		if !m.Idle(i) {
			x := a.r.origin(number)
			if at, known := m.Standing(i); known { // not so a timer, whose code is the library's
				x.Does, x.Place = m.Doing(i), verdict.Place(at)
			}
			a.at[number] = x
		}
	}
}
