// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"fmt"

	"pangolin/internal/ir"
)

// Threads: goroutines, and the threads of clients. Only live registers are part of a state, so
// states that differ in values that nobody will read are equal.

// Thread is a goroutine: a stack of frames over one array of registers.
type Thread struct {
	Frames   []Frame
	Regs     []uint64
	id       int      // counts threads in the order of their creation
	Panics   uint64   // pointer to the record of the panic in progress; 0: none
	Held     []uint64 // the locks that it holds, see locks.go; in no order
	Phase    phase    // how far it is in the blocking instruction at which it is
	Tag      uint64   // the engine's mark of the thread
	View     uint64   // the engine's sort key for threads; not part of the state
	Panicked uint64   // a String word: the panic that ended its last call, for a thread that stays
	Keep     bool     // it stays when it has nothing to execute
	Knows    bool     // it knows of the tracked access, see tracked.go
	// anonymous: nothing held its number when the state was loaded, so it was given another one;
	// see numbers.go.
	anonymous bool
	Ticket    uint64 // see lounge
	Asleep    bool   // only a partner or a close can make it go on; see lounge
	// Results are the results of the bottom function after its return; valid until the thread's
	// next call.
	Results []uint64
}

// phase is how far a thread is in an instruction that takes several steps.
type phase uint8

const (
	PhaseNone      phase = iota // at the beginning
	PhaseParked                 // waiting for a partner on an unbuffered channel
	PhaseAnnounced              // a writer that has announced itself to readers
	PhaseSpinning               // in an endless loop without a visible access; its steps do nothing
)

// Frame is a call in progress.
type Frame struct {
	Code  *Code
	PC    int32
	Base  int32
	Flags FrameFlags
}

// FrameFlags are what is remembered of a call besides its place and registers.
type FrameFlags uint8

const (
	FrameBottom     FrameFlags = 1 << iota // its results are the thread's results
	FrameDeferred                          // a deferred call, made because the caller returns
	FrameUnwinding                         // a deferred call, made because the thread panics
	FrameRecovered                         // continues at Recover after its deferred calls
	FrameStart                             // entered, but a package initialiser runs first, on top of it
	FrameDescribing                        // Error or String, called for the text of a panic
)

// NewThread adds an idle thread behind the others.
func (m *State) NewThread() *Thread {
	var t *Thread
	if n := len(m.Spare); n > 0 {
		t = m.Spare[n-1]
		m.Spare = m.Spare[:n-1]
		t.reset()
	} else {
		t = &Thread{}
	}
	t.id = m.nextID
	m.nextID++
	m.created++
	m.Thread = append(m.Thread, t)
	m.Places = append(m.Places, m.nextPlace)
	m.nextPlace++
	return t
}

// reset makes a retired thread a new one that keeps its buffers. It sets single fields: assigning a
// new struct would write pointers, which costs the garbage collector time, for each thread of each
// state that is loaded.
func (t *Thread) reset() {
	t.Frames, t.Regs = t.Frames[:0], t.Regs[:0]
	t.Held, t.Results = t.Held[:0], t.Results[:0]
	t.id, t.Panics, t.Tag, t.View, t.Panicked, t.Ticket = 0, 0, 0, 0, 0, 0
	t.Phase, t.Keep, t.Knows, t.Asleep, t.anonymous = PhaseNone, false, false, false, false
}

// RetireThreads drops the threads from index i on.
func (m *State) RetireThreads(i int) {
	m.Spare = append(m.Spare, m.Thread[i:]...)
	m.Thread, m.Places, m.nextPlace = m.Thread[:i], m.Places[:i], i
	m.settled, m.vacant = i, 0
}

// Push enters a function: args become its first registers.
func (m *State) Push(t *Thread, c *Code, args []uint64, flags FrameFlags) {
	if len(t.Frames) >= m.Limits.Frames {
		m.Fail(FaultStack, fmt.Sprintf("recursion without end: more than %d calls in progress", m.Limits.Frames))
		return
	}
	base := len(t.Regs)
	if n := len(t.Frames); n > 0 {
		top := &t.Frames[n-1]
		base = int(top.Base) + top.Code.Func.NumRegs
	}
	t.setSize(base + c.Func.NumRegs)
	if c.zero {
		clear(t.Regs[base : base+c.Func.NumRegs])
	}
	copy(t.Regs[base:], args)
	c.entered()
	t.Frames = append(t.Frames, Frame{Code: c, Base: int32(base), Flags: flags})
}

// setSize gives the thread n registers; the contents of new ones are arbitrary.
func (t *Thread) setSize(n int) {
	if n <= cap(t.Regs) {
		t.Regs = t.Regs[:n]
		return
	}
	bigger := make([]uint64, n, 2*n+32)
	copy(bigger, t.Regs)
	t.Regs = bigger
}

// Top is the innermost call in progress. The thread must not be idle.
func (t *Thread) Top() *Frame { return &t.Frames[len(t.Frames)-1] }

// Idle reports whether the thread has nothing to execute.
func (t *Thread) Idle() bool { return len(t.Frames) == 0 }

// Midway reports whether the thread has begun the instruction at which it is and not completed it:
// it is parked, has announced itself as a writer, or goes round a loop for ever.
func (t *Thread) Midway() bool { return t.Phase != PhaseNone }

// Instr is the instruction at which the thread is.
func (t *Thread) Instr() *ir.Instr {
	f := t.Top()
	return &f.Code.Instrs[f.PC]
}

// Registers returns the registers of the running function.
func (t *Thread) Registers() []uint64 { return t.Regs[t.Top().Base:] }

// Operand returns the word of an operand.
func Operand(regs, consts []uint64, r ir.Reg) uint64 {
	if r >= 0 {
		return regs[r]
	}
	return consts[^r]
}

// Operands returns the words of an operand of n words; one of no words may have no register.
func Operands(regs, consts []uint64, r ir.Reg, n int) []uint64 {
	switch {
	case n == 0:
		return nil
	case r >= 0:
		return regs[r : int(r)+n]
	}
	return consts[^r : int(^r)+n]
}

// Result returns the n registers for a result. One of no words, or that nobody uses, may have none.
func Result(regs []uint64, r ir.Reg, n int) []uint64 {
	if n == 0 || r == ir.NoReg {
		return nil
	}
	return regs[r : int(r)+n]
}

// Created is the number of threads created so far; only differences matter.
func (m *State) Created() int { return m.created }

// Survivors returns, by thread, its place when the state was loaded, with threads created since at
// the end. A place without a thread has -1.
func (m *State) Survivors() []int { return m.Places }

// threadReferences appends the objects that a thread refers to; 0 stands for none.
func (m *State) threadReferences(dst []uint32, t *Thread) []uint32 {
	if t.Panics != 0 {
		dst = append(dst, uint32(t.Panics>>32))
	}
	for i := range t.Frames {
		f := &t.Frames[i]
		regs := t.Regs[f.Base:]
		for _, l := range m.LiveIn(f, i == len(t.Frames)-1) {
			if l.Kind != ir.Scalar && l.Kind != ir.String && l.Kind != ir.IfaceType {
				dst = append(dst, uint32(m.Reference(regs, int(l.Reg), l.Kind)))
			}
		}
	}
	return dst
}
