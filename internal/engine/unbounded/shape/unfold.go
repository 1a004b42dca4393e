package shape

// Unfold splits a heap by what the word (n, off) refers to, which must be a summary: no
// cell, if that may be, or a first cell of each kind that fits, in front of the rest. Every
// memory that the heap stands for is one of those that the results stand for. The heap
// itself is not changed. n may be a summary, whose Next is meant.
func (d *Domain) Unfold(h *Heap, n, off int) []Heap {
	var out []Heap
	s := h.Get(n, off).Node()
	if h.Nodes[s].Opt {
		out = append(out, d.Skip(h, n, off))
	}
	for k := range d.kinds {
		if h.Nodes[s].First.Has(Kind(k)) {
			if c, ok := d.Take(h, n, off, Kind(k)); ok {
				out = append(out, c)
			}
		}
	}
	return out
}

// Skip is the heap in which the summary that (n, off) refers to stands for no cell.
func (d *Domain) Skip(h *Heap, n, off int) Heap {
	c := h.Clone()
	c.DropEmpty(n, off)
	return c
}

// DropEmpty is Skip in place.
func (h *Heap) DropEmpty(n, off int) { h.Put(n, off, h.Nodes[h.Get(n, off).Node()].Next) }

// Take is the heap in which the summary that (n, off) refers to begins with a cell of kind
// k, which gets the next free number; false if that cannot be, for the types do not fit.
func (d *Domain) Take(h *Heap, n, off int, k Kind) (Heap, bool) {
	c := h.Clone()
	if !d.TakeFirst(&c, n, off, k) {
		return Heap{}, false
	}
	return c, true
}

// TakeFirst is Take in place. If it cannot be, the heap is as it was.
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
