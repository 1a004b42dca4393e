// SPDX-License-Identifier: BSD-3-Clause

package zones

import "slices"

// match compares what a thread knows with an entry of the certificate: for each variable, private cell and offer of the entry it looks for what it stands for.
type match struct {
	t       *thread
	e       *claimed
	vars    []term // by the entry's variables; v is -1 where it stands for nothing yet
	private []int  // likewise of private cells: numbers of the thread's; -1
	offers  []int
}

// covered is an error unless the call has ended, or an entry of the certificate is true of the thread when others have moved.
func (c *checker) covered(t *thread) error {
	if t.over {
		return nil
	}
	c.sees(t)
	after := t.bounds.clone()
	later := c.later(&after, t.shared)
	claims := c.table[c.key(t)]
	for _, e := range claims {
		if m := newMatch(t, e); m.same() && m.follows(&after, later) {
			return nil
		}
	}
	return c.reject(t, "it does not claim what a thread in %s may know: none of the %d at this place covers it", c.s.Operations[t.op].Name, len(claims))
}

func newMatch(t *thread, e *claimed) *match {
	return &match{t: t, e: e, vars: slices.Repeat([]term{{v: -1}}, e.vars), private: slices.Repeat([]int{-1}, len(e.private)), offers: slices.Repeat([]int{-1}, len(e.offers))}
}

// same says whether all is true that the entry says of the thread, but for its bounds. Who has the same key has the same calls and did the same.
func (m *match) same() bool {
	t, e := m.t, m.e
	if e.empty && !t.empty || e.since >= 0 && !m.stands(e.since, term{t.since, 0}) {
		return false
	}
	switch e.did.sort {
	case linked, tookCell:
		if !m.stands(e.did.n, term{t.did.n, 0}) {
			return false
		}
	case tookOffer:
		if !m.offer(e.did.n, t.did.n) {
			return false
		}
	}
	if e.own.cell >= 0 && !m.cell(e.own.cell, t.own.cell) {
		return false
	}
	for i := range e.calls {
		for r, w := range e.calls[i].regs {
			is, known := t.calls[i].regs[r]
			if !known || !m.word(w, is) {
				return false
			}
		}
	}
	return true
}

// word says whether a value of the entry is true of a value of the thread.
func (m *match) word(e, t word) bool {
	if e.sort == unknown {
		return t.isNumber()
	}
	if e.sort != t.sort {
		return false
	}
	switch e.sort {
	case variable:
		return m.stands(e.n, term{t.n, t.k - e.k})
	case itemCell:
		return e.m == t.m && m.stands(e.n, term{t.n, 0})
	case cell:
		return e.m == t.m && m.stands(e.n, term{t.n, 0})
	case itemOffer:
		return e.m == t.m && m.offer(e.n, t.n)
	case offer:
		return e.k == t.k && e.m == t.m && m.offer(e.n, t.n)
	case private:
		return e.m == t.m && m.cell(e.n, t.n)
	}
	return e == t
}

// stands says whether a variable of the entry may stand for a number of the thread: it stands for nothing else, or for what is the same for certain.
func (m *match) stands(v int, is term) bool {
	if m.vars[v].v < 0 {
		m.vars[v] = is
		return true
	}
	return m.t.certainlySame(m.vars[v], is, 0)
}

// offer says whether an offer of the entry may stand for one of the thread. Two of the entry may stand for one, for nothing that is done rests on their being two.
func (m *match) offer(e, t int) bool {
	if m.offers[e] >= 0 {
		return m.offers[e] == t
	}
	m.offers[e] = t
	for i, v := range m.e.offers[e] {
		if !m.stands(v, term{m.t.offers[t][i], 0}) {
			return false
		}
	}
	return true
}

// cell says whether a private cell of the entry may stand for one of the thread. Two stand for two: what is written to one does not change the other.
func (m *match) cell(e, t int) bool {
	if m.private[e] >= 0 || slices.Contains(m.private, t) {
		return m.private[e] == t
	}
	m.private[e] = t
	x, y := m.e.private[e], m.t.private[t]
	if len(x.words) != len(y.words) || x.shown != y.shown {
		return false
	}
	for i, w := range x.words {
		if !m.word(w, y.words[i]) {
			return false
		}
	}
	return true
}

// follows says whether the bounds of the entry follow from bounds in which the shared variables are those of a list.
func (m *match) follows(z *bounds, shared []int) bool {
	of := func(v int) term {
		if v < len(shared) {
			return term{shared[v], 0}
		}
		return m.vars[v]
	}
	for _, b := range m.e.says {
		x, y := of(b.a), of(b.b)
		if x.v < 0 || y.v < 0 || !z.certain(x, y, b.c) {
			return false
		}
	}
	return true
}
