// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"

	"pangolin/internal/ir"
	"pangolin/internal/vm/layout"
	"pangolin/internal/vm/state"
)

// Slices: three words, of pointer, length and capacity. The elements are those of an
// object, which cannot be told from an array's. Making, cutting and appending without
// reallocation touch no memory but the words of the slice; append, copy and clear do access
// elements, and are one access to the whole range, as one instruction in the race
// detector's eyes too.
//
// How far append grows a slice is seen by programs (cap), so that it is the runtime's own
// table (layout).

// sliceOp executes what makes, cuts and fills slices.
func (m *Machine) sliceOp(t *state.Thread, in *ir.Instr, regs []uint64) control {
	switch in.Op {
	case ir.OpMakeSlice:
		return m.makeSlice(t, in, regs)
	case ir.OpSlice, ir.OpSliceArr:
		return m.slice(t, in, regs)
	case ir.OpArrayPtr:
		return m.arrayPointer(t, in, regs)
	case ir.OpAppend:
		return m.appendOp(t, in, regs)
	case ir.OpCap:
		return m.capOp(t, in, regs)
	case ir.OpCopy:
		return m.copyOp(t, in, regs)
	default:
		return m.clearOp(t, in, regs)
	}
}

// maxElements bounds the elements of one slice; more cannot fit any limit.
const maxElements = 1 << 31

func (m *Machine) makeSlice(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	n, c := state.Operand(regs, consts, in.A), state.Operand(regs, consts, in.B)
	most := uint64(1 << 47)
	if in.T.Size == 0 { // elements of no size take no memory, however many there are
		most = 1 << 63
	}
	if n >= most {
		return m.throwError(t, "makeslice: len out of range")
	}
	if c < n || c >= most {
		return m.throwError(t, "makeslice: cap out of range")
	}
	if in.T.Size == 0 {
		setSlice(regs[in.Dst:], state.Pointer(m.Alloc(in.T, int(min(c, 1))), 0), n, c)
		return ctlNext
	}
	if c >= maxElements {
		m.Fail(FaultMemory, fmt.Sprintf("a slice of %d elements is too large", c))
		return ctlStop
	}
	setSlice(regs[in.Dst:], state.Pointer(m.Alloc(in.T, int(c)), 0), n, c)
	return ctlNext
}

func setSlice(dst []uint64, p, n, c uint64) { dst[0], dst[1], dst[2] = p, n, c }

// slice executes a[low:high:max] on a slice or a pointer to an array.
func (m *Machine) slice(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	p := state.Operand(regs, consts, in.A)
	var n, c uint64
	elem := in.T
	if in.Op == ir.OpSlice {
		n, c = state.Operand(regs, consts, in.A.Word(1)), state.Operand(regs, consts, in.A.Word(2))
	} else {
		if p == 0 {
			return m.throwError(t, nilMessage)
		}
		n, c, elem = uint64(in.T.Len), uint64(in.T.Len), in.T.Elem
	}
	lo, hi, top := uint64(0), n, c
	if in.C != ir.NoReg {
		hi = state.Operand(regs, consts, in.C)
	}
	if r := ir.Reg(in.N); r != ir.NoReg {
		top = state.Operand(regs, consts, r)
	}
	if in.B != ir.NoReg {
		lo = state.Operand(regs, consts, in.B)
	}
	open := c == state.OpenCap
	if open {
		need := hi
		if ir.Reg(in.N) != ir.NoReg {
			need, open = max(hi, top), false
		}
		if _, usual := m.Room(p, c, elem.Size); need <= usual {
			m.hasRoom(demand{p, c, need, elem}, func(int) bool { return m.asksForItself(t) })
		}
		if _, c = m.Room(p, c, elem.Size); open {
			top = c
		}
	}
	if msg := boundsError(in, [3]uint64{lo, hi, top}, c); msg != "" {
		return m.throwBounds(t, msg)
	}
	if open {
		setSlice(regs[in.Dst:], p+lo*uint64(elem.Size), hi-lo, state.OpenCap)
		return ctlNext
	}
	// A slice of nothing keeps the pointer it came from: one that points behind its object would be a pointer into
	// the next one to whoever compares it.
	if top > lo && p != 0 {
		p += lo * uint64(elem.Size)
	}
	setSlice(regs[in.Dst:], p, hi-lo, top-lo)
	return ctlNext
}

// boundsError gives the runtime's message for bad slice bounds (low, high and max, where c is
// what there is), or "".
func boundsError(in *ir.Instr, bounds [3]uint64, c uint64) string {
	lo, hi, top := bound{bounds[0], in.X&1 != 0}, bound{bounds[1], in.X&2 != 0}, bound{bounds[2], in.X&4 != 0}
	full := ir.Reg(in.N) != ir.NoReg
	limit := fmt.Sprintf(" with capacity %d", c)
	if in.Op == ir.OpSliceArr {
		limit = fmt.Sprintf(" with length %d", c)
	}
	switch {
	case full && top.x > c:
		return top.bad("[::%d]", limit)
	case full && hi.x > top.x:
		return hi.bad("[:%d:", fmt.Sprintf("%d]", top.x))
	case hi.x > top.x:
		return hi.bad("[:%d]", limit)
	case lo.x > hi.x && full:
		return lo.bad("[%d:", fmt.Sprintf("%d:]", hi.x))
	case lo.x > hi.x:
		return lo.bad("[%d:", fmt.Sprintf("%d]", hi.x))
	}
	return ""
}

// bound is a bound of a slice as the program has it: a number of 64 bits that is unsigned, or not.
type bound struct {
	x        uint64
	unsigned bool
}

// bad prints a bound that is out of range: what it exceeds is left out if it is negative.
func (b bound) bad(form, rest string) string {
	if b.unsigned || int64(b.x) >= 0 {
		return "slice bounds out of range " + fmt.Sprintf(form, b.x) + rest
	}
	s := "slice bounds out of range " + fmt.Sprintf(form, int64(b.x))
	if s[len(s)-1] != ']' {
		return s + "]"
	}
	return s
}

func (m *Machine) arrayPointer(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	n := state.Operand(regs, consts, in.A.Word(1))
	if n < uint64(in.N) {
		return m.throwBounds(t, fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", n, in.N))
	}
	regs[in.Dst] = state.Operand(regs, consts, in.A)
	return ctlNext
}

// appendOp reads the second operand and writes behind the first slice's
// elements: an access if either is shared.
func (m *Machine) appendOp(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	p, n, c := state.Operand(regs, consts, in.A), state.Operand(regs, consts, in.A.Word(1)), state.Operand(regs, consts, in.A.Word(2))
	var src []uint64
	size := in.T.Size
	if in.Ok {
		src = m.textBytes(state.Operand(regs, consts, in.B))
	} else {
		q, k := state.Operand(regs, consts, in.B), state.Operand(regs, consts, in.B.Word(1))
		if !m.gate(m.appendVisible(t, in, regs, k)) {
			return ctlStop
		}
		if size > 0 && k > 0 {
			src = m.Words(q, int(k)*size)
		} else {
			return m.appendEmpty(in, regs, n, k)
		}
	}
	if in.Ok && !m.gate(m.appendVisible(t, in, regs, uint64(len(src)))) {
		return ctlStop
	}
	k := uint64(len(src) / size)
	home := uint64(0)
	if in.C != ir.NoReg {
		home = state.Operand(regs, consts, in.C)
	}
	if n+k > c || c == state.OpenCap {
		if _, usual := m.Room(p, c, size); n+k > usual { // the source may be in the machine's memory, which moves when it grows
			src = append([]uint64(nil), src...)
		}
		d := demand{p, c, n + k, in.T}
		if !m.hasRoom(d, func(id int) bool { return m.ledTo(t, id, home) }) {
			p, c = m.moved(d, n, in.N != 0)
		}
		if m.Failure != nil {
			return ctlStop
		}
	}
	if k > 0 {
		m.writeRange(p+n*uint64(size), src, in.T)
	}
	setSlice(regs[in.Dst:], p, n+k, c)
	return ctlNext
}

// moved copies n elements of a slice to where there is room, and more, as append does.
func (m *Machine) moved(d demand, n uint64, open bool) (to, c uint64) {
	_, c = m.Room(d.p, d.c, d.elem.Size)
	c = layout.Grow(d.elem, c, d.need)
	id := m.Alloc(d.elem, int(c))
	if m.Failure != nil {
		return 0, 0
	}
	if open {
		m.Open(id, int(d.need)*d.elem.Size)
		c = state.OpenCap
	}
	to = state.Pointer(id, 0)
	copy(m.Words(to, int(n)*d.elem.Size), m.Words(d.p, int(n)*d.elem.Size))
	return to, c
}

// appendVisible says whether appending k elements is a scheduling point: it reads
// them, unless they come from a string, and either writes behind the slice's elements
// or reads these to copy them.
func (m *Machine) appendVisible(t *state.Thread, in *ir.Instr, regs []uint64, k uint64) bool {
	consts := m.img.Prog.Consts
	p, n, c := state.Operand(regs, consts, in.A), state.Operand(regs, consts, in.A.Word(1)), state.Operand(regs, consts, in.A.Word(2))
	size := in.T.Size
	if size == 0 || k == 0 {
		return false
	}
	visible := false
	if !in.Ok {
		visible = m.VisibleRead(t, state.Operand(regs, consts, in.B), int(k)*size)
	}
	// With room, it writes behind what the slice shows, where another slice of the same array may show it: two appends to one
	// array race. Without room, the old elements are read and the new array is nobody else's.
	// Where it is open whether there is room, it may do either.
	writes, reads := m.mayHaveRoom(p, c, n+k, size)
	if writes {
		q, words := m.behind(p, n, k, size)
		visible = m.VisibleWrite(t, q, words) || visible
	}
	if reads && n > 0 {
		visible = m.VisibleRead(t, p, int(n)*size) || visible
	}
	return visible
}

// mayHaveRoom says whether there may be room for need elements, and whether there may be none.
func (m *Machine) mayHaveRoom(p, c, need uint64, size int) (may, mayNot bool) {
	sure, usual := m.Room(p, c, size)
	if o := &m.Objs[p>>32]; c != state.OpenCap || need <= sure || o.Flags&state.IsOpen == 0 || o.Limited() && need > usual {
		return need <= usual, need > usual
	}
	return true, true
}

// behind are the words that k elements behind the first n ones take; the last element's of an array that is to be
// stretched, which stands for what is not there yet.
func (m *Machine) behind(p, n, k uint64, size int) (q uint64, words int) {
	q, words = p+n*uint64(size), int(k)*size
	if o := &m.Objs[p>>32]; state.Offset(q)+words > o.Words() {
		words = min(size, o.Words())
		q = state.Pointer(state.ObjectID(p), o.Words()-words)
	}
	return q, words
}

// appendEmpty appends k elements that have no words.
func (m *Machine) appendEmpty(in *ir.Instr, regs []uint64, n, k uint64) control {
	consts := m.img.Prog.Consts
	p, c := state.Operand(regs, consts, in.A), state.Operand(regs, consts, in.A.Word(2))
	if n+k > c {
		c = layout.Grow(in.T, c, n+k)
		p = state.Pointer(m.Alloc(in.T, int(c)), 0)
	}
	setSlice(regs[in.Dst:], p, n+k, c)
	return ctlNext
}

// writeRange stores several values of type t.
func (m *Machine) writeRange(p uint64, src []uint64, t *ir.Type) {
	id := state.ObjectID(p)
	m.Touch(id)
	m.CheckWrite(p, len(src))
	copy(m.Words(p, len(src)), src)
	info := m.img.Types[t.ID]
	if m.Objs[id].Flags&state.IsShared == 0 || len(info.Refs) == 0 {
		return
	}
	words := append([]uint64(nil), src...)
	for i := 0; i < len(words); i += t.Size {
		m.PublishWords(words[i:i+t.Size], info)
	}
}

func (m *Machine) copyOp(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	p, n := state.Operand(regs, consts, in.A), state.Operand(regs, consts, in.A.Word(1))
	var src []uint64
	q := uint64(0)
	if in.Ok {
		src = m.textBytes(state.Operand(regs, consts, in.B))
		n = min(n, uint64(len(src)))
	} else {
		q = state.Operand(regs, consts, in.B)
		n = min(n, state.Operand(regs, consts, in.B.Word(1)))
	}
	size := in.T.Size
	if n == 0 || size == 0 {
		regs[in.Dst] = n
		return ctlNext
	}
	visible := m.VisibleWrite(t, p, int(n)*size)
	if q != 0 {
		visible = m.VisibleRead(t, q, int(n)*size) || visible
	}
	if !m.gate(visible) {
		return ctlStop
	}
	if q != 0 {
		src = m.Words(q, int(n)*size)
	}
	m.writeRange(p, src[:int(n)*size], in.T)
	regs[in.Dst] = n
	return ctlNext
}

func (m *Machine) clearOp(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	p, n := state.Operand(regs, consts, in.A), int(state.Operand(regs, consts, in.A.Word(1)))
	if n == 0 || in.T.Size == 0 {
		return ctlNext
	}
	if !m.gate(m.VisibleWrite(t, p, n*in.T.Size)) {
		return ctlStop
	}
	m.Touch(state.ObjectID(p))
	m.CheckWrite(p, n*in.T.Size)
	clear(m.Words(p, n*in.T.Size))
	return ctlNext
}

// textBytes returns the bytes of a String word, one in each word.
func (m *Machine) textBytes(w uint64) []uint64 {
	s := m.Text(w)
	out := make([]uint64, len(s))
	for i := range len(s) {
		out[i] = uint64(s[i])
	}
	return out
}
