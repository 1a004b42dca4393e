// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"cmp"
	"context"
	"errors"

	"pangolin/internal/checkpoint"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/play"
	"pangolin/internal/saved"
	"pangolin/internal/store"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// One verification: search, judge every state, and start again if an assumption turns out to be wrong. A search with a wrong assumption has
// no result, whatever it has found: so what machines have reported is considered first (spoilt, withdraws), and only then what was found.

// verification is a verification in progress.
type verification struct {
	subject *subject.Subject
	opt     Options
	img     *vm.Image
	space   *client.Space
	monitor consist.Monitor
	assumed *interleave.Assumptions
	items   bool // items may still be renamed
	keys    bool // keys may still be represented by rank
	numbers bool // numbers of threads may still be renamed
	told    bool // the oracle is told which thread makes a call, because the code has asked for it
	result  *Result
	parts   *play.Store      // the parts of the search's states; nil: states are saved in the machine's words
	kept    *checkpoint.Slot // where the search is written down; nil: it is not
	from    *saved.Codec     // a checkpoint with which the next search goes on; nil: it begins

	*attempt       // the search in progress
	stage    stage // whether a search was too deep, see deep.go
}

// found is a violation with the path to it.
type found struct {
	finding
	path explore.Path
	// Of a violation that is a cycle: inner leads from the end of path (from) to the cycle (root), without symmetry and invocations; cycle
	// leads once around.
	from, root   []uint64
	inner, cycle []explore.Taken
}

func newVerification(opt Options) (*verification, error) {
	s := opt.Subject
	if opt.Guess != nil && !opt.Guess.Guarded { // a guarded access is a site, so that a step must end at it
		opt.Reduce &^= vm.GuardedAccesses
	}
	opt.Reduce &^= unfused(s)
	if err := engine.HashModel(opt.Scope.Hash).Validate(); err != nil {
		return nil, err
	}
	img, err := s.Image()
	if err != nil {
		return nil, err
	}
	v := &verification{subject: s, opt: opt, img: img}
	scope := opt.Scope.Clients
	scope.GenericValues = v.generic()
	v.space, err = client.NewSpace(scope, s.ClientOps())
	if err != nil {
		return nil, err
	}
	subject.Calls(s.Spec, callsOf(&opt))
	if v.monitor, err = monitorOf(&opt); err != nil {
		return nil, err
	}
	v.result = &Result{Scope: scope, Effort: verdict.Effort{Clients: engine.Clients(v.space)}, seen: newSeen(len(s.Operations))}
	if opt.Store != store.Exact {
		v.result.Apart = opt.Store.String()
	}
	v.items, v.keys, v.numbers = v.renamesItems(), v.ranksKeys(), opt.Reduce&vm.Symmetry != 0 && img.UsesThreadIDs()
	v.assumed = cmp.Or(opt.Guess, opt.Points).assuming(interleave.NewAssumptions(img, opt.Reduce))
	v.attempt = newAttempt(&opt)
	if v.ordersItems() || v.space.Scope.Endless && v.space.Scope.GenericValues && !v.items {
		return v, v.chooseItems()
	}
	return v, nil
}

// callsOf is the greatest number of calls of a client, pre-adds included.
func callsOf(opt *Options) int {
	s := &opt.Scope.Clients
	n := s.Calls() + s.PreAdds.To
	if c := opt.Only; c != nil {
		only := len(c.Pre)
		for _, steps := range c.Threads {
			only += len(steps)
		}
		n = max(n, only)
	}
	return n
}

// search explores one plan, and starts again whenever an assumption turns out to be wrong.
func (v *verification) search(ctx context.Context, p client.Plan) error {
	var last explore.Result
	for {
		v.begin()
		sys := v.system(p)
		if v.from != nil {
			if v.passKnown(sys, v.from); v.from.Err() != nil {
				return errOther{v.from.Err()}
			}
		}
		res := v.assumed.Run(func() explore.Result { return explore.Run(ctx, sys, v.around(v.searchOptions(ctx, sys))) }, func() bool { return v.refuted(sys) })
		v.tellKnown(sys)
		sys.made = nil
		if res.States == 0 { // a limit was reached before it began again
			res.States, res.Transitions, res.PeakBytes = last.States, last.Transitions, last.PeakBytes
		}
		if hunting, found := v.hunt(ctx, p, &res); found {
			sys = hunting
		}
		if !v.withdraws() && !v.goesOn() {
			return v.conclude(ctx, sys, res)
		}
		// What was found rests on a withdrawn assumption, so it is dropped.
		if v.looked.Items { // the scope's clients must have chosen items
			return v.chooseItems()
		}
		last = res
	}
}

// begin drops everything that the last search found out.
func (v *verification) begin() {
	v.attempt = newAttempt(&v.opt)
	v.assumed.Begin()
}

// tellKnown collects what machines have found out in steps to known states, which are not visited.
func (v *verification) tellKnown(sys *system) {
	sys.made.mu.Lock()
	defer sys.made.mu.Unlock()
	for _, c := range sys.made.list {
		if c.m.Breached() >= 0 || c.looked() {
			v.spoilt(c)
		}
		c.tellInvariants()
	}
}

// refuted reports whether the search has refuted one of its assumptions.
func (v *verification) refuted(sys *system) bool {
	v.tellKnown(sys)
	return v.assumed.Refuted() || v.misled()
}

// withdraws drops the assumption that a search has refuted, if any.
func (v *verification) withdraws() bool {
	switch {
	// Guards are dropped first and one by one, because what else was seen may rest on them; then names, because
	// without them there are other states; frozen fields last. Each time something is
	// dropped for good, so that this ends.
	case v.assumed.Unguarded() && v.assumed.Withdraw():
	case v.looked != (vm.Looked{}):
		v.keys, v.numbers = v.keys && !v.looked.Keys, v.numbers && !v.looked.Numbers
		v.told = v.told || v.looked.Asked
	case v.early:
		v.items, v.keys = false, false
	case v.assumed.Withdraw():
	default:
		return false
	}
	v.result.Restarts++
	return true
}

func (v *verification) system(p client.Plan) *system {
	machine := interleave.Operations(engine.HashModel(v.opt.Scope.Hash))
	// The system is made anew for each search, because the options of its machines contain the remaining assumptions. The image and the
	// monitor with all its states are kept.
	fusing, symmetry := v.opt.Reduce&vm.Fusing != 0, v.opt.Reduce&vm.Symmetry != 0
	machine.NoFusing, machine.Frozen, machine.Guards = !fusing, v.assumed.Frozen, v.assumed.Guards
	machine.Telling, machine.Meter = v.tells(), v.opt.Meter
	s := &system{
		subject: v.subject, img: v.img, guess: v.opt.Guess, points: v.opt.Points, composed: v.opt.Composed, space: v.space, ops: v.subject.ClientOps(), monitor: v.monitor, plan: p, threads: v.opt.Scope.Clients.Threads.To,
		opt: systemOptions{races: !v.opt.NoRaces, leaks: v.looksForLeaks(), fuse: fusing, Renamed: play.Renamed{Generic: v.space.Scope.GenericValues && v.takesItems(), Items: v.items,
			Keys: v.keys, Numbers: v.numbers}, untold: v.subject.Asks() && !v.told, symmetry: symmetry && !v.tellsThreads(), preempt: v.opt.Scope.Preempt},
		machine: machine, starts: new(starts), seen: v.seen, made: new(made),
	}
	if v.remembers(s) {
		s.store = play.NewStore(v.img, v.opt.MaxBytes)
	}
	v.parts = s.store
	return s
}

// remembers reports whether states are taken apart and steps remembered.
func (v *verification) remembers(s *system) bool {
	return v.opt.Reduce&vm.RememberedSteps != 0 && !v.subject.Prog.Clock.Virtual && !v.opt.OneByOne && v.opt.Only == nil && s.guess == nil && s.opt.symmetry &&
		s.threads >= 2 && (!v.img.UsesThreadIDs() || s.opt.Numbers)
}

// progressEvery is the number of states between two reports of progress, of which there are several a second.
const progressEvery = 1 << 14

func (v *verification) searchOptions(ctx context.Context, sys *system) explore.Options {
	opt := explore.Options{
		Workers: v.opt.Workers, Store: v.opt.Store, MaxStates: v.opt.MaxStates, MaxBytes: v.opt.MaxBytes,
		Progress: v.opt.Progress, ProgressEvery: progressEvery, Visit: v.visit, Held: v.held,
	}
	switch {
	case v.opt.Laps != "":
		opt.Order, opt.Visit = explore.BreadthFirst, v.laps(ctx, sys)
	case v.opt.BreadthFirst:
		opt.Order = explore.BreadthFirst
	case v.space.Scope.Endless:
		opt.Order, opt.Workers, opt.Visit = explore.BreadthFirst, 1, v.endlessVisit(ctx, sys)
	default:
		opt.Cycles, opt.Seed = true, uint64(v.opt.Variant)
		opt.OnComponent = func(c *explore.Component) explore.Action { return v.component(ctx, sys, c) }
		if sys.machine.Hunt == nil {
			opt.Checkpoints = v.checkpoints(sys)
		}
	}
	return opt
}

// held is the memory of the monitor, of judged components and of parts, in bytes.
func (v *verification) held() int64 {
	return v.monitor.Bytes() + v.settled.Bytes() + v.parts.Bytes()
}

// conclude adds the result of a search.
func (v *verification) conclude(ctx context.Context, sys *system, res explore.Result) error {
	r := v.result
	r.Ranked = v.keys
	r.seen.join(v.seen)
	r.States += res.States
	r.Transitions += res.Transitions
	r.cycles = r.cycles || v.closed != nil
	r.PeakBytes = max(r.PeakBytes, res.PeakBytes)
	if m, ok := v.monitor.(*consist.PolicyMonitor); ok && v.opt.Composed != nil {
		v.opt.Composed.Candidates = m.Candidates()
	}
	r.Confusions += res.Collisions + v.inside + v.opt.Store.Collisions(uint64(v.settled.Len()))
	if err := cmp.Or(v.monitor.Err(), subject.Failure(v.subject.Spec)); errors.Is(err, subject.ErrUndecided) || errors.Is(err, oracle.ErrTooMany) {
		r.Incomplete = err.Error()
		if unable := new(subject.Inexecutable); errors.As(err, &unable) {
			r.unable = unable.Operation
		}
		return nil
	} else if err != nil {
		return err
	}
	switch {
	case v.found != nil && v.found.class == unmade:
		return &subject.SetupError{Message: v.found.message}
	case v.found != nil && (v.opt.Points != nil || v.opt.Guess != nil && v.found.class != Point):
		r.Incomplete = "something is wrong that is not a matter of points, or points explain a history no more"
	case v.found != nil && v.opt.Guess != nil:
		return v.refute(ctx, sys, res.States)
	case v.found != nil:
		v.shorten(ctx, sys, v.found, res.States)
		return v.violated(sys)
	case v.assumed.Fault() != nil:
		r.Fault, r.Incomplete = v.assumed.Fault(), v.assumed.Fault().Error()
		r.unable = v.subject.Needing(r.Fault)
	case v.ended || !res.Complete:
		r.limit = max(res.Limit, v.cut)
		r.Incomplete = v.incomplete(r.limit.After(r.States))
	}
	return nil
}

// visit judges a new state.
func (v *verification) visit(cur explore.Cursor, t explore.Trail, at int) explore.Action {
	c := cur.(*cursor)
	if v.spoilt(c) || errors.Is(v.monitor.Err(), oracle.ErrTooMany) || v.tired() {
		return explore.Stop
	}
	f := c.found
	if f == nil {
		f = c.examine()
	}
	if f == nil {
		f = v.endless(c, t.State())
	}
	if f == nil {
		if f = c.broken(); c.inquirer != nil && v.spoilt(c) {
			return explore.Stop
		}
	}
	if f == nil {
		return max(v.opt.Sample.ends(t.State()), v.sinks(at))
	}
	v.report(&found{finding: *f, path: t.Path()})
	return explore.Stop
}

// spoilt reports whether the search is useless from this state on, because the machine has a fault or an assumption is wrong.
func (v *verification) spoilt(c *cursor) bool {
	useless := v.assumed.Tell(c.m) || c.inquirer != nil && v.assumed.Tell(c.inquirer.m)
	return v.misleads(c) || useless
}

// examine looks for what is wrong in a state in which no step has failed: a data race, a client that ends with a history that nothing
// explains, or operations that wait for ever without a reason.
func (c *cursor) examine() *finding {
	if c.sys.machine.Hunt != nil {
		return c.examineHunt()
	}
	if c.sys.opt.races {
		if r, ok := c.place.Race(); ok {
			return &finding{class: Race, race: r}
		}
	}
	if c.makes() {
		return c.examineMaking()
	}
	busy := c.monitor.Busy(c.id)
	// A history is judged only where a client of the scope may end: elsewhere another call may still explain it, or the calls are those of
	// no client (client/general.go).
	if !c.sys.plan.Done(c.all, c.own, client.ThreadSet(busy)) {
		return nil
	}
	if busy == 0 {
		if !c.monitor.CompleteOK(c.id) {
			return &finding{class: History, thread: -1}
		}
		return c.leaking()
	}
	if !play.Stuck(c.place) {
		return nil
	}
	if ok, thread := c.monitor.StuckOK(c.id, busy); !ok {
		return &finding{class: Deadlock, thread: thread}
	}
	c.notesWaiting()
	return c.leaking()
}

var _ interleave.Cursor = (*cursor)(nil)
