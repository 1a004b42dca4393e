// SPDX-License-Identifier: BSD-3-Clause

package play

import (
	"cmp"
	"slices"
)

// The order of the threads of a state as parts, as vm/state finds it (symmetry.go).

// sortParts finds the canonical order of the threads.
func (p *Parts) sortParts() []int {
	n := p.After.N
	perm := p.perm[:n]
	p.ranked.Heap, p.ranked.Threads = p.After.Heap, p.After.Threads
	for i := range perm {
		perm[i] = i
	}
	if p.opt.Machine.NoSymmetry {
		return perm
	}
	for i := 1; i < n; i++ {
		for j := i; j > 0 && p.compare(perm[j-1], perm[j]) > 0; j-- {
			perm[j-1], perm[j] = perm[j], perm[j-1]
		}
	}
	for i := 1; i < n; i++ {
		if p.compare(perm[i-1], perm[i]) == 0 {
			p.breakTies(perm)
			break
		}
	}
	return perm
}

func (p *Parts) compare(i, j int) int {
	a := &p.After
	// Numbers of parts say which are equal, and nothing of their order: two workers give them in another one.
	// So unequal parts are compared by their words, as the machine sorts: head, tag, the rest.
	if a.Threads[i] == a.Threads[j] && !p.raw {
		return cmp.Or(cmp.Compare(a.Tags[i], a.Tags[j]), p.compareViews(i, j))
	}
	x, y := p.wordsOf(i), p.wordsOf(j)
	if x[0] != y[0] {
		return cmp.Compare(x[0], y[0])
	}
	if a.Tags[i] != a.Tags[j] {
		return cmp.Compare(a.Tags[i], a.Tags[j])
	}
	if rest := slices.Compare(x[2:], y[2:]); rest != 0 {
		return rest
	}
	return p.compareViews(i, j)
}

// compareViews compares two threads that differ in nothing else; others than clients look like nothing.
func (p *Parts) compareViews(i, j int) int {
	if max(i, j) >= p.opt.Clients {
		return 0
	}
	return cmp.Compare(p.opt.View(i), p.opt.View(j))
}

// wordsOf are the words of a thread's part.
func (p *Parts) wordsOf(i int) []uint64 {
	if p.raw {
		return p.Pieces().Threads[i].Words
	}
	return p.Thread(p.After.Threads[i]).Words()
}

// mostOrders bounds the orders of equal threads that are tried, as vm/state does.
const mostOrders = 5040

// ties is the best order so far, its number, and how many may still be tried.
type ties struct {
	best   []int
	number uint64
	left   int
}

// breakTies chooses among the orders of threads with equal parts one with the least number (Options.Tie).
func (p *Parts) breakTies(perm []int) {
	t := &p.ties
	t.best = append(t.best[:0], perm...)
	t.number, t.left = p.tieOf(perm), mostOrders
	p.tryOrders(perm, 0, true)
	copy(perm, t.best)
}

// tryOrders tries every order that differs from the given one only among equal threads, from
// position i on; the first one, it itself, is known already.
func (p *Parts) tryOrders(perm []int, i int, first bool) {
	if i == len(perm) {
		t := &p.ties
		if t.left--; t.left < 0 || first {
			return
		}
		if n := p.tieOf(perm); n < t.number {
			t.number = n
			copy(t.best, perm)
		}
		return
	}
	for j := i; j < len(perm); j++ {
		if j > i && (p.compare(perm[i], perm[j]) != 0 || p.exchangeable(perm[i])) {
			break
		}
		perm[i], perm[j] = perm[j], perm[i]
		p.tryOrders(perm, i+1, first && j == i)
		perm[i], perm[j] = perm[j], perm[i]
	}
}

// exchangeable says that the order of the threads with the same part means nothing.
func (p *Parts) exchangeable(i int) bool {
	return i >= p.opt.Clients && (!p.opt.Items || len(p.After.Items[i]) == 0)
}

// tieOf is the number of an order.
func (p *Parts) tieOf(perm []int) uint64 {
	if p.opt.Items {
		return p.opt.Tie(perm, p.itemsIn(perm))
	}
	return p.opt.Tie(perm, nil)
}

// itemsIn lists the items of the state in the order of their new names.
func (p *Parts) itemsIn(perm []int) []uint8 {
	p.listed = append(p.listed[:0], p.After.HeapItems...)
	for _, i := range perm {
		p.listed = append(p.listed, p.After.Items[i]...)
	}
	return p.listed
}
