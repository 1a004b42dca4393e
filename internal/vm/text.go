// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"unicode/utf8"

	"pangolin/internal/ir"
	"pangolin/internal/vm/format"
	"pangolin/internal/vm/layout"
	"pangolin/internal/vm/state"
)

// Instructions on strings. A string is a word, the number of an interned text
// (state/strings.go): equal texts have equal words, so that a string is compared and stored
// like an integer. What depends on the contents, such as the order of two strings, must ask
// for the text: numbers are given in the order of first appearance, which is another in
// each process.

// stringOp executes the instructions on strings.
func (m *Machine) stringOp(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	strings := m.img.Strings
	a := state.Operand(regs, consts, in.A)
	switch in.Op {
	case ir.OpConcat:
		b := state.Operand(regs, consts, in.B)
		switch { // nothing is copied where one of them is empty
		case a == 0:
			regs[in.Dst] = b
		case b == 0:
			regs[in.Dst] = a
		default:
			regs[in.Dst] = m.Join(m.Text(a), m.Text(b))
		}
	case ir.OpStrLen:
		regs[in.Dst] = uint64(len(m.Text(a)))
	case ir.OpStrIndex:
		s, i := m.Text(a), state.Operand(regs, consts, in.B)
		if i >= uint64(len(s)) {
			return m.throwBounds(t, outOfRange(i, uint64(len(s)), in.X != 0))
		}
		regs[in.Dst] = uint64(s[i])
	case ir.OpStrSlice:
		return m.stringSlice(t, in, regs)
	case ir.OpStrToBytes:
		m.newSlice(in, regs, m.textBytes(a))
	case ir.OpStrToRunes:
		var words []uint64
		for _, r := range m.Text(a) {
			words = append(words, uint64(r))
		}
		m.newSlice(in, regs, words)
	case ir.OpBytesToStr, ir.OpRunesToStr:
		return m.stringOf(t, in, regs)
	case ir.OpRuneToStr:
		r := rune(utf8.RuneError)
		if int64(a) >= 0 && a <= utf8.MaxRune {
			r = rune(a)
		}
		regs[in.Dst] = strings.Word(string(r))
	default:
		m.stringNext(in, regs)
	}
	return ctlNext
}

// newSlice makes a slice, of type in.T, of the given elements: what a conversion from a string gives. How much room
// there is behind them is open. In gc it is none behind a constant's.
func (m *Machine) newSlice(in *ir.Instr, regs []uint64, words []uint64) {
	room := len(words)
	if in.A >= 0 && in.X == 0 {
		room = int(layout.Fit(in.T.Elem, uint64(len(words))))
	}
	id := m.Alloc(in.T.Elem, room)
	if m.Failure != nil {
		return
	}
	copy(m.Words(state.Pointer(id, 0), len(words)), words)
	if in.X != 0 && len(words) > 0 {
		m.Lend(state.Pointer(id, 0), len(words), true)
	}
	c := uint64(room)
	if in.N != 0 {
		m.Open(id, len(words))
		c = state.OpenCap
	}
	setSlice(regs[in.Dst:], state.Pointer(id, 0), uint64(len(words)), c)
}

func (m *Machine) stringSlice(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	w := state.Operand(regs, consts, in.A)
	s := m.Text(w)
	lo, hi := uint64(0), uint64(len(s))
	if in.B != ir.NoReg {
		lo = state.Operand(regs, consts, in.B)
	}
	if in.C != ir.NoReg {
		hi = state.Operand(regs, consts, in.C)
	}
	switch {
	case hi > uint64(len(s)):
		return m.throwBounds(t, bound{hi, in.X&2 != 0}.bad("[:%d]", fmt.Sprintf(" with length %d", len(s))))
	case lo > hi:
		return m.throwBounds(t, bound{lo, in.X&1 != 0}.bad("[%d:", fmt.Sprintf("%d]", hi)))
	}
	if regs[in.Dst] = m.img.Strings.Word(s[lo:hi]); lo < hi {
		regs[in.Dst] |= w & state.Borrowed
	}
	return ctlNext
}

// stringOf makes a string of a slice of bytes or runes: an access if the slice is
// shared.
func (m *Machine) stringOf(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	p, n := state.Operand(regs, consts, in.A), int(state.Operand(regs, consts, in.A.Word(1)))
	if n == 0 {
		regs[in.Dst] = 0
		return ctlNext
	}
	if !m.gate(m.VisibleRead(t, p, n)) {
		return ctlStop
	}
	if in.Op == ir.OpRunesToStr {
		regs[in.Dst] = m.Join(format.Runes(m.Words(p, n)), "")
	} else {
		regs[in.Dst] = m.Join(string(format.Bytes(m.Words(p, n))), "")
	}
	if in.N != 0 && m.Failure == nil {
		m.Lend(p, n, false)
		regs[in.Dst] |= state.Borrowed
	}
	return ctlNext
}

func (m *Machine) stringNext(in *ir.Instr, regs []uint64) {
	s := m.Text(state.Operand(regs, m.img.Prog.Consts, in.A))
	i := int(regs[in.A+1])
	dst := regs[in.Dst:]
	if i >= len(s) {
		dst[0], dst[1], dst[2] = 0, 0, 0
		return
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	dst[0], dst[1], dst[2] = 1, uint64(i), uint64(int64(r))
	regs[in.A+1] = uint64(i + n)
}
