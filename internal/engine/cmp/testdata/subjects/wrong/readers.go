package wrong

import (
	"sync"
	"sync/atomic"
)

// Collections that use a lock of readers and writers, each with one mistake.

// shelf is a set of small keys, with a lock.
type shelf struct {
	mu   sync.RWMutex
	here [8]bool
	seen atomic.Bool
}

func (s *shelf) Add(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.here[key]
	s.here[key] = true
	return !was
}

func (s *shelf) Remove(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.here[key]
	s.here[key] = false
	return was
}

func (s *shelf) Contains(key int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.seen.Store(true)
	return s.here[key]
}

// WritesReading writes under the lock for readers.
type WritesReading struct{ shelf }

func NewWritesReading() *WritesReading { return &WritesReading{} }

func (s *WritesReading) Remove(key int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.seen.Store(true)
	was := s.here[key]
	s.here[key] = false
	return was
}

// Upgrades takes the lock for writing while it reads.
type Upgrades struct{ shelf }

func NewUpgrades() *Upgrades { return &Upgrades{} }

func (s *Upgrades) Remove(key int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if !s.here[key] {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.here[key] = false
	return true
}

// LeavesEarly gives the lock back before it reads.
type LeavesEarly struct{ shelf }

func NewLeavesEarly() *LeavesEarly { return &LeavesEarly{} }

func (s *LeavesEarly) Contains(key int) bool {
	s.mu.RLock()
	s.seen.Store(true)
	s.mu.RUnlock()
	return s.here[key]
}

// WritesLate looks as a reader, gives the lock back, and writes.
type WritesLate struct{ shelf }

func NewWritesLate() *WritesLate { return &WritesLate{} }

func (s *WritesLate) Remove(key int) bool {
	s.mu.RLock()
	was := s.here[key]
	s.mu.RUnlock()
	s.here[key] = false
	return was
}

// ReadsTwice takes the lock for reading while it has it for reading: a writer that comes in between waits for it, and it for the writer.
type ReadsTwice struct{ shelf }

func NewReadsTwice() *ReadsTwice { return &ReadsTwice{} }

func (s *ReadsTwice) Contains(key int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.seen.Store(true)
	return s.shelf.Contains(key)
}

// Unlooked looks as a reader whether the key is there, and does not look again as a writer.
type Unlooked struct{ shelf }

func NewUnlooked() *Unlooked { return &Unlooked{} }

func (s *Unlooked) Add(key int) bool {
	if s.Contains(key) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.here[key] = true
	return true
}

// LeavesTwice gives the lock back twice.
type LeavesTwice struct{ shelf }

func NewLeavesTwice() *LeavesTwice { return &LeavesTwice{} }

func (s *LeavesTwice) Contains(key int) bool {
	s.mu.RLock()
	s.seen.Store(true)
	was := s.here[key]
	s.mu.RUnlock()
	if !was {
		s.mu.RUnlock()
	}
	return was
}

// LeavesAsWriter gives back for writing what it has for reading.
type LeavesAsWriter struct{ shelf }

func NewLeavesAsWriter() *LeavesAsWriter { return &LeavesAsWriter{} }

func (s *LeavesAsWriter) Contains(key int) bool {
	s.mu.RLock()
	defer s.mu.Unlock()
	return s.here[key]
}

// Stays does not give the lock back if the key is there: no writer comes in any more.
type Stays struct{ shelf }

func NewStays() *Stays { return &Stays{} }

func (s *Stays) Contains(key int) bool {
	s.mu.RLock()
	if s.here[key] {
		return true
	}
	s.mu.RUnlock()
	return false
}

// Copied reads under a copy of the lock.
type Copied struct{ shelf }

func NewCopied() *Copied { return &Copied{} }

func (s *Copied) Contains(key int) bool {
	mu := s.mu
	mu.RLock()
	defer mu.RUnlock()
	return s.here[key]
}

// Counts knows from the words of its lock whether somebody reads.
type Counts struct{ shelf }

func NewCounts() *Counts { return &Counts{} }

func (s *Counts) Remove(key int) bool {
	s.mu.RLock()
	alone := s.mu == sync.RWMutex{}
	s.mu.RUnlock()
	return s.shelf.Remove(key) && !alone
}

// Tries says that a key is not there if it cannot read.
type Tries struct{ shelf }

func NewTries() *Tries { return &Tries{} }

func (s *Tries) Contains(key int) bool {
	if !s.mu.TryRLock() {
		return false
	}
	defer s.mu.RUnlock()
	return s.here[key]
}

// TriesToWrite does not remove a key while somebody reads.
type TriesToWrite struct{ shelf }

func NewTriesToWrite() *TriesToWrite { return &TriesToWrite{} }

func (s *TriesToWrite) Remove(key int) bool {
	if !s.mu.TryLock() {
		return false
	}
	defer s.mu.Unlock()
	was := s.here[key]
	s.here[key] = false
	return was
}

// Bottom is the set of a word that readers change together; Remove, which replaces the word by a copy, does not shut them out.
type Bottom struct {
	mu   sync.RWMutex
	bits atomic.Pointer[atomic.Uint64]
}

func NewBottom() *Bottom {
	s := &Bottom{}
	s.bits.Store(new(atomic.Uint64))
	return s
}

func (s *Bottom) Add(key int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.bits.Load().Or(1<<key)>>key&1 == 0
}

func (s *Bottom) Contains(key int) bool { return s.bits.Load().Load()>>key&1 == 1 }

func (s *Bottom) Remove(key int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	old, now := s.bits.Load().Load(), new(atomic.Uint64)
	now.Store(old &^ (1 << key))
	s.bits.Store(now)
	return old>>key&1 == 1
}

// Between gives the lock back between copying the word and replacing it by the copy.
type Between struct{ Bottom }

func NewBetween() *Between {
	s := &Between{}
	s.bits.Store(new(atomic.Uint64))
	return s
}

func (s *Between) Remove(key int) bool {
	s.mu.Lock()
	old, now := s.bits.Load().Load(), new(atomic.Uint64)
	s.mu.Unlock()
	now.Store(old &^ (1 << key))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bits.Store(now)
	return old>>key&1 == 1
}

// LostUpdate is the set of a word that readers change together, by a load and a store.
type LostUpdate struct{ Bottom }

func NewLostUpdate() *LostUpdate {
	s := &LostUpdate{}
	s.bits.Store(new(atomic.Uint64))
	return s
}

func (s *LostUpdate) Add(key int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	old := s.bits.Load().Load()
	s.bits.Load().Store(old | 1<<key)
	return old>>key&1 == 0
}

func (s *LostUpdate) Remove(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bits.Load().And(^(uint64(1)<<key))>>key&1 == 1
}

// Crossed takes its two locks in either order.
type Crossed struct {
	shelf
	also sync.RWMutex
}

func NewCrossed() *Crossed { return &Crossed{} }

func (s *Crossed) Add(key int) bool {
	s.also.RLock()
	defer s.also.RUnlock()
	s.seen.Store(true)
	return s.shelf.Add(key)
}

func (s *Crossed) Contains(key int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.seen.Store(true)
	s.also.Lock()
	defer s.also.Unlock()
	return s.here[key]
}

// OtherShard reads under the lock of the other half.
type OtherShard struct {
	shards [2]struct {
		mu   sync.RWMutex
		here [8]bool
	}
	seen atomic.Bool
}

func NewOtherShard() *OtherShard { return &OtherShard{} }

func (s *OtherShard) put(key int, in bool) bool {
	x := &s.shards[key%2]
	x.mu.Lock()
	defer x.mu.Unlock()
	was := x.here[key]
	x.here[key] = in
	return was != in
}

func (s *OtherShard) Add(key int) bool    { return s.put(key, true) }
func (s *OtherShard) Remove(key int) bool { return s.put(key, false) }

func (s *OtherShard) Contains(key int) bool {
	x := &s.shards[(key+1)%2]
	x.mu.RLock()
	s.seen.Store(true)
	defer x.mu.RUnlock()
	return s.shards[key%2].here[key]
}

// LinkedEarly is a sorted list with a lock in each node, whose readers leave a node before they have the next one.
type LinkedEarly struct{ head *earlyNode }

type earlyNode struct {
	mu   sync.RWMutex
	key  int
	next *earlyNode
}

func NewLinkedEarly() *LinkedEarly { return &LinkedEarly{head: &earlyNode{key: -1}} }

func (l *LinkedEarly) Contains(key int) bool {
	n := l.head
	for {
		n.mu.RLock()
		next := n.next
		n.mu.RUnlock()
		if next == nil || next.key >= key {
			return next != nil && next.key == key
		}
		n = next
	}
}

func (l *LinkedEarly) locked(key int) *earlyNode {
	n := l.head
	n.mu.RLock()
	for n.next != nil && n.next.key < key {
		next := n.next
		n.mu.RUnlock()
		next.mu.RLock()
		n = next
	}
	n.mu.RUnlock()
	n.mu.Lock()
	return n
}

func (l *LinkedEarly) Add(key int) bool {
	n := l.locked(key)
	defer n.mu.Unlock()
	if n.next != nil && n.next.key == key {
		return false
	}
	n.next = &earlyNode{key: key, next: n.next}
	return true
}

func (l *LinkedEarly) Remove(key int) bool {
	n := l.locked(key)
	defer n.mu.Unlock()
	if n.next == nil || n.next.key != key {
		return false
	}
	n.next = n.next.next
	return true
}

// Wavers is a set whose readers look twice, and rely on finding the same, though they have given the lock back in between.
type Wavers struct{ shelf }

func NewWavers() *Wavers { return &Wavers{} }

func (s *Wavers) Contains(key int) bool {
	first := s.shelf.Contains(key)
	if s.shelf.Contains(key) != first {
		panic("somebody has written")
	}
	return first
}
