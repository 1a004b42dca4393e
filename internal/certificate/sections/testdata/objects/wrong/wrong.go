// SPDX-License-Identifier: BSD-3-Clause

// Package wrong has types with objects of the standard library that are not linearizable, or not free of data races; and some that are right for other reasons than the one that is given for types with one moment.
package wrong

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type cell struct{ n int }

// LooksFirst looks into a map, and then changes it.
type LooksFirst struct{ m sync.Map }

func NewLooksFirst() *LooksFirst { return &LooksFirst{} }

func (l *LooksFirst) Count(k int) int {
	n := 0
	if v, ok := l.m.Load(k); ok {
		n = v.(int)
	}
	l.m.Store(k, n+1)
	return n
}

// LooksLocked does that with the lock, and others look without it.
type LooksLocked struct {
	mu sync.Mutex
	m  sync.Map
}

func NewLooksLocked() *LooksLocked { return &LooksLocked{} }

func (l *LooksLocked) Move() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m.Store(0, 1)
	l.m.Store(1, 1)
}

func (l *LooksLocked) Has(k int) bool {
	_, has := l.m.Load(k)
	return has
}

// Behind changes it behind the lock.
type Behind struct {
	mu sync.Mutex
	n  int
	m  sync.Map
}

func NewBehind() *Behind { return &Behind{} }

func (b *Behind) Put(k int) int {
	b.mu.Lock()
	b.n++
	n := b.n
	b.mu.Unlock()
	b.m.Store(k, n)
	return n
}

func (b *Behind) Look(k int) int {
	v, _ := b.m.Load(k)
	n, _ := v.(int)
	return n
}

// Front looks into it, and takes the lock then.
type Front struct {
	mu sync.Mutex
	n  int
	v  atomic.Value
}

func NewFront() *Front { return &Front{} }

func (f *Front) Put() bool {
	if f.v.Load() != nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	return true
}

func (f *Front) Close() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.v.Store(1)
	return f.n
}

// Walks visits the entries one after the other, while others change them.
type Walks struct{ m sync.Map }

func NewWalks() *Walks { return &Walks{} }

func (w *Walks) Put(k int) { w.m.Store(k, k) }

func (w *Walks) Sum() (sum int) {
	w.m.Range(func(_, v any) bool {
		sum += v.(int)
		return true
	})
	return sum
}

// WalksAtFirst does that in the constructor, which is right, and not what the argument is about.
type WalksAtFirst struct{ m sync.Map }

func NewWalksAtFirst() *WalksAtFirst {
	w := &WalksAtFirst{}
	w.m.Range(func(_, _ any) bool { return true })
	return w
}

func (w *WalksAtFirst) Put(k int) { w.m.Store(k, k) }

// WritesStored writes what it has stored.
type WritesStored struct{ m sync.Map }

func NewWritesStored() *WritesStored { return &WritesStored{} }

func (w *WritesStored) Put(n int) {
	c := &cell{}
	w.m.Store(0, c)
	c.n = n
}

func (w *WritesStored) Look() int {
	if v, ok := w.m.Load(0); ok {
		return v.(*cell).n
	}
	return 0
}

// WritesKey writes the key under which it has looked, and stored nothing before.
type WritesKey struct{ m sync.Map }

func NewWritesKey() *WritesKey { return &WritesKey{} }

func (w *WritesKey) Put(n int) bool {
	c := &cell{}
	_, had := w.m.LoadOrStore(c, 0)
	c.n = n
	return had
}

// WritesCompared writes what may have been swapped in.
type WritesCompared struct{ v atomic.Value }

func NewWritesCompared() *WritesCompared {
	w := &WritesCompared{}
	w.v.Store(&cell{})
	return w
}

func (w *WritesCompared) Put(n int) {
	c := &cell{}
	if !w.v.CompareAndSwap(w, c) {
		c.n = n
	}
}

// WritesActual writes what LoadOrStore has found, or stored.
type WritesActual struct{ m sync.Map }

func NewWritesActual() *WritesActual { return &WritesActual{} }

func (w *WritesActual) Add(n int) int {
	v, _ := w.m.LoadOrStore(0, &cell{})
	v.(*cell).n += n
	return v.(*cell).n
}

// WritesTaken writes what it has taken out, which others have found before.
type WritesTaken struct{ v atomic.Value }

func NewWritesTaken() *WritesTaken {
	w := &WritesTaken{}
	w.v.Store(&cell{})
	return w
}

func (w *WritesTaken) Renew() int {
	c := w.v.Swap(&cell{}).(*cell)
	c.n++
	return c.n
}

func (w *WritesTaken) Look() int { return w.v.Load().(*cell).n }

// WritesLocked writes with the lock what others read without it.
type WritesLocked struct {
	mu sync.Mutex
	v  atomic.Value
}

func NewWritesLocked() *WritesLocked {
	w := &WritesLocked{}
	w.v.Store(&cell{})
	return w
}

func (w *WritesLocked) Add(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.v.Load().(*cell).n += n
}

func (w *WritesLocked) Look() int { return w.v.Load().(*cell).n }

// WritesIndirect stores in an own map, which it stores then.
type WritesIndirect struct{ at atomic.Pointer[sync.Map] }

func NewWritesIndirect() *WritesIndirect { return &WritesIndirect{} }

func (w *WritesIndirect) Put(n int) {
	c, m := &cell{}, &sync.Map{}
	m.Store(0, c)
	w.at.Store(m)
	c.n = n
}

func (w *WritesIndirect) Look() bool { return w.at.Load() != nil }

// PutsShared puts what others have into an own map, and writes what it finds there.
type PutsShared struct {
	mu sync.Mutex
	at *cell
}

func NewPutsShared() *PutsShared { return &PutsShared{at: &cell{}} }

func (p *PutsShared) Add(n int) {
	p.mu.Lock()
	at := p.at
	p.mu.Unlock()
	var m sync.Map
	m.Store(0, at)
	if v, ok := m.Load(0); ok {
		v.(*cell).n += n
	}
}

// OneOfTwo writes what it finds in its own map, or in one that others have.
type OneOfTwo struct{ m sync.Map }

func NewOneOfTwo() *OneOfTwo {
	o := &OneOfTwo{}
	o.m.Store(0, &cell{})
	return o
}

func (o *OneOfTwo) Add(n int) {
	m := &sync.Map{}
	m.Store(0, &cell{})
	if n > 0 {
		m = &o.m
	}
	if v, ok := m.Load(0); ok {
		v.(*cell).n += n
	}
}

// Copies copies an atomic.Value.
type Copies struct{ v atomic.Value }

func NewCopies() *Copies {
	c := &Copies{}
	c.v.Store(1)
	return c
}

func (c *Copies) Set(n int) { c.v.Store(n) }

func (c *Copies) Now() int {
	old := *c
	return old.v.Load().(int)
}

// CopiesRenamed copies one as a type of another name.
type CopiesRenamed struct {
	mu sync.Mutex
	v  renamed
}

type renamed atomic.Value

func NewCopiesRenamed() *CopiesRenamed { return &CopiesRenamed{} }

func (c *CopiesRenamed) Set(n int) { (*atomic.Value)(&c.v).Store(n) }

func (c *CopiesRenamed) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.v = renamed{}
}

// Formats formats what has one.
type Formats struct {
	mu sync.Mutex
	at *holder
}

type holder struct{ v atomic.Value }

func NewFormats() *Formats { return &Formats{at: &holder{}} }

func (f *Formats) Set(n int) { f.at.v.Store(n) }

func (f *Formats) Text() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return fmt.Sprint(f.at)
}

// Recovers recovers a panic behind its moment, and has another one.
type Recovers struct{ m sync.Map }

func NewRecovers() *Recovers { return &Recovers{} }

func (r *Recovers) try(k int, by []int) (err bool) {
	defer func() { err = recover() != nil }()
	r.m.Store(k, 1)
	return by[k] > 0
}

func (r *Recovers) Put(k int) {
	if r.try(k, nil) {
		r.m.Store(k, 2)
	}
}

func (r *Recovers) Look(k int) int {
	v, _ := r.m.Load(k)
	n, _ := v.(int)
	return n
}

// Global, which is right where there is one collection, has the map in a package variable.
type Global struct{ n int }

var global sync.Map

func NewGlobal() *Global { return &Global{} }

func (g *Global) Put(k int) { global.Store(k, 1) }

// Calls calls a function that it has found, and that writes what it has captured.
type Calls struct{ m sync.Map }

func NewCalls() *Calls { return &Calls{} }

func (c *Calls) Set(n int) { c.m.Store(0, func() int { n++; return n }) }

func (c *Calls) Call() int {
	if f, ok := c.m.Load(0); ok {
		return f.(func() int)()
	}
	return 0
}

// Bound has two moments by a bound method.
type Bound struct{ v atomic.Value }

func NewBound() *Bound { return &Bound{} }

func (b *Bound) Set(n int) { b.v.Store(n) }

func (b *Bound) Same() bool { return twice(b.v.Load) }

func twice(load func() any) bool { return load() == load() }

// WithCounter has a moment of each sort.
type WithCounter struct {
	n atomic.Int64
	m sync.Map
}

func NewWithCounter() *WithCounter { return &WithCounter{} }

func (w *WithCounter) Note(k int) {
	w.m.Store(k, 1)
	w.n.Add(1)
}

func (w *WithCounter) Noted() int64 { return w.n.Load() }

func (w *WithCounter) Seen(k int) bool {
	_, has := w.m.Load(k)
	return has
}

// NamesUnlocked is a slice that is copied before it changes, once without the lock.
type NamesUnlocked struct {
	mu sync.Mutex
	v  atomic.Value
}

func NewNamesUnlocked() *NamesUnlocked {
	n := &NamesUnlocked{}
	n.v.Store([]string{})
	return n
}

func (n *NamesUnlocked) Add(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.v.Store(append(append([]string(nil), n.v.Load().([]string)...), name))
}

func (n *NamesUnlocked) Clear() { n.v.Store([]string{}) }

func (n *NamesUnlocked) Len() int { return len(n.v.Load().([]string)) }

// AgesUnlocked is a map of which that is true.
type AgesUnlocked struct {
	mu sync.Mutex
	v  atomic.Value
}

func NewAgesUnlocked() *AgesUnlocked {
	a := &AgesUnlocked{}
	a.v.Store(map[int]int{})
	return a
}

func (a *AgesUnlocked) Set(k, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	next := map[int]int{}
	for k, n := range a.v.Load().(map[int]int) {
		next[k] = n
	}
	next[k] = n
	a.v.Store(next)
}

func (a *AgesUnlocked) Only(k, n int) { a.v.Swap(map[int]int{k: n}) }

func (a *AgesUnlocked) Of(k int) int { return a.v.Load().(map[int]int)[k] }

// CountsUnlocked is a sync.Map that is looked at and changed with the lock, and from which others delete without it.
type CountsUnlocked struct {
	mu sync.Mutex
	m  sync.Map
}

func NewCountsUnlocked() *CountsUnlocked { return &CountsUnlocked{} }

func (c *CountsUnlocked) Add(k, n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, has := c.m.Load(k); has {
		n += v.(int)
	}
	c.m.Store(k, n)
	return n
}

func (c *CountsUnlocked) Drop(k int) { c.m.Delete(k) }

// NamesAsReader copies and changes with the lock for reading, which two may have.
type NamesAsReader struct {
	mu sync.RWMutex
	v  atomic.Value
}

func NewNamesAsReader() *NamesAsReader {
	n := &NamesAsReader{}
	n.v.Store([]string{})
	return n
}

func (n *NamesAsReader) Add(name string) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	n.v.Store(append(append([]string(nil), n.v.Load().([]string)...), name))
}

func (n *NamesAsReader) Len() int { return len(n.v.Load().([]string)) }

// CountsAsReader does that with a sync.Map.
type CountsAsReader struct {
	mu sync.RWMutex
	m  sync.Map
}

func NewCountsAsReader() *CountsAsReader { return &CountsAsReader{} }

func (c *CountsAsReader) Add(k, n int) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if v, has := c.m.Load(k); has {
		n += v.(int)
	}
	c.m.Store(k, n)
	return n
}

// NamesTwice changes it twice in a section, and others see what is between.
type NamesTwice struct {
	mu sync.Mutex
	v  atomic.Value
}

func NewNamesTwice() *NamesTwice {
	n := &NamesTwice{}
	n.v.Store([]string{})
	return n
}

func (n *NamesTwice) Replace(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	old := n.v.Load().([]string)
	n.v.Store([]string{})
	n.v.Store(append(append([]string(nil), old...), name))
}

func (n *NamesTwice) Len() int { return len(n.v.Load().([]string)) }

// CountsTwice moves an entry.
type CountsTwice struct {
	mu sync.Mutex
	m  sync.Map
}

func NewCountsTwice() *CountsTwice { return &CountsTwice{} }

func (c *CountsTwice) Move(from, to int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, has := c.m.Load(from)
	if has {
		c.m.Delete(from)
		c.m.Store(to, v)
	}
	return has
}

func (c *CountsTwice) Set(k int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m.Store(k, k)
}

func (c *CountsTwice) Knows(k int) bool {
	_, has := c.m.Load(k)
	return has
}

// NamesFirst looks without the lock, takes it then, and stores what it has seen before.
type NamesFirst struct {
	mu sync.Mutex
	v  atomic.Value
}

func NewNamesFirst() *NamesFirst {
	n := &NamesFirst{}
	n.v.Store([]string{})
	return n
}

func (n *NamesFirst) Add(name string) {
	old := n.v.Load().([]string)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.v.Store(append(append([]string(nil), old...), name))
}

func (n *NamesFirst) Len() int { return len(n.v.Load().([]string)) }

// CountsFirst does that with a sync.Map.
type CountsFirst struct {
	mu sync.Mutex
	m  sync.Map
}

func NewCountsFirst() *CountsFirst { return &CountsFirst{} }

func (c *CountsFirst) Add(k, n int) int {
	if v, has := c.m.Load(k); has {
		n += v.(int)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m.Store(k, n)
	return n
}

// NamesBehind looks at it with the lock, and again when it has given that back.
type NamesBehind struct {
	mu sync.Mutex
	v  atomic.Value
}

func NewNamesBehind() *NamesBehind {
	n := &NamesBehind{}
	n.v.Store([]string{})
	return n
}

func (n *NamesBehind) Add(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.v.Store(append(append([]string(nil), n.v.Load().([]string)...), name))
}

func (n *NamesBehind) Same() bool {
	n.mu.Lock()
	old := len(n.v.Load().([]string))
	n.mu.Unlock()
	return old == len(n.v.Load().([]string))
}

// NamesInPlace changes the slice that others read without the lock, and no copy.
type NamesInPlace struct {
	mu sync.Mutex
	v  atomic.Value
}

func NewNamesInPlace() *NamesInPlace {
	n := &NamesInPlace{}
	n.v.Store(make([]string, 1))
	return n
}

func (n *NamesInPlace) Set(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	names := n.v.Load().([]string)
	names[0] = name
	n.v.Store(names)
}

func (n *NamesInPlace) First() string { return n.v.Load().([]string)[0] }

// DeletesFound writes what it has taken out of a map, and not the key.
type DeletesFound struct{ m sync.Map }

func NewDeletesFound() *DeletesFound { return &DeletesFound{} }

func (d *DeletesFound) Put(n int) { d.m.Store(n, &cell{n}) }

func (d *DeletesFound) Take(n int) int {
	v, had := d.m.LoadAndDelete(n)
	if !had {
		return 0
	}
	v.(*cell).n++
	return v.(*cell).n
}

func (d *DeletesFound) Look(n int) int {
	if v, has := d.m.Load(n); has {
		return v.(*cell).n
	}
	return 0
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
