// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"fmt"
	"slices"
)

// write is what a step does that others notice: a cell is linked in, or the state is changed of one that counts.
type write struct {
	from, to int // the kinds of the youngest cell that counts, before and behind it
	linksIn  bool
	kind     int // of the cell that is linked in

	// Otherwise what the writer knows before it of the cell and of its pred, the first cell above it that counts; it has forgotten all other cells.
	before memory
	change
	under bool // something counts above both
}

// change is a change of the state of a cell that counts.
type change struct {
	at, pred     int // the cells, by their number; pred is -1 if the writer does not know it
	atTo, predTo int // their kinds behind it
}

// key is a text that is the same for writes that do the same to all other threads.
func (w *write) key() string {
	if w.linksIn {
		return fmt.Sprint(w.from, w.to, w.kind)
	}
	return fmt.Sprint(w.from, w.to, w.change, w.under, w.before.text())
}

// mayCountAbove are the kinds of cells that may be the first one above cell i that counts, and whether one is certain to be there.
func (m *memory) mayCountAbove(i int) (kinds set, certain bool) {
	for ; i >= 0; i-- {
		kinds |= m.gaps[i].kinds
		if i > 0 && m.cells[i-1].counts() {
			return kinds | only(m.cells[i-1].kind), true
		}
	}
	return kinds, false
}

// predOf is the first cell above cell i that counts; -1 if it is not certain.
func (m *memory) predOf(i int) int {
	for ; i > 0 && m.gaps[i].kinds == 0; i-- {
		if m.cells[i-1].counts() {
			return i - 1
		}
	}
	return -1
}

// become changes the kinds of the cells of a change. Behind it below of the gaps above them has what it may have now: nothing is left out of it
// that sharpen would not find. to is the kind of the youngest cell that counts.
func (m *memory) become(c *change, to int) {
	m.becomeOne(c.at, c.atTo)
	if c.pred >= 0 {
		m.becomeOne(c.pred, c.predTo)
	}
	m.gaps[0].below = only(to)
}

// becomeOne changes the kind of cell i. Where it was perhaps the first one that counts below the upper end of a gap, that is now the cell
// itself, or if it does not count any more what was the first one below it.
func (m *memory) becomeOne(i, to int) {
	was := only(m.cells[i].kind)
	m.cells[i].kind = to
	now := m.firstFrom(i)
	for k := i; k >= 0; k-- {
		if m.gaps[k].below&was != 0 {
			m.gaps[k].below |= now
		}
		if k > 0 && m.cells[k-1].counts() {
			return
		}
	}
}

// lay is a way to lay what a writer knows over what another thread knows, in the making: a memory with the cells that one of the two names.
type lay struct {
	memory
	writers []int  // where the cells of the writer are, as far as they are here
	others  []bool // whether the other thread names a cell
	its     int    // how many these are
}

// overlay gives what another thread may know behind a write: it has known of the linked cells what v says, and forgets nothing. below is as in sharpen.
//
// What the two know is true of one memory, at one moment. There each cell of the writer is one that the other thread names, or is in one of its gaps, and all
// stand in the order of their ages. So some way to merge the two lists is what is so, and all are tried. In it each gap is a part of one
// gap of each of the two: what counts there has a kind that both allow. below of the gap is what those say whose own gap has the same upper end. What both know together is
// sharpened, then the write is made in it, and then what the other thread does not name is forgotten.
//
// Two threads are in different calls, so no cell is linked in by both.
func overlay(w *write, v *memory, below []set) (out []memory) {
	if w.linksIn {
		m := v.clone()
		m.empty = false
		m.gaps[0].below = only(w.to)
		if w.kind != None {
			m.gaps[0].kinds |= only(w.kind)
		}
		if m.sharpen(below) {
			out = append(out, m)
		}
		return out
	}
	first := &lay{}
	first.gaps = []gap{{w.before.gaps[0].kinds & v.gaps[0].kinds, only(w.from)}}
	seen := map[string]bool{}
	lays(first, &w.before, v, func(l *lay) {
		m := l.clone()
		if !m.sharpen(below) {
			return
		}
		c := w.change
		c.at = l.writers[c.at]
		upper := c.at
		if c.pred >= 0 {
			c.pred = l.writers[c.pred]
			upper = c.pred
		}
		if above, _ := m.mayCountAbove(upper); w.under && above == 0 {
			return // something counts there, and nothing can
		}
		m.become(&c, w.to)
		m.forget(func(i int) bool { return l.others[i] })
		m.empty = v.empty // the write has changed nothing of what is above the cells
		if m.sharpen(below) && !seen[m.text()] {
			seen[m.text()] = true
			out = append(out, m)
		}
	})
	return out
}

// lays calls visit with each way to go on from l, in which all cells are.
func lays(l *lay, w, v *memory, visit func(*lay)) {
	i, k := len(l.writers), l.its
	if i == len(w.cells) && k == len(v.cells) {
		visit(l)
		return
	}
	if i < len(w.cells) && inGap(&w.cells[i], v, k) {
		lays(l.with(w, v, [2]bool{true, false}), w, v, visit)
	}
	if k < len(v.cells) && inGap(&v.cells[k], w, i) {
		lays(l.with(w, v, [2]bool{false, true}), w, v, visit)
	}
	if i < len(w.cells) && k < len(v.cells) {
		if x, y := &w.cells[i], &v.cells[k]; x.is == y.is && x.kind == y.kind && !(x.own && y.own) {
			lays(l.with(w, v, [2]bool{true, true}), w, v, visit)
		}
	}
}

// inGap says whether a cell that m does not name may be in its gap i.
func inGap(x *cell, m *memory, i int) bool {
	if i == 0 && m.empty {
		return false
	}
	return !x.counts() || m.gaps[i].kinds&only(x.kind) != 0
}

// with adds the next cell of the writer, of the other thread, or one that is both, and the gap below it.
func (l *lay) with(w, v *memory, whose [2]bool) *lay {
	i, k := len(l.writers), l.its
	out := &lay{memory: l.clone(), writers: slices.Clone(l.writers), others: append(slices.Clone(l.others), whose[1]), its: k}
	g := gap{below: ^set(0)}
	var x cell
	if whose[0] {
		x = w.cells[i]
		out.writers = append(out.writers, len(l.cells))
		i++
		g.below &= w.gaps[i].below
	}
	if whose[1] {
		x = v.cells[k]
		k++
		out.its = k
		g.below &= v.gaps[k].below
	}
	g.kinds = w.gaps[i].kinds & v.gaps[k].kinds
	out.cells, out.gaps = append(out.cells, x), append(out.gaps, g)
	return out
}
