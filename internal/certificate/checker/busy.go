// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"slices"

	"pangolin/internal/certificate/ranking"
)

// A cell is busy while it is marked and the chain of the collection still leads to it: a node of a lazy list between its removal and its
// unlinking. If who makes a cell busy has its lock, and gives that back only when the cell is not busy any more, nobody else gets the lock of a busy
// cell. The checker notes what speaks against that; package ranking draws the conclusion.

// mark is the word that marks cells of a type: the one that says that they hold nothing, or where there is none the only word that others may write
// beside the link and the lock. -1: no cell of the type can be busy; each has to have one lock. Any choice is sound, for what is claimed of it is checked.
func (c *Checker) mark(typ int) int {
	l := &c.types[typ]
	locks, found := 0, []int{}
	for off := range l.mutable {
		switch {
		case off < len(l.mutex) && l.mutex[off]:
			locks++
		case l.mutable[off] && !l.item[off] && off != l.link:
			found = append(found, off)
		}
	}
	switch m := c.content.Mark; {
	case locks != 1:
	case m != nil && m.Type == typ:
		return m.Off
	case m == nil && len(found) == 1:
		return found[0]
	}
	return -1
}

// busy reports whether node n is busy.
func (c *Checker) busy(g graph, n int) certainty {
	d := &g[n]
	if d.chain || d.private {
		return never
	}
	off := c.mark(d.typ)
	switch {
	case off < 0 || d.words[off] == zero || !slices.Contains(c.behind(g, g[0].words[c.content.Word]), n):
		return never
	case known(d.words[off]):
		return certainly
	}
	return perhaps
}

// markedInside reports whether a cell of a chain may be marked.
func (c *Checker) markedInside(d *cell) bool {
	for k := range c.kinds {
		x := &c.kinds[k]
		if off := c.mark(x.typ); d.all.has(k) && off >= 0 && x.words[off] != zero {
			return true
		}
	}
	return false
}

// makesBusy notes which cells a write of so many words may have made busy: it marks them, or the chain leads to them now.
func (c *Checker) makesBusy(s *state, before graph, at word, words int) {
	if !c.watch.marks {
		return
	}
	was := c.behind(before, before[0].words[c.content.Word])
	for _, n := range c.behind(s.g, s.g[0].words[c.content.Word]) {
		d, news := &s.g[n], !slices.Contains(was, n)
		switch {
		case d.chain:
			if news && c.markedInside(d) {
				c.watch.loosen("cells that are marked may be linked again, at %s", c.here(s))
			}
		case !news && int(at.N) != n || c.busy(s.g, n) == never:
		case !news && (c.mark(d.typ) < int(at.Off) || c.mark(d.typ) >= int(at.Off)+words):
		case n >= 64 || !c.locked(s.g, n):
			c.watch.loosen("a cell may be marked, or linked again, by who does not have its lock, at %s", c.here(s))
		default:
			s.did.made |= 1 << n
		}
	}
}

// locked reports whether the thread has the lock of a cell that can be busy.
func (c *Checker) locked(g graph, n int) bool {
	for off, is := range c.types[g[n].typ].mutex {
		if is {
			return g[n].words[off] == mine
		}
	}
	return false
}

// releasing notes that a thread is about to give back the lock of a cell that may be busy.
func (c *Checker) releasing(s *state, n int) {
	w := c.watch
	if w == nil || w.from == nil || !w.marks {
		return
	}
	made := s.did.made>>n&1 != 0
	if made {
		s.did.made &^= 1 << n
	}
	if c.busy(s.g, n) == never {
		return
	}
	if made {
		w.loosen("the lock of a cell may be given back while it is marked and linked, at %s", c.here(s))
	}
	x := ranking.Release{From: w.from.number, Vars: c.leading(w.from, n), Text: c.here(s)}
	if !slices.Contains(w.g.Releases, x) {
		w.g.Releases = append(w.g.Releases, x)
	}
}

// keepsBusy returns the variables of a view behind a step that lead to cells which the step has made busy. A new collection has no busy cell.
func (c *Checker) keepsBusy(s *state, to *claim) (bits uint16) {
	w := c.watch
	for n := range s.g {
		switch {
		case w.from == nil:
			if d := &s.g[n]; c.busy(s.g, n) != never || d.chain && c.markedInside(d) {
				w.loosen("a new collection may have cells that are marked")
			}
		case s.did.made>>n&1 != 0:
			found := false
			for i, x := range w.g.Places[to.at].Vars {
				if y := s.holds(x); y.IsRef() && int(y.N) == n {
					bits |= 1 << i
					found = true
				}
			}
			if !found {
				w.loosen("no variable leads to a cell that has been marked, at %s", w.g.Places[to.at].Text)
			}
		}
	}
	return bits
}
