// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"fmt"
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// compute executes an instruction on numbers, items and addresses.
func (m *machine) compute(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	a := m.get(f, in.A)
	var b value
	if in.Op != ir.OpNot && in.Op != ir.OpConvert {
		b = m.get(f, in.B)
	}
	switch {
	case in.Op == ir.OpConvert:
		if in.Num != ir.I64 || ir.Num(in.N) != ir.I64 {
			if a.form == item {
				return m.outside(t, "an item that is converted to another type of numbers")
			}
			if !engine.IsInteger(in.Num) || !engine.IsInteger(ir.Num(in.N)) || a.form != constant || a.x < 0 || a.x > 127 {
				a = value{form: unknown}
			}
		}
		f.Regs[in.Dst] = a
		f.PC++
		return true
	case in.Op == ir.OpNot:
		return m.decided(t, in, a.form != constant, a == null)
	case in.Op == ir.OpEq || in.Op == ir.OpNe:
		same, known := m.equal(t, in, a, b)
		if m.alarm != nil {
			return false
		}
		return m.decided(t, in, !known, same == (in.Op == ir.OpEq))
	case a.form == item || b.form == item:
		return m.outside(t, "items that are compared by order")
	case isAddress(a) || isAddress(b):
		return m.outside(t, "%s of addresses", in.Op)
	case a.form == constant && b.form == constant && engine.IsOrdered(in.Num, int64(a.x), int64(b.x)):
		return m.decided(t, in, false, in.Op == ir.OpLt && a.x < b.x || in.Op == ir.OpLe && a.x <= b.x)
	}
	return m.decided(t, in, true, true)
}

// equal says whether two words are equal, and whether that is known.
func (m *machine) equal(t *thread, in *ir.Instr, a, b value) (same, known bool) {
	switch {
	case a.form == item && b.form == item:
		if in.Num != ir.I64 && in.Num != ir.Word {
			m.outside(t, "items that are compared as another type of numbers")
		}
		return a.x == b.x, a.x == 1 || b.x == 1
	case a.form == item || b.form == item:
		m.outside(t, "an item that is compared with a number")
		return false, false
	case isAddress(a) || isAddress(b): // two cells, or a cell and nil
		return a == b, a.form != unknown && b.form != unknown
	case a.form == constant && b.form == constant && engine.IsOrdered(in.Num, int64(a.x), int64(b.x)):
		return a.x == b.x, true
	}
	return false, false
}

func isAddress(v value) bool { return v.form == root || v.form == linked || v.form == private }

// decided goes on with the result of a comparison; open: with both.
func (m *machine) decided(t *thread, in *ir.Instr, open, result bool) bool {
	if open {
		c := m.fork(t)
		c.set(in.Dst, truth(!result))
		m.follow(c)
	}
	t.set(in.Dst, truth(result))
	t.frames.Top().PC++
	return true
}

// memory executes an instruction that makes, names or accesses memory.
func (m *machine) memory(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	switch in.Op {
	case ir.OpNew:
		if in.T.Size == 0 || in.T.Size > 255 || len(t.private) >= mostCells {
			return m.outside(t, "a cell that is too large, or has no words, or too many cells in one step")
		}
		f.Regs[in.Dst] = value{private, int32(len(t.private)) << 8}
		t.private = append(slices.Clip(t.private), secret{in.T, make([]value, in.T.Size)})
	case ir.OpField:
		a := m.get(f, in.A)
		switch {
		case a == null:
			return m.wrong(t, "it may follow a nil pointer")
		case !isAddress(a) || a.x&255+in.N > 255:
			return m.outside(t, "a field of something that is no cell")
		}
		a.x += in.N
		f.Regs[in.Dst] = a
	case ir.OpLoad, ir.OpStore, ir.OpAtomicLoad, ir.OpAtomicStore, ir.OpAtomicCAS:
		return m.access(t, f, in)
	default:
		return m.outside(t, "%s", in.Op)
	}
	f.PC++
	return true
}

// access executes a read or write, or stops before it.
func (m *machine) access(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	a := m.get(f, in.A)
	plain := in.Op == ir.OpLoad || in.Op == ir.OpStore
	switch {
	case a == null:
		return m.wrong(t, "it may follow a nil pointer")
	case a.form == private:
		return m.alone(t, f, in, a)
	case a.form != root && a.form != linked:
		return m.outside(t, "an access to something that is no cell")
	case m.making:
		return m.outside(t, "a constructor that shares what it makes")
	case a.form == linked && plain && in.Op == ir.OpLoad && in.T.Size == 1 && int(a.x&255) == m.words.item:
		f.Regs[in.Dst] = value{form: item}
		if t.cells[a.x>>8].is {
			f.Regs[in.Dst].x = 1
		}
		f.PC++
		return true
	case plain:
		return m.outside(t, "a plain access to what others may write")
	case t.acted:
		return m.stop(t)
	}
	t.acted = true
	switch i := int(a.x >> 8); {
	case a.form == root && a.x != 0:
		return m.outside(t, "an access to something that is no cell")
	case a.form == root:
		return m.head(t, f, in)
	case int(a.x&255) == m.words.link:
		return m.link(t, f, in, i)
	case int(a.x&255) == m.words.state:
		return m.state(t, f, in, i)
	}
	return m.outside(t, "an atomic access to an item")
}

// alone executes an access to a cell that the thread alone knows.
func (m *machine) alone(t *thread, f *engine.Frame[value], in *ir.Instr, a value) bool {
	words, off, n := t.private[a.x>>8].words, int(a.x&255), 1
	if in.Op == ir.OpLoad || in.Op == ir.OpStore {
		n = in.T.Size
	}
	if off+n > len(words) {
		return m.outside(t, "an access beyond a cell")
	}
	switch in.Op {
	case ir.OpLoad, ir.OpAtomicLoad:
		copy(f.Regs[in.Dst:], words[off:off+n])
	case ir.OpStore, ir.OpAtomicStore:
		for i := range n {
			words[off+i] = m.get(f, in.B.Word(i))
		}
	default:
		return m.outside(t, "a compare-and-swap of a cell that nobody else knows")
	}
	f.PC++
	return true
}

// head executes an access to the word that leads to the youngest cell.
func (m *machine) head(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	switch in.Op {
	case ir.OpAtomicLoad:
		m.loadHead(t, in)
		return false
	case ir.OpAtomicCAS:
		return m.push(t, f, in)
	}
	return m.outside(t, "a write to the collection that is no compare-and-swap")
}

// youngest is the address of the first of the cells that the thread knows, or nil.
func (t *thread) youngest() value {
	if len(t.cells) == 0 {
		return null
	}
	return value{form: linked}
}

// loadHead goes on with each cell to which head may lead.
func (m *machine) loadHead(t *thread, in *ir.Instr) {
	c := m.fork(t)
	c.empty = true
	c.set(in.Dst, c.youngest())
	m.follow(c)
	if t.empty || m.words == nil { // no step was met that links a cell in
		return
	}
	list := m.uncounted()
	if t.first != none {
		list = append(list, cell{is: true, kind: t.first})
	}
	for _, x := range list {
		c := m.fork(t)
		if x.counts() && !c.gaps[0].kinds.has(x.kind) {
			continue
		}
		c.insert(0, x)
		c.empty = true
		c.set(in.Dst, value{form: linked})
		m.follow(c)
	}
}

// push executes a compare-and-swap of head, which links a new cell in.
func (m *machine) push(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	old, now := m.get(f, in.B), m.get(f, in.C)
	if old != null && (old.form != linked || old.x&255 != 0) || now.form != private || now.x&255 != 0 {
		return m.outside(t, "a compare-and-swap of the collection that does not put a new cell in front of one that was there")
	}
	isFirst := old == t.youngest()
	if !isFirst || !t.empty {
		m.covered.Note(f.Fn, f.PC, engine.Fails)
		c := m.fork(t)
		c.set(in.Dst, null)
		m.follow(c)
	}
	if !isFirst {
		return false
	}
	m.covered.Note(f.Fn, f.PC, engine.Succeeds)
	c := m.fork(t)
	c.empty = true
	if !m.sharpen(c.first, &c.chain) {
		return false
	}
	if x, text := m.formed(c, now, old); text != "" {
		return m.outside(t, "%s", text)
	} else if !m.linkIn(c, now, x) {
		return m.wrong(t, "%s changes what is held in a way that it should not", m.p.ops[t.op].name)
	}
	c.set(in.Dst, truth(true))
	m.follow(c)
	return false
}

// formed looks at a new cell that is about to be linked in front of old, and gives what is known of it; the text says what keeps it from being one of the cells.
func (m *machine) formed(t *thread, at, old value) (x cell, text string) {
	s := t.private[at.x>>8]
	w := m.words
	if w == nil {
		if w = layoutOf(s); w == nil {
			return x, "a cell that is not an item, a state and a link"
		}
		m.words, m.grew = w, true
	}
	state := s.words[w.state]
	switch {
	case s.typ != w.typ || s.words[w.item].form != item:
		return x, "a cell that is not an item, a state and a link"
	case s.words[w.link] != old:
		return x, "a cell that is linked in and leads to something else than what was in front"
	case state.form != constant:
		return x, "a cell whose state is not known when it is linked in"
	}
	x = cell{is: s.words[w.item].x == 1, kind: none, own: true}
	if x.is && state.x != m.dead {
		id, ok := m.kindID(kind{op: t.op, found: m.isHeld(t.first), state: state.x})
		if !ok {
			return x, tooMany
		}
		x.kind = id
	}
	return x, ""
}

var tooMany = fmt.Sprintf("more than %d kinds of cells", mostKinds)

// layoutOf finds out where a cell has its words: one is an address, one holds an item, and one a number.
func layoutOf(s secret) *layout {
	kinds := s.typ.Layout()
	if len(kinds) != 3 {
		return nil
	}
	w := &layout{typ: s.typ, item: -1, state: -1, link: -1}
	for off, k := range kinds {
		switch {
		case k == ir.Pointer || k == ir.Unsafe:
			w.link = off
		case k == ir.Scalar && s.words[off].form == item:
			w.item = off
		case k == ir.Scalar:
			w.state = off
		}
	}
	if w.item < 0 || w.state < 0 || w.link < 0 {
		return nil
	}
	return w
}

// linkIn puts a new cell in front; false if what is held changes as it should not.
func (m *machine) linkIn(t *thread, at value, x cell) bool {
	was := t.first
	if x.counts() {
		m.learn(x.kind, bit(was))
		t.first = x.kind
	}
	if x.is && !x.counts() {
		m.end()
	}
	t.insert(0, x)
	t.gaps[1].below = bit(was)
	t.gaps[0].below = bit(t.first)
	t.empty = true
	t.words(func(v *value) {
		if v.form == private && v.x>>8 == at.x>>8 {
			*v = value{linked, v.x & 255}
		}
	})
	t.private[at.x>>8] = secret{typ: m.words.typ} // nothing leads to it
	t.effect = &effect{to: t.first, links: true, linked: x.kind}
	return m.changes(t, was)
}

// changes judges that what is held may have changed in a step, from what it was when the youngest cell that counts was of kind was.
func (m *machine) changes(t *thread, was int) bool {
	before, now := m.isHeld(was), m.isHeld(t.first)
	if before != now {
		role := m.p.ops[t.op].role
		if !t.is || t.changed || now && role != oracle.Add || !now && role != oracle.Remove {
			return false
		}
		t.changed = true
		m.did[deed{t.op, effectOf}] = true
	}
	t.see(now)
	return true
}

// link executes an access to the link of cell i.
func (m *machine) link(t *thread, f *engine.Frame[value], in *ir.Instr, i int) bool {
	if in.Op == ir.OpAtomicLoad {
		m.loadLink(t, in, i)
		return false
	}
	now := m.get(f, in.B)
	if in.Op == ir.OpAtomicCAS {
		now = m.get(f, in.C)
		m.covered.Note(f.Fn, f.PC, engine.Fails)
		c := m.fork(t)
		c.set(in.Dst, null)
		m.follow(c)
		m.covered.Note(f.Fn, f.PC, engine.Succeeds)
		t.set(in.Dst, truth(true))
	}
	to := len(t.cells)
	switch {
	case now.form == linked && now.x&255 == 0:
		to = int(now.x >> 8)
	case now != null:
		return m.outside(t, "a link to something else than a cell that was linked in")
	}
	if to <= i {
		return m.wrong(t, "a link may lead back to a cell that is not older")
	}
	for j := i + 1; j <= to; j++ {
		if t.gaps[j].kinds != 0 || j < to && t.cells[j].counts() {
			return m.wrong(t, "a link may pass over a cell that counts")
		}
	}
	f.PC++
	return true
}

// loadLink goes on with each cell to which the link of cell i may lead. Nothing counts between the two.
func (m *machine) loadLink(t *thread, in *ir.Instr, i int) {
	for j := i + 1; j <= len(t.cells); j++ { // gap j is above cell j
		list := m.uncounted()
		for _, k := range t.gaps[j].kinds.all() {
			list = append(list, cell{is: true, kind: k})
		}
		for _, x := range list {
			c := m.fork(t)
			c.clear(i+1, j-1)
			c.insert(j, x)
			c.set(in.Dst, value{linked, int32(j) << 8})
			m.follow(c)
		}
		c := m.fork(t)
		c.clear(i+1, j)
		if j == len(t.cells) {
			c.set(in.Dst, null)
			m.follow(c)
			return
		}
		c.set(in.Dst, value{linked, int32(j) << 8})
		m.follow(c)
		if t.cells[j].counts() {
			return
		}
	}
}

// clear notes that nothing counts in gaps from one to another.
func (l *chain) clear(from, to int) {
	for j := from; j <= to; j++ {
		l.gaps[j].kinds = 0
	}
}
