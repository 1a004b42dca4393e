package checker

// alignment says whether words of two graphs may lead to the same memory, as far as one can tell
// from the cells behind them, each for itself: whether two that must be the same are, is
// not asked. Cases of which it says no need not be followed. It only says no if it is certain.
type alignment struct {
	c     *Checker
	e, v  graph
	known []int8 // by the spots of both: 0 not asked yet, 1 they may, 2 they may not
	off   bool   // it says yes to everything
}

// spot is a word in a graph; if the chain to which it leads has begun, what is left of the chain,
// which has a cell.
type spot struct {
	w     word
	begun bool
}

func (p spot) number() int {
	n := 2 * int(p.w.N)
	if p.begun {
		n++
	}
	return n
}

// reset makes it about two other graphs.
func (t *alignment) reset(e, v graph) {
	t.e, t.v = e, v
	n := 4 * len(e) * len(v)
	if cap(t.known) < n {
		t.known = make([]int8, n)
	}
	t.known = t.known[:n]
	clear(t.known)
}

// may says whether the memory at p of e may be that at q of v.
func (t *alignment) may(p, q spot) bool {
	switch {
	case t.off:
		return true
	case !p.w.IsRef() && !q.w.IsRef():
		return compatible(p.w, q.w)
	case !q.w.IsRef():
		return t.e[p.w.N].mayEnd(p) && t.may(spot{w: t.e[p.w.N].next}, q)
	case !p.w.IsRef():
		return t.v[q.w.N].mayEnd(q) && t.may(p, spot{w: t.v[q.w.N].next})
	case p.w.Off != q.w.Off:
		return false
	}
	at := p.number()*2*len(t.v) + q.number()
	if t.known[at] == 0 {
		t.known[at] = 1 // who comes here again on the way has gone round
		if !t.behind(p, q) {
			t.known[at] = 2
		}
	}
	return t.known[at] == 1
}

// mayEnd says whether at a spot there may be no cell of the chain any more.
func (d *cell) mayEnd(p spot) bool { return d.chain && d.opt && !p.begun }

// behind looks at the first cells of both.
func (t *alignment) behind(p, q spot) bool {
	a, b := &t.e[p.w.N], &t.v[q.w.N]
	if a.mayEnd(p) && t.may(spot{w: a.next}, q) || b.mayEnd(q) && t.may(p, spot{w: b.next}) {
		return true
	}
	switch {
	case a.chain && b.chain:
		return t.chains(p, q)
	case a.chain:
		return t.cellOf(a.from(p), b, func(ends bool, link word) bool {
			return t.may(spot{p.w, true}, spot{w: link}) || ends && t.may(spot{w: a.next}, spot{w: link})
		}, a.last)
	case b.chain:
		return t.cellOf(b.from(q), a, func(ends bool, link word) bool {
			return t.may(spot{w: link}, spot{q.w, true}) || ends && t.may(spot{w: link}, spot{w: b.next})
		}, b.last)
	case a.typ != b.typ || len(a.words) != len(b.words) || a.private || b.private || !alike(a.offer, b.offer):
		return false
	}
	for off := range a.words {
		if t.c.types[a.typ].mutex[t.c.types[a.typ].at(off)] {
			if !lockedSo(a.words[off], b.words[off], q.w.N == 0) {
				return false
			}
		} else if !t.may(spot{w: a.words[off]}, spot{w: b.words[off]}) {
			return false
		}
	}
	return true
}

// from are the kinds with which a chain goes on.
func (d *cell) from(p spot) set {
	if p.begun {
		return d.all
	}
	return d.first
}

// cellOf says whether a cell may be one of some kinds of a chain, so that what is behind it fits.
func (t *alignment) cellOf(kinds set, d *cell, fits func(ends bool, link word) bool, last set) bool {
	link := t.c.types[d.typ].link
	for k := range t.c.kinds {
		if kinds.has(k) && t.c.kinds[k].compatible(t.c, d) && fits(last.has(k), d.words[link]) {
			return true
		}
	}
	return false
}

// chains looks at the first cells of two chains: each may end there or not.
func (t *alignment) chains(p, q spot) bool {
	a, b := &t.e[p.w.N], &t.v[q.w.N]
	common := a.from(p) & b.from(q)
	onA, onB, endA, endB := spot{p.w, true}, spot{q.w, true}, spot{w: a.next}, spot{w: b.next}
	return common&a.last != 0 && (t.may(endA, onB) || common&b.last != 0 && t.may(endA, endB)) ||
		common&b.last != 0 && t.may(onA, endB) ||
		common != 0 && !(p.begun && q.begun) && t.may(onA, onB)
}
