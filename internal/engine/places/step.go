// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"pangolin/internal/engine"
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// program is a collection as the engine sees it.
type program struct {
	prog *ir.Program
	make *ir.Func
	ops  []operation

	// Known when the constructor has been executed.
	counters []int32 // offsets of the words that count
	slice    int32   // offset of the slice
	length   int32   // of the slice
}

// operation is one of the collection's.
type operation struct {
	name string
	role oracle.Role // Put or Take
	fn   *ir.Func
	item int // the word of a Take's results that is the item
}

// counter is the number of the counter at an offset; -1: there is none.
func (p *program) counter(off int32) int {
	for i, c := range p.counters {
		if c == off {
			return i
		}
	}
	return -1
}

// machine executes steps. A step is an access that others can see and what follows it up to the next one, or to the end of the call.
type machine struct {
	p       *program
	live    *engine.Live
	covered engine.Coverage

	making bool // the constructor is executed
	made   []value
	work   []*thread
	out    []outcome
	alarm  *engine.Alarm
}

// outcome is a state in which a step may end.
type outcome struct {
	shared shared
	local  local
}

// thread is a thread in a step.
type thread struct {
	shared shared
	local
	acted bool // the step's access was made
	count int
}

func newMachine(p *program) *machine {
	return &machine{p: p, live: engine.NewLive(p.prog), covered: engine.Coverage{}}
}

// mostInstructions is how many instructions a step may have, mostExecutions in how many ways it may go on, mostFrames how many calls are
// nested, and mostCells how many cells a thread may know alone.
const (
	mostInstructions = 10_000
	mostExecutions   = 1 << 14
	mostFrames       = 20
	mostCells        = 100
)

// construct executes the constructor and fills in what the program does not know of the collection.
func (m *machine) construct() *engine.Alarm {
	m.making = true
	t := &thread{local: local{op: 1}}
	t.frames = engine.NewFrames[value](m.p.make)
	m.p.slice = -1
	m.run(t)
	m.making = false
	if m.alarm != nil {
		return m.alarm
	}
	if m.made == nil || m.p.slice < 0 {
		return &engine.Alarm{Outside: true, Text: "a constructor that makes no collection with a slice"}
	}
	return nil
}

// call begins an operation on an idle thread: the states in which it stands before its first access.
func (m *machine) call(s shared, op int, l label) []outcome {
	o := &m.p.ops[op]
	t := &thread{shared: s, acted: true, local: local{op: op + 1, label: l}}
	if l.followed() && !t.shared.put(l) {
		return nil
	}
	args := []value{{kind: root}}
	if o.role == oracle.Put {
		args = append(args, value{kind: item, x: int32(l)})
	}
	t.frames = engine.NewFrames(o.fn, args...)
	return m.run(t)
}

// step executes the step of a thread.
func (m *machine) step(s shared, l *local) []outcome {
	t := &thread{shared: s, local: l.clone()}
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
	l.rename()
	m.out = append(m.out, outcome{t.shared, l})
	return false
}

func (m *machine) fork(t *thread) *thread {
	c := *t
	c.local = t.local.clone()
	m.work = append(m.work, &c)
	return &c
}

func (m *machine) report(t *thread, outside bool, format string, args ...any) bool {
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
	return value{kind: unknown}
}

// set changes the value of a register to what is known of it; a constant of the program stays.
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
		case c.kind != constant:
			m.fork(t).frames.Top().PC = int(in.X)
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
	case ir.OpNot, ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe, ir.OpAdd, ir.OpSub, ir.OpConvert:
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
	switch o := &m.p.ops[t.op-1]; {
	case o.role == oracle.Put && !t.stored:
		return m.wrong(t, "%s returns, and has put its item into no place", o.name)
	case o.role == oracle.Put:
		if t.label.followed() {
			t.shared.puts[t.label-1] |= returned
		}
	case t.got == none:
		return m.wrong(t, "%s returns, and has taken no item", o.name)
	case results[o.item] != value{kind: item, x: int32(t.got)}:
		return m.wrong(t, "%s returns something else than the item that it has taken", o.name)
	}
	t.local = local{}
	return m.stop(t)
}

// collection takes what the constructor returns as the collection.
func (m *machine) collection(t *thread, results []value) bool {
	if len(results) != 1 || results[0].kind != cell || results[0].x&255 != 0 {
		return m.outside(t, "a constructor that does not return a new object")
	}
	m.made = t.cells[results[0].x>>8]
	layout := m.p.make.Results[0].Elem.Layout()
	m.p.counters = nil
	for off := 0; off < len(layout); off++ {
		switch v := m.made[off]; {
		case v.kind == array && m.p.slice < 0:
			m.p.slice = int32(off)
			off += ir.SliceWords - 1
		case v != null:
			return m.outside(t, "a collection with other words than numbers that begin at 0 and one slice")
		case layout[off] == ir.Scalar:
			m.p.counters = append(m.p.counters, int32(off))
		}
	}
	if len(m.p.counters) > mostCounters {
		return m.outside(t, "more than %d numbers in the collection", mostCounters)
	}
	return false
}
