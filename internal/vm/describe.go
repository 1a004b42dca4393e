// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Where threads stand and what they wait for, in words. It is read from the state alone, so
// that a deadlock can be described wherever it is met; nothing here changes how the machine
// goes on.

// At describes where thread i stands: "file.go:12 in (*Queue).Enqueue".
func (m *Machine) At(i int) string {
	if m.Thread[i].Idle() {
		return "ended"
	}
	return m.place(m.Thread[i]).String()
}

// Standing is where thread i stands in the program's own code; false if it has ended, or
// is in the library only.
func (m *Machine) Standing(i int) (Place, bool) {
	if m.Thread[i].Idle() {
		return Place{}, false
	}
	at := m.userPlace(m.Thread[i])
	return at, !strings.HasPrefix(at.File, "prelude/")
}

// Doing says what thread i does next, as far as others can see it: "write of main.x",
// "sync.Mutex.Lock", "panic".
func (m *Machine) Doing(i int) string {
	t := m.Thread[i]
	if t.Idle() {
		return "nothing"
	}
	what, p := m.doing(t)
	if name := m.MemoryName(p); name != "" {
		return what + " of " + name
	}
	return what
}

// doing names the instruction that a thread stands at, and the memory it touches.
func (m *Machine) doing(t *state.Thread) (what string, p uint64) {
	in := t.Instr()
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
func (m *Machine) calling(t *state.Thread, c *call) (what string, p uint64) {
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
func (m *Machine) libraryCall(t *state.Thread) string {
	name := ""
	for i := len(t.Frames) - 1; i > 0 && t.Frames[i].Code.Func.Model; i-- {
		if short := t.Frames[i].Code.Func.Short; !strings.Contains(short, ".func") { // closures have no names of their own
			name = short
		}
	}
	return name
}

// Goroutine names thread i by the function it began with: "main", "worker",
// "main.func1". Threads may have equal names.
func (m *Machine) Goroutine(i int) string {
	if m.WholeProgram && i == 0 {
		return "main"
	}
	for _, f := range m.Thread[i].Frames {
		if fn := f.Code.Func; !fn.External && !fn.Model && !fn.Wrapper {
			return fn.Short
		}
	}
	if m.Thread[i].Idle() {
		return "ended"
	}
	if name := m.Thread[i].Frames[0].Code.Func.Short; name != "(*firing).run" {
		return name
	}
	return "timer"
}

// Situation is what a thread does that others may wait for.
type Situation struct {
	Goroutine string // see Machine.Goroutine
	Waits     bool   // it cannot go on
	For       string // what it waits for, in the words of the Go runtime; "runnable"
	Object    string // the memory that it waits at; "" if that has no name
	Place            // in the program's own code
}

// String is "main [chan receive of main.c] at file.go:9 in main".
func (s Situation) String() string {
	what := s.For
	if s.Object != "" {
		what += " of " + s.Object
	}
	return fmt.Sprintf("%s [%s] at %s", s.Goroutine, what, s.Place)
}

// Situation says what thread i does, which must not have ended.
func (m *Machine) Situation(i int) Situation {
	t := m.Thread[i]
	reason, p := m.waitReason(t)
	return Situation{Goroutine: m.Goroutine(i), Waits: !m.mayGoOn(t), For: reason, Object: m.MemoryName(p), Place: m.userPlace(t)}
}

// Situations lists what the threads that have not ended do, in the order of their texts.
func (m *Machine) Situations() []Situation {
	var list []Situation
	for i, t := range m.Thread {
		if !t.Idle() {
			list = append(list, m.Situation(i))
		}
	}
	slices.SortStableFunc(list, func(a, b Situation) int { return strings.Compare(a.String(), b.String()) })
	return list
}

// Names lists the names of the given threads that have not ended, sorted.
func (m *Machine) Names(threads []int) []string {
	var names []string
	for _, i := range threads {
		if i < len(m.Thread) && !m.Thread[i].Idle() {
			names = append(names, m.Goroutine(i))
		}
	}
	slices.Sort(names)
	return names
}

// WaitReasons says what each thread that has not ended waits for, in the words of
// the Go runtime, sorted.
func (m *Machine) WaitReasons() []string {
	var list []string
	for _, t := range m.Thread {
		if !t.Idle() {
			reason, _ := m.waitReason(t)
			list = append(list, reason)
		}
	}
	slices.Sort(list)
	return list
}

// waitReason says what a thread waits for in the words of the Go runtime, and which
// object it waits on, or 0.
func (m *Machine) waitReason(t *state.Thread) (reason string, object uint64) {
	in := t.Instr()
	switch in.Op {
	case ir.OpSend, ir.OpRecv:
		reason = "chan receive"
		if in.Op == ir.OpSend {
			reason = "chan send"
		}
		p := state.Operand(t.Registers(), m.img.Prog.Consts, in.A)
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
		c := m.builtinAt(t)
		switch {
		case c == nil || c.b == nil || c.b.waits == "":
		case t.Phase == state.PhaseAnnounced && c.b.announced != "":
			return c.b.announced, c.args[0]
		default:
			return c.b.waits, c.args[0]
		}
	}
	return "runnable", 0
}

// raised is a panic or fatal error: where it began, and the calls in progress there, innermost first.
type raised struct {
	pos   uint64
	calls []Frame
}

// Raised are the calls that were in progress where the panic or fatal error began that ended the program, or the last one if the program goes
// on, innermost first; only under Options.Chronicle. What passes a panic on, as WaitGroup.Go does, is another panic of the same place.
func (m *Machine) Raised() []Frame {
	for _, r := range slices.Backward(m.raised) {
		if r.pos == m.End.Pos && m.End.Kind != Running {
			return r.calls
		}
	}
	if n := len(m.raised); n > 0 {
		return m.raised[n-1].calls
	}
	return nil
}

// HeldBy names the locks that thread i holds, in the order in which it took them.
func (m *Machine) HeldBy(i int) []string {
	var list []string
	for _, p := range m.Thread[i].Held {
		if p&state.WordHold != 0 {
			continue
		}
		at := m.Location(p &^ state.ReadHold)
		name := at.String()
		if p&state.ReadHold != 0 {
			name += " (for reading)"
		}
		list = append(list, name)
	}
	return list
}

// HoldersOf are the threads that hold the lock that thread i waits for.
func (m *Machine) HoldersOf(i int) []int {
	_, p := m.waitReason(m.Thread[i])
	if p == 0 {
		return nil
	}
	return m.owners(p)
}

// WaitsAt names the memory that thread i waits at as steps name it; "" if there is none.
func (m *Machine) WaitsAt(i int) string {
	_, p := m.waitReason(m.Thread[i])
	if p == 0 {
		return ""
	}
	at := m.Location(p)
	return at.String()
}

// EndedAt is where the panic or fatal error that ended the program was raised.
func (m *Machine) EndedAt() Place { return m.codeAt(m.End.Pos) }
