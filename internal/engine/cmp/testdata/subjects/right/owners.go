package right

import (
	"runtime"
	"sync/atomic"

	"pangolin/collections/lock"
	"pangolin/mark"
)

// An owner is a lock that waits for its turn, and says whose it is: 0 is nobody.
type owner struct{ word atomic.Int64 }

func (o *owner) Lock() {
	for !o.word.CompareAndSwap(0, int64(mark.Thread()+1)) {
		runtime.Gosched()
	}
}

func (o *owner) Unlock() {
	if o.word.Load() != int64(mark.Thread()+1) {
		panic("another one's")
	}
	o.word.Store(0)
}

// Owned is a stack under a lock that is made of one word.
type Owned struct {
	lock  owner
	items []int
}

func NewOwned() *Owned { return &Owned{} }

func (s *Owned) Push(x int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.items = append(s.items, x)
}

func (s *Owned) Pop() (int, bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	n := len(s.items)
	if n == 0 {
		return 0, false
	}
	x := s.items[n-1]
	s.items = s.items[:n-1]
	return x, true
}

// Nested is a set whose Add asks for the lock again that it holds.
type Nested struct {
	lock lock.Reentrant
	here [4]bool
}

func NewNested() *Nested { return &Nested{} }

func (s *Nested) put(x int, in bool) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	was := s.here[x]
	s.here[x] = in
	return was != in
}

func (s *Nested) Add(x int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.put(x, true)
}

func (s *Nested) Remove(x int) bool { return s.put(x, false) }

func (s *Nested) Contains(x int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.here[x]
}

// HandedOver is a set under a lock that its owner gives to the thread that has asked last, if one has. So threads write numbers of
// others.
type HandedOver struct {
	owner, asks atomic.Int64
	here        [4]bool
}

func NewHandedOver() *HandedOver { return &HandedOver{} }

func (s *HandedOver) lock() {
	me := int64(mark.Thread() + 1)
	for !s.owner.CompareAndSwap(0, me) {
		if s.asks.CompareAndSwap(0, me) {
			for s.owner.Load() != me {
				if s.owner.Load() == 0 && s.asks.CompareAndSwap(me, 0) {
					break
				}
				runtime.Gosched()
			}
			if s.owner.Load() == me {
				return
			}
		}
		runtime.Gosched()
	}
}

func (s *HandedOver) unlock() {
	next := s.asks.Load()
	if next != 0 && s.asks.CompareAndSwap(next, 0) {
		s.owner.Store(next)
		return
	}
	s.owner.Store(0)
}

func (s *HandedOver) put(x int, in bool) bool {
	s.lock()
	defer s.unlock()
	was := s.here[x]
	s.here[x] = in
	return was != in
}

func (s *HandedOver) Add(x int) bool    { return s.put(x, true) }
func (s *HandedOver) Remove(x int) bool { return s.put(x, false) }
func (s *HandedOver) Contains(x int) bool {
	s.lock()
	defer s.unlock()
	return s.here[x]
}

// Notes is a set in which Contains leaves a note with its number, which Remove takes out and ticks off.
type Notes struct {
	slot atomic.Pointer[note]
	bits atomic.Uint64
}

type note struct {
	who, ticks atomic.Int64
}

func NewNotes() *Notes { return &Notes{} }

func (s *Notes) Add(x int) bool { return s.bits.Or(1<<x)>>x&1 == 0 }

func (s *Notes) Remove(x int) bool {
	if n := s.slot.Swap(nil); n != nil && n.who.Load() != int64(mark.Thread()+1) {
		n.ticks.Store(1)
	}
	return s.bits.And(^(uint64(1)<<x))>>x&1 != 0
}

func (s *Notes) Contains(x int) bool {
	n := &note{}
	n.who.Store(int64(mark.Thread() + 1))
	s.slot.Store(n)
	is := s.bits.Load()>>x&1 != 0
	if n.ticks.Load() == 1 {
		n.ticks.Store(2)
	}
	return is
}

// SPDX-License-Identifier: BSD-3-Clause
