// SPDX-License-Identifier: BSD-3-Clause

package wrong

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// LooksFirst looks at a flag before it takes the lock.
type LooksFirst struct {
	mu     sync.Mutex
	n      int
	closed atomic.Bool
}

func NewLooksFirst() *LooksFirst { return &LooksFirst{} }

func (l *LooksFirst) Add(x int) bool {
	if l.closed.Load() {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	return true
}

func (l *LooksFirst) Close() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed.Store(true)
	return l.n
}

// CountsBehind counts when it has given the lock back.
type CountsBehind struct {
	mu    sync.Mutex
	n     int
	total atomic.Int64
}

func NewCountsBehind() *CountsBehind { return &CountsBehind{} }

func (c *CountsBehind) Add() {
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
	c.total.Add(1)
}

func (c *CountsBehind) Both() (int, int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n, c.total.Load()
}

// CountsDeferred does the same, by the order of deferred calls.
type CountsDeferred struct {
	mu    sync.Mutex
	n     int
	total atomic.Int64
}

func NewCountsDeferred() *CountsDeferred { return &CountsDeferred{} }

func (c *CountsDeferred) Add() {
	defer c.total.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func (c *CountsDeferred) Both() (int, int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n, c.total.Load()
}

// TwoCounters has two counters that count the same.
type TwoCounters struct{ a, b atomic.Int64 }

func NewTwoCounters() *TwoCounters { return &TwoCounters{} }

func (c *TwoCounters) Add() {
	c.a.Add(1)
	c.b.Add(1)
}

func (c *TwoCounters) A() int64 { return c.a.Load() }
func (c *TwoCounters) B() int64 { return c.b.Load() }

// AddsTwice counts in a loop.
type AddsTwice struct{ n atomic.Int64 }

func NewAddsTwice() *AddsTwice { return &AddsTwice{} }

func (a *AddsTwice) Add() {
	for range 2 {
		a.n.Add(1)
	}
}

func (a *AddsTwice) Count() int64 { return a.n.Load() }

// ReadsPlainly reads without an atomic instruction.
type ReadsPlainly struct{ n int64 }

func NewReadsPlainly() *ReadsPlainly { return &ReadsPlainly{} }

func (r *ReadsPlainly) Add() int64   { return atomic.AddInt64(&r.n, 1) }
func (r *ReadsPlainly) Count() int64 { return r.n }

// ReadsLocked reads under the lock what others write without it.
type ReadsLocked struct {
	mu sync.Mutex
	n  int64
	m  int
}

func NewReadsLocked() *ReadsLocked { return &ReadsLocked{} }

func (r *ReadsLocked) Add() int64 { return atomic.AddInt64(&r.n, 1) }

func (r *ReadsLocked) Both() (int64, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m++
	return r.n, r.m
}

// WritesBehind writes to what others can reach already.
type WritesBehind struct{ now atomic.Pointer[Cell] }

func NewWritesBehind() *WritesBehind {
	w := &WritesBehind{}
	w.now.Store(&Cell{})
	return w
}

func (w *WritesBehind) Change(x int) {
	c := &Cell{N: 1}
	w.now.Store(c)
	c.N = x
}

func (w *WritesBehind) Now() int { return w.now.Load().N }

// WritesLocked writes, with the lock, what others read without it.
type WritesLocked struct {
	mu  sync.Mutex
	now atomic.Pointer[Cell]
}

func NewWritesLocked() *WritesLocked {
	w := &WritesLocked{}
	w.now.Store(&Cell{})
	return w
}

func (w *WritesLocked) Change(x int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now.Load().N = x
}

func (w *WritesLocked) Now() int { return w.now.Load().N }

// CountsReading counts under the lock for readers, which two can have, and reads twice there.
type CountsReading struct {
	mu sync.RWMutex
	n  atomic.Int64
}

func NewCountsReading() *CountsReading { return &CountsReading{} }

func (c *CountsReading) Add() {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.n.Add(1)
}

func (c *CountsReading) Twice() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.n.Load() == c.n.Load()
}

// LoadsAndStores loads and stores under the lock for readers.
type LoadsAndStores struct {
	mu sync.RWMutex
	n  atomic.Int64
}

func NewLoadsAndStores() *LoadsAndStores { return &LoadsAndStores{} }

func (l *LoadsAndStores) Add() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	n := l.n.Load()
	l.n.Store(n + 1)
	return n
}

// OneUnlocked writes with the lock in one operation, and without it in another one.
type OneUnlocked struct {
	mu sync.Mutex
	n  atomic.Int64
}

func NewOneUnlocked() *OneUnlocked { return &OneUnlocked{} }

func (o *OneUnlocked) Reset() { o.n.Store(0) }

func (o *OneUnlocked) Add() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := o.n.Load()
	o.n.Store(n + 1)
	return o.n.Load() - n
}

// Branches takes the lock behind one of two branches in which it has taken effect.
type Branches struct {
	mu sync.Mutex
	n  int
	m  atomic.Int64
}

func NewBranches() *Branches { return &Branches{} }

func (b *Branches) Add(x int) {
	if x > 0 {
		b.m.Add(1)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
}

func (b *Branches) Both() (int, int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n, b.m.Load()
}

// tally is counted atomically.
type tally struct{ yes, no int64 }

// CopiesTally copies a struct whose words are written atomically.
type CopiesTally struct {
	mu sync.Mutex
	t  tally
}

func NewCopiesTally() *CopiesTally { return &CopiesTally{} }

func (c *CopiesTally) Yes() int64 { return atomic.AddInt64(&c.t.yes, 1) }

func (c *CopiesTally) Both() (int64, int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.t
	return t.yes, t.no
}

// GivesCounter gives away the counter, at which its caller looks twice.
type GivesCounter struct{ n *atomic.Int64 }

func NewGivesCounter() *GivesCounter { return &GivesCounter{n: new(atomic.Int64)} }

func (g *GivesCounter) Add() { g.n.Add(1) }

func (g *GivesCounter) Same() bool {
	n := g.counter()
	return n.Load() == n.Load()
}

func (g *GivesCounter) counter() *atomic.Int64 { return g.n }

// RecoversMoment panics behind its moment, recovers, and has another one.
type RecoversMoment struct {
	n atomic.Int64
}

func NewRecoversMoment() *RecoversMoment { return &RecoversMoment{} }

func (r *RecoversMoment) Add(x int) int64 {
	r.try(x)
	return r.n.Add(1)
}

func (r *RecoversMoment) try(x int) {
	defer func() { recover() }()
	r.n.Add(1)
	_ = 1 / x
}

func (r *RecoversMoment) Count() int64 { return r.n.Load() }

// ChecksMap looks into a sync.Map, and then changes it.
type ChecksMap struct{ m sync.Map }

func NewChecksMap() *ChecksMap { return &ChecksMap{} }

func (c *ChecksMap) Count(x int) int {
	n := 0
	if v, ok := c.m.Load(x); ok {
		n = v.(int)
	}
	c.m.Store(x, n+1)
	return n
}

// MapBehind changes a sync.Map behind the lock.
type MapBehind struct {
	mu sync.Mutex
	n  int
	m  sync.Map
}

func NewMapBehind() *MapBehind { return &MapBehind{} }

func (m *MapBehind) Count(x int) int {
	m.mu.Lock()
	m.n++
	n := m.n
	m.mu.Unlock()
	m.m.Store(0, n)
	return n
}

func (m *MapBehind) Last() int {
	v, ok := m.m.Load(0)
	if !ok {
		return 0
	}
	return v.(int)
}

// WritesStored writes to what it has stored in a sync.Map.
type WritesStored struct{ m sync.Map }

func NewWritesStored() *WritesStored { return &WritesStored{} }

func (w *WritesStored) Change(x int) {
	c := &Cell{N: 1}
	w.m.Store(0, c)
	c.N = x
}

func (w *WritesStored) Now() int {
	v, ok := w.m.Load(0)
	if !ok {
		return 0
	}
	return v.(*Cell).N
}

// WritesLoaded writes to what it has loaded from an atomic.Value.
type WritesLoaded struct{ v atomic.Value }

func NewWritesLoaded() *WritesLoaded {
	w := &WritesLoaded{}
	w.v.Store(&Cell{})
	return w
}

func (w *WritesLoaded) Change(x int) int {
	c := w.v.Load().(*Cell)
	c.N += x
	return c.N
}

// KeepsPut writes to what LoadOrStore may have put in.
type KeepsPut struct{ m sync.Map }

func NewKeepsPut() *KeepsPut { return &KeepsPut{} }

func (k *KeepsPut) Change(x int) int {
	c := &Cell{N: x}
	kept, _ := k.m.LoadOrStore(0, c)
	kept.(*Cell).N++
	return kept.(*Cell).N
}

// Counts walks through a sync.Map, while which others change it.
type Counts struct{ m sync.Map }

func NewCounts() *Counts { return &Counts{} }

func (c *Counts) Add(x int)  { c.m.Store(x, x) }
func (c *Counts) Drop(x int) { c.m.Delete(x) }

func (c *Counts) Sum() (n int) {
	c.m.Range(func(_, v any) bool {
		n += v.(int) + 1
		return true
	})
	return n
}

// CopiesValue copies an atomic.Value.
type CopiesValue struct{ v atomic.Value }

func NewCopiesValue() *CopiesValue {
	c := &CopiesValue{}
	c.v.Store(1)
	return c
}

func (c *CopiesValue) Change(x int) { c.v.Store(x) }

func (c *CopiesValue) Now() int {
	old := *c
	return old.v.Load().(int)
}

// ReusesPage writes to elements of a slice that readers have.
type ReusesPage struct {
	mu  sync.Mutex
	now atomic.Pointer[[]int]
}

func NewReusesPage() *ReusesPage {
	r := &ReusesPage{}
	r.now.Store(&[]int{1, 2})
	return r
}

func (r *ReusesPage) Change(x int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	(*r.now.Load())[0] = x
}

func (r *ReusesPage) First() int { return (*r.now.Load())[0] }

// TakesData writes to the data of a slice that was cut to no elements.
type TakesData struct{ have []int }

func NewTakesData() *TakesData { return &TakesData{have: make([]int, 1)} }

func (t *TakesData) Change(x int) int {
	cut := t.have[:0:0]
	p := unsafe.SliceData(cut)
	*p += x
	return *p
}

// OneStore changes an atomic.Value with the lock, and in one operation without it.
type OneStore struct {
	mu sync.Mutex
	v  atomic.Value
}

func NewOneStore() *OneStore {
	o := &OneStore{}
	o.v.Store(0)
	return o
}

func (o *OneStore) Add(x int) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := o.v.Load().(int) + x + 1
	o.v.Store(n)
	return n
}

func (o *OneStore) Reset() { o.v.Store(0) }

// ReadersStore changes a sync.Map under the lock for readers.
type ReadersStore struct {
	mu sync.RWMutex
	m  sync.Map
}

func NewReadersStore() *ReadersStore { return &ReadersStore{} }

func (r *ReadersStore) Add(x int) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	n := 0
	if v, ok := r.m.Load(0); ok {
		n = v.(int)
	}
	r.m.Store(0, n+1)
	return n
}

// SumsStriped reads the elements of an array, one after the other.
type SumsStriped struct{ n [2]atomic.Int64 }

func NewSumsStriped() *SumsStriped { return &SumsStriped{} }

func (s *SumsStriped) Bump(x int) int64 { return s.n[uint(x)%2].Add(1) }

func (s *SumsStriped) Sum() (sum int64) {
	for i := range s.n {
		sum = 10*sum + s.n[i].Load()
	}
	return sum
}

// Boxed copies a sync.Map out of an interface value, and the copy shares its entries with it.
type Boxed struct {
	mu  sync.Mutex
	box any
}

func NewBoxed() *Boxed {
	var m sync.Map
	m.Store(0, 0)
	return &Boxed{box: m}
}

func (b *Boxed) Bump() int {
	b.mu.Lock()
	m := b.box.(sync.Map)
	b.mu.Unlock()
	v, _ := m.Load(0)
	m.Store(0, v.(int)+1)
	return v.(int)
}

// mapped has a sync.Map, and a method of a copy of it.
type mapped struct{ m sync.Map }

func (c mapped) bump() int {
	v, _ := c.m.Load(0)
	c.m.Store(0, v.(int)+1)
	return v.(int)
}

// BoundCopy calls that method as a function value, which has a copy.
type BoundCopy struct {
	mu   sync.Mutex
	bump func() int
}

func NewBoundCopy() *BoundCopy {
	var c mapped
	c.m.Store(0, 0)
	return &BoundCopy{bump: c.bump}
}

func (b *BoundCopy) Bump() int { return b.bump() }

// CopiesOwn copies a sync.Map before it gives it away, and changes the copy.
type CopiesOwn struct {
	mu  sync.Mutex
	now *sync.Map
}

func NewCopiesOwn() *CopiesOwn { return &CopiesOwn{now: new(sync.Map)} }

func (c *CopiesOwn) Change(x int) int {
	m := new(sync.Map)
	m.Store(0, x)
	was := *m
	c.mu.Lock()
	c.now = m
	c.mu.Unlock()
	mine := new(sync.Map)
	*mine = was
	mine.Store(0, x+1)
	return x
}

func (c *CopiesOwn) Now() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.now.Load(0)
	if !ok {
		return -1
	}
	return v.(int)
}
