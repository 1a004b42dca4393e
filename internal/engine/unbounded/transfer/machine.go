// SPDX-License-Identifier: BSD-3-Clause

// Package transfer executes instructions on views: a step of a thread leads from one view
// to all views in which the step may end.
//
// A thread stops before each access to a shared word that is written while shared, and
// before it takes a lock or gives one of the collection's back. A step is the access at
// which the thread stands and everything up to the next stop, which nobody can observe
// or influence: private memory, words that are never written while shared, registers. Giving
// back the lock of a cell is part of the step before, for it moves to the left of what other
// threads do, and taking a lock part of the step behind it, for it moves to the right (Lipton
// 1975); but a thread stops before an access that is not atomic, where races are looked for.
//
// The package takes a view and gives views, the writes that others can observe, and what
// went wrong. It knows no other threads: package interference does.
package transfer

import (
	"fmt"
	"slices"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
)

// Machine executes the instructions of one program. It is for one goroutine.
type Machine struct {
	d     *shape.Domain
	p     *content.Property
	canon *shape.Canonizer
	live  []*liveness // by function

	// Grew says that a word turned out to be written while shared, or to hold items, of which
	// that was not known: everything computed so far rests on a wrong assumption, and the domain
	// knows better now.
	Grew bool
	// Scouting says that there is an alarm already: further ones are ignored, and only Grew is of interest.
	Scouting bool
	// Covered are the instructions that have been executed, with the outcomes that were seen.
	Covered Coverage

	work   []*thread
	spare  []*thread // threads that have ended, whose memory is used again
	result *Result
}

// New makes a machine. The property is nil if only a constructor is to be executed.
func New(d *shape.Domain, p *content.Property, c Coverage) *Machine {
	return &Machine{d: d, p: p, canon: shape.NewCanonizer(d), live: make([]*liveness, len(d.Prog.Funcs)), Covered: c}
}

// Result is what a step leads to.
type Result struct {
	Views  []*shape.View // where the step may end, in canonical form
	Writes []Write
	Alarm  *Alarm // nil: there is none
}

// Write is what other threads can observe of a step: words of a shared node change.
type Write struct {
	Heap   shape.Heap // before the write
	Target shape.Word // the address
	Words  []shape.Word
	Plain  bool // not atomic, so it races with every access of another thread
	Lock   Locking
	Func   *ir.Func
	PC     int
}

// Locking says that a write takes or gives back a lock of the collection.
type Locking uint8

// What a write does to locks.
const (
	NoLock Locking = iota
	Taking
	Giving
)

// Alarm is a reason why there is no proof.
type Alarm struct {
	Outside bool // the program is not in the fragment; otherwise something may be wrong in it
	Message string
	Func    *ir.Func // where; nil: at no place in the code
	PC      int
	Callers []Caller // callers of that function, innermost first
}

// Caller is a call in progress.
type Caller struct {
	Func *ir.Func
	PC   int // of the call
}

// Position is where the alarm is, as "file.go:12"; "" if it is at no place in the code.
func (a *Alarm) Position(p *ir.Program) string {
	if a.Func == nil {
		return ""
	}
	return p.Position(a.Func.Pos[a.PC])
}

// Coverage says which instructions were executed, and which outcomes of a
// compare-and-swap or branch were seen: bit 0 reached, bit 1 succeeded, bit 2 failed.
type Coverage map[*ir.Func][]uint8

// The bits of Coverage.
const (
	Reached   = 1 << iota
	Succeeded // a compare-and-swap
	Failed
)

// Note adds bits of an instruction.
func (c Coverage) Note(f *ir.Func, pc int, bits uint8) {
	if c[f] == nil {
		c[f] = make([]uint8, len(f.Code))
	}
	c[f][pc] |= bits
}

// MaxNodes is how many nodes a view may have. With more of them the memory does not consist of chains.
const MaxNodes = 48

// mostInstructions is how many instructions a step may have.
const mostInstructions = 10_000

// thread is a thread in the middle of a step.
type thread struct {
	view   shape.View // its heap and operation; its calls are in frames
	frames []frame
	moved  bool         // the one access of this step that others can see was made
	locked bool         // that access took a lock; an atomic access may follow in the same step
	passed []shape.Site // settled accesses that this step has made
	count  int
}

// frame is a call in progress with all its registers.
type frame struct {
	fn     *ir.Func
	pc     int
	regs   []shape.Word
	defers []deferred
}

// deferred is a call that waits for the function to return.
type deferred struct {
	call  *ir.Call
	words []shape.Word
}

// fresh is a thread with the memory and operation of a view, copied, but without its calls.
func (m *Machine) fresh(v *shape.View) *thread {
	t := &thread{}
	if n := len(m.spare) - 1; n >= 0 {
		t, m.spare = m.spare[n], m.spare[:n]
	}
	heap, frames := t.view.Heap, t.frames[:0]
	*t = thread{view: *v, frames: frames}
	v.CopyTo(&heap)
	t.view.Heap, t.view.Frames, t.view.Regs = heap, nil, nil
	return t
}

func (m *Machine) clone(t *thread) *thread {
	c := m.fresh(&t.view)
	c.moved, c.locked, c.passed, c.count = t.moved, t.locked, t.passed, t.count
	for i := range t.frames {
		f := &t.frames[i]
		g := c.push(f.fn, f.pc)
		copy(g.regs, f.regs)
		g.defers = append(g.defers, f.defers...)
	}
	return c
}

// push adds a call whose registers are zero.
func (t *thread) push(fn *ir.Func, pc int) *frame {
	n := len(t.frames)
	if n < cap(t.frames) {
		t.frames = t.frames[:n+1]
	} else {
		t.frames = append(t.frames, frame{})
	}
	f := &t.frames[n]
	*f = frame{fn: fn, pc: pc, regs: slices.Grow(f.regs[:0], fn.NumRegs)[:fn.NumRegs], defers: f.defers[:0]}
	clear(f.regs)
	return f
}

// site is the instruction at which a thread stands, with the call that it is part of.
func (t *thread) site() shape.Site {
	f := t.top()
	s := shape.Site{Func: f.fn.ID, PC: f.pc}
	if n := len(t.frames) - 2; n >= 0 {
		s.Caller, s.Call = t.frames[n].fn.ID, t.frames[n].pc
	}
	return s
}

func (t *thread) top() *frame { return &t.frames[len(t.frames)-1] }

// Call begins operation op, driven by function f, in an idle view.
func (m *Machine) Call(v *shape.View, op int, f *ir.Func, param shape.Class) *Result {
	t := m.fresh(&shape.View{Heap: v.Heap, Op: uint8(op), Param: param})
	regs := t.push(f, 0).regs
	regs[0] = shape.Ref(0, 0)
	args := m.p.Arguments(op, param)
	if copy(regs[1:], args); len(args) == 0 {
		t.view.Param = 0
	}
	t.moved = true // what is executed before the first stop belongs to the call, and is no step of its own
	return m.run(t)
}

// Step executes the next step of a view that is not idle.
func (m *Machine) Step(v *shape.View) *Result { return m.run(m.resumed(v)) }

// resumed is the thread of a view, with its calls.
func (m *Machine) resumed(v *shape.View) *thread {
	t := m.fresh(v)
	if v.Flags&shape.Announced != 0 {
		t.view.Mine = v.Regs[0]
	}
	m.expand(t, v)
	return t
}

// Make executes the constructor, and gives the idle view of a new collection.
func (m *Machine) Make(f *ir.Func) *Result {
	t := &thread{}
	t.view.Heap.New(0, 0) // node 0 is the collection, which is not yet known
	t.push(f, 0)
	t.moved = true
	return m.run(t)
}

// run executes threads until all have stopped.
func (m *Machine) run(t *thread) *Result {
	m.result = &Result{}
	m.work = append(m.work[:0], t)
	for len(m.work) > 0 && m.result.Alarm == nil && !m.Grew {
		t := m.work[len(m.work)-1]
		m.work = m.work[:len(m.work)-1]
		m.execute(t)
		m.spare = append(m.spare, t)
		if m.Scouting {
			m.result.Alarm = nil
		}
	}
	return m.result
}

// execute runs a thread until it stops or splits into several.
func (m *Machine) execute(t *thread) {
	for {
		f := t.top()
		if t.count++; t.count > mostInstructions {
			m.outside(t, "more than %d instructions in a row that no other thread can see or influence: a loop that perhaps never ends", mostInstructions)
			return
		}
		if len(t.view.Nodes) > 4*MaxNodes {
			m.tooMany(t)
			return
		}
		next := m.instruction(t, f, &f.fn.Code[f.pc])
		if !next || m.result.Alarm != nil || m.Grew {
			return
		}
	}
}

// tooMany is an alarm if a step meets more cells than views may have: cells that it makes, or cells of others.
func (m *Machine) tooMany(t *thread) {
	own := 0
	for i := range t.view.Nodes {
		if !t.view.Nodes[i].Shared {
			own++
		}
	}
	if own > 2*MaxNodes {
		m.outside(t, "a step makes more than %d cells: a loop that no other thread can see or influence, and that perhaps never ends", 2*MaxNodes)
		return
	}
	m.outside(t, "a step follows a chain over more than %d cells in words that nobody writes while others may see them", 2*MaxNodes)
}

// fork adds another thread, to be executed later in this step.
func (m *Machine) fork(t *thread) { m.work = append(m.work, t) }

// split replaces a thread by one for each case of what a word leads to, which must be a summary: no cell, if
// that may be, or a first cell of each kind that fits, in front of the rest. Every memory that the heap stands
// for is one of those that theirs stand for.
func (m *Machine) split(t *thread, n, off int) {
	s := &t.view.Nodes[t.view.Get(n, off).Node()]
	for k := shape.Kind(m.d.Kinds()); k > 0; k-- {
		if !s.First.Has(k - 1) {
			continue
		}
		if c := m.clone(t); m.d.TakeFirst(&c.view.Heap, n, off, k-1) {
			m.fork(c)
		} else {
			m.spare = append(m.spare, c)
		}
	}
	if s.Opt { // it is the first that goes on
		c := m.clone(t)
		c.view.DropEmpty(n, off)
		m.fork(c)
	}
}

func (m *Machine) alarm(t *thread, outside bool, format string, args ...any) bool {
	a := &Alarm{Outside: outside, Message: fmt.Sprintf(format, args...)}
	if len(t.frames) > 0 {
		a.Func, a.PC = t.top().fn, t.top().pc
		for i := len(t.frames) - 2; i >= 0; i-- {
			a.Callers = append(a.Callers, Caller{t.frames[i].fn, t.frames[i].pc})
		}
	}
	m.result.Alarm = a
	return false
}

// outside reports what the engine has no meaning for.
func (m *Machine) outside(t *thread, format string, args ...any) bool {
	return m.alarm(t, true, format, args...)
}

// wrong reports what may go wrong in the program.
func (m *Machine) wrong(t *thread, format string, args ...any) bool {
	return m.alarm(t, false, format, args...)
}

// reads notes that words are read; false if one of them has been forgotten.
func (m *Machine) reads(words []shape.Word) bool {
	for _, w := range words {
		if w.IsDead() {
			m.d.Need(w)
			m.Grew = true
			return false
		}
	}
	return true
}

// stop ends the step: the thread stands before its next access.
func (m *Machine) stop(t *thread) bool {
	if len(t.frames) > 0 {
		m.d.Bury(&t.view.Heap, t.site())
	}
	v := t.view
	v.Frames, v.Regs = m.flatten(t)
	if m.p != nil && len(t.frames) > 0 {
		m.p.See(&v)
	}
	if v.Mine = shape.Nil; v.Flags&shape.Announced != 0 {
		v.Regs = slices.Insert(v.Regs, 0, t.view.Mine)
	}
	v.Heap = m.canon.Run(&t.view.Heap, v.Regs, nil)
	switch {
	case m.d.Full:
		return m.outside(t, "more than %d kinds of cells", shape.MaxKinds)
	case len(v.Nodes) > MaxNodes:
		return m.outside(t, "more than %d cells that do not form chains", MaxNodes)
	}
	m.result.Views = append(m.result.Views, &v)
	return false
}
