// SPDX-License-Identifier: BSD-3-Clause

package shape

import "slices"

// Node is a cell, or a summary of a chain of cells.
type Node struct {
	Type    uint16 // index in ir.Program.Types; 0 of a summary
	Summary bool
	Shared  bool   // other threads can reach it
	At, N   uint16 // where its words are in Heap.Words, and how many
	Offer   Offer  // what the cell is as an offer
	// Of a summary: the cells that it stands for lie behind one another, each linked by the
	// link of its type, the last one to Next. Nothing else refers to any of them.
	Class Class // Domain.Ordered: of all of them
	Opt   bool  // there may be none
	Kinds Set   // of any of them
	First Set   // of the first
	Last  Set   // of the last
	Next  Word  // behind the last
}

// Heap is the memory that a view sees. The zero value is empty.
type Heap struct {
	Nodes []Node
	Words []Word // of the concrete nodes, each from Node.At on
}

// Clone is a copy that shares nothing.
func (h *Heap) Clone() Heap {
	return Heap{slices.Clone(h.Nodes), slices.Clone(h.Words)}
}

// CopyTo copies a heap into c, whose memory is used again. They share nothing.
func (h *Heap) CopyTo(c *Heap) {
	c.Nodes = append(c.Nodes[:0], h.Nodes...)
	c.Words = append(c.Words[:0], h.Words...)
}

// Of gives the words of a concrete node.
func (h *Heap) Of(n int) []Word {
	d := &h.Nodes[n]
	return h.Words[d.At : d.At+d.N]
}

// Get is word off of a concrete node; of a summary it is Next, and off is ignored.
func (h *Heap) Get(n, off int) Word {
	d := &h.Nodes[n]
	if d.Summary {
		return d.Next
	}
	return h.Words[int(d.At)+off]
}

// Put sets the word that Get reads.
func (h *Heap) Put(n, off int, w Word) {
	d := &h.Nodes[n]
	if d.Summary {
		d.Next = w
		return
	}
	h.Words[int(d.At)+off] = w
}

// New adds a concrete node with zero words.
func (h *Heap) New(typ, size int) int {
	n := len(h.Nodes)
	h.Nodes = append(h.Nodes, Node{Type: uint16(typ), At: uint16(len(h.Words)), N: uint16(size)})
	for range size {
		h.Words = append(h.Words, Nil)
	}
	return n
}

// Add adds a summary.
func (h *Heap) Add(s Node) int {
	s.Summary, s.Shared = true, true
	h.Nodes = append(h.Nodes, s)
	return len(h.Nodes) - 1
}

// IsSummary says whether a word refers to a summary.
func (h *Heap) IsSummary(w Word) bool { return w.IsRef() && h.Nodes[w.Node()].Summary }

// Publish makes shared what a word refers to and everything that is reachable from there.
func (h *Heap) Publish(w Word) {
	if !w.IsRef() || h.Nodes[w.Node()].Shared {
		return
	}
	n := w.Node()
	h.Nodes[n].Shared = true
	for _, x := range h.Of(n) {
		h.Publish(x)
	}
}

// Empty says whether a summary certainly stands for no cell.
func (d *Node) Empty() bool { return d.Opt && d.Kinds == 0 }
