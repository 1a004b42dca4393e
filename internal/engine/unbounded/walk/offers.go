// SPDX-License-Identifier: BSD-3-Clause

package walk

import (
	"math/rand/v2"

	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// dice decide at random what Go leaves open.
type dice struct{ random *rand.Rand }

// Choose gives a number below n.
func (d dice) Choose(n int) int { return d.random.IntN(n) }

// held is an offer with the thread that made it.
type held struct {
	offer  shape.Offer
	thread int
}

// change is a write that a thread is about to make.
type change struct {
	at    uint64   // the address
	old   []uint64 // the words there before
	swaps bool     // it is a compare-and-swap
}

// about describes the write that thread i is about to make. The cells to which the written words lead get numbers in
// heaps, so that they can be compared behind the write.
func (w *walker) about(i int) change {
	t := w.m.Thread[i]
	f := t.Top()
	in := &f.Code.Func.Code[f.PC]
	n, value := 1, in.B
	switch in.Op {
	case ir.OpStore:
		n = in.T.Size
	case ir.OpAtomicCAS:
		value = in.C
	}
	c := change{at: w.operand(t, f, in.A), swaps: in.Op == ir.OpAtomicCAS}
	if n == 0 {
		return c
	}
	c.old = append(c.old, w.m.Words(c.at, n)...)
	_, layout := w.words(state.ObjectID(c.at))
	for off := range n {
		w.word(w.operand(t, f, value.Word(off)), layout[state.Offset(c.at)+off])
	}
	return c
}

// exchange notes what a write of thread i has done to offers. before is the heap before the write, v the view of the
// thread.
func (w *walker) exchange(i int, before *shape.Heap, c change, v *shape.View) error {
	now := w.m.Words(c.at, len(c.old))
	_, layout := w.words(state.ObjectID(c.at))
	var words []shape.Word
	same := true
	for off, x := range now {
		same = same && x == c.old[off]
		words = append(words, w.word(x, layout[state.Offset(c.at)+off]))
	}
	if same {
		return nil
	}
	w.mark(before, i)
	at := shape.Ref(w.node(state.ObjectID(c.at)), state.Offset(c.at))
	ended, err := w.v.Property.Exchange(before, at, words, v)
	if err != nil {
		return err
	}
	owner := i
	for _, n := range ended {
		owner = w.offers[w.order[n]].thread
		delete(w.offers, w.order[n])
	}
	for _, x := range words {
		if !x.IsRef() {
			continue
		}
		switch o := before.Nodes[x.Node()].Offer; o.Holder {
		case shape.Self:
			w.offers[w.order[x.Node()]] = held{o, i}
		case shape.Another:
			w.offers[w.order[x.Node()]] = held{o, owner}
		}
	}
	return nil
}

// mark marks the offers in a heap as thread i sees them.
func (w *walker) mark(h *shape.Heap, i int) {
	for id, o := range w.offers {
		n, there := w.nodes[id]
		switch {
		case !there || n >= len(h.Nodes):
		case o.thread == i:
			h.Nodes[n].Offer = o.offer.By(shape.Self)
		default:
			h.Nodes[n].Offer = o.offer.By(shape.Another)
		}
	}
}
