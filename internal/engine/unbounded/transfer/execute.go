// SPDX-License-Identifier: BSD-3-Clause

package transfer

import (
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
)

// get is the value of an operand: of a register, or of a constant.
func (m *Machine) get(f *frame, r ir.Reg) shape.Word {
	if r >= 0 {
		return f.regs[r]
	}
	return m.constant(r)
}

// constant is the value of an operand that names a constant of the program, not a register.
func (m *Machine) constant(r ir.Reg) shape.Word {
	switch word := m.d.Prog.Consts[^r]; m.d.Prog.ConstKinds[^r] {
	case ir.Scalar:
		return shape.Const(word)
	case ir.Code:
		if word&ir.FuncTag != 0 {
			return shape.FuncValue(int(word &^ ir.FuncTag))
		}
		return shape.Nil
	case ir.Pointer, ir.Unsafe:
		if word == 0 {
			return shape.Nil
		}
	case ir.IfaceType, ir.IfaceData:
		if word == 0 {
			return shape.Nil
		}
	}
	return shape.Top
}

func (m *Machine) gets(f *frame, r ir.Reg, n int) []shape.Word {
	out := make([]shape.Word, n)
	for i := range out {
		out[i] = m.get(f, r.Word(i))
	}
	return out
}

func truth(b bool) shape.Word {
	if b {
		return shape.Const(1)
	}
	return shape.Nil
}

// instruction executes one instruction of the innermost call. It is false if that ends the execution of this thread:
// it has stopped, was split into several, or has met an alarm.
func (m *Machine) instruction(t *thread, f *frame, in *ir.Instr) bool {
	m.Covered.Note(f.fn, f.pc, Reached)
	switch in.Op {
	case ir.OpNop:
	case ir.OpMove:
		if in.N == 1 {
			f.regs[in.Dst] = m.get(f, in.A)
			break
		}
		copy(f.regs[in.Dst:], m.gets(f, in.A, int(in.N)))
	case ir.OpCap: // of a slice that make has made: append is outside
		f.regs[in.Dst] = m.get(f, in.A.Word(2))
	case ir.OpZero:
		for i := range int(in.N) {
			f.regs[int(in.Dst)+i] = shape.Nil
		}
	case ir.OpJump:
		f.pc = int(in.N)
		return true
	case ir.OpIf:
		return m.branch(t, f, in)
	case ir.OpNew, ir.OpMakeSlice, ir.OpElem, ir.OpField, ir.OpArrayElem, ir.OpCast, ir.OpLoad, ir.OpStore, ir.OpMakeClosure,
		ir.OpAtomicLoad, ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicCAS, ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
		return m.memory(t, f, in)
	case ir.OpCall:
		return m.call(t, f, m.d.Prog.Calls[in.X])
	case ir.OpDefer:
		if in.A != ir.NoReg {
			return m.outside(t, "a deferred call on the list of another function")
		}
		c := m.d.Prog.Calls[in.X]
		f.defers = append(f.defers, deferred{c, m.arguments(f, c)})
	case ir.OpRunDefers:
		return m.runDeferred(t, f)
	case ir.OpReturn:
		return m.returns(t, f, m.d.Prog.Lists[in.X])
	case ir.OpPanic:
		return m.wrong(t, "it may panic")
	default:
		if in.Op > ir.OpConvert {
			return m.outside(t, "%s", in.Op)
		}
		w, ok := m.compute(f, in)
		if !ok {
			return m.outside(t, "%s of items or numbers in format %s", in.Op, in.Num)
		}
		if w.IsTop() && compares(in.Op) { // both cases, each with a result that is known
			other := m.clone(t)
			other.top().regs[in.Dst] = truth(false)
			other.top().pc++
			m.fork(other)
			w = truth(true)
		}
		f.regs[in.Dst] = w
	}
	f.pc++
	return true
}

// compares says whether the result of an operation is a truth value.
func compares(op ir.Op) bool { return op >= ir.OpNot && op <= ir.OpEqual }

func (m *Machine) branch(t *thread, f *frame, in *ir.Instr) bool {
	switch w := m.get(f, in.A); {
	case !w.IsConst():
		other := m.clone(t)
		other.top().pc = int(in.X)
		m.fork(other)
		f.pc = int(in.N)
	case w != shape.Nil:
		f.pc = int(in.N)
	default:
		f.pc = int(in.X)
	}
	return true
}

// call executes a call.
func (m *Machine) call(t *thread, f *frame, c *ir.Call) bool {
	return m.enter(t, c, m.arguments(f, c))
}

// arguments are the words of a callee and its arguments.
func (m *Machine) arguments(f *frame, c *ir.Call) []shape.Word {
	var words []shape.Word
	if n := c.FnWords(); n > 0 {
		words = m.gets(f, c.Fn, n)
	}
	for _, a := range c.Args {
		words = append(words, m.gets(f, a.Reg, a.Type.Size)...)
	}
	return words
}

// mostFrames is how deep calls may be nested.
const mostFrames = 40

// enter calls a function with the words of its arguments. Whether the call is deferred is told by the instruction at
// which the caller stands.
func (m *Machine) enter(t *thread, c *ir.Call, words []shape.Word) bool {
	fn := c.Func
	switch c.Kind {
	case ir.CallMethod:
		return m.outside(t, "a call through an interface")
	case ir.CallClosure:
		callee, captured, ok := m.closure(t, words[0])
		if !ok {
			return false
		}
		fn, words = callee, append(append([]shape.Word(nil), words[1:]...), captured...)
	}
	if fn.External {
		return m.external(t, fn, words)
	}
	if len(t.frames) >= mostFrames {
		return m.outside(t, "calls that are nested more than %d deep", mostFrames)
	}
	if f := t.top(); f.fn.Code[f.pc].Op == ir.OpRunDefers {
		f.defers = f.defers[:len(f.defers)-1]
	}
	copy(t.push(fn, 0).regs, words)
	return true
}

// closure is the function for which a function value stands, with the values of its free variables.
func (m *Machine) closure(t *thread, w shape.Word) (fn *ir.Func, captured []shape.Word, ok bool) {
	switch {
	case w.IsFunc():
		return m.d.Prog.Funcs[w.Func()], nil, true
	case w == shape.Nil:
		m.wrong(t, "it may call a nil function")
	case w.IsRef() && !t.view.Nodes[w.Node()].Shared:
		words := t.view.Of(w.Node())
		if !m.reads(words) {
			return nil, nil, false
		}
		return m.d.Prog.Funcs[words[0].Func()], words[1:], true
	default:
		m.outside(t, "a call of a function that others may have")
	}
	return nil, nil, false
}

// external executes a function that has no code.
func (m *Machine) external(t *thread, fn *ir.Func, words []shape.Word) bool {
	switch fn.Name {
	case "runtime.Gosched":
		return m.done(t)
	case "pangolin/mark.Choose":
		return m.choose(t, words[0])
	case "(*sync.Mutex).Lock":
		return m.lock(t, words[0])
	case "(*sync.Mutex).Unlock":
		return m.unlock(t, words[0])
	}
	return m.outside(t, "a call of %s", fn.Name)
}

// resume continues behind the call that the innermost frame has made, with its results. Behind a deferred call
// OpRunDefers is executed again, for the next one.
func (m *Machine) resume(t *thread, results []shape.Word) {
	f := t.top()
	if in := &f.fn.Code[f.pc]; in.Op == ir.OpCall {
		copy(f.regs[max(in.Dst, 0):], results)
		f.pc++
	}
}

// done continues behind a call of a function without code. A deferred one is taken off the list only here, for the
// thread may stop before it.
func (m *Machine) done(t *thread) bool {
	if f := t.top(); f.fn.Code[f.pc].Op == ir.OpRunDefers {
		f.defers = f.defers[:len(f.defers)-1]
	}
	m.resume(t, nil)
	return true
}

// runDeferred executes the last of the deferred calls, or goes on if there is none.
func (m *Machine) runDeferred(t *thread, f *frame) bool {
	if len(f.defers) == 0 {
		f.pc++
		return true
	}
	d := f.defers[len(f.defers)-1]
	return m.enter(t, d.call, d.words)
}

// returns ends the innermost call, with these results.
func (m *Machine) returns(t *thread, f *frame, list []ir.Arg) bool {
	var results []shape.Word
	for _, a := range list {
		results = append(results, m.gets(f, a.Reg, a.Type.Size)...)
	}
	if len(t.frames) > 1 {
		t.frames = t.frames[:len(t.frames)-1]
		m.resume(t, results)
		return true
	}
	if m.p == nil {
		return m.made(t, results)
	}
	m.p.See(&t.view)
	if err := m.p.Return(&t.view, results); err != nil {
		return m.wrong(t, "%v", err)
	}
	t.frames = t.frames[:0]
	t.view = shape.View{Heap: t.view.Heap}
	return m.stop(t)
}

// made ends the constructor: the collection becomes node 0, and is shared.
func (m *Machine) made(t *thread, results []shape.Word) bool {
	h := &t.view.Heap
	if len(results) != 1 || !results[0].IsRef() || results[0].Off() != 0 {
		return m.outside(t, "a constructor that does not return a new object")
	}
	n := results[0].Node()
	h.Nodes[0], h.Nodes[n] = h.Nodes[n], h.Nodes[0]
	for i, w := range h.Words {
		if w.IsRef() && w.Node() == n {
			h.Words[i] = shape.Ref(0, w.Off())
		}
	}
	h.Publish(shape.Ref(0, 0))
	for i := range h.Nodes {
		for _, off := range m.d.Mutexes(int(h.Nodes[i].Type)) {
			if h.Get(i, off) != Free {
				return m.outside(t, "a constructor that holds a lock when it returns")
			}
		}
	}
	t.frames = t.frames[:0]
	return m.stop(t)
}
