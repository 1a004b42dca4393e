package vm

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/ir"
)

// At describes where thread i stands: "file.go:12 in (*Queue).Enqueue".
func (m *Machine) At(i int) string { return m.place(m.threads[i]) }

// Standing is where thread i stands in the program's own code: "file.go:12" and the
// function.
func (m *Machine) Standing(i int) (at, in string) {
	if m.threads[i].idle() {
		return "-", "-"
	}
	at, in, _ = strings.Cut(m.userPlace(m.threads[i]), " in ")
	if strings.HasPrefix(at, "prelude/") {
		return "-", "-"
	}
	return at, in
}

// Doing says what thread i does next, as far as others can see it: "write of main.x",
// "sync.Mutex.Lock", "panic".
func (m *Machine) Doing(i int) string {
	t := m.threads[i]
	if t.idle() {
		return "nothing"
	}
	what, p := m.doing(t)
	if name := m.memoryName(p); name != "" {
		return what + " of " + name
	}
	return what
}

// doing names the instruction that a thread stands at, and the memory it touches.
func (m *Machine) doing(t *thread) (what string, p uint64) {
	in := t.instr()
	if list := m.accesses(t, nil); len(list) > 0 && in.Op != ir.OpCall {
		what, p = "read", list[0].p
		if list[0].write {
			what = "write"
		}
		if !plain(in.Op) {
			what = "atomic " + what
		}
		return what, p
	}
	switch in.Op {
	case ir.OpCall:
		if c := m.builtinAt(t); c != nil {
			return m.calling(t, c)
		}
	case ir.OpSend, ir.OpRecv, ir.OpSelect:
		return m.waitReason(t)
	case ir.OpClose:
		return "close of a channel", 0
	case ir.OpReturn:
		return "return", 0
	case ir.OpPrint:
		return "print", 0
	}
	return in.Op.String(), 0
}

// calling names a built-in call. Inside a model of the standard library that is the
// function of the library that the program called.
func (m *Machine) calling(t *thread, c *call) (what string, p uint64) {
	what = c.fn.Name
	if len(c.args) > 0 && len(c.fn.Params) > 0 && c.fn.Params[0].Class == ir.PointerClass {
		p = c.args[0]
	}
	if c.fn.Name == crashName {
		what = "panic"
	} else if f := m.libraryCall(t); f != "" {
		what = f
	}
	return strings.NewReplacer("(*", "", ")", "").Replace(what), p
}

// libraryCall is the modelled function that the program's own code has called, "" if
// the thread is not inside one.
func (m *Machine) libraryCall(t *thread) string {
	name := ""
	for i := len(t.frames) - 1; i > 0 && t.frames[i].code.fn.Model; i-- {
		if short := t.frames[i].code.fn.Short; !strings.Contains(short, ".func") { // closures have no names of their own
			name = short
		}
	}
	return name
}

func (m *Machine) place(t *thread) string {
	if t.idle() {
		return "ended"
	}
	f := t.top()
	if f.code == m.img.crash {
		return m.codeAt(m.at(t.panics, 5)[panicPos])
	}
	return fmt.Sprintf("%s in %s", m.img.Prog.Position(f.code.positionNear(int(f.pc))), f.code.fn.Short)
}

// userPlace is where a thread stands in the program's own code: the innermost call
// outside the models of the standard library.
func (m *Machine) userPlace(t *thread) string {
	for i := len(t.frames) - 1; i >= 0; i-- {
		f := &t.frames[i]
		if !f.code.fn.External && !f.code.fn.Model {
			return fmt.Sprintf("%s in %s", m.img.Prog.Position(f.code.positionNear(int(f.pc))), f.code.fn.Short)
		}
	}
	return m.place(t)
}

// Goroutine names thread i by the function it began with: "main", "worker",
// "main.func1". Threads may have equal names.
func (m *Machine) Goroutine(i int) string {
	if m.program && i == 0 {
		return "main"
	}
	for _, f := range m.threads[i].frames {
		if fn := f.code.fn; !fn.External && !fn.Model && !fn.Wrapper {
			return fn.Short
		}
	}
	if m.threads[i].idle() {
		return "ended"
	}
	if name := m.threads[i].frames[0].code.fn.Short; name != "(*firing).run" {
		return name
	}
	return "timer"
}

// Waiting describes what each thread that has not ended waits for and where,
// sorted; equal descriptions are counted: "main [chan receive] at file.go:9 in main".
func (m *Machine) Waiting() []string {
	var lines []string
	for i, t := range m.threads {
		if !t.idle() {
			lines = append(lines, fmt.Sprintf("%s [%s] at %s", m.Goroutine(i), m.waitsFor(t), m.userPlace(t)))
		}
	}
	return counted(lines)
}

// Names lists the names of the given threads, sorted; equal ones are counted.
func (m *Machine) Names(threads []int) []string {
	var names []string
	for _, i := range threads {
		if i < len(m.threads) && !m.threads[i].idle() {
			names = append(names, m.Goroutine(i))
		}
	}
	return counted(names)
}

// counted sorts lines and counts equal ones.
func counted(lines []string) []string {
	slices.Sort(lines)
	var out []string
	for i := 0; i < len(lines); {
		n := i
		for n < len(lines) && lines[n] == lines[i] {
			n++
		}
		if n > i+1 {
			out = append(out, fmt.Sprintf("%d × %s", n-i, lines[i]))
		} else {
			out = append(out, lines[i])
		}
		i = n
	}
	return out
}

// WaitReasons says what each thread that has not ended waits for, in the words of
// the Go runtime, sorted.
func (m *Machine) WaitReasons() []string {
	var list []string
	for _, t := range m.threads {
		if !t.idle() {
			reason, _ := m.waitReason(t)
			list = append(list, reason)
		}
	}
	slices.Sort(list)
	return list
}

// waitsFor says what a thread waits for, and on which object if that has a name.
func (m *Machine) waitsFor(t *thread) string {
	reason, p := m.waitReason(t)
	if name := m.memoryName(p); name != "" {
		return reason + " of " + name
	}
	return reason
}

// waitReason says what a thread waits for in the words of the Go runtime, and which
// object it waits on, or 0.
func (m *Machine) waitReason(t *thread) (reason string, object uint64) {
	in := t.instr()
	switch in.Op {
	case ir.OpSend, ir.OpRecv:
		reason = "chan receive"
		if in.Op == ir.OpSend {
			reason = "chan send"
		}
		p := value(t.registers(), m.img.Prog.Consts, in.A)
		if p == 0 {
			reason += " (nil chan)"
		}
		return reason, p
	case ir.OpSelect:
		if len(m.img.Prog.Selects[in.X].Cases) == 0 {
			return "select (no cases)", 0
		}
		return "select", 0
	case ir.OpCall:
		if c := m.builtinAt(t); c != nil && c.b != nil && c.b.waits != "" {
			return c.b.waits, c.args[0]
		}
	}
	return "runnable", 0
}

// DescribeAccess describes one side of a race: "write at file.go:12 in f".
func (m *Machine) DescribeAccess(r Race, side int) string {
	what := "read"
	if r.Write[side] {
		what = "write"
	}
	if r.What != "" {
		what += " of " + r.What
	}
	return fmt.Sprintf("%s at %s in %s", what, m.img.Prog.Position(r.At[side]), r.Functions[side])
}

// Created is the number of threads created so far in this machine's life; only
// differences mean something.
func (m *Machine) Created() int { return m.created }

// Survivors tells, for each thread, the place it had when the state was loaded;
// threads that were created since follow those that were there. For a place without a
// thread it is -1.
func (m *Machine) Survivors() []int { return m.places }

// EndedAt is where the panic or fatal error that ended the program was raised:
// "file.go:12 in f".
func (m *Machine) EndedAt() string { return m.codeAt(m.end.Pos) }

// codeAt describes an instruction, given as function ID<<32 | index.
func (m *Machine) codeAt(pos uint64) string {
	f := m.img.codes[pos>>32]
	return fmt.Sprintf("%s in %s", m.img.Prog.Position(f.positionNear(int(uint32(pos)))), f.fn.Short)
}

// Situation says what thread i does: what it waits for, or where it goes on.
func (m *Machine) Situation(i int) string {
	t := m.threads[i]
	if t.idle() {
		return "idle"
	}
	if m.mayGoOn(t) {
		return "goes on at " + m.userPlace(t)
	}
	return "waits: " + m.waitsFor(t) + ", at " + m.userPlace(t)
}
