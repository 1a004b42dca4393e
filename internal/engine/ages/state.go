// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"pangolin/internal/engine"
	"pangolin/internal/ir"
)

// above is what is known of the first cell that counts above another one.
type above uint8

const (
	uncertain above = iota
	nobody          // nothing counts above
	known           // it is one of the thread's cells
)

// counted says which cell is the youngest that counts.
type counted uint8

const (
	another counted = iota
	target          // the one whose state is written
	upper           // the first one that counts above it
)

// state executes an access to the state of cell i.
func (m *machine) state(t *thread, f *engine.Frame[value], in *ir.Instr, i int) bool {
	x := t.cells[i]
	was := value{form: unknown}
	if x.is {
		was = constOf(int64(m.stateOf(x.kind)))
	}
	if in.Op == ir.OpAtomicLoad {
		f.Regs[in.Dst] = was
		f.PC++
		return true
	}
	now := m.get(f, in.B)
	if in.Op == ir.OpAtomicCAS {
		now = m.get(f, in.C)
		old := m.get(f, in.B)
		if x.is && old.form != constant {
			return m.outside(t, "a compare-and-swap of a state with a number that is not known")
		}
		if old != was || !x.is {
			m.covered.Note(f.Fn, f.PC, engine.Fails)
			c := m.fork(t)
			c.set(in.Dst, null)
			m.follow(c)
		}
		if x.is && old != was {
			return false
		}
		m.covered.Note(f.Fn, f.PC, engine.Succeeds)
		t.set(in.Dst, truth(true))
	}
	f.PC++
	switch {
	case now.form != constant:
		return m.outside(t, "a state that is not known")
	case !x.is || now == was:
		return true
	case !x.counts():
		return m.wrong(t, "a cell that does not count any more is made to count again")
	}
	c := change{at: i, from: x.kind, to: none}
	if now.x == m.dead {
		m.end()
	} else {
		var ok bool
		if c.to, ok = m.inState(x.kind, now.x); !ok {
			return m.outside(t, "%s", tooMany)
		}
	}
	m.mark(t, c)
	return false
}

// stateOf is the state of a cell with item k.
func (m *machine) stateOf(kind int) int32 {
	if kind == none {
		return m.dead
	}
	return m.kinds[kind].state
}

// change is another kind for cell at; none: it does not count any more.
type change struct{ at, from, to int }

// mark changes the state of a cell that counts, in two cases: the cell, or the first one that counts above it where that is known, is the youngest that counts, or
// it is not.
func (m *machine) mark(t *thread, c change) {
	first, which := c.at, target
	if up, j := t.nearest(c.at); up == known {
		first, which = j, upper
	}
	youngest := t.copied()
	if youngest.makeFirst(first) && m.sharpen(youngest.first, &youngest.chain) {
		m.change(youngest, c, which)
	}
	if t.mayCountAbove(first) {
		m.change(t, c, another)
	}
}

// copied is another execution of the step, at the same instruction.
func (t *thread) copied() *thread {
	c := *t
	c.local = t.local.clone()
	return &c
}

// nearest is the first cell that counts above cell i.
func (l *chain) nearest(i int) (above, int) {
	for g := i; l.gaps[g].kinds == 0; g-- {
		switch {
		case g == 0:
			return nobody, -1
		case l.cells[g-1].counts():
			return known, g - 1
		}
	}
	return uncertain, -1
}

// makeFirst notes that no cell above cell i counts; false if one does.
func (l *chain) makeFirst(i int) bool {
	for j := range i {
		if l.cells[j].counts() {
			return false
		}
	}
	l.clear(0, i)
	return true
}

// mayCountAbove says whether a cell above cell i may count.
func (l *chain) mayCountAbove(i int) bool {
	for j := range i {
		if l.cells[j].counts() {
			return true
		}
	}
	for g := 0; g <= i; g++ {
		if l.gaps[g].kinds != 0 {
			return true
		}
	}
	return false
}

// change makes a change of a cell where which says whether it, or the first one that counts above it, is the youngest that counts.
func (m *machine) change(t *thread, c change, which counted) {
	below := t.gaps[c.at+1].below
	if which == target && c.to == none && below&(below-1) != 0 { // the youngest is one of several kinds then
		for _, b := range below.all() {
			n := t.copied()
			if n.gaps[c.at+1].below = bit(b); m.sharpen(n.first, &n.chain) {
				m.change(n, c, which)
			}
		}
		return
	}
	e := &effect{to: t.first, from: c.from, now: c.to, own: t.cells[c.at].own, which: which, below: below}
	now := bit(c.to)
	if c.to == none {
		now = below
	} else {
		m.learn(c.to, below)
	}
	up, j := nowhere, -1
	switch e.up, j = t.nearest(c.at); e.up {
	case known:
		up = place{at: j}
		x := &t.cells[j]
		e.upFrom, e.upTo, e.upOwn = x.kind, x.kind, x.own
		if x.own {
			var ok bool
			if e.upTo, ok = m.asDone(x.kind); !ok {
				m.outside(t, "%s", tooMany)
				return
			}
		}
		m.learn(e.upTo, now)
		if e.upTo != e.upFrom && which != upper {
			for _, r := range m.knowledge.above(e.upFrom) {
				m.learn(r, bit(e.upTo))
			}
		}
	case uncertain:
		for _, r := range m.knowledge.above(c.from) {
			m.learn(r, now)
		}
	}
	switch which {
	case target:
		e.to = only(now)
	case upper:
		e.to = e.upTo
	}
	was := t.first
	t.first, t.effect = e.to, e
	t.rewrite(e, place{at: c.at}, up)
	t.gaps[0].below = bit(t.first)
	if !m.changes(t, was) {
		m.wrong(t, "%s changes what is held in a way that it should not", m.p.ops[t.op].name)
		return
	}
	m.follow(t)
}

// only is the one kind of a set.
func only(s set) int { return s.all()[0] }
