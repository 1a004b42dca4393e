// Package hashset holds the hash sets of Herlihy, Shavit, Luchangco and Spear, The
// Art of Multiprocessor Programming (2nd ed. 2020), chapter 13:
//
//	CoarseHashSet            13.2.1  one lock
//	StripedHashSet           13.2.2  a fixed array of locks
//	RefinableHashSet         13.2.3  an array of locks that grows with the table
//	LockFreeHashSet          13.3    one split-ordered list (Shalev and Shavit 2006)
//	StripedCuckooHashSet     13.4.3  cuckoo hashing in phases, fixed locks
//	RefinableCuckooHashSet   13.4.4  cuckoo hashing in phases, growing locks
//
// and LockFreeHashSetPatched (COLLECT's patch), LockFreeHashSetRepaired,
// RefinableHashSetRepaired, StripedCuckooHashSetRepaired and
// RefinableCuckooHashSetRepaired (our repairs), see there. All are sets with Add, Remove
// and Contains, each of which returns a bool.
//
// Where the book's text leaves a method out (BucketList.remove) the authors'
// companion code fills the gap. The published defects are kept; every type's
// comment names its own:
//
//   - the refinable sets make the new array of locks visible before it is filled,
//     so another thread may use a lock that does not exist (a nil dereference);
//   - LockFreeHashSet.Remove may report one removal twice, and its way of marking
//     the predecessor's reference loses concurrent additions;
//   - the cuckoo sets' resize swaps in empty tables while relocate reads them without
//     a lock (a nil dereference, or an index out of range), and never ends if too
//     many values have equal hashes; and an Add that had to resize says true whatever
//     it found when it tried again.
//
// Faithful are the steps; fields that are read without the lock under which they
// are written are atomic, buckets under a lock are plain slices. The book's sets
// throw in those cases, ours panic: with the locks they hold at that point still
// locked, as in Java where no finally clause covers them. There is no iteration,
// and tables never shrink.
package hashset

import "sync/atomic"

// A table is an array of buckets, which the sets guard in their own ways.
type table[T comparable] []bucket[T]

// A bucket is an unordered list of values.
type bucket[T comparable] []T

func (b bucket[T]) index(x T) int {
	for i, y := range b {
		if x == y {
			return i
		}
	}
	return -1
}

// A base is what the closed-addressing sets share (the book's BaseHashSet): the
// table, the size and the rule for growing. table is atomic because the rule reads
// its length without a lock.
type base[T comparable] struct {
	hash      func(T) uint
	threshold int64
	table     atomic.Pointer[table[T]]
	size      atomic.Int64
}

// init makes an empty table of the given capacity.
func (s *base[T]) init(capacity, threshold int, hash func(T) uint) {
	if capacity < 1 {
		panic("hashset: capacity must be at least 1")
	}
	s.hash = hashOr(hash)
	s.threshold = int64(threshold)
	t := make(table[T], capacity)
	s.table.Store(&t)
}

// bucketOf returns x's bucket. The caller holds the lock that guards it.
func (s *base[T]) bucketOf(x T) *bucket[T] {
	t := *s.table.Load()
	return &t[s.hash(x)%uint(len(t))]
}

// insert adds x unless it is there. The caller holds the lock of x's bucket.
func (s *base[T]) insert(x T) bool {
	b := s.bucketOf(x)
	if b.index(x) >= 0 {
		return false
	}
	*b = append(*b, x)
	s.size.Add(1)
	return true
}

// delete removes x if it is there. The caller holds the lock of x's bucket.
func (s *base[T]) delete(x T) bool {
	b := s.bucketOf(x)
	i := b.index(x)
	if i < 0 {
		return false
	}
	*b = append((*b)[:i], (*b)[i+1:]...)
	s.size.Add(-1)
	return true
}

// has says whether x is there. The caller holds the lock of x's bucket.
func (s *base[T]) has(x T) bool {
	return s.bucketOf(x).index(x) >= 0
}

// mustGrow says whether there are more than threshold values per bucket.
func (s *base[T]) mustGrow() bool {
	return s.size.Load()/int64(len(*s.table.Load())) > s.threshold
}

// replace makes an empty table of twice the length visible and returns the old one.
func (s *base[T]) replace() table[T] {
	old := *s.table.Load()
	t := make(table[T], 2*len(old))
	s.table.Store(&t)
	return old
}

// refill puts the values of the old table into the new one.
func (s *base[T]) refill(old table[T]) {
	for _, b := range old {
		for _, x := range b {
			to := s.bucketOf(x)
			*to = append(*to, x)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
