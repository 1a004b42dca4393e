// SPDX-License-Identifier: BSD-3-Clause

package zones

import "slices"

// knowledge is what is shown of all states. It grows while a table is filled, which begins again then.
type knowledge struct {
	fingers []int32        // offsets of the words that lead into the chain; the first is the front
	slots   []place        // where items are handed over
	words   []part         // of the cells of the chain, by offset
	offers  []offered      // what is put into slots: the cells that others may read, the first one is in the slot
	left    []value        // what Takes leave in a slot
	bounds  zone           // of the shared variables
	lend    zone           // of the shared variables and those of an offer: its since, and its numbers
	lent    bool           // there are offers
	atomic  map[int32]bool // words of the collection that are accessed atomically, but for fingers and slots
	plain   map[int32]bool // words of the collection that are read plainly
	moved   bool           // a Take has moved the front
	grew    bool
}

// place is a word of the collection, or an element of a slice whose header is there.
type place struct{ word, index int32 }

// claim is what a word holds of each cell of the chain, or of an offer.
type claim uint8

const (
	open claim = iota // no cell was linked in yet
	item
	position
	link
	anything
)

// part is what a word holds: of a cell of the chain a word of the item, its position, the link, or anything; of an offer a word of the item, a number, the address of a
// cell of the offer (link), or anything.
type part struct {
	claim claim
	n     int // the word of the item, or the number or cell of the offer
}

// opens says whether it is not known what some word of cells of the chain holds.
func (n *knowledge) opens() bool {
	return slices.ContainsFunc(n.words, func(p part) bool { return p.claim == open })
}

// offered is a cell of an offer.
type offered []part

// mostSlots is how many elements a slice may have.
const mostSlots = 8

// The shared variables are the positions of the fingers, of the last cell, and of the last cell whose Put has returned.

func (n *knowledge) end() int      { return len(n.fingers) }
func (n *knowledge) returned() int { return len(n.fingers) + 1 }

// of is the number in zones of a thread's own variable.
func (n *knowledge) of(v int) int { return len(n.fingers) + 2 + v }

// shared lists the shared variables.
func (n *knowledge) shared() (list []int) {
	for i := range n.of(0) {
		list = append(list, i)
	}
	return list
}

// note notes what the shared variables are behind a step.
func (n *knowledge) note(z *zone) {
	s := z.onto(n.shared())
	s.clamp()
	if n.bounds.join(&s) {
		n.grew = true
	}
}

// others lets others move the shared variables; false if what is known contradicts itself.
func (n *knowledge) others(z *zone) bool {
	for i := range n.of(0) {
		for j := range z.n {
			if i != j {
				z.at[i*z.n+j] = free // x(i) may be greater now
			}
		}
	}
	for i := range n.of(0) {
		for j := range n.of(0) {
			z.at[i*z.n+j] = n.bounds.at[i*n.bounds.n+j]
		}
	}
	return z.close()
}

// raise makes "returned" the greater one of itself and variable i.
func (n *knowledge) raise(z *zone, i int) {
	r := n.returned()
	now := z.grow()
	for j := range now {
		z.at[now*z.n+j] = max(z.at[r*z.n+j], z.at[i*z.n+j])
		z.at[j*z.n+now] = min(z.at[j*z.n+r], z.at[j*z.n+i])
	}
	z.close()
	list := n.shared()
	list[r] = now
	for v := n.of(0); v < now; v++ {
		list = append(list, v)
	}
	*z = z.onto(list)
}

// numbers is how many numbers offers have.
func (n *knowledge) numbers() (most int) {
	for _, c := range n.offers {
		for _, p := range c {
			if p.claim == position {
				most = max(most, p.n+1)
			}
		}
	}
	return most
}
