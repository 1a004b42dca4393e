// SPDX-License-Identifier: BSD-3-Clause

package interference

import (
	"errors"

	"pangolin/internal/engine/unbounded/shape"
)

// errChain is the reason why it cannot be told what becomes of a victim.
var errChain = errors.New("a cell that was removed is written or linked in again, and another thread may know it as one of many")

// place finds out which cells of j the cells of an effect are that the collection does not lead to. ready says that
// all are known; if ok is false the cases are on the stack.
func (g *Merger) place(x *joint, f *Effect) (ready, ok bool, err error) {
	if at := f.Regs[0].Node(); x.m[at] < 0 {
		return g.choose(x, at, true)
	}
	for i := range f.Words {
		if ready, ok, err := g.placeCell(x, f.Regs[1+i]); !ready {
			return false, ok, err
		}
	}
	for i := 0; i < len(x.copied); i++ { // it grows
		for _, w := range x.e.Of(int(x.copied[i])) {
			if ready, ok, err := g.placeCell(x, w); !ready {
				return false, ok, err
			}
		}
	}
	return true, true, nil
}

// placeCell finds out which cell of j the cell is to which a word of e leads.
func (g *Merger) placeCell(x *joint, w shape.Word) (ready, ok bool, err error) {
	switch {
	case !w.IsRef() || x.m[w.Node()] >= 0:
	case x.e.Nodes[w.Node()].Summary:
		return false, false, errChain
	case x.e.Nodes[w.Node()].Shared:
		return g.choose(x, w.Node(), false)
	default:
		x.copyCell(w.Node())
	}
	return true, true, nil
}

// copyCell adds to j a cell of e that the victim does not see.
func (x *joint) copyCell(n int) {
	d := x.e.Nodes[n]
	c := x.j.New(int(d.Type), int(d.N))
	x.j.Nodes[c].Shared = d.Shared
	x.grow()
	x.m[n] = int16(c)
	x.inv[c] = int16(n)
	x.copied = append(x.copied, int16(n))
}

// choose makes the cases of which cell of the victim's a cell of e is that the collection does not lead to: one that
// the collection does not lead to for the victim either, or none. target says that the cell is the one that is
// written.
func (g *Merger) choose(x *joint, n int, target bool) (ready, ok bool, err error) {
	typ := x.e.Nodes[n].Type
	reached := reachable(&x.j)
	for i := range x.j.Nodes {
		d := &x.j.Nodes[i]
		switch {
		case reached[i] || !d.Shared:
		case d.Summary:
			if g.d.OfType(d.Kinds, int(typ)) != 0 {
				return false, false, errChain
			}
		case d.Type == typ && x.inv[i] < 0:
			c := g.clone(x)
			if g.identify(c, n, i) {
				g.stack = append(g.stack, c)
			}
		}
	}
	if target {
		return false, false, nil // the victim does not see it: its view stays as it is
	}
	c := g.clone(x)
	c.copyCell(n)
	g.stack = append(g.stack, c)
	return false, false, nil
}

// reachable says of each node whether the collection leads to it.
func reachable(h *shape.Heap) []bool {
	seen := make([]bool, len(h.Nodes))
	stack := []int{0}
	seen[0] = true
	meet := func(w shape.Word) {
		if w.IsRef() && !seen[w.Node()] {
			seen[w.Node()] = true
			stack = append(stack, w.Node())
		}
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if h.Nodes[n].Summary {
			meet(h.Nodes[n].Next)
			continue
		}
		for _, w := range h.Of(n) {
			meet(w)
		}
	}
	return seen
}
