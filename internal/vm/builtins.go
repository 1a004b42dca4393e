// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Functions without code: those that the compiler or the runtime provide, and those that
// are simpler said than executed. A line in a table says what a call does, when it can go
// on, and what it accesses. That list is a contract: races, guards and scheduling points of
// a call are what it says. Tests ask each of them for it (looked_test.go, touch in
// engine/outcomes).

// builtin is the meaning of a function that has no code.
type builtin struct {
	// visible says when calling it is a visible access.
	visible visibility
	// fused says that the call goes with the step before it, because it commutes with
	// whatever the others may do before it; nil: never.
	fused func(c *call) bool
	// enabled says whether it can go on now; nil: always.
	enabled func(c *call) bool
	// waits describes what the thread waits for while it is not enabled, announced, unless
	// it is empty, once it has announced itself.
	waits, announced string
	run              func(c *call) control
	// atomically and plainly append the memory that the call accesses, as an atomic
	// operation or as reads and writes of a program do: for data races and guards. A call
	// that accesses memory plainly is visible ifTouched.
	atomically, plainly func(c *call, dst []access) []access
}

// visibility says when a built-in function's call is a scheduling point.
type visibility uint8

const (
	never     visibility = iota // it touches nothing that another thread can see
	ifShared                    // iff the object its first argument points to is shared
	ifTouched                   // iff one of its plain accesses is one
	always
)

// call is a call of a built-in function.
type call struct {
	m    *Machine
	t    *state.Thread
	fn   *ir.Func
	b    *builtin // nil: the function has no meaning
	args []uint64
	out  []uint64 // results, zero at first
}

// builtins are all built-in functions, by the name of the function they give a
// meaning to. Adding one takes a line in one of its parts.
var builtins = collectBuiltins(syncBuiltins, osBuiltins, semaBuiltins, innerMutex, runtimeBuiltins, fmtBuiltins, mathBuiltins,
	valueBuiltins, hashBuiltins, stackBuiltins, memoryBuiltins, objectBuiltins, ownBuiltins, clockBuiltins, reflectBuiltins)

func collectBuiltins(parts ...map[string]*builtin) map[string]*builtin {
	all := map[string]*builtin{}
	for _, part := range parts {
		for name, b := range part {
			if all[name] != nil {
				panic("vm: two meanings for " + name)
			}
			all[name] = b
		}
	}
	return all
}

// Gives says whether the machine itself gives a function of the standard library its
// meaning where there is no code for it.
func Gives(name string) bool { return builtins[name] != nil }

// callBuiltin executes a built-in function; its results go to registers from dst
// on.
func (m *Machine) callBuiltin(t *state.Thread, target *state.Code, args []uint64, dst int) control {
	b := m.img.builtins[target.Func.ID]
	if b == nil {
		m.Fail(FaultUnsupported, unsupportedCall(target.Func.Name))
		return ctlStop
	}
	if b.visible == ifShared && args[0] == 0 {
		return m.throwError(t, nilMessage)
	}
	m.inspectArguments(target.Func, args)
	m.bargs = append(m.bargs[:0], args...)
	c := &m.bcall
	*c = call{m: m, t: t, fn: target.Func, b: b, args: m.bargs, out: m.zeroed(target.Results)}
	if b.enabled != nil && !b.enabled(c) {
		return ctlStop
	}
	if m.Ghost && (b.visible == always || b.visible == ifShared) {
		return m.ghostFails("calls " + target.Func.Short + ", which others may notice")
	}
	visible := c.sees(b.visible)
	if visible && m.Fusing && b.fused != nil && !m.ghostFollows(t) && b.fused(c) {
		visible, m.Acquired = false, false
		m.PassOver()
	}
	if !m.gate(visible) {
		return ctlStop
	}
	ctl := b.run(c)
	if ctl == ctlNext && len(c.out) > 0 && ir.Reg(dst) != ir.NoReg {
		copy(t.Registers()[dst:], c.out)
	}
	return ctl
}

// tries are the functions that find out whether a lock is held.
var tries = map[string]bool{
	"(*sync.Mutex).TryLock": true, "(*internal/sync.Mutex).TryLock": true,
	"(*sync.RWMutex).TryLock":  true,
	"(*sync.RWMutex).TryRLock": true,
}

// sees says whether a call of the given visibility is a visible access now.
func (c *call) sees(v visibility) bool {
	switch v {
	case ifShared:
		c.unguard()
		return c.m.shared(c.args[0])
	case ifTouched:
		return c.m.Tracking && c.touches()
	}
	return v == always
}

// unsupportedCall says why a function cannot be called.
func unsupportedCall(name string) string {
	path, _, _ := strings.Cut(strings.TrimLeft(name, "(*"), ".")
	switch path {
	case "reflect", "internal/reflectlite":
		return fmt.Sprintf("%s: this part of reflection is not supported", name)
	case "os", "io", "net", "syscall", "internal/poll", "internal/syscall/unix":
		return fmt.Sprintf("%s: the world outside the program is not supported", name)
	}
	return fmt.Sprintf("%s is not supported: it is written in assembly, or belongs to the Go runtime", name)
}

func (m *Machine) zeroed(n int) []uint64 {
	for len(m.bout) < n {
		m.bout = append(m.bout, 0)
	}
	clear(m.bout[:n])
	return m.bout[:n]
}

// builtinAt returns the built-in call that a thread stands at, or nil. It is valid until
// builtinAt is called again: whether threads may go on is asked in every state.
func (m *Machine) builtinAt(t *state.Thread) *call {
	in := t.Instr()
	if in.Op != ir.OpCall {
		return nil
	}
	regs := t.Registers()
	if in.X < 0 {
		target := t.Top().Code.Target
		m.asked = call{m: m, t: t, fn: target.Func, b: m.img.builtins[target.Func.ID], args: regs[:in.N]}
		return &m.asked
	}
	c := m.img.Prog.Calls[in.X]
	if c.Kind != ir.CallStatic || !c.Func.External {
		return nil
	}
	_, args := m.arguments(c, regs)
	m.askedArgs = append(m.askedArgs[:0], args...)
	m.asked = call{m: m, t: t, fn: c.Func, b: m.img.builtins[c.Func.ID], args: m.askedArgs}
	return &m.asked
}

// text returns the string of argument word i.
func (c *call) text(i int) string { return c.m.Text(c.args[i]) }

// give sets result word i to a string.
func (c *call) give(i int, s string) { c.out[i] = c.m.img.Strings.Word(s) }

// object returns n words from the one that argument word i points to.
func (c *call) object(i, n int) []uint64 { return c.m.Words(c.args[i], n) }

// set writes word off of the object that argument word i points to.
func (c *call) set(i, off int, w uint64) {
	c.m.Touch(state.ObjectID(c.args[i]))
	c.m.CheckFrozen(c.args[i]+uint64(off), 1)
	c.m.Unguard(c.args[i] + uint64(off))
	c.m.Words(c.args[i]+uint64(off), 1)[0] = w
}

// simple makes a built-in function of one that only computes.
func simple(run func(c *call)) *builtin {
	return &builtin{run: func(c *call) control { run(c); return ctlNext }}
}

// releasesOwn makes a condition for fusing: the call releases a lock that its thread
// holds, for reading if mode is readHold. Until that is done the others can do nothing with
// the lock but wait, or read with it, or try in vain. It does not hold if the program can try
// a lock without waiting.
func releasesOwn(mode uint64) func(c *call) bool {
	return func(c *call) bool {
		return !c.m.img.hasTry && c.m.Owned() && slices.Contains(c.t.Held, c.args[0]|mode)
	}
}
