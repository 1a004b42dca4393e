// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Goroutines that never end. The end of main cuts off whatever still runs, and is a visible step: there are states in which main
// stands at its end and the others have done all that they may still do. In such a state a goroutine has leaked that waits
// for objects that nobody can reach who may still move. Then it waits for ever, whatever the others do. That is the
// rule of Go's own goroutine leak profile (V. Saioc and others, Dynamic partial deadlock detection and recovery via garbage
// collection, ASPLOS 2025), asked of every state instead of one running program.

// atEnd says that thread t is about to end the program normally.
func (m *Machine) atEnd(t *state.Thread) bool {
	if t.Idle() {
		return false
	}
	switch t.Instr().Op {
	case ir.OpReturn:
		return m.WholeProgram && t == m.Thread[0] && len(t.Frames) == 1
	case ir.OpCall:
		c := m.builtinAt(t)
		return c != nil && (c.fn.Name == overName || c.fn.Name == "os.Exit" && c.args[0] == 0 && m.runsTests(t))
	}
	return false
}

// runsTests says that thread t is the main goroutine of a test, around all tests: where it ends the program with status 0, os.Exit(m.Run())
// in TestMain is what a return from it is.
func (m *Machine) runsTests(t *state.Thread) bool {
	return t == m.Thread[0] && slices.ContainsFunc(t.Frames, func(f state.Frame) bool { return f.Code.Func.Name == testsName })
}

// testsName is the function around all tests.
const testsName = "pangolin/prelude.testingMain"

// literalMark stands in the name of a function literal behind that of the function that it is within.
const literalMark = "$"

// mainOwns finds the functions of goroutines that the end of main cuts off by design: function literals within main, or within a test, at any depth, and
// functions that go statements in these name and no go statement elsewhere does.
func mainOwns(prog *ir.Program, main *ir.Func) map[*ir.Func]bool {
	literals, inside, elsewhere := map[*ir.Func]bool{}, map[*ir.Func]bool{}, map[*ir.Func]bool{}
	around := map[string]bool{}
	for _, f := range prog.Funcs {
		if f == main || isTest(f) {
			around[f.Name] = true
		}
	}
	for _, f := range prog.Funcs {
		name, _, _ := strings.Cut(f.Name, literalMark)
		literals[f] = around[name]
	}
	for _, f := range prog.Funcs {
		for pc := range f.Code {
			if in := &f.Code[pc]; in.Op == ir.OpGo {
				if c := prog.Calls[in.X]; c.Kind == ir.CallStatic && literals[f] {
					inside[c.Func] = true
				} else if c.Kind == ir.CallStatic {
					elsewhere[c.Func] = true
				}
			}
		}
	}
	for f := range inside {
		if !elsewhere[f] {
			literals[f] = true
		}
	}
	return literals
}

// isTest says that a function is a test: it takes a *testing.T and nothing else.
func isTest(f *ir.Func) bool {
	return len(f.Params) == 1 && f.Params[0].Name == "*testing.T" && len(f.Results) == 0 && !f.Library()
}

// CutOff says that goroutines which main, or a test, starts itself may wait when it ends: they do not count as leaked then, and what they hold can be reached.
func (img *Image) CutOff(main *ir.Func) { img.cutOff = mainOwns(img.Prog, main) }

// isCutOff says that a thread is such a goroutine: of its functions, the first that is not the library's says so (wg.Go(func() { … })).
func (m *Machine) isCutOff(t *state.Thread) bool {
	for i := range t.Frames {
		if f := t.Frames[i].Code.Func; !f.Library() {
			return m.img.cutOff[f]
		}
	}
	return false
}

// Leaked lists the goroutines that have leaked, none if main does not stand at its end: those that wait for nothing at
// all, or for objects that neither a package variable leads to nor a goroutine that has not leaked. Main counts as one of
// these: what its frames still hold, in a test those around the end, is not lost.
func (m *Machine) Leaked() (waiting []int) {
	if m.End.Kind != Running || m.Failure != nil || !slices.ContainsFunc(m.Thread, m.atEnd) {
		return nil
	}
	return m.lost(0, false)
}

// LeakedBeside lists the goroutines, from thread number users on, that have leaked beside the threads of an engine's clients. These hold
// what their calls in progress refer to, and the objects that the engine keeps. Cancelled says that a nil channel may stand for that of a
// context which somebody else would cancel.
func (m *Machine) LeakedBeside(users int, cancelled bool) []int {
	if m.End.Kind != Running || m.Failure != nil {
		return nil
	}
	return m.lost(users, cancelled)
}

// lost lists the threads, from number users on, that wait for nothing at all, or for objects that neither a package variable, nor an
// engine, nor a thread that is not one of them leads to.
func (m *Machine) lost(users int, cancelled bool) (waiting []int) {
	if m.img.finalizes {
		return nil // a finalizer may let any of them go on
	}
	for i := users; i < len(m.Thread); i++ {
		if t := m.Thread[i]; !t.Idle() && !m.mayGoOn(t) && !takesTurns(t) && !m.isCutOff(t) {
			waiting = append(waiting, i)
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	return m.outOfReach(waiting, cancelled)
}

// outOfReach removes from a list of threads that wait those that may be let go on: by what package variables lead to, what an engine keeps,
// the threads that are not in the list, or those that were removed; or by a context, if a nil channel may stand for that of one.
func (m *Machine) outOfReach(waiting []int, cancelled bool) []int {
	r := m.reachedBeside(waiting)
	for before := 0; before != len(waiting); {
		before = len(waiting)
		waiting = slices.DeleteFunc(waiting, func(i int) bool {
			t := m.Thread[i]
			if at := m.waitsAt(t); !slices.ContainsFunc(at, r.reached) && !(cancelled && slices.Contains(at, 0)) {
				return false
			}
			r.follow(m.threadReferences(nil, t, false))
			return true
		})
	}
	return waiting
}

// takesTurns says that a thread is an iterator or its consumer, and waits for the other one inside iter.Pull. Go's own are coroutines, which
// its profile leaves alone: whoever drops an iterator without stopping it has one that is never resumed.
func takesTurns(t *state.Thread) bool { return strings.HasPrefix(t.Top().Code.Func.Name, pullName) }

// pullName begins the names of the functions that model iter.Pull.
const pullName = "(*pangolin/prelude.pull["

// reachedBeside follows the package variables, what an engine keeps, and all threads but some.
func (m *Machine) reachedBeside(some []int) *reach {
	r := m.reachedFromBase()
	for i, t := range m.Thread {
		if !slices.Contains(some, i) {
			r.follow(m.threadReferences(nil, t, false))
		}
	}
	return r
}

// Awaited lists the objects that may let a waiting thread go on; 0 stands for a nil channel.
func (m *Machine) Awaited(thread int) []uint32 { return m.waitsAt(m.Thread[thread]) }

// Owner says what the objects belong to for which a goroutine waits that has leaked: a context, or a timer. It looks at all that the machine
// has ever made, so that it is of use where one execution is followed. "": neither.
func (m *Machine) Owner(objects []uint32) string {
	for i := range m.Objs {
		o := &m.Objs[i]
		if o.Info == nil {
			continue
		}
		what := owners[o.Info.Type.Name]
		if what != "" && slices.ContainsFunc(m.References(nil, o), func(id uint32) bool { return slices.Contains(objects, id) }) {
			return what
		}
	}
	return ""
}

// owners are the types of the library whose channels somebody may wait for, in words.
var owners = map[string]string{
	"context.cancelCtx":  "a context that nobody can cancel any more",
	"prelude.timerState": "a timer or ticker that does not fire any more",
}

// Leads reports whether one thread leads to one of the objects.
func (m *Machine) Leads(thread int, objects []uint32) bool {
	r := &reach{m: m, seen: make([]bool, len(m.Objs))}
	r.follow(m.threadReferences(nil, m.Thread[thread], false))
	return slices.ContainsFunc(objects, r.reached)
}

// Holds reports whether a package variable, an engine, or a thread that is not one of some leads to one of the objects.
func (m *Machine) Holds(objects []uint32, some []int) bool {
	return slices.ContainsFunc(objects, m.reachedBeside(some).reached)
}

// waitsAt lists the objects that may let a waiting thread go on.
func (m *Machine) waitsAt(t *state.Thread) (list []uint32) {
	switch t.Instr().Op {
	case ir.OpSend, ir.OpRecv, ir.OpSelect:
		for _, c := range m.comms(nil, t) {
			list = append(list, uint32(c.ch>>32))
		}
	case ir.OpCall:
		if c := m.builtinAt(t); c != nil {
			list = append(list, uint32(c.args[0]>>32))
		}
	}
	return list
}

// reach is what can be reached from package variables and some threads.
type reach struct {
	m    *Machine
	base uint32 // numbers up to this are base objects, which are always reached
	seen []bool
}

// reachedFromBase follows the package variables. One that has its first contents leads to base objects only.
func (m *Machine) reachedFromBase() *reach {
	r := &reach{m: m, base: uint32(m.img.BaseCount()), seen: make([]bool, len(m.Objs))}
	for id := 1; id <= int(r.base); id++ {
		if o := &m.Objs[id]; o.Flags&state.IsDirty != 0 {
			r.follow(m.References(nil, o))
		}
	}
	for _, p := range m.Kept {
		r.follow([]uint32{uint32(p >> 32)})
	}
	return r
}

// reached says that an object, 0 for none, can be reached.
func (r *reach) reached(id uint32) bool {
	return id > 0 && (id <= r.base || int(id) < len(r.seen) && r.seen[id])
}

// follow marks objects and whatever they lead to.
func (r *reach) follow(work []uint32) {
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if id > r.base && !r.seen[id] {
			r.seen[id] = true
			work = r.m.References(work, &r.m.Objs[id])
		}
	}
}
