package hashset

import (
	"sync/atomic"

	"pangolin/collections/atomicref"
	"pangolin/mark"
)

// A RefinableCuckooHashSet doubles its locks together with its tables, as
// RefinableHashSet does (section 13.4.4).
//
// It is wrong as printed in three ways: it makes the new array of locks visible
// before it has filled it (COLLECT, section 5.4, item 3), and it shares the two
// defects of StripedCuckooHashSet (items 5 and 6). The endless resize needs more
// values of equal hash here: a resize that is called for during a resize is not
// done, since the owner is taken, so only an Add that finds both its probe sets
// full repeats it for ever. See RefinableCuckooHashSetRepaired.
// Deviation: the printed release omits the reduction modulo the number of locks.
//
//pangolin:new NewRefinableCuckooHashSet(Cuckoo[int]{Capacity: 1, ProbeSize: 2, Threshold: 1, Limit: 8, Hash0: Identity, Hash1: Identity})
type RefinableCuckooHashSet[T comparable] struct {
	phased[T]
	owner atomicref.Markable[int] // thread + 1; marked while it resizes
	locks atomic.Pointer[[2]lockArray]
}

// NewRefinableCuckooHashSet returns an empty set.
func NewRefinableCuckooHashSet[T comparable](p Cuckoo[T]) *RefinableCuckooHashSet[T] {
	p = p.withDefaults()
	s := new(RefinableCuckooHashSet[T])
	s.init(p, s)
	locks := newLockArrays(p.Capacity)
	locks[0].fill()
	locks[1].fill()
	s.locks.Store(locks)
	return s
}

func newLockArrays(n int) *[2]lockArray {
	return &[2]lockArray{make(lockArray, n), make(lockArray, n)}
}

// acquire locks both of x's places: it waits until nobody else resizes, takes the
// locks, and starts again if somebody has begun to resize or has replaced the
// locks since.
func (s *RefinableCuckooHashSet[T]) acquire(x T) {
	me := mark.Thread() + 1
	for {
		awaitOwner(&s.owner, me)
		locks := s.locks.Load()
		mu0, mu1 := locks[0].of(s.params.Hash0(x)), locks[1].of(s.params.Hash1(x))
		mu0.Lock()
		mu1.Lock()
		who, resizing := s.owner.Get()
		if (!resizing || who == me) && s.locks.Load() == locks {
			return
		}
		mu0.Unlock()
		mu1.Unlock()
	}
}

func (s *RefinableCuckooHashSet[T]) release(x T) {
	locks := s.locks.Load()
	locks[0].of(s.params.Hash0(x)).Unlock()
	locks[1].of(s.params.Hash1(x)).Unlock()
}

// resize doubles tables and locks, unless another thread resizes or has done so.
func (s *RefinableCuckooHashSet[T]) resize() {
	capacity := s.capacity.Load()
	if !s.owner.CompareAndSet(0, mark.Thread()+1, false, true) {
		return
	}
	defer s.owner.Set(0, false)
	if s.capacity.Load() != capacity {
		return
	}
	s.locks.Load()[0].quiesce()
	old := s.double()
	locks := newLockArrays(2 * int(capacity))
	s.locks.Store(locks) // too early: as printed
	locks[0].fill()
	locks[1].fill()
	s.table.Load().fill()
	s.refill(old)
}

// SPDX-License-Identifier: BSD-3-Clause
