// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"math/bits"
	"slices"
	"strconv"
)

// set is a set of kinds, with None among them: bit k+1 stands for kind k.
type set uint64

// mostKinds is how many kinds a certificate may have.
const mostKinds = 62

func only(kind int) set { return 1 << (kind + 1) }

// each lists the elements.
func (s set) each() (out []int) {
	for ; s != 0; s &= s - 1 {
		out = append(out, bits.TrailingZeros64(uint64(s))-1)
	}
	return out
}

// cell is a linked cell. kind is None if it does not count. own: the call in progress has linked it in; a cell that was forgotten and found
// again is not called own, so false says nothing.
type cell struct {
	is   bool
	kind int
	own  bool
}

func (c *cell) counts() bool { return c.kind != None }

// gap is what is known of the cells between two named ones, as in certificates.
type gap struct{ kinds, below set }

// memory is what a thread knows of the linked cells. There is one gap more than cells: above the first, and below each.
type memory struct {
	empty bool
	cells []cell
	gaps  []gap
}

func (m *memory) clone() memory { return memory{m.empty, slices.Clone(m.cells), slices.Clone(m.gaps)} }

// anything is what a thread knows that knows nothing but the kind of the youngest cell that counts.
func anything(first, kinds int) memory {
	return memory{gaps: []gap{{kinds: 1<<(kinds+1) - 2, below: only(first)}}}
}

// firstFrom is the kinds that the first cell may have that counts among cell i and those below it.
func (m *memory) firstFrom(i int) set {
	switch {
	case i == len(m.cells):
		return only(None)
	case m.cells[i].counts():
		return only(m.cells[i].kind)
	}
	return m.gaps[i+1].below
}

// sharpen leaves out of gaps what cannot be there. It returns false if there is no such memory. below has for each kind those of the first
// cell below that counts.
//
// Nothing is left out that may be: let f be the first cell that counts below the upper end of a gap. It is in the gap, or it is the first one from
// the gap's lower end on. If the upper end counts, f is the first one below that cell. If nothing counts in the gap, f is the first one
// from the lower end on, which if the lower end does not count is the first one below that, so two gaps speak of one cell. And if something counts in the gap,
// f is in it: then one kind is in kinds and in below.
func (m *memory) sharpen(below []set) bool {
	if m.empty {
		m.gaps[0].kinds = 0
	}
	for changed := true; changed; {
		changed = false
		for i := len(m.gaps) - 1; i >= 0; i-- {
			was := m.gaps[i]
			g := was
			g.below &= g.kinds | m.firstFrom(i)
			if i > 0 && m.cells[i-1].counts() {
				g.below &= below[m.cells[i-1].kind]
			}
			if g.below&g.kinds == 0 {
				g.kinds = 0
			}
			if g.below == 0 {
				return false
			}
			if g.kinds == 0 && i < len(m.cells) && !m.cells[i].counts() && m.gaps[i+1].below != m.gaps[i+1].below&g.below {
				m.gaps[i+1].below &= g.below
				changed = true
			}
			m.gaps[i] = g
			changed = changed || g != was
		}
	}
	return true
}

// clear says that nothing counts in gaps from to below to, nor is a named cell between two of these that counts. It returns false if one is.
func (m *memory) clear(from, to int) bool {
	for i := from; i < to; i++ {
		m.gaps[i].kinds = 0
		if i > from && m.cells[i-1].counts() {
			return false
		}
	}
	return true
}

// cleared says whether it is certain that nothing counts in gaps from to below to, nor between two of these.
func (m *memory) cleared(from, to int) bool {
	for i := from; i < to; i++ {
		if m.gaps[i].kinds != 0 || i > from && m.cells[i-1].counts() {
			return false
		}
	}
	return true
}

// insert names a cell of gap i. Nothing counts between the gap's upper end and the cell.
func (m *memory) insert(i int, x cell) {
	under := gap{m.gaps[i].kinds, ^set(0)} // sharpen leaves out what is too much
	if !x.counts() {
		under.below = m.gaps[i].below // of one cell: nothing counts between the two upper ends
	}
	m.gaps[i].kinds = 0
	m.gaps = slices.Insert(m.gaps, i+1, under)
	m.cells = slices.Insert(m.cells, i, x)
}

// forget leaves out the cells that are not kept. A gap that has one in it is one with the gap below: its upper end, and so what is the first
// cell below that, stay.
func (m *memory) forget(kept func(i int) bool) {
	out := memory{empty: m.empty, gaps: []gap{m.gaps[0]}}
	for i, x := range m.cells {
		if kept(i) {
			out.cells = append(out.cells, x)
			out.gaps = append(out.gaps, m.gaps[i+1])
			continue
		}
		if len(out.cells) == 0 {
			out.empty = false
		}
		last := &out.gaps[len(out.gaps)-1]
		last.kinds |= m.gaps[i+1].kinds
		if x.counts() {
			last.kinds |= only(x.kind)
		}
	}
	*m = out
}

// within says whether what is known is known of the other one as well: it has the same cells, and no gap with less.
func (m *memory) within(other []gap) bool {
	for i, g := range m.gaps {
		if g.kinds&^other[i].kinds != 0 || g.below&^other[i].below != 0 {
			return false
		}
	}
	return true
}

// shape is the text of what has to be the same where one memory is within another one.
func (m *memory) shape() string {
	b := []byte{'f'}
	if m.empty {
		b[0] = 'e'
	}
	for _, x := range m.cells {
		b = append(b, ' ')
		for _, flag := range []bool{x.is, x.own} {
			b = strconv.AppendBool(b, flag)
		}
		b = strconv.AppendInt(b, int64(x.kind), 10)
	}
	return string(b)
}

// text is that of all.
func (m *memory) text() string {
	b := []byte(m.shape())
	for _, g := range m.gaps {
		b = strconv.AppendUint(append(b, '|'), uint64(g.kinds), 16)
		b = strconv.AppendUint(append(b, ' '), uint64(g.below), 16)
	}
	return string(b)
}
