// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"fmt"
	"strings"

	"pangolin/internal/ir"
)

// Faults: reasons to end a search that are nobody's mistake: an instruction that is not supported,
// or memory or time used up. A fault is no outcome of the program; the verdict is unknown.

// Fault is why the machine cannot go on: a limit of the machine, or of what it supports.
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
func (m *State) Fault() *Fault { return m.Failure }

// Fail records a fault of the running thread; the step ends at once.
func (m *State) Fail(kind FaultKind, message string) {
	if m.Failure == nil {
		m.Failure = &Fault{Kind: kind, Message: message}
	}
}

// maxPath bounds the calls that a fault lists.
const maxPath = 12

// Locate completes a fault with the position and calls of a thread.
func (m *State) Locate(f *Fault, t *Thread) {
	f.Path = m.callPath(t)
	f.At = "-"
	// A model of a library function is not the user's code: the fault is reported where it is
	// called.
	for i := len(t.Frames) - 1; i >= 0; i-- {
		if frame := &t.Frames[i]; i == 0 || !frame.Code.Func.Model {
			f.At = m.img.Prog.Position(frame.Code.PositionNear(int(frame.PC)))
			return
		}
	}
}

// Loops lists the loops that a thread is in, in all of its calls, each by a line in its file, the
// innermost first.
func (m *State) Loops(t *Thread) []string {
	var list []string
	for i := len(t.Frames) - 1; i >= 0; i-- {
		f := &t.Frames[i]
		for _, at := range f.Code.Func.LoopsAt(int(f.PC)) {
			list = append(list, m.img.Prog.Position(at))
		}
	}
	return list
}

// callPath lists the calls in progress, innermost first.
func (m *State) callPath(t *Thread) []string {
	var path []string
	for i := len(t.Frames) - 1; i >= 0; i-- {
		if len(path) == maxPath {
			return append(path, fmt.Sprintf("… %d more", i+1))
		}
		f := &t.Frames[i]
		if f.Code.Func.Model {
			if i > 0 && !t.Frames[i-1].Code.Func.Model {
				path = append(path, f.Code.Func.Short)
			}
			continue
		}
		pos := f.Code.PositionNear(int(f.PC))
		path = append(path, fmt.Sprintf("%s (%s)", f.Code.Func.Short, m.img.Prog.Position(pos)))
	}
	return path
}

// PositionNear returns the position of an instruction, or of the nearest one
// before it that has one.
func (c *Code) PositionNear(pc int) ir.Pos {
	for ; pc >= 0 && pc < len(c.pos); pc-- {
		if c.pos[pc].Line != 0 {
			return c.pos[pc]
		}
	}
	return c.Func.Declared
}
