// SPDX-License-Identifier: BSD-3-Clause

package interference

import (
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/engine/unbounded/transfer"
)

// Merger merges effects with views. It is for one goroutine.
type Merger struct {
	d     *shape.Domain
	stack []*joint
	spare []*joint
	align alignment
	// Exhaustive says that every case is followed to its end, so that tests can compare.
	Exhaustive bool

	merged Merged
}

// NewMerger makes a merger for the types of a domain.
func NewMerger(d *shape.Domain) *Merger {
	g := &Merger{d: d}
	g.align.g = g
	return g
}

// Merged is the heap of a victim behind an effect.
type Merged struct {
	Heap *shape.Heap // the victim's nodes have the numbers that they had
	Hit  int         // the node that was written
}

// joint is the memory that victim and writer see, as far as their cells have been identified.
type joint struct {
	j, e   shape.Heap // the victim's heap, which grows, and the effect's
	m, inv []int16    // node of j for each of e, and back; -1: not identified so far
	work   []pair     // words at the same place that are still to be compared
	later  []pair     // of these, those of which one leads to a summary
	copied []int16    // nodes of e that were copied into j
	// eSpot and jSpot give for each node of e and j the number of its spot in the original heap; -1: none.
	eSpot, jSpot []int16
}

// pair is a word in e, by node and offset, and the word at the same place in j. Of a summary its Next is meant.
type pair struct{ en, eo, jn, jo int16 }

// fresh is an empty joint.
func (g *Merger) fresh() *joint {
	if n := len(g.spare); n > 0 {
		x := g.spare[n-1]
		g.spare = g.spare[:n-1]
		x.m, x.inv, x.work, x.later, x.copied = x.m[:0], x.inv[:0], x.work[:0], x.later[:0], x.copied[:0]
		x.eSpot, x.jSpot = x.eSpot[:0], x.jSpot[:0]
		return x
	}
	return &joint{}
}

func (g *Merger) clone(x *joint) *joint {
	c := g.fresh()
	x.j.CopyTo(&c.j)
	x.e.CopyTo(&c.e)
	c.m = append(c.m, x.m...)
	c.inv = append(c.inv, x.inv...)
	c.work = append(c.work, x.work...)
	c.later = append(c.later, x.later...)
	c.copied = append(c.copied, x.copied...)
	c.eSpot = append(c.eSpot, x.eSpot...)
	c.jSpot = append(c.jSpot, x.jSpot...)
	return c
}

// grow makes room for nodes that were added.
func (x *joint) grow() {
	for len(x.m) < len(x.e.Nodes) {
		x.m, x.eSpot = append(x.m, -1), append(x.eSpot, -1)
	}
	for len(x.inv) < len(x.j.Nodes) {
		x.inv, x.jSpot = append(x.inv, -1), append(x.jSpot, -1)
	}
}

// rest notes that the last node of e, or of j, if it is a summary, is the rest of the summary with the given spot;
// -1: of none.
func (x *joint) rest(e, j int16) {
	x.grow()
	if n := len(x.e.Nodes) - 1; e >= 0 && x.e.Nodes[n].Summary {
		x.eSpot[n] = e | 1
	}
	if n := len(x.j.Nodes) - 1; j >= 0 && x.j.Nodes[n].Summary {
		x.jSpot[n] = j | 1
	}
}

// Merge calls found with each heap that a victim may have behind an effect. It calls nothing if the two contradict
// each other. What found is given is valid during the call only. The error says that it cannot be told what becomes
// of the victim.
func (g *Merger) Merge(v *shape.Heap, f *Effect, found func(*Merged)) error {
	if !g.mayMeet(&f.Heap, v) {
		return nil
	}
	g.align.reset(&f.Heap, v)
	if root := (spot{w: shape.Ref(0, 0)}); !g.align.may(root, root) {
		return nil
	}
	x := g.fresh()
	v.CopyTo(&x.j)
	f.Heap.CopyTo(&x.e)
	x.grow()
	for n := range x.eSpot {
		x.eSpot[n] = int16(2 * n)
	}
	for n := range x.jSpot {
		x.jSpot[n] = int16(2 * n)
	}
	g.spare = append(g.spare, g.stack...)
	g.stack = g.stack[:0]
	if g.identify(x, 0, 0) {
		g.stack = append(g.stack, x)
	}
	for len(g.stack) > 0 {
		x := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		done, err := g.layOut(x, f)
		if err != nil {
			return err
		}
		if done {
			found(g.apply(x, f))
		}
		g.spare = append(g.spare, x)
	}
	return nil
}

// mayMeet says whether the words of the collection itself in two heaps may be equal.
func (g *Merger) mayMeet(e, j *shape.Heap) bool {
	typ := int(e.Nodes[0].Type)
	for _, off := range g.d.Mutexes(typ) {
		if !lockable(e.Get(0, off), j.Get(0, off), true) {
			return false
		}
	}
	for off, a := range e.Of(0) {
		if b := j.Get(0, off); a.IsRef() != b.IsRef() || !a.IsRef() && !g.d.IsMutex(typ, off) && !Compatible(a, b) {
			return false
		}
	}
	return true
}

// layOut identifies the cells that must be the same. It is false if the joint contradicts itself, or if its cases
// were put on the stack. What is certain is done before cases are made.
func (g *Merger) layOut(x *joint, f *Effect) (bool, error) {
	for {
		for len(x.work) > 0 {
			p := x.work[len(x.work)-1]
			x.work = x.work[:len(x.work)-1]
			if !g.unify(x, p) {
				return false, nil
			}
		}
		if n := len(x.later); n > 0 {
			p := x.later[n-1]
			x.later = x.later[:n-1]
			g.cases(x, p)
			return false, nil
		}
		ready, ok, err := g.place(x, f)
		if ready || !ok || err != nil {
			return ok, err
		}
	}
}

// identify makes a concrete node of e and one of j the same cell; false if they cannot be.
func (g *Merger) identify(x *joint, en, jn int) bool {
	a, b := &x.e.Nodes[en], &x.j.Nodes[jn]
	if x.m[en] >= 0 || x.inv[jn] >= 0 {
		return x.m[en] == int16(jn) && x.inv[jn] == int16(en)
	}
	if a.Type != b.Type || a.N != b.N || a.Shared != b.Shared || a.Summary || b.Summary || !a.Offer.Agrees(b.Offer) {
		return false
	}
	for _, off := range g.d.Mutexes(int(a.Type)) {
		if !lockable(x.e.Get(en, off), x.j.Get(jn, off), en == 0) {
			return false
		}
	}
	x.m[en], x.inv[jn] = int16(jn), int16(en)
	for off := range int(a.N) {
		if !g.d.IsMutex(int(a.Type), off) {
			x.work = append(x.work, pair{int16(en), int16(off), int16(jn), int16(off)})
		}
	}
	return true
}

// lockable says whether two threads may see one lock as a and as b. Only for locks of the collection (tracked) is it
// known whether another thread holds them.
func lockable(a, b shape.Word, tracked bool) bool {
	switch {
	case a == transfer.Mine && b == transfer.Mine:
		return false
	case !tracked:
		return true
	case a == transfer.Mine:
		return b == transfer.Others
	case b == transfer.Mine:
		return a == transfer.Others
	}
	return a == b
}

// unify makes two words the same; false if they cannot be. Words that lead to summaries are compared later.
func (g *Merger) unify(x *joint, p pair) bool {
	a, b := x.e.Get(int(p.en), int(p.eo)), x.j.Get(int(p.jn), int(p.jo))
	switch {
	case x.e.IsSummary(a) || x.j.IsSummary(b):
		x.later = append(x.later, p)
		return g.possible(x, a, b)
	case a.IsRef() && b.IsRef():
		return a.Off() == b.Off() && g.identify(x, a.Node(), b.Node())
	case a.IsRef() || b.IsRef():
		return false
	}
	return Compatible(a, b)
}

// possible says whether two words may be the same, as far as a quick comparison tells. It avoids cases that would
// contradict themselves later.
func (g *Merger) possible(x *joint, a, b shape.Word) bool {
	return g.mayBe(x, spot{w: a}, spot{w: b}) && g.alike(x, a, b)
}

// alike says whether two words may be the same. Unlike the alignment it takes account of the cells that have been
// identified.
func (g *Merger) alike(x *joint, a, b shape.Word) bool {
	sa, sb := x.e.IsSummary(a), x.j.IsSummary(b)
	switch {
	case sa && sb:
		return true
	case sa:
		s := &x.e.Nodes[a.Node()]
		return s.Opt && g.alike(x, s.Next, b) || b.IsRef() && x.inv[b.Node()] < 0 && g.someFits(s.First, &x.j, b)
	case sb:
		s := &x.j.Nodes[b.Node()]
		return s.Opt && g.alike(x, a, s.Next) || a.IsRef() && x.m[a.Node()] < 0 && g.someFits(s.First, &x.e, a)
	case a.IsRef() && b.IsRef():
		if x.m[a.Node()] >= 0 || x.inv[b.Node()] >= 0 {
			return int(x.m[a.Node()]) == b.Node()
		}
		n, o := &x.e.Nodes[a.Node()], &x.j.Nodes[b.Node()]
		return a.Off() == b.Off() && n.Type == o.Type && n.Shared == o.Shared
	case a.IsRef() || b.IsRef():
		return false
	}
	return Compatible(a, b)
}

// someFits says whether a cell may be of one of some kinds.
func (g *Merger) someFits(set shape.Set, h *shape.Heap, w shape.Word) bool {
	for k := range shape.Kind(g.d.Kinds()) {
		if set.Has(k) && g.fits(k, h, w) {
			return true
		}
	}
	return false
}

// fits says whether a cell may be of a kind. Locks are not compared: the other thread does not know who holds them.
func (g *Merger) fits(k shape.Kind, h *shape.Heap, w shape.Word) bool {
	n := w.Node()
	typ := g.d.KindType(k)
	if int(h.Nodes[n].Type) != typ || w.Off() != 0 || !h.Nodes[n].Shared {
		return false
	}
	link := g.d.Link(typ)
	for off, a := range g.d.KindWords(k) {
		if off == link || g.d.IsMutex(typ, off) {
			continue
		}
		if b := h.Get(n, off); b.IsRef() || !Compatible(a, b) {
			return false
		}
	}
	return true
}

// cases puts the cases of a pair that refers to summaries on the stack.
func (g *Merger) cases(x *joint, p pair) {
	a, b := x.e.Get(int(p.en), int(p.eo)), x.j.Get(int(p.jn), int(p.jo))
	switch sa, sb := x.e.IsSummary(a), x.j.IsSummary(b); {
	case sa && sb:
		g.both(x, p, a.Node(), b.Node())
	case sa:
		g.cellInE(x, p, a.Node(), b)
	case sb:
		g.cellInJ(x, p, a, b.Node())
	default: // it has become certain since
		c := g.clone(x)
		g.push(c, p)
	}
}

// Compatible says whether two scalars may be the same.
func Compatible(a, b shape.Word) bool {
	switch {
	case a == b || a.IsTop() || b.IsTop():
		return true
	case a.IsData() && b.IsConst(), a.IsConst() && b.IsData():
		return true // the constant may be of the class
	}
	return false
}

// push puts a case on the stack, in which pair p is compared again.
func (g *Merger) push(x *joint, p pair) {
	x.grow()
	x.work = append(x.work, p)
	g.stack = append(g.stack, x)
}

// cellInE makes the cases in which a summary of e, and a cell of j or nil, are at one place.
func (g *Merger) cellInE(x *joint, p pair, s int, b shape.Word) {
	d := x.e.Nodes[s]
	if d.Opt && g.possible(x, d.Next, b) {
		c := g.clone(x)
		c.e.DropEmpty(int(p.en), int(p.eo))
		g.push(c, p)
	}
	if !b.IsRef() || b.Off() != 0 || x.inv[b.Node()] >= 0 {
		return
	}
	for k := range shape.Kind(g.d.Kinds()) {
		if !d.First.Has(k) || !g.fits(k, &x.j, b) {
			continue
		}
		if c := g.clone(x); g.d.TakeFirst(&c.e, int(p.en), int(p.eo), k) {
			c.rest(x.eSpot[s], -1)
			g.push(c, p)
		}
	}
}

// cellInJ makes the cases in which a summary of j, and a cell of e or nil, are at one place.
func (g *Merger) cellInJ(x *joint, p pair, a shape.Word, s int) {
	d := x.j.Nodes[s]
	if d.Opt && g.possible(x, a, d.Next) {
		c := g.clone(x)
		c.j.DropEmpty(int(p.jn), int(p.jo))
		g.push(c, p)
	}
	if !a.IsRef() || a.Off() != 0 || x.m[a.Node()] >= 0 {
		return
	}
	for k := range shape.Kind(g.d.Kinds()) {
		if !d.First.Has(k) || !g.fits(k, &x.e, a) {
			continue
		}
		if c := g.clone(x); g.d.TakeFirst(&c.j, int(p.jn), int(p.jo), k) {
			c.rest(-1, x.jSpot[s])
			g.push(c, p)
		}
	}
}

// both follows the cases in which two summaries begin at the same place: both have the same
// cells, perhaps none; or only one of them has a cell; or both begin with the same cells and one
// goes on. That both have none is no case of its own if they may have the same cells: what
// comes of it differs in the soft part only, and cases of several summaries would multiply.
func (g *Merger) both(x *joint, p pair, se, sj int) {
	a, b := x.e.Nodes[se], x.j.Nodes[sj]
	wa, wb := x.e.Get(int(p.en), int(p.eo)), x.j.Get(int(p.jn), int(p.jo))
	common := shape.Node{Class: b.Class, Kinds: a.Kinds & b.Kinds, First: a.First & b.First, Opt: a.Opt && b.Opt}
	ends := common.First != 0 && a.Last&b.Last != 0 && g.possible(x, a.Next, b.Next)
	if a.Opt && g.possible(x, a.Next, wb) {
		c := g.clone(x)
		c.e.DropEmpty(int(p.en), int(p.eo))
		if ends && b.Opt {
			c.j.Nodes[sj].Opt = false
		}
		g.push(c, p)
	}
	if b.Opt && a.Kinds != 0 && g.possible(x, wa, b.Next) {
		c := g.clone(x)
		c.e.Nodes[se].Opt = false
		c.j.DropEmpty(int(p.jn), int(p.jo))
		g.push(c, p)
	}
	if common.First == 0 {
		return
	}
	behind := pair{en: int16(se), jn: int16(sj)}
	if ends {
		c := g.clone(x)
		c.setCommon(sj, common, a.Last&b.Last)
		g.push(c, behind)
	}
	common.Opt = false
	if last := a.Last & b.Kinds; last != 0 && g.goesOn(x, &x.e, a.Next, b.Kinds) && g.mayBe(x, spot{w: a.Next}, spot{wb, true}) { // j goes on
		c := g.clone(x)
		rest := c.j.Add(shape.Node{Class: b.Class, Kinds: b.Kinds, First: b.Kinds, Last: b.Last, Next: b.Next})
		c.setCommon(sj, common, last)
		c.j.Nodes[sj].Next = shape.Ref(rest, 0)
		c.rest(-1, x.jSpot[sj])
		c.e.Nodes[se].Opt = false
		g.push(c, behind)
	}
	if last := a.Kinds & b.Last; last != 0 && g.goesOn(x, &x.j, b.Next, a.Kinds) && g.mayBe(x, spot{wa, true}, spot{w: b.Next}) { // e goes on
		c := g.clone(x)
		rest := c.e.Add(shape.Node{Class: a.Class, Kinds: a.Kinds, First: a.Kinds, Last: a.Last, Next: a.Next})
		c.e.Nodes[se].Opt = false
		c.e.Nodes[se].Next = shape.Ref(rest, 0)
		c.rest(x.eSpot[se], -1)
		c.setCommon(sj, common, last)
		g.push(c, behind)
	}
}

// goesOn says whether the word w of h, behind a summary of one heap, may lead to what the other heap knows as further
// cells of some kinds.
func (g *Merger) goesOn(x *joint, h *shape.Heap, w shape.Word, kinds shape.Set) bool {
	switch {
	case !w.IsRef():
		return false
	case h.Nodes[w.Node()].Summary:
		s := &h.Nodes[w.Node()]
		return s.First&kinds != 0 || s.Opt && g.goesOn(x, h, s.Next, kinds)
	case h == &x.e && x.m[w.Node()] >= 0, h == &x.j && x.inv[w.Node()] >= 0:
		return false
	}
	return g.someFits(kinds, h, w)
}

// setCommon restricts a summary of j to the cells that e allows as well.
func (x *joint) setCommon(s int, common shape.Node, last shape.Set) {
	n := &x.j.Nodes[s]
	n.Kinds, n.First, n.Last, n.Opt = common.Kinds, common.First, last, common.Opt
}

// apply makes the write in the victim's heap.
func (g *Merger) apply(x *joint, f *Effect) *Merged {
	h := &x.j
	at := f.Regs[0]
	hit := int(x.m[at.Node()])
	switch f.Lock {
	case transfer.Taking:
		h.Put(hit, at.Off(), transfer.Others)
	case transfer.Giving:
		h.Put(hit, at.Off(), transfer.Free)
	}
	for _, n := range x.copied {
		d := &x.e.Nodes[n]
		for off := range int(d.N) {
			if !g.d.IsMutex(int(d.Type), off) { // the victim holds no lock of a cell that it has not seen
				h.Put(int(x.m[n]), off, x.translate(x.e.Get(int(n), off)))
			}
		}
	}
	for i := range f.Words {
		w := x.translate(f.Regs[1+i])
		x.passOn(h.Get(hit, at.Off()+i), f.Regs[1+i])
		h.Put(hit, at.Off()+i, w)
		h.Publish(w)
	}
	g.merged = Merged{h, hit}
	return &g.merged
}

// translate is a word of e in the numbers of j.
func (x *joint) translate(w shape.Word) shape.Word {
	if w.IsRef() {
		return shape.Ref(int(x.m[w.Node()]), w.Off())
	}
	return w
}

// passOn ends the offer to which word old of j leads. If word now of e leads to a new cell that is an offer, the cell
// becomes that offer for the victim as well: one of the writer's is another thread's; one by which the writer
// replaces an offer belongs to whom the old one did.
func (x *joint) passOn(old, now shape.Word) {
	holder := shape.Nobody
	if old.IsRef() && old.Off() == 0 {
		o := &x.j.Nodes[old.Node()].Offer
		holder, *o = o.Holder, shape.Offer{}
	}
	if !now.IsRef() || x.e.Nodes[now.Node()].Shared {
		return // only new cells become offers
	}
	switch o := x.e.Nodes[now.Node()].Offer; o.Holder {
	case shape.Self:
		x.j.Nodes[x.m[now.Node()]].Offer = o.By(shape.Another)
	case shape.Another:
		x.j.Nodes[x.m[now.Node()]].Offer = o.By(holder)
	}
}
