package deque

import "sync"

// The deque "Snark" of Detlefs, Flood, Garthwaite, Martin, Shavit and Steele, Even Better DCAS-Based Concurrent Deques (DISC 2000), a doubly
// linked list whose ends are changed by a double compare-and-swap (DCAS). It had a proof by hand, and was found wrong by a machine-checked
// one: Doherty, Detlefs, Groves, Flood, Luchangco, Martin, Moir, Shavit and Steele, DCAS is not a Silver Bullet for Nonblocking Algorithm
// Design (SPAA 2004).
//
// Go has no DCAS. Here each access to a hat or a link is one step under a lock, which stands for the machine's memory.

// A SnarkDeque is the deque as first published. PopRight and PopLeft may say false although the deque has not been empty meanwhile, and an
// item may be popped at both ends.
//
//pangolin:new NewSnarkDeque[int]()
type SnarkDeque[T any] struct{ snark[T] }

// NewSnarkDeque returns an empty deque.
func NewSnarkDeque[T any]() *SnarkDeque[T] {
	d := &SnarkDeque[T]{}
	d.clear()
	return d
}

// PushRight adds x at the right end.
func (d *SnarkDeque[T]) PushRight(x T) { d.push(x, right) }

// PushLeft adds x at the left end.
func (d *SnarkDeque[T]) PushLeft(x T) { d.push(x, left) }

// PopRight takes the item at the right end, or says that there was none.
func (d *SnarkDeque[T]) PopRight() (T, bool) { return d.pop(right) }

// PopLeft takes the item at the left end, or says that there was none.
func (d *SnarkDeque[T]) PopLeft() (T, bool) { return d.pop(left) }

func (d *SnarkDeque[T]) pop(end side) (x T, ok bool) {
	for {
		mine, other := d.load(&d.hat[end]), d.load(&d.hat[1-end])
		if d.load(&mine.link[end]) == mine {
			return x, false
		}
		if d.unlink(end, mine, other) {
			return mine.value, true
		}
	}
}

// A SnarkDequePatched mends both defects as the paper of 2004 does: that the deque is empty is believed only if the hat has not moved since
// it was read, and who has unlinked a node has its item only if nobody has claimed it before.
//
//pangolin:new NewSnarkDequePatched[int]()
type SnarkDequePatched[T any] struct{ snark[T] }

// NewSnarkDequePatched returns an empty deque.
func NewSnarkDequePatched[T any]() *SnarkDequePatched[T] {
	d := &SnarkDequePatched[T]{}
	d.clear()
	return d
}

// PushRight adds x at the right end.
func (d *SnarkDequePatched[T]) PushRight(x T) { d.push(x, right) }

// PushLeft adds x at the left end.
func (d *SnarkDequePatched[T]) PushLeft(x T) { d.push(x, left) }

// PopRight takes the item at the right end, or says that there was none.
func (d *SnarkDequePatched[T]) PopRight() (T, bool) { return d.pop(right) }

// PopLeft takes the item at the left end, or says that there was none.
func (d *SnarkDequePatched[T]) PopLeft() (T, bool) { return d.pop(left) }

func (d *SnarkDequePatched[T]) pop(end side) (x T, ok bool) {
	for {
		mine, other := d.load(&d.hat[end]), d.load(&d.hat[1-end])
		if d.load(&mine.link[end]) == mine {
			if d.load(&d.hat[end]) == mine {
				return x, false
			}
			continue
		}
		if d.unlink(end, mine, other) && d.claim(mine) {
			return mine.value, true
		}
	}
}

// side is an end of a deque, and the link of a node towards it.
type side int

const (
	left side = iota
	right
)

// snark is what both deques have.
type snark[T any] struct {
	memory sync.Mutex
	hat    [2]*snarkNode[T] // the nodes at the ends; dummy of an empty deque
	dummy  *snarkNode[T]    // leads to itself
}

type snarkNode[T any] struct {
	link    [2]*snarkNode[T]
	value   T
	claimed bool
}

func (d *snark[T]) clear() {
	d.dummy = &snarkNode[T]{}
	d.dummy.link = [2]*snarkNode[T]{d.dummy, d.dummy}
	d.hat = [2]*snarkNode[T]{d.dummy, d.dummy}
}

func (d *snark[T]) push(x T, end side) {
	node := &snarkNode[T]{value: x}
	node.link[end] = d.dummy
	for {
		mine := d.load(&d.hat[end])
		next := d.load(&mine.link[end])
		if next == mine { // empty
			node.link[1-end] = d.dummy
			other := d.load(&d.hat[1-end])
			if d.dcas(&d.hat[end], &d.hat[1-end], mine, other, node, node) {
				return
			}
			continue
		}
		node.link[1-end] = mine
		if d.dcas(&d.hat[end], &mine.link[end], mine, next, node, node) {
			return
		}
	}
}

// unlink takes the node at an end out of the list.
func (d *snark[T]) unlink(end side, mine, other *snarkNode[T]) bool {
	if mine == other { // the only one
		return d.dcas(&d.hat[end], &d.hat[1-end], mine, other, d.dummy, d.dummy)
	}
	inner := d.load(&mine.link[1-end])
	if !d.dcas(&d.hat[end], &mine.link[1-end], mine, inner, inner, mine) {
		return false
	}
	d.store(&mine.link[end], d.dummy)
	return true
}

// claim is a compare-and-swap of a node's mark.
func (d *snark[T]) claim(n *snarkNode[T]) bool {
	d.memory.Lock()
	defer d.memory.Unlock()
	first := !n.claimed
	n.claimed = true
	return first
}

func (d *snark[T]) load(w **snarkNode[T]) *snarkNode[T] {
	d.memory.Lock()
	defer d.memory.Unlock()
	return *w
}

func (d *snark[T]) store(w **snarkNode[T], n *snarkNode[T]) {
	d.memory.Lock()
	defer d.memory.Unlock()
	*w = n
}

// dcas replaces two words if they are the old ones.
func (d *snark[T]) dcas(a, b **snarkNode[T], oldA, oldB, newA, newB *snarkNode[T]) bool {
	d.memory.Lock()
	defer d.memory.Unlock()
	if *a != oldA || *b != oldB {
		return false
	}
	*a, *b = newA, newB
	return true
}

// SPDX-License-Identifier: BSD-3-Clause
