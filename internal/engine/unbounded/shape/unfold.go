// SPDX-License-Identifier: BSD-3-Clause

package shape

// DropEmpty makes the summary that (n, off) refers to stand for no cell.
func (h *Heap) DropEmpty(n, off int) { h.Put(n, off, h.Nodes[h.Get(n, off).Node()].Next) }

// TakeFirst makes the summary that (n, off) refers to begin with a cell of kind k, which gets the
// next free number; false if that cannot be, for the types do not fit, and then the heap is as it
// was.
func (d *Domain) TakeFirst(c *Heap, n, off int, k Kind) bool {
	old := c.Nodes[c.Get(n, off).Node()]
	if to := d.target(c, n); n != 0 && to >= 0 && to != d.kinds[k].typ {
		return false
	}
	rest := old
	rest.First = d.OfType(old.Kinds, d.types[d.kinds[k].typ].to)
	rest.Opt = old.Last.Has(k) && d.leadsTo(c, k, old.Next)
	if rest.First == 0 && !rest.Opt {
		return false
	}
	info := &d.kinds[k]
	cell := c.New(info.typ, len(info.words))
	copy(c.Of(cell), info.words)
	c.Nodes[cell].Shared = true
	next := rest.Next
	if rest.First != 0 {
		next = Ref(c.Add(rest), 0)
	}
	c.Put(cell, d.types[info.typ].link, next)
	c.Put(n, off, Ref(cell, 0))
	return true
}

// leadsTo says whether a cell of kind k may link to what w says.
func (d *Domain) leadsTo(h *Heap, k Kind, w Word) bool {
	if !w.IsRef() || h.Nodes[w.Node()].Summary {
		return true
	}
	return int(h.Nodes[w.Node()].Type) == d.types[d.kinds[k].typ].to
}
