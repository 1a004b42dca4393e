// SPDX-License-Identifier: BSD-3-Clause

package ir

import (
	"iter"
	"slices"
)

// LoopsAt returns the loops that an instruction is in, the innermost first. A loop is given by its
// first source position that is not outside of it as well.
func (f *Func) LoopsAt(pc int) []Pos {
	if len(f.Blocks) == 0 {
		return nil
	}
	var list []Pos
	for _, l := range NewFlow(f).Around(f.blockOf(pc)) {
		if at, ok := f.own(&l); ok && !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	return list
}

// own is the first position of a loop that occurs only inside it. An instruction without a source
// position has that of one before it, which may be outside.
func (f *Func) own(l *Loop) (first Pos, ok bool) {
	others := map[Pos]bool{f.Declared: true}
	for b := range f.Blocks {
		if !slices.Contains(l.Blocks, b) {
			for at := range f.worked(b) {
				others[at] = true
			}
		}
	}
	for _, b := range l.Blocks {
		for at := range f.worked(b) {
			if !others[at] && (!ok || at.Line < first.Line) {
				first, ok = at, true
			}
		}
	}
	return first, ok
}

// worked are the positions in a block of instructions that do more than jump.
func (f *Func) worked(b int) iter.Seq[Pos] {
	return func(yield func(Pos) bool) {
		for i := f.Blocks[b].Start; i < f.Blocks[b].End; i++ {
			switch f.Code[i].Op {
			case OpMove, OpJump, OpIf:
				continue
			}
			if f.Pos[i].Line != 0 && !yield(f.Pos[i]) {
				return
			}
		}
	}
}

// A Flow is the control flow of a function, for analyses: which blocks follow which,
// which are passed on every way to another, and where the loops are.
//
// Blocks are numbered as in Func.Blocks. A function may be entered at its first block
// and, after a panic that a deferred call has recovered, at the block of Func.Recover:
// what may happen between is not part of the graph, so nothing but itself dominates that
// block.
type Flow struct {
	Succs, Preds [][]int

	order []int // reachable blocks, each before those it dominates (reverse postorder)
	rank  []int // of each block in order; -1: not reachable
	idom  []int // of each block; -1: an entry, or not reachable
	loops []Loop
}

// A Loop is a natural loop: the blocks from which its header can be reached without
// leaving it. Loops with one header are one.
type Loop struct {
	Header int
	Blocks []int // ascending, with the header
	Latest []int // the blocks with an edge back to the header, ascending
}

// NewFlow computes the flow of a function that has code.
func NewFlow(f *Func) *Flow {
	n := len(f.Blocks)
	w := &Flow{Succs: make([][]int, n), Preds: make([][]int, n), rank: make([]int, n), idom: make([]int, n)}
	at := blockStarts(f)
	for b := range n {
		for _, target := range successors(f, b) {
			to := at[target]
			if slices.Contains(w.Succs[b], to) {
				continue
			}
			w.Succs[b] = append(w.Succs[b], to)
			w.Preds[to] = append(w.Preds[to], b)
		}
	}
	entries := []int{0}
	if f.Recover >= 0 && at[f.Recover] != 0 {
		entries = append(entries, at[f.Recover])
	}
	w.sort(entries)
	w.dominate(entries)
	w.findLoops()
	return w
}

// sort orders the reachable blocks in reverse postorder.
func (w *Flow) sort(entries []int) {
	for b := range w.rank {
		w.rank[b] = -1
	}
	seen := make([]bool, len(w.rank))
	var visit func(b int)
	visit = func(b int) {
		if seen[b] {
			return
		}
		seen[b] = true
		for _, s := range w.Succs[b] {
			visit(s)
		}
		w.order = append(w.order, b)
	}
	for i := range entries {
		visit(entries[len(entries)-1-i])
	}
	slices.Reverse(w.order)
	for i, b := range w.order {
		w.rank[b] = i
	}
}

// outside stands for what enters the function: it dominates all blocks.
const outside = -1

// dominate finds immediate dominators (K. Cooper, T. Harvey, K. Kennedy, A simple, fast
// dominance algorithm, 2001). Several entries have a common dominator outside.
func (w *Flow) dominate(entries []int) {
	const unknown = -2
	for b := range w.idom {
		w.idom[b] = unknown
	}
	for _, e := range entries {
		w.idom[e] = outside
	}
	for changed := true; changed; {
		changed = false
		for _, b := range w.order {
			if slices.Contains(entries, b) {
				continue
			}
			at := unknown
			for _, p := range w.Preds[b] {
				switch {
				case w.rank[p] < 0 || w.idom[p] == unknown:
				case at == unknown:
					at = p
				default:
					at = w.common(at, p)
				}
			}
			changed = changed || w.idom[b] != at
			w.idom[b] = at
		}
	}
	for b := range w.idom {
		if w.idom[b] == unknown {
			w.idom[b] = outside
		}
	}
}

// common is the nearest block that dominates both, or outside.
func (w *Flow) common(a, b int) int {
	for a != b {
		if a == outside || b == outside {
			return outside
		}
		if w.rank[a] > w.rank[b] {
			a = w.idom[a]
		} else {
			b = w.idom[b]
		}
	}
	return a
}

// Reachable says whether a block can be executed at all.
func (w *Flow) Reachable(b int) bool { return w.rank[b] >= 0 }

// Dominates says whether a is passed on every way to b; each reachable block dominates
// itself.
func (w *Flow) Dominates(a, b int) bool {
	if !w.Reachable(a) || !w.Reachable(b) {
		return false
	}
	for b != a && b != outside {
		b = w.idom[b]
	}
	return b == a
}

// Loops lists the natural loops, by header.
func (w *Flow) Loops() []Loop { return w.loops }

// findLoops finds the edges that lead back to a block that dominates their source, and
// what lies between. A cycle that can be entered at several blocks is no natural loop; Go's
// goto makes such, and no other statement.
func (w *Flow) findLoops() {
	latest := map[int][]int{}
	for _, b := range w.order {
		for _, s := range w.Succs[b] {
			if w.Dominates(s, b) {
				latest[s] = append(latest[s], b)
			}
		}
	}
	for header, ends := range latest {
		slices.Sort(ends)
		inside := map[int]bool{header: true}
		work := slices.Clone(ends)
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if inside[b] || !w.Reachable(b) {
				continue
			}
			inside[b] = true
			work = append(work, w.Preds[b]...)
		}
		l := Loop{Header: header, Latest: ends}
		for b := range inside {
			l.Blocks = append(l.Blocks, b)
		}
		slices.Sort(l.Blocks)
		w.loops = append(w.loops, l)
	}
	slices.SortFunc(w.loops, func(a, b Loop) int { return a.Header - b.Header })
}

// Around lists the loops that a block is in, the smallest first.
func (w *Flow) Around(b int) []Loop {
	var around []Loop
	for _, l := range w.loops {
		if slices.Contains(l.Blocks, b) {
			around = append(around, l)
		}
	}
	slices.SortStableFunc(around, func(a, b Loop) int { return len(a.Blocks) - len(b.Blocks) })
	return around
}
