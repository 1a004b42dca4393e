// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/format"
	"pangolin/internal/vm/state"
)

// Functions of package runtime that tell where a thread stands. A program counter
// is a made-up number: the function's number and the instruction's.

var stackBuiltins = map[string]*builtin{
	"runtime.Caller": simple(func(c *call) {
		pcs := c.m.callers(c.t)
		if n := c.args[0]; n < uint64(len(pcs)) {
			c.out[0], c.out[3] = pcs[n], 1
			file, line := c.m.lineOf(pcs[n])
			c.give(1, file)
			c.out[2] = uint64(line)
		}
	}),
	"pangolin/prelude.callerLine": simple(func(c *call) {
		pcs := c.m.callers(c.t)
		if n := c.args[0]; n < uint64(len(pcs)) {
			file, line := c.m.lineOf(pcs[n])
			c.give(0, file)
			c.out[1], c.out[2], c.out[3] = uint64(line), truth(c.m.isHelper(pcs[n])), 1
		}
	}),
	"runtime.Callers": {visible: ifTouched, plainly: writesCallers, run: func(c *call) control {
		pcs := append([]uint64{format.CodeAddress}, c.m.callers(c.t)...)
		pcs = pcs[min(uint64(len(pcs)), c.args[0]):]
		n := min(len(pcs), int(c.args[2]))
		if n > 0 {
			c.m.writeRange(c.args[1], pcs[:n], c.fn.Params[1].Elem)
		}
		c.out[0] = uint64(n)
		return ctlNext
	}},
	"runtime.FuncForPC":     simple(funcForPC),
	"(*runtime.Func).Name":  simple(funcName),
	"(*runtime.Func).Entry": simple(func(c *call) { c.out[0] = c.object(0, 1)[0] }),
	"(*runtime.Func).FileLine": simple(func(c *call) {
		file, line := c.m.lineOf(c.args[1])
		c.give(0, file)
		c.out[1] = uint64(line)
	}),
	"runtime.CallersFrames":  simple(callersFrames),
	"(*runtime.Frames).Next": {visible: ifTouched, run: nextFrame, plainly: takesFrame},
	"runtime.Stack": {visible: ifTouched, run: stackOf,
		plainly: func(c *call, dst []access) []access {
			return writes(dst, c.args[0], min(len(c.m.stack(c.t)), int(c.args[1])))
		}},
	"runtime/debug.Stack": simple(func(c *call) { c.bytes(0, c.m.stack(c.t)) }),
	"runtime/debug.PrintStack": {visible: always, run: func(c *call) control {
		c.m.Print(2, c.m.stack(c.t))
		return ctlNext
	}},
}

// tellsCallers are the functions that show the calls in progress.
var tellsCallers = map[string]bool{"runtime.Callers": true, "pangolin/prelude.callerLine": true, "runtime.Caller": true, "runtime.Stack": true,
	"runtime/debug.Stack": true, "runtime/debug.PrintStack": true}

func writesCallers(c *call, dst []access) []access {
	n := max(0, len(c.m.callers(c.t))+1-int(min(c.args[0], 1<<20)))
	return writes(dst, c.args[1], min(n, int(c.args[2])))
}

const pcBits = 24

// pcOf makes up a program counter.
func pcOf(f *state.Frame) uint64 {
	return uint64(f.Code.Func.ID+1)<<pcBits + format.CodeAddress + uint64(f.PC)
}

// position finds what a program counter stands for; nil if nothing.
func (m *Machine) position(pc uint64) (*state.Code, int) {
	pc -= format.CodeAddress
	id := int(pc>>pcBits) - 1
	if id < 0 || id >= len(m.img.Codes) {
		return nil, 0
	}
	return m.img.Codes[id], int(pc & (1<<pcBits - 1))
}

// isHelper says that a program counter is in a function that calls Helper of a test somewhere.
func (m *Machine) isHelper(pc uint64) bool {
	c, _ := m.position(pc)
	return c != nil && slices.ContainsFunc(c.Func.Code, func(in ir.Instr) bool {
		if in.Op != ir.OpCall || in.X < 0 {
			return false
		}
		call := m.img.Prog.Calls[in.X]
		return call.Kind == ir.CallMethod && call.Method == "Helper()" ||
			call.Kind == ir.CallStatic && (call.Func.Name == preludePath+"testHelper" || call.Func.Name == preludePath+"fuzzHelper")
	})
}

func (m *Machine) lineOf(pc uint64) (file string, line int) {
	c, at := m.position(pc)
	if c == nil {
		return "", 0
	}
	pos := c.PositionNear(at)
	if pos.Line == 0 {
		return "", 0
	}
	return m.img.Prog.Files[pos.File], int(pos.Line)
}

// callers lists the calls in progress, innermost first, without wrappers. Below a
// deferred call that runs for a panic stand the calls that the panic began in.
func (m *Machine) callers(t *state.Thread) []uint64 {
	var pcs []uint64
	for i := len(t.Frames) - 1; i >= 0; i-- {
		f := &t.Frames[i]
		if !f.Code.Func.Wrapper && !f.Code.Func.External {
			pcs = append(pcs, pcOf(f))
		}
		if f.Flags&state.FrameUnwinding != 0 && t.Panics != 0 && m.img.usesCallers {
			return append(pcs, m.traceOf(t.Panics)...)
		}
	}
	return pcs
}

// keepTrace remembers in a panic's record where it began, as a string of program counters: with the
// record it is part of the state. It does so only if the program may ask.
func (m *Machine) keepTrace(t *state.Thread, panic uint64) {
	if !m.img.usesCallers {
		return
	}
	var text []byte
	for _, pc := range m.callers(t) {
		text = binary.BigEndian.AppendUint64(text, pc)
	}
	m.Words(panic, panicWords)[panicTrace] = m.img.Strings.Word(string(text))
}

// traceOf are the program counters that keepTrace has remembered.
func (m *Machine) traceOf(panic uint64) []uint64 {
	text := []byte(m.Text(m.Words(panic, panicWords)[panicTrace]))
	var pcs []uint64
	for ; len(text) > 0; text = text[8:] {
		pcs = append(pcs, binary.BigEndian.Uint64(text))
	}
	return pcs
}

// runtimeName is a function's name as package runtime has it: "path.(*T).Method",
// "path.f.func1", "path.generic[...]".
func runtimeName(f *ir.Func) string {
	s := strings.TrimLeft(f.Name, "(*")
	if i := strings.IndexByte(s, '['); i >= 0 {
		s = s[:i]
	}
	slash := strings.LastIndexByte(s, '/') + 1
	dot := strings.IndexByte(s[slash:], '.')
	if dot < 0 {
		return f.Name
	}
	short := f.Short
	if i, j := strings.IndexByte(short, '['), strings.LastIndexByte(short, ']'); i >= 0 {
		short = short[:i] + "[...]" + short[j+1:]
	}
	return s[:slash+dot+1] + short
}

// stack describes a thread's calls as a stack trace does, without addresses. The first line has the thread's own number,
// "goroutine 7 [running]:": reentrant locks find out by it who calls.
func (m *Machine) stack(t *state.Thread) string {
	text := "goroutine " + strconv.Itoa(m.GoroutineNumber(t)) + " [running]:\n"
	for _, pc := range m.callers(t) {
		c, _ := m.position(pc)
		file, line := m.lineOf(pc)
		text += runtimeName(c.Func) + "(...)\n\t" + file + ":" + strconv.Itoa(line) + "\n"
	}
	return text
}

// stackOf is runtime.Stack, of the calling goroutine alone: what others do is another thing in every state.
func stackOf(c *call) control {
	if c.args[3] != 0 {
		c.m.Fail(FaultUnsupported, "runtime.Stack of all goroutines is not supported, only of the calling one")
		return ctlStop
	}
	return c.stackText(0)
}

// stackText copies a stack trace to a slice of bytes.
func (c *call) stackText(i int) control {
	words := bytesWords(c.m.stack(c.t))
	n := min(len(words), int(c.args[i+1]))
	if n > 0 {
		c.m.writeRange(c.args[i], words[:n], c.fn.Params[0].Elem)
	}
	c.out[0] = uint64(n)
	return ctlNext
}

func bytesWords(s string) []uint64 {
	words := make([]uint64, len(s))
	for i := range len(s) {
		words[i] = uint64(s[i])
	}
	return words
}

// bytes makes result words i to i+2 a slice of bytes.
func (c *call) bytes(i int, s string) {
	words := bytesWords(s)
	id := c.m.Alloc(c.fn.Results[i].Elem, len(words))
	copy(c.m.Words(state.Pointer(id, 0), len(words)), words)
	setSlice(c.out[i:], state.Pointer(id, 0), uint64(len(words)), uint64(len(words)))
}

// newFunc makes what a *runtime.Func points to: a word that holds the counter.
func (m *Machine) newFunc(pc uint64) uint64 {
	if c, _ := m.position(pc); c == nil {
		return 0
	}
	p := state.Pointer(m.Alloc(m.img.Own.Word, 1), 0)
	m.Words(p, 1)[0] = pc
	return p
}

func funcForPC(c *call) { c.out[0] = c.m.newFunc(c.args[0]) }

func funcName(c *call) {
	if c.args[0] == 0 {
		return
	}
	f, _ := c.m.position(c.object(0, 1)[0])
	c.give(0, runtimeName(f.Func))
}

// callersFrames keeps the counters in the field "callers" of a new Frames.
func callersFrames(c *call) {
	t := c.fn.Results[0].Elem
	c.out[0] = state.Pointer(c.m.Alloc(t, 1), 0)
	c.m.Write(c.out[0]+uint64(fieldOffset(t, "callers")), append([]uint64(nil), c.args[:3]...), c.m.img.Types[c.fn.Params[0].ID])
}

func fieldOffset(t *ir.Type, name string) int {
	for _, f := range t.Fields {
		if f.Name == name {
			return f.Offset
		}
	}
	return 0
}

func takesFrame(c *call, dst []access) []access {
	frames := c.fn.Params[0].Elem
	if c.args[0] == 0 {
		return dst
	}
	dst = writes(dst, c.args[0], frames.Size)
	if list := c.object(0, frames.Size)[fieldOffset(frames, "callers"):]; list[1] > 0 {
		dst = reads(dst, list[0], 1)
	}
	return dst
}

// nextFrame takes the first counter off a Frames and describes it.
func nextFrame(c *call) control {
	frames, frame := c.fn.Params[0].Elem, c.fn.Results[0]
	list := c.object(0, frames.Size)[fieldOffset(frames, "callers"):]
	if list[1] == 0 {
		return ctlNext
	}
	pc := c.m.Words(list[0], 1)[0]
	c.m.Touch(state.ObjectID(c.args[0]))
	c.m.CheckWrite(c.args[0], frames.Size)
	list[0], list[1], list[2] = list[0]+1, list[1]-1, list[2]-1
	more := list[1] > 0
	file, line := c.m.lineOf(pc)
	c.out[fieldOffset(frame, "PC")] = pc
	c.out[fieldOffset(frame, "Line")] = uint64(line)
	c.give(fieldOffset(frame, "File"), file)
	if f, _ := c.m.position(pc); f != nil {
		c.give(fieldOffset(frame, "Function"), runtimeName(f.Func))
	}
	c.out[fieldOffset(frame, "Func")] = c.m.newFunc(pc)
	c.out[frame.Size] = truth(more)
	return ctlNext
}
