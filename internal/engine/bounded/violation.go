package bounded

import (
	"fmt"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/explore"
	"pangolin/internal/trace"
	"pangolin/internal/vm"
)

// Violation is an execution that should not be, confirmed by executing it again
// without any reduction.
type Violation struct {
	Class   Class
	Message string // one line: what is wrong
	Client  string // who calls what
	Threads int
	Steps   []Step
	History history.History
	// Explanation says, of a history, why no order of its operations fits.
	Explanation string
	Waiting     []string // of a deadlock or livelock: what each thread waits for or goes on doing
	Accesses    []string // of a race: both accesses
	Loop        int      // of an execution without end: index of the step from which Steps repeats; -1
	Start       []uint32 // the decisions of the initial state
	Turns       []trace.Turn
	Calls       []client.Step // of each turn that begins with an invocation, in order
}

// Step is one line of an execution.
type Step struct {
	Thread    int // counted from 0
	Operation string
	Event     vm.Event
	// Invoke or Respond is set where an operation begins or returns: "Add(1)", "true".
	Invoke, Respond string
}

// violation executes what the search found again, and describes it.
func (v *verification) violation(sys *system, f *found) (*Violation, error) {
	w := &Violation{Class: f.class, Message: f.message, Threads: sys.threads, Start: f.path.Start, Loop: -1}
	loopAt := v.follow(sys, f, w)
	r := newReplayer(sys, w)
	if err := r.run(w.Start, loopAt); err != nil {
		return nil, fmt.Errorf("the execution that was found cannot be repeated without reductions: %w", err)
	}
	if err := r.confirm(f, v.opt.Property); err != nil {
		return nil, fmt.Errorf("the violation that was found does not show without reductions: %w", err)
	}
	return w, nil
}

// follow names the threads along the path and collects turns and calls. It returns
// the index of the first turn of the cycle, or -1.
func (v *verification) follow(sys *system, f *found, w *Violation) int {
	c := sys.NewCursor().(*cursor)
	walk := trace.Begin(c, f.path.Start)
	v.walk(walk, c, f.path.Steps, w)
	if f.from == nil {
		return -1
	}
	closed := *sys
	closed.opt.symmetry, closed.opt.closed = false, true
	c = closed.NewCursor().(*cursor)
	walk.Switch(c)
	v.walk(walk, c, f.inner, w)
	at := len(w.Turns)
	v.walk(walk, c, f.cycle, w)
	return at
}

func (v *verification) walk(walk *trace.Walk, c *cursor, steps []explore.Taken, w *Violation) {
	for _, s := range steps {
		if k := int(s.Move >> 8); k > 0 {
			step, _, _ := c.sys.plan.make(k-1, c.all, c.own[s.Move.Agent()])
			w.Calls = append(w.Calls, step)
		}
		w.Turns = append(w.Turns, walk.Step(s))
		if c.found != nil || c.m.Fault() != nil {
			return
		}
		walk.Settle()
	}
}

// replayer executes turns on a machine without reductions.
type replayer struct {
	sys   *system
	c     *cursor
	w     *Violation
	calls []client.Step
	busy  map[int]client.Step
	names []string // of the running operation, by thread
}

func newReplayer(sys *system, w *Violation) *replayer {
	raw := *sys
	raw.opt.symmetry = false
	raw.machine.Frozen, raw.machine.NoFusing = nil, false
	c := raw.NewCursor().(*cursor)
	return &replayer{sys: &raw, c: c, w: w, calls: w.Calls, busy: map[int]client.Step{}, names: make([]string, sys.threads)}
}

// run executes the turns from the initial state.
func (r *replayer) run(start []uint32, loopAt int) error {
	r.c.Initial(explore.Replay(start))
	if r.c.found != nil {
		return nil
	}
	r.c.m.Load(r.c.m.Save(nil)) // finds out what is shared
	r.w.History.Threads = r.sys.threads
	for i, turn := range r.w.Turns {
		if i == loopAt {
			r.w.Loop = len(r.w.Steps)
		}
		if err := r.turn(turn); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

func (r *replayer) turn(turn trace.Turn) error {
	m := r.c.m
	if turn.Move>>8 > 0 {
		r.invoke(turn.Thread)
	}
	ch := explore.Replay(turn.Decisions)
	for _, ran := range turn.Ran {
		for n := ran.Instructions; n > 0; n-- {
			if err := r.instruction(ran.Thread, ch); err != nil {
				return err
			}
		}
	}
	m.Settled()
	r.respond()
	return nil
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
		r.add(Step{Thread: thread, Event: *e})
	}
	return nil
}

func (r *replayer) add(s Step) {
	if s.Thread < len(r.names) {
		s.Operation = r.names[s.Thread]
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
	r.w.History.Events = append(r.w.History.Events, history.Event{Phase: history.Invoke, Thread: thread, Method: s.Op, Name: op.Name, Args: s.Args})
	r.add(Step{Thread: thread, Invoke: op.Name + "(" + s.Args.String() + ")"})
}

func (r *replayer) respond() {
	for thread := range r.sys.threads {
		s, ok := r.busy[thread]
		if !ok || !r.c.m.Idle(thread) {
			continue
		}
		delete(r.busy, thread)
		op := &r.sys.subject.Operations[s.Op]
		result, text := history.PanicTuple(), "panic"
		if r.c.m.Panicked(thread) == "" {
			result = op.Tuple(r.c.m.Results(thread))
			text = result.String()
		}
		r.w.History.Events = append(r.w.History.Events, history.Event{Phase: history.Respond, Thread: thread, Method: s.Op, Name: op.Name, Args: s.Args, Result: result})
		r.add(Step{Thread: thread, Respond: text})
	}
}

// confirm checks that the execution shows what was found, by other means than the
// search's: histories are judged by permutations.
func (r *replayer) confirm(f *found, p consist.Property) error {
	w := r.w
	w.Client = r.client()
	switch f.class {
	case History:
		return r.confirmHistory(p)
	case Deadlock, Livelock, Nontermination:
		return r.confirmStuck(f, p)
	case Panic:
		return r.confirmPanic()
	case Race:
		race, ok := r.c.m.Race()
		if !ok {
			return fmt.Errorf("there is no race at its end")
		}
		w.Accesses = []string{r.c.m.DescribeAccess(race, 0), r.c.m.DescribeAccess(race, 1)}
		w.Message = "data race: " + w.Accesses[0] + " and " + w.Accesses[1]
	}
	return nil
}
