// SPDX-License-Identifier: BSD-3-Clause

package play

import (
	"cmp"
	"slices"
)

// The order of the threads of a state as parts. The rules are those of vm/state (symmetry.go).

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
	// Equal numbers mean equal parts, but the order of numbers means nothing: workers assign them in any order.
	// So unequal parts are compared by their words, as in the machine: head, tag, the rest.
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

// compareViews compares the views of two threads that are equal otherwise; threads that are no clients have none.
func (p *Parts) compareViews(i, j int) int {
	if max(i, j) >= p.opt.Clients {
		return 0
	}
	return cmp.Compare(p.opt.View(i), p.opt.View(j))
}

// wordsOf returns the words of a thread's part.
func (p *Parts) wordsOf(i int) []uint64 {
	if p.raw {
		return p.Pieces().Threads[i].Words
	}
	return p.Thread(p.After.Threads[i]).Words()
}

// mostOrders is the greatest number of orders of equal threads that are tried, as in vm/state.
const mostOrders = 5040

// ties is the state of breakTies.
type ties struct {
	best   []int  // the best order so far
	number uint64 // its number
	left   int    // how many orders may still be tried
}

// breakTies chooses among the orders of threads with equal parts the one with the least number (Options.Tie).
func (p *Parts) breakTies(perm []int) {
	t := &p.ties
	t.best = append(t.best[:0], perm...)
	t.number, t.left = p.tieOf(perm), mostOrders
	p.tryOrders(perm, 0, true)
	copy(perm, t.best)
}

// tryOrders tries from index i on every order that differs from perm only among equal threads; first means that perm itself, whose
// number is known, has not been changed.
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

// exchangeable reports whether the order of threads equal to this one does not matter.
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

// itemsIn lists the items of the state in the order of their new names, given the order of the threads.
func (p *Parts) itemsIn(perm []int) []uint8 {
	p.listed = append(p.listed[:0], p.After.HeapItems...)
	for _, i := range perm {
		p.listed = append(p.listed, p.After.Items[i]...)
	}
	return p.listed
}
