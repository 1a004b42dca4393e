// SPDX-License-Identifier: BSD-3-Clause

package transfer

import (
	"slices"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
)

// largest is how many words an object has at most.
const largest = 256

// memory executes an instruction about memory.
func (m *Machine) memory(t *thread, f *frame, in *ir.Instr) bool {
	switch in.Op {
	case ir.OpNew:
		if in.T.Size == 0 { // whether it has an address of its own is a decision
			return m.outside(t, "a variable of no size (%s)", in.T.Name)
		}
		if in.T.Size > largest {
			return m.outside(t, "an object of %d words", in.T.Size)
		}
		f.regs[in.Dst] = shape.Ref(t.view.New(in.T.ID, in.T.Size), 0)
	case ir.OpMakeClosure:
		return m.makeClosure(t, f, in)
	case ir.OpMakeSlice:
		return m.makeSlice(t, f, in)
	case ir.OpElem:
		return m.element(t, f, in)
	case ir.OpField:
		a := m.get(f, in.A)
		if !m.pointer(t, a) {
			return false
		}
		f.regs[in.Dst] = shape.Ref(a.Node(), a.Off()+int(in.N))
	case ir.OpArrayElem:
		a, i := m.get(f, in.A), m.get(f, in.B)
		if !m.pointer(t, a) {
			return false
		}
		if !i.IsConst() || i.Value() >= uint64(in.N) {
			return m.outside(t, "an element of an array that is not known")
		}
		f.regs[in.Dst] = shape.Ref(a.Node(), a.Off()+int(i.Value())*in.T.Size)
	case ir.OpCast:
		return m.outside(t, "an unsafe.Pointer")
	default:
		return m.access(t, f, in)
	}
	f.pc++
	return true
}

// pointer reports a pointer that may be nil.
func (m *Machine) pointer(t *thread, a shape.Word) bool {
	switch {
	case a.IsRef():
		return true
	case a == shape.Nil:
		return m.wrong(t, "it may go through a nil pointer")
	}
	return m.outside(t, "a pointer that is not known")
}

func (m *Machine) makeClosure(t *thread, f *frame, in *ir.Instr) bool {
	n := t.view.New(in.T.ID, in.T.Size)
	words := t.view.Of(n)
	words[0] = shape.FuncValue(int(in.N))
	at := 1
	for _, a := range m.d.Prog.Lists[in.X] {
		at += copy(words[at:], m.gets(f, a.Reg, a.Type.Size))
	}
	f.regs[in.Dst] = shape.Ref(n, 0)
	f.pc++
	return true
}

// access executes a read or write of memory, or stops before it.
func (m *Machine) access(t *thread, f *frame, in *ir.Instr) bool {
	a := m.get(f, in.A)
	if !m.pointer(t, a) {
		return false
	}
	n, write := 1, in.Op != ir.OpAtomicLoad && in.Op != ir.OpLoad
	if in.Op == ir.OpLoad || in.Op == ir.OpStore {
		n = in.T.Size
	}
	d := &t.view.Nodes[a.Node()]
	if a.Off()+n > int(d.N) {
		return m.outside(t, "an access beyond its object")
	}
	if n > 0 && d.Shared {
		visible, ok := m.visible(t, a, n, write)
		if !ok {
			return false
		}
		racy := visible && m.racy(t, a, n, in)
		site := t.site()
		settled := visible && !racy && !m.d.Returning(site) && m.settled(&t.view, a, in, func(r ir.Reg) shape.Word { return m.get(f, r) })
		if visible && !settled && t.moved && (!t.locked || racy) {
			return m.stop(t)
		}
		if m.unfold(t, a, n, in) {
			return false
		}
		switch {
		case settled && t.moved && slices.Contains(t.passed, site):
			m.d.SetReturning(site)
			m.Grew = true
			return false
		case settled && t.moved:
			m.d.Bury(&t.view.Heap, site)
			t.passed = append(slices.Clip(t.passed), site)
		case visible:
			t.moved, t.locked = true, false
		}
	}
	if in.Op != ir.OpStore && in.Op != ir.OpAtomicStore && !m.reads(t.view.Of(a.Node())[a.Off():a.Off()+n]) {
		return false
	}
	switch in.Op {
	case ir.OpLoad:
		copy(f.regs[in.Dst:], t.view.Of(a.Node())[a.Off():a.Off()+n])
	case ir.OpAtomicLoad:
		f.regs[in.Dst] = t.view.Get(a.Node(), a.Off())
	case ir.OpStore:
		return m.goOn(f, m.write(t, a, m.gets(f, in.B, n), true))
	default:
		return m.atomic(t, f, in, a)
	}
	f.pc++
	return true
}

func (m *Machine) goOn(f *frame, ok bool) bool {
	f.pc++
	return ok
}

// racy says whether an access may take part in a race, so that the thread has to stand before
// it even if it has just taken a lock: it is not atomic, or others are not.
func (m *Machine) racy(t *thread, a shape.Word, n int, in *ir.Instr) bool {
	typ := int(t.view.Nodes[a.Node()].Type)
	racy := false
	for off := a.Off(); off < a.Off()+n; off++ {
		if in.Op == ir.OpLoad || in.Op == ir.OpStore {
			m.Grew = m.d.SetPlain(typ, off) || m.Grew
		}
		racy = racy || m.d.Plain(typ, off)
	}
	return racy
}

// visible says whether an access to a shared node is one that others observe or influence.
func (m *Machine) visible(t *thread, a shape.Word, n int, write bool) (visible, ok bool) {
	typ := int(t.view.Nodes[a.Node()].Type)
	for off := a.Off(); off < a.Off()+n; off++ {
		if m.d.IsMutex(typ, off) {
			return false, m.outside(t, "a lock is copied or overwritten")
		}
		if write && m.d.SetMutable(typ, off) {
			m.Grew = true
		}
		visible = visible || m.d.Mutable(typ, off)
	}
	return visible, true
}

// settled says whether an atomic access to a shared word gives the same whenever it is made from
// now on, and changes nothing: a load of a word that keeps its value, a compare-and-swap of one that
// is not what it expects and never will be. get gives the operands.
func (m *Machine) settled(v *shape.View, a shape.Word, in *ir.Instr, get func(ir.Reg) shape.Word) bool {
	switch in.Op {
	case ir.OpAtomicLoad:
		return m.d.Final(&v.Heap, a.Node(), a.Off())
	case ir.OpAtomicCAS:
		return m.d.Gone(&v.Heap, a.Node(), a.Off(), get(in.B))
	}
	return false
}

// unfold splits the thread if one of the words that an instruction reads refers to a summary.
func (m *Machine) unfold(t *thread, a shape.Word, n int, in *ir.Instr) bool {
	if in.Op == ir.OpStore || in.Op == ir.OpAtomicStore {
		return false // what is overwritten is not looked at
	}
	for off := a.Off(); off < a.Off()+n; off++ {
		if t.view.IsSummary(t.view.Get(a.Node(), off)) {
			m.split(t, a.Node(), off)
			return true
		}
	}
	return false
}

// atomic executes an atomic access that writes.
func (m *Machine) atomic(t *thread, f *frame, in *ir.Instr, a shape.Word) bool {
	old, b := t.view.Get(a.Node(), a.Off()), m.get(f, in.B)
	switch in.Op {
	case ir.OpAtomicStore:
		return m.goOn(f, m.write(t, a, []shape.Word{b}, false))
	case ir.OpAtomicSwap:
		f.regs[in.Dst] = old
		return m.goOn(f, m.write(t, a, []shape.Word{b}, false))
	case ir.OpAtomicCAS:
		return m.compareAndSwap(t, f, in, a)
	}
	op := map[ir.Op]ir.Op{ir.OpAtomicAdd: ir.OpAdd, ir.OpAtomicAnd: ir.OpAnd, ir.OpAtomicOr: ir.OpOr}[in.Op]
	now, ok := arithmetic(&ir.Instr{Op: op, Num: in.Num}, old, b)
	if !ok {
		return m.outside(t, "%s in format %s", in.Op, in.Num)
	}
	f.regs[in.Dst] = old
	if in.Op == ir.OpAtomicAdd {
		f.regs[in.Dst] = now
	}
	return m.goOn(f, m.write(t, a, []shape.Word{now}, false))
}

func (m *Machine) compareAndSwap(t *thread, f *frame, in *ir.Instr, a shape.Word) bool {
	same, ok := equals(ir.Word, t.view.Get(a.Node(), a.Off()), m.get(f, in.B))
	if !ok {
		return m.outside(t, "a compare-and-swap of items")
	}
	if same.IsTop() {
		m.attempted(t, a)
		other := m.clone(t)
		g := other.top()
		m.Covered.Note(f.fn, f.pc, Failed)
		g.regs[in.Dst] = truth(false)
		g.pc++
		m.fork(other)
		same = truth(true)
	}
	f.regs[in.Dst] = same
	if same == shape.Nil {
		m.Covered.Note(f.fn, f.pc, Failed)
		m.attempted(t, a)
		f.pc++
		return true
	}
	m.Covered.Note(f.fn, f.pc, Succeeded)
	return m.goOn(f, m.write(t, a, []shape.Word{m.get(f, in.C)}, false))
}

// attempted tells others of a compare-and-swap that fails, at a word that somebody accesses without synchronisation. In the memory
// model it is write-like all the same, and so in a race with that access; others see it as a write of what is there.
func (m *Machine) attempted(t *thread, a shape.Word) {
	h := &t.view.Heap
	if d := &h.Nodes[a.Node()]; m.p == nil || !d.Shared || !m.d.Plain(int(d.Type), a.Off()) {
		return
	}
	m.result.Writes = append(m.result.Writes, Write{Heap: h.Clone(), Target: a, Words: []shape.Word{h.Get(a.Node(), a.Off())}, Func: t.top().fn, PC: t.top().pc})
}

// write changes words of a node, tells what others can observe of it, and judges it.
func (m *Machine) write(t *thread, a shape.Word, words []shape.Word, isPlain bool) bool {
	h := &t.view.Heap
	d := h.Nodes[a.Node()]
	for i, w := range words {
		switch {
		case w.IsData() && m.d.SetData(int(d.Type), a.Off()+i):
			m.Grew = true
		case w.IsTop() && m.d.HoldsData(int(d.Type), a.Off()+i):
			return m.outside(t, "an item that is calculated is stored")
		}
	}
	if !d.Shared {
		copy(h.Of(a.Node())[a.Off():], words)
		return true
	}
	if m.p == nil || m.Grew {
		return m.outside(t, "the constructor shares what it makes")
	}
	for i, w := range words {
		if dead, some := h.DeadIn(w); some {
			return m.reads([]shape.Word{dead})
		}
		m.Grew = m.d.SetReplaced(h, a.Node(), a.Off()+i, w) || m.Grew
	}
	if m.Grew {
		return false
	}
	ended, err := m.p.Exchange(h, a, words, &t.view)
	if err != nil {
		return m.wrong(t, "%v", err)
	}
	before := h.Clone()
	m.result.Writes = append(m.result.Writes, Write{Heap: before, Target: a, Words: words, Plain: isPlain, Func: t.top().fn, PC: t.top().pc})
	copy(h.Of(a.Node())[a.Off():], words)
	for _, w := range words {
		h.Publish(w)
	}
	for _, n := range ended {
		h.Nodes[n].Offer = shape.Offer{}
	}
	if err := m.p.Step(&content.Write{Before: &before, After: h, At: a, N: len(words)}, &t.view); err != nil {
		return m.wrong(t, "%v", err)
	}
	return true
}

// The words of a lock.
const (
	Free   = shape.Nil
	Mine   = shape.Word(1) // Const(1): this thread holds it
	Others = shape.Word(2) // Const(2): another thread holds it; known of the collection's locks only
)

// lock takes a lock, or stops before.
func (m *Machine) lock(t *thread, a shape.Word) bool {
	if !m.pointer(t, a) {
		return false
	}
	if !m.d.IsMutex(int(t.view.Nodes[a.Node()].Type), a.Off()) {
		return m.outside(t, "a lock in memory of another type")
	}
	if t.view.Nodes[a.Node()].Shared {
		if t.moved && !t.locked {
			return m.stop(t)
		}
		t.moved, t.locked = true, true
	}
	switch t.view.Get(a.Node(), a.Off()) {
	case Mine:
		return m.wrong(t, "it may take a lock that it holds")
	case Others:
		return false // it waits
	}
	m.setLock(t, a, Mine, Taking)
	return m.done(t)
}

// unlock gives a lock back.
func (m *Machine) unlock(t *thread, a shape.Word) bool {
	if !m.pointer(t, a) {
		return false
	}
	if !m.d.IsMutex(int(t.view.Nodes[a.Node()].Type), a.Off()) {
		return m.outside(t, "a lock in memory of another type")
	}
	if a.Node() == 0 {
		if t.moved {
			return m.stop(t)
		}
		t.moved = true
	}
	t.locked = false // others may take the lock before the next access
	if t.view.Get(a.Node(), a.Off()) != Mine {
		return m.wrong(t, "it may unlock a lock that it does not hold")
	}
	m.setLock(t, a, Free, Giving)
	return m.done(t)
}

// setLock changes a lock. Others see that of the collection's locks only.
func (m *Machine) setLock(t *thread, a shape.Word, w shape.Word, l Locking) {
	if a.Node() == 0 {
		m.result.Writes = append(m.result.Writes, Write{Heap: t.view.Heap.Clone(), Target: a, Lock: l, Func: t.top().fn, PC: t.top().pc})
	}
	t.view.Put(a.Node(), a.Off(), w)
}
