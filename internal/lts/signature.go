// SPDX-License-Identifier: BSD-3-Clause

package lts

import "slices"

// This file partitions by signatures, as far as that is cheap. A state's signature is what it can do
// behind inert steps: labels, with the blocks that they lead to. In each round blocks are split by the
// signatures of their states (Blom and Orzan, Distributed branching bisimulation reduction of state
// spaces, PDMC 2003). Where a system needs few rounds, as those do that have many labels or that are
// random, that is faster than splitting block by block, and takes less memory; where it needs
// many the partition so far, which is not finer than the one that is looked for, is where the
// algorithm of refine.go begins. How much is done here is bounded by a number of visits to
// transitions that is linear in the system, so that the bound of the whole is refine.go's.
//
// Deviations from the paper: a signature is found again only where it may have changed; the largest
// part of a block keeps the block's number, so that it has changed in few places.

// signer is a partition by signatures. Its system has no cycle of internal steps, and these lead to
// states with smaller numbers; if strong, they are like any others.
type signer struct {
	s         *System
	strong    bool
	block     []int32
	size      []int32 // of a block
	moved     []bool  // of a state: the last round gave it another block
	renewed   []bool  // of a state: this round gave it another signature
	touched   []bool  // of a block: of one of its states
	signature []int32 // of a state: a number in lists
	lists
	groups  table
	sizes   []int32 // of a group: the states of one block with one signature
	groupOf []int32 // of a state in a touched block
	list    []Edge
	left    int // how many transitions may still be looked at
}

const (
	// roundVisits is the part of the transitions that a round counts as visited although it only passes
	// by: one of so many.
	roundVisits = 16
	// mostVisits is how often each transition may be visited.
	mostVisits = 4
)

// signatures splits blocks until it has looked at so many transitions. done says that the partition is
// the coarsest bisimulation then: otherwise it may be coarser.
func signatures(s *System, strong bool, block []int32, visits int) (count int, done bool) {
	n := s.States()
	g := &signer{s: s, strong: strong, block: block, size: make([]int32, slices.Max(block)+1), moved: make([]bool, n),
		renewed: make([]bool, n), signature: make([]int32, n), groupOf: make([]int32, n), lists: newLists(), left: visits}
	for i, b := range block {
		g.size[b]++
		g.moved[i], g.signature[i] = true, -1
	}
	for g.sign() {
		if !g.split() {
			return len(g.size), true
		}
	}
	return len(g.size), false
}

// sign finds the signatures again that may have changed. false: that would be too much work.
func (g *signer) sign() bool {
	g.touched = make([]bool, len(g.size))
	if len(g.edges) > 2*len(g.s.edges) {
		g.forget()
	}
	g.left -= len(g.s.edges)/roundVisits + 1
	for i := range g.block {
		at := State(i)
		g.renewed[i] = false
		if !g.stale(at) {
			continue
		}
		if k := g.find(at); k != g.signature[i] {
			g.signature[i], g.renewed[i] = k, true
			g.touched[g.block[i]] = true
		}
		if g.left < 0 {
			return false
		}
	}
	return true
}

// stale says that the signature of a state may have changed: the blocks have that it is in or that its
// transitions lead to, or the signatures that it has behind inert steps.
func (g *signer) stale(at State) bool {
	if g.moved[at] {
		return true
	}
	for _, e := range g.s.Edges(at) {
		if g.moved[e.To] || g.renewed[e.To] && g.inert(at, e) {
			return true
		}
	}
	return false
}

func (g *signer) inert(at State, e Edge) bool {
	return e.Label == Tau && !g.strong && g.block[at] == g.block[e.To]
}

// find finds the signature of a state.
func (g *signer) find(at State) int32 {
	g.list = g.list[:0]
	behind, several := int32(-1), false // the signature of the states that inert steps lead to
	for _, e := range g.s.Edges(at) {
		if !g.inert(at, e) {
			g.list = append(g.list, Edge{e.Label, g.block[e.To]})
			continue
		}
		k := g.signature[e.To]
		several = several || behind >= 0 && behind != k
		behind = k
	}
	g.left -= len(g.list)
	if behind >= 0 && !several && g.covers(behind) {
		return behind
	}
	for _, e := range g.s.Edges(at) {
		if behind >= 0 && g.inert(at, e) {
			more := g.lists.at(g.signature[e.To])
			g.left -= len(more)
			g.list = append(g.list, more...)
		}
	}
	slices.SortFunc(g.list, compareEdges)
	g.list = slices.Compact(g.list)
	return g.number(g.list)
}

// covers says that the list has nothing that a signature has not.
func (g *signer) covers(k int32) bool {
	all := g.lists.at(k)
	for _, e := range g.list {
		if _, ok := slices.BinarySearchFunc(all, e, compareEdges); !ok {
			return false
		}
	}
	return true
}

// split gives the states of each block that have different signatures different blocks; the most of
// them keep theirs. false: all of each block have the same.
func (g *signer) split() bool {
	blocks := len(g.size)
	g.group()
	best := make([]int32, blocks) // of a block: one more than its largest group
	for k, key := range g.groups.keys {
		b := int32(key >> 32)
		if best[b] == 0 || g.sizes[best[b]-1] < g.sizes[k] {
			best[b] = int32(k) + 1
		}
	}
	number := make([]int32, len(g.sizes))
	for k, key := range g.groups.keys {
		b := int32(key >> 32)
		number[k] = b
		if best[b] != int32(k)+1 {
			number[k] = int32(len(g.size))
			g.size = append(g.size, 0)
		}
		g.size[number[k]] = g.sizes[k]
	}
	for i, b := range g.block {
		g.moved[i] = false
		if g.touched[b] {
			to := number[g.groupOf[i]]
			g.moved[i], g.block[i] = to != b, to
		}
	}
	return len(g.size) > blocks
}

// group finds the groups of states with one signature in each touched block.
func (g *signer) group() {
	g.groups.clear()
	g.sizes = g.sizes[:0]
	for i, b := range g.block {
		if !g.touched[b] {
			continue
		}
		k := g.groups.number(uint64(b)<<32 | uint64(uint32(g.signature[i])))
		if k == len(g.sizes) {
			g.sizes = append(g.sizes, 0)
		}
		g.sizes[k]++
		g.groupOf[i] = int32(k)
	}
}

// forget drops the signatures that no state has any more.
func (g *signer) forget() {
	old := g.lists
	g.lists = newLists()
	name := make([]int32, old.count())
	for i, k := range g.signature {
		if k < 0 {
			continue
		}
		if name[k] == 0 {
			name[k] = g.number(old.at(k)) + 1
		}
		g.signature[i] = name[k] - 1
	}
}

// table numbers words in the order in which they come.
type table struct {
	keys  []uint64
	slots []int32 // one more than a number; 0: free
}

func (t *table) clear() {
	t.keys = t.keys[:0]
	clear(t.slots)
}

func (t *table) number(key uint64) int {
	if 2*len(t.keys) >= len(t.slots) {
		t.slots = make([]int32, max(1024, 2*len(t.slots)))
		for k, key := range t.keys {
			t.slots[t.slot(key)] = int32(k) + 1
		}
	}
	at := t.slot(key)
	if t.slots[at] == 0 {
		t.keys = append(t.keys, key)
		t.slots[at] = int32(len(t.keys))
	}
	return int(t.slots[at]) - 1
}

// slot is where a key is or belongs.
func (t *table) slot(key uint64) uint64 {
	at := mix(key)
	for range t.slots {
		at &= uint64(len(t.slots) - 1)
		if k := t.slots[at]; k == 0 || t.keys[k-1] == key {
			return at
		}
		at++
	}
	panic("lts: a table of words without room")
}
