// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/format"
	"pangolin/internal/vm/layout"
	"pangolin/internal/vm/state"
)

// Functions of packages runtime and os, and those that the models of the standard library
// (front/prelude) call where Go has no words for what they need. Answers that differ from
// machine to machine are fixed (two processors, an empty GOROOT), and the verdict says so;
// random numbers are choices, few enough to try them all.

var runtimeBuiltins = map[string]*builtin{
	"runtime.Gosched":                {visible: always, run: yield},
	"runtime.NumCPU":                 simple(func(c *call) { c.out[0] = 2 }),
	"runtime.GOMAXPROCS":             simple(func(c *call) { c.out[0] = 2 }),
	"runtime.NumGoroutine":           {visible: always, run: countThreads},
	"runtime.Goexit":                 {run: goexit},
	"runtime.cheaprand":              simple(func(c *call) { k := c.m.draw(); c.out[0] = k<<30 | k }),
	"pangolin/prelude.chooseNumber":  {run: chooseNumber},
	"pangolin/prelude.chooseQuarter": simple(func(c *call) { c.out[0] = c.m.draw() }),
	"runtime.rand":                   simple(func(c *call) { k := c.m.draw(); c.out[0] = k<<62 | k<<30 | k }),
	"runtime.fastrand":               simple(func(c *call) { k := c.m.draw(); c.out[0] = k<<30 | (k + 1) }), // code asks again for one that is not 0
	"unsafe.Add":                     {run: pointerAdd},
	xSysCPU + "cpuid":                simple(func(*call) {}),
	xSysCPU + "xgetbv":               simple(func(*call) {}),
	"vendor/" + xSysCPU + "cpuid":    simple(func(*call) {}),
	"vendor/" + xSysCPU + "xgetbv":   simple(func(*call) {}),
	"runtime.cheaprandn":             {run: choose},
	"os.Exit":                        {visible: always, run: exit},
	"runtime.GOROOT":                 simple(func(*call) {}),
	overName:                         {visible: always, run: over},
	"pangolin/prelude.ofTimer":       simple(func(c *call) { c.m.Objs[c.args[0]>>32].MarkTimer() }),
	"pangolin/prelude.sliceLen":      simple(func(c *call) { c.out[0] = c.m.IfaceValue(c.args)[1] }),
	"pangolin/prelude.sliceSwap":     {visible: ifTouched, run: sliceSwap, plainly: swapsElements},
	"pangolin/prelude.unsupported": {run: func(c *call) control {
		c.m.Fail(FaultUnsupported, c.text(0))
		return ctlStop
	}},
	crashName: {visible: always, run: func(c *call) control { return c.m.crash(c.t) }},
	"pangolin/prelude.printed": {visible: always, run: func(c *call) control {
		if c.m.Out.Stream != nil {
			c.m.Fail(FaultUnsupported, "the output of an example is compared only where every schedule is explored")
			return ctlStop
		}
		c.out[0], c.m.Out.Stdout = c.m.Out.Stdout, 0
		return ctlNext
	}},
	"pangolin/prelude.output": {visible: always, run: func(c *call) control {
		c.m.Print(int(c.args[0]), c.text(1))
		return ctlNext
	}},
}

// xSysCPU begins the names of the functions in assembly that ask the processor what it is able to do: nothing beyond the usual.
const xSysCPU = "golang.org/x/sys/cpu."

// goexit ends the thread. An operation that does it neither returns nor panics, and takes a goroutine of the
// caller with it, who would make other calls: that is no client of a scope.
func goexit(c *call) control {
	if c.t.Keep && !c.m.WholeProgram {
		c.m.Fail(FaultUnsupported, "runtime.Goexit in an operation is not supported: it ends the caller's goroutine")
		return ctlStop
	}
	return c.m.throw(c.t, 0, 0, panicExit)
}

func countThreads(c *call) control {
	c.m.Peered = true
	c.m.tells()
	c.out[0] = c.m.goroutines()
	return ctlNext
}

// goroutines is the number of goroutines that have not ended.
func (m *Machine) goroutines() (n uint64) {
	for _, t := range m.Thread {
		ended := t.Idle() && !t.Keep // it keeps its place
		if !ended && !m.standsForTimer(t) && !pulledOut(t) {
			n++
		}
	}
	return n
}

// pulledOut says that a thread has run an iterator for iter.Pull to its end, and told so: the runtime's coroutine is gone
// then, and this one has only to return.
func pulledOut(t *state.Thread) bool {
	if len(t.Frames) == 0 || !strings.HasPrefix(t.Frames[0].Code.Func.Name, "(*pangolin/prelude.pull[") {
		return false
	}
	top := t.Top()
	return top.Code.Func.Model && len(t.Frames) <= 2 && top.Flags&(state.FrameDeferred|state.FrameUnwinding) != 0 && t.Instr().Op != ir.OpSend
}

// pointerAdd goes on in memory by bytes, as far as something of the same object stands there.
func pointerAdd(c *call) control {
	p, n := c.args[0], int64(c.args[1])
	if n == 0 {
		c.out[0] = p
		return ctlNext
	}
	if p == 0 || p&ir.TypeTag != 0 {
		c.m.Fail(FaultUnsupported, "unsafe.Add of a pointer that points to no memory")
		return ctlStop
	}
	o := &c.m.Objs[p>>32]
	word, ok := layout.Shift(o.Info.Type, int(o.Count), state.Offset(p), n)
	if !ok {
		c.m.Fail(FaultUnsupported, fmt.Sprintf("unsafe.Add by %d bytes, where nothing begins in memory of type %s", n, o.Info.Type.Name))
		return ctlStop
	}
	c.out[0] = state.Pointer(state.ObjectID(p), word)
	return ctlNext
}

// FewRandoms is how many random numbers are explored where the runtime gives any of 32 or 64 bits: code that takes them there spreads accesses
// over a few places by the lowest bits, or compares the highest ones with a probability. So the two lowest and the two highest bits are 0 to 3.
const FewRandoms = 4

// mostAlike is how often in a row, within a step, the same random number is drawn: a loop that goes on while it draws a 0, as that for the level of a
// node of a skip list, would have infinitely many outcomes.
const mostAlike = 2

// drawNote is what a verdict says if a loop might have drawn the same number more often.
const drawNote = "the same random number is not drawn more than twice in a row, within a step"

// draw is a random number below FewRandoms.
func (m *Machine) draw() uint64 {
	m.taken++
	k := 0
	if m.alike < mostAlike {
		k = m.choose(FewRandoms)
	} else {
		m.img.Prog.Notes.Add(drawNote)
		if k = m.choose(FewRandoms - 1); k >= m.drawn {
			k++
		}
	}
	if k != m.drawn {
		m.drawn, m.alike = k, 0
	}
	m.alike++
	return uint64(k)
}

// equalNote is what a verdict says if a loop might have drawn the same number below the same bound more often.
const equalNote = "one call of a random number below a bound, in a loop, does not draw the same one more than a few times in a row within a step (7 times if the bound is 2)"

// mostEqual is mostAlike for a number below a bound, of which each is explored: as many draws as fit into a step, which ends with more than
// mostCombinations. `for rand.Intn(2) == 0 { level++ }` ends at level 7. Draws at other places in the code do not count, as such code draws a few
// numbers that may be equal.
func mostEqual(bound int) (times int) {
	for all := bound; all < mostCombinations; all *= bound {
		times++
	}
	return max(times, mostAlike)
}

// repeated is the last random number below a bound, the call that drew it, and how often it did in a row in the running step.
type repeated struct {
	bound, number, times int
	code                 *ir.Func
	pc                   int32
}

// chooseNumber is a random number below a bound.
func chooseNumber(c *call) control {
	now := repeated{bound: int(int64(c.args[0]))}
	for i := len(c.t.Frames) - 1; i >= 0 && now.code == nil; i-- {
		if f := &c.t.Frames[i]; !f.Code.Func.Model {
			now.code, now.pc = f.Code.Func, f.PC
		}
	}
	c.out[0] = uint64(c.m.chooseUnlike(now))
	return ctlNext
}

// chooseUnlike draws a number as now says, and not the last one if that was drawn too often.
func (m *Machine) chooseUnlike(now repeated) int {
	if last := m.lastBelow; last.bound == now.bound && last.code == now.code && last.pc == now.pc {
		now = last
	}
	k := 0
	if now.times < mostEqual(now.bound) {
		k = m.choose(now.bound)
	} else {
		m.img.Prog.Notes.Add(equalNote)
		if k = m.choose(now.bound - 1); k >= now.number {
			k++
		}
	}
	if k != now.number {
		now.number, now.times = k, 0
	}
	now.times++
	m.lastBelow = now
	return k
}

func swapsElements(c *call, dst []access) []access {
	t, s := c.m.Dynamic(c.args[0]).Elem, c.m.IfaceValue(c.args)
	for _, i := range c.args[2:4] {
		if i < s[1] {
			dst = writes(dst, s[0]+i*uint64(t.Size), t.Size)
		}
	}
	return dst
}

// sliceSwap swaps two elements of the slice in an interface.
func sliceSwap(c *call) control {
	t, s := c.m.Dynamic(c.args[0]).Elem, c.m.IfaceValue(c.args)
	i, j, n := c.args[2], c.args[3], s[1]
	switch {
	case i >= n:
		return c.m.throwBounds(c.t, outOfRange(i, n, false))
	case j >= n:
		return c.m.throwBounds(c.t, outOfRange(j, n, false))
	case t.Size == 0:
		return ctlNext
	}
	p, q := s[0]+i*uint64(t.Size), s[0]+j*uint64(t.Size)
	x, y := slices.Clone(c.m.Words(p, t.Size)), slices.Clone(c.m.Words(q, t.Size))
	c.m.Write(p, y, c.m.img.Types[t.ID])
	c.m.Write(q, x, c.m.img.Types[t.ID])
	return ctlNext
}

// yield does nothing, visibly: the other threads may go first.
func yield(c *call) control {
	if c.m.Tracking {
		return ctlNext
	}
	c.t.Top().PC++ // the turn ends
	return ctlDone
}

// overName ends the program like a return from main.
const overName = "pangolin/prelude.over"

func over(c *call) control {
	c.m.End = state.End{Kind: state.Exited}
	return ctlDone
}

func exit(c *call) control {
	c.m.End = state.End{Kind: state.Exited, Code: int(int64(c.args[0])) & 0xff}
	return ctlDone
}

// printOp executes the built-in functions print and println, which write to
// standard error.
func (m *Machine) printOp(t *state.Thread, in *ir.Instr, regs []uint64) control {
	if !m.gate(true) {
		return ctlStop
	}
	text := ""
	for i, a := range m.img.Prog.Lists[in.X] {
		if in.Ok && i > 0 {
			text += " "
		}
		w := state.Operands(regs, m.img.Prog.Consts, a.Reg, a.Type.Size)
		m.LooksAtAll(w)
		if a.Type.IsInterface() {
			m.LooksAtIface(w)
		}
		text += format.Print(m.printed(), a.Type, w)
	}
	if in.Ok {
		text += "\n"
	}
	m.Print(2, text)
	return ctlNext
}
