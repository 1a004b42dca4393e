// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// collection is a new one: its words as the constructor leaves them, and its slices by number.
type collection struct {
	words    []value // an address of another cell is private
	layout   []ir.Kind
	slices   []int32
	chain    *ir.Type // the type of the cells of the chain
	sentinel []value
}

// collection takes what the constructor returns as the collection.
func (m *machine) collection(t *thread, results []value) bool {
	if len(results) != 1 || results[0].form != private || results[0].x != 0 {
		return m.outside(t, "a constructor that does not return a new object")
	}
	c := &m.made
	if c.words != nil {
		return m.outside(t, "a constructor that may do one thing or another")
	}
	c.words, c.layout = t.private[results[0].v].words, m.p.make.Results[0].Elem.Layout()
	first := c.words[m.front]
	if first.form != private || first.x != 0 {
		return m.outside(t, "a collection whose front leads to no cell")
	}
	m.fingers = []int32{int32(m.front)}
	leads := map[uint8]bool{}
	var slots []place
	for off := 0; off < len(c.words); off++ {
		switch v := c.words[off]; {
		case v == first:
			if off != m.front {
				m.fingers = append(m.fingers, int32(off))
			}
		case v.form == private:
			if v.x != 0 || leads[v.v] {
				return m.outside(t, "a collection in which two words lead to one cell")
			}
			leads[v.v] = true
		case v.form == slice:
			for i := range c.slices[v.x] {
				slots = append(slots, place{int32(off), i})
			}
			off += ir.SliceWords - 1
		case v == null && c.layout[off] != ir.Scalar:
			slots = append(slots, place{int32(off), -1})
		case v.form != constant:
			return m.outside(t, "a collection with a word of which nothing is known")
		}
	}
	if len(m.fingers) > mostFingers || len(slots) > mostSlots {
		return m.outside(t, "a collection with more than %d words that lead into the chain, or more than %d slots", mostFingers, mostSlots)
	}
	m.slots = slots
	c.chain, c.sentinel = t.private[first.v].typ, t.private[first.v].words
	if m.words == nil { // it is the first table: nothing is known of cells yet, and all positions are 0
		m.words = make([]part, c.chain.Size)
		m.bounds = newZone(m.of(0))
		clear(m.bounds.at)
	}
	return false
}

// mostFingers is how many words of the collection may lead into the chain.
const mostFingers = 3

// memory executes an instruction that makes, names or accesses memory.
func (m *machine) memory(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	switch in.Op {
	case ir.OpNew:
		if in.T.Size < 1 || in.T.Size > 255 || len(t.private) >= mostCells {
			return m.outside(t, "a cell without words or with too many, or too many cells in one step")
		}
		f.Regs[in.Dst] = value{form: private, v: uint8(len(t.private))}
		t.private = append(t.private, own{words: make([]value, in.T.Size), typ: in.T})
	case ir.OpMakeSlice:
		n := m.get(f, in.A)
		if !m.making || n.form != constant || n.x < 1 || n.x > mostSlots || n != m.get(f, in.B) || in.T.Size != 1 || in.T.Layout()[0] == ir.Scalar {
			return m.outside(t, "a slice that is not made by the constructor, of 1 to %d pointers", mostSlots)
		}
		f.Regs[in.Dst], f.Regs[in.Dst+1], f.Regs[in.Dst+2] = value{form: slice, x: int32(len(m.made.slices))}, n, n
		m.made.slices = append(m.made.slices, n.x)
	case ir.OpField:
		switch a := m.get(f, in.A); a.form {
		case root, cell, offer, private:
			a.x += in.N
			f.Regs[in.Dst] = a
		case slot:
			if in.N != 0 {
				return m.outside(t, "a field of an element")
			}
			f.Regs[in.Dst] = a
		case constant:
			return m.wrong(t, "it may follow a nil pointer")
		default:
			return m.outside(t, "a field of what a word of the collection always leads to")
		}
	case ir.OpElem:
		a, i := m.get(f, in.A), m.get(f, in.B)
		if a.form != slice || m.making {
			return m.outside(t, "an element of another slice than one of the collection's")
		}
		s := -1
		if i.form == constant {
			s = slices.Index(m.slots, place{a.x, i.x})
		}
		if s < 0 {
			return m.wrong(t, "the index may be outside of the slice")
		}
		f.Regs[in.Dst] = value{form: slot, x: int32(s)}
	case ir.OpCast:
		a := m.get(f, in.A)
		if a != null && (a.form != cell || a.x != 0 || in.T != m.made.chain) {
			return m.outside(t, "an address of memory of another type")
		}
		f.Regs[in.Dst] = a
	case ir.OpMakeIface, ir.OpAssert:
		return m.dynamic(t, f, in)
	case ir.OpLoad, ir.OpStore:
		return m.plainly(t, f, in)
	case ir.OpAtomicLoad, ir.OpAtomicStore, ir.OpAtomicCAS, ir.OpAtomicAdd:
		return m.atomically(t, f, in)
	default:
		return m.outside(t, "%s", in.Op)
	}
	f.PC++
	return true
}

// dynamic makes an interface value of a pointer, or asserts that it has the type that it was given, while the constructor is executed.
func (m *machine) dynamic(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	if a := m.get(f, in.A); m.making && in.Op == ir.OpMakeIface && in.T.Size == 1 && a.form == private {
		f.Regs[in.Dst], f.Regs[in.Dst+1] = value{form: dynamic, x: int32(in.T.ID)}, a
	} else if m.making && in.Op == ir.OpAssert && a == (value{form: dynamic, x: int32(in.T.ID)}) && !in.Ok {
		f.Regs[in.Dst] = m.get(f, in.A.Word(1))
	} else {
		return m.outside(t, "%s", in.Op)
	}
	f.PC++
	return true
}

// plainly executes a load or store that is not atomic.
func (m *machine) plainly(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	a := m.get(f, in.A)
	n := int(in.T.Size)
	if in.Op == ir.OpStore && a.form != private {
		if a == null {
			return m.wrong(t, "it may follow a nil pointer")
		}
		return m.wrong(t, "a plain write of what others may see")
	}
	for i := range n {
		at := a
		at.x += int32(i)
		if in.Op == ir.OpStore {
			if !m.write(t, at, m.get(f, in.B.Word(i))) {
				return false
			}
			continue
		}
		v, ok := m.read(t, at)
		if !ok {
			return false
		}
		f.Regs[int(in.Dst)+i] = v
	}
	f.PC++
	return true
}

// write writes a word of a private cell.
func (m *machine) write(t *thread, a, v value) bool {
	c := &t.private[a.v]
	switch {
	case int(a.x) >= len(c.words):
		return m.outside(t, "an access beyond a cell")
	case v.form == root || v.form == slot:
		return m.outside(t, "a cell that leads to a word of the collection")
	case c.shown > 0 && m.isOffered(c.shown-1, a.x):
		if m.offers[c.shown-1][a.x].claim != position {
			return m.wrong(t, "a plain write of what others may read")
		}
		m.withhold(c.shown-1, a.x)
	}
	c.words[a.x] = v
	return true
}

// read is a word that is read plainly.
func (m *machine) read(t *thread, a value) (v value, ok bool) {
	switch a.form {
	case constant:
		return v, m.wrong(t, "it may follow a nil pointer")
	case private:
		if c := &t.private[a.v]; int(a.x) < len(c.words) {
			return c.words[a.x], true
		}
	case cell:
		if int(a.x) >= len(m.words) {
			break
		}
		switch is := m.words[a.x]; {
		case is.claim == item:
			return value{form: itemCell, v: a.v, x: int32(is.n)}, true
		case is.claim == position, is.claim == open && m.guess(int(a.x)):
			return value{form: number, v: a.v}, true
		}
	case offer:
		if int(a.x) >= len(m.offers[a.c]) {
			break
		}
		switch p := m.offers[a.c][a.x]; p.claim {
		case item:
			return value{form: itemOffer, v: a.v, x: int32(p.n)}, true
		case position:
			return value{form: number, v: uint8(t.offers[a.v][1+p.n])}, true
		case link:
			return value{form: offer, v: a.v, c: uint8(p.n)}, true
		}
	case root:
		return m.constant(t, a.x)
	}
	return v, m.outside(t, "a plain read of what others may change")
}

// guess says whether a word of cells may be their position, until a cell is linked in: it is that of the first one.
func (m *machine) guess(i int) bool {
	return m.made.sentinel[i] == null && m.made.chain.Layout()[i] == ir.Scalar
}

// constant is a word of the collection that is never written.
func (m *machine) constant(t *thread, off int32) (v value, ok bool) {
	if m.making || int(off) >= len(m.made.words) || slices.Contains(m.fingers, off) || slices.Contains(m.slots, place{off, -1}) || m.atomic[off] {
		return v, m.outside(t, "a plain read of what others may change")
	}
	m.plain[off] = true
	switch v = m.made.words[off]; v.form {
	case private:
		return value{form: fixed, x: off}, true
	case slice:
		return value{form: slice, x: off}, true
	}
	return v, true
}

// atomically executes an atomic access.
func (m *machine) atomically(t *thread, f *engine.Frame[value], in *ir.Instr) bool {
	a := m.get(f, in.A)
	switch a.form {
	case constant:
		return m.wrong(t, "it may follow a nil pointer")
	case private:
		return m.alone(t, f, in, a)
	case root, slot, cell:
	default:
		return m.outside(t, "an atomic access to what others may see, other than the collection and links")
	}
	if m.making {
		return m.outside(t, "a constructor that accesses what others may see")
	}
	if t.acted {
		return m.stop(t)
	}
	t.acted = true
	switch {
	case a.form == slot:
		return m.handOver(t, in, int(a.x))
	case a.form == cell && m.isLink(int(a.x)):
		return m.follows(t, in, int(a.v))
	case a.form == cell:
		return m.outside(t, "an atomic access to a word of a cell that is no link")
	}
	if i := slices.Index(m.fingers, a.x); i >= 0 {
		return m.points(t, in, i)
	}
	if i := slices.Index(m.slots, place{a.x, -1}); i >= 0 {
		return m.handOver(t, in, i)
	}
	if int(a.x) >= len(m.made.words) || m.made.words[a.x].form != constant || m.made.layout[a.x] != ir.Scalar || m.plain[a.x] {
		return m.outside(t, "an atomic access to a word of the collection that has a pointer, or is read plainly as well")
	}
	m.atomic[a.x] = true
	for _, r := range []ir.Reg{in.B, in.C} {
		if r != ir.NoReg && in.Op != ir.OpAtomicLoad && m.get(f, r).isItem() {
			return m.outside(t, "an item in a word of the collection")
		}
	}
	if in.Dst != ir.NoReg && in.Op != ir.OpAtomicStore {
		f.Regs[in.Dst] = value{form: unknown}
	}
	f.PC++
	return true
}

// alone executes an atomic access to a private cell.
func (m *machine) alone(t *thread, f *engine.Frame[value], in *ir.Instr, a value) bool {
	was, ok := m.read(t, a)
	if !ok {
		return false
	}
	to := m.get(f, in.B)
	switch in.Op {
	case ir.OpAtomicLoad, ir.OpAtomicStore:
	case ir.OpAtomicCAS:
		if was.form != constant || to.form != constant {
			return m.outside(t, "a compare-and-swap of a word of a new cell")
		}
		done := was == to
		to = m.get(f, in.C)
		if !done {
			to = was
		}
		was = truth(done)
	default:
		return m.outside(t, "%s of a word of a new cell", in.Op)
	}
	if in.Op != ir.OpAtomicLoad && !m.write(t, a, to) {
		return false
	}
	if in.Op != ir.OpAtomicStore && in.Dst != ir.NoReg {
		f.Regs[in.Dst] = was
	}
	f.PC++
	return true
}

// isLink says whether a word of cells of the chain is the link: the first pointer that is accessed atomically, and nil in the sentinel.
func (m *machine) isLink(i int) bool {
	switch {
	case i >= len(m.words):
		return false
	case m.words[i].claim != open:
		return m.words[i].claim == link
	case m.made.sentinel[i] != null || m.made.chain.Layout()[i] == ir.Scalar || slices.ContainsFunc(m.words, func(p part) bool { return p.claim == link }):
		return false
	}
	m.words[i], m.grew = part{claim: link}, true
	return true
}

// follows executes an access to the link of the cell of the chain whose position variable v has.
func (m *machine) follows(t *thread, in *ir.Instr, v int) bool {
	f := t.frames.Top()
	p := m.of(v)
	switch in.Op {
	case ir.OpAtomicLoad:
		if c := t.gives(in, null); c.z.equal(p, m.end(), 0) {
			m.follow(c)
		}
		if n, ok := m.behind(t); ok {
			if t.z.learn(p, m.end(), -1) {
				t.z.equal(m.of(n), p, 1)
				f.Regs[in.Dst] = value{form: cell, v: uint8(n)}
				f.PC++
				return true
			}
		}
		return false
	case ir.OpAtomicCAS:
	default:
		return m.outside(t, "%s of a link", in.Op)
	}
	if m.get(f, in.B) != null {
		return m.outside(t, "a link that is replaced")
	}
	to := m.get(f, in.C)
	if to.form != private || to.x != 0 {
		return m.outside(t, "a link to something else than a new cell")
	}
	if c := t.gives(in, null); c.z.learn(p, m.end(), -1) {
		m.covered.Note(f.Fn, f.PC, engine.Fails)
		m.follow(c)
	}
	if !t.z.equal(p, m.end(), 0) {
		return false
	}
	m.covered.Note(f.Fn, f.PC, engine.Succeeds)
	f.Regs[in.Dst] = truth(true)
	return m.linkIn(t, int(to.v), p)
}

// behind is a new variable; false if there are too many.
func (m *machine) behind(t *thread) (int, bool) {
	if t.vars >= mostVars {
		return 0, m.outside(t, "a step in which a thread comes to more than %d cells", mostVars)
	}
	return t.variable(), true
}

// linkIn makes a private cell the last one of the chain, behind the one with position p.
func (m *machine) linkIn(t *thread, new, p int) bool {
	words := t.private[new].words
	switch {
	case m.p.ops[t.op].role != oracle.Put || t.did != nothing:
		return m.wrong(t, "a cell is linked in by something else than a Put that has its item still")
	case t.offered >= 0:
		return m.wrong(t, "a Put links its cell in while its item may be taken elsewhere")
	case len(words) != len(m.words) || t.private[new].typ != m.made.chain:
		return m.outside(t, "a cell of another type in the chain")
	}
	n, ok := m.behind(t)
	if !ok {
		return false
	}
	t.z.equal(m.of(n), p, 1)
	for i, v := range words {
		is := part{claim: anything}
		switch {
		case m.words[i].claim == link:
			if v != null {
				return m.wrong(t, "a cell is linked in that leads to another one")
			}
			continue
		case v.form == itemOwn:
			is = part{item, int(v.x)}
		case v.form == number && t.z.is(m.of(int(v.v)), m.of(n), -int(v.x)) && m.made.sentinel[i] == null:
			is.claim = position
		}
		if m.words[i].claim != open && m.words[i] != is {
			is = part{claim: anything}
		}
		if m.words[i] != is { // what offers hold may be known better, or worse, now
			m.words[i], m.offers, m.lent, m.grew = is, nil, false, true
		}
	}
	t.z.assign(m.end(), m.of(n), 0)
	t.replace(new, value{form: cell, v: uint8(n)})
	t.did, t.what = linked, n
	m.acts(t, "link")
	t.frames.Top().PC++
	return true
}

// replace gives all addresses of a private cell another meaning.
func (t *thread) replace(number int, by value) {
	change := func(list []value) {
		for i, v := range list {
			if v.form == private && int(v.v) == number {
				list[i] = by
				list[i].x = v.x
			}
		}
	}
	for i := range t.frames {
		change(t.frames[i].Regs)
	}
	for i := range t.private {
		change(t.private[i].words)
	}
}

// acts notes what a step does that others see.
func (m *machine) acts(t *thread, what string) {
	f := t.frames.Top()
	m.effects[effect{engine.Site{Fn: f.Fn, PC: f.PC}, what}] = true
}

// see notes, behind a step of a Take, that all items are taken whose Puts have returned, if that is certain. What was learnt in the step is so at the moment of its access.
func (m *machine) see(t *thread) {
	if m.p.ops[t.op].role == oracle.Take && t.z.le(m.returned(), 0, 0) {
		t.empty = true
	}
}

// points executes an access to a finger.
func (m *machine) points(t *thread, in *ir.Instr, i int) bool {
	f := t.frames.Top()
	if in.Op == ir.OpAtomicLoad {
		n, ok := m.behind(t)
		if !ok {
			return false
		}
		t.z.equal(m.of(n), i, 0)
		f.Regs[in.Dst] = value{form: cell, v: uint8(n)}
		f.PC++
		return true
	}
	to := m.get(f, in.B)
	if in.Op == ir.OpAtomicCAS {
		was := to
		to = m.get(f, in.C)
		if was.form != cell || was.x != 0 {
			return m.outside(t, "a compare-and-swap from something else than a cell of the chain")
		}
		e := m.of(int(was.v))
		c := t.gives(in, null)
		if !t.z.le(e, i, 0) || c.z.learn(e, i, -1) {
			m.covered.Note(f.Fn, f.PC, engine.Fails)
			m.follow(c)
		}
		if !t.z.equal(e, i, 0) {
			return false
		}
		m.covered.Note(f.Fn, f.PC, engine.Succeeds)
		f.Regs[in.Dst] = truth(true)
	} else if in.Op != ir.OpAtomicStore || i == 0 {
		return m.outside(t, "%s of a word that leads into the chain", in.Op)
	}
	if to.form != cell || to.x != 0 {
		return m.wrong(t, "a word that leads into the chain is given something else than a cell of it")
	}
	n := m.of(int(to.v))
	switch {
	case i > 0 && !t.z.le(i, n, 0):
		return m.wrong(t, "a word that leads into the chain may be given an earlier cell")
	case i == 0 && !t.z.is(n, 0, 1):
		return m.wrong(t, "the front may move to another cell than the next one")
	case i == 0 && (m.p.ops[t.op].role != oracle.Take || t.did != nothing):
		return m.wrong(t, "the front is moved by something else than a Take that has nothing yet")
	case i == 0:
		t.did, t.what, m.moved = tookCell, int(to.v), true
	}
	t.z.assign(i, n, 0)
	m.acts(t, "move")
	f.PC++
	return true
}
