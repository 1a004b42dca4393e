// SPDX-License-Identifier: BSD-3-Clause

// Package bounded decides whether a collection is correct within a scope: it
// explores every interleaving of every client of the scope, lets a monitor judge
// the histories as they arise, and looks for everything else that can go wrong on
// the way.
//
// It takes a job (the compiled collection with its oracle, the scope, the property, the
// reductions) and gives a Result: nothing found in the whole scope, a violation with the
// execution that shows it, or the limit that was reached. The method is COLLECT's (sections 2 to 4) with one most
// general client in place of its schedules.
//
// The package does not load source code, does not find operations in it, and
// prints nothing. What it verifies holds within the scope and for executions that
// are sequentially consistent, which Go promises to programs without data races;
// these it looks for as well.
package bounded

import (
	"context"
	"errors"
	"time"

	"pangolin/internal/checkpoint"
	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/explore"
	"pangolin/internal/store"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Class is a kind of violation.
type Class string

// The classes.
const (
	History        Class = "history"        // no order of the operations explains their results
	Deadlock       Class = "deadlock"       // operations wait for ever that the oracle lets return
	Livelock       Class = "livelock"       // operations run for ever, and there is no way out
	Nontermination Class = "nontermination" // operations can run for ever
	Panic          Class = "panic"          // a panic that the oracle does not know, or a fatal error
	Race           Class = "race"           // a data race
	Leak           Class = "leak"           // a goroutine that an operation has started waits for what nobody can reach
	Progress       Class = "progress"       // a call is kept from returning; found by the engine refine only
	Point          Class = "point"          // an operation breaks a rule of its linearization policy
	Invariant      Class = "invariant"      // an invariant of the collection is not true
	unmade         Class = "setup"          // the collection cannot be made: no violation but an error
)

var classes = []Class{History, Deadlock, Livelock, Nontermination, Panic, Race, Infinite, Point, unmade, Leak, Invariant}

func (c Class) index() int {
	for i, d := range classes {
		if d == c {
			return i
		}
	}
	return len(classes)
}

// Options are a job with what other engines that use this one add.
type Options struct {
	engine.Job
	Policy bool // judge by the announcements of the code and not only by calls and returns
	// Composed records which steps of the specification go together with those of the code, if a policy judges; nil: not recorded.
	Composed *Composed
	Points   *Guess  // a hypothesis to judge by: where it explains no history, or anything else is wrong, the result is Incomplete; nil: none
	Sample   *Sample // counts states, and may end the search; nil: nothing is counted
	// Guess: decide a hypothesis about linearization points instead of the property; nil: none.
	Guess *Guess
	Only  *client.Client // the only client that is explored; nil: all are
	// BreadthFirst: search breadth first, so that a violation has a shortest execution.
	BreadthFirst bool
	// Laps is the only class of executions without end for which a search breadth first with one worker looks; "": it finds none.
	Laps  Class
	Store store.Kind
	// Progress is called several times a second; nil: not called.
	Progress func(explore.Progress)
}

// Result is the result of a verification.
type Result struct {
	Violation *Violation // nil: none
	// Incomplete tells, if there is no violation, why the scope was not exhausted; "": it was.
	Incomplete string
	Undecided  bool      // something was found of which the oracle cannot tell whether it is wrong
	Fault      *vm.Fault // of the machine, which ended the search; nil: none
	unable     string    // the operation that cannot be executed; "": none, or it is not known which
	Refuted    bool      // the hypothesis Options.Guess does not hold
	// Scope is the one that was searched: without generic values if the code looks at items.
	Scope  client.Scope
	Ranked bool // keys were represented by rank, which covers all keys
	// Effort includes the searches that were given up because an assumption was withdrawn (Restarts).
	verdict.Effort
	Restarts int

	resumed int           // how often the search has gone on in another process
	earlier time.Duration // how long it lasted in those before

	limit            explore.Limit // the limit that was reached
	missed, uncalled []string      // the lines of operations to which no execution has come, in functions that were called and in others; nil: not known
	cycles           bool          // the search met cycles
	seen             *seen         // the results of operations
}

// Run verifies a collection. The result does not depend on the number of workers, unless a limit on time or memory is reached.
func Run(ctx context.Context, opt Options) (*Result, error) {
	began, s := time.Now(), opt.Subject
	allowed := opt.MaxStates
	if opt.Whether {
		allowed = 0 // the oracle answers as if there were no limit
	}
	subject.Within(ctx, s.Spec, allowed)
	defer subject.Within(context.Background(), s.Spec, allowed)
	defer metered(&opt)()
	run := once
	if opt.Workers > 1 && !opt.Scope.Clients.Endless {
		run = withWorkers
	}
	var r *Result
	err := subject.Settled(s.Spec, func() (err error) {
		r, err = run(ctx, opt)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.unanswered(s)
	r.Seconds = (time.Since(began) + r.earlier).Seconds()
	r.Effort.Resumed = r.resumed
	return r, nil
}

func once(ctx context.Context, opt Options) (*Result, error) {
	v, err := newVerification(opt)
	if err != nil {
		return nil, err
	}
	kept := v.slot(ctx)
	r, err := v.resume(ctx, kept)
	if other := (errOther{}); errors.As(err, &other) {
		kept.Refuse(other)
		if v, err = newVerification(opt); err != nil {
			return nil, err
		}
		v.kept = kept
		return v.run(ctx)
	}
	if kept != nil {
		kept.Close()
	}
	return r, err
}

// resume runs the verification from the checkpoint that there is, or from the beginning.
func (v *verification) resume(ctx context.Context, kept *checkpoint.Slot) (*Result, error) {
	if err := v.goesOnFrom(kept); err != nil {
		return nil, err
	}
	return v.run(ctx)
}

// run verifies.
func (v *verification) run(ctx context.Context) (*Result, error) {
	opt, err := &v.opt, error(nil)
	switch {
	case opt.Only != nil:
		err = v.search(ctx, client.NewSingle(*opt.Only, opt.Scope.Clients.Threads.To))
	case opt.OneByOne:
		err = v.clientByClient(ctx)
	default:
		err = v.mostGeneral(ctx)
	}
	return v.outcome(), err
}

// mostGeneral explores all clients in one search; if the code turns out to look at items, it starts again with chosen items.
func (v *verification) mostGeneral(ctx context.Context) error {
	space := v.space
	err := v.search(ctx, client.NewGeneral(v.space, func() bool { return v.items }, func() bool { return v.keys }))
	if err == nil && v.space != space {
		return v.mostGeneral(ctx)
	}
	return err
}

// clientByClient explores one client after the other until one is violated. Clients that differ only in the order of the threads are
// explored once, unless the code turns out to look at the numbers of its threads.
func (v *verification) clientByClient(ctx context.Context) error {
	space := v.space
	for c := range space.All() {
		if err := v.search(ctx, client.NewSingle(c, space.Scope.Threads.To)); err != nil {
			return err
		}
		if v.space != space {
			return v.clientByClient(ctx)
		}
		if v.result.Violation != nil {
			v.result.Violation.Client = v.space.Format(c)
			return nil
		}
		if v.result.Incomplete != "" {
			return nil
		}
		if v.space.Scope.ThreadSymmetry && v.tellsThreads() {
			scope := v.space.Scope
			scope.ThreadSymmetry = false
			if err := v.rescope(scope); err != nil {
				return err
			}
			return v.clientByClient(ctx)
		}
	}
	return nil
}
