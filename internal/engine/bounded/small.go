// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/interleave"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
)

// A search comes to a violation in a client that may call more than it takes. So operations
// are dropped from that client, one at a time, as long as a violation of the same class
// remains, and then preemptions: in the end neither a call, nor a thread, nor a pre-add, nor a preemption
// can be dropped from the witness. Of an execution without end those preemptions are meant that are
// on the stem, the way to the lap that repeats: no execution of the client that has a lap of the class comes to
// one with fewer. A switch at the joint of the two is in the lap, in which fairness asks for them. There may be a smaller one elsewhere (see minimal.go). What
// a witness takes is not proved: the limits below end it where it has come to.

// Limits of all searches for a smaller witness together: most take some thousand states. A search for
// nothing is the one that takes long, so none may take more than half of what is left, and of
// preemptions something can be dropped though nobody could say whether a call can.
const (
	smallStates = 100_000    // for calls, and again for preemptions
	smallWork   = 60_000_000 // likewise, of vm.Meter: a state mostly comes to a thousand
)

// shrinker makes one violation smaller.
type shrinker struct {
	ctx     context.Context
	subject *subject.Subject // as it was given; searches have one that is metered
	meter   *vm.Meter
	opt     Options
	class   Class
	best    *Violation
	left    uint64 // states
	work    uint64 // of what machines do, for calls and again for preemptions
}

// small replaces the violation of a result by one in a client of which nothing can be
// dropped.
func small(ctx context.Context, opt Options, res *Result) {
	k := newShrinker(opt, res)
	k.shrink(ctx)
	res.Violation = k.best
}

// newShrinker is about the violation of a result. One worker, client by client, limits in states and in what machines do (states are dear
// where each costs the oracle a search): what is found must not depend on the computer. Where a limit ends the searches the witness is right,
// only larger.
func newShrinker(opt Options, res *Result) *shrinker {
	opt.Scope.Clients, opt.OneByOne, opt.Workers, opt.MaxStates, opt.Progress = res.Scope, true, 1, 0, nil
	return &shrinker{subject: opt.Subject, opt: opt, class: res.Violation.Class, best: res.Violation, work: smallWork}
}

// shrink drops calls, then preemptions.
func (k *shrinker) shrink(ctx context.Context) {
	if s := &k.opt.Scope.Clients; s.PerThread == 0 && !s.AddsDominant {
		k.within(ctx, k.operations)
	}
	// What grows without end is found by letting one thread run alone (infinite.go), at whatever depth the search has
	// come to: fewer switches would not show in it.
	if k.class != Infinite {
		k.within(ctx, k.preemptions)
	}
}

// within drops something within the limits.
func (k *shrinker) within(ctx context.Context, drop func()) {
	var cancel context.CancelFunc
	k.ctx, cancel = context.WithCancel(ctx)
	defer cancel()
	k.left, k.meter = smallStates, vm.NewMeter(k.work, cancel)
	var err error
	if k.opt.Subject, err = k.subject.Metered(k.meter); err != nil {
		return // nothing is dropped
	}
	k.opt.Meter = k.meter
	drop()
}

// search looks for a violation of the class in one client.
func (k *shrinker) search(c client.Client, opt Options) bool {
	if k.left == 0 || k.meter.Over() || k.ctx.Err() != nil {
		return false
	}
	opt.Only, opt.MaxStates = &c, max(1, k.left/2)
	res, err := Run(k.ctx, opt)
	// A search that was ended by the meter ends a little later, or has just come to something: that depends on the computer.
	if err != nil || k.meter.Over() {
		return false // of the client that is left nothing is claimed
	}
	k.left -= min(k.left, res.States)
	// Another class is another story, though it may be shorter: the page, the expectation and the exit are about this one.
	if res.Violation == nil || res.Violation.Class != k.class {
		return false
	}
	k.best = res.Violation
	return true
}

// operations drops threads, then calls, then pre-adds, until nothing can be dropped.
func (k *shrinker) operations() {
	for again := true; again; {
		again = false
		for _, c := range fewer(k.best.client()) {
			// Where a thread without calls stands matters only where threads may call different operations.
			if k.alike() {
				c = gathered(c)
			}
			if k.allowed(c) && k.search(c, k.opt) {
				again = true
				break
			}
		}
	}
}

// allowed says that the scope has clients with so few calls.
func (k *shrinker) allowed(c client.Client) bool {
	threads, calls := 0, 0
	for _, steps := range c.Threads {
		if len(steps) > 0 {
			threads++
		}
		calls += len(steps)
	}
	s := &k.opt.Scope.Clients
	return calls > 0 && threads >= s.Threads.From && calls >= s.Steps.From && len(c.Pre) >= s.PreAdds.From
}

// alike says that every thread may call every operation.
func (k *shrinker) alike() bool {
	for i := range k.subject.Operations {
		if k.subject.Operations[i].Client.Who != (client.Roles{}) {
			return false
		}
	}
	return true
}

// gathered gives the threads that call something the first numbers.
func gathered(c client.Client) client.Client {
	var busy [][]client.Step
	for _, steps := range c.Threads {
		if len(steps) > 0 {
			busy = append(busy, steps)
		}
	}
	return client.Client{Pre: c.Pre, Threads: append(busy, make([][]client.Step, len(c.Threads)-len(busy))...)}
}

// fewer lists the clients with a thread less, a call less, or a pre-add less.
func fewer(c client.Client) []client.Client {
	var list []client.Client
	without := func(thread, from, to int) {
		less := client.Client{Pre: c.Pre, Threads: slices.Clone(c.Threads)}
		less.Threads[thread] = slices.Delete(slices.Clone(c.Threads[thread]), from, to)
		list = append(list, less)
	}
	// Whole threads first: one search in place of one for each of their calls.
	for t, steps := range c.Threads {
		if len(steps) > 1 {
			without(t, 0, len(steps))
		}
	}
	for t, steps := range c.Threads {
		for i := range steps {
			without(t, i, i+1)
		}
	}
	for i := range c.Pre {
		list = append(list, client.Client{Pre: slices.Delete(slices.Clone(c.Pre), i, i+1), Threads: c.Threads})
	}
	return list
}

// preemptions allows none, then one, and so on, fewer than the witness can have. Depth first comes
// to the first violation, which may lie a thousand steps away, long before all shorter ways have been
// tried; a shortest one is then looked for with what the limits leave. Laps are looked for
// breadth first at once.
func (k *shrinker) preemptions() {
	switches := 0
	stem := k.best.stem()
	for i := range stem {
		if i > 0 && stem[i].Thread != stem[i-1].Thread {
			switches++
		}
	}
	opt := k.opt
	if endless(k.best) {
		opt.Laps = k.class
	}
	most := k.opt.Scope.Preempt
	for n := 0; n < switches && (most < 0 || n <= most); n++ {
		opt.Scope.Preempt = n
		if k.search(k.best.client(), opt) {
			if endless(k.best) {
				return
			}
			opt.BreadthFirst = true
			k.search(k.best.client(), opt)
			return
		}
	}
}

// stem is the turns of a recording before its lap; all of them if it has none.
func (r *Recording) stem() []interleave.Turn {
	if r.Cycle < 0 {
		return r.Turns
	}
	return r.Turns[:r.Cycle]
}

// client is what the threads of a recording call.
func (r *Recording) client() client.Client {
	c := client.Client{Pre: r.Pre, Threads: make([][]client.Step, r.Threads)}
	calls := r.Calls
	for _, t := range r.Turns {
		if invokes(t.Move) {
			c.Threads[t.Thread] = append(c.Threads[t.Thread], calls[0])
			calls = calls[1:]
		}
	}
	return c
}
