// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Site is where a thread stands in some of the functions of a program, at an access or at the
// call in which it is made, and what the access does.
type Site struct {
	Func, PC int
	Does     Doing
}

// Doing is what an access comes to, as far as a condition in the source could tell.
type Doing uint8

// The doings.
const (
	Other      Doing = iota // neither of those that follow: a lock, a channel, a map
	ReadsZero               // it reads nil, false or 0
	ReadsOther              // it reads something else
	Writes                  // it writes, and does nothing else
	Swapped                 // a compare-and-swap that is done
	NotSwapped              // and one that fails
)

// StandsAt is the site of the visible access that thread i stands at, in the innermost of the
// functions that are asked for (by their numbers); false: it stands in none of them.
func (m *Machine) StandsAt(i int, in []bool) (Site, bool) {
	t := m.Thread[i]
	for k := len(t.Frames) - 1; k >= 0; k-- {
		if f := &t.Frames[k]; in[f.Code.Func.ID] {
			return Site{f.Code.Func.ID, int(f.PC), m.does(t)}, true
		}
	}
	return Site{}, false
}

func (m *Machine) does(t *state.Thread) Doing {
	in := t.Instr()
	regs, consts := t.Registers(), m.img.Prog.Consts
	switch in.Op {
	case ir.OpStore, ir.OpAtomicStore:
		return Writes
	case ir.OpLoad, ir.OpAtomicLoad, ir.OpAtomicCAS:
	default:
		return Other
	}
	p := state.Operand(regs, consts, in.A)
	if p == 0 || in.Op == ir.OpLoad && in.T.Size == 0 {
		return Other
	}
	w := m.Words(p, 1)[0]
	switch {
	case in.Op == ir.OpAtomicCAS && w == state.Operand(regs, consts, in.B):
		return Swapped
	case in.Op == ir.OpAtomicCAS:
		return NotSwapped
	case w == 0:
		return ReadsZero
	}
	return ReadsOther
}

// PositionIn is where a site stands in the source, with its column.
func PositionIn(p *ir.Program, s Site) (Place, int) {
	f := p.Funcs[s.Func]
	place := Place{Function: f.Short}
	pos := f.Pos[s.PC]
	for pc := s.PC; pos.Line == 0 && pc > 0; pc-- {
		pos = f.Pos[pc-1]
	}
	if pos.Line != 0 && int(pos.File) < len(p.Files) {
		place.File, place.Line = p.Files[pos.File], int(pos.Line)
	}
	return place, int(pos.Col)
}
