package hashset

import (
	"sync/atomic"

	"pangolin/mark"
)

// A StripedCuckooHashSetRepaired is a StripedCuckooHashSet with the repairs that
// stand at cuckooRepair. They are ours, not the book's.
//
//pangolin:new NewStripedCuckooHashSetRepaired(Cuckoo[int]{Capacity: 1, ProbeSize: 2, Threshold: 1, Limit: 8, Hash0: Identity, Hash1: Identity})
type StripedCuckooHashSetRepaired[T comparable] struct {
	*StripedCuckooHashSet[T] // the locks and the tables
	repair                   cuckooRepair[T]
}

// NewStripedCuckooHashSetRepaired returns an empty set.
func NewStripedCuckooHashSetRepaired[T comparable](p Cuckoo[T]) *StripedCuckooHashSetRepaired[T] {
	s := &StripedCuckooHashSetRepaired[T]{StripedCuckooHashSet: NewStripedCuckooHashSet(p)}
	s.repair.phased = &s.phased
	s.self = s
	return s
}

// Add inserts x and says whether it was absent.
func (s *StripedCuckooHashSetRepaired[T]) Add(x T) bool { return s.repair.add(x) }

// Remove deletes x and says whether it was present.
func (s *StripedCuckooHashSetRepaired[T]) Remove(x T) bool { return s.repair.remove(x) }

// resize doubles the tables under all locks of the first, unless another thread has
// done so or they are sparse.
func (s *StripedCuckooHashSetRepaired[T]) resize() {
	capacity := s.capacity.Load()
	for i := range s.locks[0] {
		s.locks[0][i].Lock()
		defer s.locks[0][i].Unlock()
	}
	if s.capacity.Load() == capacity && !s.repair.sparse() {
		s.repair.double()
	}
}

// A RefinableCuckooHashSetRepaired is a RefinableCuckooHashSet with the repairs that
// stand at cuckooRepair, and which fills its new locks before it makes them visible.
// They are ours, not the book's.
//
//pangolin:new NewRefinableCuckooHashSetRepaired(Cuckoo[int]{Capacity: 1, ProbeSize: 2, Threshold: 1, Limit: 8, Hash0: Identity, Hash1: Identity})
type RefinableCuckooHashSetRepaired[T comparable] struct {
	*RefinableCuckooHashSet[T] // the locks, their owner and the tables
	repair                     cuckooRepair[T]
}

// NewRefinableCuckooHashSetRepaired returns an empty set.
func NewRefinableCuckooHashSetRepaired[T comparable](p Cuckoo[T]) *RefinableCuckooHashSetRepaired[T] {
	s := &RefinableCuckooHashSetRepaired[T]{RefinableCuckooHashSet: NewRefinableCuckooHashSet(p)}
	s.repair.phased = &s.phased
	s.self = s
	return s
}

// Add inserts x and says whether it was absent.
func (s *RefinableCuckooHashSetRepaired[T]) Add(x T) bool { return s.repair.add(x) }

// Remove deletes x and says whether it was present.
func (s *RefinableCuckooHashSetRepaired[T]) Remove(x T) bool { return s.repair.remove(x) }

// resize doubles tables and locks, unless another thread resizes or has done so, or
// the tables are sparse.
func (s *RefinableCuckooHashSetRepaired[T]) resize() {
	capacity := s.capacity.Load()
	if !s.owner.CompareAndSet(0, mark.Thread()+1, false, true) {
		return
	}
	defer s.owner.Set(0, false)
	if s.capacity.Load() != capacity || s.repair.sparse() {
		return
	}
	s.locks.Load()[0].quiesce()
	s.repair.double()
	locks := newLockArrays(2 * int(capacity))
	locks[0].fill()
	locks[1].fill()
	s.locks.Store(locks)
}

// A cuckooRepair is what the repaired cuckoo sets do otherwise than phased:
//
//   - Relocation decides under the locks. Which value is to be moved is read without
//     (its locks are known only then) and is a hint; under the locks relocation sees
//     whether the tables are still those in which it found the crowded probe set and
//     whether the value is still there. Tables that were replaced are nobody's
//     concern any more, since a resize places all values anew.
//   - Tables become visible when they are complete. A resize has them for itself until
//     then, so it need not add the values by Add, which locks, relocates and resizes.
//   - Memory is bounded by the number of values: sparse tables are not doubled. Where a
//     probe set is full although they are sparse, the hashes are to blame, and it
//     takes one value more than ProbeSize, however many have one hash.
//   - Add returns what its last attempt found, also after a resize.
type cuckooRepair[T comparable] struct {
	*phased[T]
	size atomic.Int64
}

// sparse says that there is a value for at most half of the places below the threshold.
// Cuckoo hashing with two good hash functions finds room for so many.
func (r *cuckooRepair[T]) sparse() bool {
	return r.size.Load() <= r.capacity.Load()*int64(r.params.Threshold)
}

// A probeAt is the place of a probe set.
type probeAt[T comparable] struct {
	tables *cuckooTable[T]
	i      int // which of the two
	place  int
}

// at returns x's place in the i-th of tables.
func (r *cuckooRepair[T]) at(tables *cuckooTable[T], i int, x T) probeAt[T] {
	hash := r.params.Hash0
	if i == 1 {
		hash = r.params.Hash1
	}
	return probeAt[T]{tables, i, int(hash(x) % uint(len(tables[i])))}
}

func (p probeAt[T]) set() *probeSet[T] { return p.tables[p.i][p.place].Load() }

func (r *cuckooRepair[T]) add(x T) bool {
	for {
		switch outcome, crowded := r.put(x); outcome {
		case putPresent:
			return false
		case putDone:
			return true
		case putCrowded:
			if !r.relocate(crowded) {
				r.self.resize()
			}
			return true
		}
		r.self.resize()
	}
}

// put is the first phase of an addition. If it crowded a probe set it says which.
func (r *cuckooRepair[T]) put(x T) (putOutcome, probeAt[T]) {
	r.self.acquire(x)
	defer r.self.release(x)
	if r.has(x) {
		return putPresent, probeAt[T]{}
	}
	outcome, crowded := r.insert(r.table.Load(), x, r.sparse())
	if outcome != putFull {
		r.size.Add(1)
	}
	return outcome, crowded
}

// insert puts x into one of its probe sets in tables: one below the threshold, or else
// one with room, or else, if they may overflow, the shorter.
func (r *cuckooRepair[T]) insert(tables *cuckooTable[T], x T, overflow bool) (putOutcome, probeAt[T]) {
	at := [2]probeAt[T]{r.at(tables, 0, x), r.at(tables, 1, x)}
	for _, p := range at {
		if p.set().len() < r.params.Threshold {
			p.set().add(x)
			return putDone, p
		}
	}
	for _, p := range at {
		if p.set().len() < r.params.ProbeSize {
			p.set().add(x)
			return putCrowded, p
		}
	}
	if !overflow {
		return putFull, probeAt[T]{}
	}
	shorter := at[0].set()
	if at[1].set().len() < shorter.len() {
		shorter = at[1].set()
	}
	shorter.add(x)
	return putDone, probeAt[T]{}
}

func (r *cuckooRepair[T]) remove(x T) bool {
	removed := r.phased.Remove(x)
	if removed {
		r.size.Add(-1)
	}
	return removed
}

// relocate moves the oldest values of crowded probe sets to their other places,
// starting with the given one, until none is crowded. It says false if it gave up.
func (r *cuckooRepair[T]) relocate(crowded probeAt[T]) bool {
	for range r.params.Limit {
		values := *crowded.set().values.Load()
		if len(values) <= r.params.Threshold {
			return true
		}
		outcome, other := r.displace(crowded, values[0])
		switch outcome {
		case displaceSettled:
			return true
		case displaceFull:
			return false
		case displaceCrowded:
			crowded = other
		}
	}
	return false
}

// displace moves y from a crowded probe set to its other place, which it returns. That
// y was in that set before determines which locks guard the set.
func (r *cuckooRepair[T]) displace(crowded probeAt[T], y T) (displaceOutcome, probeAt[T]) {
	r.self.acquire(y)
	defer r.self.release(y)
	from, other := crowded.set(), r.at(crowded.tables, 1-crowded.i, y)
	to := other.set()
	switch {
	case r.table.Load() != crowded.tables || from.len() <= r.params.Threshold:
		return displaceSettled, other
	case !from.has(y):
		return displaceAgain, other
	case to.len() >= r.params.ProbeSize:
		return displaceFull, other
	}
	from.remove(y)
	to.add(y)
	if to.len() > r.params.Threshold {
		return displaceCrowded, other
	}
	return displaceSettled, other
}

// double replaces the tables by complete ones of twice the capacity. Nobody else is in a
// phase.
func (r *cuckooRepair[T]) double() {
	old := r.table.Load()
	capacity := 2 * len(old[0])
	tables := newCuckooTable[T](capacity)
	tables.fill()
	for i := range old {
		for j := range old[i] {
			for _, x := range *old[i][j].Load().values.Load() {
				r.insert(tables, x, true)
			}
		}
	}
	r.capacity.Store(int64(capacity))
	r.table.Store(tables)
}

// SPDX-License-Identifier: BSD-3-Clause
