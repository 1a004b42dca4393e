// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Panics, deferred calls and recover. All of it is part of the state: panics in progress
// are objects in the program's memory, linked from the thread, so that a state can be saved
// while one unwinds. Deferred calls are ordinary calls of the thread, other threads move
// between their instructions.
//
// The rules are the runtime's, with what they say of aborted
// and recovered panics: which recover a deferred call sees, and what is printed when nobody
// recovers, is compared with real runs.

// A panic in progress is a record: the panic that was in progress when it began,
// the value (two words), its state bits, where it was raised, and the calls in progress there, if
// the program may ask for them.
const (
	panicPrev  = 0
	panicValue = 1
	panicState = 3
	panicPos   = 4
	panicTrace = 5
	panicWords = 6
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
func (m *Machine) throw(t *state.Thread, typ, data, bits uint64) control {
	if m.Ghost {
		return m.ghostFails("panics")
	}
	m.newPanic(t, typ, data, bits)
	return m.unwind(t)
}

// newPanic makes the record of a panic that begins where the thread stands.
func (m *Machine) newPanic(t *state.Thread, typ, data, bits uint64) {
	id := m.Alloc(m.img.Own.Panic, 1)
	at := m.raisedAt(t, typ, data)
	w := m.Words(state.Pointer(id, 0), 5)
	w[panicPrev] = t.Panics
	w[panicValue], w[panicValue+1] = typ, data
	w[panicState] = bits
	w[panicPos] = at
	m.keepTrace(t, state.Pointer(id, 0))
	if m.chronicle && !m.passesOn(t, typ, data) {
		m.raised = append(m.raised, raised{at, m.calls(t)})
	}
	t.Panics = state.Pointer(id, 0)
}

// raisedAt is where a panic with a value is raised. A model of a library function has no line
// that means something to anybody: the place is that of its call. A model that passes on a
// panic of what it has called, as WaitGroup.Go does, is not the place of that panic.
func (m *Machine) raisedAt(t *state.Thread, typ, data uint64) uint64 {
	if m.passesOn(t, typ, data) {
		return m.Words(t.Panics, 5)[panicPos]
	}
	at := t.Top()
	for i := len(t.Frames) - 1; i >= 0 && at.Code.Func.Model; i-- {
		at = &t.Frames[i]
	}
	return uint64(at.Code.Func.ID)<<32 | uint64(at.PC)
}

// passesOn says that a panic with a value is that of what a model has called.
func (m *Machine) passesOn(t *state.Thread, typ, data uint64) bool {
	if t.Panics == 0 || !t.Top().Code.Func.Model {
		return false
	}
	w := m.Words(t.Panics, 5)
	return w[panicValue] == typ && w[panicValue+1] == data
}

// throwError raises one of the runtime's own errors; the message is without its
// "runtime error: " prefix.
func (m *Machine) throwError(t *state.Thread, message string) control {
	return m.throwOf(t, m.img.Prog.Errors.Runtime, message)
}

// throwBounds is throwError for an index that is out of range.
func (m *Machine) throwBounds(t *state.Thread, message string) control {
	return m.throwOf(t, m.img.Prog.Errors.Bounds, message)
}

// throwPlain raises an error of the runtime whose text has no prefix.
func (m *Machine) throwPlain(t *state.Thread, message string) control {
	return m.throwOf(t, m.img.Prog.Errors.Plain, message)
}

// throwOf panics with a message as a value of one of the runtime's types.
func (m *Machine) throwOf(t *state.Thread, typ *ir.Type, message string) control {
	if typ == nil {
		typ = m.img.Own.Str
	}
	data := m.img.Strings.Word(message)
	if typ.Class == ir.PointerClass {
		text := data
		data = state.Pointer(m.Alloc(typ.Elem, 1), 0)
		if m.Failure != nil {
			return ctlStop
		}
		if typ.Elem.Size > assertionText {
			m.Words(data, typ.Elem.Size)[assertionText] = text
		}
	}
	return m.throw(t, ir.TypeWord(typ), data, 0)
}

// assertionText is the word of a runtime.TypeAssertionError that holds its message, see assertionState in the prelude.
const assertionText = 3

const nilArgument = "panic called with nil argument"

const nilMessage = "invalid memory address or nil pointer dereference"

// fatal ends the program with an error that cannot be recovered.
func (m *Machine) fatal(t *state.Thread, message string) control {
	m.newPanic(t, ir.TypeWord(m.img.Own.Str), m.img.Strings.Word("fatal error: "+message), panicFatal)
	t.Frames, t.Regs = t.Frames[:0], t.Regs[:0]
	return m.crashInTurn(t)
}

// unwind runs the next deferred call of a panicking thread, or drops frames until
// there is one.
func (m *Machine) unwind(t *state.Thread) control {
	for len(t.Frames) > 0 {
		f := t.Top()
		if m.startDeferred(t, f, state.FrameUnwinding) {
			return ctlReload
		}
		if m.Failure != nil {
			return ctlStop
		}
		if f.Flags&state.FrameUnwinding != 0 {
			m.abortPrevious(t)
		}
		m.pop(t)
	}
	return m.crashInTurn(t)
}

// crashInTurn ends a thread that has nothing left to unwind. If that ends the
// program, and so what others might still do, it is a visible step of its own.
func (m *Machine) crashInTurn(t *state.Thread) control {
	if !m.WholeProgram || m.Alive() == 1 || m.Words(t.Panics, 5)[panicState]&panicExit != 0 {
		return m.crash(t)
	}
	m.Push(t, m.img.crash, nil, state.FrameBottom)
	return ctlReload
}

// crashName names the function in which threads stand that are about to end the
// program.
const crashName = "pangolin/vm.crash"

// crashCode is that function.
func (img *Image) crashCode() *state.Code {
	f := &ir.Func{ID: len(img.Codes), Name: crashName, Short: "panic", External: true, Model: true}
	img.builtins = append(img.builtins, meaning(crashName))
	return img.AddCode(f)
}

// abortPrevious marks the newest panic, before the current one, that is neither
// aborted nor recovered: the deferred call that ran for it has been left.
func (m *Machine) abortPrevious(t *state.Thread) {
	for p := m.Words(t.Panics, 5)[panicPrev]; p != 0; p = m.Words(p, 5)[panicPrev] {
		if w := m.Words(p, 5); w[panicState]&panicAborted == 0 {
			w[panicState] |= panicAborted
			return
		}
	}
}

func (m *Machine) pop(t *state.Thread) {
	f := t.Top()
	t.Regs = t.Regs[:f.Base]
	t.Frames = t.Frames[:len(t.Frames)-1]
}

// crash ends the program, or the thread if it only exits.
func (m *Machine) crash(t *state.Thread) control {
	w := m.Words(t.Panics, 5)
	pos := w[panicPos]
	exit := w[panicState]&panicExit != 0
	if exit {
		t.Panics = 0
		t.Results = t.Results[:0]
		return ctlDone
	}
	if w[panicState]&panicFatal != 0 {
		m.End = state.End{Kind: Fatal, Text: w[panicValue+1], Code: 2, Pos: pos}
		return ctlDone
	}
	if p := m.asking(t); p != 0 && p != t.Panics {
		m.End = state.End{Kind: Fatal, Text: m.img.Strings.Word(m.failedDescription(w)), Code: 2, Pos: pos}
		return ctlDone
	}
	if m.describeNext(t) {
		return ctlReload
	}
	text := m.panicText(t.Panics)
	if t.Keep && !m.WholeProgram {
		t.Panics, t.Panicked = 0, m.img.Strings.Word(text)
		return ctlDone
	}
	m.End = state.End{Kind: Panicked, Text: m.img.Strings.Word(text), Code: 2, Pos: pos}
	return ctlDone
}

// startDeferred takes the newest deferred call off a frame's list and enters it.
func (m *Machine) startDeferred(t *state.Thread, f *state.Frame, flags state.FrameFlags) bool {
	r := f.Code.Func.DeferReg
	if r == ir.NoReg {
		return false
	}
	cell := t.Regs[int(f.Base)+int(r)]
	if cell == 0 {
		return false
	}
	head := m.Words(cell, 1)
	rec := head[0]
	if rec == 0 {
		return false
	}
	o := &m.Objs[rec>>32]
	words := append(m.words[:0], m.Mem[o.At:o.At+o.Words()]...)
	m.words = words
	head[0] = words[0]
	call := m.img.Prog.Calls[words[1]]
	fn, args := m.callee(call, words[2:2+call.FnWords()], words[2+call.FnWords():])
	if fn == nil { // a nil function: the deferred call itself panics
		m.throwNested(t)
		return m.Failure == nil && m.End.Kind == Running && len(t.Frames) > 0
	}
	m.Push(t, fn, args, flags)
	return m.Failure == nil
}

// throwNested raises a nil dereference in place of a deferred call of a nil
// function.
func (m *Machine) throwNested(t *state.Thread) { m.throwError(t, nilMessage) }

// continueDeferred runs the rest of the deferred calls of a frame whose panic was
// recovered, then lets the function return.
func (m *Machine) continueDeferred(t *state.Thread) control {
	f := t.Top()
	if m.startDeferred(t, f, state.FrameDeferred) {
		return ctlReload
	}
	f.Flags &^= state.FrameRecovered
	if f.Code.Func.Recover >= 0 {
		f.PC = int32(f.Code.Func.Recover)
		return ctlReload
	}
	m.args = append(m.args[:0], make([]uint64, f.Code.Results)...)
	return m.leave(t, m.args)
}

// afterUnwinding goes on when a deferred call that ran for a panic has returned.
func (m *Machine) afterUnwinding(t *state.Thread) control {
	w := m.Words(t.Panics, 5)
	if w[panicState]&panicRecovered == 0 {
		return m.unwind(t)
	}
	t.Panics = w[panicPrev]
	for t.Panics != 0 && m.Words(t.Panics, 5)[panicState]&panicAborted != 0 {
		t.Panics = m.Words(t.Panics, 5)[panicPrev]
	}
	t.Top().Flags |= state.FrameRecovered
	return m.continueDeferred(t)
}

// recoverable says whether a recover in the running function stops the current
// panic: the function must have been called by the unwinding itself, directly or
// through wrappers.
//
// A deferred call of recover itself (forCaller) counts as a call by the function
// that returns, and as none if it is the unwinding that runs it.
func (m *Machine) recoverable(t *state.Thread, forCaller bool) bool {
	if t.Panics == 0 || m.Words(t.Panics, 5)[panicState]&(panicRecovered|panicExit) != 0 {
		return false
	}
	first := len(t.Frames) - 1
	if forCaller {
		if t.Frames[first].Flags&state.FrameDeferred == 0 {
			return false
		}
		first--
	}
	for i := first; i >= 0; i-- {
		f := &t.Frames[i]
		if f.Flags&state.FrameUnwinding != 0 {
			return true
		}
		if f.Flags&(state.FrameDeferred|state.FrameBottom|state.FrameDescribing) != 0 || i == 0 || !t.Frames[i-1].Code.Func.Wrapper {
			return false
		}
	}
	return false
}
