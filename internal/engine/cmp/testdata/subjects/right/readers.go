package right

import (
	"sync"
	"sync/atomic"
)

// Words is a set in which readers do what takes several steps, and may all be there at once: Grow alone shuts them out.
type Words struct {
	mu   sync.RWMutex
	bits *atomic.Uint64
	size int
}

func NewWords() *Words { return &Words{bits: new(atomic.Uint64), size: 1} }

func (s *Words) Add(key int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for {
		old := s.bits.Load()
		if old>>key&1 == 1 {
			return false
		}
		if s.bits.CompareAndSwap(old, old|1<<key) {
			return true
		}
	}
}

func (s *Words) Contains(key int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.bits.Load()>>key&1 == 1
}

// Remove replaces the word by a copy, in which the key is not.
func (s *Words) Remove(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.bits.Load()
	s.bits = new(atomic.Uint64)
	s.bits.Store(old &^ (1 << key))
	return old>>key&1 == 1
}

// Looked is a set whose Add looks for the key as a reader first, and once more as a writer.
type Looked struct {
	mu   sync.RWMutex
	here [8]bool
	hits atomic.Bool
}

func NewLooked() *Looked { return &Looked{} }

func (s *Looked) Contains(key int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.hits.Store(true)
	return s.here[key]
}

func (s *Looked) Add(key int) bool {
	if s.Contains(key) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.here[key] {
		return false
	}
	s.here[key] = true
	return true
}

func (s *Looked) Remove(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.here[key]
	s.here[key] = false
	return was
}

// Linked is a sorted list with a lock in each node, which readers take hand over hand.
type Linked struct{ head *linkedNode }

type linkedNode struct {
	mu   sync.RWMutex
	key  int
	next *linkedNode
}

func NewLinked() *Linked { return &Linked{head: &linkedNode{key: -1}} }

func (l *Linked) Contains(key int) bool {
	n := l.head
	n.mu.RLock()
	for n.next != nil && n.next.key < key {
		next := n.next
		next.mu.RLock()
		n.mu.RUnlock()
		n = next
	}
	found := n.next != nil && n.next.key == key
	n.mu.RUnlock()
	return found
}

// locked is the node in front of where a key belongs, locked.
func (l *Linked) locked(key int) *linkedNode {
	n := l.head
	n.mu.Lock()
	for n.next != nil && n.next.key < key {
		next := n.next
		next.mu.Lock()
		n.mu.Unlock()
		n = next
	}
	return n
}

func (l *Linked) Add(key int) bool {
	n := l.locked(key)
	defer n.mu.Unlock()
	if n.next != nil && n.next.key == key {
		return false
	}
	n.next = &linkedNode{key: key, next: n.next}
	return true
}

func (l *Linked) Remove(key int) bool {
	n := l.locked(key)
	defer n.mu.Unlock()
	if n.next == nil || n.next.key != key {
		return false
	}
	gone := n.next
	gone.mu.Lock()
	n.next = gone.next
	gone.mu.Unlock()
	return true
}

// Shards is a set with a lock for each half, whose Clear takes both.
type Shards struct {
	shards [2]struct {
		mu   sync.RWMutex
		here map[int]bool
	}
	asked atomic.Bool
}

func NewShards() *Shards {
	s := &Shards{}
	for i := range s.shards {
		s.shards[i].here = map[int]bool{}
	}
	return s
}

func (s *Shards) put(key int, in bool) bool {
	x := &s.shards[key%2]
	x.mu.Lock()
	defer x.mu.Unlock()
	was := x.here[key]
	if in {
		x.here[key] = true
	} else {
		delete(x.here, key)
	}
	return was != in
}

func (s *Shards) Add(key int) bool    { return s.put(key, true) }
func (s *Shards) Remove(key int) bool { return s.put(key, false) }

func (s *Shards) Contains(key int) bool {
	x := &s.shards[key%2]
	x.mu.RLock()
	s.asked.Store(true)
	defer x.mu.RUnlock()
	return x.here[key]
}

// Steady is a set whose readers look twice, and rely on finding the same.
type Steady struct{ Looked }

func NewSteady() *Steady { return &Steady{} }

func (s *Steady) Contains(key int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	first := s.here[key]
	s.hits.Store(true)
	if s.here[key] != first {
		panic("somebody writes")
	}
	return first
}
