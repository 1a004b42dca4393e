// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"errors"
	"fmt"
	"slices"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/internal/explore"
	"pangolin/internal/facts"
	"pangolin/internal/interleave"
	"pangolin/internal/play"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// From what a search has found to what is reported. A path is a list of moves in a system with reductions: threads are sorted along it,
// items and keys renamed. record follows it once and writes down the execution without all that: which thread executes how many
// instructions, with which decisions, and calls what. The replayer executes this on a machine without assumptions, and confirm.go judges it
// by other means. What cannot be repeated or confirmed is an error of Pangolin: a wrong witness is worse than none.

// Violation is a wrong execution, confirmed by executing it again without any reduction.
type Violation struct {
	Recording
	Message string         // what is wrong, in one line
	Client  string         // the calls of each thread: "1: Add(0)  |  2: Remove(0)"
	Steps   []verdict.Step // without their lines of source
	Frames  []verdict.Frame
	History history.History
	Events  []verdict.Event // the calls of History, for readers
	// Explanation says why no order of the history's operations fits.
	Explanation *verdict.Explanation
	Waiting     []verdict.Situation // of a deadlock or livelock: what each busy thread waits for or repeats
	Race        []verdict.Conflict  // both accesses
	Crash       *verdict.Crash      // of a panic or fatal error
	Broken      *verdict.Broken     // the invariant that is not true
	Scenes      []verdict.Scene     // the state after each step, if asked for
	Damage      int                 // number of the step after which every continuation is wrong; 0: not known
	Loop        int                 // of an execution without end: index of the first step that repeats; else -1
}

// violated sets the result's violation, unless it cannot be decided whether it is one.
func (v *verification) violated(sys *system) (err error) {
	r := v.result
	if r.Violation, err = v.violation(sys, v.found); errors.Is(err, subject.ErrUndecided) {
		r.Violation, r.Undecided, r.Incomplete = nil, true, err.Error()
		return nil
	}
	return err
}

// violation executes what the search found again, and describes it.
func (v *verification) violation(sys *system, f *found) (*Violation, error) {
	rec := v.record(sys, f)
	r := newReplayer(sys, rec)
	r.w.Message = f.message
	if err := r.run(); err != nil {
		return nil, r.contradicts("the execution that was found cannot be repeated without reductions", err)
	}
	if err := r.confirm(v.opt.Property); errors.Is(err, subject.ErrUndecided) {
		return nil, err
	} else if err != nil {
		return nil, r.contradicts("the violation that was found does not show without reductions", err)
	}
	r.w.Damage = r.damage()
	return r.w, nil
}

// contradicts is the error of a violation that is not confirmed. If the oracle has failed meanwhile, because the time was up, its answers mean nothing, and
// nothing contradicts the search: it is undecided whether this is a violation.
func (r *replayer) contradicts(what string, err error) error {
	if failed := subject.Failure(r.sys.subject.Spec); errors.Is(failed, subject.ErrUndecided) {
		return failed
	}
	return engine.Contradiction(fmt.Errorf("%s: %w", what, err))
}

// record follows the path and makes a recording.
func (v *verification) record(sys *system, f *found) Recording {
	w := Recording{Class: f.class, Threads: sys.threads, Hash: v.opt.Scope.Hash, Cycle: -1, Start: f.path.Start}
	variant := 0
	if sys.plan.Variants() > 1 {
		variant, w.Start = int(w.Start[0]), w.Start[1:]
	}
	pre, _, _ := sys.plan.Start(variant)
	w.Pre = slices.Clone(pre)
	numbers := sys.numbering(w.Pre)
	c := sys.NewCursor().(*cursor)
	walk, first := interleave.Begin(c, f.path.Start)
	// Goroutines of the constructor move between its instructions, and the search lets them begin at a point that depends on the
	// reductions: so the recording contains how far it came.
	if c.m.Created() > sys.threads {
		w.Begun = first.Ran
	}
	if c.found != nil { // by a pre-add
		numbers.finish(&w)
		return w
	}
	walk.Settle()
	numbers.settle(c)
	path := &recorder{walk, c, &w, numbers}
	path.follow(f.path.Steps)
	// A cycle was found in the closed system, whose threads keep their indices. The walk continues there in the same state of the machine,
	// so that the threads keep their numbers.
	if f.from != nil {
		path.c = sys.closed().NewCursor().(*cursor)
		walk.Switch(path.c)
		path.follow(f.inner)
		w.Cycle = len(w.Turns)
		path.follow(f.cycle)
	}
	numbers.finish(&w)
	return w
}

// recorder makes a recording along a walk.
type recorder struct {
	walk    *interleave.Walk
	c       *cursor
	rec     *Recording
	numbers *numbering
}

// follow takes the steps of a walk.
func (r *recorder) follow(steps []explore.Taken) {
	for _, s := range steps {
		// What the plan makes of the call depends on the state before it.
		if k, ok := move(s.Move).call(); ok {
			step, _, _ := r.c.sys.plan.Make(k, r.c.all, r.c.own[s.Move.Agent()])
			step = r.c.sys.calledBy(step, s.Move.Agent())
			r.rec.Calls = append(r.rec.Calls, r.numbers.call(step))
		}
		r.rec.Turns = append(r.rec.Turns, r.walk.Step(s))
		if r.c.found != nil || r.c.m.Fault() != nil {
			return
		}
		r.walk.Settle()
		r.numbers.settle(r.c)
	}
}

// replayer executes turns on a machine without reductions.
type replayer struct {
	sys      *system
	c        *cursor
	rerun    *interleave.Rerun
	clocks   *interleave.Clocks // to find the race of a recording; nil: it has none
	w        *Violation
	calls    []client.Step       // not made yet
	busy     map[int]client.Step // calls in progress, by thread
	names    []string            // name of the last operation of each thread
	frames   facts.Frames
	panics   []panicked // the calls that have panicked
	last     int        // the thread that executed the last instruction
	accesses int        // number of visible accesses so far
	scenes   bool       // record Scenes
	// For damage: whole is the client, whose calls the cursor then counts and the monitor sees, and end the number of accesses to make.
	whole *client.Single
	end   int
	lap   lap // of an execution without end
	leaks tracing
	// announced lists the calls, announcements and returns, if a policy is checked.
	announced []consist.Announced
	before    int // their number before the last turn
	groups    int // number of turns so far, which makes the groups of announcements different
}

func newReplayer(sys *system, rec Recording) *replayer {
	// The same system without anything that leaves out states or renames words. Its plan is the recording, which determines the calls.
	raw := *sys
	raw.plan, raw.store = client.NewRecorded(rec.Pre, rec.Threads), nil
	raw.opt.symmetry, raw.opt.Renamed = false, play.Renamed{}
	// Fusing is on, but a turn is a number of instructions, so the ends of steps do not matter.
	raw.machine.Frozen, raw.machine.Guards, raw.machine.NoFusing, raw.machine.Chronicle = nil, nil, false, true
	raw.machine.Hunt, raw.machine.Telling = nil, nil
	c := raw.NewCursor().(*cursor)
	w := &Violation{Recording: rec, Loop: -1}
	r := &replayer{sys: &raw, c: c, rerun: interleave.NewRerun(c.m), w: w, calls: rec.Calls, busy: map[int]client.Step{}, names: make([]string, rec.Threads)}
	if rec.Class == Race {
		r.clocks = r.rerun.Clock()
		r.clocks.Step = func() int { return len(r.w.Steps) + 1 }
	}
	if rec.Class == Leak {
		r.leaks.started = map[int]*verdict.Origin{}
		c.m.Listen(origins{r})
	}
	r.rerun.Between = func(thread int) {
		r.c.proceed(nil)
		r.nameMaker()
		if r.leaks.ran != nil {
			r.leaks.ran(thread)
		}
	}
	return r
}

// run executes the turns from the initial state.
func (r *replayer) run() error {
	if err := r.begin(); err != nil || r.c.found != nil {
		return err
	}
	r.rerun.Settle()
	r.rerun.Watch = func(thread int, e *vm.Event) {
		r.add(r.frames.Step(thread, e))
		r.accesses++
	}
	if r.whole != nil {
		r.rerun.Before = func() error {
			if r.accesses == r.end {
				return errReached
			}
			return nil
		}
	}
	r.w.History.Threads = r.sys.threads
	var mark interleave.Mark
	for i, turn := range r.w.Turns {
		if i == r.w.Cycle {
			// The lap must lead back to exactly this state, or the execution would not be endless.
			r.w.Loop, mark = len(r.w.Steps), r.rerun.Mark()
			r.enter()
		}
		r.lap.note(turn)
		if err := r.turn(turn); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	if r.w.Loop >= 0 {
		if !interleave.Moves(r.w.Turns[r.w.Cycle:]) {
			return errors.New("no thread executes anything in its cycle")
		}
		return r.rerun.Back(mark, r.w.Turns[r.w.Cycle:])
	}
	return nil
}

// begin constructs the collection as the search did: if goroutines were started, exactly as far, because without reductions construction
// may get less far.
func (r *replayer) begin() error {
	defer r.nameMaker()
	if len(r.w.Begun) == 0 {
		r.c.Initial(explore.Replay(r.w.Start))
		return nil
	}
	r.c.begin(0)
	if err := r.rerun.Turn(&interleave.Turn{Decisions: r.w.Start, Ran: r.w.Begun}); err != nil {
		return fmt.Errorf("the collection is constructed in another way than recorded: %w", err)
	}
	return nil
}

// nameMaker names what the maker executes during construction.
func (r *replayer) nameMaker() {
	if r.c.makes() {
		r.names[r.c.maker] = r.c.making()
	}
}

func (r *replayer) turn(turn interleave.Turn) error {
	r.before = len(r.announced)
	if invokes(turn.Move) {
		r.invoke(turn.Thread)
	}
	if err := r.rerun.Turn(&turn); errors.Is(err, errReached) {
		r.respond() // a call may have returned on the way, whose results are not part of a state
		return err
	} else if err != nil {
		return err
	}
	if n := len(turn.Ran); n > 0 {
		r.last = turn.Ran[n-1].Thread
	}
	r.respond()
	if r.whole != nil && r.accesses == r.end {
		return errReached
	}
	return nil
}

func (r *replayer) add(s verdict.Step) {
	if s.Thread <= len(r.names) {
		s.Operation = r.names[s.Thread-1]
	}
	r.w.Steps = append(r.w.Steps, s)
	if r.scenes {
		r.w.Scenes = append(r.w.Scenes, facts.Scene(r.c.m))
	}
}

func (r *replayer) invoke(thread int) {
	s := r.calls[0]
	r.calls = r.calls[1:]
	op := &r.sys.subject.Operations[s.Op]
	if r.whole != nil {
		r.c.announce(thread, s)
	}
	r.c.call(thread, s)
	r.busy[thread] = s
	r.names[thread] = op.Name
	e := history.Event{Phase: history.Invoke, Thread: thread, Method: s.Op, Name: op.Name, Args: s.Args, Notation: op.Client.Notation}
	r.w.History.Events = append(r.w.History.Events, e)
	r.announced = append(r.announced, consist.Announced{Kind: consist.Called, Thread: thread, Call: oracle.Call{Op: s.Op, Args: s.Args}})
	r.w.Events = append(r.w.Events, invoked(&e, len(r.w.Steps)+1))
	r.add(verdict.Step{Thread: thread + 1, Call: len(r.w.Events), Phase: verdict.Invoke})
}

func (r *replayer) respond() {
	if r.c.m.Ended().Kind != vm.Running {
		return // a fatal error: nothing returns any more, and there are no results
	}
	r.announce()
	for thread := range r.sys.threads {
		s, ok := r.busy[thread]
		if !ok || !r.c.m.Idle(thread) {
			continue
		}
		delete(r.busy, thread)
		r.lap.returns++
		if r.whole != nil {
			r.c.hears(r.c.place.(*play.Machine).Heard())
		}
		op := &r.sys.subject.Operations[s.Op]
		var words []uint64
		result := history.PanicTuple()
		if r.c.m.Panicked(thread) == "" {
			words = slices.Clone(r.c.m.Results(thread))
			result = op.Tuple(words)
		} else {
			text := r.c.m.Panicked(thread)
			r.panics = append(r.panics, panicked{oracle.Call{Op: s.Op, Args: s.Args}, text, r.crash(thread, text)})
		}
		r.w.History.Events = append(r.w.History.Events, history.Event{Phase: history.Respond, Thread: thread, Method: s.Op, Name: op.Name, Args: s.Args, Result: result, Notation: op.Client.Notation})
		r.announced = append(r.announced, consist.Announced{Kind: consist.Returned, Thread: thread, Result: result})
		call := r.w.lastCall(thread)
		how, e := facts.Returned(op.Client.Notation, result), &r.w.Events[call-1]
		e.Results, e.Words, e.Panicked, e.Responded = how.Results, words, how.Panicked, len(r.w.Steps)+1
		r.add(verdict.Step{Thread: thread + 1, Call: call, Phase: verdict.Respond})
	}
}

// lapFrom is the number, counted from 1, of the first step that repeats; 0 if none does, or the lap has no visible steps.
func (v *Violation) lapFrom() int {
	if v.Loop >= len(v.Steps) {
		return 0
	}
	return v.Loop + 1
}

// lastCall is the number of the last call of a thread.
func (v *Violation) lastCall(thread int) int {
	n := len(v.Events)
	for n > 0 && v.Events[n-1].Thread != thread+1 {
		n--
	}
	return n
}

// confirm checks that the execution shows what was found. If the code or the oracle has asked for more addresses than are given in a fixed
// order, comparing results decides nothing.
func (r *replayer) confirm(p consist.Property) error {
	spec := r.sys.subject.Spec
	subject.ForgetAddresses(spec)
	if err := r.shows(p); err != nil || r.w.Class == Race || r.w.Class == Infinite {
		return err
	}
	if r.c.m.CountsAddresses() || subject.CountsAddresses(spec) {
		return fmt.Errorf("%w: %s", subject.ErrUndecided, vm.ManyAddresses)
	}
	return nil
}

// shows checks it by other means than the search's: histories are judged by permutations.
func (r *replayer) shows(p consist.Property) error {
	w := r.w
	defer func() { w.Frames = r.frames.List() }()
	w.Client = r.client()
	switch w.Class {
	case History:
		return r.confirmHistory(p)
	case Deadlock, Livelock, Nontermination:
		return r.confirmStuck(p)
	case Progress:
		return r.confirmProgress(p)
	case Panic:
		return r.confirmPanic(p)
	case Infinite:
		return r.confirmInfinite()
	case Point:
		return r.confirmPoint()
	case Leak:
		return r.confirmLeak()
	case Invariant:
		return r.confirmInvariant()
	case Race:
		race, ok := r.c.m.Race()
		if !ok {
			return r.confirmUnordered()
		}
		w.Race = r.conflictsOf(race)
		w.Message = fmt.Sprintf("data race: %s and %s", w.Race[0], w.Race[1])
		if race.Caller[0] && race.Caller[1] {
			w.Message = fmt.Sprintf("data race: two are in the critical section at a time, %s and %s", w.Race[0].Function, w.Race[1].Function)
		}
	}
	return nil
}
