// SPDX-License-Identifier: BSD-3-Clause

// Package wrong has types with atomic words that are not linearizable, or not free of data races; and some that are right for other reasons than the one that is given for types with one moment.
package wrong

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// FlagFirst looks at a flag, and takes the lock then.
type FlagFirst struct {
	mu     sync.Mutex
	n      int
	closed atomic.Bool
}

func NewFlagFirst() *FlagFirst { return &FlagFirst{} }

func (f *FlagFirst) Put(n int) bool {
	if f.closed.Load() {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n += n
	return true
}

func (f *FlagFirst) Close() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed.Store(true)
	return f.n
}

// CountsLater counts behind the lock.
type CountsLater struct {
	mu sync.Mutex
	n  int
	c  atomic.Int64
}

func NewCountsLater() *CountsLater { return &CountsLater{} }

func (c *CountsLater) Spend(n int) int {
	c.mu.Lock()
	c.n += n
	left := c.n
	c.mu.Unlock()
	c.c.Add(1)
	return left
}

func (c *CountsLater) Both() (int, int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n, c.c.Load()
}

// DeferredLater does that in a deferred call.
type DeferredLater struct {
	mu sync.Mutex
	n  int
	c  atomic.Int64
}

func NewDeferredLater() *DeferredLater { return &DeferredLater{} }

func (d *DeferredLater) Spend(n int) int {
	defer d.c.Add(1)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n += n
	return d.n
}

func (d *DeferredLater) Both() (int, int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.n, d.c.Load()
}

// TwoCounters has two moments.
type TwoCounters struct{ a, b atomic.Int64 }

func NewTwoCounters() *TwoCounters { return &TwoCounters{} }

func (c *TwoCounters) Add() { c.a.Add(1); c.b.Add(1) }

func (c *TwoCounters) Both() (int64, int64) { return c.a.Load(), c.b.Load() }

// ReadTwice has two, of one word.
type ReadTwice struct{ a atomic.Int64 }

func NewReadTwice() *ReadTwice { return &ReadTwice{} }

func (r *ReadTwice) Add() int64 { return r.a.Add(1) }

func (r *ReadTwice) Same() bool { return r.a.Load() == r.a.Load() }

// TwoInSection writes two words with the lock, which others read without it.
type TwoInSection struct {
	mu   sync.Mutex
	a, b atomic.Int64
}

func NewTwoInSection() *TwoInSection { return &TwoInSection{} }

func (c *TwoInSection) Move() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.a.Add(1)
	c.b.Add(1)
}

func (c *TwoInSection) A() int64 { return c.a.Load() }

func (c *TwoInSection) B() int64 { return c.b.Load() }

// TwoByPointers does that by pointers of which it is not known where they lead.
type TwoByPointers struct {
	mu   sync.Mutex
	a, b atomic.Int64
}

func NewTwoByPointers() *TwoByPointers { return &TwoByPointers{} }

func (c *TwoByPointers) Move() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range []*atomic.Int64{&c.a, &c.b} {
		p.Add(1)
	}
}

func (c *TwoByPointers) A() int64 { return c.a.Load() }

func (c *TwoByPointers) B() int64 { return c.b.Load() }

// PlainRead reads without an atomic instruction.
type PlainRead struct{ n int64 }

func NewPlainRead() *PlainRead { return &PlainRead{} }

func (p *PlainRead) Add() int64 { return atomic.AddInt64(&p.n, 1) }

func (p *PlainRead) Get() int64 { return p.n }

// PlainUnderLock does that with the lock, which those who count do not have.
type PlainUnderLock struct {
	mu sync.Mutex
	n  int64
}

func NewPlainUnderLock() *PlainUnderLock { return &PlainUnderLock{} }

func (p *PlainUnderLock) Add() int64 { return atomic.AddInt64(&p.n, 1) }

func (p *PlainUnderLock) Get() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

// PlainByPointer reads it through a pointer to a number.
type PlainByPointer struct {
	mu sync.Mutex
	n  int64
}

func NewPlainByPointer() *PlainByPointer { return &PlainByPointer{} }

func (p *PlainByPointer) Add() int64 { return atomic.AddInt64(&p.n, 1) }

func (p *PlainByPointer) Get(of int) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	other := int64(of)
	at := &other
	if of > 0 {
		at = &p.n
	}
	return *at
}

// CopiedStruct copies the struct that the word is in.
type CopiedStruct struct {
	mu sync.Mutex
	at inner
}

type inner struct {
	n int64
	m int
}

func NewCopiedStruct() *CopiedStruct { return &CopiedStruct{} }

func (c *CopiedStruct) Add() int64 { return atomic.AddInt64(&c.at.n, 1) }

func (c *CopiedStruct) Get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.at
	return at.m
}

// OtherStruct reads it as a field of another type with the same fields.
type OtherStruct struct {
	mu sync.Mutex
	at *first
}

type first struct{ n int64 }

type second struct{ n int64 }

func NewOtherStruct() *OtherStruct { return &OtherStruct{at: &first{}} }

func (o *OtherStruct) Add() int64 { return atomic.AddInt64(&o.at.n, 1) }

func (o *OtherStruct) Get() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return (*second)(o.at).n
}

// InArray has the words in an array, one of which is accessed through a slice.
type InArray struct {
	mu sync.Mutex
	n  [2]int64
}

func NewInArray() *InArray { return &InArray{} }

func (a *InArray) Add(i int) int64 { return atomic.AddInt64(&a.n[:][i&1], 1) }

func (a *InArray) Look(i int) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.n[i&1]
}

// Copies copies a slice whose elements are accessed atomically.
type Copies struct {
	mu sync.Mutex
	n  []int64
}

func NewCopies() *Copies { return &Copies{n: make([]int64, 2)} }

func (c *Copies) Add(i int) int64 { return atomic.AddInt64(&c.n[i&1], 1) }

func (c *Copies) All() []int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]int64(nil), c.n...)
}

// Cleared clears it.
type Cleared struct {
	mu sync.Mutex
	n  []int64
}

func NewCleared() *Cleared { return &Cleared{n: make([]int64, 2)} }

func (c *Cleared) Add(i int) int64 { return atomic.AddInt64(&c.n[i&1], 1) }

func (c *Cleared) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.n)
}

// FirstOfTwo has one moment in a function that it calls, and another one itself.
type FirstOfTwo struct{ n atomic.Int64 }

func NewFirstOfTwo() *FirstOfTwo { return &FirstOfTwo{} }

func (f *FirstOfTwo) read() int { return int(f.n.Load()) }

func (f *FirstOfTwo) Raise() int {
	n := f.read()
	f.n.Store(int64(n) + 1)
	return n
}

// ReadsConfigTwice reads a pointer again, to what may be another struct.
type ReadsConfigTwice struct{ at atomic.Pointer[pair] }

type pair struct{ a, b int }

func NewReadsConfigTwice() *ReadsConfigTwice {
	r := &ReadsConfigTwice{}
	r.at.Store(&pair{})
	return r
}

func (r *ReadsConfigTwice) Renew(n int) { r.at.Store(&pair{n, n}) }

func (r *ReadsConfigTwice) Same() bool { return r.at.Load().a == r.at.Load().b }

// ClockBehind, of which nobody sees it, reads the clock without the lock, behind its moment.
type ClockBehind struct {
	mu sync.Mutex
	n  atomic.Int64
}

func NewClockBehind() *ClockBehind { return &ClockBehind{} }

func (c *ClockBehind) Stamp() bool {
	c.n.Add(1)
	return time.Now().IsZero()
}

// LockedTwice gives the lock back, and counts in a deferred function in which it takes it again.
type LockedTwice struct {
	mu sync.Mutex
	n  atomic.Int64
}

func NewLockedTwice() *LockedTwice { return &LockedTwice{} }

func (l *LockedTwice) Count(n int) int64 {
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.n.Add(1)
	}()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n.Add(int64(n))
}

// ChangesWhole overwrites the struct that the word is in, with the lock.
type ChangesWhole struct {
	mu sync.Mutex
	at inner
}

func NewChangesWhole() *ChangesWhole { return &ChangesWhole{} }

func (c *ChangesWhole) Add() int64 { return atomic.AddInt64(&c.at.n, 1) }

func (c *ChangesWhole) Reset(m int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = inner{m: m}
}

// WrittenLater writes what an atomic store has published.
type WrittenLater struct{ at atomic.Pointer[item] }

type item struct{ n int }

func NewWrittenLater() *WrittenLater { return &WrittenLater{} }

func (w *WrittenLater) Renew(n int) {
	it := &item{}
	w.at.Store(it)
	it.n = n
}

func (w *WrittenLater) Look() int {
	if it := w.at.Load(); it != nil {
		return it.n
	}
	return 0
}

// WrittenInSection does that with the lock.
type WrittenInSection struct {
	mu sync.Mutex
	at atomic.Pointer[item]
}

func NewWrittenInSection() *WrittenInSection { return &WrittenInSection{} }

func (w *WrittenInSection) Renew(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	it := &item{}
	w.at.Store(it)
	it.n = n
}

func (w *WrittenInSection) Look() int {
	if it := w.at.Load(); it != nil {
		return it.n
	}
	return 0
}

// InPlace changes the map that readers have.
type InPlace struct {
	mu sync.Mutex
	m  atomic.Pointer[map[string]int]
}

func NewInPlace() *InPlace {
	c := &InPlace{}
	c.m.Store(&map[string]int{})
	return c
}

func (c *InPlace) Look(k string) int { return (*c.m.Load())[k] }

func (c *InPlace) Change(k string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	(*c.m.Load())[k] = n
}

// WritesAsReader writes with the lock for reading what others read twice with it.
type WritesAsReader struct {
	mu sync.RWMutex
	n  atomic.Int64
}

func NewWritesAsReader() *WritesAsReader { return &WritesAsReader{} }

func (w *WritesAsReader) Add() int64 {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.n.Add(1)
}

func (w *WritesAsReader) Same() bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.n.Load() == w.n.Load()
}

// WritesUnlocked writes without the lock what others read twice with it.
type WritesUnlocked struct {
	mu sync.Mutex
	n  atomic.Int64
}

func NewWritesUnlocked() *WritesUnlocked { return &WritesUnlocked{} }

func (w *WritesUnlocked) Add() int64 { return w.n.Add(1) }

func (w *WritesUnlocked) Same() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n.Load() == w.n.Load()
}

// Loops tries until it succeeds: the second try is a second moment. It is right, and not what the argument is about.
type Loops struct{ n atomic.Int64 }

func NewLoops() *Loops { return &Loops{} }

func (l *Loops) Double() int64 {
	for {
		old := l.n.Load()
		if l.n.CompareAndSwap(old, 2*old+1) {
			return old
		}
	}
}

// Waits waits for what another call does, so that alone it would never return.
type Waits struct{ n atomic.Int64 }

func NewWaits() *Waits { return &Waits{} }

func (w *Waits) Set() { w.n.Store(1) }

func (w *Waits) Wait() int {
	for w.n.Load() == 0 {
	}
	return 1
}

// Joins takes the lock where two branches meet, one of which has its moment.
type Joins struct {
	mu sync.Mutex
	n  int
	c  atomic.Int64
}

func NewJoins() *Joins { return &Joins{} }

func (j *Joins) Spend(n int) int {
	if n > 0 {
		n = int(j.c.Load())
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.n++
	j.c.Store(int64(j.n))
	return j.n + n
}

// Recovers recovers a panic behind its moment, and has another one.
type Recovers struct{ n atomic.Int64 }

func NewRecovers() *Recovers { return &Recovers{} }

func (r *Recovers) bump(by []int) (out int64) {
	defer func() {
		if recover() != nil {
			out = -1
		}
	}()
	return r.n.Add(1) + int64(by[1])
}

func (r *Recovers) Add() int64 {
	if r.bump(nil) < 0 {
		return r.n.Add(1)
	}
	return 0
}

func (r *Recovers) Get() int64 { return r.n.Load() }

// Formats formats what leads to an atomic word.
type Formats struct {
	mu sync.Mutex
	at *first
}

func NewFormats() *Formats { return &Formats{at: &first{}} }

func (f *Formats) Add() int64 { return atomic.AddInt64(&f.at.n, 1) }

func (f *Formats) Text() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return fmt.Sprintf("%v", f.at)
}

// Returns gives its caller a pointer to a struct with an atomic word, who reads it.
type Returns struct {
	mu sync.Mutex
	at *Pair
}

// Pair is what it returns.
type Pair struct{ N, M int64 }

func NewReturns() *Returns { return &Returns{at: &Pair{}} }

func (r *Returns) Add() int64 { return atomic.AddInt64(&r.at.N, 1) }

func (r *Returns) Get() *Pair { return r.at }

// TwoIterated has a moment in each round of the caller's loop.
type TwoIterated struct{ n atomic.Int64 }

func NewTwoIterated() *TwoIterated { return &TwoIterated{} }

func (w *TwoIterated) Add() int64 { return w.n.Add(1) }

func (w *TwoIterated) Each(f func(int) int) (sum int) {
	for range 2 {
		sum = f(sum) + int(w.n.Load())
	}
	return sum
}

// LockInAtomic, which is right as well, has a lock that is reached by an atomic pointer, which is another one later.
type LockInAtomic struct{ at atomic.Pointer[guarded] }

type guarded struct {
	mu sync.Mutex
	n  int
}

func NewLockInAtomic() *LockInAtomic {
	l := &LockInAtomic{}
	l.at.Store(&guarded{})
	return l
}

func (l *LockInAtomic) Add(n int) int {
	g := l.at.Load()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n += n
	return g.n
}

func (l *LockInAtomic) Reset() { l.at.Store(&guarded{}) }

// Taken takes an item that only it has then, and changes it; but who was given it earlier reads it.
type Taken struct{ at atomic.Pointer[item] }

func NewTaken() *Taken { return &Taken{} }

func (t *Taken) Change(n int) { t.at.Store(&item{n}) }

func (t *Taken) Look() int {
	if it := t.at.Load(); it != nil {
		return it.n
	}
	return 0
}

func (t *Taken) Use() int {
	it := t.at.Swap(nil)
	if it == nil {
		return 0
	}
	it.n++
	return it.n
}

// Slotted appends to a slice of structs with atomic words, and so copies them.
type Slotted struct {
	mu   sync.Mutex
	have []first
}

func NewSlotted() *Slotted { return &Slotted{have: make([]first, 1)} }

func (s *Slotted) Add() int64 { return atomic.AddInt64(&s.have[0].n, 1) }

func (s *Slotted) Grow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.have = append(s.have, first{})
}

// Global, which is right where there is one collection, counts in what a package variable leads to.
type Global struct{ mu sync.Mutex }

var global = &first{}

func NewGlobal() *Global { return &Global{} }

func (g *Global) Add() int64 { return atomic.AddInt64(&global.n, 1) }

// Installed keeps a function that writes what it has captured.
type Installed struct{ f atomic.Pointer[func() int] }

func NewInstalled() *Installed { return &Installed{} }

func (i *Installed) Install(n int) {
	f := func() int { n++; return n }
	i.f.Store(&f)
}

func (i *Installed) Call() int {
	if f := i.f.Load(); f != nil {
		return (*f)()
	}
	return 0
}

// InCallee publishes in a function that it calls, and writes then.
type InCallee struct{ at atomic.Pointer[item] }

func NewInCallee() *InCallee { return &InCallee{} }

func (c *InCallee) publish(it *item) bool { return c.at.CompareAndSwap(nil, it) }

func (c *InCallee) Renew(n int) {
	it := &item{}
	if c.publish(it) {
		it.n = n
	}
}

func (c *InCallee) Look() int {
	if it := c.at.Load(); it != nil {
		return it.n
	}
	return 0
}

// InDeferred writes it in a deferred function.
type InDeferred struct{ at atomic.Pointer[item] }

func NewInDeferred() *InDeferred { return &InDeferred{} }

func (d *InDeferred) Renew(n int) {
	it := &item{}
	defer func() { it.n = n }()
	d.at.Store(it)
}

func (d *InDeferred) Look() int {
	if it := d.at.Load(); it != nil {
		return it.n
	}
	return 0
}

// Boxed keeps an interface value, whose method writes.
type Boxed struct{ at atomic.Pointer[bumper] }

type bumper interface{ bump() int }

func (it *item) bump() int { it.n++; return it.n }

func NewBoxed() *Boxed { return &Boxed{} }

func (b *Boxed) Renew(n int) {
	var it bumper = &item{n}
	b.at.Store(&it)
}

func (b *Boxed) Bump() int {
	if it := b.at.Load(); it != nil {
		return (*it).bump()
	}
	return 0
}

// Chained has a counter in each item, which it sums up. It is right only because counters grow.
type Chained struct {
	mu    sync.RWMutex
	first *link
}

type link struct {
	n    atomic.Int64
	next *link
}

func NewChained() *Chained { return &Chained{first: &link{next: &link{}}} }

func (c *Chained) Add(second bool) int64 {
	if second {
		return c.first.next.n.Add(1)
	}
	return c.first.n.Add(1)
}

func (c *Chained) Sum() (sum int64) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for l := c.first; l != nil; l = l.next {
		sum += l.n.Load()
	}
	return sum
}

// CopiedWord copies an atomic word as such.
type CopiedWord struct {
	mu sync.Mutex
	n  atomic.Int64
}

func NewCopiedWord() *CopiedWord { return &CopiedWord{} }

func (c *CopiedWord) Add() int64 { return c.n.Add(1) }

func (c *CopiedWord) Look() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.n
	return n.Load()
}

// Renamed reads a flag as a number, by a pointer to a type that has the same fields, and the flag as such.
type Renamed struct{ is atomic.Bool }

func NewRenamed() *Renamed { return &Renamed{} }

func (r *Renamed) Set(is bool) { r.is.Store(is) }

func (r *Renamed) Same() bool { return (*atomic.Uint32)(&r.is).Load() != 0 == r.is.Load() }

// Entries changes an item of a map that is copied whenever it is written.
type Entries struct {
	mu sync.Mutex
	m  atomic.Pointer[map[string]*item]
}

func NewEntries() *Entries {
	e := &Entries{}
	e.m.Store(&map[string]*item{"": {}})
	return e
}

func (e *Entries) Change(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	(*e.m.Load())[""].n = n
}

func (e *Entries) Look() int { return (*e.m.Load())[""].n }

// SliceData writes an element by the data of a slice that has room for none.
type SliceData struct {
	n    atomic.Int64
	have []int
}

func NewSliceData() *SliceData { return &SliceData{have: make([]int, 1)} }

func (s *SliceData) Change(n int) { *unsafe.SliceData(s.have[:0:0]) = n }

func (s *SliceData) Count() int64 { return s.n.Add(1) }

// ClonedData does that by a copy of a slice that is empty, and so none.
type ClonedData struct {
	n    atomic.Int64
	have []int
}

func NewClonedData() *ClonedData { return &ClonedData{have: make([]int, 1)} }

func (c *ClonedData) Change(n int) {
	*unsafe.SliceData(append(c.have[:0:0], c.have[:c.n.Load()]...)) = n
}
