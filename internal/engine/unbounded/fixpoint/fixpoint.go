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

// Program is what is to be proved.
type Program struct {
	Prog       *ir.Program
	New        *ir.Func
	Funcs      []*ir.Func // that drive the operations
	Operations []content.Operation
	Kind       oracle.Kind
	Object     *certificate.Object // what the operations of an object of registers do
}

// Collection is the type of the collection.
func (p *Program) Collection() *ir.Type { return p.New.Results[0].Elem }

// Entry is a view of the table.
type Entry struct {
	View  *shape.View
	shape *interference.Shape // nil: the view has grown
	from  *Entry              // the view that led to it first
	by    Cause
	dirty bool // it has grown since its successors were computed
	waits bool // to meet all effects
	grown int  // how often it has
}

// Cause says how a view came about.
type Cause struct {
	Text string
	Func *ir.Func // where; nil: nowhere
	PC   int
}

// Effect is an effect of the table.
type Effect struct {
	interference.Effect
	ID      int
	Sites   []Cause // where it is made
	Applied bool    // to some view
	version int     // how often it has grown
	dirty   bool
	from    *Entry
}

// Invariant is what the threads of a program may come to see.
type Invariant struct {
	Program  *Program
	Domain   *shape.Domain
	Property *content.Property
	Entries  []*Entry
	Effects  []*Effect
	Initial  *Entry
	Covered  transfer.Coverage
	Merges   int
	Rounds   int // how many times it was begun again

	entries map[string]*Entry
	effects map[string]*Effect
}

// Failure is the reason why there is no invariant.
type Failure struct {
	Alarm *transfer.Alarm
	Trace []Seen // views that lead to it, the first one first
	Map   content.Map
	at    *Entry // nil: in no view
}

// Seen is a view on the way to an alarm.
type Seen struct {
	View *shape.View
	By   Cause
}

// Task is a program with the map that is tried. The domain may have been used before: what it
// knows of the program's words stays right.
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

// errGrew says that a word turned out to be written while shared, or to hold items.
var errGrew = errors.New("begin again")

// LimitError says which limit was reached.
type LimitError struct{ Views int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("more than %d views", e.Views)
}

// Compute gives the invariant of a program for a map, or why there is none.
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
	gone    map[string]bool // views that have gone on, see goOn
	failure *Failure
	scouted int // views that were looked at after the failure
	key     []byte
	regs    []shape.Word
	ticks   int
}

func newComputation(ctx context.Context, t *Task, o Options) *computation {
	p, d := t.Program, t.Domain
	prop := content.New(d, t.Map, p.Kind, p.Operations)
	covered := transfer.Coverage{}
	inv := &Invariant{Program: p, Domain: d, Property: prop, Covered: covered, entries: map[string]*Entry{}, effects: map[string]*Effect{}}
	return &computation{ctx: ctx, opt: o, inv: inv, machine: transfer.New(d, prop, covered), canon: shape.NewCanonizer(d), memo: interference.NewMemo(d, prop), gone: map[string]bool{}}
}

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

// mostScouted is how many views are looked at behind the first alarm. It may be there only because it
// is not known yet which words hold items or are written while shared, and code that shows it
// has not been met: then everything begins again.
const mostScouted = 400

// stopped says whether to go on with what is at hand makes no sense.
func (c *computation) stopped() bool { return c.failure != nil && !c.machine.Scouting }

// tick reports progress and limits.
func (c *computation) tick() error {
	if c.ticks++; c.ticks%64 == 0 {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if c.opt.Progress != nil {
			c.opt.Progress(len(c.inv.Entries), len(c.inv.Effects))
		}
	}
	if c.opt.MaxViews > 0 && len(c.inv.Entries) > c.opt.MaxViews {
		return &LimitError{c.opt.MaxViews}
	}
	return nil
}

// initial makes the view of a new collection.
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

// entry computes the successors of a view.
func (c *computation) entry(e *Entry) error {
	err := c.successors(e, func(r *transfer.Result, by Cause) error {
		if r.Alarm != nil {
			c.fail(e, r.Alarm, by)
			return nil
		}
		for _, v := range r.Views {
			c.add(v, e, by)
		}
		for i := range r.Writes {
			c.addEffect(&r.Writes[i], e)
		}
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

// successors computes what a thread may do in a view itself: all its calls if it is idle, or
// its step.
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

// classes are those that the argument of an operation may have.
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

// goOn puts into the table to what a view leads that stands before an access to which others do nothing
// any more. Many views come to be the same there; one goes on, for what it leads to is there then.
func (c *computation) goOn(v *shape.View, e *Entry, by Cause) error {
	if c.key = v.Exact(c.key[:0]); c.gone[string(c.key)] {
		return nil
	}
	c.gone[string(c.key)] = true
	r := c.machine.GoOn(v)
	switch {
	case c.machine.Grew:
		return errGrew
	case r.Alarm != nil:
		c.fail(e, r.Alarm, by)
		return nil
	}
	for _, v := range r.Views {
		c.add(v, e, by)
	}
	for i := range r.Writes {
		c.addEffect(&r.Writes[i], e)
	}
	return nil
}

// race reports that a thread is about to access a word that an effect writes, and one of the
// two is not atomic.
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

// mostGrown is how often a view can grow for each of its nodes: by a kind in one of three sets,
// or by being empty.
const mostGrown = 3*shape.MaxKinds + 1

// addShared puts a view into the table whose memory is somebody else's.
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

// put puts a view into the table whose key is at hand, and the entry that has it: nil if there is none.
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

// addEffect puts the effect of a write into the table.
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

func (f *Effect) note(site Cause) {
	for _, s := range f.Sites {
		if s == site {
			return
		}
	}
	f.Sites = append(f.Sites, site)
}

// fail notes the first alarm.
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
