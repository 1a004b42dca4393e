// SPDX-License-Identifier: BSD-3-Clause

// Package fixpoint computes everything that any number of threads may come to see of a
// collection: a table of views, and the effects that they have on each other.
//
// The table is the least one that holds the view of a new collection, every call from every
// idle view, every step of every view, and what every effect makes of every view. Views that
// differ in their soft part only are joined. If nothing goes wrong on the way the table is an
// inductive invariant, which Check tells again without anything that was remembered.
//
// The package takes a program and a map of its content and gives an invariant or the first
// alarm with the views that lead to it. Whether an alarm is a fault of the program it does not
// say.
package fixpoint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/certificate"
	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/interference"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/engine/unbounded/transfer"
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// Program is a collection that is to be proved: its code, and what its operations are to do.
type Program struct {
	Prog       *ir.Program // the compiled code
	New        *ir.Func    // the constructor
	Funcs      []*ir.Func  // by operation: the function that calls it with its arguments
	Operations []content.Operation
	Kind       oracle.Kind
	Object     *certificate.Object // the rules of the operations of an object of registers; nil: it is none
}

// Collection is the type of the collection.
func (p *Program) Collection() *ir.Type { return p.New.Results[0].Elem }

// Entry is a view of the table, with what is left to do for it.
type Entry struct {
	View  *shape.View
	shape *interference.Shape // its heap as the memo has it; nil: it is not known, or the view has grown since
	from  *Entry              // the view that led to it first
	by    Cause
	dirty bool // its successors are to be computed
	waits bool // it is to meet all effects
	grown int  // how often the view has grown
}

// Cause says how a view came about.
type Cause struct {
	Text string
	Func *ir.Func // the function of the step; nil: it is no step
	PC   int
}

// Effect is an effect of the table.
type Effect struct {
	interference.Effect
	ID      int
	Sites   []Cause // the instructions that have it, the first one found first
	Applied bool    // it applies to some view
	version int     // how often it has grown
	dirty   bool
	from    *Entry // the view whose step has it
}

// Invariant is everything that the threads of a program may come to see: a table of views, and the effects that they
// have on each other.
type Invariant struct {
	Program  *Program
	Domain   *shape.Domain
	Property *content.Property
	Entries  []*Entry
	Effects  []*Effect
	Initial  *Entry
	Covered  transfer.Coverage // which instructions are reached
	Merges   int               // how many times an effect was merged with a heap
	Rounds   int               // how many times the computation was begun

	entries map[string]*Entry // by key of the view, and of the effect
	effects map[string]*Effect
}

// Failure is why there is no invariant.
type Failure struct {
	Alarm *transfer.Alarm
	Trace []Seen // the views that lead to the alarm, the first one first
	Map   content.Map
	at    *Entry // the view of the alarm; nil: it is in none
}

// Seen is a view on the way to an alarm, and how it came about.
type Seen struct {
	View *shape.View
	By   Cause
}

// Task is a program with a map of its content that is tried. The domain may have been used for another map before:
// what it knows of the program's words stays true.
type Task struct {
	Program *Program
	Domain  *shape.Domain
	Map     content.Map
}

// Options limit a computation.
type Options struct {
	MaxViews int // 0: no limit
	Progress func(views, effects int)
}

// errGrew says that a word turned out to be written while shared, or to hold items, so that the computation has to
// begin again.
var errGrew = errors.New("begin again")

// LimitError says that there are more views than the limit allows.
type LimitError struct{ Views int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("more than %d views", e.Views)
}

// Compute gives the invariant of a program for a map, or the reason why there is none.
func Compute(ctx context.Context, t *Task, o Options) (*Invariant, *Failure, error) {
	for round := 1; ; round++ {
		t.Domain.Forget()
		c := newComputation(ctx, t, o)
		failure, err := c.run()
		if errors.Is(err, errGrew) {
			continue
		}
		c.inv.Rounds = round
		c.inv.Merges = c.memo.Merges
		if err != nil || failure != nil {
			return nil, failure, err
		}
		for _, e := range c.inv.Entries { // what was remembered is needed no more, and large
			e.shape = nil
		}
		return c.inv, nil, nil
	}
}

// computation is a computation in progress.
type computation struct {
	ctx     context.Context
	opt     Options
	inv     *Invariant
	machine *transfer.Machine
	canon   *shape.Canonizer
	memo    *interference.Memo
	todo    agenda
	gone    map[string]bool // views whose settled accesses were executed, by Exact, see goOn
	failure *Failure
	scouted int    // views whose steps were computed after the first alarm
	key     []byte // buffers, used again
	regs    []shape.Word
	ticks   int
	numbers numbers
}

func newComputation(ctx context.Context, t *Task, o Options) *computation {
	p, d := t.Program, t.Domain
	prop := content.New(d, t.Map, p.Kind, p.Operations)
	covered := transfer.Coverage{}
	inv := &Invariant{Program: p, Domain: d, Property: prop, Covered: covered, entries: map[string]*Entry{}, effects: map[string]*Effect{}}
	return &computation{ctx: ctx, opt: o, inv: inv, machine: transfer.New(d, prop, covered), canon: shape.NewCanonizer(d), memo: interference.NewMemo(d, prop), gone: map[string]bool{}}
}

// run works until nothing is left, or an alarm or a limit ends it.
func (c *computation) run() (*Failure, error) {
	if err := c.initial(); err != nil || c.failure != nil {
		return c.failure, err
	}
	for {
		if err := c.tick(); err != nil && c.failure == nil {
			return nil, err
		} else if err != nil {
			return c.failure, nil
		}
		var err error
		switch step, meeting, f := c.todo.next(); {
		case step != nil:
			err = c.entry(step)
		case meeting != nil && c.failure == nil: // only steps are looked at behind a failure
			err = c.meet(meeting)
		case f != nil && c.failure == nil:
			err = c.effect(f)
		default:
			return c.failure, nil
		}
		if c.failure != nil {
			c.scouted++
		}
		if err != nil || c.scouted > mostScouted {
			return c.failure, err
		}
		if c.failure != nil && !c.machine.Scouting { // where the alarm was there may be more ways to go on
			c.machine.Scouting = true
			c.todo.steps = append(slices.Clone(c.inv.Entries[:1]), c.todo.steps...)
			if at := c.failure.at; at != nil {
				c.todo.steps = append([]*Entry{at}, c.todo.steps...)
			}
		}
	}
}

// mostScouted is how many views are looked at after the first alarm. The alarm may be wrong because it is not known
// yet that some word holds items or is written while shared: the code that shows it has not been met. If one of these
// views shows it, everything begins again.
const mostScouted = 400

// stopped says that an alarm has ended the computation, so that nothing more is computed of the present view.
func (c *computation) stopped() bool { return c.failure != nil && !c.machine.Scouting }

// tick reports progress from time to time, and is an error if a limit is reached.
func (c *computation) tick() error {
	if c.ticks++; c.ticks%64 == 0 {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if c.opt.Progress != nil {
			c.opt.Progress(len(c.inv.Entries), len(c.inv.Effects))
		}
		if err := c.growing(); err != nil {
			return err
		}
	}
	if c.opt.MaxViews > 0 && len(c.inv.Entries) > c.opt.MaxViews {
		return &LimitError{c.opt.MaxViews}
	}
	return nil
}

// initial puts the view of a new collection into the table; of an object one view for each choice of what its
// registers hold.
func (c *computation) initial() error {
	maker := transfer.New(c.inv.Domain, nil, c.inv.Covered)
	r := maker.Make(c.inv.Program.New)
	types, offsets := c.inv.Property.Places()
	for i, t := range types {
		maker.Grew = c.inv.Domain.SetData(t, offsets[i]) || maker.Grew
	}
	if maker.Grew {
		return errGrew
	}
	cause := Cause{Text: "a new collection"}
	switch {
	case r.Alarm != nil:
		c.fail(nil, r.Alarm, cause)
	case len(r.Views) != 1:
		c.fail(nil, &transfer.Alarm{Outside: true, Message: "the constructor makes collections that differ"}, cause)
	default:
		heaps, err := c.inv.Property.Starts(&r.Views[0].Heap)
		if err == nil {
			err = c.inv.Property.Initial(&r.Views[0].Heap)
		}
		for i := range heaps {
			c.inv.Initial = c.add(&shape.View{Heap: c.canon.Run(&heaps[i], nil, nil)}, nil, cause)
		}
		if err != nil {
			c.fail(c.inv.Initial, &transfer.Alarm{Message: err.Error()}, cause)
		}
	}
	return nil
}

// entry adds the successors of a view to the table.
func (c *computation) entry(e *Entry) error {
	err := c.successors(e, func(r *transfer.Result, by Cause) error {
		c.take(r, e, by)
		return nil
	})
	if err == nil {
		c.todo.addMeeting(e)
	}
	return err
}

// meet applies all effects to a view.
func (c *computation) meet(e *Entry) error {
	e.shape = c.memo.Of(e.View)
	for _, f := range c.inv.Effects {
		if err := c.interfere(e, f); err != nil || c.failure != nil {
			return err
		}
	}
	return nil
}

// successors calls found with what the thread of a view may do by itself: its step or, if it is idle, each call.
func (c *computation) successors(e *Entry, found func(*transfer.Result, Cause) error) error {
	p := c.inv.Program
	if !e.View.Idle() {
		r := c.machine.Step(e.View)
		if c.machine.Grew {
			return errGrew
		}
		f := e.View.Frames[len(e.View.Frames)-1]
		return found(r, Cause{Text: "step", Func: p.Prog.Funcs[f.Func], PC: int(f.PC)})
	}
	for op := range p.Operations {
		for _, class := range c.inv.classes(op) {
			r := c.machine.Call(e.View, op, p.Funcs[op], class)
			if c.machine.Grew {
				return errGrew
			}
			text := "call of " + p.Operations[op].Name
			if args := c.inv.Property.Arguments(op, class); len(args) > 0 {
				text += "(" + strings.Trim(fmt.Sprint(args), "[]") + ")"
			}
			if err := found(r, Cause{Text: text}); err != nil || c.stopped() {
				return err
			}
		}
	}
	return nil
}

// classes are the classes that the argument of an operation may have; of objects, the number of each choice of
// classes for its arguments.
func (v *Invariant) classes(op int) []shape.Class {
	switch {
	case v.Property.Map.Object != nil:
		list := make([]shape.Class, v.Property.Choices(op))
		for i := range list {
			list[i] = shape.Class(i)
		}
		return list
	case !v.Program.Operations[op].Param:
		return []shape.Class{0}
	case v.Domain.Ordered:
		return []shape.Class{shape.Below, shape.Equal, shape.Above}
	}
	return []shape.Class{shape.Equal, shape.Above}
}

// effect applies an effect to all views.
func (c *computation) effect(f *Effect) error {
	for i := 0; i < len(c.inv.Entries); i++ {
		e := c.inv.Entries[i]
		if e.dirty || e.waits {
			continue // it will meet all effects
		}
		if err := c.interfere(e, f); err != nil || c.failure != nil {
			return err
		}
		if err := c.tick(); err != nil {
			return err
		}
	}
	return nil
}

// interfere applies an effect to a view.
func (c *computation) interfere(e *Entry, f *Effect) error {
	if e.shape == nil {
		e.shape = c.memo.Of(e.View)
	}
	sp, err := c.memo.Spread(e.shape, f.ID, f.version, &f.Effect)
	by := f.Sites[0]
	by.Text = "write of another thread"
	if err != nil {
		c.fail(e, &transfer.Alarm{Outside: true, Message: err.Error(), Func: by.Func, PC: by.PC}, by)
		return nil
	}
	f.Applied = f.Applied || sp.Applies
	if len(sp.Hits) > 0 {
		if a := c.race(e, f, sp.Hits); a != nil {
			c.fail(e, a, by)
			return nil
		}
	}
	if len(sp.Outs) == 0 {
		return nil
	}
	var minds shape.Flags
	if !e.View.Idle() {
		minds = c.inv.Property.Minds(int(e.View.Op), e.View.Param)
	}
	s := e.shape
	written := f.Lock == transfer.NoLock && c.inv.Property.Written(f.Regs[0], f.Words)
	for i := range sp.Outs {
		v := s.View(e.View, &sp.Outs[i], minds, c.regs)
		if !v.Idle() {
			c.inv.Property.Observe(&v, written)
		}
		c.regs = v.Regs
		if !c.machine.Settled(&v) {
			c.addShared(&v, e, by)
		} else if err := c.goOn(&v, e, by); err != nil || c.failure != nil {
			return err
		}
	}
	return nil
}

// goOn executes the settled access before which the thread of v stands (others do nothing to its result any more),
// and adds the views to which it leads. Many views are the same there; only the first is executed.
func (c *computation) goOn(v *shape.View, e *Entry, by Cause) error {
	if c.key = v.Exact(c.key[:0]); c.gone[string(c.key)] {
		return nil
	}
	c.gone[string(c.key)] = true
	r := c.machine.GoOn(v)
	if c.machine.Grew {
		return errGrew
	}
	c.take(r, e, by)
	return nil
}

// take adds what a step from view e leads to: its views and writes, or an alarm.
func (c *computation) take(r *transfer.Result, e *Entry, by Cause) {
	if r.Alarm != nil {
		c.fail(e, r.Alarm, by)
		return
	}
	for _, v := range r.Views {
		c.add(v, e, by)
	}
	for i := range r.Writes {
		c.addEffect(&r.Writes[i], e)
	}
}

// race is an alarm if the thread of view e is about to access a word that effect f writes, and one of the two
// accesses is not atomic. hits are the cells of the view that the effect writes.
func (c *computation) race(e *Entry, f *Effect, hits []int) *transfer.Alarm {
	a := c.machine.Next(e.View)
	if !a.At.IsRef() || !a.Plain && !f.Plain || f.Lock != transfer.NoLock {
		return nil
	}
	for _, n := range hits {
		at := f.Regs[0].Off()
		if n == a.At.Node() && at < a.At.Off()+a.Words && a.At.Off() < at+f.Words {
			top := e.View.Frames[len(e.View.Frames)-1]
			p := c.inv.Program.Prog
			fn := p.Funcs[top.Func]
			return &transfer.Alarm{Message: fmt.Sprintf("it may race with the write at %s", p.Position(f.Sites[0].Func.Pos[f.Sites[0].PC])), Func: fn, PC: int(top.PC)}
		}
	}
	return nil
}

// mostGrown is how often a view can grow for each of its nodes: by one kind in one of three sets, or by being
// possibly empty.
const mostGrown = 3*shape.MaxKinds + 1

// addShared adds a view whose heap belongs to somebody else; it is copied if it is new.
func (c *computation) addShared(v *shape.View, from *Entry, by Cause) {
	c.key = v.Key(c.key[:0])
	e := c.inv.entries[string(c.key)]
	if e == nil {
		v = v.Clone()
	}
	c.put(e, v, from, by)
}

// add puts a view into the table.
func (c *computation) add(v *shape.View, from *Entry, by Cause) *Entry {
	c.key = v.Key(c.key[:0])
	return c.put(c.inv.entries[string(c.key)], v, from, by)
}

// put adds view v, whose key is in c.key. e is the entry with that key, which the view is joined with; nil if there
// is none.
func (c *computation) put(e *Entry, v *shape.View, from *Entry, by Cause) *Entry {
	if len(v.Nodes) > transfer.MaxNodes {
		c.fail(from, &transfer.Alarm{Outside: true, Message: fmt.Sprintf("more than %d cells that do not form chains", transfer.MaxNodes), Func: by.Func, PC: by.PC}, by)
	}
	if c.inv.Domain.Full {
		c.fail(from, &transfer.Alarm{Outside: true, Message: fmt.Sprintf("more than %d kinds of cells", shape.MaxKinds), Func: by.Func, PC: by.PC}, by)
	}
	if e == nil {
		e = &Entry{View: v, from: from, by: by}
		c.inv.entries[string(c.key)] = e
		c.inv.Entries = append(c.inv.Entries, e)
	} else if !e.View.Join(&v.Heap) {
		return e
	} else if e.grown++; e.grown > mostGrown*len(v.Nodes) {
		c.fail(from, &transfer.Alarm{Outside: true, Message: "a view grows without end, which is a fault of the prover", Func: by.Func, PC: by.PC}, by)
	}
	e.shape = nil
	c.todo.addStep(e)
	return e
}

// addEffect adds the effect of a write that the thread of a view makes.
func (c *computation) addEffect(w *transfer.Write, from *Entry) {
	f := interference.NewEffect(c.inv.Domain, c.canon, w)
	site := Cause{Func: w.Func, PC: w.PC}
	c.key = f.Key(c.key[:0])
	old := c.inv.effects[string(c.key)]
	if old == nil {
		old = &Effect{Effect: *f, ID: len(c.inv.Effects), from: from}
		c.inv.effects[string(c.key)] = old
		c.inv.Effects = append(c.inv.Effects, old)
	} else if !old.Join(&f.Heap) {
		old.note(site)
		return
	}
	old.note(site)
	old.version++
	c.todo.addEffect(old)
}

// note adds an instruction to those that have the effect.
func (f *Effect) note(site Cause) {
	for _, s := range f.Sites {
		if s == site {
			return
		}
	}
	f.Sites = append(f.Sites, site)
}

// fail notes the first alarm, with the views that lead to it. Later ones are ignored.
func (c *computation) fail(e *Entry, a *transfer.Alarm, by Cause) {
	if c.failure != nil {
		return
	}
	c.failure = &Failure{at: e, Alarm: a, Map: c.inv.Property.Map, Trace: []Seen{{nil, by}}}
	for ; e != nil; e = e.from {
		c.failure.Trace = append(c.failure.Trace, Seen{e.View, e.by})
	}
	for i, k := 0, len(c.failure.Trace)-1; i < k; i, k = i+1, k-1 {
		c.failure.Trace[i], c.failure.Trace[k] = c.failure.Trace[k], c.failure.Trace[i]
	}
}
