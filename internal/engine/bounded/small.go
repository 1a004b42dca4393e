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

// A search finds a violation in a client that may make more calls than needed. So operations are removed from that client, one at a time,
// as long as a violation of the same class remains, and then preemptions: in the end no call, thread, pre-add or preemption can be removed
// from the witness. For an execution without end this applies to the preemptions in the stem, before the lap that repeats; a switch between
// stem and lap counts for the lap, in which fairness requires it. Another client may have a smaller witness (see minimal.go). If a limit
// below is reached, the witness stays as small as it is then.

// Limits of all searches for a smaller witness together; most take some thousand states. Searches that find nothing take longest, so each
// may use only half of what is left, and preemptions have limits of their own, so that some can be removed even if the limits for calls are
// used up.
const (
	smallStates = 100_000    // for calls, and again for preemptions
	smallWork   = 60_000_000 // likewise, in units of vm.Meter: about a thousand for each state
)

// shrinker makes one violation smaller.
type shrinker struct {
	ctx     context.Context
	subject *subject.Subject // searches use one whose work is metered
	meter   *vm.Meter
	opt     Options
	class   Class
	best    *Violation
	left    uint64 // states that may still be searched
	work    uint64 // limit of the meter, for calls and again for preemptions
}

// small replaces the violation of a result by one in a client from which nothing can be removed.
func small(ctx context.Context, opt Options, res *Result) {
	k := newShrinker(opt, res)
	k.shrink(ctx)
	res.Violation = k.best
}

// newShrinker makes the shrinker of a result's violation. It uses one worker, explores client by client and limits states and the machines'
// work, so that the result does not depend on the computer. If a limit is reached, the witness is right but larger.
func newShrinker(opt Options, res *Result) *shrinker {
	opt.Scope.Clients, opt.OneByOne, opt.Workers, opt.MaxStates, opt.Progress = counted(res), true, 1, 0, nil
	return &shrinker{subject: opt.Subject, opt: opt, class: res.Violation.Class, best: res.Violation, work: smallWork}
}

// counted is the scope of a result, in which a violation was found: with no more calls than that has, if the scope has any number of them.
func counted(res *Result) client.Scope {
	if !res.Scope.Endless {
		return res.Scope
	}
	return res.Scope.Counted(len(res.Violation.Calls))
}

// shrink removes calls, then preemptions.
func (k *shrinker) shrink(ctx context.Context) {
	if s := &k.opt.Scope.Clients; s.PerThread == 0 && !s.AddsDominant {
		k.within(ctx, k.operations)
	}
	// Endless recursion is found by letting one thread run alone (infinite.go), wherever the search happens
	// to be: fewer switches would not make the witness clearer.
	if k.class != Infinite {
		k.within(ctx, k.preemptions)
	}
}

// within calls drop with fresh limits.
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
	// The meter ends a search with some delay, so that what the search has found by then depends on the computer.
	if err != nil || k.meter.Over() {
		return false
	}
	k.left -= min(k.left, res.States)
	// A violation of another class would be another fault than the reported one.
	if res.Violation == nil || res.Violation.Class != k.class {
		return false
	}
	k.best = res.Violation
	return true
}

// operations removes threads, calls and pre-adds until nothing can be removed.
func (k *shrinker) operations() {
	for again := true; again; {
		again = false
		for _, c := range fewer(k.best.client()) {
			// The index of a thread without calls matters only if threads may call different operations.
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

// allowed reports whether the scope has clients with so few calls.
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

// alike reports whether every thread may call every operation.
func (k *shrinker) alike() bool {
	for i := range k.subject.Operations {
		if k.subject.Operations[i].Client.Who != (client.Roles{}) {
			return false
		}
	}
	return true
}

// gathered gives the lowest numbers to the threads that make calls.
func gathered(c client.Client) client.Client {
	var busy [][]client.Step
	for _, steps := range c.Threads {
		if len(steps) > 0 {
			busy = append(busy, steps)
		}
	}
	return client.Client{Pre: c.Pre, Threads: append(busy, make([][]client.Step, len(c.Threads)-len(busy))...)}
}

// fewer lists the clients with one thread, one call or one pre-add less.
func fewer(c client.Client) []client.Client {
	var list []client.Client
	without := func(thread, from, to int) {
		less := client.Client{Pre: c.Pre, Threads: slices.Clone(c.Threads)}
		less.Threads[thread] = slices.Delete(slices.Clone(c.Threads[thread]), from, to)
		list = append(list, less)
	}
	// Whole threads come first, which saves a search for each of their calls.
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

// preemptions searches with 0, 1, … preemptions, fewer than the witness has. A depth-first search finds a violation sooner, but on a path
// of perhaps a thousand steps; a shortest path is then looked for within the rest of the limits. Laps are looked for breadth first at once.
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

// stem is the turns of a recording before its lap; all turns if it has none.
func (r *Recording) stem() []interleave.Turn {
	if r.Cycle < 0 {
		return r.Turns
	}
	return r.Turns[:r.Cycle]
}

// client is the calls of a recording by thread.
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
