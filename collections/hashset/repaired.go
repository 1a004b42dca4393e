package hashset

import (
	"pangolin/collections/atomicref"
	"pangolin/mark"
)

// A LockFreeHashSetRepaired is a LockFreeHashSet over the list of section 9.8: the
// mark in a node's reference means that this node is removed, so that a removed
// node's reference is frozen. Nodes of equal keys are told apart by their values, so
// hashes need not be distinct. It is our repair of the published set.
//
//pangolin:new NewLockFreeHashSetRepaired(SplitOrder[int]{WordSize: 3, Capacity: 4, Buckets: 2, Threshold: 2})
type LockFreeHashSetRepaired[T comparable] struct {
	hash func(T) uint
	keys keyspace
	dir  *directory[repairedNode[T]]
}

type repairedNode[T comparable] struct {
	key  uint64
	item T                                    // of an ordinary node
	next atomicref.Markable[*repairedNode[T]] // the mark: this node is removed
}

// NewLockFreeHashSetRepaired returns an empty set.
func NewLockFreeHashSetRepaired[T comparable](p SplitOrder[T]) *LockFreeHashSetRepaired[T] {
	p = p.withDefaults()
	first := new(repairedNode[T])
	first.next.Set(&repairedNode[T]{key: endKey}, false)
	return &LockFreeHashSetRepaired[T]{
		hash: p.Hash,
		keys: keyspace{p.WordSize},
		dir:  newDirectory(p.Capacity, p.Buckets, p.Threshold, first),
	}
}

// Add inserts x and says whether it was absent.
func (s *LockFreeHashSetRepaired[T]) Add(x T) bool {
	hash := s.hash(x)
	if _, added := s.insert(s.bucketOf(hash), s.keys.ordinary(hash), x); !added {
		return false
	}
	s.dir.grew()
	return true
}

// Remove deletes x and says whether it was present.
func (s *LockFreeHashSetRepaired[T]) Remove(x T) bool {
	hash := s.hash(x)
	key := s.keys.ordinary(hash)
	from := s.bucketOf(hash)
	for {
		pred, curr := s.find(from, key, x)
		if !curr.holds(key, x) {
			return false
		}
		succ, removed := curr.next.Get()
		if removed || !curr.next.CompareAndSet(succ, succ, false, true) {
			continue
		}
		pred.next.CompareAndSet(curr, succ, false, false)
		return true
	}
}

// Contains says whether x is present. It may unlink removed nodes on its way.
func (s *LockFreeHashSetRepaired[T]) Contains(x T) bool {
	hash := s.hash(x)
	key := s.keys.ordinary(hash)
	_, curr := s.find(s.bucketOf(hash), key, x)
	return curr.holds(key, x)
}

func (s *LockFreeHashSetRepaired[T]) bucketOf(hash uint) *repairedNode[T] {
	i := s.dir.index(uint64(hash) & s.keys.mask())
	return s.dir.bucket(i, s.sentinel)
}

// sentinel returns the sentinel of a bucket, inserting it behind its parent's.
func (s *LockFreeHashSetRepaired[T]) sentinel(from *repairedNode[T], bucket int) *repairedNode[T] {
	var none T
	node, _ := s.insert(from, s.keys.sentinel(bucket), none)
	return node
}

// insert returns the node that holds key and item, and whether it inserted it.
func (s *LockFreeHashSetRepaired[T]) insert(from *repairedNode[T], key uint64, item T) (*repairedNode[T], bool) {
	for {
		pred, curr := s.find(from, key, item)
		if curr.holds(key, item) {
			return curr, false
		}
		node := &repairedNode[T]{key: key, item: item}
		node.next.Set(curr, false)
		if pred.next.CompareAndSet(curr, node, false, false) {
			return node, true
		}
	}
}

// find returns the node that holds key and item, or else the first of a greater
// key, and its predecessor, having unlinked the removed nodes before.
func (s *LockFreeHashSetRepaired[T]) find(from *repairedNode[T], key uint64, item T) (pred, curr *repairedNode[T]) {
retry:
	for {
		pred = from
		curr = pred.next.Value()
		for {
			succ, removed := curr.next.Get()
			for removed {
				if !pred.next.CompareAndSet(curr, succ, false, false) {
					continue retry
				}
				curr = succ
				succ, removed = curr.next.Get()
			}
			if curr.key > key || curr.holds(key, item) {
				return pred, curr
			}
			pred, curr = curr, succ
		}
	}
}

func (n *repairedNode[T]) holds(key uint64, item T) bool {
	return n.key == key && n.item == item
}

// A RefinableHashSetRepaired is a RefinableHashSet whose resize fills the new array of
// locks before it makes it visible. It is our repair of the published set.
//
//pangolin:new NewRefinableHashSetRepaired[int](1, 1, nil)
type RefinableHashSetRepaired[T comparable] struct {
	RefinableHashSet[T]
}

// NewRefinableHashSetRepaired returns an empty set; see NewRefinableHashSet.
func NewRefinableHashSetRepaired[T comparable](capacity, threshold int, hash func(T) uint) *RefinableHashSetRepaired[T] {
	s := new(RefinableHashSetRepaired[T])
	s.init(capacity, threshold, hash)
	locks := newLockArray(capacity)
	locks.fill()
	s.locks.Store(locks)
	return s
}

// Add inserts x and says whether it was absent.
func (s *RefinableHashSetRepaired[T]) Add(x T) bool {
	s.acquire(x)
	added := s.insert(x)
	s.release(x)
	if s.mustGrow() {
		s.resize()
	}
	return added
}

// resize doubles table and locks, unless another thread resizes or has done so.
func (s *RefinableHashSetRepaired[T]) resize() {
	if !s.owner.CompareAndSet(0, mark.Thread()+1, false, true) {
		return
	}
	defer s.owner.Set(0, false)
	if !s.mustGrow() {
		return
	}
	s.locks.Load().quiesce()
	old := s.replace()
	locks := newLockArray(2 * len(old))
	locks.fill()
	s.locks.Store(locks)
	s.refill(old)
}

// SPDX-License-Identifier: BSD-3-Clause
