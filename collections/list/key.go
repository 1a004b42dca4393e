// Package list holds the list-based sets of Herlihy, Shavit, Luchangco and Spear,
// The Art of Multiprocessor Programming (2nd ed. 2020), chapter 9, from coarse
// locking to lock freedom:
//
//	CoarseList            9.4  one lock
//	FineList              9.5  a lock per node, taken hand over hand
//	OptimisticList        9.6  search without locks, lock two nodes, validate by searching again
//	LazyList              9.7  a mark makes validation local and Contains wait-free
//	LockFreeList          9.8  mark and successor in one atomic reference
//	LockFreeListOriginal  the same with Remove as first printed (2008), which is wrong
//
// All are sets of ordered values with Add, Remove and Contains, each of which
// returns a bool and never waits for anything but a lock.
//
// Faithful are the steps: which node is locked, read, validated and written in
// which order. Different is that a node is found by its value (any ordered type)
// where the book orders nodes by a hash code that it assumes to be injective, so
// that there are no reserved codes for the two sentinels. Values must be equal to
// themselves (no NaN). Fields that the book declares volatile, or reads without
// the lock under which they are written, are atomic. The package does not count
// or iterate, and removed nodes are left to the garbage collector.
package list

import "cmp"

// A key orders nodes: the head before every value, the tail after. It never
// changes once its node is reachable.
type key[T cmp.Ordered] struct {
	item T
	end  int8 // -1 head, 0 an ordinary node, +1 tail
}

func head[T cmp.Ordered]() key[T] { return key[T]{end: -1} }
func tail[T cmp.Ordered]() key[T] { return key[T]{end: +1} }

func keyOf[T cmp.Ordered](x T) key[T] { return key[T]{item: x} }

// before says whether the node comes before x's place.
func (k *key[T]) before(x T) bool {
	return k.end < 0 || k.end == 0 && k.item < x
}

// is says whether the node holds x.
func (k *key[T]) is(x T) bool {
	return k.end == 0 && k.item == x
}

// atMost says whether the node does not come after the other one.
func (k *key[T]) atMost(other *key[T]) bool {
	if k.end != other.end {
		return k.end < other.end
	}
	return k.end != 0 || k.item <= other.item
}

// SPDX-License-Identifier: BSD-3-Clause
