package vm

import (
	"fmt"

	"pangolin/internal/ir"
)

// callee resolves a call from the words of its callee and arguments, and returns
// the registers to enter the function with: receiver, parameters, free variables.
// The result is nil if the function value or interface is nil.
func (m *Machine) callee(c *ir.Call, fn, args []uint64) (*code, []uint64) {
	switch c.Kind {
	case ir.CallStatic:
		return m.img.codes[c.Func.ID], args
	case ir.CallMethod:
		if fn[0] == 0 {
			return nil, nil
		}
		t := m.img.types[fn[0]&^ir.TypeTag].typ
		f := t.Methods[c.Method]
		if f == nil {
			panic("vm: method " + c.Method + " of " + t.Name + " was not compiled")
		}
		m.args = append(append(m.args[:0], m.ifaceValue(fn)...), args...)
		return m.img.codes[f.ID], m.args
	}
	return m.closure(fn[0], args)
}

// closure resolves a function value.
func (m *Machine) closure(w uint64, args []uint64) (*code, []uint64) {
	switch {
	case w == 0:
		return nil, nil
	case w&ir.FuncTag != 0:
		return m.img.codes[w&^ir.FuncTag], args
	}
	o := &m.objs[w>>32]
	words := m.mem[o.at : o.at+o.words()]
	m.args = append(append(m.args[:0], args...), words[1:]...)
	return m.img.codes[words[0]&^ir.FuncTag], m.args
}

// arguments collects the words of a call's callee and arguments into scratch.
func (m *Machine) arguments(c *ir.Call, regs []uint64) (fn, args []uint64) {
	consts := m.img.Prog.Consts
	m.words = m.words[:0]
	if n := c.FnWords(); n > 0 {
		m.words = append(m.words, values(regs, consts, c.Fn, n)...)
	}
	m.words = m.appendArgs(m.words, c.Args, regs)
	return m.words[:c.FnWords()], m.words[c.FnWords():]
}

func (m *Machine) appendArgs(dst []uint64, args []ir.Arg, regs []uint64) []uint64 {
	consts := m.img.Prog.Consts
	for _, a := range args {
		if a.Type.Size > 0 {
			dst = append(dst, values(regs, consts, a.Reg, a.Type.Size)...)
		}
	}
	return dst
}

// call executes OpCall. In the body of an external function (X < 0) it calls the
// function's built-in meaning with the function's own registers.
func (m *Machine) call(t *thread, in *ir.Instr, regs []uint64) control {
	if in.X < 0 {
		return m.callBuiltin(t, t.top().code.target, regs[:in.N], int(in.Dst))
	}
	c := m.img.Prog.Calls[in.X]
	fn, args := m.arguments(c, regs)
	if c.Kind == ir.CallStatic && c.Func.External {
		return m.callBuiltin(t, m.img.codes[c.Func.ID].target, args, int(in.Dst))
	}
	to, args := m.callee(c, fn, args)
	if to == nil {
		return m.throwError(t, nilMessage)
	}
	m.push(t, to, args, 0)
	return ctlReload
}

// returnOp leaves the running function. Where that ends the program, and so what
// others might still do, it is a visible access.
func (m *Machine) returnOp(t *thread, in *ir.Instr, regs []uint64) control {
	if len(t.frames) == 1 && m.program && t == m.threads[0] && !m.gate(m.alive() > 1) {
		return ctlStop
	}
	if in.X < 0 {
		m.args = append(m.args[:0], regs[in.A:int(in.A)+int(in.N)]...)
	} else {
		m.args = m.appendArgs(m.args[:0], m.img.Prog.Lists[in.X], regs)
	}
	return m.leave(t, m.args)
}

// leave pops the running function, hands its results over and lets the caller go
// on.
func (m *Machine) leave(t *thread, results []uint64) control {
	flags := t.top().flags
	m.pop(t)
	switch {
	case flags&frameUnwinding != 0:
		return m.afterUnwinding(t)
	case flags&frameDeferred != 0:
		if t.top().flags&frameRecovered != 0 {
			return m.continueDeferred(t)
		}
		return ctlReload // executes OpRunDefers again
	case flags&frameDescribing != 0:
		return m.described(t, results[0])
	case flags&frameBottom != 0:
		t.results = append(t.results[:0], results...)
		return m.threadEnded(t)
	}
	f := t.top()
	if f.flags&frameStart != 0 {
		f.flags &^= frameStart
		return ctlReload
	}
	in := &f.code.instrs[f.pc]
	if in.Dst != ir.NoReg {
		copy(t.regs[int(f.base)+int(in.Dst):], results)
	}
	f.pc++
	return ctlReload
}

// threadEnded is called when a thread has returned from its last function.
func (m *Machine) threadEnded(t *thread) control {
	if m.program && t == m.threads[0] {
		m.end = End{Kind: Exited}
	}
	return ctlDone
}

// spawn executes OpGo.
func (m *Machine) spawn(t *thread, in *ir.Instr, regs []uint64) control {
	c := m.img.Prog.Calls[in.X]
	fn, args := m.arguments(c, regs)
	to, args := m.callee(c, fn, args)
	if to == nil {
		return m.fatal(t, "go of nil func value")
	}
	if m.alive() >= m.limits.threads {
		m.fail(FaultMemory, fmt.Sprintf("goroutines without end: more than %d exist at a time", m.limits.threads))
		return ctlStop
	}
	u := m.newThread()
	m.push(u, to, args, frameBottom)
	if m.tracking {
		m.publishFrame(u)
	}
	m.woken = append(m.woken, u)
	return ctlNext
}

// publishFrame makes what a new thread's arguments refer to shared.
func (m *Machine) publishFrame(u *thread) {
	f := u.top()
	regs := u.registers()
	for _, l := range f.code.before(m.img.Prog, int(f.pc)) {
		if ref := m.reference(regs, int(l.reg), l.kind); ref != 0 {
			m.publish(ref)
		}
	}
}

// deferCall executes OpDefer: it puts a record at the head of a defer list.
func (m *Machine) deferCall(t *thread, in *ir.Instr, regs []uint64) control {
	c := m.img.Prog.Calls[in.X]
	var cell uint64
	if in.A != ir.NoReg {
		cell = value(regs, m.img.Prog.Consts, in.A)
	} else {
		cell = m.deferList(t)
	}
	id := m.alloc(c.Record, 1)
	fn, args := m.arguments(c, regs)
	w := m.at(pointer(id, 0), c.Record.Size)
	w[0], w[1] = m.at(cell, 1)[0], uint64(c.ID)
	copy(w[2:], fn)
	copy(w[2+len(fn):], args)
	m.at(cell, 1)[0] = pointer(id, 0)
	return ctlNext
}

// deferList returns the running function's defer list, made when it is first
// needed.
func (m *Machine) deferList(t *thread) uint64 {
	f := t.top()
	r := int(f.base) + int(f.code.fn.DeferReg)
	if t.regs[r] == 0 {
		t.regs[r] = pointer(m.alloc(m.img.own.cell, 1), 0)
	}
	return t.regs[r]
}

// runDefers enters the next deferred call; OpRunDefers is executed again when it
// returns.
func (m *Machine) runDefers(t *thread) control {
	depth := len(t.frames)
	if m.startDeferred(t, t.top(), frameDeferred) {
		return ctlReload
	}
	if m.fault != nil || m.end.Kind != Running || len(t.frames) != depth {
		return ctlStop
	}
	return ctlNext
}

func (m *Machine) panicOp(t *thread, in *ir.Instr, regs []uint64) control {
	w := values(regs, m.img.Prog.Consts, in.A, ir.IfaceWords)
	m.inspectIface(w) // the text of the panic shows it
	if w[0] == 0 {
		return m.throwPlain(t, "panic called with nil argument")
	}
	return m.throw(t, w[0], w[1], 0)
}

func (m *Machine) recoverOp(t *thread, in *ir.Instr, regs []uint64) {
	dst := result(regs, in.Dst, ir.IfaceWords)
	if dst == nil {
		dst = m.zeroed(ir.IfaceWords) // nobody takes the result
	}
	dst[0], dst[1] = 0, 0
	if !m.recoverable(t, in.Ok) {
		return
	}
	w := m.at(t.panics, 5)
	w[panicState] |= panicRecovered
	dst[0], dst[1] = w[panicValue], w[panicValue+1]
}

// makeClosure executes OpMakeClosure.
func (m *Machine) makeClosure(in *ir.Instr, regs []uint64) control {
	list := m.img.Prog.Lists[in.X]
	if len(list) == 0 {
		regs[in.Dst] = ir.FuncTag | uint64(in.N)
		return ctlNext
	}
	id := m.alloc(in.T, 1)
	w := m.appendArgs(append(m.words[:0], ir.FuncTag|uint64(in.N)), list, regs)
	m.words = w
	copy(m.at(pointer(id, 0), in.T.Size), w)
	regs[in.Dst] = pointer(id, 0)
	return ctlNext
}
