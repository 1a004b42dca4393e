package progress

import (
	"sync"
	"sync/atomic"
)

// spot is a node of a list that is searched twice.
type spot struct {
	key  int
	end  int // -1 of the first node, 1 of the last one
	mu   sync.Mutex
	next atomic.Pointer[spot]
}

func (n *spot) before(x int) bool { return n.end < 0 || n.end == 0 && n.key < x }

func (n *spot) is(x int) bool { return n.end == 0 && n.key == x }

// atMost says whether the node does not come behind the other one.
func (n *spot) atMost(other *spot) bool {
	if n.end != other.end {
		return n.end < other.end
	}
	return n.end != 0 || n.key <= other.key
}

func newSpots() *spot {
	first := &spot{end: -1}
	first.next.Store(&spot{end: 1})
	return first
}

func find(head *spot, x int) (pred, curr *spot) {
	pred = head
	curr = pred.next.Load()
	for curr.before(x) {
		pred, curr = curr, curr.next.Load()
	}
	return pred, curr
}

// lockAround locks the two nodes that it has found, and searches once more to see that they are still in the list and neighbours.
func lockAround(head *spot, x int) (pred, curr *spot) {
	for {
		pred, curr = find(head, x)
		pred.mu.Lock()
		curr.mu.Lock()
		for n := head; n.atMost(pred); n = n.next.Load() {
			if n == pred {
				if pred.next.Load() == curr {
					return pred, curr
				}
				break
			}
		}
		curr.mu.Unlock()
		pred.mu.Unlock()
	}
}

func addBehind(pred, curr *spot, x int) bool {
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	if curr.is(x) {
		return false
	}
	n := &spot{key: x}
	n.next.Store(curr)
	pred.next.Store(n)
	return true
}

// Searches ends its second search at the first key that is larger than that of pred: pred is in front of it, if it is in the list.
type Searches struct{ head *spot }

func NewSearches() *Searches { return &Searches{head: newSpots()} }

func (l *Searches) Add(x int) bool {
	pred, curr := lockAround(l.head, x)
	return addBehind(pred, curr, x)
}

func (l *Searches) Contains(x int) bool {
	pred, curr := lockAround(l.head, x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	return curr.is(x)
}

// Misses ends its second search one node too early, so that it finds no node but the first one.
type Misses struct{ head *spot }

func NewMisses() *Misses { return &Misses{head: newSpots()} }

func lockAroundEarly(head *spot, x int) (pred, curr *spot) {
	for {
		pred, curr = find(head, x)
		pred.mu.Lock()
		curr.mu.Lock()
		for n := head; n.end < 0 || n.end == 0 && pred.end == 0 && n.key < pred.key; n = n.next.Load() {
			if n == pred {
				if pred.next.Load() == curr {
					return pred, curr
				}
				break
			}
		}
		curr.mu.Unlock()
		pred.mu.Unlock()
	}
}

func (l *Misses) Add(x int) bool {
	pred, curr := lockAroundEarly(l.head, x)
	return addBehind(pred, curr, x)
}

func (l *Misses) Contains(x int) bool {
	pred, curr := lockAroundEarly(l.head, x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	return curr.is(x)
}

// SPDX-License-Identifier: BSD-3-Clause
