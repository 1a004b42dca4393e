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
	"time"

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
	Progress       Class = "progress"       // a call that is kept from returning, of an engine that looks for that
	Point          Class = "point"          // an operation breaks a rule of its linearization policy
	unmade         Class = "setup"          // the collection cannot be made: no violation but an error
)

var classes = []Class{History, Deadlock, Livelock, Nontermination, Panic, Race, Infinite, Point, unmade}

func (c Class) index() int {
	for i, d := range classes {
		if d == c {
			return i
		}
	}
	return len(classes)
}

// Options are a job with what the engines over this one ask besides.
type Options struct {
	engine.Job
	// Policy judges by what the code announces instead of by call and return.
	Policy bool
	// Composed is told which steps of the specification go with those of the code, if a policy judges; nil:
	// nobody wants to know.
	Composed *Composed
	// Guess asks whether a hypothesis on linearization points holds, instead of the
	// property; nil: none.
	Guess *Guess
	// Only, if not nil, is the client that is explored, and no other.
	Only *client.Client
	// BreadthFirst makes a violation that is found have a shortest execution.
	BreadthFirst bool
	// Laps is the class of executions without end that a search breadth first, by one worker, looks for,
	// and for nothing else; "": it sees none.
	Laps  Class
	Store store.Kind
	Meter *vm.Meter // counts what machines do; nil: nobody does
	// Progress is called several times a second; nil: nobody is told.
	Progress func(explore.Progress)
}

// Result is what a verification found.
type Result struct {
	Violation *Violation // nil: none
	// Incomplete says, if there is no violation, why the scope was not exhausted; "":
	// it was.
	Incomplete string
	Undecided  bool      // what was found may be right: the oracle cannot tell
	Fault      *vm.Fault // the machine could not go on
	Refuted    bool      // the hypothesis that was asked about does not hold
	// Scope is the one that was searched: without generic values if the code looks at items.
	Scope  client.Scope
	Ranked bool // keys were chosen by rank: all that there can be
	// Effort is that of the search, with those that were given up because an assumption was withdrawn (Restarts).
	verdict.Effort
	Restarts int

	limit  explore.Limit // that made it incomplete
	cycles bool          // the search has met some
	seen   *seen         // what operations returned
}

// Run verifies a collection. The result does not depend on the number of workers, unless
// a limit on time or memory is reached.
func Run(ctx context.Context, opt Options) (*Result, error) {
	began, s := time.Now(), opt.Subject
	subject.Within(ctx, s.Spec, opt.MaxStates)
	defer subject.Within(context.Background(), s.Spec, opt.MaxStates)
	run := once
	if opt.Workers > 1 {
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
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

func once(ctx context.Context, opt Options) (*Result, error) {
	v, err := newVerification(opt)
	if err != nil {
		return nil, err
	}
	switch {
	case opt.Only != nil:
		err = v.search(ctx, client.NewSingle(*opt.Only, opt.Scope.Clients.Threads.To))
	case opt.OneByOne:
		err = v.clientByClient(ctx)
	default:
		err = v.mostGeneral(ctx)
	}
	return v.result, err
}

// mostGeneral explores all clients at once, and others if items turn out to be looked at.
func (v *verification) mostGeneral(ctx context.Context) error {
	space := v.space
	err := v.search(ctx, client.NewGeneral(v.space, func() bool { return v.items }, func() bool { return v.keys }))
	if err == nil && v.space != space {
		return v.mostGeneral(ctx)
	}
	return err
}

// clientByClient explores one client after the other until one is violated. Clients that
// differ in the order of the threads only are one, unless the code turns out to look at
// the numbers of its threads.
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
