package hashset

import "sync"

// A CoarseHashSet is a hash table under one lock (section 13.2.1).
//
//pangolin:new NewCoarseHashSet[int](1, 1, nil)
type CoarseHashSet[T comparable] struct {
	base[T]
	mu sync.Mutex
}

// NewCoarseHashSet returns an empty set with capacity buckets, which doubles them
// when there are more than threshold values per bucket. A nil hash stands for
// DefaultHash.
func NewCoarseHashSet[T comparable](capacity, threshold int, hash func(T) uint) *CoarseHashSet[T] {
	s := new(CoarseHashSet[T])
	s.init(capacity, threshold, hash)
	return s
}

// Add inserts x and says whether it was absent.
func (s *CoarseHashSet[T]) Add(x T) bool {
	s.mu.Lock()
	added := s.insert(x)
	s.mu.Unlock()
	if s.mustGrow() {
		s.resize()
	}
	return added
}

// Remove deletes x and says whether it was present.
func (s *CoarseHashSet[T]) Remove(x T) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.delete(x)
}

// Contains says whether x is present.
func (s *CoarseHashSet[T]) Contains(x T) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.has(x)
}

// resize doubles the table unless another thread has done so.
func (s *CoarseHashSet[T]) resize() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mustGrow() {
		s.refill(s.replace())
	}
}

// SPDX-License-Identifier: BSD-3-Clause
