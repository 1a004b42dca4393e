// SPDX-License-Identifier: BSD-3-Clause

// Package interference says what a write of one thread does to the view of another.
//
// An Effect is the writer's view before the write, reduced to what matters: the cells that
// can be reached from the collection, the address and the values that are written, and a
// few cells behind what was there. Merging lays an effect over the view of a victim: both
// see one memory, so cells that are reached from the collection in the same way are the same
// cell, and what one of them knows of a cell the other one may not contradict. Where a summary
// leaves open which cells there are, all cases are followed. What results are the views that
// the victim may have after the write.
//
// The package takes heaps and effects and gives heaps. It knows no instructions and no
// properties.
package interference

import (
	"encoding/binary"

	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/engine/unbounded/transfer"
)

// Effect is a write of one thread as other threads may observe it.
type Effect struct {
	shape.Heap // before the write, as far as it matters
	// the address, the words that are written, and cells that are not hidden in summaries
	Regs  []shape.Word
	Words int  // how many words are written
	Plain bool // the write is not atomic
	Lock  transfer.Locking
}

// Key appends what two effects must have in common to be joined into one.
func (e *Effect) Key(dst []byte) []byte {
	plain := byte(0)
	if e.Plain {
		plain = 1
	}
	dst = append(dst, byte(e.Words), plain, byte(e.Lock), byte(len(e.Regs)))
	for _, w := range e.Regs {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(w))
	}
	return e.Heap.Key(dst)
}

// context is how many cells behind the old value are not hidden in summaries: enough to tell what a step that unlinks
// a cell has found there.
const context = 3

// NewEffect reduces a write to its effect. No empty summaries are added behind the cells that it names: the write may
// depend on there being no cell.
func NewEffect(d *shape.Domain, c *shape.Canonizer, w *transfer.Write) *Effect {
	e := &Effect{Words: len(w.Words), Plain: w.Plain, Lock: w.Lock}
	e.Regs = append(append(e.Regs, w.Target), w.Words...)
	if w.Lock == transfer.NoLock {
		e.Regs = append(e.Regs, behind(d, &w.Heap, w.Target)...)
	}
	bare := make([]bool, len(w.Heap.Nodes))
	for _, r := range e.Regs {
		if r.IsRef() {
			bare[r.Node()] = true
		}
	}
	e.Heap = c.Run(&w.Heap, e.Regs, bare)
	return e
}

// behind lists the concrete cells to which the value at an address leads, and those linked to them, at most context.
func behind(d *shape.Domain, h *shape.Heap, at shape.Word) []shape.Word {
	var list []shape.Word
	w := h.Get(at.Node(), at.Off())
	for len(list) < context && w.IsRef() && w.Off() == 0 && !h.Nodes[w.Node()].Summary {
		list = append(list, w)
		link := d.Link(int(h.Nodes[w.Node()].Type))
		if link < 0 || !h.Nodes[w.Node()].Shared {
			break
		}
		w = h.Get(w.Node(), link)
	}
	return list
}
