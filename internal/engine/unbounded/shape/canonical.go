// SPDX-License-Identifier: BSD-3-Clause

package shape

// Canonizer brings heaps into canonical form: what cannot be reached is dropped, chains of
// cells that nothing else refers to become summaries, and nodes are numbered in the order in
// which they are met from the collection and then from the registers. It is for one
// goroutine.
//
// A cell is hidden in a summary if it is shared, has no reference but its link, and
// exactly one word of the view refers to it, which is the link of a shared cell that is not
// the collection. Of ordered items, those of class Equal stay, with the link cell behind
// them, and so do sentinels: cells of a type with items that hold none.
//
// Where no cell is hidden behind a cell with a link, an empty summary is put, so that "none"
// and "some" differ in their soft part only. It stands for no cell, so this changes nothing
// that the view means.
type Canonizer struct {
	d    *Domain
	in   *Heap
	bare []bool // by node: no empty summary is added behind its link

	refs   []uint8 // by node: how many words refer to it; 2 means two or more
	pinned []bool  // by node: it must stay concrete
	pred   []int32 // by node: the cell whose link refers to it
	seen   []bool
	stack  []int32

	to  []int32 // by node: its new number; -1: not met yet
	out Heap
}

// NewCanonizer makes a canonizer for the types of a domain.
func NewCanonizer(d *Domain) *Canonizer { return &Canonizer{d: d} }

// Run gives the canonical form of a heap, see Form.
func (c *Canonizer) Run(h *Heap, regs []Word, bare []bool) Heap { return c.Form(h, regs, bare).Clone() }

// Form gives the canonical form of a heap, which is valid until the next call. The cells to which
// registers refer stay concrete, and the registers are renumbered in place. bare, if it is not nil,
// says of each node whether no empty summary is added behind its link.
func (c *Canonizer) Form(h *Heap, regs []Word, bare []bool) *Heap {
	c.in, c.bare = h, bare
	c.reset(len(h.Nodes))
	c.mark(regs)
	c.visit(0)
	for i, w := range regs {
		if w.IsRef() {
			regs[i] = w.at(c.visit(w.Node()))
		}
	}
	return &c.out
}

func (c *Canonizer) reset(n int) {
	if cap(c.refs) < n {
		c.refs, c.pinned, c.pred, c.seen, c.to = make([]uint8, 2*n), make([]bool, 2*n), make([]int32, 2*n), make([]bool, 2*n), make([]int32, 2*n)
	}
	c.refs, c.pinned, c.pred, c.seen, c.to = c.refs[:n], c.pinned[:n], c.pred[:n], c.seen[:n], c.to[:n]
	for i := range n {
		c.refs[i], c.pinned[i], c.pred[i], c.seen[i], c.to[i] = 0, false, -1, false, -1
	}
	c.out.Nodes, c.out.Words = c.out.Nodes[:0], c.out.Words[:0]
}

// mark counts the references to each node that can be reached.
func (c *Canonizer) mark(regs []Word) {
	c.stack = append(c.stack[:0], 0)
	c.seen[0], c.pinned[0] = true, true
	for _, w := range regs {
		if w.IsRef() {
			c.pinned[w.Node()] = true
			c.push(w.Node())
		}
	}
	for len(c.stack) > 0 {
		n := int(c.stack[len(c.stack)-1])
		c.stack = c.stack[:len(c.stack)-1]
		d := &c.in.Nodes[n]
		if d.Summary {
			c.refer(n, d.Next, true)
			continue
		}
		link := -1
		if d.Shared && n != 0 {
			link = c.d.Link(int(d.Type))
		}
		for off, w := range c.in.Of(n) {
			c.refer(n, w, off == link)
		}
	}
}

func (c *Canonizer) push(n int) {
	if !c.seen[n] {
		c.seen[n] = true
		c.stack = append(c.stack, int32(n))
	}
}

func (c *Canonizer) refer(n int, w Word, link bool) {
	if !w.IsRef() {
		return
	}
	to := w.Node()
	c.refs[to] = min(2, c.refs[to]+1)
	if link && w.Off() == 0 {
		c.pred[to] = int32(n)
	} else {
		c.pinned[to] = true
	}
	c.push(to)
}

// hidden reports whether a concrete node may become part of a summary, and the kind that it has
// there.
func (c *Canonizer) hidden(n int) (Kind, bool) {
	d := &c.in.Nodes[n]
	if c.pinned[n] || c.refs[n] != 1 || !d.Shared || d.Offer.held() || c.d.Link(int(d.Type)) < 0 {
		return 0, false
	}
	t := &c.d.types[d.Type]
	words := c.in.Of(n)
	for off, w := range words {
		if off != t.link && (w.IsRef() || w.IsFunc()) {
			return 0, false
		}
	}
	for _, m := range t.mutexes {
		if words[m] != Nil {
			return 0, false
		}
	}
	if c.d.Ordered {
		class, some := c.d.ClassOf(c.in, n)
		switch {
		case some && class == Equal, !some && t.hasData:
			return 0, false
		case !some:
			if p := int(c.pred[n]); !c.in.Nodes[p].Summary {
				if class, some := c.d.ClassOf(c.in, p); some && class == Equal {
					return 0, false
				}
			}
		}
	}
	return c.d.kindOf(c.in, n)
}

// ClassOf is the class of the item in a concrete node; false if it has none. If it has several,
// Equal is preferred, else the last one.
func (d *Domain) ClassOf(h *Heap, n int) (class Class, some bool) {
	t := &d.types[h.Nodes[n].Type]
	if !t.hasData {
		return 0, false
	}
	for off, w := range h.Of(n) {
		if w.IsData() && t.data[off%len(t.data)] && (!some || class != Equal) {
			class, some = w.Class(), true
		}
	}
	return class, some
}

// visit returns the new number of a node that stays concrete. A node met for the first time gets
// the next number.
func (c *Canonizer) visit(n int) int {
	if c.to[n] >= 0 {
		return int(c.to[n])
	}
	d := c.in.Nodes[n]
	id := len(c.out.Nodes)
	c.to[n] = int32(id)
	if d.Summary { // would need a chain that begins at a private cell; there is none
		panic("shape: a summary where there is no link")
	}
	at := len(c.out.Words)
	c.out.Words = append(c.out.Words, c.in.Of(n)...)
	d.At = uint16(at)
	c.out.Nodes = append(c.out.Nodes, d)
	link := -1
	if d.Shared && n != 0 {
		link = c.d.Link(int(d.Type))
	}
	for off := range int(d.N) {
		w := c.in.Get(n, off)
		switch {
		case off == link:
			w = c.chain(n, w)
		case w.IsRef():
			w = w.at(c.visit(w.Node()))
		}
		c.out.Words[at+off] = w
	}
	return id
}

// chain folds the cells behind link w of node n that can be hidden into summaries, and gives the
// new link.
func (c *Canonizer) chain(n int, w Word) Word {
	lo := c.lower(n)
	var runs [8]Node
	list := runs[:0]
	for w.IsRef() && w.Off() == 0 {
		m := w.Node()
		item := c.in.Nodes[m]
		if !item.Summary {
			k, ok := c.hidden(m)
			if !ok {
				break
			}
			class := Above
			if c.d.Ordered {
				if info := &c.d.kinds[k]; info.data {
					class = info.class
				} else if class = lo; len(list) > 0 {
					class = list[len(list)-1].Class
				}
			}
			one := Set(0).With(k)
			item = Node{Kinds: one, First: one, Last: one, Class: class, Next: c.in.Get(m, c.d.Link(int(item.Type)))}
		}
		w = item.Next
		if item.Empty() {
			continue
		}
		if last := len(list) - 1; last >= 0 && list[last].Class == item.Class {
			list[last].concat(&item)
		} else {
			list = append(list, item)
		}
	}
	if (c.bare == nil || !c.bare[n]) && !c.linksOnly(w) {
		list = c.fill(list, lo, c.upper(w))
	}
	return c.emit(list, w)
}

// linksOnly reports whether, in an ordered heap, a word leads to a cell without items, which counts
// as part of the cell before it.
func (c *Canonizer) linksOnly(w Word) bool {
	return c.d.Ordered && w.IsRef() && !c.d.types[c.in.Nodes[w.Node()].Type].hasData
}

// concat appends the cells of summary b to those of summary a.
func (a *Node) concat(b *Node) {
	if a.Opt {
		a.First |= b.First
	}
	if b.Opt {
		a.Last |= b.Last
	} else {
		a.Last = b.Last
	}
	a.Kinds |= b.Kinds
	a.Opt = a.Opt && b.Opt
}

// lower is the least class that cells behind node n may have if the chain is sorted.
func (c *Canonizer) lower(n int) Class {
	if !c.d.Ordered {
		return Above
	}
	if class, some := c.d.ClassOf(c.in, n); some {
		return class
	}
	if p := int(c.pred[n]); p >= 0 && !c.d.types[c.in.Nodes[n].Type].hasData && !c.in.Nodes[p].Summary && c.in.Nodes[p].Type != c.in.Nodes[n].Type {
		if class, some := c.d.ClassOf(c.in, p); some {
			return class
		}
	}
	return Below
}

// upper is the greatest class that cells in front of what w leads to may have if the chain is sorted.
func (c *Canonizer) upper(w Word) Class {
	if c.d.Ordered && w.IsRef() {
		if class, some := c.d.ClassOf(c.in, w.Node()); some {
			return class
		}
	}
	return Above
}

// fill adds empty summaries for the classes from lo to hi of which the list has none.
func (c *Canonizer) fill(list []Node, lo, hi Class) []Node {
	if !c.d.Ordered {
		if len(list) == 0 {
			list = append(list, Node{Class: Above, Opt: true})
		}
		return list
	}
	if lo == Below && (len(list) == 0 || list[0].Class != Below) {
		list = append(list, Node{})
		copy(list[1:], list)
		list[0] = Node{Class: Below, Opt: true}
	}
	if hi == Above && (len(list) == 0 || list[len(list)-1].Class != Above) {
		list = append(list, Node{Class: Above, Opt: true})
	}
	return list
}

// emit adds summaries to the new heap, in front of what w leads to, and gives the word that leads
// to the first.
func (c *Canonizer) emit(list []Node, w Word) Word {
	first := len(c.out.Nodes)
	for i := range list {
		s := list[i]
		s.Next = Ref(first+i+1, 0)
		c.out.Add(s)
	}
	if w.IsRef() {
		w = w.at(c.visit(w.Node()))
	}
	if len(list) == 0 {
		return w
	}
	c.out.Nodes[first+len(list)-1].Next = w
	return Ref(first, 0)
}
