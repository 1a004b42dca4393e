// SPDX-License-Identifier: BSD-3-Clause

package right

import (
	"errors"
	"maps"
	"sync"
	"sync/atomic"
)

// Hits counts without a lock.
type Hits struct{ n atomic.Int64 }

func NewHits() *Hits { return &Hits{} }

func (h *Hits) Add(x int) int { return int(h.n.Add(int64(x))) }
func (h *Hits) Count() int    { return int(h.n.Load()) }

// Claim is taken once.
type Claim struct{ owner int32 }

func NewClaim() *Claim { return &Claim{} }

func (c *Claim) Take(x int) bool { return atomic.CompareAndSwapInt32(&c.owner, 0, int32(x)+1) }
func (c *Claim) Owner() int      { return int(atomic.LoadInt32(&c.owner)) - 1 }

// CopyOnWrite is a map that readers read without the lock, and writers replace.
type CopyOnWrite struct {
	mu sync.Mutex
	m  atomic.Pointer[map[int]int]
}

func NewCopyOnWrite() *CopyOnWrite {
	c := &CopyOnWrite{}
	c.m.Store(&map[int]int{})
	return c
}

func (c *CopyOnWrite) Change(k, v int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := maps.Clone(*c.m.Load())
	next[k] = v
	c.m.Store(&next)
}

func (c *CopyOnWrite) Ask(k int) (int, bool) {
	v, ok := (*c.m.Load())[k]
	return v, ok
}

func (c *CopyOnWrite) Size() int { return len(*c.m.Load()) }

// setting has fields that nobody writes once others can see it.
type setting struct {
	size int
	name string
}

// Settings replaces all at once.
type Settings struct{ now atomic.Pointer[setting] }

func NewSettings() *Settings {
	s := &Settings{}
	s.now.Store(&setting{1, "first"})
	return s
}

func (s *Settings) Set(size int, name string) int {
	was := s.now.Swap(&setting{size, name})
	return was.size
}

func (s *Settings) Get() (int, string) {
	now := s.now.Load()
	return now.size, now.name
}

// Closes has a flag that is set under the lock, and read without it.
type Closes struct {
	mu     sync.Mutex
	n      int
	closed atomic.Bool
}

func NewCloses() *Closes { return &Closes{} }

func (c *Closes) Add(x int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed.Load() {
		return false
	}
	c.n += x
	return true
}

func (c *Closes) Close() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed.Load() {
		c.closed.Store(true)
	}
	return c.n
}

func (c *Closes) Closed() bool { return c.closed.Load() }

// Looks counts how often it is read, under the lock for readers.
type Looks struct {
	mu    sync.RWMutex
	have  map[int]int
	looks atomic.Int64
}

func NewLooks() *Looks { return &Looks{have: map[int]int{}} }

func (l *Looks) Get(k int) int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	l.looks.Add(1)
	return l.have[k]
}

func (l *Looks) Put(k, v int) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.have[k] = v
	return l.looks.Load()
}

func (l *Looks) Looks() int64 { return l.looks.Load() }

// Shards counts in the elements of a slice.
type Shards struct{ n []int64 }

func NewShards() *Shards { return &Shards{n: make([]int64, 2)} }

func (s *Shards) Add(x int) int64   { return atomic.AddInt64(&s.n[uint(x)%2], 1) }
func (s *Shards) Count(x int) int64 { return atomic.LoadInt64(&s.n[uint(x)%2]) }

// errEnough ends a visit.
var errEnough = errors.New("enough")

// Visits calls a function with what it has, until that has enough.
type Visits struct {
	mu   sync.RWMutex
	have []int
}

func NewVisits() *Visits { return &Visits{} }

func (v *Visits) Add(x int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.have = append(v.have, x)
}

func (v *Visits) Visit(x int) int {
	v.mu.RLock()
	defer v.mu.RUnlock()
	for i, y := range v.have {
		if err := enough(x, y); errors.Is(err, errEnough) {
			return i
		}
	}
	return len(v.have)
}

func enough(x, y int) error {
	if x == y {
		return errEnough
	}
	return nil
}

// Most raises a number, in a loop around a compare-and-swap.
type Most struct{ n atomic.Int64 }

func NewMost() *Most { return &Most{} }

func (m *Most) Raise(x int) int64 {
	for {
		n := m.n.Load()
		if int64(x) <= n {
			return n
		}
		if m.n.CompareAndSwap(n, int64(x)) {
			return int64(x)
		}
	}
}

// Config is a slice in an atomic.Value.
type Config struct{ v atomic.Value }

func NewConfig() *Config {
	c := &Config{}
	c.v.Store([]int{1})
	return c
}

func (c *Config) Change(x int) { c.v.Store([]int{x, x + 1}) }
func (c *Config) First() int   { return c.v.Load().([]int)[0] }

func (c *Config) Replace(x int) int { return c.v.Swap([]int{x}).([]int)[0] }

// user is not written once others can see it.
type user struct{ id, name int }

// Users is a wrapper of a sync.Map, each of whose operations is one of that.
type Users struct{ m sync.Map }

func NewUsers() *Users {
	u := &Users{}
	u.m.Store(0, &user{0, 1})
	return u
}

func (u *Users) Join(id, name int) bool {
	_, had := u.m.LoadOrStore(id, &user{id, name})
	return !had
}

func (u *Users) Name(id int) int {
	v, ok := u.m.Load(id)
	if !ok {
		return -1
	}
	return v.(*user).name
}

func (u *Users) Leave(id int) int {
	v, ok := u.m.LoadAndDelete(id)
	if !ok {
		return -1
	}
	return v.(*user).name
}

func (u *Users) Forget(id int) { u.m.Delete(id) }
func (u *Users) Close()        { u.m.Clear() }

// UnderReaders counts in a sync.Map while it has a lock for reading.
type UnderReaders struct {
	mu   sync.RWMutex
	name int
	seen sync.Map
}

func NewUnderReaders() *UnderReaders { return &UnderReaders{} }

func (u *UnderReaders) See(x int) (int, bool) {
	u.mu.RLock()
	defer u.mu.RUnlock()
	_, had := u.seen.Swap(x, u.name)
	return u.name, had
}

func (u *UnderReaders) Rename(name int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.name = name
}

// Pages is a slice in a variable that is replaced as a whole.
type Pages struct {
	mu  sync.Mutex
	now atomic.Pointer[[]int]
}

func NewPages() *Pages {
	p := &Pages{}
	p.now.Store(new([]int))
	return p
}

func (p *Pages) Append(x int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	old := *p.now.Load()
	next := make([]int, len(old)+1)
	copy(next, old)
	next[len(old)] = x
	p.now.Store(&next)
	return len(next)
}

func (p *Pages) At(i int) int {
	now := *p.now.Load()
	if i < 0 || i >= len(now) {
		return -1
	}
	return now[i]
}

// Handlers copies a slice in an atomic.Value when it changes it, under the lock, and reads it without.
type Handlers struct {
	mu sync.Mutex
	v  atomic.Value
}

func NewHandlers() *Handlers {
	h := &Handlers{}
	h.v.Store([]int(nil))
	return h
}

func (h *Handlers) Handle(x int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	old := h.v.Load().([]int)
	next := make([]int, len(old), len(old)+1)
	copy(next, old)
	next = append(next, x)
	h.v.Store(next)
	return len(next)
}

func (h *Handlers) Sum() (n int) {
	for _, x := range h.v.Load().([]int) {
		n += x
	}
	return n
}

// Sessions looks into a sync.Map and changes it under the lock, and reads it without.
type Sessions struct {
	mu   sync.Mutex
	open int
	m    sync.Map
}

func NewSessions() *Sessions { return &Sessions{} }

func (s *Sessions) Open(id int) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, ok := s.m.Load(id); ok {
		return n.(int), false
	}
	s.open++
	s.m.Store(id, s.open)
	return s.open, true
}

func (s *Sessions) Close(id int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.m.Load(id); ok {
		s.open--
		s.m.Delete(id)
	}
	return s.open
}

func (s *Sessions) Has(id int) bool { _, ok := s.m.Load(id); return ok }

// Striped counts in the elements of an array.
type Striped struct{ n [2]atomic.Int64 }

func NewStriped() *Striped { return &Striped{} }

func (s *Striped) Bump(x int) int64 { return s.n[uint(x)%2].Add(1) }
func (s *Striped) Look(x int) int64 { return s.n[uint(x)%2].Load() }

// References are a list of pointers, which it gives back.
type References struct {
	mu   sync.Mutex
	list []*int
}

func NewReferences() *References { return &References{} }

func (r *References) Keep(x *int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, x)
}

func (r *References) Last() *int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) == 0 {
		return nil
	}
	return r.list[len(r.list)-1]
}
