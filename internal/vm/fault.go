package vm

import (
	"fmt"
	"strings"

	"pangolin/internal/ir"
)

// Fault says why the machine cannot go on: not a result of the program, but a
// limit of the machine or of what it supports.
type Fault struct {
	Kind    FaultKind
	Message string
	At      string   // "file.go:12"
	Path    []string // calls in progress, innermost first: "function (file.go:12)"
}

// FaultKind classifies faults.
type FaultKind uint8

const (
	FaultUnsupported FaultKind = iota // the program needs something that has no meaning here
	FaultMemory                       // too much memory
	FaultStack                        // too deep a recursion
	FaultLocal                        // too many steps without a visible access
	FaultDiverges                     // a local loop that provably never ends
)

func (f *Fault) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", f.At, f.Message)
	for _, p := range f.Path {
		fmt.Fprintf(&b, "\n\tin %s", p)
	}
	return b.String()
}

// Fault returns why the machine cannot go on, or nil.
func (m *Machine) Fault() *Fault { return m.fault }

// fail records a fault of the running thread; the step ends at once.
func (m *Machine) fail(kind FaultKind, message string) {
	if m.fault == nil {
		m.fault = &Fault{Kind: kind, Message: message}
		m.quota = 0
	}
}

// maxPath bounds the calls that a fault lists.
const maxPath = 12

// locate completes a fault with the position and calls of a thread.
func (m *Machine) locate(f *Fault, t *thread) {
	f.Path = m.callPath(t)
	f.At = "-"
	if len(t.frames) > 0 {
		top := t.top()
		f.At = m.img.Prog.Position(top.code.positionNear(int(top.pc)))
	}
}

// callPath lists the calls in progress, innermost first.
func (m *Machine) callPath(t *thread) []string {
	var path []string
	for i := len(t.frames) - 1; i >= 0; i-- {
		if len(path) == maxPath {
			return append(path, fmt.Sprintf("… %d more", i+1))
		}
		f := &t.frames[i]
		pos := f.code.positionNear(int(f.pc))
		path = append(path, fmt.Sprintf("%s (%s)", f.code.fn.Short, m.img.Prog.Position(pos)))
	}
	return path
}

// positionNear returns the position of an instruction, or of the nearest one
// before it that has one.
func (c *code) positionNear(pc int) ir.Pos {
	for ; pc >= 0 && pc < len(c.pos); pc-- {
		if c.pos[pc].Line != 0 {
			return c.pos[pc]
		}
	}
	return c.fn.Declared
}
