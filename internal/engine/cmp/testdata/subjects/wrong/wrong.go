// Package wrong has collections that are not correct.
package wrong

import (
	"sync"
	"sync/atomic"
)

// SPSC is a ring for one producer and one consumer, which any thread may use.
//
//pangolin:kind queue
//pangolin:protocol bounded(2)
type SPSC struct {
	buf        [2]atomic.Int64
	head, tail atomic.Uint32
}

func NewSPSC() *SPSC { return &SPSC{} }

func (r *SPSC) TryPut(x int) bool {
	t := r.tail.Load()
	if (t+4-r.head.Load())%4 == 2 {
		return false
	}
	r.buf[t%2].Store(int64(x))
	r.tail.Store((t + 1) % 4)
	return true
}

func (r *SPSC) TryTake() (int, bool) {
	h := r.head.Load()
	if r.tail.Load() == h {
		return 0, false
	}
	x := r.buf[h%2].Load()
	r.head.Store((h + 1) % 4)
	return int(x), true
}

// Early is a ring for one producer and one consumer that shows an element before it is there.
//
//pangolin:roles TryPut:1,TryTake:2
//pangolin:kind queue
//pangolin:protocol bounded(2)
type Early struct {
	buf        [2]atomic.Int64
	head, tail atomic.Uint32
}

func NewEarly() *Early { return &Early{} }

func (r *Early) TryPut(x int) bool {
	t := r.tail.Load()
	if (t+4-r.head.Load())%4 == 2 {
		return false
	}
	r.tail.Store((t + 1) % 4)
	r.buf[t%2].Store(int64(x))
	return true
}

func (r *Early) TryTake() (int, bool) {
	h := r.head.Load()
	if r.tail.Load() == h {
		return 0, false
	}
	x := r.buf[h%2].Load()
	r.head.Store((h + 1) % 4)
	return int(x), true
}

// Bits is a set in one word that is read and written in two steps.
type Bits struct{ bits atomic.Uint64 }

func NewBits() *Bits { return &Bits{} }

func (s *Bits) Add(key int) bool {
	old := s.bits.Load()
	s.bits.Store(old | 1<<key)
	return old>>key&1 == 0
}

func (s *Bits) Remove(key int) bool { return s.bits.And(^(uint64(1)<<key))>>key&1 != 0 }

func (s *Bits) Contains(key int) bool { return s.bits.Load()>>key&1 != 0 }

// OneLock is a hash set of two buckets whose removals take the lock of the other bucket.
type OneLock struct {
	locks [2]sync.Mutex
	table [2][8]bool
}

func NewOneLock() *OneLock { return &OneLock{} }

func (b *OneLock) Add(x int) bool {
	b.locks[x%2].Lock()
	defer b.locks[x%2].Unlock()
	old := b.table[x%2][x/2]
	b.table[x%2][x/2] = true
	return !old
}

func (b *OneLock) Remove(x int) bool {
	b.locks[(x+1)%2].Lock()
	defer b.locks[(x+1)%2].Unlock()
	old := b.table[x%2][x/2]
	b.table[x%2][x/2] = false
	return old
}

// Unread is a map whose readers take no lock.
type Unread struct {
	mu sync.Mutex
	m  map[int]int
}

func NewUnread() *Unread { return &Unread{m: map[int]int{}} }

func (m *Unread) Load(k int) (int, bool) {
	v, ok := m.m[k]
	return v, ok
}

func (m *Unread) Store(k, v int) {
	m.mu.Lock()
	m.m[k] = v
	m.mu.Unlock()
}

// Recycled is a stack that uses the cells again that were taken out: another thread's
// compare-and-swap finds the cell that it knew, with another one behind it.
type Recycled struct{ top, free atomic.Pointer[cell] }

type cell struct {
	value atomic.Int64
	next  atomic.Pointer[cell]
}

func NewRecycled() *Recycled { return &Recycled{} }

func push(at *atomic.Pointer[cell], c *cell) {
	for {
		top := at.Load()
		c.next.Store(top)
		if at.CompareAndSwap(top, c) {
			return
		}
	}
}

func pop(at *atomic.Pointer[cell]) *cell {
	for {
		top := at.Load()
		if top == nil {
			return nil
		}
		if at.CompareAndSwap(top, top.next.Load()) {
			return top
		}
	}
}

func (s *Recycled) Push(x int) {
	c := pop(&s.free)
	if c == nil {
		c = &cell{}
	}
	c.value.Store(int64(x))
	push(&s.top, c)
}

func (s *Recycled) Pop() (int, bool) {
	c := pop(&s.top)
	if c == nil {
		return 0, false
	}
	x := c.value.Load()
	push(&s.free, c)
	return int(x), true
}

// Three goes wrong only with three threads that write: the third one finds the door open.
type Three struct {
	mu   sync.Mutex
	busy atomic.Int32
	n    atomic.Int64
}

func NewThree() *Three { return &Three{} }

// Inc adds one. Whoever finds two others inside does not wait for the lock.
func (t *Three) Inc() {
	if t.busy.Add(1) > 2 {
		t.n.Store(t.n.Load() + 1)
	} else {
		t.mu.Lock()
		t.n.Store(t.n.Load() + 1)
		t.mu.Unlock()
	}
	t.busy.Add(-1)
}

func (t *Three) Get() int { return int(t.n.Load()) }

// Busy is a queue that is empty to whoever finds its lock taken.
type Busy struct {
	mu    sync.Mutex
	items []int
}

func NewBusy() *Busy { return &Busy{} }

func (q *Busy) Enqueue(x int) {
	q.mu.Lock()
	q.items = append(q.items, x)
	q.mu.Unlock()
}

func (q *Busy) Dequeue() (int, bool) {
	if !q.mu.TryLock() {
		return 0, false
	}
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return 0, false
	}
	x := q.items[0]
	q.items = append([]int(nil), q.items[1:]...)
	return x, true
}

// Shy is a stack that is empty to whoever meets another thread at its top.
type Shy struct{ top atomic.Pointer[shyCell] }

type shyCell struct {
	item int
	next *shyCell
}

func NewShy() *Shy { return &Shy{} }

func (s *Shy) Push(x int) {
	c := &shyCell{item: x}
	for {
		c.next = s.top.Load()
		if s.top.CompareAndSwap(c.next, c) {
			return
		}
	}
}

func (s *Shy) Pop() (int, bool) {
	c := s.top.Load()
	if c == nil || !s.top.CompareAndSwap(c, c.next) {
		return 0, false
	}
	return c.item, true
}

// Handed is a queue of one element whose locks are given back by other threads than have taken them. It is right,
// but who holds a lock does not keep others from anything.
//
//pangolin:kind queue
//pangolin:protocol bounded(1)
type Handed struct {
	empty, full sync.Mutex
	item        int
}

func NewHanded() *Handed {
	h := &Handed{}
	h.full.Lock()
	return h
}

func (h *Handed) Put(x int) {
	h.empty.Lock()
	h.item = x
	h.full.Unlock()
}

func (h *Handed) Take() int {
	h.full.Lock()
	x := h.item
	h.empty.Unlock()
	return x
}

// HandedOn is a register whose lock every second call takes, and every other one gives back.
type HandedOn struct {
	turn, mu sync.Mutex
	taken    bool
	value    int
}

func NewHandedOn() *HandedOn { return &HandedOn{} }

func (h *HandedOn) Store(x int) {
	h.turn.Lock()
	if h.taken {
		h.mu.Unlock()
	} else {
		h.mu.Lock()
	}
	h.taken = !h.taken
	h.value = x
	h.turn.Unlock()
}

func (h *HandedOn) Load() int {
	h.turn.Lock()
	defer h.turn.Unlock()
	return h.value
}

// Spins is a set that asks for ever for a key that is not there.
type Spins struct{ bits atomic.Uint64 }

func NewSpins() *Spins { return &Spins{} }

func (s *Spins) Add(key int) bool { return s.bits.Or(1<<key)>>key&1 == 0 }

func (s *Spins) Remove(key int) bool { return s.bits.And(^(uint64(1)<<key))>>key&1 != 0 }

func (s *Spins) Contains(key int) bool {
	for s.bits.Load()>>key&1 == 0 {
	}
	return true
}

// Nonzero is a map that keeps no zeros.
//
//pangolin:kind map
//pangolin:oracle map
type Nonzero struct {
	mu sync.Mutex
	m  map[int]int
}

func NewNonzero() *Nonzero { return &Nonzero{m: map[int]int{}} }

func (m *Nonzero) Load(k int) (int, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.m[k]
	return v, ok
}

func (m *Nonzero) Store(k, v int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v != 0 {
		m.m[k] = v
	}
}

func (m *Nonzero) Delete(k int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.m, k)
}

// Reread is a set whose Add tells what it finds when it looks again.
type Reread struct{ bits atomic.Uint64 }

func NewReread() *Reread { return &Reread{} }

func (s *Reread) Add(key int) bool {
	if old := s.bits.Or(1 << key); old>>key&1 != 0 {
		return false
	}
	return s.bits.Load()>>key&1 != 0
}

func (s *Reread) Remove(key int) bool { return s.bits.And(^(uint64(1)<<key))>>key&1 != 0 }

func (s *Reread) Contains(key int) bool { return s.bits.Load()>>key&1 != 0 }

// Repeats is a set whose Add puts the key in again if it has been taken out meanwhile.
type Repeats struct{ bits atomic.Uint64 }

func NewRepeats() *Repeats { return &Repeats{} }

func (s *Repeats) Add(key int) bool {
	for again := false; ; again = true {
		if old := s.bits.Or(1 << key); old>>key&1 != 0 {
			return again
		}
		if s.bits.Load()>>key&1 != 0 {
			return true
		}
	}
}

func (s *Repeats) Remove(key int) bool { return s.bits.And(^(uint64(1)<<key))>>key&1 != 0 }

func (s *Repeats) Contains(key int) bool { return s.bits.Load()>>key&1 != 0 }

// Readers is a set that is changed under the lock for readers, which two may hold.
type Readers struct {
	mu   sync.RWMutex
	bits atomic.Uint64
}

func NewReaders() *Readers { return &Readers{} }

func (s *Readers) Add(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bits.Or(1<<key)>>key&1 == 0
}

func (s *Readers) Remove(key int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	old := s.bits.Load()
	s.bits.Store(old &^ (1 << key))
	return old>>key&1 != 0
}

func (s *Readers) Contains(key int) bool { return s.bits.Load()>>key&1 != 0 }

// Sneaks is a set whose Remove does not wait for the lock.
type Sneaks struct {
	mu   sync.Mutex
	bits atomic.Uint64
}

func NewSneaks() *Sneaks { return &Sneaks{} }

func (s *Sneaks) Add(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.bits.Load()
	s.bits.Store(old | 1<<key)
	return old>>key&1 == 0
}

func (s *Sneaks) Remove(key int) bool {
	if s.mu.TryLock() {
		defer s.mu.Unlock()
	}
	return s.bits.And(^(uint64(1)<<key))>>key&1 != 0
}

func (s *Sneaks) Contains(key int) bool { return s.bits.Load()>>key&1 != 0 }

// Cells is a set beside which each Add writes a word under the lock of a cell of its own.
type Cells struct {
	slot atomic.Pointer[latch]
	mu   sync.Mutex
	bits uint64
	last int
}

type latch struct{ mu sync.Mutex }

func NewCells() *Cells { return &Cells{} }

func (s *Cells) Add(key int) bool {
	c := &latch{}
	s.slot.Store(c)
	c.mu.Lock()
	s.slot.Store(nil)
	s.last = 1
	c.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.bits
	s.bits |= 1 << key
	return old>>key&1 == 0
}

func (s *Cells) Remove(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.bits
	s.bits &^= 1 << key
	return old>>key&1 != 0
}

func (s *Cells) Contains(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bits>>key&1 != 0
}

// Back is a set in which each Add brings a cell of its own back that it holds, and lies if it sees another
// thread do so while it holds its own.
type Back struct {
	slot, back atomic.Pointer[latch]
	bits       atomic.Uint64
}

func NewBack() *Back { return &Back{} }

func (s *Back) Add(key int) bool {
	c := &latch{}
	s.slot.Store(c)
	c.mu.Lock()
	s.slot.Store(nil)
	before, after := s.back.Load(), s.back.Load()
	s.back.Store(c)
	s.back.Store(nil)
	c.mu.Unlock()
	lies := before == nil && after != nil
	return (s.bits.Or(1<<key)>>key&1 == 0) != lies
}

func (s *Back) Remove(key int) bool { return s.bits.And(^(uint64(1)<<key))>>key&1 != 0 }

func (s *Back) Contains(key int) bool { return s.bits.Load()>>key&1 != 0 }
