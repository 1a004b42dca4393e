// SPDX-License-Identifier: BSD-3-Clause

package walk

import (
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// bury notes which words of thread i's private memory the prover forgets where the thread stands.
func (w *walker) bury(i int) {
	t := w.m.Thread[i]
	if t.Idle() {
		return
	}
	v := &shape.View{}
	for n := range t.Frames {
		w.frame(v, t, n)
	}
	h := w.heap(&w.now)
	w.forget(h)
	own := private(h, v.Regs)
	for n := range h.Nodes {
		h.Nodes[n].Shared = !own[n]
	}
	w.v.Domain.Bury(h, w.site(t))
	for n := range own {
		for off, x := range h.Of(n) {
			if x.IsDead() {
				w.dead[state.Pointer(w.order[n], off)] = x
			}
		}
	}
}

// forget marks the words in a heap that the prover has forgotten.
func (w *walker) forget(h *shape.Heap) {
	for at, x := range w.dead {
		if n, there := w.nodes[state.ObjectID(at)]; there && n < len(h.Nodes) {
			h.Put(n, state.Offset(at), x)
		}
	}
}

// private is the set of the private nodes to which some words lead.
func private(h *shape.Heap, words []shape.Word) map[int]bool {
	own := map[int]bool{}
	for work := append([]shape.Word(nil), words...); len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x.IsRef() && !own[x.Node()] && !h.Nodes[x.Node()].Shared {
			own[x.Node()] = true
			work = append(work, h.Of(x.Node())...)
		}
	}
	return own
}

// touch is called before an instruction of thread i. Words that the instruction writes are no longer forgotten. The
// text is not empty if it reads a forgotten word, which is a fault of the prover.
func (w *walker) touch(i int) string {
	t := w.m.Thread[i]
	if len(w.dead) == 0 || t.Idle() || t.Top().Code.Func.External {
		return ""
	}
	f := t.Top()
	in := &f.Code.Func.Code[f.PC]
	n, write := 1, true
	switch in.Op {
	case ir.OpLoad, ir.OpStore:
		n, write = in.T.Size, in.Op == ir.OpStore
	case ir.OpAtomicStore:
	case ir.OpAtomicLoad, ir.OpAtomicSwap, ir.OpAtomicCAS, ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
		write = false
	default:
		return ""
	}
	at := w.operand(t, f, in.A)
	for off := range n {
		word := state.Pointer(state.ObjectID(at), state.Offset(at)+off)
		if _, there := w.dead[word]; there && !write {
			return "it reads a word that the invariant forgets"
		}
		delete(w.dead, word)
	}
	return ""
}
