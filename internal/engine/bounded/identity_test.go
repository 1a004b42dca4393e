// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"testing"

	"pangolin"
	"pangolin/verdict"
)

// Which object an operation returns is compared: two callers that ask for the mutex of a key get the same one. It is compared
// up to a renaming, so that an operation that always makes a new object may do so.
func TestVerify_ComparesWhichObjectIsReturned(t *testing.T) {
	const head = "package example\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar (\n\t_ sync.Map\n\t_ atomic.Int64\n)\n\n"
	for _, c := range []struct {
		name, source string
		status       verdict.Status
	}{
		{"a mutex for each key, loaded, then stored", `
type Locks struct{ m sync.Map }
func (l *Locks) For(k int) *sync.Mutex {
	if v, ok := l.m.Load(k); ok { return v.(*sync.Mutex) }
	mu := new(sync.Mutex)
	l.m.Store(k, mu)
	return mu
}`, verdict.Violated},
		{"a mutex for each key, loaded or stored", `
type Locks struct{ m sync.Map }
func (l *Locks) For(k int) *sync.Mutex {
	v, _ := l.m.LoadOrStore(k, new(sync.Mutex))
	return v.(*sync.Mutex)
}`, verdict.Verified},
		{"a mutex for each key, under a lock", `
type Locks struct{ mu sync.Mutex; m map[int]*sync.Mutex }
func (l *Locks) For(k int) *sync.Mutex {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.m == nil { l.m = map[int]*sync.Mutex{} }
	if l.m[k] == nil { l.m[k] = new(sync.Mutex) }
	return l.m[k]
}`, verdict.Verified},
		{"a counter for each name, looked up under one lock and stored under another", `
type Counter struct{ n atomic.Int64 }
func (c *Counter) Inc() { c.n.Add(1) }
type Counters struct{ mu sync.Mutex; m map[string]*Counter }
func NewCounters() *Counters { return &Counters{m: map[string]*Counter{}} }
func (l *Counters) Named(name string) *Counter {
	l.mu.Lock()
	c := l.m[name]
	l.mu.Unlock()
	if c == nil {
		c = new(Counter)
		l.mu.Lock()
		l.m[name] = c
		l.mu.Unlock()
	}
	return c
}`, verdict.Violated},
		{"a counter for each name", `
type Counter struct{ n atomic.Int64 }
func (c *Counter) Inc() { c.n.Add(1) }
type Counters struct{ mu sync.Mutex; m map[string]*Counter }
func NewCounters() *Counters { return &Counters{m: map[string]*Counter{}} }
func (l *Counters) Named(name string) *Counter {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.m[name]
	if c == nil { c = new(Counter); l.m[name] = c }
	return c
}`, verdict.Verified},
		{"an interned struct of which there may be two", `
type Symbol struct{ Name string }
type Table struct{ mu sync.RWMutex; m map[string]*Symbol }
func NewTable() *Table { return &Table{m: map[string]*Symbol{}} }
func (t *Table) Intern(name string) *Symbol {
	t.mu.RLock()
	s := t.m[name]
	t.mu.RUnlock()
	if s == nil {
		s = &Symbol{name}
		t.mu.Lock()
		t.m[name] = s
		t.mu.Unlock()
	}
	return s
}`, verdict.Violated},
		{"an interned struct, looked for twice", `
type Symbol struct{ Name string }
type Table struct{ mu sync.RWMutex; m map[string]*Symbol }
func NewTable() *Table { return &Table{m: map[string]*Symbol{}} }
func (t *Table) Intern(name string) *Symbol {
	t.mu.RLock()
	s := t.m[name]
	t.mu.RUnlock()
	if s == nil {
		t.mu.Lock()
		if s = t.m[name]; s == nil { s = &Symbol{name}; t.m[name] = s }
		t.mu.Unlock()
	}
	return s
}`, verdict.Verified},
		{"a snapshot, a new object each time", `
type View struct{ N int }
type Box struct{ mu sync.Mutex; n int }
func (b *Box) Inc() { b.mu.Lock(); b.n++; b.mu.Unlock() }
func (b *Box) Snapshot() *View { b.mu.Lock(); defer b.mu.Unlock(); return &View{b.n} }`, verdict.Verified},
		{"a snapshot that is kept until something changes", `
type View struct{ N int }
type Box struct{ v atomic.Pointer[View] }
func NewBox() *Box { b := new(Box); b.v.Store(new(View)); return b }
func (b *Box) Inc() { for { v := b.v.Load(); if b.v.CompareAndSwap(v, &View{v.N + 1}) { return } } }
func (b *Box) Snapshot() *View { return b.v.Load() }`, verdict.Verified},
		{"a snapshot that is kept, and sometimes is another", `
type View struct{ N int }
type Box struct{ v atomic.Pointer[View]; busy atomic.Int64 }
func NewBox() *Box { b := new(Box); b.v.Store(new(View)); return b }
func (b *Box) Snapshot() *View {
	defer b.busy.Add(-1)
	if b.busy.Add(1) > 1 { return &View{b.v.Load().N} }
	return b.v.Load()
}`, verdict.Violated},
		{"an interface that holds a pointer", `
type Lazy struct{ v atomic.Value }
func (l *Lazy) Locker() sync.Locker {
	if v := l.v.Load(); v != nil { return v.(*sync.Mutex) }
	mu := new(sync.Mutex)
	l.v.Store(mu)
	return mu
}`, verdict.Violated},
		{"a pointer and whether it was there", `
type Entry struct{ mu sync.Mutex }
type Table struct{ m sync.Map }
func (t *Table) Entry(k int) (*Entry, bool) {
	if v, ok := t.m.Load(k); ok { return v.(*Entry), true }
	e := new(Entry)
	t.m.Store(k, e)
	return e, true
}`, verdict.Violated},
		{"a pool that lends", `
type conn struct{ id int }
type Pool struct{ mu sync.Mutex; free []*conn; n int }
func (p *Pool) Get() *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k := len(p.free); k > 0 { c := p.free[k-1]; p.free = p.free[:k-1]; return c }
	p.n++
	return &conn{p.n}
}
func (p *Pool) Release(c *conn) { p.mu.Lock(); p.free = append(p.free, c); p.mu.Unlock() }`, verdict.Verified},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verifySource(t, head+c.source+"\n", pangolin.Request{Kind: "object", Scope: pangolin.Scope{Threads: "1..3", Steps: "1..3"}})
			if v.Status != c.status || v.Violation != nil && v.Violation.Class != "history" {
				t.Errorf("%s: %s; want %s", v.Status, v.Reason, c.status)
			}
			if v.Violation != nil {
				t.Log(v.Violation.Client, v.Violation.Summary)
			}
		})
	}
}
