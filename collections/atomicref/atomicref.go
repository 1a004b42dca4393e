// Package atomicref gives a value together with a mark or a stamp that are read
// and replaced in one atomic step: what Java calls AtomicMarkableReference and
// AtomicStampedReference.
//
// As in Java the pair lives in an immutable object behind one atomic pointer,
// so a compare-and-set is a load, a comparison and a pointer compare-and-swap.
// It fails when another thread replaced the pair in between, even by an equal
// one. The zero value holds the zero value of V, unmarked or with stamp 0. The
// types must not be copied after first use. They do not pack the mark into a
// pointer's low bits: Go's collector forbids it.
package atomicref

import "sync/atomic"

// A Markable holds a value and a boolean mark.
//
//pangolin:skip CompareAndSet and AttemptMark are weak: they may fail although nothing changes, if another thread stores an equal pair
type Markable[V comparable] struct {
	pair atomic.Pointer[markedPair[V]]
}

// markedPair is never written after it has been published.
type markedPair[V comparable] struct {
	value V
	mark  bool
}

// Get returns the value and its mark, read in one step.
func (m *Markable[V]) Get() (value V, mark bool) {
	if p := m.pair.Load(); p != nil {
		return p.value, p.mark
	}
	return value, false
}

// Value returns the value alone.
func (m *Markable[V]) Value() V {
	value, _ := m.Get()
	return value
}

// Marked returns the mark alone.
func (m *Markable[V]) Marked() bool {
	_, mark := m.Get()
	return mark
}

// Set replaces value and mark, whatever they were.
func (m *Markable[V]) Set(value V, mark bool) {
	m.pair.Store(&markedPair[V]{value, mark})
}

// CompareAndSet replaces (oldValue, oldMark) by (newValue, newMark) and says
// whether it did. Replacing a pair by an equal one succeeds without a write.
func (m *Markable[V]) CompareAndSet(oldValue, newValue V, oldMark, newMark bool) bool {
	p := m.pair.Load()
	var now markedPair[V]
	if p != nil {
		now = *p
	}
	next := markedPair[V]{newValue, newMark}
	return now == markedPair[V]{oldValue, oldMark} &&
		(now == next || m.pair.CompareAndSwap(p, &next))
}

// AttemptMark sets the mark if the value is the expected one, whatever the mark
// was: it returns true as well if the mark had been set by somebody else. This
// is what makes it unfit for deciding who removed a node (list.LockFreeListOriginal).
func (m *Markable[V]) AttemptMark(value V, mark bool) bool {
	p := m.pair.Load()
	var now markedPair[V]
	if p != nil {
		now = *p
	}
	return now.value == value &&
		(now.mark == mark || m.pair.CompareAndSwap(p, &markedPair[V]{value, mark}))
}

// A Stamped holds a value and an integer stamp.
//
//pangolin:skip CompareAndSet is weak: it may fail although nothing changes, if another thread stores an equal pair
type Stamped[V comparable] struct {
	pair atomic.Pointer[stampedPair[V]]
}

// stampedPair is never written after it has been published.
type stampedPair[V comparable] struct {
	value V
	stamp int
}

// Get returns the value and its stamp, read in one step.
func (s *Stamped[V]) Get() (value V, stamp int) {
	if p := s.pair.Load(); p != nil {
		return p.value, p.stamp
	}
	return value, 0
}

// Value returns the value alone.
func (s *Stamped[V]) Value() V {
	value, _ := s.Get()
	return value
}

// Set replaces value and stamp, whatever they were.
func (s *Stamped[V]) Set(value V, stamp int) {
	s.pair.Store(&stampedPair[V]{value, stamp})
}

// CompareAndSet replaces (oldValue, oldStamp) by (newValue, newStamp) and says
// whether it did. Replacing a pair by an equal one succeeds without a write.
func (s *Stamped[V]) CompareAndSet(oldValue, newValue V, oldStamp, newStamp int) bool {
	p := s.pair.Load()
	var now stampedPair[V]
	if p != nil {
		now = *p
	}
	next := stampedPair[V]{newValue, newStamp}
	return now == stampedPair[V]{oldValue, oldStamp} &&
		(now == next || s.pair.CompareAndSwap(p, &next))
}

// SPDX-License-Identifier: BSD-3-Clause
