// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"fmt"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// program is a collection as the engine sees it.
type program struct {
	prog *ir.Program
	make *ir.Func
	ops  []operation
}

// operation is one of the collection's.
type operation struct {
	name string
	role oracle.Role // Add, Remove or Contains
	fn   *ir.Func
	not  bool // its result says that it was not done
}

// machine executes steps. A step is an access that others can see and what follows it up to the next one, or to the end of the call.
type machine struct {
	*knowledge
	p       *program
	live    *engine.Live
	covered engine.Coverage
	did     map[deed]bool

	making bool // the constructor is executed
	work   []*thread
	out    []outcome
	alarm  *engine.Alarm
}

// layout says where the words of a cell are.
type layout struct {
	typ               *ir.Type
	item, state, link int
}

// deed is what an operation has done: it has changed what is held, or returned one way or the other.
type deed struct {
	op   int
	what string
}

// outcome is a state in which a step may end.
type outcome struct {
	first  int // the kind of the youngest cell that counts
	idle   bool
	local  local
	effect *effect // what others see of the step; nil: nothing
}

// thread is a thread in a step.
type thread struct {
	first int
	local
	acted  bool // the step's access was made
	count  int
	effect *effect
}

func newMachine(p *program, n *knowledge) *machine {
	return &machine{knowledge: n, p: p, live: engine.NewLive(p.prog), covered: engine.Coverage{}, did: map[deed]bool{}}
}

// mostInstructions is how many instructions a step may have, mostExecutions in how many ways it may go on, mostFrames how many calls are
// nested, and mostCells how many cells a thread may know.
const (
	mostInstructions = 10_000
	mostExecutions   = 1 << 14
	mostFrames       = 20
	mostCells        = 100
)

// construct executes the constructor.
func (m *machine) construct() *engine.Alarm {
	m.making = true
	t := &thread{first: none, acted: true, local: local{chain: chain{gaps: []gap{{0, noneBit}}}}}
	t.frames = engine.NewFrames[value](m.p.make)
	m.run(t)
	m.making = false
	return m.alarm
}

// call begins an operation: the states in which it stands before its first access.
func (m *machine) call(first, op int, is bool) []outcome {
	o := &m.p.ops[op]
	t := &thread{first: first, acted: true, local: local{op: op, is: is, chain: chain{gaps: []gap{{everyKind, bit(first)}}}}}
	t.see(m.isHeld(first))
	args := []value{{form: root}, {form: item}}
	if is {
		args[1].x = 1
	}
	t.frames = engine.NewFrames(o.fn, args...)
	return m.run(t)
}

// step executes the step of a thread.
func (m *machine) step(first int, l *local) []outcome {
	t := &thread{first: first, local: l.clone()}
	if !m.sharpen(first, &t.chain) {
		return nil
	}
	t.frames = l.frames.Go(m.live)
	return m.run(t)
}

func (m *machine) run(t *thread) []outcome {
	m.out, m.work = nil, append(m.work[:0], t)
	for n := 0; len(m.work) > 0 && m.alarm == nil; n++ {
		t := m.work[len(m.work)-1]
		if n == mostExecutions {
			m.outside(t, "a step that has more than %d executions", mostExecutions)
			break
		}
		m.work = m.work[:len(m.work)-1]
		for m.alarm == nil && m.instruction(t) {
			if t.count++; t.count > mostInstructions {
				m.outside(t, "more than %d instructions in a row that no other thread can see or influence: a loop that perhaps never ends", mostInstructions)
			}
		}
	}
	return m.out
}

// stop ends a step before the next access.
func (m *machine) stop(t *thread) bool {
	l := t.local.clone()
	l.frames = t.frames.Stop(m.live)
	l.tidy()
	if m.sharpen(t.first, &l.chain) {
		m.out = append(m.out, outcome{first: t.first, local: l, effect: t.effect})
	}
	return false
}

// fork makes another execution of the step, which goes on behind the present instruction.
func (m *machine) fork(t *thread) *thread {
	c := t.copied()
	c.frames.Top().PC++
	return c
}

// follow adds an execution to those that are to be gone on with, unless what is known contradicts itself.
func (m *machine) follow(t *thread) {
	if m.sharpen(t.first, &t.chain) {
		m.work = append(m.work, t)
	}
}

func (m *machine) report(t *thread, outside bool, format string, args ...any) bool {
	if m.alarm != nil {
		return false
	}
	m.alarm = t.frames.Alarm(m.p.prog, outside, format, args...)
	return false
}

func (m *machine) outside(t *thread, format string, args ...any) bool {
	return m.report(t, true, format, args...)
}

func (m *machine) wrong(t *thread, format string, args ...any) bool {
	return m.report(t, false, format, args...)
}

// get is the value of an operand.
func (m *machine) get(f *engine.Frame[value], r ir.Reg) value {
	if r >= 0 {
		return f.Regs[r]
	}
	word := m.p.prog.Consts[^r]
	if m.p.prog.ConstKinds[^r] == ir.Scalar {
		return constOf(int64(word))
	}
	if word == 0 {
		return null
	}
	return value{form: unknown}
}

// set changes the value of a register.
func (t *thread) set(r ir.Reg, v value) {
	if r >= 0 {
		t.frames.Top().Regs[r] = v
	}
}

// instruction executes one instruction; false if the thread has stopped, was replaced by others, or there is an alarm.
func (m *machine) instruction(t *thread) bool {
	f := t.frames.Top()
	in := &f.Fn.Code[f.PC]
	m.covered.Note(f.Fn, f.PC, engine.Executed)
	switch in.Op {
	case ir.OpNop:
	case ir.OpMove:
		words := make([]value, in.N)
		for i := range words {
			words[i] = m.get(f, in.A.Word(i))
		}
		copy(f.Regs[in.Dst:], words)
	case ir.OpZero:
		clear(f.Regs[in.Dst : int(in.Dst)+int(in.N)])
	case ir.OpJump:
		f.PC = int(in.N)
		return true
	case ir.OpIf:
		switch c := m.get(f, in.A); {
		case c.form != constant:
			other := m.fork(t)
			other.frames.Top().PC = int(in.X)
			m.work = append(m.work, other)
			f.PC = int(in.N)
		case c.x != 0:
			f.PC = int(in.N)
		default:
			f.PC = int(in.X)
		}
		return true
	case ir.OpCall:
		return m.enter(t, m.p.prog.Calls[in.X])
	case ir.OpReturn:
		return m.leave(t, m.p.prog.Lists[in.X])
	case ir.OpPanic:
		return m.wrong(t, "it may panic")
	case ir.OpNot, ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe, ir.OpConvert:
		return m.compute(t, f, in)
	default:
		return m.memory(t, f, in)
	}
	f.PC++
	return true
}

func (m *machine) enter(t *thread, c *ir.Call) bool {
	f := t.frames.Top()
	switch {
	case c.Kind != ir.CallStatic:
		return m.outside(t, "a call of a function value or through an interface")
	case c.Func.Name == "runtime.Gosched":
		f.PC++
		return true
	case c.Func.External:
		return m.outside(t, "a call of %s", c.Func.Name)
	case len(t.frames) >= mostFrames:
		return m.outside(t, "calls that are nested more than %d deep", mostFrames)
	}
	t.frames.Enter(c, m.get)
	return true
}

func (m *machine) leave(t *thread, list []ir.Arg) bool {
	results := t.frames.Results(list, m.get)
	if len(t.frames) > 1 {
		t.frames.Leave(results)
		return true
	}
	if m.making {
		return m.collection(t, results)
	}
	if results[0].form != constant {
		return m.outside(t, "it cannot be told whether %s says that it was done", m.p.ops[t.op].name)
	}
	if text := m.returns(&t.local, results[0] != null); text != "" {
		return m.wrong(t, "%s", text)
	}
	m.out = append(m.out, outcome{first: t.first, idle: true, effect: t.effect})
	return false
}

// returns says what is wrong with the result of a call; "" if nothing is.
func (m *machine) returns(l *local, done bool) string {
	o := &m.p.ops[l.op]
	done = done != o.not
	m.did[deed{l.op, resultOf(done)}] = true
	if !l.is {
		return ""
	}
	seen := l.present // what has to be so for a call that changes nothing
	if (o.role == oracle.Remove || o.role == oracle.Contains) && !done {
		seen = l.absent
	}
	updates := o.role == oracle.Add || o.role == oracle.Remove
	switch {
	case updates && done && !l.changed:
		return o.name + " says that it was done, and nothing has changed"
	case updates && done:
		return ""
	case l.changed:
		return o.name + " says that nothing was done, and has changed what is held"
	case !seen:
		return fmt.Sprintf("%s returns %t, which at no moment since its call was right for certain", o.name, done)
	}
	return ""
}

// collection takes what the constructor returns as the collection.
func (m *machine) collection(t *thread, results []value) bool {
	if len(results) != 1 || results[0].form != private || results[0].x&255 != 0 {
		return m.outside(t, "a constructor that does not return a new object")
	}
	made := t.private[results[0].x>>8]
	if kind := made.typ.Layout(); len(kind) != 1 || kind[0] != ir.Pointer && kind[0] != ir.Unsafe || made.words[0] != null {
		return m.outside(t, "a collection that is not one word which leads to the youngest of its cells, and to none at first")
	}
	return false
}
