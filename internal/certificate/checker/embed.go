// SPDX-License-Identifier: BSD-3-Clause

package checker

import "pangolin/internal/certificate"

// embedding compares a memory with a claim: each cell of the claim is a cell of the memory, different ones are different, and
// each chain of the claim is a row of cells and chains of the memory that nothing else leads to, with as many nodes as the certificate says.
type embedding struct {
	c     *Checker
	claim graph
	g     graph
	to    []int32 // of nodes of the claim: the cell, or (of a chain) 0; -1: open
	start []word  // of chains of the claim: the word that led there
	used  []bool  // nodes of the memory
	goals []goal  // what is still to be compared, the last one first
	rows  []goal  // chains of the claim that are, when there is nothing else
}

// goal is a word of the claim and the word of the memory at the same place.
type goal struct{ claim, real word }

// covers says whether a claim covers a memory, with pairs of words that must agree besides
// those of the collection.
func (c *Checker) covers(claim, g graph, pairs []goal) bool {
	return c.fit.rows(func() match { return c.embed.compare(c, claim, g, pairs) })
}

func (e *embedding) compare(c *Checker, claim, g graph, pairs []goal) match {
	e.c, e.claim, e.g = c, claim, g
	e.to, e.start, e.used, e.goals, e.rows = e.to[:0], e.start[:0], e.used[:0], e.goals[:0], e.rows[:0]
	for range claim {
		e.to, e.start = append(e.to, -1), append(e.start, zero)
	}
	for range g {
		e.used = append(e.used, false)
	}
	e.goals = append(append(e.goals, pairs...), goal{ref(0, 0), ref(0, 0)})
	for len(e.goals) > 0 || len(e.rows) > 0 {
		if n := len(e.goals) - 1; n >= 0 {
			x := e.goals[n]
			if e.goals = e.goals[:n]; !e.agree(x.claim, x.real) {
				return differs
			}
			continue
		}
		x := e.rows[len(e.rows)-1]
		e.rows = e.rows[:len(e.rows)-1]
		if result := e.row(&e.claim[x.claim.N], x.real); result != covered {
			return result
		}
	}
	return covered
}

// agree compares two words at one place, and notes what they lead to for later.
func (e *embedding) agree(claim, real word) bool {
	n := int(claim.N)
	switch {
	case claim.IsRef() && e.claim[n].chain && e.to[n] < 0:
		e.to[n], e.start[n] = 0, real
		e.rows = append(e.rows, goal{claim, real})
		return true
	case claim.IsRef() && e.claim[n].chain: // a second word leads there
		return e.start[n] == real
	}
	real = e.skip(real)
	if !claim.IsRef() || !real.IsRef() {
		return !claim.IsRef() && !real.IsRef() && within(claim, real)
	}
	return !e.g[real.N].chain && real.Off == claim.Off && e.bind(n, int(real.N))
}

// skip goes on behind chains that certainly have no cells.
func (e *embedding) skip(w word) word {
	for e.g.isChain(w) && e.g[w.N].opt && e.g[w.N].all == 0 {
		w = e.g[w.N].next
	}
	return w
}

// bind makes a cell of the memory that of a node of the claim; false if it is not.
func (e *embedding) bind(n, real int) bool {
	if e.to[n] >= 0 {
		return e.to[n] == int32(real)
	}
	a, b := &e.claim[n], &e.g[real]
	if e.used[real] || a.typ != b.typ || len(a.words) != len(b.words) || a.private != b.private || a.offer != b.offer {
		return false
	}
	for off, w := range a.words {
		if w != lost && !w.IsRef() && !b.words[off].IsRef() && !within(w, b.words[off]) {
			return false
		}
	}
	e.to[n], e.used[real] = int32(real), true
	for off, w := range a.words {
		if w != lost && (w.IsRef() || b.words[off].IsRef()) {
			e.goals = append(e.goals, goal{w, b.words[off]})
		}
	}
	return true
}

// row compares a chain of the claim with the row of nodes that begins at a word.
func (e *embedding) row(d *cell, w word) match {
	first, last, opt := set(0), set(0), true
	for range e.c.fit.next() {
		w = e.skip(w)
		if !w.IsRef() || w.Off != 0 || e.used[w.N] {
			return tooLong
		}
		p, ok := e.part(int(w.N), d.all)
		if !ok {
			return tooLong
		}
		if opt {
			first |= p.first
		}
		if !p.opt {
			last = 0
		}
		last |= p.last
		opt = opt && p.opt
		e.used[w.N] = true
		w = p.next
	}
	e.goals = append(e.goals, goal{d.next, w})
	if opt && !d.opt || first&^d.first != 0 || last&^d.last != 0 {
		return differs
	}
	return covered
}

// within says whether a word is one of those that a word of a claim stands for; neither is an address.
func within(claim, real word) bool {
	if claim.Form == certificate.Top {
		return real.Form == certificate.Const || real.Form == certificate.Item || real.Form == certificate.Top
	}
	return claim == real
}

// part is what a node of the memory brings to a row of cells.
type part struct {
	first, last set
	opt         bool
	next        word
}

// part says what a node of the memory is as part of a chain whose cells have some kinds; false if it
// cannot be one. A cell has one kind there, if possible one that says all that is known of it.
func (e *embedding) part(m int, allowed set) (part, bool) {
	d := &e.g[m]
	if d.chain {
		return part{d.first, d.last, d.opt, d.next}, d.all&^allowed == 0
	}
	link := e.c.types[d.typ].link
	if d.private || link < 0 {
		return part{}, false
	}
	best := -1
	for k := range e.c.kinds {
		if x := &e.c.kinds[k]; allowed.has(k) && x.covers(d, link) && (best < 0 || x.is(d, link)) {
			best = k
		}
	}
	one := set(1) << max(best, 0)
	return part{one, one, false, d.words[link]}, best >= 0
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
