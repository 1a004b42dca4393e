// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"pangolin/internal/certificate"
	"pangolin/internal/certificate/ranking"
)

// embedding compares a memory with a claim. The claim covers the memory if each cell of the claim is a cell of the
// memory, no two of them the same one, and each chain of the claim is a row of cells and chains of the memory to
// which nothing else leads. The certificate says how many nodes each row has.
type embedding struct {
	c     *Checker
	claim graph
	g     graph
	// by node of the claim: its cell in the memory; 0 for a chain that was met; -1: not met so far
	to    []int32
	start []word          // by chain of the claim: the word that leads to its row
	used  []bool          // by node of the memory: it is a cell of the claim, or part of a row
	goals []goal          // pairs of words still to be compared, the next one last
	rows  []goal          // chains of the claim still to be compared, when no pairs are left
	sizes []ranking.Sizes // by node of the claim: how many cells the row of a chain may have, see sizesFrom
}

// goal is a word of the claim and the word of the memory that must agree with it.
type goal struct{ claim, real word }

// covers says whether a claim covers memory g. pairs are words outside of the memory, such as registers, that must
// agree as well.
func (c *Checker) covers(claim, g graph, pairs []goal) bool {
	return c.fit.rows(func() match { return c.embed.compare(c, claim, g, pairs) })
}

// compare compares memory g with a claim.
func (e *embedding) compare(c *Checker, claim, g graph, pairs []goal) match {
	e.c, e.claim, e.g = c, claim, g
	e.to, e.start, e.used, e.goals, e.rows = e.to[:0], e.start[:0], e.used[:0], e.goals[:0], e.rows[:0]
	e.sizes = e.sizes[:0]
	for n := range claim {
		e.to, e.start = append(e.to, -1), append(e.start, zero)
		e.sizes = append(e.sizes, ranking.Sizes{1, uint64(claim[n].all), uint64(claim[n].all)})
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
		if result := e.row(int(x.claim.N), x.real); result != covered {
			return result
		}
	}
	return covered
}

// agree compares two words, and queues the nodes to which they lead.
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

// skip follows a word past chains that are certainly empty.
func (e *embedding) skip(w word) word {
	for e.g.isChain(w) && e.g[w.N].opt && e.g[w.N].all == 0 {
		w = e.g[w.N].next
	}
	return w
}

// bind identifies cell n of the claim with node real of the memory; false if they differ.
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

// row compares chain n of the claim with the row of nodes that begins at word w. The number of nodes is the next one
// of the fits.
func (e *embedding) row(n int, w word) match {
	d := &e.claim[n]
	first, last, opt := set(0), set(0), true
	least, exact := 0, true // number of cells
	for range e.c.fit.next() {
		w = e.skip(w)
		if !w.IsRef() || w.Off != 0 || e.used[w.N] {
			return tooLong
		}
		m := int(w.N)
		p, ok := e.part(m, d.all)
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
		if exact = exact && !e.g[m].chain; !p.opt {
			least++
		}
	}
	e.sizes[n] = sizesFrom(least, exact, first)
	e.goals = append(e.goals, goal{d.next, w})
	if opt && !d.opt || first&^d.first != 0 || last&^d.last != 0 {
		return differs
	}
	return covered
}

// within reports whether a word of the claim stands for a word of the memory; neither is an address.
func within(claim, real word) bool {
	if claim.Form == certificate.Top {
		return real.Form == certificate.Const || real.Form == certificate.Item || real.Form == certificate.Top
	}
	return claim == real
}

// part describes what a node contributes to a row: the kinds of its first and last cell, whether it may be empty, and the word after it.
type part struct {
	first, last set
	opt         bool
	next        word
}

// part returns node m of the memory as part of a chain whose cells have allowed kinds; false if it cannot be one. If a cell fits several
// kinds, the one that describes it exactly is taken.
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

// is reports whether a kind describes a cell that it covers exactly.
func (k *kind) is(d *cell, link int) bool {
	for off, w := range k.words {
		if off != link && w != d.words[off] {
			return false
		}
	}
	return true
}

// covers reports whether a cell is of a kind.
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

// sizesFrom are the sizes of a row with so many cells, or with more unless that is exact. kinds are those of its first cell.
func sizesFrom(least int, exact bool, kinds set) (s ranking.Sizes) {
	if least == 0 {
		s[0] = 1
	}
	if least == 1 || least == 0 && !exact {
		s[1] = uint64(kinds)
	}
	if least > 1 || !exact {
		s[2] = uint64(kinds)
	}
	return s
}
