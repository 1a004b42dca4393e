// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/explore"
	"pangolin/internal/find"
	"pangolin/internal/inquiry"
	"pangolin/verdict"
)

// Here does tasks in this process.
type Here struct {
	Dir     string // where the go command finds the packages of tasks that came as text
	Workers int    // workers for each search; 0: 1
	AtOnce  int    // tasks that are done at the same time; 0: 1
	// Events returns the functions to be told of the searches for a collection and a property; nil:
	// nobody is told.
	Events func(collection, property string) engine.Events
	// Verdict is called with each verdict before the next property is decided, by one task at a
	// time; nil: it is not.
	Verdict func(verdict.Verdict)
	// Note is called with remarks that are no errors; nil: it is not.
	Note func(text string)
	// Kept are the results that are recalled instead of computed, and where new ones are kept; nil:
	// all are computed.
	Kept *Kept
	// Resume makes searches go on from the checkpoints of interrupted ones.
	Resume bool

	// Elsewhere does tasks on other machines; nil: they are done here.
	Elsewhere Elsewhere
	// Original is what mutants of one collection have in common, kept from one task to the next; nil: each task that came as text compiles it
	// anew. Tasks are done one after the other then, and have the same sources.
	Original *Original
	// Holds returns an error if the evidence for a verdict that another machine has reached is missing or false; nil: it is believed.
	Holds func(ctx context.Context, t *Task, v *verdict.Verdict) error

	alone *sync.Mutex   // held by a task that can only be done here, while others are done elsewhere
	later bool          // a result, with its notes, is told when it is its turn
	room  *sync.RWMutex // held for reading by tasks that share the memory, and by one that needs all of it; nil: they do not
	sign  *sign         // shows in the directory of results that this process is at work; nil: there is no directory
}

// tell passes a note on.
func (h *Here) tell(text string) {
	if h.Note != nil {
		h.Note(text)
	}
}

// note is the function that receives the notes about a collection.
func (h *Here) note(name string) func(string) {
	return func(why string) { h.tell(name + ": " + why) }
}

// The greatest number of tasks that are being done, or done but not yet taken by the caller: mostWaiting, or mostCompiled if their code stays compiled
// until the caller has taken them.
const (
	mostWaiting  = 1 << 12
	mostCompiled = 1 << 4
)

// Run does tasks and yields their results in the order of the tasks. A task is taken from the
// sequence only when somebody is free to do it, so the sequence may still be growing. It stops if
// the caller takes no more results.
func (h *Here) Run(ctx context.Context, tasks iter.Seq[*Task]) iter.Seq2[*Task, Result] {
	run := h.oneByOne
	switch {
	case h.Elsewhere != nil || h.AtOnce > 1 && h.Verdict != nil:
		run = h.inTurn
	case h.AtOnce > 1:
		run = h.together
	}
	return func(yield func(*Task, Result) bool) {
		h.sign = h.show()
		defer h.sign.end()
		run(ctx, tasks)(yield)
	}
}

// oneByOne is Run with one task at a time.
func (h *Here) oneByOne(ctx context.Context, tasks iter.Seq[*Task]) iter.Seq2[*Task, Result] {
	return func(yield func(*Task, Result) bool) {
		next, stop := iter.Pull(tasks)
		defer stop()
		t, more := next()
		for more {
			following, goesOn := next()
			if goesOn && t.Terms.Search.Workers > 1 {
				following.ahead(ctx)
			}
			if !yield(t, h.do(ctx, t)) || ctx.Err() != nil {
				return
			}
			t, more = following, goesOn
		}
	}
}

// ahead begins to compile the collection while another task is being done.
func (t *Task) ahead(ctx context.Context) {
	if t.local.inquiry != nil && t.Mutant == nil {
		t.local.inquiry.Ahead(ctx)
	}
}

// underway is a task that is being done.
type underway struct {
	task   *Task
	result chan Result
}

// together is Run with several tasks at the same time.
func (h *Here) together(ctx context.Context, tasks iter.Seq[*Task]) iter.Seq2[*Task, Result] {
	return func(yield func(*Task, Result) bool) {
		ctx, stop := context.WithCancel(ctx)
		waiting := mostWaiting
		if h.room != nil {
			waiting = mostCompiled
		}
		list, slots := make(chan underway, waiting), make(chan struct{}, h.AtOnce)
		go func() {
			defer close(list)
			next, done := iter.Pull(tasks)
			defer done()
			for {
				slots <- struct{}{}
				t, more := next()
				if !more || ctx.Err() != nil {
					return
				}
				u := underway{t, make(chan Result, 1)}
				go func() {
					u.result <- h.do(ctx, t)
					<-slots
				}()
				select {
				case list <- u:
				case <-ctx.Done():
					return
				}
			}
		}()
		defer func() { // stop the sequence of tasks, too
			stop()
			for range list {
			}
		}()
		for u := range list {
			if !yield(u.task, <-u.result) {
				return
			}
		}
	}
}

// do returns the result of a task: recalled, or computed.
func (h *Here) do(ctx context.Context, t *Task) Result {
	if h.Kept == nil {
		return h.compute(ctx, t, h.decide)
	}
	r := h.recalled(ctx, t)
	if ctx.Err() == nil { // an interrupted search has no verdict
		h.enter(t, &r)
	}
	h.sign.decided()
	return r
}

// compute computes the result of a task, elsewhere if that is possible.
func (h *Here) compute(ctx context.Context, t *Task, decide func(context.Context, *Task) Result) Result {
	if h.Elsewhere == nil || t.Mutant != nil && len(t.Mutant.Stages) == 0 { // there is nothing to do for a mutant that does not compile
		return h.sharing(ctx, t, decide)
	}
	if r, ok := h.sent(ctx, t); ok {
		return r
	}
	h.alone.Lock()
	defer h.alone.Unlock()
	return decide(ctx, t)
}

// decide computes the result of a task here.
func (h *Here) decide(ctx context.Context, t *Task) (r Result) {
	listening := *h
	listening.Events = h.estimated(h.sign.events(h.heard(&r.Notes)))
	listening.Note = func(text string) {
		if r.Notes = append(r.Notes, text); !h.later {
			h.tell(text)
		}
	}
	if n := t.local.notes; n != nil && t.Mutant == nil {
		n.list, n.name = &r.Notes, t.local.inquiry.Found.Name()
		defer func() { n.list = nil }()
	}
	ctx, scarce := explore.WatchMemory(ctx)
	watch := stopwatch{limit: t.Terms.Search.Timeout}
	watch.start()
	if t.Mutant != nil {
		r.Mutant, r.Code, r.Err = t.tryMutant(ctx, &listening)
		watch.stop()
	} else {
		r.Verdicts, r.Err = t.verdicts(ctx, &listening, &watch)
	}
	r.scarce = scarce()
	r.unlike = watch.late || r.scarce
	return r
}

// stopwatch tells whether a limit on time may have been reached. It starts before the limited time
// and stops after it.
type stopwatch struct {
	limit time.Duration // 0: no limit
	begun time.Time
	late  bool
}

func (s *stopwatch) start() { s.begun = time.Now() }

func (s *stopwatch) stop() { s.late = s.late || s.limit > 0 && time.Since(s.begun) >= s.limit }

// verdicts decides one property after the other. A crash of Pangolin is an error, so that other
// tasks get their verdicts.
func (t *Task) verdicts(ctx context.Context, h *Here, watch *stopwatch) (list []verdict.Verdict, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = engine.Recovered(r)
			t.Forget()
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := t.found(ctx, h); err != nil {
		return nil, err
	}
	properties := slices.Clone(t.Properties)
	for i := 0; i < len(properties); i++ {
		p := properties[i]
		if err := ctx.Err(); err != nil {
			return list, err
		}
		watch.start()
		v, err := t.local.inquiry.Verdict(ctx, p, inquiry.Engines{Events: h.Events})
		watch.stop()
		if err != nil {
			return list, err
		}
		v.Expected = t.Terms.Expected[p]
		v.Declared = declared(t.local.inquiry.Found)
		if v.Proof != nil {
			for i := range v.Proof.Assertions {
				v.Proof.Assertions[i].Path = ""
			}
		}
		if h.Verdict != nil {
			h.Verdict(v)
		}
		list = append(list, v)
		if held := heldBeside(&v); t.Strongest && held != "" && !slices.Contains(properties, held) {
			properties = slices.Insert(properties, i+1, held)
		}
		if t.Strongest && p == verdict.Linear && v.Status != verdict.Violated {
			break
		}
	}
	return list, nil
}

// heldBeside is the property weaker than linearizability that was found to hold on the way to a verdict; "": none was.
func heldBeside(v *verdict.Verdict) (p verdict.Property) {
	for i := range v.Asked {
		if a := &v.Asked[i]; a.Rule == inquiry.Overlapping.Name && a.Status == verdict.Verified {
			p = verdict.Property(a.Property)
		}
	}
	return p
}

// declared is the place of a type's declaration; nil if unknown.
func declared(found *find.Target) *verdict.Place {
	file, line := found.Listed.Declared(found.Found.Type)
	if line == 0 {
		return nil
	}
	return &verdict.Place{File: file, Line: line}
}
