package checker

import "pangolin/internal/certificate"

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
	goals []goal  // all that there have been: lists that have their ends in common
	trail []int32 // nodes of the claim with a cell, in this order
}

// goal is a word of the claim and the word of the memory at the same place.
type goal struct {
	claim, real word
	rest        int32 // the goals behind it; -1: none
}

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
	e.goals, e.trail = e.goals[:0], e.trail[:0]
	list := e.push(ref(0, 0), ref(0, 0), -1)
	for i := len(pairs) - 1; i >= 0; i-- {
		list = e.push(pairs[i].claim, pairs[i].real, list)
	}
	return e.solve(list)
}

// push puts a goal in front of others.
func (e *embedding) push(claim, real word, rest int32) int32 {
	e.goals = append(e.goals, goal{claim, real, rest})
	return int32(len(e.goals) - 1)
}

// within says whether a word is one of those that a word of a claim stands for; neither is an address.
func within(claim, real word) bool {
	if claim.Form == certificate.Top {
		return real.Form == certificate.Const || real.Form == certificate.Item || real.Form == certificate.Top
	}
	return claim == real
}

// solve pursues goals, the first one first.
func (e *embedding) solve(goals int32) bool {
	for goals >= 0 {
		x := e.goals[goals]
		goals = x.rest
		switch {
		case !x.claim.IsRef():
			if x.real = e.skip(x.real); x.real.IsRef() || !within(x.claim, x.real) {
				return false
			}
		case e.claim[x.claim.N].chain:
			return e.chain(x)
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
func (e *embedding) bind(n, real int, goals int32) (int32, bool) {
	if e.to[n] >= 0 {
		return goals, e.to[n] == int32(real)
	}
	a, b := &e.claim[n], &e.g[real]
	if e.used[real] || a.typ != b.typ || len(a.words) != len(b.words) || a.private != b.private || a.offer != b.offer {
		return goals, false
	}
	for off, w := range a.words {
		if w != lost && !w.IsRef() && !b.words[off].IsRef() && !within(w, b.words[off]) {
			return goals, false
		}
	}
	e.to[n], e.used[real], e.trail = int32(real), true, append(e.trail, int32(n))
	for off, w := range a.words {
		if w != lost && (w.IsRef() || b.words[off].IsRef()) {
			goals = e.push(w, b.words[off], goals)
		}
	}
	return goals, true
}

// chain tries every row of the memory that a chain of the claim may stand for, the shortest one
// first, and pursues what is behind each.
func (e *embedding) chain(x goal) bool {
	n := x.claim.N
	d := &e.claim[n]
	if e.to[n] >= 0 { // a second word leads there
		return e.start[n] == x.real && e.solve(x.rest)
	}
	e.to[n], e.start[n] = 0, x.real
	first, last, opt := set(0), set(0), true
	var row []int32
	undo := func() bool {
		for _, m := range row {
			e.used[m] = false
		}
		e.to[n] = -1
		return false
	}
	for w := x.real; ; {
		w = e.skip(w)
		if (!opt || d.opt) && first&^d.first == 0 && last&^d.last == 0 && e.mayEnd(d.next, w) {
			bound, pushed := len(e.trail), len(e.goals)
			if e.solve(e.push(d.next, w, x.rest)) {
				return true
			}
			for _, c := range e.trail[bound:] {
				e.used[e.to[c]], e.to[c] = false, -1
			}
			e.trail, e.goals = e.trail[:bound], e.goals[:pushed]
		}
		if !w.IsRef() || w.Off != 0 || e.used[w.N] {
			return undo()
		}
		m := int(w.N)
		p, ok := e.part(m, d.all)
		if !ok {
			return undo()
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
