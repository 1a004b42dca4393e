// SPDX-License-Identifier: BSD-3-Clause

package shape

import "slices"

// A private cell may hold an address that is overwritten before it is read: for example a new cell
// whose linking has failed, and that is linked again. Views that differ only in such an address are
// equal. So addresses in private cells are forgotten whenever a thread stops, until one of them
// turns out to be read: then the computation begins again and keeps that one.

// loss is a word, of the private cells of a type, that is forgotten when a thread stops at a site.
type loss struct {
	site     Site
	typ, off int
}

// dead is a forgotten word; id is the number of its loss.
func dead(id int) Word { return formDead | Word(id) }

// IsDead says whether a word has been forgotten.
func (w Word) IsDead() bool { return w&formMask == formDead }

// Need records that a forgotten word is read after all.
func (d *Domain) Need(w Word) { d.needed[w&payloadMask] = true }

// Bury forgets the addresses in a heap's private cells that, as far as is known, are not read after
// site s.
func (d *Domain) Bury(h *Heap, s Site) {
	for n := range h.Nodes {
		x := &h.Nodes[n]
		if x.Shared || x.N == 0 || h.Get(n, 0).IsFunc() {
			continue
		}
		for off := range int(x.N) {
			if w := h.Get(n, off); w.IsDead() || d.types[x.Type].address[d.within(int(x.Type), off)] && (w.IsRef() || w == Nil) {
				if id := d.lossOf(loss{s, int(x.Type), off}); !d.needed[id] {
					h.Put(n, off, dead(id))
				}
			}
		}
	}
}

func (d *Domain) lossOf(l loss) int {
	id, ok := d.losses[l]
	if !ok {
		id = len(d.losses)
		d.losses[l] = id
		d.needed = append(d.needed, false)
	}
	return id
}

// DeadIn finds a forgotten word in w itself, or in the private cells to which w leads.
func (h *Heap) DeadIn(w Word) (Word, bool) {
	if w.IsDead() {
		return w, true
	}
	if !w.IsRef() || h.Nodes[w.Node()].Shared {
		return w, false
	}
	var seen []int
	work := []int{w.Node()}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if slices.Contains(seen, n) {
			continue
		}
		seen = append(seen, n)
		for _, x := range h.Of(n) {
			switch {
			case x.IsDead():
				return x, true
			case x.IsRef() && !h.Nodes[x.Node()].Shared:
				work = append(work, x.Node())
			}
		}
	}
	return w, false
}
