package vm

import (
	"fmt"

	"pangolin/internal/ir"
)

// thread is a goroutine: a stack of frames over one array of registers.
type thread struct {
	frames   []frame
	regs     []uint64
	id       int      // in order of creation
	panics   uint64   // the panic in progress, a pointer to a record; 0 if none
	held     []uint64 // locks, see locks.go; in no particular order
	phase    phase    // where it is inside the blocking instruction it stands at
	tag      uint64   // what the engine attaches to the thread
	panicked uint64   // a String word: the panic that ended its last call, if it stays
	keep     bool     // stays when it has nothing left to execute
	// anonymous: nothing held its number when the state was loaded, so that it has been
	// given another; see numbers.go.
	anonymous bool
	ticket    uint64 // see lounge
	asleep    bool   // nothing but a partner or a close lets it go on; see lounge
	// results of the bottom function once it has returned; valid until the
	// thread's next call.
	results []uint64
}

// phase says how far a thread has come inside an instruction that takes several
// steps.
type phase uint8

const (
	phaseNone      phase = iota
	phaseParked          // waits for a partner on an unbuffered channel
	phaseAnnounced       // a writer that has announced itself to the readers
	phaseSpinning        // goes round a loop for ever without a visible access; its steps do nothing
)

// frame is a call in progress.
type frame struct {
	code  *code
	pc    int32
	base  int32
	flags frameFlags
}

type frameFlags uint8

const (
	frameBottom     frameFlags = 1 << iota // its results are the thread's
	frameDeferred                          // a deferred call, run because the caller returns
	frameUnwinding                         // a deferred call, run because the thread panics
	frameRecovered                         // goes on at Recover when its deferred calls have run
	frameStart                             // has been entered, but a package initialiser on top of it runs first
	frameDescribing                        // Error or String, called for the text of a panic
)

func (m *Machine) newThread() *thread {
	var t *thread
	if n := len(m.spare); n > 0 {
		t = m.spare[n-1]
		m.spare = m.spare[:n-1]
		t.reset()
	} else {
		t = &thread{}
	}
	t.id = m.nextID
	m.nextID++
	m.created++
	m.threads = append(m.threads, t)
	m.places = append(m.places, m.nextPlace)
	m.nextPlace++
	return t
}

// reset makes a retired thread a new one that keeps its buffers. It sets field by field: a
// new struct would write pointers, which the collector wants to know of, for each
// thread of each state that is loaded.
func (t *thread) reset() {
	t.frames, t.regs = t.frames[:0], t.regs[:0]
	t.held, t.results = t.held[:0], t.results[:0]
	t.id, t.panics, t.tag, t.panicked, t.ticket = 0, 0, 0, 0, 0
	t.phase, t.keep, t.asleep, t.anonymous = phaseNone, false, false, false
}

// retireThreads drops the threads from index i on.
func (m *Machine) retireThreads(i int) {
	m.spare = append(m.spare, m.threads[i:]...)
	m.threads, m.places, m.nextPlace = m.threads[:i], m.places[:i], i
	m.settled, m.vacant = i, 0
}

// push enters a function: args become its first registers.
func (m *Machine) push(t *thread, c *code, args []uint64, flags frameFlags) {
	if len(t.frames) >= m.limits.frames {
		m.fail(FaultStack, fmt.Sprintf("recursion without end: more than %d calls in progress", m.limits.frames))
		return
	}
	base := len(t.regs)
	if n := len(t.frames); n > 0 {
		top := &t.frames[n-1]
		base = int(top.base) + top.code.fn.NumRegs
	}
	t.setSize(base + c.fn.NumRegs)
	if c.zero {
		clear(t.regs[base : base+c.fn.NumRegs])
	}
	copy(t.regs[base:], args)
	t.frames = append(t.frames, frame{code: c, base: int32(base), flags: flags})
}

// setSize gives the thread n registers; the contents of new ones are arbitrary.
func (t *thread) setSize(n int) {
	if n <= cap(t.regs) {
		t.regs = t.regs[:n]
		return
	}
	bigger := make([]uint64, n, 2*n+32)
	copy(bigger, t.regs)
	t.regs = bigger
}

func (t *thread) top() *frame { return &t.frames[len(t.frames)-1] }

// idle says that the thread has nothing to execute.
func (t *thread) idle() bool { return len(t.frames) == 0 }

// instr is the instruction the thread stands at.
func (t *thread) instr() *ir.Instr {
	f := t.top()
	return &f.code.instrs[f.pc]
}

// registers returns the registers of the running function.
func (t *thread) registers() []uint64 { return t.regs[t.top().base:] }

// value reads an operand.
func value(regs, consts []uint64, r ir.Reg) uint64 {
	if r >= 0 {
		return regs[r]
	}
	return consts[^r]
}

// values reads an operand of n words; one without words may have no register.
func values(regs, consts []uint64, r ir.Reg, n int) []uint64 {
	switch {
	case n == 0:
		return nil
	case r >= 0:
		return regs[r : int(r)+n]
	}
	return consts[^r : int(^r)+n]
}

// result returns the n registers that a result goes to; one without words, or that
// nobody takes, may have none.
func result(regs []uint64, r ir.Reg, n int) []uint64 {
	if n == 0 || r == ir.NoReg {
		return nil
	}
	return regs[r : int(r)+n]
}
