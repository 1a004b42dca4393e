package vm

import (
	"pangolin/internal/ir"
)

// A panic in progress is a record: the panic that was in progress when it began,
// the value (two words), its state bits, and where it was raised.
const (
	panicPrev  = 0
	panicValue = 1
	panicState = 3
	panicPos   = 4
)

// Bits of a panic's state.
const (
	panicRecovered uint64 = 1 << iota
	panicAborted          // a later panic left the deferred call that ran for it
	panicExit             // runtime.Goexit: runs deferred calls like a panic, cannot be recovered
	panicFatal            // a fatal error: runs nothing; the value is its message
	panicDescribed        // its value needs no more describing, see panictext.go
	panicAsking           // the method that describes its value is running
	panicRepeated         // the next panic has the same value
)

// throw starts a panic with an interface value.
func (m *Machine) throw(t *thread, typ, data uint64, state uint64) control {
	m.newPanic(t, typ, data, state)
	return m.unwind(t)
}

// newPanic makes the record of a panic that begins where the thread stands.
func (m *Machine) newPanic(t *thread, typ, data uint64, state uint64) {
	id := m.alloc(m.img.own.panic, 1)
	top := t.top()
	w := m.at(pointer(id, 0), 5)
	w[panicPrev] = t.panics
	w[panicValue], w[panicValue+1] = typ, data
	w[panicState] = state
	w[panicPos] = uint64(top.code.fn.ID)<<32 | uint64(top.pc)
	m.keepTrace(t, pointer(id, 0))
	t.panics = pointer(id, 0)
}

// throwError raises one of the runtime's own errors; the message is without its
// "runtime error: " prefix.
func (m *Machine) throwError(t *thread, message string) control {
	typ := m.img.Prog.RuntimeError
	if typ == nil {
		typ = m.img.own.str
	}
	return m.throw(t, ir.TypeWord(typ), m.img.Strings.Word(message), 0)
}

const nilMessage = "invalid memory address or nil pointer dereference"

// fatal ends the program with an error that cannot be recovered.
func (m *Machine) fatal(t *thread, message string) control {
	m.newPanic(t, ir.TypeWord(m.img.own.str), m.img.Strings.Word("fatal error: "+message), panicFatal)
	t.frames, t.regs = t.frames[:0], t.regs[:0]
	return m.crashInTurn(t)
}

// unwind runs the next deferred call of a panicking thread, or drops frames until
// there is one.
func (m *Machine) unwind(t *thread) control {
	for len(t.frames) > 0 {
		f := t.top()
		if m.startDeferred(t, f, frameUnwinding) {
			return ctlReload
		}
		if m.fault != nil {
			return ctlStop
		}
		if f.flags&frameUnwinding != 0 {
			m.abortPrevious(t)
		}
		m.pop(t)
	}
	return m.crashInTurn(t)
}

// crashInTurn ends a thread that has nothing left to unwind. If that ends the
// program, and so what others might still do, it is a visible step of its own.
func (m *Machine) crashInTurn(t *thread) control {
	if !m.program || m.alive() == 1 || m.at(t.panics, 5)[panicState]&panicExit != 0 {
		return m.crash(t)
	}
	m.push(t, m.img.crash, nil, frameBottom)
	return ctlReload
}

// crashName names the function in which threads stand that are about to end the
// program.
const crashName = "pangolin/vm.crash"

// crashCode is that function.
func (img *Image) crashCode() *code {
	f := &ir.Func{ID: len(img.codes), Name: crashName, Short: "panic", External: true, Model: true}
	return prepare(img.Prog, f)
}

// abortPrevious marks the newest panic, before the current one, that is neither
// aborted nor recovered: the deferred call that ran for it has been left.
func (m *Machine) abortPrevious(t *thread) {
	for p := m.at(t.panics, 5)[panicPrev]; p != 0; p = m.at(p, 5)[panicPrev] {
		if w := m.at(p, 5); w[panicState]&panicAborted == 0 {
			w[panicState] |= panicAborted
			return
		}
	}
}

func (m *Machine) pop(t *thread) {
	f := t.top()
	t.regs = t.regs[:f.base]
	t.frames = t.frames[:len(t.frames)-1]
}

// crash ends the program, or the thread if it only exits.
func (m *Machine) crash(t *thread) control {
	w := m.at(t.panics, 5)
	pos := w[panicPos]
	exit := w[panicState]&panicExit != 0
	if exit {
		t.panics = 0
		t.results = t.results[:0]
		return ctlDone
	}
	if w[panicState]&panicFatal != 0 {
		m.end = End{Kind: Fatal, Text: w[panicValue+1], Code: 2, Pos: pos}
		return ctlDone
	}
	if p := m.asking(t); p != 0 && p != t.panics {
		m.end = End{Kind: Fatal, Text: m.img.Strings.Word(m.failedDescription(w)), Code: 2, Pos: pos}
		return ctlDone
	}
	if m.describeNext(t) {
		return ctlReload
	}
	text := m.panicText(t.panics)
	if t.keep && !m.program {
		t.panics, t.panicked = 0, m.img.Strings.Word(text)
		return ctlDone
	}
	m.end = End{Kind: Panicked, Text: m.img.Strings.Word(text), Code: 2, Pos: pos}
	return ctlDone
}

// startDeferred takes the newest deferred call off a frame's list and enters it.
func (m *Machine) startDeferred(t *thread, f *frame, flags frameFlags) bool {
	r := f.code.fn.DeferReg
	if r == ir.NoReg {
		return false
	}
	cell := t.regs[int(f.base)+int(r)]
	if cell == 0 {
		return false
	}
	head := m.at(cell, 1)
	rec := head[0]
	if rec == 0 {
		return false
	}
	o := &m.objs[rec>>32]
	words := append(m.words[:0], m.mem[o.at:o.at+o.words()]...)
	m.words = words
	head[0] = words[0]
	call := m.img.Prog.Calls[words[1]]
	fn, args := m.callee(call, words[2:2+call.FnWords()], words[2+call.FnWords():])
	if fn == nil { // a nil function: the deferred call itself panics
		m.throwNested(t)
		return m.fault == nil && m.end.Kind == Running && len(t.frames) > 0
	}
	m.push(t, fn, args, flags)
	return m.fault == nil
}

// throwNested raises a nil dereference in place of a deferred call of a nil
// function.
func (m *Machine) throwNested(t *thread) { m.throwError(t, nilMessage) }

// continueDeferred runs the rest of the deferred calls of a frame whose panic was
// recovered, then lets the function return.
func (m *Machine) continueDeferred(t *thread) control {
	f := t.top()
	if m.startDeferred(t, f, frameDeferred) {
		return ctlReload
	}
	f.flags &^= frameRecovered
	if f.code.fn.Recover >= 0 {
		f.pc = int32(f.code.fn.Recover)
		return ctlReload
	}
	m.args = append(m.args[:0], make([]uint64, f.code.results)...)
	return m.leave(t, m.args)
}

// afterUnwinding goes on when a deferred call that ran for a panic has returned.
func (m *Machine) afterUnwinding(t *thread) control {
	w := m.at(t.panics, 5)
	if w[panicState]&panicRecovered == 0 {
		return m.unwind(t)
	}
	t.panics = w[panicPrev]
	for t.panics != 0 && m.at(t.panics, 5)[panicState]&panicAborted != 0 {
		t.panics = m.at(t.panics, 5)[panicPrev]
	}
	t.top().flags |= frameRecovered
	return m.continueDeferred(t)
}

// recoverable says whether a recover in the running function stops the current
// panic: the function must have been called by the unwinding itself, directly or
// through wrappers.
//
// A deferred call of recover itself (forCaller) counts as a call by the function
// that returns, and as none if it is the unwinding that runs it.
func (m *Machine) recoverable(t *thread, forCaller bool) bool {
	if t.panics == 0 || m.at(t.panics, 5)[panicState]&(panicRecovered|panicExit) != 0 {
		return false
	}
	first := len(t.frames) - 1
	if forCaller {
		if t.frames[first].flags&frameDeferred == 0 {
			return false
		}
		first--
	}
	for i := first; i >= 0; i-- {
		f := &t.frames[i]
		if f.flags&frameUnwinding != 0 {
			return true
		}
		if f.flags&(frameDeferred|frameBottom|frameDescribing) != 0 || i == 0 || !t.frames[i-1].code.fn.Wrapper {
			return false
		}
	}
	return false
}
