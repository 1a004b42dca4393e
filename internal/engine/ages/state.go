// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
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
func (m *machine) state(t *thread, f *frame, in *ir.Instr, i int) bool {
	x := t.cells[i]
	value := value{form: unknown}
	if x.is {
		value = constOf(int64(m.stateOf(x.kind)))
	}
	if in.Op == ir.OpAtomicLoad {
		f.regs[in.Dst] = value
		f.pc++
		return true
	}
	now := m.get(f, in.B)
	if in.Op == ir.OpAtomicCAS {
		now = m.get(f, in.C)
		old := m.get(f, in.B)
		if x.is && old.form != constant {
			return m.outside(t, "a compare-and-swap of a state with a number that is not known")
		}
		if old != value || !x.is {
			m.note(f, failed)
			c := m.fork(t)
			c.set(in.Dst, null)
			m.follow(c)
		}
		if x.is && old != value {
			return false
		}
		m.note(f, succeeded)
		t.set(in.Dst, truth(true))
	}
	f.pc++
	switch {
	case now.form != constant:
		return m.outside(t, "a state that is not known")
	case !x.is || now == value:
		return true
	case !x.counts():
		return m.wrong(t, "a cell that does not count any more is made to count again")
	}
	c := change{at: i, from: x.kind, to: none}
	if now.x == m.dead {
		m.end()
	} else {
		var ok bool
		if c.to, ok = m.with(x.kind, now.x); !ok {
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

// change is what becomes of cell at.
type change struct{ at, from, to int }

// mark changes the state of a cell that counts, in each way in which it may be the youngest.
func (m *machine) mark(t *thread, c change) {
	up, j := t.nearest(c.at)
	ask, is, other := c.at, target, another
	if up == known {
		ask, is = j, upper
	}
	for _, which := range []counted{is, other} {
		n := *t
		n.local = t.local.clone()
		possible := n.notFirst(ask)
		if which == is {
			possible = n.makeFirst(ask)
		}
		if !possible || !m.sharpen(n.first, &n.chain) {
			continue
		}
		// what was uncertain may be known now
		m.change(&n, c, which)
	}
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

// notFirst says whether a cell above cell i may count.
func (l *chain) notFirst(i int) bool {
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

// change makes a change where it is known which cell is the youngest that counts, as far as that matters.
func (m *machine) change(t *thread, c change, which counted) {
	below := t.gaps[c.at+1].below
	if which == target && c.to == none && below&(below-1) != 0 { // the youngest is one of several kinds then
		for _, b := range below.all() {
			n := *t
			n.local = t.local.clone()
			if n.gaps[c.at+1].below = bit(b); m.sharpen(n.first, &n.chain) {
				m.change(&n, c, which)
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
	var j int
	switch e.up, j = t.nearest(c.at); e.up {
	case known:
		x := &t.cells[j]
		e.upFrom, e.upTo, e.upOwn = x.kind, x.kind, x.own
		if x.own {
			var ok bool
			if e.upTo, ok = m.isDone(x.kind); !ok {
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
	t.cells[c.at].kind = c.to
	if e.up == known {
		t.cells[j].kind = e.upTo
	}
	for g := 0; g <= c.at; g++ { // the first that counts below the upper end of the gap may be one of the two
		b := &t.gaps[g].below
		if b.has(c.from) {
			*b |= now
		}
		if e.up == known && b.has(e.upFrom) {
			*b |= bit(e.upTo)
		}
	}
	t.gaps[0].below = bit(t.first)
	if !m.changes(t, was) {
		m.wrong(t, "%s changes what is held in a way that it should not", m.p.ops[t.op].name)
		return
	}
	m.follow(t)
}

// only is the one kind of a set.
func only(s set) int { return s.all()[0] }
