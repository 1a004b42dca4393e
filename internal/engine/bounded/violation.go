package bounded

import (
	"fmt"
	"slices"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/plan"
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Violation is an execution that should not be, confirmed by executing it again
// without any reduction.
type Violation struct {
	Recording
	Message string         // one line: what is wrong
	Client  string         // who calls what
	Steps   []verdict.Step // without their source
	Frames  []verdict.Frame
	History history.History
	Events  []verdict.Event // its calls, for readers
	// Explanation says, of a history, why no order of its operations fits.
	Explanation *verdict.Explanation
	Waiting     []verdict.Situation // of a deadlock or livelock: what each thread waits for or goes on doing
	Race        []verdict.Conflict  // both accesses
	Loop        int                 // of an execution without end: index of the step from which Steps repeats; -1
}

// violation executes what the search found again, and describes it.
func (v *verification) violation(sys *system, f *found) (*Violation, error) {
	rec := v.record(sys, f)
	r := newReplayer(sys, rec)
	r.w.Message = f.message
	if err := r.run(); err != nil {
		return nil, fmt.Errorf("the execution that was found cannot be repeated without reductions: %w", err)
	}
	if err := r.confirm(v.opt.Property); err != nil {
		return nil, fmt.Errorf("the violation that was found does not show without reductions: %w", err)
	}
	return r.w, nil
}

// record names the threads along the path and collects turns and calls.
func (v *verification) record(sys *system, f *found) Recording {
	w := Recording{Class: f.class, Threads: sys.threads, Hash: v.opt.Hash, Cycle: -1, Start: f.path.Start}
	variant := 0
	if sys.plan.Variants() > 1 {
		variant, w.Start = int(w.Start[0]), w.Start[1:]
	}
	pre, _, _ := sys.plan.Start(variant)
	w.Pre = slices.Clone(pre)
	numbers := sys.numbering(w.Pre)
	c := sys.NewCursor().(*cursor)
	walk := interleave.Begin(c, f.path.Start)
	if c.m.Created() > sys.threads {
		w.Begun = c.begun
	}
	if c.found != nil { // by a pre-add
		numbers.finish(&w)
		return w
	}
	walk.Settle()
	numbers.settle(c)
	follow(walk, c, f.path.Steps, &w, numbers)
	if f.from != nil {
		c = sys.closed().NewCursor().(*cursor)
		walk.Switch(c)
		follow(walk, c, f.inner, &w, numbers)
		w.Cycle = len(w.Turns)
		follow(walk, c, f.cycle, &w, numbers)
	}
	numbers.finish(&w)
	return w
}

// follow takes the steps of a walk.
func follow(walk *interleave.Walk, c *cursor, steps []explore.Taken, w *Recording, numbers *numbering) {
	for _, s := range steps {
		if k := int(s.Move >> 8); k > 0 {
			step, _, _ := c.sys.plan.Make(k-1, c.all, c.own[s.Move.Agent()])
			w.Calls = append(w.Calls, numbers.call(step))
		}
		w.Turns = append(w.Turns, walk.Step(s))
		if c.found != nil || c.m.Fault() != nil {
			return
		}
		walk.Settle()
		numbers.settle(c)
	}
}

// replayer executes turns on a machine without reductions.
type replayer struct {
	sys    *system
	c      *cursor
	w      *Violation
	calls  []client.Step
	busy   map[int]client.Step
	names  []string // of the running operation, by thread
	frames frames
	// panics are the calls that have panicked.
	panics []panicked
	// rounds are the instructions of the loops that threads go round without a visible access.
	rounds map[int]int
}

func newReplayer(sys *system, rec Recording) *replayer {
	raw := *sys
	raw.plan = plan.NewRecorded(rec.Pre, rec.Threads)
	raw.opt.symmetry, raw.opt.generic, raw.opt.items, raw.opt.keys, raw.opt.numbers = false, false, false, false, false
	raw.machine.Frozen, raw.machine.Guards, raw.machine.NoFusing = nil, nil, false
	c := raw.NewCursor().(*cursor)
	w := &Violation{Recording: rec, Loop: -1}
	return &replayer{sys: &raw, c: c, w: w, calls: rec.Calls, busy: map[int]client.Step{}, rounds: map[int]int{}, names: make([]string, rec.Threads)}
}

// run executes the turns from the initial state.
func (r *replayer) run() error {
	if err := r.begin(); err != nil || r.c.found != nil {
		return err
	}
	r.c.m.Load(r.c.m.Save(nil)) // finds out what is shared
	r.w.History.Threads = r.sys.threads
	for i, turn := range r.w.Turns {
		if i == r.w.Cycle {
			r.w.Loop = len(r.w.Steps)
		}
		if err := r.turn(turn); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// begin sets the collection up as the search did: if goroutines were started, exactly
// as far, for a reduction may have taken it further than a search without would go.
func (r *replayer) begin() error {
	if len(r.w.Begun) == 0 {
		r.c.Initial(explore.Replay(r.w.Start))
		return nil
	}
	r.c.begin(0)
	ch := explore.Replay(r.w.Start)
	for _, ran := range r.w.Begun {
		i := r.place(ran.Thread)
		if i < 0 || r.c.m.RunExactly(i, ran.Instructions, ch) != ran.Instructions {
			return fmt.Errorf("the collection is made otherwise: thread %d cannot go on", ran.Thread+1)
		}
		r.c.proceed(nil)
	}
	return nil
}

func (r *replayer) turn(turn interleave.Turn) error {
	m := r.c.m
	if invokes(turn.Move) {
		r.invoke(turn.Thread)
	}
	ch := explore.Replay(turn.Decisions)
	for _, ran := range turn.Ran {
		if r.c.makes() {
			r.names[r.c.maker] = r.c.making()
		}
		if err := r.execute(ran, ch); err != nil {
			return err
		}
		r.c.proceed(nil)
	}
	m.Settled()
	r.respond()
	return nil
}

// execute lets a thread execute instructions. One that goes round a loop without a visible
// access does so for a long time before the search notices, and then its steps do nothing:
// of all the rounds one is shown, and one more where the execution repeats.
func (r *replayer) execute(ran vm.Ran, ch *explore.Choices) error {
	n, watch := ran.Instructions, round{}
	if n == 0 {
		n = r.rounds[ran.Thread]
	}
	for ; n > 0; n-- {
		if ran.Instructions-n < watchedLoop && n > watchedLoop && watch.closes(r, n) {
			r.rounds[ran.Thread] = watch.length
			n = (n-1)%watch.length + 1
		}
		if err := r.instruction(ran.Thread, ch); err != nil {
			return err
		}
	}
	return nil
}

// watchedLoop is for how many instructions of a longer run repetitions are looked for.
const watchedLoop = 1 << 13

// round looks for a state that comes again while one thread runs.
type round struct {
	seen   map[string]int // with so many instructions left
	length int
}

// closes says that the state has been seen before, with left instructions to go.
func (w *round) closes(r *replayer, left int) bool {
	if w.length > 0 {
		return false
	}
	if w.seen == nil {
		w.seen = map[string]int{}
	}
	key := fmt.Sprint(r.c.m.Save(nil))
	before, again := w.seen[key]
	w.seen[key] = left
	if again {
		w.length = before - left
	}
	return again
}

// place is where a thread stands in the machine.
func (r *replayer) place(thread int) int {
	for i, p := range r.c.m.Survivors() {
		if p == thread {
			return i
		}
	}
	return -1
}

func (r *replayer) instruction(thread int, ch *explore.Choices) error {
	m := r.c.m
	i := r.place(thread)
	if i < 0 {
		return fmt.Errorf("there is no thread %d", thread+1)
	}
	e := m.Upcoming(i)
	if m.RunExactly(i, 1, ch) != 1 {
		return fmt.Errorf("thread %d cannot go on at %s", thread+1, m.At(i))
	}
	if e != nil {
		e.Finish()
		r.add(r.frames.stepOf(thread, e))
	}
	return nil
}

func (r *replayer) add(s verdict.Step) {
	if s.Thread <= len(r.names) {
		s.Operation = r.names[s.Thread-1]
	}
	r.w.Steps = append(r.w.Steps, s)
}

func (r *replayer) invoke(thread int) {
	s := r.calls[0]
	r.calls = r.calls[1:]
	op := &r.sys.subject.Operations[s.Op]
	r.c.call(thread, s)
	r.busy[thread] = s
	r.names[thread] = op.Name
	e := history.Event{Phase: history.Invoke, Thread: thread, Method: s.Op, Name: op.Name, Args: s.Args, Notation: op.Client.Notation}
	r.w.History.Events = append(r.w.History.Events, e)
	r.w.Events = append(r.w.Events, invoked(&e, len(r.w.Steps)+1))
	r.add(verdict.Step{Thread: thread + 1, Call: len(r.w.Events), Phase: verdict.Invoke})
}

func (r *replayer) respond() {
	if r.c.m.Ended().Kind != vm.Running {
		return // a fatal error: nothing returns any more, and there are no results
	}
	for thread := range r.sys.threads {
		s, ok := r.busy[thread]
		if !ok || !r.c.m.Idle(thread) {
			continue
		}
		delete(r.busy, thread)
		op := &r.sys.subject.Operations[s.Op]
		result := history.PanicTuple()
		if r.c.m.Panicked(thread) == "" {
			result = op.Tuple(r.c.m.Results(thread))
		} else {
			r.panics = append(r.panics, panicked{oracle.Call{Op: s.Op, Args: s.Args}, r.c.m.Panicked(thread)})
		}
		r.w.History.Events = append(r.w.History.Events, history.Event{Phase: history.Respond, Thread: thread, Method: s.Op, Name: op.Name, Args: s.Args, Result: result, Notation: op.Client.Notation})
		call := r.w.lastCall(thread)
		how, e := returned(op.Client.Notation, result), &r.w.Events[call-1]
		e.Results, e.Panicked, e.Responded = how.Results, how.Panicked, len(r.w.Steps)+1
		r.add(verdict.Step{Thread: thread + 1, Call: call, Phase: verdict.Respond})
	}
}

// lastCall is the number of the call that a thread has made last.
func (v *Violation) lastCall(thread int) int {
	n := len(v.Events)
	for n > 0 && v.Events[n-1].Thread != thread+1 {
		n--
	}
	return n
}

// confirm checks that the execution shows what was found, by other means than the
// search's: histories are judged by permutations.
func (r *replayer) confirm(p consist.Property) error {
	w := r.w
	defer func() { w.Frames = r.frames.list }()
	w.Client = r.client()
	switch w.Class {
	case History:
		return r.confirmHistory(p)
	case Deadlock, Livelock, Nontermination:
		return r.confirmStuck(p)
	case Panic:
		return r.confirmPanic(p)
	case Infinite:
		return r.confirmInfinite()
	case Race:
		race, ok := r.c.m.Race()
		if !ok {
			return fmt.Errorf("there is no race at its end")
		}
		w.Race = r.conflictsOf(race)
		w.Message = fmt.Sprintf("data race: %s and %s", w.Race[0], w.Race[1])
		if race.Caller[0] && race.Caller[1] {
			w.Message = fmt.Sprintf("data race: two are in the critical section at a time, %s and %s", w.Race[0].Function, w.Race[1].Function)
		}
	}
	return nil
}
