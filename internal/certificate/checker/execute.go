// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"fmt"
	"slices"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/file"
	"pangolin/internal/ir"
)

// state is what one thread sees in the middle of a step.
type state struct {
	g      graph
	frames []frame
	op     int
	arg    word
	saw    seen
	taken  word
	mine   word // the cell with the descriptor of its announced operation

	moved  bool // the one visible access of this step was made
	locked bool // that access took a lock, so that another lock, or an atomic access, may follow
	count  int  // instructions executed in this step
	did    deeds
}

// frame is a call in progress.
type frame struct {
	fn       *ir.Func
	pc       int
	regs     []word
	deferred []deferred
}

type deferred struct {
	call  *ir.Call
	words []word
}

func (s *state) clone() *state {
	x := *s
	x.g = slices.Clone(s.g)
	x.frames = slices.Clone(s.frames)
	for i := range x.frames {
		f := &x.frames[i]
		f.regs, f.deferred = slices.Clone(f.regs), slices.Clone(f.deferred)
	}
	return &x
}

func (s *state) top() *frame { return &s.frames[len(s.frames)-1] }

// Rejection is the error of a certificate that does not hold.
type Rejection = file.Rejection

// reject makes the rejection of a certificate, at the instruction that the thread of s has reached.
func (c *Checker) reject(s *state, format string, args ...any) error {
	r := &Rejection{What: fmt.Sprintf(format, args...)}
	if len(s.frames) > 0 {
		f := s.top()
		r.Where = c.prog.Position(f.fn.Pos[f.pc])
	}
	return r
}

// mostInstructions bounds the instructions of one step.
const mostInstructions = 10_000

// run executes a thread to the end of its step, in every way that is possible, and checks that each end is claimed.
func (c *Checker) run(s *state) error {
	c.work = append(c.work[:0], s)
	for len(c.work) > 0 {
		s := c.work[len(c.work)-1]
		c.work = c.work[:len(c.work)-1]
		for {
			if s.count++; s.count > mostInstructions {
				return c.reject(s, "a step has more than %d instructions", mostInstructions)
			}
			more, err := c.instruction(s, s.top())
			if err != nil {
				return err
			}
			if !more {
				break
			}
		}
	}
	return nil
}

// stop ends a step: what the thread sees now must be claimed.
func (c *Checker) stop(s *state) (bool, error) {
	c.notice(s, false)
	return false, c.claimed(s)
}

// fork adds a state in which the thread continues in another way.
func (c *Checker) fork(s *state) { c.work = append(c.work, s) }

func (c *Checker) get(f *frame, r ir.Reg) word {
	if r >= 0 {
		return f.regs[r]
	}
	w := c.prog.Consts[^r]
	switch kind := c.prog.ConstKinds[^r]; {
	case kind == ir.Code && w&ir.FuncTag != 0:
		return word{Form: certificate.Func, N: int32(w &^ ir.FuncTag)}
	case kind == ir.Scalar:
		return constant(int64(w))
	case w == 0 && kind != ir.String:
		return zero
	}
	return lost
}

// constant is a number as a word; larger ones than 27 bits are not tracked.
func constant(x int64) word {
	const most = 1<<27 - 1
	if x < -most || x > most {
		return word{Form: certificate.Top}
	}
	return number(int32(x))
}

func (c *Checker) several(f *frame, r ir.Reg, n int) []word {
	out := make([]word, n)
	for i := range out {
		out[i] = c.get(f, r.Word(i))
	}
	return out
}

func truth(b bool) word {
	if b {
		return number(1)
	}
	return zero
}

// instruction executes one instruction. It returns false if the thread has reached the end of its step, waits, or continues only in other
// states.
func (c *Checker) instruction(s *state, f *frame) (bool, error) {
	in := &f.fn.Code[f.pc]
	switch in.Op {
	case ir.OpNop:
	case ir.OpMove:
		copy(f.regs[in.Dst:], c.several(f, in.A, int(in.N)))
	case ir.OpCap: // every slice was made by make, because append is rejected
		f.regs[in.Dst] = c.get(f, in.A.Word(2))
	case ir.OpZero:
		for i := range int(in.N) {
			f.regs[int(in.Dst)+i] = zero
		}
	case ir.OpJump:
		f.pc = int(in.N)
		return true, nil
	case ir.OpIf:
		w := c.get(f, in.A)
		if !known(w) {
			other := s.clone()
			other.top().pc = int(in.X)
			c.fork(other)
		}
		f.pc = int(in.N)
		if w == zero {
			f.pc = int(in.X)
		}
		return true, nil
	case ir.OpReturn:
		return c.leave(s, f, in)
	case ir.OpCall:
		call := c.prog.Calls[in.X]
		return c.enter(s, call, c.passed(f, call))
	case ir.OpDefer:
		if in.A != ir.NoReg {
			return false, c.reject(s, "a call is deferred on the list of another function")
		}
		call := c.prog.Calls[in.X]
		f.deferred = append(f.deferred, deferred{call, c.passed(f, call)})
	case ir.OpRunDefers:
		if n := len(f.deferred); n > 0 {
			return c.enter(s, f.deferred[n-1].call, f.deferred[n-1].words)
		}
	default:
		if in.Op >= ir.OpNew && in.Op <= ir.OpAtomicOr || in.Op == ir.OpMakeClosure {
			return c.memory(s, f, in)
		}
		return c.compute(s, f, in)
	}
	f.pc++
	return true, nil
}

// passed lists the words of a call: of the function value if there is one, then of the arguments.
func (c *Checker) passed(f *frame, call *ir.Call) []word {
	var words []word
	if n := call.FnWords(); n > 0 {
		words = c.several(f, call.Fn, n)
	}
	for _, a := range call.Args {
		words = append(words, c.several(f, a.Reg, a.Type.Size)...)
	}
	return words
}

const mostFrames = 40

// enter begins a call; words are the function value, if there is one, and the arguments.
func (c *Checker) enter(s *state, call *ir.Call, words []word) (bool, error) {
	fn := call.Func
	switch call.Kind {
	case ir.CallMethod:
		return false, c.reject(s, "a call through an interface, which certificates do not support")
	case ir.CallClosure:
		w := words[0]
		switch {
		case w.Form == certificate.Func:
			fn, words = c.prog.Funcs[w.N], words[1:]
		case w.IsRef() && s.g[w.N].private && len(s.g[w.N].words) > 0 && s.g[w.N].words[0].Form == certificate.Func:
			record := s.g[w.N].words
			fn, words = c.prog.Funcs[record[0].N], append(slices.Clone(words[1:]), record[1:]...)
		default:
			return false, c.reject(s, "a call of a function value that is not known")
		}
	}
	f := s.top()
	returning := f.fn.Code[f.pc].Op == ir.OpRunDefers
	if fn.External {
		return c.external(s, fn, words)
	}
	if len(s.frames) >= mostFrames || len(words) > fn.NumRegs {
		return false, c.reject(s, "calls are nested more than %d deep", mostFrames)
	}
	if returning {
		f.deferred = f.deferred[:len(f.deferred)-1]
	}
	regs := make([]word, fn.NumRegs)
	copy(regs, words)
	s.frames = append(s.frames, frame{fn: fn, regs: regs})
	return true, nil
}

// external executes a function without code: those of sync.Mutex, runtime.Gosched and mark.Choose.
func (c *Checker) external(s *state, fn *ir.Func, words []word) (bool, error) {
	switch fn.Name {
	case "runtime.Gosched":
		c.goOn(s, nil)
		return true, nil
	case "pangolin/mark.Choose":
		return c.anyOf(s, words[0])
	case "(*sync.Mutex).Lock":
		return c.lock(s, words[0])
	case "(*sync.Mutex).Unlock":
		return c.unlock(s, words[0])
	}
	return false, c.reject(s, "a call of %s, which certificates do not support", fn.Name)
}

// goOn continues after a call that has returned. A deferred function without code is removed from the list of deferred calls only here.
func (c *Checker) goOn(s *state, results []word) {
	f := s.top()
	switch in := &f.fn.Code[f.pc]; {
	case in.Op == ir.OpCall:
		if len(results) > 0 {
			copy(f.regs[in.Dst:], results)
		}
		f.pc++
	case results == nil:
		f.deferred = f.deferred[:len(f.deferred)-1]
	}
}

// leave returns from a function. The result of an operation is judged, and its thread is idle then.
func (c *Checker) leave(s *state, f *frame, in *ir.Instr) (bool, error) {
	results := []word{}
	for _, a := range c.prog.Lists[in.X] {
		results = append(results, c.several(f, a.Reg, a.Type.Size)...)
	}
	if len(s.frames) > 1 {
		s.frames = s.frames[:len(s.frames)-1]
		c.goOn(s, results)
		return true, nil
	}
	if f.fn == c.maker {
		return false, c.made(s, results)
	}
	c.notice(s, false)
	if err := c.returns(s, results); err != nil {
		return false, c.reject(s, "%v", err)
	}
	return false, c.claimed(&state{g: s.g})
}

// made checks the memory that the constructor leaves: it is claimed, no lock is taken, and the content is empty. The collection becomes
// node 0.
func (c *Checker) made(s *state, results []word) error {
	if len(results) != 1 || !results[0].IsRef() || results[0].Off != 0 {
		return c.reject(s, "the constructor does not return a new collection")
	}
	root := int(results[0].N)
	swap := func(w word) word {
		switch {
		case w.IsRef() && int(w.N) == root:
			w.N = 0
		case w.IsRef() && w.N == 0:
			w.N = int32(root)
		}
		return w
	}
	s.g[0], s.g[root] = s.g[root], s.g[0]
	for i := range s.g {
		words := slices.Clone(s.g[i].words)
		for off := range words {
			words[off] = swap(words[off])
		}
		s.g[i].words = words
	}
	s.g.publish(ref(0, 0))
	for n, there := range s.g.reached(0) {
		for off, is := range c.types[s.g[n].typ].mutex {
			if there && is && s.g[n].words[off] != free {
				return c.reject(s, "the constructor holds a lock when it returns")
			}
		}
	}
	if c.object == nil {
		if !c.begins(s.g) {
			return c.reject(s, "it is not certain that a new collection is empty")
		}
		return c.claimed(&state{g: s.g})
	}
	list, err := c.starts(s.g)
	if err != nil {
		return c.reject(s, "%v", err)
	}
	for _, g := range list {
		if err := c.claimed(&state{g: g}); err != nil {
			return err
		}
	}
	return nil
}
