// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"fmt"
	"slices"

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
	name     string
	role     oracle.Role // Put or Take
	by, fn   *ir.Func    // the harness's function, and the method that it calls
	width    int         // of an item, in words
	item, ok int         // where a Take's results have the item and whether there was one; ok -1: nothing says so
	not      bool        // the latter says that there was none
	orNil    bool        // where there was none, the item is nil, and otherwise it is not
}

// machine executes steps. A step is an access that others can see and what follows it up to the next one, or to the end of the call.
type machine struct {
	*knowledge
	p       *program
	live    *engine.Live
	covered engine.Coverage
	did     map[string]bool // what operations do, for what is never reached
	effects map[effect]bool

	front  int // the offset of the front
	making bool
	made   collection
	work   []*thread
	out    []outcome
	alarm  *engine.Alarm
}

// effect is what a step does that others can see.
type effect struct {
	engine.Site
	what string
}

// outcome is a state in which a step may end: the thread stands before its next access.
type outcome struct {
	local local
	zone  zone
}

// thread is a thread in a step.
type thread struct {
	local
	z     zone
	acted bool // the step's access was made
	count int
}

func newMachine(p *program, n *knowledge, front int) *machine {
	return &machine{knowledge: n, p: p, live: engine.NewLive(p.prog), covered: engine.Coverage{}, did: map[string]bool{}, effects: map[effect]bool{}, front: front}
}

// mostInstructions is how many instructions a step may have, mostExecutions in how many ways it may go on, mostFrames how many calls are
// nested, mostCells how many cells a thread may know alone, and mostVars how many variables it may have.
const (
	mostInstructions = 10_000
	mostExecutions   = 1 << 14
	mostFrames       = 20
	mostCells        = 100
	mostVars         = 60
)

// construct executes the constructor.
func (m *machine) construct() *engine.Alarm {
	m.making = true
	t := &thread{acted: true, local: local{since: -1, offered: -1, slot: -1}, z: newZone(0)}
	t.frames = engine.NewFrames[value](m.p.make)
	m.run(t)
	m.making = false
	return m.alarm
}

// call begins an operation: the states in which it stands before its first access.
func (m *machine) call(op int) []outcome {
	o := &m.p.ops[op]
	t := &thread{acted: true, local: local{op: op, since: -1, offered: -1, slot: -1}, z: m.bounds.clone()}
	args := []value{{form: root}}
	if o.role == oracle.Put {
		for w := range o.width {
			args = append(args, value{form: itemOwn, x: int32(w)})
		}
		t.since = t.variable()
		t.z.equal(m.of(t.since), m.returned(), 0)
	}
	t.frames = engine.NewFrames(o.fn, args...)
	return m.run(t)
}

// step executes the step of a thread.
func (m *machine) step(l *local, z *zone) []outcome {
	t := &thread{local: l.clone(), z: z.clone()}
	if !t.z.close() {
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

// stop ends a step before the next access: others move.
func (m *machine) stop(t *thread) bool {
	m.see(t)
	l := t.local.clone()
	l.frames = t.frames.Stop(m.live)
	keep := m.shared()
	for _, v := range l.tidy() {
		keep = append(keep, m.of(v))
	}
	m.note(&t.z)
	if z := t.z.onto(keep); m.others(&z) {
		z.clamp()
		m.out = append(m.out, outcome{l, z})
	}
	return false
}

// variable is a new variable of the thread.
func (t *thread) variable() int {
	t.z.grow()
	t.vars++
	return t.vars - 1
}

// fork makes another execution of the step, which goes on behind the present instruction. It is followed only if it is given to follow.
func (t *thread) fork() *thread {
	c := *t
	c.local, c.z = t.local.clone(), t.z.clone()
	c.frames.Top().PC++
	return &c
}

// follow adds an execution to those that are to be gone on with.
func (m *machine) follow(t *thread) { m.work = append(m.work, t) }

func (m *machine) report(t *thread, outside bool, format string, args ...any) bool {
	if m.alarm != nil {
		return false
	}
	m.alarm = t.frames.Alarm(m.p.prog, outside, format, args...)
	if m.alarm.At == "" { // nothing of the harness is executed but the call of the constructor
		m.alarm.Text = fmt.Sprintf(format, args...)
	}
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

// gives is another execution in which the present instruction gives a value.
func (t *thread) gives(in *ir.Instr, v value) *thread {
	c := t.fork()
	c.frames.Top().Regs[in.Dst] = v
	return c
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
			other := t.fork()
			other.frames.Top().PC = int(in.X)
			m.follow(other)
			f.PC = int(in.N)
		case c.x != 0:
			f.PC = int(in.N)
		default:
			f.PC = int(in.X)
		}
		return true
	case ir.OpCall:
		return m.enter(t, in)
	case ir.OpReturn:
		return m.leave(t, m.p.prog.Lists[in.X])
	case ir.OpPanic:
		return m.wrong(t, "it may panic")
	case ir.OpNot, ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe, ir.OpAdd, ir.OpSub, ir.OpConvert:
		return m.compute(t, f, in)
	default:
		return m.memory(t, f, in)
	}
	f.PC++
	return true
}

func (m *machine) enter(t *thread, in *ir.Instr) bool {
	f := t.frames.Top()
	c := m.p.prog.Calls[in.X]
	switch {
	case c.Kind != ir.CallStatic:
		return m.outside(t, "a call of a function value or through an interface")
	case c.Func.Name == "runtime.Gosched":
		f.PC++
		return true
	case c.Func.Name == "pangolin/mark.Choose":
		n := m.get(f, c.Args[0].Reg)
		if n.form != constant || n.x < 1 || n.x > mostSlots {
			return m.outside(t, "mark.Choose among a number that is not known, or not 1 to %d", mostSlots)
		}
		for i := range n.x {
			m.follow(t.gives(in, value{x: i}))
		}
		return false
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
	switch {
	case len(t.frames) > 1:
		t.frames.Leave(results)
		return true
	case m.making:
		return m.collection(t, results)
	case m.p.ops[t.op].role == oracle.Put:
		return m.puts(t)
	}
	return m.takes(t, results)
}

// puts ends a Put.
func (m *machine) puts(t *thread) bool {
	name := m.p.ops[t.op].name
	switch {
	case t.did == nothing && t.offered >= 0:
		return m.wrong(t, "%s returns while its item may still be taken", name)
	case t.did == nothing:
		return m.wrong(t, "%s returns, and its item is nowhere", name)
	case t.did == linked:
		m.does(t, "put an item into the chain")
		m.note(&t.z) // others may go on before it returns
		m.raise(&t.z, m.of(t.what))
	default:
		m.does(t, "hand over an item")
	}
	m.note(&t.z)
	return false
}

// takes ends a Take.
func (m *machine) takes(t *thread, results []value) bool {
	m.see(t)
	o := &m.p.ops[t.op]
	item := results[o.item : o.item+o.width]
	none := !slices.ContainsFunc(item, func(v value) bool { return v != null })
	done := !o.orNil || !none
	if o.ok >= 0 {
		if results[o.ok].form != constant {
			return m.outside(t, "it cannot be told whether %s says that there was an item", o.name)
		}
		done = (results[o.ok] != null) != o.not
	}
	switch {
	case !done && t.did != nothing:
		return m.wrong(t, "%s says that it found nothing, and has taken an item", o.name)
	case !done && !t.empty:
		return m.wrong(t, "%s says that it found nothing, and it is not certain that the queue was empty at some moment", o.name)
	case !done && !none:
		return m.outside(t, "%s gives something else than the zero value where it finds nothing", o.name)
	case done && t.did == nothing:
		return m.wrong(t, "%s returns, and has taken no item", o.name)
	case done && !m.isTaken(t, item):
		return m.wrong(t, "%s returns something else than the item that it has taken", o.name)
	}
	m.does(t, []string{nothing: "find nothing", tookCell: "take an item out of the chain", tookOffer: "take an item that is handed over"}[t.did])
	m.note(&t.z)
	return false
}

// isTaken says whether values are the item that a Take has taken, for certain.
func (m *machine) isTaken(t *thread, words []value) bool {
	for i, v := range words {
		switch {
		case int(v.x) != i:
			return false
		case t.did == tookCell && v.form == itemCell && t.z.is(m.of(int(v.v)), m.of(t.what), 0):
		case t.did == tookOffer && v.form == itemOffer && int(v.v) == t.what:
		default:
			return false
		}
	}
	return true
}

// does notes what an operation does.
func (m *machine) does(t *thread, what string) {
	m.did[m.p.ops[t.op].name+" ... "+what] = true
}
