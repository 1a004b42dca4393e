// Package skiplist holds the skip-list sets of Herlihy, Shavit, Luchangco and Spear,
// The Art of Multiprocessor Programming (2nd ed. 2020), chapter 14:
//
//	LazySkipList       14.3  optimistic locking, marks, Contains without locks
//	                         (Herlihy, Lev, Luchangco and Shavit 2007)
//	LockFreeSkipList   14.4  mark and successor in one reference per level
//
// and LazySkipListRepaired, see there.
//
// They are sets of ordered values with Add, Remove and Contains, each of which
// returns a bool. A value is in the set if it is in the bottom level; the upper
// levels are short cuts. How high a node is, is drawn (mark.Choose).
//
// Faithful are the steps; nodes are ordered by value where the book orders them by a
// hash code that it assumes to be injective. Values must be equal to themselves (no
// NaN). There is no iteration and no search for a range.
package skiplist

import (
	"cmp"

	"pangolin/mark"
)

// Height draws the top level of a new node, from 0 to highest.
type Height func(highest int) int

// Coin draws a level by tossing coins: each level has half of the nodes of the one
// below. Under the verifier every level is explored.
func Coin(highest int) int {
	level := 0
	for level < highest && mark.Choose(2) == 1 {
		level++
	}
	return level
}

// Tall gives every node all levels.
func Tall(highest int) int { return highest }

// A key orders nodes: the head before every value, the tail after. It never changes
// once its node is reachable.
type key[T cmp.Ordered] struct {
	item T
	end  int8 // -1 head, 0 an ordinary node, +1 tail
}

// before says whether the node comes before x's place.
func (k *key[T]) before(x T) bool {
	return k.end < 0 || k.end == 0 && k.item < x
}

// is says whether the node holds x.
func (k *key[T]) is(x T) bool {
	return k.end == 0 && k.item == x
}

// SPDX-License-Identifier: BSD-3-Clause
