package checker

import (
	"slices"

	"pangolin/internal/certificate"
)

// write is what others can observe of a step.
type write struct {
	at    word
	words []word
	plain bool
	lock  string
}

// joint is one memory as two threads see it, one who writes and one who does not: the graphs
// of both, side by side, and which of their cells are known to be the same.
type joint struct {
	g     graph
	hers  []bool  // nodes of the writer's
	same  []int32 // the other one's node for the same cell; -1: none is known
	apart []bool  // writer's cells that are none of those of the other one
	todo  []place // where both must have the same word
	later []place // of these, those with a chain
}

// place is a word of a node of the writer's and of one of the other's.
type place struct{ n, off, m, offM int32 }

func (j *joint) clone() *joint {
	return &joint{slices.Clone(j.g), slices.Clone(j.hers), slices.Clone(j.same), slices.Clone(j.apart), slices.Clone(j.todo), slices.Clone(j.later)}
}

// grow notes nodes that were added, all of one side.
func (j *joint) grow(hers bool) {
	for len(j.same) < len(j.g) {
		j.same, j.hers, j.apart = append(j.same, -1), append(j.hers, hers), append(j.apart, false)
	}
}

// meet finds all memories that a thread with graph v and a writer with graph e may share
// before the write. Each comes with the graph of the thread, in which the nodes of v have
// their numbers, and the write in its terms; at is -1 if the thread does not know what is written.
func (c *Checker) meet(v, e graph, w *write, found func(g graph, w *write) error) error {
	if !c.mayMeet(v, e) {
		return nil
	}
	j := &joint{g: slices.Clone(v)}
	j.grow(false)
	shift := len(v)
	for _, d := range e {
		j.g = append(j.g, d.moved(shift))
	}
	j.grow(true)
	moved := *w
	moved.at = move(w.at, shift)
	moved.words = slices.Clone(w.words)
	for i := range moved.words {
		moved.words[i] = move(moved.words[i], shift)
	}
	if !c.unite(j, shift, 0) {
		return nil
	}
	work := []*joint{j}
	for len(work) > 0 {
		j := work[len(work)-1]
		work = work[:len(work)-1]
		more, done, err := c.advance(j, &moved)
		if err != nil {
			return err
		}
		work = append(work, more...)
		if done {
			if err := found(c.result(j, &moved)); err != nil {
				return err
			}
		}
	}
	return nil
}

// mayMeet says whether two threads may see the collection itself so.
func (c *Checker) mayMeet(v, e graph) bool {
	for off, a := range e[0].words {
		b := v[0].words[off]
		switch {
		case c.types[v[0].typ].mutex[off]:
			if !lockedSo(a, b, true) {
				return false
			}
		case e.isChain(a) || v.isChain(b):
		case a.IsRef() != b.IsRef() || !a.IsRef() && !compatible(a, b):
			return false
		}
	}
	return true
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

// advance pursues what must be the same. It gives the cases in which to go on, or says that
// all is laid out.
func (c *Checker) advance(j *joint, w *write) (more []*joint, done bool, err error) {
	for len(j.todo) > 0 {
		p := j.todo[len(j.todo)-1]
		j.todo = j.todo[:len(j.todo)-1]
		a, b := j.g.get(int(p.n), int(p.off)), j.g.get(int(p.m), int(p.offM))
		switch {
		case j.g.isChain(a) || j.g.isChain(b):
			j.later = append(j.later, p)
			if !c.possible(j, a, b) {
				return nil, false, nil
			}
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

// compatible says whether two words that are no addresses may be the same. That a number is
// an item of some class is possible.
func compatible(a, b word) bool {
	return a == b || a == top || b == top || isItem(a) && known(b) || known(a) && isItem(b)
}

// unite makes a cell of the writer's and one of the other's the same; false if they are not.
func (c *Checker) unite(j *joint, n, m int) bool {
	a, b := &j.g[n], &j.g[m]
	switch {
	case j.same[n] >= 0 || j.same[m] >= 0:
		return j.same[n] == int32(m)
	case a.chain || b.chain || a.typ != b.typ || a.private || b.private:
		return false
	}
	j.same[n], j.same[m] = int32(m), int32(n)
	for off := range a.words {
		if !c.types[a.typ].mutex[off] {
			j.todo = append(j.todo, place{int32(n), int32(off), int32(m), int32(off)})
			continue
		}
		if !lockedSo(a.words[off], b.words[off], m == 0) {
			return false
		}
	}
	return true
}

// lockedSo says whether two threads may see a lock so. That somebody else holds it is known of
// the collection's own locks only.
func lockedSo(x, y word, own bool) bool {
	if x == mine || y == mine {
		return x != y && (!own || x == others || y == others)
	}
	return x == y || !own
}

// possible says whether two words may be the same, at first sight.
func (c *Checker) possible(j *joint, a, b word) bool {
	switch ca, cb := j.g.isChain(a), j.g.isChain(b); {
	case ca && cb:
		return true
	case ca:
		d := &j.g[a.N]
		return d.opt && c.possible(j, d.next, b) || b.IsRef() && j.same[b.N] < 0 && c.someKind(j, d.first, b)
	case cb:
		d := &j.g[b.N]
		return d.opt && c.possible(j, a, d.next) || a.IsRef() && j.same[a.N] < 0 && c.someKind(j, d.first, a)
	case a.IsRef() && b.IsRef():
		return a.Off == b.Off && j.g[a.N].typ == j.g[b.N].typ && (j.same[a.N] < 0 && j.same[b.N] < 0 || j.same[a.N] == b.N)
	}
	return !a.IsRef() && !b.IsRef() && compatible(a, b)
}

// fits says whether a cell may be of a kind. That it is locked only one of the two knows.
func (c *Checker) fits(j *joint, k int, w word) bool {
	d, x := &j.g[w.N], &c.kinds[k]
	if d.chain || d.private || d.typ != x.typ || w.Off != 0 {
		return false
	}
	t := &c.types[d.typ]
	for off, a := range x.words {
		if off != t.link && !t.mutex[off] && (d.words[off].IsRef() || !compatible(a, d.words[off])) {
			return false
		}
	}
	return true
}

func (c *Checker) someKind(j *joint, kinds set, w word) bool {
	for k := range c.kinds {
		if kinds.has(k) && c.fits(j, k, w) {
			return true
		}
	}
	return false
}

// split gives the cases of a place at which one of the two has a chain.
func (c *Checker) split(j *joint, p place) (more []*joint) {
	a, b := j.g.get(int(p.n), int(p.off)), j.g.get(int(p.m), int(p.offM))
	again := func(x *joint, hers bool) {
		x.grow(hers)
		x.todo = append(x.todo, p)
		more = append(more, x)
	}
	ca, cb := j.g.isChain(a), j.g.isChain(b)
	alike := ca && cb && c.mayBeSame(j, int(a.N), int(b.N))
	if ca && j.g[a.N].opt { // hers has no cell; that of the other one has, if that both have none is part of another case
		x := j.clone()
		x.g.put(int(p.n), int(p.off), j.g[a.N].next)
		if alike && j.g[b.N].opt {
			x.g[b.N].opt = false
		}
		again(x, true)
	}
	if cb && j.g[b.N].opt && !(ca && j.g[a.N].all == 0) { // the other one's has none, and hers, if it is one, has some
		x := j.clone()
		if ca {
			x.g[a.N].opt = false
		}
		x.g.put(int(p.m), int(p.offM), j.g[b.N].next)
		again(x, false)
	}
	switch {
	case ca && cb:
		return append(more, c.both(j, int(a.N), int(b.N))...)
	case !ca && !cb: // it has become certain since
		again(j, false)
	case ca && b.IsRef() && j.same[b.N] < 0:
		for k := range c.kinds {
			if x := j.clone(); c.fits(j, k, b) && c.begin(&x.g, int(p.n), int(p.off), k) {
				again(x, true)
			}
		}
	case cb && a.IsRef() && j.same[a.N] < 0:
		for k := range c.kinds {
			if x := j.clone(); c.fits(j, k, a) && c.begin(&x.g, int(p.m), int(p.offM), k) {
				again(x, false)
			}
		}
	}
	return more
}

// mayBeSame says whether two chains may be the same.
func (c *Checker) mayBeSame(j *joint, n, m int) bool {
	a, b := &j.g[n], &j.g[m]
	return a.first&b.first != 0 && a.last&b.last != 0
}

// both gives the cases of two chains that begin at the same place: they are the same, perhaps
// without cells; or both have cells, and one of them goes on where the other one ends.
func (c *Checker) both(j *joint, n, m int) (more []*joint) {
	a, b := j.g[n], j.g[m]
	common := b
	common.all, common.first, common.opt = a.all&b.all, a.first&b.first, a.opt && b.opt
	if common.first == 0 {
		return nil
	}
	add := func(last set, longer *cell, hers bool) {
		if last == 0 {
			return
		}
		x := j.clone()
		x.g[n].opt = common.opt
		x.g[m] = common
		x.g[m].last = last
		if longer != nil {
			rest := *longer
			rest.first, rest.opt = longer.all, false
			x.g = append(x.g, rest)
			end := m
			if hers {
				end = n
			}
			x.g[end].next = ref(len(x.g)-1, 0)
			x.grow(hers)
		}
		x.todo = append(x.todo, place{n: int32(n), m: int32(m)})
		more = append(more, x)
	}
	add(a.last&b.last, nil, false)
	common.opt = false
	add(a.last&b.all, &b, false)
	add(a.all&b.last, &a, true)
	return more
}

// locate finds which of the other's cells those are that the write is about and that cannot be
// reached from the collection. Whether two such cells are the same is not known: all cases are
// followed.
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
	for i := 0; i < len(from); i++ { // it grows
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

// choose gives the cases of which cell of the other's one of the writer's is, which cannot be
// reached from the collection.
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
			if x := j.clone(); c.unite(x, n, m) {
				more = append(more, x)
			}
		}
	}
	j.apart[n] = true
	return append(more, j), false, nil
}

// result is what the other thread knows: its own graph, and those cells of the writer's that
// it does not have. It holds no locks of these, whoever does.
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
			if d.words[i] = translate(d.words[i]); c.types[d.typ].mutex[i] {
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

// after makes the write, as who does not write sees it.
func (c *Checker) after(g graph, w *write) graph {
	g = slices.Clone(g)
	n, off := int(w.at.N), int(w.at.Off)
	switch w.lock {
	case certificate.Take:
		g.put(n, off, others)
	case certificate.Give:
		g.put(n, off, free)
	}
	for i, x := range w.words {
		g.put(n, off+i, x)
		g.publish(x)
	}
	return g
}
