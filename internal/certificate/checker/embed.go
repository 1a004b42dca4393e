package checker

import (
	"slices"

	"pangolin/internal/certificate"
)

// embedding looks for a way in which a memory is one of those that a claim stands for: each
// cell of the claim is a cell of the memory, different ones are different, and each chain of
// the claim is a row of cells and chains of the memory that nothing else leads to.
type embedding struct {
	c     *Checker
	claim graph
	g     graph
	to    []int32 // of nodes of the claim: the cell, or (of a chain) 1 + the word where it begins; -1: open
	start []word  // of chains of the claim: the word that led there
	used  []bool  // nodes of the memory
	goals []goal
}

// goal is a word of the claim and the word of the memory at the same place.
type goal struct{ claim, real word }

// covers says whether a claim covers a memory, with pairs of words that must agree besides
// those of the collection.
func (c *Checker) covers(claim, g graph, pairs []goal) bool {
	e := &c.embed
	e.c, e.claim, e.g = c, claim, g
	e.to, e.start, e.used = e.to[:0], e.start[:0], e.used[:0]
	for range claim {
		e.to, e.start = append(e.to, -1), append(e.start, zero)
	}
	for range g {
		e.used = append(e.used, false)
	}
	e.goals = append(e.goals[:0], goal{ref(0, 0), ref(0, 0)})
	for i := len(pairs) - 1; i >= 0; i-- {
		e.goals = append(e.goals, pairs[i])
	}
	return e.solve(e.goals)
}

// within says whether a word is one of those that a word of a claim stands for; neither is an address.
func within(claim, real word) bool {
	if claim.Form == certificate.Top {
		return real.Form == certificate.Const || real.Form == certificate.Item || real.Form == certificate.Top
	}
	return claim == real
}

// solve pursues goals, the last one first.
func (e *embedding) solve(goals []goal) bool {
	for len(goals) > 0 {
		x := goals[len(goals)-1]
		goals = goals[:len(goals)-1]
		switch {
		case !x.claim.IsRef():
			if x.real.IsRef() {
				if x.real = e.skip(x.real); x.real.IsRef() {
					return false
				}
			}
			if !within(x.claim, x.real) {
				return false
			}
		case e.claim[x.claim.N].chain:
			return e.chain(x, goals)
		default:
			x.real = e.skip(x.real)
			if !x.real.IsRef() || e.g[x.real.N].chain || x.real.Off != x.claim.Off {
				return false
			}
			var ok bool
			if goals, ok = e.bind(int(x.claim.N), int(x.real.N), goals); !ok {
				return false
			}
		}
	}
	return true
}

// skip goes on behind chains that certainly have no cells.
func (e *embedding) skip(w word) word {
	for e.g.isChain(w) && e.g[w.N].opt && e.g[w.N].all == 0 {
		w = e.g[w.N].next
	}
	return w
}

// bind makes a cell of the memory that of a node of the claim.
func (e *embedding) bind(n, real int, goals []goal) ([]goal, bool) {
	if e.to[n] >= 0 {
		return goals, e.to[n] == int32(real)
	}
	a, b := &e.claim[n], &e.g[real]
	if e.used[real] || a.typ != b.typ || a.private != b.private {
		return goals, false
	}
	for off, w := range a.words {
		if !w.IsRef() && !b.words[off].IsRef() && !within(w, b.words[off]) {
			return goals, false
		}
	}
	e.to[n], e.used[real] = int32(real), true
	for off, w := range a.words {
		if w.IsRef() || b.words[off].IsRef() {
			goals = append(goals, goal{w, b.words[off]})
		}
	}
	return goals, true
}

// chain tries every row of the memory that a chain of the claim may stand for, the shortest one first.
func (e *embedding) chain(x goal, goals []goal) bool {
	n := int(x.claim.N)
	d := &e.claim[n]
	if e.to[n] >= 0 { // a second word leads there
		return e.start[n] == x.real && e.solve(goals)
	}
	e.to[n], e.start[n] = 0, x.real
	first, last, opt := set(0), set(0), true
	var row []int32
	undo := func() {
		for _, m := range row {
			e.used[m] = false
		}
		e.to[n] = -1
	}
	for w := x.real; ; {
		w = e.skip(w)
		if (!opt || d.opt) && first&^d.first == 0 && last&^d.last == 0 && e.mayEnd(d.next, w) {
			to, used := slices.Clone(e.to), slices.Clone(e.used)
			if e.solve(append(slices.Clone(goals), goal{d.next, w})) {
				return true
			}
			e.to, e.used = to, used
		}
		if !w.IsRef() || w.Off != 0 || e.used[w.N] {
			undo()
			return false
		}
		m := int(w.N)
		p, ok := e.part(m, d.all)
		if !ok {
			undo()
			return false
		}
		if opt {
			first |= p.first
		}
		if !p.opt {
			last = 0
		}
		last |= p.last
		opt = opt && p.opt
		e.used[m] = true
		row = append(row, int32(m))
		w = p.next
	}
}

// mayEnd says whether what stands behind a chain may be what the claim says, at first sight.
func (e *embedding) mayEnd(claim, real word) bool {
	switch {
	case !claim.IsRef():
		return !real.IsRef() && within(claim, real)
	case e.claim[claim.N].chain:
		return true
	case !real.IsRef() || e.g[real.N].chain:
		return false
	case e.to[claim.N] >= 0:
		return e.to[claim.N] == real.N
	}
	return !e.used[real.N] && e.g[real.N].typ == e.claim[claim.N].typ
}

// part is a node of the memory as part of a chain whose cells have some kinds; false if it
// cannot be one. A cell has one kind there, if possible one that says all that is known of it.
func (e *embedding) part(m int, allowed set) (*cell, bool) {
	d := &e.g[m]
	if d.chain {
		return d, d.all&^allowed == 0
	}
	link := e.c.types[d.typ].link
	if d.private || link < 0 {
		return nil, false
	}
	best := -1
	for k := range e.c.kinds {
		if x := &e.c.kinds[k]; allowed.has(k) && x.covers(d, link) && (best < 0 || x.is(d, link)) {
			best = k
		}
	}
	if best < 0 {
		return nil, false
	}
	one := set(1) << best
	return &cell{all: one, first: one, last: one, next: d.words[link]}, true
}

// is says whether a kind says all that is known of a cell that it covers.
func (k *kind) is(d *cell, link int) bool {
	for off, w := range k.words {
		if off != link && w != d.words[off] {
			return false
		}
	}
	return true
}

// covers says whether a cell is of a kind.
func (k *kind) covers(d *cell, link int) bool {
	if k.typ != d.typ {
		return false
	}
	for off, w := range k.words {
		if off != link && (d.words[off].IsRef() || !within(w, d.words[off])) {
			return false
		}
	}
	return true
}
