// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Calls and returns. The frames of a thread share one file of registers: a frame begins at
// Base, and what lies behind the top frame's registers is free. So entering a function is
// to copy its arguments there, and leaving it to cut them off.
//
// A function returns to one of many: to who called it, to the deferred calls of a function
// that ends, to a panic that unwinds, to the end of the thread. Which one is said by the
// flags of its frame, not by who stands below it, because a state can be saved between any
// two instructions and holds nothing of the machine's own stack.

// callee resolves a call from the words of its callee and arguments, and returns
// the registers to enter the function with: receiver, parameters, free variables.
// The result is nil if the function value or interface is nil.
func (m *Machine) callee(c *ir.Call, fn, args []uint64) (*state.Code, []uint64) {
	switch c.Kind {
	case ir.CallStatic:
		return m.img.Codes[c.Func.ID], args
	case ir.CallMethod:
		if fn[0] == 0 {
			return nil, nil
		}
		t := m.img.Types[fn[0]&^ir.TypeTag].Type
		f := t.Methods[c.Method]
		if f == nil {
			panic("vm: method " + c.Method + " of " + t.Name + " was not compiled")
		}
		m.args = append(append(m.args[:0], m.IfaceValue(fn)...), args...)
		return m.img.Codes[f.ID], m.args
	}
	return m.closure(fn[0], args)
}

// closure resolves a function value.
func (m *Machine) closure(w uint64, args []uint64) (*state.Code, []uint64) {
	switch {
	case w == 0:
		return nil, nil
	case w&ir.FuncTag != 0:
		return m.img.Codes[w&^ir.FuncTag], args
	}
	o := &m.Objs[w>>32]
	words := m.Mem[o.At : o.At+o.Words()]
	// The free variables are words of the closure's object and become registers, behind the parameters. That the
	// object is read is no access: nothing writes it once it has been made.
	m.args = append(append(m.args[:0], args...), words[1:]...)
	return m.img.Codes[words[0]&^ir.FuncTag], m.args
}

// arguments collects the words of a call's callee and arguments into scratch.
func (m *Machine) arguments(c *ir.Call, regs []uint64) (fn, args []uint64) {
	consts := m.img.Prog.Consts
	m.words = m.words[:0]
	if n := c.FnWords(); n > 0 {
		m.words = append(m.words, state.Operands(regs, consts, c.Fn, n)...)
	}
	m.words = m.appendArgs(m.words, c.Args, regs)
	return m.words[:c.FnWords()], m.words[c.FnWords():]
}

func (m *Machine) appendArgs(dst []uint64, args []ir.Arg, regs []uint64) []uint64 {
	consts := m.img.Prog.Consts
	for _, a := range args {
		if a.Type.Size > 0 {
			dst = append(dst, state.Operands(regs, consts, a.Reg, a.Type.Size)...)
		}
	}
	return dst
}

// call executes OpCall. In the body of an external function (X < 0) it calls the
// function's built-in meaning with the function's own registers.
func (m *Machine) call(t *state.Thread, in *ir.Instr, regs []uint64) control {
	m.silent = false
	if in.X < 0 {
		return m.callBuiltin(t, t.Top().Code.Target, regs[:in.N], int(in.Dst))
	}
	c := m.img.Prog.Calls[in.X]
	fn, args := m.arguments(c, regs)
	if c.Kind == ir.CallStatic && c.Func.External {
		return m.callBuiltin(t, m.img.Codes[c.Func.ID].Target, args, int(in.Dst))
	}
	to, args := m.callee(c, fn, args)
	if to == nil {
		return m.throwError(t, nilMessage)
	}
	m.Push(t, to, args, 0)
	return ctlReload
}

// returnOp leaves the running function. Where that ends the program, and so what
// others might still do, it is a visible access; and where it ends a goroutine, if goroutines are counted.
func (m *Machine) returnOp(t *state.Thread, in *ir.Instr, regs []uint64) control {
	if ends := len(t.Frames) == 1; ends && (m.WholeProgram && t == m.Thread[0] || m.img.counts && !t.Keep) && !m.gate(m.Alive() > 1) {
		return ctlStop
	}
	if in.X < 0 {
		m.args = append(m.args[:0], regs[in.A:int(in.A)+int(in.N)]...)
	} else {
		m.args = m.appendArgs(m.args[:0], m.img.Prog.Lists[in.X], regs)
	}
	return m.leave(t, m.args)
}

// giveAway notes that an operation's caller has got its results: strings in them are in use for ever.
func (m *Machine) giveAway(types []*ir.Type, results []uint64) {
	for _, t := range types {
		for i, kind := range t.Layout() {
			if kind == ir.String {
				m.GiveAway(results[i])
			}
			if d := m.dynamicText(results[:t.Size], i, kind); d != 0 {
				m.GiveAway(d)
			}
		}
		results = results[t.Size:]
	}
}

// dynamicText is the string that an interface holds, if word i is its data.
func (m *Machine) dynamicText(words []uint64, i int, kind ir.Kind) uint64 {
	if kind != ir.IfaceData {
		return 0
	}
	if t := m.Dynamic(words[i-1]); t == nil || t.Class != ir.StringClass {
		return 0
	}
	return words[i]
}

// leave pops the running function, hands its results over and lets the caller go
// on.
func (m *Machine) leave(t *state.Thread, results []uint64) control {
	flags := t.Top().Flags
	if m.Lends() && len(t.Frames) > 1 && t.Frames[len(t.Frames)-2].Code.Func.Harness {
		m.giveAway(t.Top().Code.Func.Results, results)
	}
	m.pop(t)
	switch {
	// Of what a frame can be, the exceptions come first: a deferred call that runs while a panic unwinds goes back to the panic,
	// not to the function below it, whose program counter still stands where the panic began.
	case flags&state.FrameUnwinding != 0:
		return m.afterUnwinding(t)
	case flags&state.FrameDeferred != 0:
		if t.Top().Flags&state.FrameRecovered != 0 {
			return m.continueDeferred(t)
		}
		return ctlReload // executes OpRunDefers again
	case flags&state.FrameDescribing != 0:
		return m.described(t, results[0])
	case flags&state.FrameBottom != 0:
		t.Results = append(t.Results[:0], results...)
		return m.threadEnded(t)
	}
	f := t.Top()
	// What has returned is a package initialiser that ran on top of an entry function: that has not executed an
	// instruction yet, and gets no results.
	if f.Flags&state.FrameStart != 0 {
		f.Flags &^= state.FrameStart
		return ctlReload
	}
	in := &f.Code.Instrs[f.PC]
	if in.Dst != ir.NoReg {
		copy(t.Regs[int(f.Base)+int(in.Dst):], results)
	}
	f.PC++
	return ctlReload
}

// threadEnded is called when a thread has returned from its last function.
func (m *Machine) threadEnded(t *state.Thread) control {
	if m.WholeProgram && t == m.Thread[0] {
		m.End = End{Kind: Exited}
	}
	return ctlDone
}

// spawn executes OpGo.
func (m *Machine) spawn(t *state.Thread, in *ir.Instr, regs []uint64) control {
	if m.Ghost {
		return m.ghostFails("starts a goroutine")
	}
	c := m.img.Prog.Calls[in.X]
	fn, args := m.arguments(c, regs)
	to, args := m.callee(c, fn, args)
	if to == nil {
		return m.fatal(t, "go of nil func value")
	}
	if m.Alive() >= m.Limits.Goroutines {
		m.Fail(FaultMemory, fmt.Sprintf("too many goroutines: more than %d exist at a time", m.Limits.Goroutines))
		return ctlStop
	}
	if m.img.counts && !m.gate(true) {
		return ctlStop
	}
	// How many threads there are is part of what others see, and the new one belongs to nobody's heap or part: such a
	// step is not remembered.
	m.Peered = true
	u := m.NewThread()
	m.Push(u, to, args, state.FrameBottom)
	if m.Tracking {
		m.publishFrame(u)
	}
	m.woken = append(m.woken, u)
	m.noteWith(Started, t, u)
	return ctlNext
}

// publishFrame makes what a new thread's arguments refer to shared.
func (m *Machine) publishFrame(u *state.Thread) {
	f := u.Top()
	regs := u.Registers()
	for _, l := range f.Code.Before(m.img.Prog, int(f.PC)) {
		if ref := m.Reference(regs, int(l.Reg), l.Kind); ref != 0 {
			m.Publish(ref)
		}
	}
}

// deferCall executes OpDefer: it puts a record at the head of a defer list.
func (m *Machine) deferCall(t *state.Thread, in *ir.Instr, regs []uint64) control {
	c := m.img.Prog.Calls[in.X]
	// A defer in the body of a range over a function belongs to the function around it: its list is in a cell that
	// the body gets as a variable.
	var cell uint64
	if in.A != ir.NoReg {
		cell = state.Operand(regs, m.img.Prog.Consts, in.A)
	} else {
		cell = m.deferList(t)
	}
	id := m.Alloc(c.Record, 1)
	fn, args := m.arguments(c, regs)
	w := m.Words(state.Pointer(id, 0), c.Record.Size)
	w[0], w[1] = m.Words(cell, 1)[0], uint64(c.ID)
	copy(w[2:], fn)
	copy(w[2+len(fn):], args)
	m.Words(cell, 1)[0] = state.Pointer(id, 0)
	return ctlNext
}

// deferList returns the running function's defer list, made when it is first
// needed.
func (m *Machine) deferList(t *state.Thread) uint64 {
	f := t.Top()
	r := int(f.Base) + int(f.Code.Func.DeferReg)
	if t.Regs[r] == 0 {
		t.Regs[r] = state.Pointer(m.Alloc(m.img.Own.Cell, 1), 0)
	}
	return t.Regs[r]
}

// runDefers enters the next deferred call; OpRunDefers is executed again when it
// returns.
func (m *Machine) runDefers(t *state.Thread) control {
	// The instruction stays where it is while a deferred call runs and is executed once for each of them. So how far
	// the list has been worked off is in the state, and needs no word of its own.
	depth := len(t.Frames)
	if m.startDeferred(t, t.Top(), state.FrameDeferred) {
		return ctlReload
	}
	if m.Failure != nil || m.End.Kind != Running || len(t.Frames) != depth {
		return ctlStop
	}
	return ctlNext
}

func (m *Machine) panicOp(t *state.Thread, in *ir.Instr, regs []uint64) control {
	w := state.Operands(regs, m.img.Prog.Consts, in.A, ir.IfaceWords)
	m.LooksAtIface(w) // the text of the panic shows it
	if w[0] == 0 {
		return m.throwOf(t, m.img.Prog.Errors.Nil, nilArgument)
	}
	return m.throw(t, w[0], w[1], 0)
}

func (m *Machine) recoverOp(t *state.Thread, in *ir.Instr, regs []uint64) {
	dst := state.Result(regs, in.Dst, ir.IfaceWords)
	if dst == nil {
		dst = m.zeroed(ir.IfaceWords) // nobody takes the result
	}
	dst[0], dst[1] = 0, 0
	if !m.recoverable(t, in.Ok) {
		return
	}
	w := m.Words(t.Panics, 5)
	w[panicState] |= panicRecovered
	dst[0], dst[1] = w[panicValue], w[panicValue+1]
}

// makeClosure executes OpMakeClosure.
func (m *Machine) makeClosure(in *ir.Instr, regs []uint64) control {
	list := m.img.Prog.Lists[in.X]
	// A function without free variables is a word, not an object: two closures of it would be equal anyway, and a
	// state has one object less.
	if len(list) == 0 {
		regs[in.Dst] = ir.FuncTag | uint64(in.N)
		return ctlNext
	}
	id := m.Alloc(in.T, 1)
	w := m.appendArgs(append(m.words[:0], ir.FuncTag|uint64(in.N)), list, regs)
	m.words = w
	copy(m.Words(state.Pointer(id, 0), in.T.Size), w)
	regs[in.Dst] = state.Pointer(id, 0)
	return ctlNext
}
