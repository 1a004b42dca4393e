// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Places in source code, and the one notion of the user's frame: the innermost call that is
// not in the library. All that is said of a thread names the place where its user would
// look, not that inside a mutex.

// Place is where an instruction stands in source code.
type Place struct {
	Function string
	File     string // "" if it is not known
	Line     int
}

// Position is "file.go:12", or "-" if it is not known.
func (p Place) Position() string {
	if p.Line == 0 {
		return "-"
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// String is "file.go:12 in f".
func (p Place) String() string { return p.Position() + " in " + p.Function }

// Frame is a call in progress.
type Frame struct {
	Place
	Library bool // inside the standard library, or a model of it
	Model   bool // it is a model: there is no such line in the library's source
}

func (m *Machine) placeAt(pos ir.Pos, function string) Place {
	p := Place{Function: function}
	if pos.Line != 0 && int(pos.File) < len(m.img.Prog.Files) {
		p.File, p.Line = m.img.Prog.Files[pos.File], int(pos.Line)
	}
	return p
}

// placeIn is the place in the source of the instruction at which a call in progress stands.
func (m *Machine) placeIn(f *state.Frame) Place {
	return m.placeAt(f.Code.PositionNear(int(f.PC)), f.Code.Func.Short)
}

// library says that a call is not in the program's own code.
func library(f *state.Frame) bool { return f.Code.Func.Library() }

// userFrame is the innermost call outside of the library; nil if there is none.
func (m *Machine) userFrame(t *state.Thread) *state.Frame {
	for i := len(t.Frames) - 1; i >= 0; i-- {
		if f := &t.Frames[i]; !library(f) {
			return f
		}
	}
	return nil
}

// Stack lists the calls that thread i is in, innermost first.
func (m *Machine) Stack(i int) []Frame { return m.calls(m.Thread[i]) }

func (m *Machine) calls(t *state.Thread) []Frame {
	var list []Frame
	for i := len(t.Frames) - 1; i >= 0; i-- {
		f := &t.Frames[i]
		fn := f.Code.Func
		if fn.Harness { // nobody's code
			continue
		}
		list = append(list, Frame{Place: m.placeIn(f), Library: library(f), Model: fn.Model || fn.External})
	}
	return list
}

// place is where a thread stands, be it in the library.
func (m *Machine) place(t *state.Thread) Place {
	f := t.Top()
	if f.Code == m.img.crash {
		return m.codeAt(m.Words(t.Panics, 5)[panicPos])
	}
	return m.placeIn(f)
}

// userPlace is where a thread stands in the program's own code.
func (m *Machine) userPlace(t *state.Thread) Place {
	if f := m.userFrame(t); f != nil {
		return m.placeIn(f)
	}
	return m.place(t)
}

// codeAt is the place of an instruction, given as function ID<<32 | index.
func (m *Machine) codeAt(pos uint64) Place {
	f := m.img.Codes[pos>>32]
	return m.placeAt(f.PositionNear(int(uint32(pos))), f.Func.Short)
}
