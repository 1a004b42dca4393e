package interference

import (
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/engine/unbounded/transfer"
)

// Merger merges effects with views. It is for one goroutine.
type Merger struct {
	d     *shape.Domain
	stack []*joint
}

// NewMerger makes one.
func NewMerger(d *shape.Domain) *Merger { return &Merger{d: d} }

// Merged is what becomes of a victim's heap.
type Merged struct {
	Heap shape.Heap // the victim's nodes have the numbers that they had
	Hit  int        // the node that was written
}

// joint is the memory that victim and writer see, as far as it has been laid out.
type joint struct {
	j, e   shape.Heap // the victim's heap, growing, and the effect's
	m, inv []int16    // e's nodes in j, and back; -1: not, or not yet, identified
	work   []pair     // words that stand at the same place
	copied []int16    // nodes of e that were copied to j
}

// pair is a word in e and the word at the same place in j. Of a summary its Next is meant.
type pair struct{ en, eo, jn, jo int16 }

func (x *joint) clone() *joint {
	c := &joint{j: x.j.Clone(), e: x.e.Clone()}
	c.m = append([]int16(nil), x.m...)
	c.inv = append([]int16(nil), x.inv...)
	c.work = append([]pair(nil), x.work...)
	c.copied = append([]int16(nil), x.copied...)
	return c
}

// grow makes room for nodes that were added.
func (x *joint) grow() {
	for len(x.m) < len(x.e.Nodes) {
		x.m = append(x.m, -1)
	}
	for len(x.inv) < len(x.j.Nodes) {
		x.inv = append(x.inv, -1)
	}
}

// Merge gives the heaps that a victim may have after an effect; none if the two contradict
// each other. An error says that this cannot be told.
func (g *Merger) Merge(v *shape.Heap, f *Effect) ([]Merged, error) {
	x := &joint{j: v.Clone(), e: f.Heap.Clone()}
	x.grow()
	g.stack = g.stack[:0]
	if g.identify(x, 0, 0) {
		g.stack = append(g.stack, x)
	}
	var out []Merged
	for len(g.stack) > 0 {
		x := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		done, err := g.layOut(x, f)
		if err != nil {
			return nil, err
		}
		if !done {
			continue
		}
		out = append(out, g.apply(x, f))
	}
	return out, nil
}

// layOut identifies what must be the same; false if the joint contradicts itself, or others
// have been put on the stack in its place.
func (g *Merger) layOut(x *joint, f *Effect) (bool, error) {
	for {
		for len(x.work) > 0 {
			p := x.work[len(x.work)-1]
			x.work = x.work[:len(x.work)-1]
			if !g.unify(x, p) {
				return false, nil
			}
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
	if a.Type != b.Type || a.Shared != b.Shared || a.Summary || b.Summary {
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

// lockable says whether two threads may see a lock so. Whether somebody else holds it is
// known of the collection's locks only.
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

// unify makes two words the same; false if they are not, or if the cases have been put on
// the stack.
func (g *Merger) unify(x *joint, p pair) bool {
	a, b := x.e.Get(int(p.en), int(p.eo)), x.j.Get(int(p.jn), int(p.jo))
	switch sa, sb := x.e.IsSummary(a), x.j.IsSummary(b); {
	case sa && sb:
		g.both(x, p, a.Node(), b.Node())
		return false
	case sa:
		g.cellInE(x, p, a.Node(), b)
		return false
	case sb:
		g.cellInJ(x, p, a, b.Node())
		return false
	case a.IsRef() && b.IsRef():
		return a.Off() == b.Off() && g.identify(x, a.Node(), b.Node())
	case a.IsRef() || b.IsRef():
		return false
	}
	return Compatible(a, b)
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

// push puts a case on the stack, with the pair to be looked at again.
func (g *Merger) push(x *joint, p pair) {
	x.grow()
	x.work = append(x.work, p)
	g.stack = append(g.stack, x)
}

// cellInE follows the cases in which a summary of e meets a cell of j, or nil.
func (g *Merger) cellInE(x *joint, p pair, s int, b shape.Word) {
	if x.e.Nodes[s].Opt {
		c := x.clone()
		c.e = g.d.Skip(&x.e, int(p.en), int(p.eo))
		g.push(c, p)
	}
	if !b.IsRef() || b.Off() != 0 || x.inv[b.Node()] >= 0 {
		return
	}
	for k := range shape.Kind(g.d.Kinds()) {
		if !x.e.Nodes[s].First.Has(k) || g.d.KindType(k) != int(x.j.Nodes[b.Node()].Type) {
			continue
		}
		if e, ok := g.d.Take(&x.e, int(p.en), int(p.eo), k); ok {
			c := x.clone()
			c.e = e
			g.push(c, p)
		}
	}
}

// cellInJ follows the cases in which a summary of j meets a cell of e, or nil.
func (g *Merger) cellInJ(x *joint, p pair, a shape.Word, s int) {
	if x.j.Nodes[s].Opt {
		c := x.clone()
		c.j = g.d.Skip(&x.j, int(p.jn), int(p.jo))
		g.push(c, p)
	}
	if !a.IsRef() || a.Off() != 0 || x.m[a.Node()] >= 0 {
		return
	}
	for k := range shape.Kind(g.d.Kinds()) {
		if !x.j.Nodes[s].First.Has(k) || g.d.KindType(k) != int(x.e.Nodes[a.Node()].Type) {
			continue
		}
		if j, ok := g.d.Take(&x.j, int(p.jn), int(p.jo), k); ok {
			c := x.clone()
			c.j = j
			g.push(c, p)
		}
	}
}

// both follows the cases in which two summaries begin at the same place: one of them has no
// cell, or both begin with the same cells and end together, or one goes on.
func (g *Merger) both(x *joint, p pair, se, sj int) {
	a, b := x.e.Nodes[se], x.j.Nodes[sj]
	if a.Opt {
		c := x.clone()
		c.e = g.d.Skip(&x.e, int(p.en), int(p.eo))
		g.push(c, p)
	}
	if b.Opt && a.Kinds != 0 {
		c := x.clone()
		c.e.Nodes[se].Opt = false
		c.j = g.d.Skip(&x.j, int(p.jn), int(p.jo))
		g.push(c, p)
	}
	common := shape.Node{Class: b.Class, Kinds: a.Kinds & b.Kinds, First: a.First & b.First}
	if common.First == 0 {
		return
	}
	behind := pair{en: int16(se), jn: int16(sj)}
	if last := a.Last & b.Last; last != 0 { // they end together
		c := x.clone()
		c.setCommon(sj, common, last)
		c.e.Nodes[se].Opt = false
		g.push(c, behind)
	}
	if last := a.Last & b.Kinds; last != 0 { // j goes on
		c := x.clone()
		rest := c.j.Add(shape.Node{Class: b.Class, Kinds: b.Kinds, First: b.Kinds, Last: b.Last, Next: b.Next})
		c.setCommon(sj, common, last)
		c.j.Nodes[sj].Next = shape.Ref(rest, 0)
		c.e.Nodes[se].Opt = false
		g.push(c, behind)
	}
	if last := a.Kinds & b.Last; last != 0 { // e goes on
		c := x.clone()
		rest := c.e.Add(shape.Node{Class: a.Class, Kinds: a.Kinds, First: a.Kinds, Last: a.Last, Next: a.Next})
		c.e.Nodes[se].Opt = false
		c.e.Nodes[se].Next = shape.Ref(rest, 0)
		c.setCommon(sj, common, last)
		g.push(c, behind)
	}
}

// setCommon makes a summary of j one of the cells that e knows as well.
func (x *joint) setCommon(s int, common shape.Node, last shape.Set) {
	n := &x.j.Nodes[s]
	n.Kinds, n.First, n.Last, n.Opt = common.Kinds, common.First, last, false
}

// apply makes the write.
func (g *Merger) apply(x *joint, f *Effect) Merged {
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
		for off := range int(x.e.Nodes[n].N) {
			h.Put(int(x.m[n]), off, x.translate(x.e.Get(int(n), off)))
		}
	}
	for i := range f.Words {
		w := x.translate(f.Regs[1+i])
		h.Put(hit, at.Off()+i, w)
		h.Publish(w)
	}
	return Merged{*h, hit}
}

// translate is a word of e in j.
func (x *joint) translate(w shape.Word) shape.Word {
	if w.IsRef() {
		return shape.Ref(int(x.m[w.Node()]), w.Off())
	}
	return w
}
