// SPDX-License-Identifier: BSD-3-Clause

package ages

// effect is what others see of a step: a new cell, or another state of a cell that counts.
type effect struct {
	to     int  // the kind of the youngest cell that counts, behind the step
	links  bool // a cell is linked in
	linked int  // its kind; none: it does not count

	// of a cell whose state is written, the target
	from, now    int     // its kind before, and behind the step; none: it does not count then
	own          bool    // the writer's call has linked it in
	which        counted // the youngest cell that counts before the step
	up           above   // the first cell that counts above
	upFrom, upTo int     // its kinds before and behind the step
	upOwn        bool    // the writer's call has linked it in
	below        set     // the first that counts below the target
}

// key is the effect without what is joined.
func (e effect) key() effect {
	e.below = 0
	return e
}

// place is where a cell is among those that a thread knows: it is cell at, or in the gap at.
type place struct {
	at    int
	inGap bool
	deep  bool // in a gap: another cell that counts is above it in the same gap
}

// meet gives what a thread may know behind a step of another one, before which the youngest cell that counts was of kind first.
func (n *knowledge) meet(first int, e *effect, l *chain) (out []chain) {
	keep := func(c *chain) {
		c.gaps[0].below = bit(e.to)
		if n.sharpen(e.to, c) {
			out = append(out, *c)
		}
	}
	if e.links {
		c := l.clone()
		c.empty = false
		if e.linked != none {
			c.gaps[0].kinds |= bit(e.linked)
		}
		keep(&c)
		return out
	}
	for _, at := range l.places(e) {
		for _, up := range l.uppers(e, at) {
			c := l.clone()
			if !c.restrict(e, at, up) || !n.sharpen(first, &c) {
				continue
			}
			c.rewrite(e, at, up)
			keep(&c)
		}
	}
	return out
}

// places lists where the target of an effect may be.
func (l *chain) places(e *effect) (list []place) {
	for i := range l.cells {
		if c := &l.cells[i]; c.kind == e.from && !(c.own && e.own) {
			list = append(list, place{at: i})
		}
	}
	for g := range l.gaps {
		if l.gaps[g].kinds.has(e.from) {
			if l.gaps[g].below.has(e.from) {
				list = append(list, place{at: g, inGap: true})
			}
			list = append(list, place{at: g, inGap: true, deep: true})
		}
	}
	return list
}

// nowhere is the place of the first cell that counts above the target, where it does not matter.
var nowhere = place{at: -1}

// uppers lists where the first cell that counts above the target may be.
func (l *chain) uppers(e *effect, at place) (list []place) {
	switch {
	case e.up == nobody && at.deep:
		return nil
	case e.up != known:
		return []place{nowhere}
	case at.deep:
		if l.gaps[at.at].kinds.has(e.upFrom) {
			list = append(list, place{at: at.at, inGap: true})
		}
		return list
	}
	for g := at.at; ; g-- { // the gap above what has been looked at
		if g != at.at || !at.inGap {
			if l.gaps[g].kinds.has(e.upFrom) {
				list = append(list, place{at: g, inGap: true})
			}
		}
		if g == 0 {
			return list
		}
		if c := &l.cells[g-1]; c.counts() {
			if c.kind == e.upFrom && !(c.own && e.upOwn) {
				list = append(list, place{at: g - 1})
			}
			return list
		}
	}
}

// restrict notes what follows from where the cells of an effect are; false if that contradicts what is known.
func (l *chain) restrict(e *effect, at, up place) bool {
	if at.inGap && !at.deep {
		l.gaps[at.at].below = bit(e.from)
	}
	if !at.inGap {
		l.gaps[at.at+1].below &= e.below
	}
	if up != nowhere && !at.deep { // nothing that counts is between the two
		from := up.at + 1
		to := at.at
		if at.inGap {
			to--
		}
		l.clear(from, to)
	}
	switch e.which {
	case target:
		return !at.deep && l.highest(at, e.from)
	case upper:
		return l.highest(up, e.upFrom)
	}
	if e.up == known {
		return l.maybeUnder(up)
	}
	return at.deep || l.maybeUnder(at)
}

// highest notes that a cell of a kind is the youngest that counts; false if another one is.
func (l *chain) highest(at place, kind int) bool {
	if !at.inGap {
		return l.makeFirst(at.at)
	}
	for j := range at.at {
		if l.cells[j].counts() {
			return false
		}
	}
	l.clear(0, at.at-1)
	l.gaps[at.at].below &= bit(kind)
	return true
}

// maybeUnder says whether a cell above a place may count.
func (l *chain) maybeUnder(at place) bool {
	if at.inGap {
		return true
	}
	return l.mayCountAbove(at.at)
}

// rewrite makes the changes of an effect.
func (l *chain) rewrite(e *effect, at, up place) {
	now := bit(e.now)
	if e.now == none {
		now = e.below
	}
	switch {
	case !at.inGap:
		l.cells[at.at].kind = e.now
	case e.now != none:
		l.gaps[at.at].kinds |= bit(e.now)
	}
	switch {
	case up == nowhere:
	case up.inGap:
		l.gaps[up.at].kinds |= bit(e.upTo)
	default:
		l.cells[up.at].kind = e.upTo
	}
	last := at.at // the last gap that is above the target
	if at.deep {
		last--
	}
	for g := 0; g <= last; g++ {
		b := &l.gaps[g].below
		if b.has(e.from) {
			*b |= now
		}
	}
	if up != nowhere {
		for g := 0; g <= up.at; g++ {
			if b := &l.gaps[g].below; b.has(e.upFrom) {
				*b |= bit(e.upTo)
			}
		}
	}
	if at.inGap && !at.deep { // what was the first that counts is the target
		l.gaps[at.at].below = now
	}
}
