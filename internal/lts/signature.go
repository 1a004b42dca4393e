// SPDX-License-Identifier: BSD-3-Clause

package lts

import (
	"math/bits"
	"slices"
)

// Partition by signatures. The signature of a state is the set of its moves behind inert steps,
// which are internal steps inside its block: labels, each with the block that the transition leads
// to. Each round puts the states of a block that have different signatures into different blocks,
// until there are none (Blom and Orzan, Distributed branching bisimulation reduction of state
// spaces, PDMC 2003).
//
// Example: x -a-> y -a-> z. All are in block 0 at first, with signatures {a0}, {a0}, {}, so z gets
// block 1; then x has {a0} and y has {a1}, so these differ as well.
//
// Deviations from the paper: a signature is computed again only if it may have changed, and the
// largest part of a block keeps the block's number, so that a state changes its block at most log n
// times. Strong bisimulation therefore takes O(m d log n) time, where d is the greatest number of
// transitions of one state. Branching bisimulation has no such bound, as signatures pass along
// inert steps; but sketches (sketch.go) split most blocks first, and signatures are small then. The
// O(m log n) algorithm of Jansen, Groote, Keiren and Wijs (TACAS 2020) was removed: no system of
// the studies needed it.

// signer computes a partition by signatures. Its system must not have a cycle of internal steps,
// and these must lead to states with smaller numbers. If strong, internal steps are treated like
// any others.
type signer struct {
	s      *System
	strong bool
	before *System // the system with all transitions reversed
	block  []int32 // by state

	// order lists the states by block; in each block, those whose signatures this round has changed
	// come first.
	order  []State
	place  []int32 // by state: its index in order
	blocks []block
	// touched lists the blocks that have such states.
	touched []int32

	signature []int32 // by state: a number in lists; -1: not computed yet
	lists
	limit   int    // how many edges the lists may have before unused ones are dropped
	pending queue  // states whose signatures may have changed
	list    []Edge // the signature that is being computed
}

// block is the range [begin, end) of order; this round has changed the signatures in [begin,
// renewed).
type block struct{ begin, renewed, end int32 }

// classes computes the coarsest branching bisimulation, or if strong the coarsest strong one, as a
// block for each state. The system must not have internal cycles, and its internal steps must lead
// to states with smaller numbers.
func classes(s *System, strong bool) (of []int32, count int) {
	of = make([]int32, s.States())
	s.splitBySketches(strong, of)
	return of, signatures(s, strong, of)
}

// signatures refines a partition until it is a bisimulation, and counts its blocks. It must be
// coarser than the bisimulation at first.
func signatures(s *System, strong bool, from []int32) int {
	g := newSigner(s, strong, from)
	for !g.pending.empty() {
		g.sign()
		g.split()
		if len(g.edges) > g.limit {
			g.forget()
			g.limit = 2 * max(len(s.edges), len(g.edges))
		}
	}
	return len(g.blocks)
}

func newSigner(s *System, strong bool, from []int32) *signer {
	n := s.States()
	g := &signer{s: s, strong: strong, before: s.reversed(), block: from, order: make([]State, n), place: make([]int32, n),
		blocks: make([]block, slices.Max(from)+1), signature: make([]int32, n), lists: newLists(), limit: 2 * len(s.edges),
		pending: newQueue(n)}
	for _, b := range from {
		g.blocks[b].end++
	}
	at := int32(0)
	for i := range g.blocks {
		size := g.blocks[i].end
		g.blocks[i] = block{at, at, at}
		at += size
	}
	for i, b := range from {
		k := &g.blocks[b]
		g.order[k.end], g.place[i], g.signature[i] = State(i), k.end, -1
		k.end++
		g.pending.push(State(i))
	}
	return g
}

// reversed is the system with all transitions reversed.
func (s *System) reversed() *System {
	from := make([]State, len(s.edges))
	edges := make([]Edge, len(s.edges))
	for i := range s.States() {
		for k := s.first[i]; k < s.first[i+1]; k++ {
			from[k], edges[k] = s.edges[k].To, Edge{s.edges[k].Label, State(i)}
		}
	}
	out := &System{initial: s.initial, labels: s.labels}
	out.first, out.edges = bySource(s.States(), from, edges)
	return out
}

// sign computes the signatures again that may have changed. A state comes after those to which its
// internal steps lead, as its signature contains theirs.
func (g *signer) sign() {
	for !g.pending.empty() {
		at := g.pending.pop()
		k := g.find(at)
		if k == g.signature[at] {
			continue
		}
		g.signature[at] = k
		g.renew(at)
		for _, e := range g.before.Edges(at) {
			if g.inert(at, e) {
				g.pending.push(e.To)
			}
		}
	}
}

// renew moves a state to the renewed ones of its block.
func (g *signer) renew(at State) {
	b := &g.blocks[g.block[at]]
	if b.renewed == b.begin {
		g.touched = append(g.touched, g.block[at])
	}
	other, p := g.order[b.renewed], g.place[at]
	g.order[b.renewed], g.place[at] = at, b.renewed
	g.order[p], g.place[other] = other, p
	b.renewed++
}

// inert reports whether a transition between two states, in either direction, is an internal one
// inside a block.
func (g *signer) inert(at State, e Edge) bool {
	return e.Label == Tau && !g.strong && g.block[at] == g.block[e.To]
}

// find computes the signature of a state.
func (g *signer) find(at State) int32 {
	g.list = g.list[:0]
	behind, several := int32(-1), false // the signature behind all inert steps, if it is one
	for _, e := range g.s.Edges(at) {
		if !g.inert(at, e) {
			g.list = append(g.list, Edge{e.Label, g.block[e.To]})
			continue
		}
		k := g.signature[e.To]
		several = several || behind >= 0 && behind != k
		behind = k
	}
	if behind >= 0 && !several && g.covers(behind) {
		return behind
	}
	for _, e := range g.s.Edges(at) {
		if behind >= 0 && g.inert(at, e) {
			g.list = append(g.list, g.lists.at(g.signature[e.To])...)
		}
	}
	slices.SortFunc(g.list, compareEdges)
	g.list = slices.Compact(g.list)
	return g.number(g.list)
}

// covers reports whether signature k contains all edges of the list.
func (g *signer) covers(k int32) bool {
	all := g.lists.at(k)
	for _, e := range g.list {
		if _, ok := slices.BinarySearchFunc(all, e, compareEdges); !ok {
			return false
		}
	}
	return true
}

// split divides each touched block by signatures. The largest part keeps the number.
func (g *signer) split() {
	for _, b := range g.touched {
		whole := g.blocks[b]
		states := g.order[whole.begin:whole.renewed]
		slices.SortFunc(states, func(x, y State) int { return int(g.signature[x] - g.signature[y]) })
		for i, s := range states {
			g.place[s] = whole.begin + int32(i)
		}
		// The states with unchanged signatures all have the same one. They are the last part.
		kept := block{whole.renewed, whole.renewed, whole.end}
		for begin := whole.begin; begin < whole.renewed; {
			end := begin + 1
			for end < whole.renewed && g.signature[g.order[end]] == g.signature[g.order[begin]] {
				end++
			}
			part := block{begin, begin, end}
			if part.end-part.begin > kept.end-kept.begin {
				part, kept = kept, part
			}
			g.move(part)
			begin = end
		}
		g.blocks[b] = kept
	}
	g.touched = g.touched[:0]
}

// move makes a part of a block a block of its own. This may change the signatures of its states,
// and of all states from which transitions lead into it.
func (g *signer) move(part block) {
	if part.begin == part.end {
		return
	}
	for _, s := range g.order[part.begin:part.end] {
		g.block[s] = int32(len(g.blocks))
		g.pending.push(s)
		for _, e := range g.before.Edges(s) {
			g.pending.push(e.To)
		}
	}
	g.blocks = append(g.blocks, part)
}

// forget drops the signatures that no state has any more.
func (g *signer) forget() {
	old := g.lists
	g.lists = newLists()
	name := make([]int32, old.count())
	for i, k := range g.signature {
		if name[k] == 0 {
			name[k] = g.number(old.at(k)) + 1
		}
		g.signature[i] = name[k] - 1
	}
}

// queue is a priority queue of states without duplicates; the smallest comes first. It is a set of
// bits; each further level has a bit for each word of the level below that is not zero.
type queue struct {
	levels [][]uint64 // states first; the last level is one word
}

func newQueue(states int) queue {
	q := queue{}
	for n := states; len(q.levels) == 0 || n > 1; {
		n = (n + 63) / 64
		q.levels = append(q.levels, make([]uint64, n))
	}
	return q
}

func (q *queue) empty() bool { return q.levels[len(q.levels)-1][0] == 0 }

func (q *queue) push(s State) {
	at := uint32(s)
	for _, level := range q.levels {
		word := &level[at/64]
		*word |= 1 << (at % 64)
		at /= 64
	}
}

func (q *queue) pop() State {
	at := uint32(0)
	for i := len(q.levels) - 1; i >= 0; i-- {
		at = at*64 + uint32(bits.TrailingZeros64(q.levels[i][at]))
	}
	least := State(at)
	for _, level := range q.levels {
		word := &level[at/64]
		*word &^= 1 << (at % 64)
		if *word != 0 {
			break
		}
		at /= 64
	}
	return least
}
