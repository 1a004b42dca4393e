package hashset

import "sync"

// A StripedHashSet guards its table by as many locks as it had buckets at first;
// when the table grows each lock guards more buckets (section 13.2.2).
//
//pangolin:new NewStripedHashSet[int](1, 1, nil)
type StripedHashSet[T comparable] struct {
	base[T]
	locks []sync.Mutex
}

// NewStripedHashSet returns an empty set with capacity buckets and locks, which
// doubles the buckets when there are more than threshold values per bucket. A nil
// hash stands for DefaultHash.
func NewStripedHashSet[T comparable](capacity, threshold int, hash func(T) uint) *StripedHashSet[T] {
	s := new(StripedHashSet[T])
	s.init(capacity, threshold, hash)
	s.locks = make([]sync.Mutex, capacity)
	return s
}

// Add inserts x and says whether it was absent.
func (s *StripedHashSet[T]) Add(x T) bool {
	mu := s.lockOf(x)
	mu.Lock()
	added := s.insert(x)
	mu.Unlock()
	if s.mustGrow() {
		s.resize()
	}
	return added
}

// Remove deletes x and says whether it was present.
func (s *StripedHashSet[T]) Remove(x T) bool {
	mu := s.lockOf(x)
	mu.Lock()
	defer mu.Unlock()
	return s.delete(x)
}

// Contains says whether x is present.
func (s *StripedHashSet[T]) Contains(x T) bool {
	mu := s.lockOf(x)
	mu.Lock()
	defer mu.Unlock()
	return s.has(x)
}

func (s *StripedHashSet[T]) lockOf(x T) *sync.Mutex {
	return &s.locks[s.hash(x)%uint(len(s.locks))]
}

// resize doubles the table under all locks, unless another thread has done so.
func (s *StripedHashSet[T]) resize() {
	for i := range s.locks {
		s.locks[i].Lock()
		defer s.locks[i].Unlock()
	}
	if s.mustGrow() {
		s.refill(s.replace())
	}
}

// SPDX-License-Identifier: BSD-3-Clause
