// Package progress has collections whose calls return, and some whose calls do not: each is linearizable.
package progress

import (
	"sync"
	"sync/atomic"
)

type set struct{ has [2]bool }

func (s *set) put(x int, in bool) bool {
	was := s.has[x]
	s.has[x] = in
	return was != in
}

// Crossed takes two locks in the order of the argument.
type Crossed struct {
	mu [2]sync.Mutex
	set
}

func (s *Crossed) both(x int, f func() bool) bool {
	s.mu[x&1].Lock()
	s.mu[1-x&1].Lock()
	defer s.mu[x&1].Unlock()
	defer s.mu[1-x&1].Unlock()
	return f()
}
func (s *Crossed) Add(x int) bool      { return s.both(x, func() bool { return s.put(x, true) }) }
func (s *Crossed) Remove(x int) bool   { return s.both(x, func() bool { return s.put(x, false) }) }
func (s *Crossed) Contains(x int) bool { return s.both(x, func() bool { return s.has[x] }) }

// Ordered takes them in one order.
type Ordered struct {
	mu [2]sync.Mutex
	set
}

func (s *Ordered) both(x int, f func() bool) bool {
	s.mu[0].Lock()
	s.mu[1].Lock()
	defer s.mu[0].Unlock()
	defer s.mu[1].Unlock()
	return f()
}
func (s *Ordered) Add(x int) bool      { return s.both(x, func() bool { return s.put(x, true) }) }
func (s *Ordered) Remove(x int) bool   { return s.both(x, func() bool { return s.put(x, false) }) }
func (s *Ordered) Contains(x int) bool { return s.both(x, func() bool { return s.has[x] }) }

// Three has a ring of three locks, each operation takes two of them and the one that guards.
type Three struct {
	mu [3]sync.Mutex
	g  sync.Mutex
	set
}

func (s *Three) two(i int, f func() bool) bool {
	s.mu[i].Lock()
	s.mu[(i+1)%3].Lock()
	s.g.Lock()
	r := f()
	s.g.Unlock()
	s.mu[(i+1)%3].Unlock()
	s.mu[i].Unlock()
	return r
}
func (s *Three) Add(x int) bool      { return s.two(0, func() bool { return s.put(x, true) }) }
func (s *Three) Remove(x int) bool   { return s.two(1, func() bool { return s.put(x, false) }) }
func (s *Three) Contains(x int) bool { return s.two(2, func() bool { return s.has[x] }) }

// Stubborn goes round where the item is there already.
type Stubborn struct {
	mu sync.Mutex
	set
}

func (s *Stubborn) Add(x int) bool {
	for {
		s.mu.Lock()
		if s.has[x] && s.has[1-x&1] {
			s.mu.Unlock()
			continue
		}
		defer s.mu.Unlock()
		return s.put(x, true)
	}
}
func (s *Stubborn) Remove(x int) bool   { s.mu.Lock(); defer s.mu.Unlock(); return s.put(x, false) }
func (s *Stubborn) Contains(x int) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.has[x] }

// Readers reads twice.
type Readers struct {
	mu sync.RWMutex
	set
}

func (s *Readers) Add(x int) bool    { s.mu.Lock(); defer s.mu.Unlock(); return s.put(x, true) }
func (s *Readers) Remove(x int) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.put(x, false) }
func (s *Readers) Contains(x int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.in(x)
}
func (s *Readers) in(x int) bool { s.mu.RLock(); defer s.mu.RUnlock(); return s.has[x] }

// Reader reads once.
type Reader struct {
	mu sync.RWMutex
	set
}

func (s *Reader) Add(x int) bool      { s.mu.Lock(); defer s.mu.Unlock(); return s.put(x, true) }
func (s *Reader) Remove(x int) bool   { s.mu.Lock(); defer s.mu.Unlock(); return s.put(x, false) }
func (s *Reader) Contains(x int) bool { s.mu.RLock(); defer s.mu.RUnlock(); return s.has[x] }

// Tries gives back what it has when the second lock is taken.
type Tries struct {
	a, b sync.Mutex
	set
}

func (s *Tries) Add(x int) bool {
	for {
		s.a.Lock()
		if s.b.TryLock() {
			defer s.a.Unlock()
			defer s.b.Unlock()
			return s.put(x, true)
		}
		s.a.Unlock()
	}
}
func (s *Tries) Remove(x int) bool {
	for {
		s.b.Lock()
		if s.a.TryLock() {
			defer s.b.Unlock()
			defer s.a.Unlock()
			return s.put(x, false)
		}
		s.b.Unlock()
	}
}
func (s *Tries) Contains(x int) bool {
	s.a.Lock()
	s.b.Lock()
	defer s.a.Unlock()
	defer s.b.Unlock()
	return s.has[x]
}

// Spins takes a lock of its own by compare and swap.
type Spins struct {
	l atomic.Bool
	set
}

func (s *Spins) lock() {
	for !s.l.CompareAndSwap(false, true) {
	}
}
func (s *Spins) unlock()             { s.l.Store(false) }
func (s *Spins) Add(x int) bool      { s.lock(); defer s.unlock(); return s.put(x, true) }
func (s *Spins) Remove(x int) bool   { s.lock(); defer s.unlock(); return s.put(x, false) }
func (s *Spins) Contains(x int) bool { s.lock(); defer s.unlock(); return s.has[x] }

// Bits is lock-free.
type Bits struct{ w atomic.Int64 }

func (s *Bits) Add(x int) bool {
	for {
		o := s.w.Load()
		if o>>x&1 != 0 {
			return false
		}
		if s.w.CompareAndSwap(o, o|1<<x) {
			return true
		}
	}
}
func (s *Bits) Remove(x int) bool {
	for {
		o := s.w.Load()
		if o>>x&1 == 0 {
			return false
		}
		if s.w.CompareAndSwap(o, o&^(1<<x)) {
			return true
		}
	}
}
func (s *Bits) Contains(x int) bool { return s.w.Load()>>x&1 != 0 }

// Disturbed is not lock-free: a Contains that finds nothing writes, so that others go round.
type Disturbed struct{ w atomic.Int64 }

func (s *Disturbed) change(x int, in bool) bool {
	for {
		o := s.w.Load()
		if o>>x&1 != 0 == in {
			return false
		}
		if s.w.CompareAndSwap(o, o^1<<x) {
			return true
		}
	}
}
func (s *Disturbed) Add(x int) bool    { return s.change(x, true) }
func (s *Disturbed) Remove(x int) bool { return s.change(x, false) }
func (s *Disturbed) Contains(x int) bool {
	o := s.w.Load()
	for !s.w.CompareAndSwap(o, o^1<<8) { // which is no content
		o = s.w.Load()
	}
	return o>>x&1 != 0
}

// Restless goes on flipping a bit until the item is there.
type Restless struct{ w atomic.Int64 }

func (s *Restless) change(x int, in bool) bool {
	for {
		o := s.w.Load()
		if o>>x&1 != 0 == in {
			return false
		}
		if s.w.CompareAndSwap(o, o^1<<x) {
			return true
		}
	}
}
func (s *Restless) Add(x int) bool    { return s.change(x, true) }
func (s *Restless) Remove(x int) bool { return s.change(x, false) }
func (s *Restless) Contains(x int) bool {
	for {
		o := s.w.Load()
		if s.w.CompareAndSwap(o, o^1<<8) && o>>8&1 != 0 {
			return o>>x&1 != 0
		}
	}
}

// Leaves has a lock for each item, and Remove leaves it taken where there was none.
type Leaves struct {
	mu [2]sync.Mutex
	set
}

func (s *Leaves) Add(x int) bool { s.mu[x&1].Lock(); defer s.mu[x&1].Unlock(); return s.put(x, true) }
func (s *Leaves) Remove(x int) bool {
	s.mu[x&1].Lock()
	if !s.has[x] {
		return false
	}
	defer s.mu[x&1].Unlock()
	return s.put(x, false)
}
func (s *Leaves) Contains(x int) bool { s.mu[x&1].Lock(); defer s.mu[x&1].Unlock(); return s.has[x] }

type node struct {
	mu   sync.Mutex
	key  int
	gone bool
	next *node
}

// Coupled is a list by coupled locks in front of a head.
type Coupled struct{ head node }

func (s *Coupled) find(x int) (p, c *node) {
	p = &s.head
	p.mu.Lock()
	c = p.next
	if c != nil {
		c.mu.Lock()
	}
	for c != nil && c.key < x {
		p.mu.Unlock()
		p, c = c, c.next
		if c != nil {
			c.mu.Lock()
		}
	}
	return p, c
}
func (s *Coupled) Add(x int) bool {
	p, c := s.find(x)
	defer p.mu.Unlock()
	if c != nil {
		defer c.mu.Unlock()
		if c.key == x {
			return false
		}
	}
	p.next = &node{key: x, next: c}
	return true
}
func (s *Coupled) Remove(x int) bool {
	p, c := s.find(x)
	defer p.mu.Unlock()
	if c != nil {
		defer c.mu.Unlock()
		if c.key == x {
			p.next = c.next
			return true
		}
	}
	return false
}
func (s *Coupled) Contains(x int) bool {
	p, c := s.find(x)
	defer p.mu.Unlock()
	if c != nil {
		defer c.mu.Unlock()
		return c.key == x
	}
	return false
}

// Waver goes round where another call has come between its two steps, which every call does again and again.
type Waver struct{ w atomic.Int64 }

func (s *Waver) change(x int, in bool) bool {
	for {
		o := s.w.Load()
		if o>>x&1 != 0 == in {
			return false
		}
		if s.w.CompareAndSwap(o, o^1<<x) {
			return true
		}
	}
}
func (s *Waver) Add(x int) bool    { return s.change(x, true) }
func (s *Waver) Remove(x int) bool { return s.change(x, false) }
func (s *Waver) Contains(x int) bool {
	for {
		o := s.w.Load()
		s.w.CompareAndSwap(o, o|1<<8)
		if p := s.w.Load(); p == o|1<<8 && o>>8&1 == 0 {
			s.w.And(^(1 << 8))
			return o>>x&1 != 0
		}
		s.w.And(^(1 << 8))
	}
}

// Sleeps waits for a condition that nobody signals.
type Sleeps struct {
	mu   sync.Mutex
	cond *sync.Cond
	set
}

func NewSleeps() *Sleeps { s := &Sleeps{}; s.cond = sync.NewCond(&s.mu); return s }

func (s *Sleeps) Add(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.has[x] {
		s.cond.Wait()
	}
	return s.put(x, true)
}
func (s *Sleeps) Remove(x int) bool   { s.mu.Lock(); defer s.mu.Unlock(); return s.put(x, false) }
func (s *Sleeps) Contains(x int) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.has[x] }

// Loses leaves the lock of what it takes out taken, and forgets it.
type Loses struct {
	mu   sync.Mutex
	slot [2]*cell
}

type cell struct{ mu sync.Mutex }

func (s *Loses) Add(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slot[x] != nil {
		return false
	}
	s.slot[x] = &cell{}
	return true
}
func (s *Loses) Remove(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.slot[x]
	if c == nil {
		return false
	}
	c.mu.Lock()
	s.slot[x] = nil
	return true
}
func (s *Loses) Contains(x int) bool {
	s.mu.Lock()
	c := s.slot[x]
	s.mu.Unlock()
	if c == nil {
		return false
	}
	c.mu.Lock()
	c.mu.Unlock()
	return true
}

// Beside takes a lock in front of one that it reads with.
type Beside struct {
	mu sync.RWMutex
	g  sync.Mutex
	set
}

func (s *Beside) Add(x int) bool    { s.mu.Lock(); defer s.mu.Unlock(); return s.put(x, true) }
func (s *Beside) Remove(x int) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.put(x, false) }
func (s *Beside) Contains(x int) bool {
	s.g.Lock()
	s.mu.RLock()
	defer s.mu.RUnlock()
	defer s.g.Unlock()
	return s.has[x]
}

// Meets has a reader that waits for what a writer has who waits for the reader.
type Meets struct {
	mu sync.RWMutex
	g  sync.Mutex
	set
}

func (s *Meets) Add(x int) bool {
	s.g.Lock()
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.g.Unlock()
	return s.put(x, true)
}
func (s *Meets) Remove(x int) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.put(x, false) }
func (s *Meets) Contains(x int) bool {
	s.mu.RLock()
	s.g.Lock()
	defer s.mu.RUnlock()
	defer s.g.Unlock()
	return s.has[x]
}

// Looks takes effect and then looks at another word, so that calls do not end with their effects.
type Looks struct{ w, also atomic.Int64 }

func (s *Looks) change(x int, in bool) bool {
	for {
		o := s.w.Load()
		if o>>x&1 != 0 == in {
			return false
		}
		if s.w.CompareAndSwap(o, o^1<<x) {
			return s.also.Load() == 0
		}
	}
}
func (s *Looks) Add(x int) bool      { return s.change(x, true) }
func (s *Looks) Remove(x int) bool   { return s.change(x, false) }
func (s *Looks) Contains(x int) bool { return s.w.Load()>>x&1 != 0 }

// Strays takes the locks of two cells that nothing leads to any more, in the order of its argument.
type Strays struct {
	mu   sync.Mutex
	slot [2]*cell
}

func (s *Strays) Add(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slot[x] != nil {
		return false
	}
	s.slot[x] = &cell{}
	return true
}
func (s *Strays) Remove(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slot[x] == nil {
		return false
	}
	s.slot[x] = nil
	return true
}
func (s *Strays) Contains(x int) bool {
	s.mu.Lock()
	one, other := s.slot[x], s.slot[1-x]
	s.mu.Unlock()
	if one == nil || other == nil {
		return one != nil
	}
	s.mu.Lock()
	gone := s.slot[x] != one && s.slot[1-x] != other
	s.mu.Unlock()
	if gone {
		one.mu.Lock()
		other.mu.Lock()
		other.mu.Unlock()
		one.mu.Unlock()
	}
	return true
}
