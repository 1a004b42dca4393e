package stack

import (
	"runtime"

	"pangolin/collections/atomicref"
	"pangolin/mark"
)

// An EliminationBackoffStack is a LockFreeStack in which a thread that lost the
// race for the top looks for a partner in an array of exchangers. The book adapts
// the part of the array in use with a policy per thread that it leaves open; here
// the whole array is always in use.
//
//pangolin:new NewEliminationBackoffStack[int](1, 1)
type EliminationBackoffStack[T any] struct {
	stack    LockFreeStack[T]
	slots    []exchanger[T]
	patience int
}

// NewEliminationBackoffStack returns an empty stack with an array of slots
// exchangers (at least 1), in which a thread looks patience times for a partner
// before it tries the stack again.
func NewEliminationBackoffStack[T any](slots, patience int) *EliminationBackoffStack[T] {
	return &EliminationBackoffStack[T]{
		slots:    make([]exchanger[T], slots),
		patience: patience,
	}
}

// Push puts x on top, or hands it to a Pop that runs at the same time.
func (s *EliminationBackoffStack[T]) Push(x T) {
	n := &node[T]{value: x}
	for !s.stack.tryPush(n) {
		if other, ok := s.visit(&x); ok && other == nil {
			return // a Pop took it
		}
	}
}

// Pop takes the top item or the item of a Push that runs at the same time, or
// says that the stack is empty.
func (s *EliminationBackoffStack[T]) Pop() (T, bool) {
	for {
		n, empty := s.stack.tryPop()
		switch {
		case empty:
			var none T
			return none, false
		case n != nil:
			return n.value, true
		}
		if other, ok := s.visit(nil); ok && other != nil {
			return *other, true
		}
	}
}

// visit offers an item (nil: a Pop's wish for one) at an arbitrary exchanger and
// returns the partner's offer, or false if no partner came.
func (s *EliminationBackoffStack[T]) visit(mine *T) (*T, bool) {
	slot := &s.slots[mark.Choose(len(s.slots))]
	return slot.exchange(mine, s.patience)
}

// An exchanger lets two threads swap offers (section 11.4.1). The stamp of the
// slot says how far an exchange has come.
type exchanger[T any] struct {
	slot atomicref.Stamped[*T]
}

// The stamps of an exchanger's slot.
const (
	slotFree    = iota // nobody is here
	slotWaiting        // the first thread left its offer
	slotBusy           // the second thread left its own; the first has not yet read it
)

// exchange swaps offers with another thread, or says false if none came within
// patience looks.
func (e *exchanger[T]) exchange(mine *T, patience int) (*T, bool) {
	for range patience {
		theirs, stamp := e.slot.Get()
		switch stamp {
		case slotFree:
			//pangolin:point when result as e
			if e.slot.CompareAndSet(theirs, mine, slotFree, slotWaiting) {
				return e.await(mine, patience)
			}
		case slotWaiting:
			//pangolin:point when result && mine != nil && theirs == nil emit Push(*mine)
			//pangolin:point when result && mine != nil && theirs == nil emit Pop() = *mine, true for e
			//pangolin:point when result && mine == nil && theirs != nil emit Push(*theirs) for e
			//pangolin:point when result && mine == nil && theirs != nil emit Pop() = *theirs, true
			if e.slot.CompareAndSet(theirs, mine, slotWaiting, slotBusy) {
				return theirs, true
			}
		}
		runtime.Gosched()
	}
	return nil, false
}

// await waits for a partner as the first of two, and frees the slot.
func (e *exchanger[T]) await(mine *T, patience int) (*T, bool) {
	for range patience {
		if theirs, stamp := e.slot.Get(); stamp == slotBusy {
			//pangolin:point as nil
			e.slot.Set(nil, slotFree)
			return theirs, true
		}
		runtime.Gosched()
	}
	//pangolin:point when result as nil
	if e.slot.CompareAndSet(mine, nil, slotWaiting, slotFree) {
		return nil, false
	}
	theirs := e.slot.Value() // a partner came at the last moment
	//pangolin:point as nil
	e.slot.Set(nil, slotFree)
	return theirs, true
}

// SPDX-License-Identifier: BSD-3-Clause
