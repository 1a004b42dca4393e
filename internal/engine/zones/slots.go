// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// handOver executes an access to a slot.
func (m *machine) handOver(t *thread, in *ir.Instr, s int) bool {
	f := t.frames.Top()
	switch in.Op {
	case ir.OpAtomicLoad:
		m.looksAt(t, in, s)
		return false
	case ir.OpAtomicStore:
		if m.get(f, in.B) != null {
			return m.outside(t, "a store to a slot of something else than nil")
		}
		if !m.isMine(t, s) {
			return m.wrong(t, "a slot is overwritten that others may use")
		}
		m.clear(t)
		f.PC++
		return true
	case ir.OpAtomicCAS:
	default:
		return m.outside(t, "%s of a slot", in.Op)
	}
	was, to := m.get(f, in.B), m.get(f, in.C)
	mine := t.slot == s
	fails := func(c *thread) {
		m.covered.Note(f.Fn, f.PC, engine.Fails)
		m.follow(c)
	}
	switch {
	case was == null && to.form == private && to.x == 0:
		fails(t.gives(in, null))
		m.covered.Note(f.Fn, f.PC, engine.Succeeds)
		f.Regs[in.Dst] = truth(true)
		return m.publish(t, int(to.v), s)
	case was.form == private && was.x == 0 && to == null:
		c := t.gives(in, null)
		there := mine && int(was.v) == t.offered && !t.met
		if there {
			c.met, c.did = true, handed
		}
		fails(c)
		if !there {
			return false
		}
		m.covered.Note(f.Fn, f.PC, engine.Succeeds)
		f.Regs[in.Dst] = truth(true)
		m.clear(t)
		f.PC++
		return true
	case was.form == offer && was.c == 0 && was.x == 0 && (to == null || to.form == fixed):
		fails(t.gives(in, null))
		m.covered.Note(f.Fn, f.PC, engine.Succeeds)
		f.Regs[in.Dst] = truth(true)
		return m.accept(t, int(was.v), to)
	case was.form == fixed && to == null:
		if !m.isMine(t, s) {
			return m.outside(t, "a compare-and-swap of a slot in which no offer of the thread's own was taken")
		}
		if !slices.Contains(m.left, was) || len(m.left) > 1 {
			fails(t.gives(in, null))
		}
		if !slices.Contains(m.left, was) {
			return false
		}
		m.covered.Note(f.Fn, f.PC, engine.Succeeds)
		f.Regs[in.Dst] = truth(true)
		m.clear(t)
		f.PC++
		return true
	}
	return m.outside(t, "a compare-and-swap of a slot that neither makes an offer, nor takes one, nor takes one back")
}

// isMine says whether a slot has what a Take has left there of the thread's own offer, for certain.
func (m *machine) isMine(t *thread, s int) bool {
	return t.slot == s && t.met && !slices.Contains(m.left, null)
}

// clear takes the thread's own offer, or what is left of it, out of its slot.
func (m *machine) clear(t *thread) {
	t.offered, t.slot, t.met = -1, -1, false
	m.acts(t, "clear")
}

// looksAt executes a load of a slot, in each way.
func (m *machine) looksAt(t *thread, in *ir.Instr, s int) {
	own := t.slot == s
	if own && !t.met {
		m.follow(t.gives(in, value{form: private, v: uint8(t.offered)}))
	}
	if own && len(m.left) == 0 {
		return // no offer was taken
	}
	finds := func(v value) *thread {
		c := t.gives(in, v)
		if own {
			c.met, c.did = true, handed
		}
		m.follow(c)
		return c
	}
	for _, v := range m.left {
		if v != null {
			finds(v)
		}
	}
	if m.isMine(t, s) || own && !slices.Contains(m.left, null) {
		return
	}
	finds(null)
	if !m.lent {
		return
	}
	c := finds(null)
	vars := m.shared()
	list := make([]int, 1+m.numbers())
	for i := range list {
		n, ok := m.behind(c)
		if !ok {
			return
		}
		list[i] = n
		vars = append(vars, m.of(n))
	}
	for _, b := range m.lend.bounds() {
		if !c.z.learn(vars[b[0]], vars[b[1]], b[2]) {
			m.work = slices.DeleteFunc(m.work, func(x *thread) bool { return x == c })
			return
		}
	}
	c.frames.Top().Regs[in.Dst] = value{form: offer, v: uint8(len(c.offers))}
	c.offers = append(slices.Clip(c.offers), list)
}

// accept takes the item of an offer and leaves something in its slot.
func (m *machine) accept(t *thread, o int, left value) bool {
	switch {
	case m.p.ops[t.op].role != oracle.Take || t.did != nothing:
		return m.wrong(t, "an item is taken by something else than a Take that has nothing yet")
	case !t.z.le(m.of(t.offers[o][0]), 0, 0):
		return m.wrong(t, "an item may be handed over while one is in the queue that was put in earlier")
	}
	if !slices.Contains(m.left, left) {
		m.left, m.grew = append(m.left, left), true
	}
	t.did, t.what = tookOffer, o
	m.acts(t, "take")
	t.frames.Top().PC++
	return true
}

// publish puts a private cell into a slot that is free.
func (m *machine) publish(t *thread, c, s int) bool {
	switch {
	case m.p.ops[t.op].role != oracle.Put || t.did != nothing:
		return m.wrong(t, "an item is offered by something else than a Put that has its item still")
	case t.offered >= 0:
		return m.outside(t, "a Put that offers its item twice at a time")
	}
	shape, cells, ok := t.shape(c)
	if !ok {
		return m.outside(t, "an offer with more than %d cells, or with a cell twice", mostOffered)
	}
	if m.offers != nil {
		m.agree(shape)
	} else {
		m.offers, m.grew = shape, true
	}
	for i, c := range cells {
		if was := t.private[c].shown; was != 0 && was != i+1 {
			return m.outside(t, "a cell that is another part of an offer than before")
		}
		t.private[c].shown = i + 1
	}
	if m.grew {
		return false // everything begins again
	}
	m.lends(t, cells)
	t.offered, t.slot = c, s
	m.acts(t, "offer")
	t.frames.Top().PC++
	return true
}

// mostOffered is how many cells of an offer others may read.
const mostOffered = 4

// shape is what the words of a private cell and of those that it leads to hold; false if they are too many, or no tree.
func (t *thread) shape(c int) (shape []offered, cells []int, ok bool) {
	cells, ok = []int{c}, true
	numbers := 0
	for i := 0; i < len(cells); i++ {
		var parts offered
		for _, v := range t.private[cells[i]].words {
			p := part{claim: anything}
			switch {
			case v.form == itemOwn:
				p = part{item, int(v.x)}
			case v.form == number:
				p = part{position, numbers}
				numbers++
			case v.form == private && v.x == 0:
				ok = ok && !slices.Contains(cells, int(v.v)) && len(cells) < mostOffered
				p = part{link, len(cells)}
				cells = append(cells, int(v.v))
			}
			parts = append(parts, p)
		}
		shape = append(shape, parts)
		if !ok {
			return nil, nil, false
		}
	}
	return shape, cells, true
}

// agree weakens what is known of offers to what holds of another one as well. Numbers and cells are numbered anew.
func (m *machine) agree(other []offered) {
	was := m.offers
	type pair struct{ a, b int } // cells of was and other
	list := []pair{{0, 0}}
	numbers, changed := 0, false
	var now []offered
	for i := 0; i < len(list); i++ {
		a, b := was[list[i].a], other[list[i].b]
		parts := make(offered, max(len(a), len(b)))
		for w := range parts {
			parts[w].claim = anything
			if w >= len(a) || w >= len(b) || a[w].claim != b[w].claim || a[w].claim == item && a[w] != b[w] {
				changed = changed || w >= len(a) || a[w].claim != anything
				continue
			}
			switch parts[w] = a[w]; a[w].claim {
			case position:
				parts[w].n = numbers
				numbers++
			case link:
				parts[w].n = len(list)
				list = append(list, pair{a[w].n, b[w].n})
			}
		}
		now = append(now, parts)
	}
	m.offers = now
	if changed {
		m.grew, m.lent = true, false
	}
}

// isOffered says whether others may read a word of a cell of offers.
func (m *machine) isOffered(c int, word int32) bool {
	return c < len(m.offers) && int(word) < len(m.offers[c]) && m.offers[c][word].claim != anything
}

// withhold keeps others from reading a number of offers, which is written again.
func (m *machine) withhold(c int, word int32) {
	m.offers[c][word].claim = anything
	numbers := 0
	for i := range m.offers {
		for w := range m.offers[i] {
			if p := &m.offers[i][w]; p.claim == position {
				p.n = numbers
				numbers++
			}
		}
	}
	m.lent, m.grew = false, true
}

// lends notes what the variables of an offer are.
func (m *machine) lends(t *thread, cells []int) {
	z := t.z.clone()
	vars := append(m.shared(), m.of(t.since))
	for i, parts := range m.offers {
		for w, p := range parts {
			if p.claim != position {
				continue
			}
			v := t.private[cells[i]].words[w]
			n := z.grow()
			z.equal(n, m.of(int(v.v)), int(v.x))
			vars = append(vars, n)
		}
	}
	z = z.onto(vars)
	m.others(&z)
	z.clamp()
	if !m.lent {
		m.lend, m.lent, m.grew = z, true, true
	} else if m.lend.join(&z) {
		m.grew = true
	}
}
