// SPDX-License-Identifier: BSD-3-Clause

// Package right has types with objects of the standard library, which are linearizable and free of data races.
package right

import (
	"sync"
	"sync/atomic"
)

// Table is a sync.Map with other names.
type Table struct{ m sync.Map }

func NewTable() *Table {
	t := &Table{}
	t.m.Store(0, 1)
	return t
}

func (t *Table) Put(k, n int) { t.m.Store(k, n) }

func (t *Table) Look(k int) int { return number(t.m.Load(k)) }

func (t *Table) Add(k, n int) (int, bool) {
	v, had := t.m.LoadOrStore(k, n)
	return v.(int), had
}

func (t *Table) Take(k int) int { return number(t.m.LoadAndDelete(k)) }

func (t *Table) Change(k, n int) int { return number(t.m.Swap(k, n)) }

func (t *Table) Renew(k, n int) bool { return t.m.CompareAndSwap(k, n, n+1) }

func (t *Table) Drop(k, n int) bool { return t.m.CompareAndDelete(k, n) }

func (t *Table) Forget(k int) { t.m.Delete(k) }

func (t *Table) Close() { t.m.Clear() }

func number(v any, ok bool) int {
	if !ok {
		return -1
	}
	return v.(int)
}

// Setting is a struct in a variable that is replaced as a whole.
type Setting struct{ v atomic.Value }

type setting struct {
	name  string
	limit int
}

func NewSetting() *Setting {
	s := &Setting{}
	s.v.Store(&setting{"", 1})
	return s
}

func (s *Setting) Set(name string, limit int) {
	next := &setting{name: name}
	next.limit = limit
	s.v.Store(next)
}

func (s *Setting) Limit() (string, int) {
	now := s.v.Load().(*setting)
	return now.name, now.limit
}

func (s *Setting) Replace(limit int) int { return s.v.Swap(&setting{limit: limit}).(*setting).limit }

func (s *Setting) Retry() bool { return s.v.CompareAndSwap(nil, &setting{}) }

// Guarded changes a sync.Map once in a section.
type Guarded struct {
	mu sync.RWMutex
	n  int
	m  sync.Map
}

func NewGuarded() *Guarded { return &Guarded{} }

func (g *Guarded) Put(k int) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n++
	g.m.Store(k, g.n)
	return g.n
}

func (g *Guarded) Take(k int) (int, bool) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	_, had := g.m.LoadAndDelete(k)
	return g.n, had
}

func (g *Guarded) Knows(k int) bool {
	_, has := g.m.Load(k)
	return has
}

// Local has a sync.Map and an atomic.Value of its own in each call, which it uses as it likes.
type Local struct {
	mu   sync.Mutex
	last int
}

func NewLocal() *Local { return &Local{} }

func (l *Local) Note(n int) int {
	var seen sync.Map
	var latest atomic.Value
	seen.Store(n, &setting{limit: n})
	latest.Store(&setting{limit: 1})
	latest.Load().(*setting).limit++
	v, _ := seen.Load(n)
	v.(*setting).limit++
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last += v.(*setting).limit + latest.Load().(*setting).limit
	return l.last
}

// Published has a sync.Map in what it stores atomically.
type Published struct{ at atomic.Pointer[inside] }

type inside struct {
	n int
	m sync.Map
}

func NewPublished() *Published { return &Published{} }

func (p *Published) Set(n int) {
	in := &inside{n: n}
	in.m.Store(0, n)
	in.m.Store(1, n)
	p.at.Store(in)
}

func (p *Published) Look() int {
	if in := p.at.Load(); in != nil {
		return in.n
	}
	return 0
}

// Deferred changes a sync.Map in a deferred call, before the one that gives the lock back.
type Deferred struct {
	mu sync.Mutex
	n  int
	m  sync.Map
}

func NewDeferred() *Deferred { return &Deferred{} }

func (d *Deferred) Put(k int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n++
	defer d.m.Store(k, d.n)
}

func (d *Deferred) Look(k int) int { return number(d.m.Load(k)) }

// ByInterface reaches a sync.Map by an interface value.
type ByInterface struct{ at store }

type store interface {
	Load(k any) (any, bool)
	Store(k, v any)
}

func NewByInterface() *ByInterface { return &ByInterface{at: &sync.Map{}} }

func (b *ByInterface) Put(k, n int) { b.at.Store(k, n) }

func (b *ByInterface) Look(k int) int { return number(b.at.Load(k)) }

// Embeds has a sync.Map whose methods are its own.
type Embeds struct {
	names
	limit int
}

type names struct{ sync.Map }

func NewEmbeds() *Embeds { return &Embeds{limit: 2} }

func (e *Embeds) Put(k, n int) bool {
	if n >= e.limit {
		return false
	}
	e.Store(k, n)
	return true
}

func (e *Embeds) Look(k int) int { return number(e.Load(k)) }

// Names is a slice that is copied before it changes, with the lock, and read without it.
type Names struct {
	mu sync.Mutex
	v  atomic.Value
}

func NewNames() *Names {
	n := &Names{}
	n.v.Store([]string{})
	return n
}

func (n *Names) Add(name string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	old := n.v.Load().([]string)
	next := make([]string, len(old), len(old)+1)
	copy(next, old)
	next = append(next, name)
	n.v.Store(next)
	return len(next)
}

func (n *Names) Has(name string) bool {
	for _, one := range n.v.Load().([]string) {
		if one == name {
			return true
		}
	}
	return false
}

// Ages is a map that is copied before it changes. Some look at it with the lock, too, and more than once.
type Ages struct {
	mu sync.RWMutex
	v  atomic.Value
}

func NewAges() *Ages {
	a := &Ages{}
	a.v.Store(map[int]int{})
	return a
}

func (a *Ages) Set(k, n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	old := a.v.Load().(map[int]int)
	if old[k] == n {
		return false
	}
	next := map[int]int{k: n}
	for k, n := range old {
		if _, has := next[k]; !has {
			next[k] = n
		}
	}
	a.v.Store(next)
	return len(a.v.Load().(map[int]int)) > len(old)
}

func (a *Ages) Of(k int) int { return a.v.Load().(map[int]int)[k] }

func (a *Ages) Both(k, l int) int {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.v.Load().(map[int]int)[k] + a.v.Load().(map[int]int)[l]
}

// Counts is a sync.Map that is looked at and changed with the lock, and read without it.
type Counts struct {
	mu sync.Mutex
	m  sync.Map
}

func NewCounts() *Counts { return &Counts{} }

func (c *Counts) Add(k, n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := 0
	if v, has := c.m.Load(k); has {
		old = v.(int)
	}
	c.m.Store(k, old+n)
	return old + n
}

func (c *Counts) Drop(k int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, has := c.m.Load(k); !has || v.(int) > 0 {
		return false
	}
	c.m.Delete(k)
	return true
}

func (c *Counts) Look(k int) int { return number(c.m.Load(k)) }

// Settings looks at one object as often as it likes, where the lock is for another one; both are kept.
type Settings struct {
	mu sync.Mutex
	v  atomic.Value
	m  sync.Map
}

func NewSettings() *Settings {
	s := &Settings{}
	s.v.Store(1)
	return s
}

func (s *Settings) Put(k int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m.Store(k, s.v.Load().(int))
}

func (s *Settings) Set(k, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, has := s.m.Load(k); has {
		s.v.Store(n)
	}
}

func (s *Settings) Now() int { return s.v.Load().(int) }

// Forgotten deletes by keys of its own, which it uses afterwards: nobody has got them.
type Forgotten struct{ m sync.Map }

type key struct{ n int }

func NewForgotten() *Forgotten { return &Forgotten{} }

func (f *Forgotten) Put(n int) { f.m.Store(&key{n}, n) }

func (f *Forgotten) Forget(n int) int {
	k := &key{}
	f.m.Delete(k)
	k.n += n
	return k.n
}

func (f *Forgotten) Take(n int) int {
	k := &key{}
	_, had := f.m.LoadAndDelete(k)
	if k.n = n; had {
		k.n++
	}
	return k.n
}

func (f *Forgotten) Drop(n int) int {
	k, old := &key{}, &key{}
	if k.n = n; f.m.CompareAndDelete(k, old) {
		old.n++
	}
	k.n += old.n
	return k.n
}

// Keeps keeps what it makes in a package variable, where none of its operations looks.
type Keeps struct{ n int }

func NewKeeps() *Keeps {
	k := &Keeps{}
	keeping.Store(0, k)
	return k
}

func (k *Keeps) Number() int { return k.n }

var keeping sync.Map
