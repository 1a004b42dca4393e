// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// memory executes an instruction that makes, names or accesses memory.
func (m *machine) memory(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	switch in.Op {
	case ir.OpNew:
		if in.T.Size > 255 || len(t.cells) >= mostCells {
			return m.outside(t, "a cell that is too large, or too many cells in one step")
		}
		f.Regs[in.Dst] = value{kind: cell, x: int32(len(t.cells)) << 8}
		t.cells = append(t.cells, make([]value, in.T.Size))
	case ir.OpMakeSlice:
		n := m.get(f, in.A)
		if n != m.get(f, in.B) {
			return m.outside(t, "a slice with room behind its end")
		}
		return m.slice(t, in, in.T, n)
	case ir.OpSliceArr: // all of an array that is new
		a := m.get(f, in.A)
		if a.kind != cell || a.x&255 != 0 || in.T.Class != ir.Array || slices.ContainsFunc(t.cells[a.x>>8], func(v value) bool { return v != null }) {
			return m.outside(t, "%s", in.Op)
		}
		n := constOf(int64(in.T.Len))
		for _, r := range []ir.Reg{in.B, in.C, ir.Reg(in.N)} {
			if r != ir.NoReg && m.get(f, r) != n && (r != in.B || m.get(f, r) != null) {
				return m.outside(t, "%s", in.Op)
			}
		}
		t.cells[a.x>>8] = nil // nothing may access it otherwise
		return m.slice(t, in, in.T.Elem, n)
	case ir.OpField:
		switch a := m.get(f, in.A); a.kind {
		case root, cell:
			a.x += in.N
			f.Regs[in.Dst] = a
		case elem:
			if in.N != 0 {
				return m.outside(t, "a field of an element")
			}
			f.Regs[in.Dst] = a
		case constant:
			return m.wrong(t, "it may follow a nil pointer")
		default:
			return m.outside(t, "a field of a cell that others may see")
		}
	case ir.OpElem:
		return m.index(t, f, in)
	case ir.OpLoad, ir.OpStore:
		return m.plain(t, f, in)
	case ir.OpAtomicLoad, ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicCAS, ir.OpAtomicAdd:
		return m.atomic(t, f, in)
	default:
		return m.outside(t, "%s", in.Op)
	}
	f.PC++
	return true
}

// slice makes the collection's slice.
func (m *machine) slice(t *thread, in *ir.Instr, elem *ir.Type, n value) bool {
	f := t.frames.Top()
	if !m.making || n.kind != constant || n.x < 1 || m.p.length != 0 || elem.Size != 1 || elem.Layout()[0] != ir.Pointer && elem.Layout()[0] != ir.Unsafe {
		return m.outside(t, "a slice that is not the collection's one slice of pointers, which its constructor makes")
	}
	m.p.length = n.x
	f.Regs[in.Dst], f.Regs[in.Dst+1], f.Regs[in.Dst+2] = value{kind: array}, n, n
	f.PC++
	return true
}

// index executes OpElem, with each class that the index may have. The index must be less than a counter, and the counters are at most what
// there are calls of Puts, which are as many as the slice has places.
func (m *machine) index(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	if m.get(f, in.A) != (value{kind: array}) {
		return m.outside(t, "an element of another slice than the collection's")
	}
	i := m.get(f, in.B)
	list := i.numbers(t.positive)
	if list == nil {
		return m.outside(t, "an index of which nothing is known")
	}
	for _, v := range list {
		if class(v.x) == negative || v.b != under {
			return m.wrong(t, "the index may be outside of the slice")
		}
		c := m.fork(t)
		c.set(in.B, v)
		c.set(in.Dst, value{kind: elem, x: v.x})
		c.frames.Top().PC++
	}
	return false
}

// plain executes a load or store that is not atomic: of what the thread alone knows, or of what nobody changes.
func (m *machine) plain(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	a := m.get(f, in.A)
	n := int32(in.T.Size)
	store := in.Op == ir.OpStore
	switch {
	case a == null:
		return m.wrong(t, "it may follow a nil pointer")
	case a.kind == cell:
		words := t.cells[a.x>>8]
		off := a.x & 255
		if int(off+n) > len(words) {
			return m.outside(t, "an access beyond a cell")
		}
		for i := range n {
			if !store {
				f.Regs[int32(in.Dst)+i] = words[off+i]
				continue
			}
			v := m.get(f, in.B.Word(int(i)))
			if v.kind == cell || v.kind == elem || v.kind == root {
				return m.outside(t, "a cell that leads to another one")
			}
			words[off+i] = v
		}
	case store:
		return m.outside(t, "a plain write of what others may see")
	case a.kind == box && n == 1:
		f.Regs[in.Dst] = value{kind: item, x: a.x}
	case a.kind == root && !m.making && a.x >= m.p.slice && a.x+n <= m.p.slice+ir.SliceWords:
		words := []value{{kind: array}, constOf(int64(m.p.length)), constOf(int64(m.p.length))}
		copy(f.Regs[in.Dst:], words[a.x-m.p.slice:][:n])
	default:
		return m.outside(t, "a plain read of what others may change")
	}
	f.PC++
	return true
}

// atomic executes an atomic access.
func (m *machine) atomic(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	a := m.get(f, in.A)
	switch {
	case a == null:
		return m.wrong(t, "it may follow a nil pointer")
	case a.kind == root || a.kind == elem:
	default:
		return m.outside(t, "an atomic access to something else than a number or a place of the collection")
	}
	if t.acted {
		return m.stop(t)
	}
	t.acted = true
	if a.kind == root {
		return m.count(t, f, in, m.p.counter(a.x))
	}
	return m.place(t, f, in, class(a.x))
}

// count executes an access to a counter.
func (m *machine) count(t *thread, f *engine.Frame[value], in *ir.Instr, i int) bool {
	switch {
	case i < 0:
		return m.outside(t, "an atomic access to something else than a number or a place of the collection")
	case in.Op == ir.OpAtomicLoad:
		f.Regs[in.Dst] = value{number, upTo, int32(t.shared.counters[i])}
		f.PC++
		return true
	case in.Op != ir.OpAtomicAdd || in.Num != ir.I64 || m.get(f, in.B) != constOf(1):
		return m.outside(t, "a write to a number of the collection that does not add 1")
	case m.p.ops[t.op-1].role != oracle.Put:
		return m.outside(t, "a number of the collection that not only Puts add to")
	case t.added>>i&1 != 0:
		return m.outside(t, "a Put that adds twice to a number of the collection")
	}
	was := t.shared.counters[i]
	t.added |= 1 << i
	f.Regs[in.Dst] = value{kind: next, x: int32(was)}
	f.PC++
	if was == lower || was == higher {
		t.shared.claimed[i][index(was)] = t.label
	}
	for _, c := range was.follows() {
		m.fork(t).shared.counters[i] = c
	}
	return false
}

// index is the number of a place that is followed.
func index(c class) int {
	if c == higher {
		return 1
	}
	return 0
}

// place executes an access to a place with a number of a class. What a place holds that is not followed is not known.
func (m *machine) place(t *thread, f *engine.Frame[value], in *ir.Instr, c class) bool {
	held := []label{none, other}
	if c == lower || c == higher {
		held = []label{t.shared.held[index(c)]}
	}
	for _, l := range held {
		n := m.fork(t)
		if !m.access(n, in, c, l) {
			m.work = slices.DeleteFunc(m.work, func(x *thread) bool { return x == n })
		}
		if m.alarm != nil {
			return false
		}
	}
	return false
}

// address is the address of a cell with an item, or nil.
func address(l label) value {
	if l == none {
		return null
	}
	return value{kind: box, x: int32(l)}
}

// access makes an access to a place that holds an item, or none; false if that cannot be, or there is an alarm.
func (m *machine) access(t *thread, in *ir.Instr, c class, held label) bool {
	f := t.frames.Top()
	if in.Op == ir.OpAtomicLoad {
		f.Regs[in.Dst] = address(held)
		f.PC++
		return true
	}
	put := m.get(f, in.B)
	switch in.Op {
	case ir.OpAtomicAdd:
		return m.outside(t, "a place that counts")
	case ir.OpAtomicCAS:
		put = m.get(f, in.C)
		if m.get(f, in.B) != null {
			return m.outside(t, "a comparison of addresses")
		}
		f.Regs[in.Dst] = truth(held == none)
		if held != none {
			m.covered.Note(f.Fn, f.PC, engine.Fails)
			f.PC++
			return true
		}
		m.covered.Note(f.Fn, f.PC, engine.Succeeds)
	}
	if in.Op == ir.OpAtomicSwap {
		f.Regs[in.Dst] = address(held)
	}
	role := m.p.ops[t.op-1].role
	switch {
	case held == none:
	case in.Op == ir.OpAtomicSwap && role == oracle.Take && t.got == none:
		t.got = held
		if held.followed() {
			if text := t.shared.take(held); text != "" {
				return m.wrong(t, "%s", text)
			}
		}
	case in.Op == ir.OpAtomicSwap:
		return m.wrong(t, "a Take takes two items, or a Put takes one")
	case held.followed():
		return m.wrong(t, "an item is overwritten")
	}
	now := none
	if put != null {
		l, ok := t.publish(put)
		if !ok {
			return m.outside(t, "a place is given something else than nil and a new cell with an item")
		}
		if role != oracle.Put || t.stored || l != t.label {
			return m.wrong(t, "a place is given another item than that of a Put, or a Put's item for a second time")
		}
		t.stored = true
		if l.followed() {
			if c != []class{lower, higher}[l-1] {
				return false // these are not the places of the two items
			}
			if t.shared.held[l-1] != none {
				return m.wrong(t, "two items are put into one place")
			}
			t.shared.puts[l-1] |= stored
		} else if (c == lower || c == higher) && t.shared.puts[index(c)]&stored != 0 {
			return m.wrong(t, "two items are put into one place")
		}
		now = l
	}
	if c == lower || c == higher {
		t.shared.held[index(c)] = now
	}
	f.PC++
	return true
}

// publish makes a cell one that others may see; ok is false if it has no item, or more than that.
func (t *thread) publish(v value) (l label, ok bool) {
	if v.kind != cell || v.x&255 != 0 || len(t.cells[v.x>>8]) != 1 || t.cells[v.x>>8][0].kind != item {
		return none, false
	}
	l = label(t.cells[v.x>>8][0].x)
	for i := range t.frames {
		for k, r := range t.frames[i].Regs {
			if r.kind == cell && r.x>>8 == v.x>>8 {
				t.frames[i].Regs[k] = address(l)
			}
		}
	}
	return l, true
}
