// SPDX-License-Identifier: BSD-3-Clause

package state

// maxNames is how many words of one sort can have names.
const maxNames = 255

// wordNames gives new names, from 0 on, to words of one kind (items, thread numbers)
// in the order in which they are met while a state is saved.
type wordNames struct {
	name  [maxNames + 1]uint8 // new name plus one; 0: none yet
	order []uint8             // words in order of their new names
	// Of the threads' keys, by thread: the words that only threads hold, as
	// parts[ends[i-1]:ends[i]].
	parts []uint8
	ends  []int
	owned [maxNames + 1]bool // in some thread's key
}

func (n *wordNames) reset() {
	n.forget(0)
	n.forgetParts()
}

// forgetParts forgets the words in the threads' keys.
func (n *wordNames) forgetParts() {
	for _, k := range n.parts {
		n.owned[k] = false
	}
	n.parts, n.ends = n.parts[:0], n.ends[:0]
}

// of returns the new name of word k, which it gets if it has none.
func (n *wordNames) of(k int) uint64 {
	if n.name[k] == 0 {
		n.order = append(n.order, uint8(k))
		n.name[k] = uint8(len(n.order))
	}
	return uint64(n.name[k]) - 1
}

// forget drops all names but the first count.
func (n *wordNames) forget(count int) {
	for _, k := range n.order[count:] {
		n.name[k] = 0
	}
	n.order = n.order[:count]
}

// part lists the words in thread i's key.
func (n *wordNames) part(i int) []uint8 {
	if i == 0 {
		return n.parts[:n.ends[0]]
	}
	return n.parts[n.ends[i-1]:n.ends[i]]
}

// keep records the words in a thread's key, and reports whether another key contains one of them.
func (n *wordNames) keep(global int) (shared bool) {
	for _, k := range n.order[global:] {
		shared = shared || n.owned[k]
		n.owned[k] = true
		n.parts = append(n.parts, k)
	}
	n.ends = append(n.ends, len(n.parts))
	return shared
}
