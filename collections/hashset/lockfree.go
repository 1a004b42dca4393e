package hashset

import "pangolin/collections/atomicref"

// A LockFreeHashSet keeps all values in one list, sorted by bit-reversed hash, with
// a sentinel node where each bucket begins (section 13.3). It assumes that hashes
// are distinct modulo 2^(WordSize-1): values whose hashes agree there are taken for
// one another.
//
// The list follows the authors' companion class BucketList, where a mark in a node's
// reference means that the *next* node is removed. It is wrong in two ways. Remove
// marks with attemptMark, which succeeds as well if the mark was there, so two
// threads may both report one removal (COLLECT, section 5.4, item 4). And since a
// removed node's own reference is not frozen, a node may be inserted behind it, or
// the node behind it removed, while another thread unlinks it: the insertion is
// lost, or the removal undone. Deviations: the buckets stop doubling at the capacity,
// where the book runs off its array.
//
//pangolin:new NewLockFreeHashSet(SplitOrder[int]{WordSize: 3, Capacity: 4, Buckets: 2, Threshold: 2})
type LockFreeHashSet[T comparable] struct {
	hash func(T) uint
	keys keyspace
	dir  *directory[splitNode]
}

// A splitNode is a node of the list; it needs no value, for the key stands for it.
type splitNode struct {
	key  uint64
	next atomicref.Markable[*splitNode] // the mark: the next node is removed
}

// NewLockFreeHashSet returns an empty set.
func NewLockFreeHashSet[T comparable](p SplitOrder[T]) *LockFreeHashSet[T] {
	s := new(LockFreeHashSet[T])
	s.init(p.withDefaults())
	return s
}

func (s *LockFreeHashSet[T]) init(p SplitOrder[T]) {
	first := new(splitNode)
	first.next.Set(&splitNode{key: endKey}, false)
	s.hash = p.Hash
	s.keys = keyspace{p.WordSize}
	s.dir = newDirectory(p.Capacity, p.Buckets, p.Threshold, first)
}

// Add inserts x and says whether it was absent.
func (s *LockFreeHashSet[T]) Add(x T) bool {
	hash := s.hash(x)
	if !insertBehind(s.bucketOf(hash), s.keys.ordinary(hash)) {
		return false
	}
	s.dir.grew()
	return true
}

// Remove deletes x and says whether it was present, possibly to two threads.
func (s *LockFreeHashSet[T]) Remove(x T) bool {
	hash := s.hash(x)
	key := s.keys.ordinary(hash)
	from := s.bucketOf(hash)
	for {
		pred, curr := findBehind(from, key)
		if curr.key != key {
			return false
		}
		if pred.next.AttemptMark(curr, true) {
			return true
		}
	}
}

// Contains says whether x is present. It may unlink removed nodes on its way.
func (s *LockFreeHashSet[T]) Contains(x T) bool {
	hash := s.hash(x)
	key := s.keys.ordinary(hash)
	_, curr := findBehind(s.bucketOf(hash), key)
	return curr.key == key
}

func (s *LockFreeHashSet[T]) bucketOf(hash uint) *splitNode {
	i := s.dir.index(uint64(hash) & s.keys.mask())
	return s.dir.bucket(i, s.sentinel)
}

// sentinel returns the sentinel of a bucket, inserting it behind its parent's.
func (s *LockFreeHashSet[T]) sentinel(from *splitNode, bucket int) *splitNode {
	key := s.keys.sentinel(bucket)
	for {
		pred, curr := findBehind(from, key)
		if curr.key == key {
			return curr
		}
		node := &splitNode{key: key}
		node.next.Set(pred.next.Value(), false)
		if pred.next.CompareAndSet(curr, node, false, false) {
			return node
		}
	}
}

// insertBehind inserts a node with the key and says whether there was none.
func insertBehind(from *splitNode, key uint64) bool {
	for {
		pred, curr := findBehind(from, key)
		if curr.key == key {
			return false
		}
		node := &splitNode{key: key}
		node.next.Set(curr, false)
		if pred.next.CompareAndSet(curr, node, false, false) {
			return true
		}
	}
}

// findBehind returns the last node before the key's place and its successor.
func findBehind(from *splitNode, key uint64) (pred, curr *splitNode) {
	pred = from
	curr = pred.successor()
	for curr.key < key {
		pred = curr
		curr = pred.successor()
	}
	return pred, curr
}

// successor returns the next node that is not removed, unlinking those that are.
func (n *splitNode) successor() *splitNode {
	entry, removed := n.next.Get()
	for removed {
		succ, succRemoved := entry.next.Get()
		n.next.CompareAndSet(entry, succ, true, succRemoved)
		entry, removed = n.next.Get()
	}
	return entry
}

// A LockFreeHashSetPatched is a LockFreeHashSet whose Remove marks with a
// compare-and-set, which repairs the double removal and nothing else (COLLECT,
// table 2, note 2).
//
//pangolin:new NewLockFreeHashSetPatched(SplitOrder[int]{WordSize: 3, Capacity: 4, Buckets: 2, Threshold: 2})
type LockFreeHashSetPatched[T comparable] struct {
	LockFreeHashSet[T]
}

// NewLockFreeHashSetPatched returns an empty set.
func NewLockFreeHashSetPatched[T comparable](p SplitOrder[T]) *LockFreeHashSetPatched[T] {
	s := new(LockFreeHashSetPatched[T])
	s.init(p.withDefaults())
	return s
}

// Remove deletes x and says whether it was present.
func (s *LockFreeHashSetPatched[T]) Remove(x T) bool {
	hash := s.hash(x)
	key := s.keys.ordinary(hash)
	from := s.bucketOf(hash)
	for {
		pred, curr := findBehind(from, key)
		if curr.key != key {
			return false
		}
		if pred.next.CompareAndSet(curr, curr, false, true) {
			return true
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
