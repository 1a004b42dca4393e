// SPDX-License-Identifier: BSD-3-Clause

// Package right has types with atomic words, which are linearizable and free of data races.
package right

import (
	"errors"
	"maps"
	"sync"
	"sync/atomic"
)

// Counter is a counter, and no lock.
type Counter struct{ n atomic.Int64 }

func NewCounter() *Counter { return &Counter{} }

func (c *Counter) Add(n int) int64 { return c.n.Add(int64(n)) }

func (c *Counter) Get() int64 { return c.n.Load() }

func (c *Counter) Raise(n int) bool { return c.n.CompareAndSwap(0, int64(n)) }

// Plain has a word that is accessed by functions.
type Plain struct {
	before int
	n      int64
}

func NewPlain() *Plain { return &Plain{before: 1} }

func (p *Plain) Add(n int) int64 { return atomic.AddInt64(&p.n, int64(n)) + int64(p.before) }

func (p *Plain) Get() int64 { return atomic.LoadInt64(&p.n) }

// CopyOnWrite has a map that nobody writes once others may have it. Writers have the lock, and readers have not.
type CopyOnWrite struct {
	mu sync.Mutex
	m  atomic.Pointer[map[string]int]
}

func NewCopyOnWrite() *CopyOnWrite {
	c := &CopyOnWrite{}
	c.m.Store(&map[string]int{})
	return c
}

func (c *CopyOnWrite) Look(k string) (int, bool) {
	n, ok := (*c.m.Load())[k]
	return n, ok
}

func (c *CopyOnWrite) Change(k string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := map[string]int{}
	for k, n := range *c.m.Load() {
		next[k] = n
	}
	next[k] = n
	c.m.Store(&next)
}

func (c *CopyOnWrite) Forget(k string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := (*c.m.Load())[k]; !ok {
		return false
	}
	next := maps.Clone(*c.m.Load())
	delete(next, k)
	c.m.Store(&next)
	return true
}

// Flagged has a flag that is written once in a section, and read without the lock.
type Flagged struct {
	mu     sync.RWMutex
	have   []int
	closed atomic.Bool
}

func NewFlagged() *Flagged { return &Flagged{} }

func (f *Flagged) Put(n int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed.Load() {
		return false
	}
	f.have = append(f.have, n)
	return !f.closed.Load()
}

func (f *Flagged) Close() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed.Store(true)
	n := len(f.have)
	f.have = nil
	return n
}

func (f *Flagged) Closed() bool { return f.closed.Load() }

func (f *Flagged) Len() int {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.closed.Load() {
		return -1
	}
	return len(f.have)
}

// Config is a pointer to a struct that is written before others can have it.
type Config struct{ at atomic.Pointer[settings] }

type settings struct {
	name  string
	limit int
}

func NewConfig() *Config { return &Config{} }

func (c *Config) Set(name string, limit int) {
	s := &settings{name: name}
	s.limit = limit
	c.at.Store(s)
}

func (c *Config) Limit() (string, int) {
	if s := c.at.Load(); s != nil {
		return s.name, s.limit
	}
	return "", 0
}

func (c *Config) Swap(name string) int {
	if s := c.at.Swap(&settings{name: name}); s != nil {
		return s.limit
	}
	return -1
}

// Hits counts readers, which have the lock together; and those who look without it.
type Hits struct {
	mu   sync.RWMutex
	have map[string]int
	hits atomic.Int64
}

func NewHits() *Hits { return &Hits{have: map[string]int{}} }

func (h *Hits) Put(k string, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.have[k] = n
}

func (h *Hits) Get(k string) (int, int64) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	n := h.have[k]
	hits := h.hits.Add(1)
	return n + h.have[k], hits
}

func (h *Hits) Hits() int64 { return h.hits.Load() }

// DeferredInside counts in a deferred call, before the one that gives the lock back.
type DeferredInside struct {
	mu sync.Mutex
	n  int
	c  atomic.Int64
}

func NewDeferredInside() *DeferredInside { return &DeferredInside{} }

func (d *DeferredInside) Spend(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.c.Add(1)
	d.n += n
	return d.n
}

func (d *DeferredInside) Count() int64 { return d.c.Load() }

// Branches has its moment in one branch, and none in the other.
type Branches struct {
	mu sync.Mutex
	n  int
	c  atomic.Int64
}

func NewBranches() *Branches { return &Branches{} }

func (b *Branches) Spend(n int) int {
	if n == 0 {
		return int(b.c.Load())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.n += n; b.n > 2 {
		b.c.Add(1)
	}
	return b.n
}

// Own has an atomic word in memory that is its own until it is published; it is written there in any way.
type Own struct{ at atomic.Pointer[counted] }

type counted struct{ n atomic.Int64 }

func NewOwn() *Own { return &Own{} }

func (o *Own) Set(n int) {
	c := &counted{}
	c.n.Add(int64(n))
	c.n.Store(c.n.Load() + 1)
	o.at.Store(c)
}

func (o *Own) Is() bool { return o.at.Load() != nil }

// Listed counts what the code does with the harness's function, while it has the lock.
type Listed struct {
	mu   sync.Mutex
	have []int
	n    atomic.Int64
}

func NewListed() *Listed { return &Listed{} }

func (l *Listed) Put(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.have = append(l.have, n)
	l.n.Store(int64(len(l.have)))
}

func (l *Listed) Each(f func(int) int) (sum int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range l.have {
		if sum += f(n); int64(sum) > l.n.Load() {
			break
		}
	}
	return sum
}

func (l *Listed) Len() int64 { return l.n.Load() }

// Striped counts in the elements of a slice, which is as long as it was made.
type Striped struct{ n []int64 }

func NewStriped() *Striped { return &Striped{n: make([]int64, 2)} }

func (s *Striped) Add(i int) int64 { return atomic.AddInt64(&s.n[i&1], 1) }

func (s *Striped) Look(i int) int64 { return atomic.LoadInt64(&s.n[i&1]) }

// Recovers recovers in the same section, and not around its moment.
type Recovers struct {
	mu   sync.Mutex
	have []int
	n    atomic.Int64
}

func NewRecovers() *Recovers { return &Recovers{} }

func (r *Recovers) at(i int) (n int, err bool) {
	defer func() { err = recover() != nil }()
	return r.have[i] + int(r.n.Load()), false
}

func (r *Recovers) Note(n int) (int, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.have = append(r.have, n)
	r.n.Add(1)
	return r.at(n)
}

func (r *Recovers) Count() int64 { return r.n.Load() }

// Embeds has the word in an embedded struct, whose methods are its own.
type Embeds struct{ counted }

func (c *counted) Count(n int) int64 { return c.n.Add(int64(n)) }

func NewEmbeds() *Embeds { return &Embeds{} }

func (e *Embeds) Look() int64 { return e.n.Load() }

// Fails returns an error that is compared with one of a package variable, which is no formatting.
type Fails struct {
	mu sync.Mutex
	n  atomic.Int64
	by error
}

var errFull = errors.New("full")

func NewFails() *Fails { return &Fails{} }

func (f *Fails) Spend(n int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if errors.Is(f.by, errFull) {
		return f.by
	}
	if f.n.Add(int64(n)) > 2 {
		f.by = errFull
	}
	return nil
}

func (f *Fails) Spent() int64 { return f.n.Load() }
