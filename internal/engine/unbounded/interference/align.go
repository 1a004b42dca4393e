// SPDX-License-Identifier: BSD-3-Clause

package interference

import "pangolin/internal/engine/unbounded/shape"

// alignment finds out early which cases of a merge contradict themselves later: whether what lies behind two words,
// one of the effect's heap and one of the victim's, may be the same cells, each cell compared by itself. It ignores
// that two words may lead to one cell; so it may say yes although there is a contradiction, and it says no only if
// there is one.
type alignment struct {
	g     *Merger
	e, j  *shape.Heap // the two heaps before any cells were identified
	known []int8      // by the numbers of both spots: 0 not asked yet, 1 they may be the same, 2 they may not
}

// spot is a word of a heap; with begun, which needs a word that leads to a summary, it is what follows the summary's
// first cell, if the summary has another one.
type spot struct {
	w     shape.Word
	begun bool
}

func (p spot) number() int {
	n := 2 * p.w.Node()
	if p.begun {
		n++
	}
	return n
}

func (t *alignment) reset(e, j *shape.Heap) {
	t.e, t.j = e, j
	n := 4 * len(e.Nodes) * len(j.Nodes)
	if cap(t.known) < n {
		t.known = make([]int8, 2*n)
	}
	t.known = t.known[:n]
	clear(t.known)
}

// mayEnd says whether at a spot the summary n may have no further cell.
func mayEnd(n *shape.Node, p spot) bool { return n.Summary && n.Opt && !p.begun }

// from are the kinds of which the next cell of a summary may be.
func from(n *shape.Node, p spot) shape.Set {
	if p.begun {
		return n.Kinds
	}
	return n.First
}

// may says whether the memory at spot p of the effect's heap may be that at spot q of the victim's.
func (t *alignment) may(p, q spot) bool {
	switch {
	case t.g.Exhaustive:
		return true
	case !p.w.IsRef() && !q.w.IsRef():
		return Compatible(p.w, q.w)
	case !q.w.IsRef():
		n := &t.e.Nodes[p.w.Node()]
		return mayEnd(n, p) && t.may(spot{w: n.Next}, q)
	case !p.w.IsRef():
		n := &t.j.Nodes[q.w.Node()]
		return mayEnd(n, q) && t.may(p, spot{w: n.Next})
	case p.w.Off() != q.w.Off():
		return false
	}
	at := p.number()*2*len(t.j.Nodes) + q.number()
	if t.known[at] == 0 {
		t.known[at] = 1 // a question that leads back to itself is answered by yes
		if !t.behind(p, q) {
			t.known[at] = 2
		}
	}
	return t.known[at] == 1
}

// behind compares the first cells at both spots, and what these lead to.
func (t *alignment) behind(p, q spot) bool {
	a, b := &t.e.Nodes[p.w.Node()], &t.j.Nodes[q.w.Node()]
	if mayEnd(a, p) && t.may(spot{w: a.Next}, q) || mayEnd(b, q) && t.may(p, spot{w: b.Next}) {
		return true
	}
	switch {
	case a.Summary && b.Summary:
		return t.summaries(p, q)
	case a.Summary:
		link := t.link(t.j, q.w)
		return t.g.someFits(from(a, p), t.j, q.w) && (t.may(spot{p.w, true}, link) || t.g.someFits(from(a, p)&a.Last, t.j, q.w) && t.may(spot{w: a.Next}, link))
	case b.Summary:
		link := t.link(t.e, p.w)
		return t.g.someFits(from(b, q), t.e, p.w) && (t.may(link, spot{q.w, true}) || t.g.someFits(from(b, q)&b.Last, t.e, p.w) && t.may(link, spot{w: b.Next}))
	case a.Type != b.Type || a.N != b.N || a.Shared != b.Shared || !a.Offer.Agrees(b.Offer):
		return false
	}
	for off, w := range t.e.Of(p.w.Node()) {
		x := t.j.Get(q.w.Node(), off)
		if t.g.d.IsMutex(int(a.Type), off) {
			if !lockable(w, x, p.w.Node() == 0) {
				return false
			}
		} else if !t.may(spot{w: w}, spot{w: x}) {
			return false
		}
	}
	return true
}

// link is the word by which a cell is linked to the next one.
func (t *alignment) link(h *shape.Heap, w shape.Word) spot {
	if link := t.g.d.Link(int(h.Nodes[w.Node()].Type)); link >= 0 {
		return spot{w: h.Get(w.Node(), link)}
	}
	return spot{w: shape.Nil}
}

// summaries compares two summaries: each of them may end behind its first cell, or go on.
func (t *alignment) summaries(p, q spot) bool {
	a, b := &t.e.Nodes[p.w.Node()], &t.j.Nodes[q.w.Node()]
	common := from(a, p) & from(b, q)
	onA, onB, endA, endB := spot{p.w, true}, spot{q.w, true}, spot{w: a.Next}, spot{w: b.Next}
	return common&a.Last != 0 && (t.may(endA, onB) || common&b.Last != 0 && t.may(endA, endB)) ||
		common&b.Last != 0 && t.may(onA, endB) ||
		common != 0 && !(p.begun && q.begun) && t.may(onA, onB)
}

// mayBe says whether two words of a joint may lead to the same memory, as far as the alignment can tell.
func (g *Merger) mayBe(x *joint, p, q spot) bool {
	if !p.begun && left(&x.e, x.eSpot, p.w) && g.mayBe(x, spot{w: x.e.Nodes[p.w.Node()].Next}, q) ||
		!q.begun && left(&x.j, x.jSpot, q.w) && g.mayBe(x, p, spot{w: x.j.Nodes[q.w.Node()].Next}) {
		return true
	}
	a, known := before(x.eSpot, p)
	b, known2 := before(x.jSpot, q)
	return !known || !known2 || g.align.may(a, b)
}

// left says whether a word leads to the rest of a summary whose first cell was taken out, which may have no cell.
func left(h *shape.Heap, spots []int16, w shape.Word) bool {
	return h.IsSummary(w) && h.Nodes[w.Node()].Opt && spots[w.Node()]&1 != 0 && spots[w.Node()] >= 0
}

// before is the spot of the original heap for a spot of the joint; false if there is none.
func before(spots []int16, p spot) (spot, bool) {
	if !p.w.IsRef() {
		return p, true
	}
	at := spots[p.w.Node()]
	if at < 0 {
		return p, false
	}
	return spot{shape.Ref(int(at/2), p.w.Off()), p.begun || at&1 != 0}, true
}
