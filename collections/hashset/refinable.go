package hashset

import (
	"runtime"
	"sync/atomic"

	"pangolin/collections/atomicref"
	"pangolin/collections/lock"
	"pangolin/mark"
)

// A RefinableHashSet doubles its locks together with its table. While a thread
// resizes, it is the marked owner, and the others wait (section 13.2.3).
//
// It is wrong as printed: resize makes the new array of locks visible before it has
// filled it, and a thread that looked at the owner before that may pick a lock that
// is not there yet (a nil dereference). COLLECT, section 5.4, item 3.
//
//pangolin:new NewRefinableHashSet[int](1, 1, nil)
type RefinableHashSet[T comparable] struct {
	base[T]
	owner atomicref.Markable[int] // thread + 1; marked while it resizes
	locks atomic.Pointer[lockArray]
}

// A lockArray is filled after it has become visible, so its elements are atomic.
type lockArray []atomic.Pointer[lock.Reentrant]

func newLockArray(n int) *lockArray {
	locks := make(lockArray, n)
	return &locks
}

// fill puts a new lock into every place.
func (a lockArray) fill() {
	for i := range a {
		a[i].Store(new(lock.Reentrant))
	}
}

// of returns the lock for a hash.
func (a lockArray) of(hash uint) *lock.Reentrant {
	return a[hash%uint(len(a))].Load()
}

// quiesce waits until nobody holds any of the locks.
func (a lockArray) quiesce() {
	for i := range a {
		for a[i].Load().IsLocked() {
			runtime.Gosched()
		}
	}
}

// NewRefinableHashSet returns an empty set with capacity buckets and locks, which
// doubles both when there are more than threshold values per bucket. A nil hash
// stands for DefaultHash.
func NewRefinableHashSet[T comparable](capacity, threshold int, hash func(T) uint) *RefinableHashSet[T] {
	s := new(RefinableHashSet[T])
	s.init(capacity, threshold, hash)
	locks := newLockArray(capacity)
	locks.fill()
	s.locks.Store(locks)
	return s
}

// Add inserts x and says whether it was absent.
func (s *RefinableHashSet[T]) Add(x T) bool {
	s.acquire(x)
	added := s.insert(x)
	s.release(x)
	if s.mustGrow() {
		s.resize()
	}
	return added
}

// Remove deletes x and says whether it was present.
func (s *RefinableHashSet[T]) Remove(x T) bool {
	s.acquire(x)
	defer s.release(x)
	return s.delete(x)
}

// Contains says whether x is present.
func (s *RefinableHashSet[T]) Contains(x T) bool {
	s.acquire(x)
	defer s.release(x)
	return s.has(x)
}

// acquire locks x's bucket: it waits until nobody else resizes, takes the lock, and
// starts again if somebody has begun to resize or has replaced the locks since.
func (s *RefinableHashSet[T]) acquire(x T) {
	me := mark.Thread() + 1
	for {
		awaitOwner(&s.owner, me)
		locks := s.locks.Load()
		mu := locks.of(s.hash(x))
		mu.Lock()
		who, resizing := s.owner.Get()
		if (!resizing || who == me) && s.locks.Load() == locks {
			return
		}
		mu.Unlock()
	}
}

// awaitOwner waits until no thread but me resizes.
func awaitOwner(owner *atomicref.Markable[int], me int) {
	for {
		who, resizing := owner.Get()
		if !resizing || who == me {
			return
		}
		runtime.Gosched()
	}
}

func (s *RefinableHashSet[T]) release(x T) {
	s.locks.Load().of(s.hash(x)).Unlock()
}

// resize doubles table and locks, unless another thread resizes or has done so.
func (s *RefinableHashSet[T]) resize() {
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
	s.locks.Store(locks) // too early: as printed
	locks.fill()
	s.refill(old)
}

// SPDX-License-Identifier: BSD-3-Clause
