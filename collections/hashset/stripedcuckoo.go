package hashset

import "pangolin/collections/lock"

// A StripedCuckooHashSet guards each of its two tables by as many locks as it had
// places at first (section 13.4.3).
//
// It is wrong as printed: resize replaces the tables by empty ones while another
// thread's relocate reads them without a lock, which then finds no probe set or no
// value in it (COLLECT, section 5.4, item 5); and resizing adds the values again,
// which may call for resizing again, without end if more values have equal hashes
// than fit into two probe sets below the threshold and one more (item 6). See
// StripedCuckooHashSetRepaired.
//
//pangolin:new NewStripedCuckooHashSet(Cuckoo[int]{Capacity: 1, ProbeSize: 2, Threshold: 1, Limit: 8, Hash0: Identity, Hash1: Identity})
type StripedCuckooHashSet[T comparable] struct {
	phased[T]
	locks [2][]lock.Reentrant
}

// NewStripedCuckooHashSet returns an empty set.
func NewStripedCuckooHashSet[T comparable](p Cuckoo[T]) *StripedCuckooHashSet[T] {
	p = p.withDefaults()
	s := new(StripedCuckooHashSet[T])
	s.init(p, s)
	s.locks[0] = make([]lock.Reentrant, p.Capacity)
	s.locks[1] = make([]lock.Reentrant, p.Capacity)
	return s
}

func (s *StripedCuckooHashSet[T]) acquire(x T) {
	n := uint(len(s.locks[0]))
	s.locks[0][s.params.Hash0(x)%n].Lock()
	s.locks[1][s.params.Hash1(x)%n].Lock()
}

func (s *StripedCuckooHashSet[T]) release(x T) {
	n := uint(len(s.locks[0]))
	s.locks[0][s.params.Hash0(x)%n].Unlock()
	s.locks[1][s.params.Hash1(x)%n].Unlock()
}

// resize doubles the tables under all locks of the first, which every operation
// needs, unless another thread has done so.
func (s *StripedCuckooHashSet[T]) resize() {
	capacity := s.capacity.Load()
	for i := range s.locks[0] {
		s.locks[0][i].Lock()
		defer s.locks[0][i].Unlock()
	}
	if s.capacity.Load() != capacity {
		return
	}
	old := s.double()
	s.table.Load().fill()
	s.refill(old)
}

// SPDX-License-Identifier: BSD-3-Clause
