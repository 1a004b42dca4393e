// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"slices"

	"pangolin/internal/certificate"
)

// write is the part of a step that others can observe.
type write struct {
	at    word
	words []word
	plain bool
	lock  string
}

// joint is one memory as two threads see it, a writer and another one: both graphs side by side, and which of their cells are known to be
// the same.
type joint struct {
	g     graph
	hers  []bool  // by node: it is the writer's
	same  []int32 // the other one's node for the same cell; -1: none is known
	apart []bool  // by node of the writer's: it is none of the other thread's cells
	todo  []place // places at which both must have the same word
	later []place // of these, those with a chain
}

// place is a word of a node of the writer's and of one of the other's.
type place struct{ n, off, m, offM int32 }

// clone copies a joint, into the memory of one that is no longer used if there is one.
func (c *Checker) clone(j *joint) *joint {
	x := &joint{}
	if n := len(c.spare); n > 0 {
		x, c.spare = c.spare[n-1], c.spare[:n-1]
	}
	x.g, x.hers, x.same = append(x.g[:0], j.g...), append(x.hers[:0], j.hers...), append(x.same[:0], j.same...)
	x.apart, x.todo, x.later = append(x.apart[:0], j.apart...), append(x.todo[:0], j.todo...), append(x.later[:0], j.later...)
	return x
}

// grow extends the lists for nodes that were added to one of the two graphs.
func (j *joint) grow(hers bool) {
	for len(j.same) < len(j.g) {
		j.same, j.hers, j.apart = append(j.same, -1), append(j.hers, hers), append(j.apart, false)
	}
}

// meet finds all memories that a thread with graph v and a writer with effect e may share before the write, and calls found with each: the
// graph of the thread, in which the nodes of v keep their numbers and which may be changed, and the write in its terms. The write's address
// is lost if the thread does not know the cell.
func (c *Checker) meet(v graph, e *effect, found func(g graph, w *write) error) error {
	hers, w := e.moved(len(v))
	j := c.clone(&joint{g: v})
	j.grow(false)
	j.g = append(j.g, hers...)
	j.grow(true)
	work := []*joint{j}
	if !c.unite(j, len(v), 0) {
		return nil
	}
	for len(work) > 0 {
		j := work[len(work)-1]
		work = work[:len(work)-1]
		more, done, err := c.advance(j, w)
		if err != nil {
			return err
		}
		if done {
			if err := found(c.result(j, w)); err != nil {
				return err
			}
		}
		if !slices.Contains(more, j) {
			c.spare = append(c.spare, j)
		}
		work = append(work, more...)
	}
	return nil
}

// moved is the effect with its nodes renumbered from by on.
func (e *effect) moved(by int) (graph, *write) {
	for len(e.shifted) <= by {
		e.shifted = append(e.shifted, nil)
	}
	if e.shifted[by] == nil {
		w := e.write
		w.at = move(w.at, by)
		w.words = slices.Clone(w.words)
		for i := range w.words {
			w.words[i] = move(w.words[i], by)
		}
		g := slices.Clone(e.g)
		for i := range g {
			g[i] = g[i].moved(by)
		}
		e.shifted[by] = &effect{g: g, write: w}
	}
	return e.shifted[by].g, &e.shifted[by].write
}

func move(w word, by int) word {
	if w.IsRef() {
		w.N += int32(by)
	}
	return w
}

func (d cell) moved(by int) cell {
	d.next = move(d.next, by)
	d.words = slices.Clone(d.words)
	for i := range d.words {
		d.words[i] = move(d.words[i], by)
	}
	return d
}

// advance follows the consequences of what is known to be the same. It returns the cases to continue with, or that there are no more.
func (c *Checker) advance(j *joint, w *write) (more []*joint, done bool, err error) {
	for len(j.todo) > 0 {
		p := j.todo[len(j.todo)-1]
		j.todo = j.todo[:len(j.todo)-1]
		a, b := j.g.get(int(p.n), int(p.off)), j.g.get(int(p.m), int(p.offM))
		switch {
		case j.g.isChain(a) || j.g.isChain(b):
			j.later = append(j.later, p)
		case a.IsRef() && b.IsRef():
			if a.Off != b.Off || !c.unite(j, int(a.N), int(b.N)) {
				return nil, false, nil
			}
		case a.IsRef() || b.IsRef() || !compatible(a, b):
			return nil, false, nil
		}
	}
	if n := len(j.later); n > 0 {
		p := j.later[n-1]
		j.later = j.later[:n-1]
		return c.split(j, p), false, nil
	}
	return c.locate(j, w)
}

// compatible says whether two words that are no addresses may be equal. A number may be an item of any class.
func compatible(a, b word) bool {
	return a == b || a == top || b == top || isItem(a) && known(b) || known(a) && isItem(b)
}

// unite identifies a cell of the writer's with one of the other's; false if they differ.
func (c *Checker) unite(j *joint, n, m int) bool {
	a, b := &j.g[n], &j.g[m]
	switch {
	case j.same[n] >= 0 || j.same[m] >= 0:
		return j.same[n] == int32(m)
	case a.chain || b.chain || a.typ != b.typ || len(a.words) != len(b.words) || a.private || b.private || !alike(a.offer, b.offer):
		return false
	}
	j.same[n], j.same[m] = int32(m), int32(n)
	for off := range a.words {
		if l := &c.types[a.typ]; !l.mutex[l.at(off)] {
			j.todo = append(j.todo, place{int32(n), int32(off), int32(m), int32(off)})
			continue
		}
		if !lockedSo(a.words[off], b.words[off], m == 0) {
			return false
		}
	}
	return true
}

// lockedSo reports whether two threads may see a lock in this way. That another thread holds it is known only of the collection's own
// locks.
func lockedSo(x, y word, own bool) bool {
	if x == mine || y == mine {
		return x != y && (!own || x == others || y == others)
	}
	return x == y
}

// compatible reports whether a cell may be of a kind. Only one of two threads may know that it is locked.
func (k *kind) compatible(c *Checker, d *cell) bool {
	if d.chain || d.private || d.typ != k.typ {
		return false
	}
	t := &c.types[d.typ]
	for off, a := range k.words {
		if off != t.link && !t.mutex[off] && (d.words[off].IsRef() || !compatible(a, d.words[off])) {
			return false
		}
	}
	return true
}

// split returns the cases of a place at which one of the two words leads to a chain.
func (c *Checker) split(j *joint, p place) (more []*joint) {
	a, b := j.g.get(int(p.n), int(p.off)), j.g.get(int(p.m), int(p.offM))
	ca, cb := j.g.isChain(a), j.g.isChain(b)
	if !ca && !cb { // it has become certain since
		j.todo = append(j.todo, p)
		return []*joint{j}
	}
	var cases []func(x *joint) bool
	if ca && j.g[a.N].opt {
		// hers has no cell; that of the other one has, if that both have none is part of another case
		alike := cb && j.g[a.N].first&j.g[b.N].first != 0 && j.g[a.N].last&j.g[b.N].last != 0
		cases = append(cases, func(x *joint) bool {
			x.g.put(int(p.n), int(p.off), x.g[a.N].next)
			if alike {
				x.g[b.N].opt = false
			}
			return true
		})
	}
	if cb && j.g[b.N].opt && !(ca && j.g[a.N].all == 0) {
		cases = append(cases, func(x *joint) bool { // the other one's has none, and hers, if it is one, has some
			if ca {
				x.g[a.N].opt = false
			}
			x.g.put(int(p.m), int(p.offM), x.g[b.N].next)
			return true
		})
	}
	if ca != cb {
		cases = append(cases, c.named(j, p)...)
	}
	again := len(cases)
	if ca && cb {
		cases = c.both(j, a, b, cases)
	}
	for i, change := range cases {
		x := j
		if i < len(cases)-1 {
			x = c.clone(j)
		}
		if change(x) {
			if i < again {
				x.todo = append(x.todo, p)
			}
			more = append(more, x)
		}
	}
	return more
}

// named returns the cases of a place at which one thread has a chain, and the other one knows its first cell.
func (c *Checker) named(j *joint, p place) (cases []func(x *joint) bool) {
	n, off := int(p.n), int(p.off)
	chain, w := j.g.get(n, off), j.g.get(int(p.m), int(p.offM))
	if !j.g.isChain(chain) {
		n, off, chain, w = int(p.m), int(p.offM), w, chain
	}
	if !w.IsRef() || w.Off != 0 || j.same[w.N] >= 0 {
		return nil
	}
	for k := range c.kinds {
		if j.g[chain.N].first.has(k) && c.kinds[k].compatible(c, &j.g[w.N]) {
			cases = append(cases, func(x *joint) bool {
				is := c.begin(&x.g, n, off, k)
				x.grow(x.hers[n])
				return is
			})
		}
	}
	return cases
}

// both returns the cases of two chains that begin at the same place: they are the same, perhaps empty; or both have cells, and one
// continues where the other ends.
func (c *Checker) both(j *joint, n, m word, cases []func(x *joint) bool) []func(x *joint) bool {
	a, b := j.g[n.N], j.g[m.N]
	common := b
	common.all, common.first, common.opt = a.all&b.all, a.first&b.first, a.opt && b.opt
	if common.first == 0 {
		return cases
	}
	add := func(common cell, longer *cell, end word, hers bool) {
		if common.last == 0 {
			return
		}
		cases = append(cases, func(x *joint) bool {
			x.g[n.N].opt, x.g[m.N] = common.opt, common
			if longer != nil {
				rest := *longer
				rest.first, rest.opt = longer.all, false
				x.g = append(x.g, rest)
				x.g[end.N].next = ref(len(x.g)-1, 0)
				x.grow(hers)
			}
			x.todo = append(x.todo, place{n: n.N, m: m.N})
			return true
		})
	}
	common.last = a.last & b.last
	add(common, nil, n, false)
	common.opt = false
	common.last = a.last & b.all
	add(common, &b, m, false)
	common.last = a.all & b.last
	add(common, &a, n, true)
	return cases
}

// locate identifies the other thread's cells with those that the write uses and that cannot be reached from the collection. Whether two
// such cells are the same is not known, so all cases are followed.
func (c *Checker) locate(j *joint, w *write) (more []*joint, done bool, err error) {
	if at := int(w.at.N); j.same[at] < 0 && !j.apart[at] {
		return c.choose(j, at)
	}
	var from []int
	for _, x := range w.words {
		if x.IsRef() {
			from = append(from, int(x.N))
		}
	}
	for i := 0; i < len(from); i++ { // from grows
		n := from[i]
		d := &j.g[n]
		switch {
		case j.same[n] >= 0:
			continue
		case d.chain:
			return nil, false, &Rejection{What: "a removed chain of cells is linked in again"}
		case !d.private && !j.apart[n]:
			return c.choose(j, n)
		}
		for _, x := range d.words {
			if x.IsRef() && !slices.Contains(from, int(x.N)) {
				from = append(from, int(x.N))
			}
		}
	}
	return nil, true, nil
}

// choose returns the cases in which a cell of the writer's, which cannot be reached from the collection, is one of the other's or none.
func (c *Checker) choose(j *joint, n int) (more []*joint, done bool, err error) {
	reached := j.g.reached(0)
	for m := range j.g {
		d := &j.g[m]
		switch {
		case j.hers[m] || reached[m] || d.private || j.same[m] >= 0:
		case d.chain:
			for k := range c.kinds {
				if d.all.has(k) && c.kinds[k].typ == j.g[n].typ {
					return nil, false, &Rejection{What: "a removed cell is written or linked in again, and another thread may know it as one of a chain"}
				}
			}
		default:
			if x := c.clone(j); c.unite(x, n, m) {
				more = append(more, x)
			}
		}
	}
	j.apart[n] = true
	return append(more, j), false, nil
}

// result is the other thread's graph with the writer's cells that it lacks. Their locks are free for it.
func (c *Checker) result(j *joint, w *write) (graph, *write) {
	translate := func(x word) word {
		if x.IsRef() && j.hers[x.N] && j.same[x.N] >= 0 {
			x.N = j.same[x.N]
		}
		return x
	}
	for n := range j.g {
		d := &j.g[n]
		if !j.hers[n] || d.chain || j.same[n] >= 0 {
			continue
		}
		d.words = slices.Clone(d.words)
		for i := range d.words {
			if d.words[i] = translate(d.words[i]); c.types[d.typ].mutex[c.types[d.typ].at(i)] {
				d.words[i] = free
			}
		}
	}
	out := &write{at: translate(w.at), plain: w.plain, lock: w.lock}
	if j.apart[w.at.N] {
		out.at = lost
	}
	for _, x := range w.words {
		out.words = append(out.words, translate(x))
	}
	return j.g, out
}

// after makes a write in graph g as another thread sees it.
func (c *Checker) after(g graph, w *write) {
	n, off := int(w.at.N), int(w.at.Off)
	switch w.lock {
	case certificate.Take:
		g.put(n, off, others)
	case certificate.Give:
		g.put(n, off, free)
	}
	g.handOver(w)
	for i, x := range w.words {
		g.put(n, off+i, x)
		g.publish(x)
	}
}
