// SPDX-License-Identifier: BSD-3-Clause

// Package wrong has types with a lock that are not linearizable by their own code executed sequentially, or race. Each says why.
package wrong

import (
	"bytes"
	"container/list"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Returned returns the slice itself, whose elements others write.
type Returned struct {
	mu   sync.Mutex
	have []int
}

func NewReturned() *Returned { return &Returned{} }

func (r *Returned) Note(x int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.have) == 0 {
		r.have = make([]int, 1)
	}
	r.have[0] += x
}

func (r *Returned) Have() []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.have
}

// ReturnedMap returns the map itself.
type ReturnedMap struct {
	mu   sync.Mutex
	have map[string]int
}

func NewReturnedMap() *ReturnedMap { return &ReturnedMap{have: map[string]int{}} }

func (r *ReturnedMap) Note(x string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.have[x]++
}

func (r *ReturnedMap) Have() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.have
}

// Part returns a part of the slice, which is still the same memory.
type Part struct {
	mu   sync.RWMutex
	have []string
}

func NewPart() *Part { return &Part{have: make([]string, 2)} }

func (p *Part) Change(x string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.have[0], p.have[1] = x, p.have[0]
}

func (p *Part) Last() []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.have[1:]
}

// Pointed returns a pointer to a cell that others write.
type Pointed struct {
	mu   sync.Mutex
	cell *Cell
}

// A Cell has a number.
type Cell struct{ N int }

func NewPointed() *Pointed { return &Pointed{cell: &Cell{}} }

func (p *Pointed) Change(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cell.N = n
}

func (p *Pointed) Sum(n int) int {
	c := p.at()
	return c.N + n
}

func (p *Pointed) at() *Cell {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cell
}

// Kept writes to a new cell behind the lock, when others have it.
type Kept struct {
	mu   sync.Mutex
	have map[string]*Cell
}

func NewKept() *Kept { return &Kept{have: map[string]*Cell{}} }

func (k *Kept) Make(name string) int {
	c := &Cell{1}
	k.mu.Lock()
	k.have[name] = c
	k.mu.Unlock()
	c.N++
	return c.N
}

func (k *Kept) Count(name string) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	if c := k.have[name]; c != nil {
		c.N += 10
		return c.N
	}
	return 0
}

// KeptInside is the same by way of an own object that leads to the cell: the cell is put in from there.
type KeptInside struct {
	mu   sync.Mutex
	cell *Cell
}

type holder struct{ cell *Cell }

func NewKeptInside() *KeptInside { return &KeptInside{cell: &Cell{}} }

func (k *KeptInside) Change(n int) int {
	h := &holder{&Cell{n}}
	hs := []*holder{h}
	k.mu.Lock()
	k.cell = hs[0].cell
	k.mu.Unlock()
	h.cell.N++
	return h.cell.N
}

func (k *KeptInside) Add() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cell.N += 10
	return k.cell.N
}

// KeptByCaller is the same where a callee puts the cell in and its caller still has it.
type KeptByCaller struct {
	mu   sync.Mutex
	cell *Cell
}

func NewKeptByCaller() *KeptByCaller { return &KeptByCaller{cell: &Cell{}} }

func (k *KeptByCaller) put(c *Cell) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cell = c
}

func (k *KeptByCaller) Change(n int) int {
	c := &Cell{n}
	k.put(c)
	c.N++
	return c.N
}

func (k *KeptByCaller) Add() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cell.N += 10
	return k.cell.N
}

// KeptByClosure is the same where a function has captured the cell.
type KeptByClosure struct {
	mu   sync.Mutex
	cell *Cell
}

func NewKeptByClosure() *KeptByClosure { return &KeptByClosure{cell: &Cell{}} }

func (k *KeptByClosure) Change(n int) int {
	c := &Cell{n}
	more := func() { c.N++ }
	k.mu.Lock()
	k.cell = c
	k.mu.Unlock()
	more()
	return n
}

func (k *KeptByClosure) Add() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cell.N += 10
	return k.cell.N
}

// KeptDeferred is the same where a deferred call has the cell, and is made behind the one that gives the lock back.
type KeptDeferred struct {
	mu   sync.Mutex
	cell *Cell
}

func NewKeptDeferred() *KeptDeferred { return &KeptDeferred{cell: &Cell{}} }

func more(c *Cell) { c.N++ }

func (k *KeptDeferred) Change(n int) int {
	c := &Cell{n}
	defer more(c)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cell = c
	return n
}

func (k *KeptDeferred) Add() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cell.N += 10
	return k.cell.N
}

// KeptSlice returns a slice that it has put in, too.
type KeptSlice struct {
	mu   sync.Mutex
	last []int
}

func NewKeptSlice() *KeptSlice { return &KeptSlice{} }

func (k *KeptSlice) Count(n int) []int {
	k.mu.Lock()
	defer k.mu.Unlock()
	out := make([]int, 2)
	copy(out, k.last)
	out[0] += n
	k.last = out
	return out
}

func (k *KeptSlice) Change() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.last) == 0 {
		return 0
	}
	k.last[1]++
	return k.last[1]
}

// KeptInterface is the same where the cell is in an interface value.
type KeptInterface struct {
	mu   sync.Mutex
	have any
}

func NewKeptInterface() *KeptInterface { return &KeptInterface{} }

func (k *KeptInterface) Change(n int) int {
	var c any = &Cell{n}
	k.mu.Lock()
	k.have = c
	k.mu.Unlock()
	c.(*Cell).N++
	return n
}

func (k *KeptInterface) Add() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	if c, ok := k.have.(*Cell); ok {
		c.N += 10
		return c.N
	}
	return 0
}

// OtherLock takes a lock that it makes for each call.
type OtherLock struct{ n int }

func NewOtherLock() *OtherLock { return &OtherLock{} }

func (o *OtherLock) Spend(n int) int {
	var mu sync.Mutex
	mu.Lock()
	defer mu.Unlock()
	o.n += n
	return o.n
}

// Replaces puts a new lock into the place of the old one, which it has.
type Replaces struct {
	mu *sync.Mutex
	n  int
}

func NewReplaces() *Replaces { return &Replaces{mu: new(sync.Mutex)} }

func (r *Replaces) Spend(n int) int {
	mu := r.mu
	mu.Lock()
	defer mu.Unlock()
	r.n += n
	return r.n
}

func (r *Replaces) Renew() int {
	mu := r.mu
	mu.Lock()
	defer mu.Unlock()
	r.mu = new(sync.Mutex)
	return r.n
}

// Overwrites sets all of itself to zero, the lock as well.
type Overwrites struct {
	mu sync.Mutex
	n  int
}

func NewOverwrites() *Overwrites { return &Overwrites{} }

func (o *Overwrites) Spend(n int) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n += n
	return o.n
}

func (o *Overwrites) Reset() {
	o.mu.Lock()
	*o = Overwrites{}
	o.mu.Lock()
	o.mu.Unlock()
}

// OverwritesElement has its lock in an element of a slice, which it clears.
type OverwritesElement struct {
	mu  *sync.Mutex
	all []sync.Mutex
	n   int
}

func NewOverwritesElement() *OverwritesElement {
	o := &OverwritesElement{all: make([]sync.Mutex, 2)}
	o.mu = &o.all[0]
	return o
}

func (o *OverwritesElement) Spend(n int) int {
	o.mu.Lock()
	clear(o.all)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n += n
	return o.n
}

// Copied takes a copy of the lock.
type Copied struct {
	mu sync.Mutex
	n  int
}

func NewCopied() *Copied { return &Copied{} }

func (c *Copied) Spend(n int) int {
	mu := &sync.Mutex{}
	*mu = copied(&c.mu)
	mu.Lock()
	defer mu.Unlock()
	c.n += n
	return c.n
}

// Snapshot copies all of itself under the lock, and with it the words of the lock, which others change who wait for it.
type Snapshot struct {
	mu sync.Mutex
	n  int
}

func NewSnapshot() *Snapshot { return &Snapshot{} }

func (s *Snapshot) Spend(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := copied(s)
	s.n += n
	return s.n - old.n
}

func copied[T any](x *T) T { return *x }

// Checks looks in one section and writes in another one.
type Checks struct {
	mu   sync.Mutex
	have map[string]int
}

func NewChecks() *Checks { return &Checks{have: map[string]int{}} }

func (c *Checks) First(name string) bool {
	c.mu.Lock()
	_, ok := c.have[name]
	c.mu.Unlock()
	if ok {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.have[name]++
	return true
}

// Upgrades looks under RLock, and writes under Lock without looking again.
type Upgrades struct {
	mu sync.RWMutex
	n  int
}

func NewUpgrades() *Upgrades { return &Upgrades{} }

func (u *Upgrades) Raise() int {
	u.mu.RLock()
	n := u.n
	u.mu.RUnlock()
	u.mu.Lock()
	u.n = n + 1
	u.mu.Unlock()
	return n + 1
}

// Unlocked reads a number without the lock that others write with it.
type Unlocked struct {
	mu sync.Mutex
	n  int
}

func NewUnlocked() *Unlocked { return &Unlocked{} }

func (u *Unlocked) Raise(n int) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n += n
	return u.n
}

func (u *Unlocked) Now() int { return u.n }

// UnlockedAtomic counts atomically in two steps, without the lock.
type UnlockedAtomic struct {
	mu sync.Mutex
	n  atomic.Int64
}

func NewUnlockedAtomic() *UnlockedAtomic { return &UnlockedAtomic{} }

func (u *UnlockedAtomic) Raise(n int) int64 {
	old := u.n.Load()
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n.Store(old + int64(n))
	return u.n.Load()
}

// Aliased writes a field by a pointer of another type with the same fields.
type Aliased struct {
	mu sync.Mutex
	at *pair
}

type pair struct{ a, b int }

type twin struct{ a, b int }

func NewAliased() *Aliased { return &Aliased{at: &pair{}} }

func (a *Aliased) Change(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := (*twin)(a.at)
	t.a += n
	t.b += n
}

func (a *Aliased) Sum(n int) int { return a.at.a + a.at.b + n }

// ByInt writes a field by a pointer to an int that it has from elsewhere.
type ByInt struct {
	mu   sync.Mutex
	n    int
	into *int
}

func NewByInt() *ByInt {
	b := &ByInt{}
	b.into = &b.n
	return b
}

func (b *ByInt) Change(n int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	*b.into += n
	return *b.into
}

func (b *ByInt) Now(n int) int { return b.n + n }

// ByNamedInt is the same where the pointer is to a type of its own.
type ByNamedInt struct {
	mu   sync.Mutex
	n    int
	into *number
}

type number int

func NewByNamedInt() *ByNamedInt {
	b := &ByNamedInt{}
	b.into = (*number)(&b.n)
	return b
}

func (b *ByNamedInt) Change(n int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	*b.into += number(n)
	return int(*b.into)
}

func (b *ByNamedInt) Now(n int) int { return b.n + n }

// ByArray writes an element of an array by a slice of it, and reads it as one of the array.
type ByArray struct {
	mu   sync.Mutex
	all  [2]int
	some []int
}

func NewByArray() *ByArray {
	b := &ByArray{}
	b.some = b.all[:]
	return b
}

func (b *ByArray) Change(n int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.some[0] += n
	return b.some[0]
}

func (b *ByArray) Now(n int) int { return b.all[0] + n }

// ByArrayOfSlice writes elements of a slice as those of an array, and reads them without the lock.
type ByArrayOfSlice struct {
	mu  sync.Mutex
	all []int32
}

func NewByArrayOfSlice() *ByArrayOfSlice { return &ByArrayOfSlice{all: make([]int32, 2)} }

func (b *ByArrayOfSlice) Change(n int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := (*[2]int32)(b.all)
	p[0] += int32(n)
	return int(p[0])
}

func (b *ByArrayOfSlice) Now(n int) int { return int(b.all[0]) + n }

// ByMapType writes a map under the lock that it reads by another type of map without it.
type ByMapType struct {
	mu   sync.Mutex
	have counts
	same map[string]int
}

type counts map[string]int

func NewByMapType() *ByMapType {
	m := map[string]int{}
	return &ByMapType{have: m, same: m}
}

func (b *ByMapType) Change(x string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.have[x]++
	return b.have[x]
}

func (b *ByMapType) Now(x string) int { return b.same[x] }

// ByMethod writes through a method value that it has stored.
type ByMethod struct {
	mu   sync.Mutex
	cell Cell
	add  func(int)
}

func (c *Cell) add(n int) { c.N += n }

func NewByMethod() *ByMethod {
	b := &ByMethod{}
	b.add = b.cell.add
	return b
}

func (b *ByMethod) Change(n int) int {
	b.add(n)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cell.N
}

// ByInterface writes through a method of an interface value, without the lock.
type ByInterface struct {
	mu   sync.Mutex
	cell Cell
	to   adder
}

type adder interface{ add(n int) }

func NewByInterface() *ByInterface {
	b := &ByInterface{}
	b.to = &b.cell
	return b
}

func (b *ByInterface) Change(n int) int {
	b.to.add(n)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cell.N
}

// Stored keeps a function that has captured a variable, and calls it without the lock.
type Stored struct {
	mu   sync.Mutex
	next func() int
}

func NewStored() *Stored { return &Stored{} }

func (s *Stored) Start(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = func() int { n++; return n }
}

func (s *Stored) Next() int {
	s.mu.Lock()
	f := s.next
	s.mu.Unlock()
	if f == nil {
		return 0
	}
	return f()
}

// Reader writes under RLock.
type Reader struct {
	mu   sync.RWMutex
	have map[string]int
	asks int
}

func NewReader() *Reader { return &Reader{have: map[string]int{}} }

func (r *Reader) Put(name string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.have[name] = n
}

func (r *Reader) Ask(name string) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	r.asks++
	return r.have[name] + r.asks
}

// ReaderAppends appends under RLock, into memory that all readers have.
type ReaderAppends struct {
	mu   sync.RWMutex
	have []int
}

func NewReaderAppends() *ReaderAppends { return &ReaderAppends{have: make([]int, 0, 4)} }

func (r *ReaderAppends) Put(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.have = append(r.have, n)
}

func (r *ReaderAppends) With(n int) []int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return append([]int(nil), append(r.have, n)...)
}

// ReaderSorts sorts under RLock.
type ReaderSorts struct {
	mu   sync.RWMutex
	have []int
}

func NewReaderSorts() *ReaderSorts { return &ReaderSorts{} }

func (r *ReaderSorts) Put(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.have = append(r.have, n)
}

func (r *ReaderSorts) Least() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.have) == 0 {
		return 0
	}
	sort.Ints(r.have)
	return r.have[0]
}

// ReaderMoves moves a cell to the front of a list under RLock, as caches do.
type ReaderMoves struct {
	mu   sync.RWMutex
	list *list.List
}

func NewReaderMoves() *ReaderMoves { return &ReaderMoves{list: list.New()} }

func (r *ReaderMoves) Put(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list.PushFront(n)
}

func (r *ReaderMoves) Use() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	e := r.list.Back()
	if e == nil {
		return 0
	}
	r.list.MoveToFront(e)
	return e.Value.(int)
}

// Inner has objects with locks of their own, and a sum over them that is no moment.
type Inner struct {
	mu    sync.Mutex
	parts [2]part
}

type part struct {
	mu sync.Mutex
	n  int
}

func NewInner() *Inner { return &Inner{} }

func (p *part) add(n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n += n
	return p.n
}

func (i *Inner) Move(n int) {
	i.parts[0].add(n)
	i.parts[1].add(-n)
}

func (i *Inner) Sum() int { return i.parts[0].add(0) + i.parts[1].add(0) }

// Early gives the lock back by a deferred call, of a function that returns before the last access.
type Early struct {
	mu sync.Mutex
	n  int
}

func NewEarly() *Early { return &Early{} }

func (e *Early) begin() {
	e.mu.Lock()
	defer e.mu.Unlock()
}

func (e *Early) Spend(n int) int {
	e.begin()
	e.n += n
	return e.n
}

// Behind makes a deferred access behind the one that gives the lock back.
type Behind struct {
	mu sync.Mutex
	n  int
}

func NewBehind() *Behind { return &Behind{} }

func (b *Behind) Spend(n int) (out int) {
	defer func() { out = b.n }()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n += n
	return 0
}

// OneWay forgets to take the lock in one case.
type OneWay struct {
	mu sync.Mutex
	n  int
}

func NewOneWay() *OneWay { return &OneWay{} }

func (o *OneWay) Spend(n int) int {
	if n > 0 {
		o.mu.Lock()
		defer o.mu.Unlock()
	}
	o.n += n
	return o.n
}

// Recovers goes on without the lock behind a panic.
type Recovers struct {
	mu sync.Mutex
	n  int
}

func NewRecovers() *Recovers { return &Recovers{} }

func (r *Recovers) divide(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n += 12 / n
}

func (r *Recovers) Spend(n int) int {
	func() {
		defer func() {
			if recover() != nil {
				r.n++
			}
		}()
		r.divide(n)
	}()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n
}

// RecoversKept has its cell put in by a function that never returns but by a panic, which a deferred recover of a deferred function recovers.
type RecoversKept struct {
	mu   sync.Mutex
	cell *Cell
}

func NewRecoversKept() *RecoversKept { return &RecoversKept{cell: &Cell{}} }

func (r *RecoversKept) put(c *Cell) {
	defer func() { defer recover() }()
	r.cell = c
	panic("put")
}

func (r *RecoversKept) Change(n int) int {
	c := &Cell{n}
	r.mu.Lock()
	r.put(c)
	r.mu.Unlock()
	c.N++
	return c.N
}

func (r *RecoversKept) Add() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cell.N += 10
	return r.cell.N
}

// RecoversHeld has an own object that leads to a shared cell when a call is left by a panic, and at no other moment that its caller sees.
type RecoversHeld struct {
	mu   sync.Mutex
	cell *Cell
}

func NewRecoversHeld() *RecoversHeld { return &RecoversHeld{cell: &Cell{}} }

func (r *RecoversHeld) try(h *holder) {
	defer func() { recover() }()
	r.leave(h)
}

func (r *RecoversHeld) leave(h *holder) {
	h.cell = r.cell
	panic("left")
}

func (r *RecoversHeld) Change(n int) int {
	h := &holder{&Cell{n}}
	r.mu.Lock()
	r.try(h)
	r.mu.Unlock()
	h.cell.N++
	return h.cell.N
}

func (r *RecoversHeld) Add() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cell.N += 10
	return r.cell.N
}

// Unwound writes in a deferred call that is made when a panic leaves a function, which never returns otherwise.
type Unwound struct {
	mu sync.Mutex
	n  int
}

func NewUnwound() *Unwound { return &Unwound{} }

func (u *Unwound) try(n int) {
	defer func() { recover() }()
	u.leave(n)
}

func (u *Unwound) leave(n int) {
	defer u.add(n)
	panic("left")
}

func (u *Unwound) add(n int) { u.n += n }

func (u *Unwound) Change(n int) int {
	u.try(n)
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.n
}

// Thrown has the shared cell from the value of a panic.
type Thrown struct {
	mu   sync.Mutex
	cell *Cell
}

func NewThrown() *Thrown { return &Thrown{cell: &Cell{}} }

func (t *Thrown) try() (c *Cell) {
	defer func() { c, _ = recover().(*Cell) }()
	panic(t.cell)
}

func (t *Thrown) Change() int {
	t.mu.Lock()
	c := t.try()
	t.mu.Unlock()
	c.N++
	return c.N
}

// BoxedFunc calls a function without captured variables that is a part of a struct in an interface value.
type BoxedFunc struct {
	mu sync.Mutex
	n  int
}

type step struct {
	f func(*int)
	n int
}

func raise(p *int) { *p++ }

func NewBoxedFunc() *BoxedFunc { return &BoxedFunc{} }

func (b *BoxedFunc) Change(n int) int {
	var x any = step{raise, n}
	x.(step).f(&b.n)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n
}

// PickedFunc calls one of two functions of an array.
type PickedFunc struct {
	mu sync.Mutex
	n  int
}

func lower(p *int) { *p-- }

func NewPickedFunc() *PickedFunc { return &PickedFunc{} }

func steps() [2]func(*int) { return [2]func(*int){raise, lower} }

func (p *PickedFunc) Change(n int) int {
	steps()[n&1](&p.n)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

// ByValue has methods with a copy of itself, which is made without the lock.
type ByValue struct {
	mu *sync.Mutex
	n  int
	at *Cell
}

func NewByValue() *ByValue { return &ByValue{mu: new(sync.Mutex), at: &Cell{}} }

func (b *ByValue) Change(n int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n += n
	return b.n
}

func (b ByValue) Now() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n
}

// ByReadLocker writes under what RLocker returns.
type ByReadLocker struct {
	mu sync.RWMutex
	n  int
}

func NewByReadLocker() *ByReadLocker { return &ByReadLocker{} }

func (b *ByReadLocker) Change(n int) int {
	l := b.mu.RLocker()
	l.Lock()
	defer l.Unlock()
	b.n += n
	return b.n
}

// LastMade keeps its last cell in a package variable.
type LastMade struct {
	mu sync.Mutex
	n  int
}

var lastMade *Cell

func NewLastMade() *LastMade {
	lastMade = &Cell{}
	return &LastMade{}
}

func (l *LastMade) Change(n int) int {
	lastMade.N += n
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	return l.n + lastMade.N
}

// Starts has a constructor that leaves a goroutine behind.
type Starts struct {
	mu sync.Mutex
	n  int
}

func NewStarts() *Starts {
	s := &Starts{}
	go func() { s.n++ }()
	return s
}

func (s *Starts) Spend(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n += n
	return s.n
}

// Timed has a constructor that leaves a timer behind.
type Timed struct {
	mu sync.Mutex
	n  int
}

func NewTimed() *Timed {
	t := &Timed{}
	time.AfterFunc(time.Second, func() { t.n++ })
	return t
}

func (t *Timed) Spend(n int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n += n
	return t.n
}

// Scratch uses a package variable, behind the lock.
type Scratch struct {
	mu sync.Mutex
	n  int
}

var scratch [4]int

func NewScratch() *Scratch { return &Scratch{} }

func (s *Scratch) Spend(n int) int {
	s.mu.Lock()
	s.n += n
	now := s.n
	s.mu.Unlock()
	scratch[0] = now
	return scratch[0]
}

// ScratchMap uses what a package variable leads to, that nobody else sets, behind the lock.
type ScratchMap struct {
	mu sync.Mutex
	n  int
}

var cached = map[int]int{}

func NewScratchMap() *ScratchMap { return &ScratchMap{} }

func (s *ScratchMap) Spend(n int) int {
	s.mu.Lock()
	s.n += n
	now := s.n
	s.mu.Unlock()
	cached[n]++
	return now + cached[n]
}

// Alias has a map that is a package variable's as well, and reads it there.
type Alias struct {
	mu   sync.Mutex
	have map[int]string
}

var names = map[int]string{}

func NewAlias() *Alias { return &Alias{have: names} }

func (a *Alias) Put(k int, v string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.have[k] = v
}

func (a *Alias) Ask(k int) string { return names[k] }

// Mixed returns an error that leads to what others write.
type Mixed struct {
	mu   sync.Mutex
	last *failure
}

type failure struct{ text string }

func (f *failure) Error() string { return f.text }

func NewMixed() *Mixed { return &Mixed{last: &failure{}} }

func (m *Mixed) Fail(text string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last.text = text
	return m.last
}

// Joined is the same where the error is in another one.
type Joined struct {
	mu   sync.Mutex
	last *failure
}

func NewJoined() *Joined { return &Joined{last: &failure{}} }

func (j *Joined) Fail(text string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last.text = text
	return errors.Join(errors.New("failed"), j.last)
}

// Buffered has a buffer with a lock, and returns its bytes.
type Buffered struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func NewBuffered() *Buffered { return &Buffered{} }

func (b *Buffered) Write(x int) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.buf.Len() > 3 {
		b.buf.Reset()
	}
	b.buf.WriteByte(byte(x))
	return b.buf.Bytes()
}

// Times reads the clock before it takes the lock: a call that comes later may bring an earlier time.
type Times struct {
	mu   sync.Mutex
	last time.Time
}

func NewTimes() *Times { return &Times{} }

func (t *Times) Later() bool {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	before := now.Before(t.last)
	t.last = now
	return !before
}

// Lazy makes its map when somebody asks, without the lock.
type Lazy struct {
	mu   sync.Mutex
	have map[string]int
}

func NewLazy() *Lazy { return &Lazy{} }

func (l *Lazy) Count(name string) int {
	if l.have == nil {
		l.have = map[string]int{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.have[strings.ToLower(name)]++
	return len(l.have)
}

// Twice gives the lock back and takes it again within one call.
type Twice struct {
	mu   sync.Mutex
	a, b int
}

func NewTwice() *Twice { return &Twice{} }

func (t *Twice) Move(n int) {
	t.mu.Lock()
	t.a += n
	t.mu.Unlock()
	t.mu.Lock()
	t.b += n
	t.mu.Unlock()
}

func (t *Twice) Same() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.a == t.b
}

// Converted keeps a slice that an own one was converted from, and writes to its elements when others have it.
type Converted struct {
	mu   sync.Mutex
	have numbers
}

type numbers []int

func NewConverted() *Converted { return &Converted{have: numbers{0}} }

func (c *Converted) Change(n int) int {
	own := []int{n}
	c.mu.Lock()
	c.have = numbers(own)
	c.mu.Unlock()
	own[0]++
	return n
}

func (c *Converted) Add() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.have[0] += 10
	return c.have[0]
}

// Elements appends own cells to a shared slice by append of a slice of them, and writes to one of them behind the lock.
type Elements struct {
	mu   sync.Mutex
	have []*Cell
}

func NewElements() *Elements { return &Elements{} }

func (e *Elements) Note(n int) int {
	cells := []*Cell{{n}, {n}}
	e.mu.Lock()
	e.have = append(e.have, cells...)
	e.mu.Unlock()
	cells[1].N++
	return n
}

func (e *Elements) Sum() (sum int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range e.have {
		sum += c.N
	}
	return sum
}

// CastByMaker has a constructor that makes a pointer of another type to a field, by which an operation writes it under the lock.
type CastByMaker struct {
	mu   sync.Mutex
	n    int
	into *int64
}

func NewCastByMaker() *CastByMaker {
	c := &CastByMaker{}
	c.into = (*int64)(unsafe.Pointer(&c.n))
	return c
}

func (c *CastByMaker) Change(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	*c.into += int64(n)
	return int(*c.into)
}

func (c *CastByMaker) Now(n int) int { return c.n + n }

// GivesGlobal writes under the lock to what a package variable leads to as well, and returns it from there.
type GivesGlobal struct {
	mu   sync.Mutex
	cell *plainCell
}

type plainCell struct{ N int }

var givenCell = &plainCell{}

func NewGivesGlobal() *GivesGlobal { return &GivesGlobal{cell: givenCell} }

func (g *GivesGlobal) Change(n int) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cell.N += n
	return g.cell.N
}

func (g *GivesGlobal) Cell() *plainCell { return givenCell }

// ReadsGlobal writes to a package variable by a pointer that an initialiser has made, and reads it by its name: no code but that writes it by its name.
type ReadsGlobal struct {
	mu   sync.Mutex
	cell *Cell
}

var (
	namedCell   Cell
	namedCellAt = &namedCell
)

func NewReadsGlobal() *ReadsGlobal { return &ReadsGlobal{cell: namedCellAt} }

func (r *ReadsGlobal) Change(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cell.N += n
	return r.cell.N
}

func (r *ReadsGlobal) Now(n int) int { return namedCell.N + n }

// InField is no struct, but a part of one, by whose name an operation writes it.
type InField []*inField

type inField struct {
	mu   sync.Mutex
	back *fieldHolder
}

type fieldHolder struct{ list InField }

func NewInField() *InField {
	h := &fieldHolder{}
	h.list = InField{&inField{back: h}}
	return &h.list
}

func (i *InField) Add() int {
	in := [1]*inField((*i)[:1])[0]
	in.mu.Lock()
	defer in.mu.Unlock()
	in.back.list = append(InField{}, append(in.back.list, in)...)
	return len(in.back.list)
}

func (i *InField) Len() int { return len(*i) }

// Formats formats what others write, without the lock.
type Formats struct {
	mu   sync.Mutex
	have map[string]int
}

func NewFormats() *Formats { return &Formats{have: map[string]int{}} }

func (f *Formats) Note(x string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.have[x]++
}

func (f *Formats) Text() string { return fmt.Sprint(f.have) }

// FormatsDeep is the same where it is in what is formatted, which is its own.
type FormatsDeep struct {
	mu   sync.Mutex
	have map[string]int
}

func NewFormatsDeep() *FormatsDeep { return &FormatsDeep{have: map[string]int{}} }

func (f *FormatsDeep) Note(x string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.have[x]++
}

func (f *FormatsDeep) Text() error { return fmt.Errorf("have %v", []any{f.have}) }

// FormatsLock formats its lock, which others change who wait for it.
type FormatsLock struct {
	mu sync.Mutex
	n  int
}

func NewFormatsLock() *FormatsLock { return &FormatsLock{} }

func (f *FormatsLock) Text(n int) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n += n
	return fmt.Sprintf("%v", f)
}

var globalCell = &Cell{}

// FormatsGlobal formats what a package variable leads to without the lock, and writes it with it.
type FormatsGlobal struct {
	mu   sync.Mutex
	cell *Cell
}

func NewFormatsGlobal() *FormatsGlobal { return &FormatsGlobal{cell: globalCell} }

func (f *FormatsGlobal) Change(n int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cell.N += n
	return f.cell.N
}

func (f *FormatsGlobal) Text() string { return fmt.Sprint(globalCell) }

// FormatMethod formats a value with a method Format, which writes what another call reads without the lock.
type FormatMethod struct {
	mu sync.Mutex
	n  int
}

type countsItself struct{ of *FormatMethod }

func (c countsItself) Format(fmt.State, rune) { c.of.n++ }

func NewFormatMethod() *FormatMethod { return &FormatMethod{} }

func (f *FormatMethod) Text() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return fmt.Sprint(countsItself{f})
}

func (f *FormatMethod) Count() int { return f.n }

// FormatVerbose returns errors whose method Format counts, under the lock for reading.
type FormatVerbose struct {
	mu      sync.RWMutex
	printed int
	calls   int
}

type verbose struct {
	of   *FormatVerbose
	text string
}

func (v *verbose) Error() string { return v.text }

func (v *verbose) Format(to fmt.State, verb rune) {
	v.of.printed++
	fmt.Fprint(to, v.text)
}

func NewFormatVerbose() *FormatVerbose { return &FormatVerbose{} }

func (f *FormatVerbose) Check(n int) (string, bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if n == 3 {
		return fmt.Sprintf("check: %+v", &verbose{f, "three"}), false
	}
	return "", true
}

func (f *FormatVerbose) Printed() int {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.printed
}

func (f *FormatVerbose) Call() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	return f.calls
}

// FormatRare is the same for a number that small scopes do not have.
type FormatRare struct {
	mu      sync.RWMutex
	printed int
}

type rare struct{ of *FormatRare }

func (r *rare) Format(fmt.State, rune) { r.of.printed++ }

func NewFormatRare() *FormatRare { return &FormatRare{} }

func (f *FormatRare) Check(n int) string {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if n >= 1000 {
		return fmt.Sprint(&rare{f})
	}
	return ""
}

func (f *FormatRare) Printed() int {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.printed
}

// FormatLocks formats a value whose method Format takes the lock, which the call has.
type FormatLocks struct {
	mu sync.Mutex
	n  int
}

type locksAgain struct{ of *FormatLocks }

func (l locksAgain) Format(fmt.State, rune) {
	l.of.mu.Lock()
	l.of.n++
	l.of.mu.Unlock()
}

func NewFormatLocks() *FormatLocks { return &FormatLocks{} }

func (f *FormatLocks) Text() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return fmt.Sprint(locksAgain{f})
}

func (f *FormatLocks) Count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n
}

// FormatWithin has such a method in a field of an embedded struct.
type FormatWithin struct {
	mu sync.RWMutex
	n  int
}

type countsWithin struct{ of *FormatWithin }

func (c countsWithin) Format(fmt.State, rune) { c.of.n++ }

type holdsCounts struct{ Counts countsWithin }

type embedsCounts struct{ holdsCounts }

func NewFormatWithin() *FormatWithin { return &FormatWithin{} }

func (f *FormatWithin) Text() string {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return fmt.Sprint(embedsCounts{holdsCounts{countsWithin{f}}})
}

func (f *FormatWithin) Count() int {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.n
}

// FormatBehind has it behind a named type of pointers, which has no methods; the constructor makes both.
type FormatBehind struct {
	mu sync.RWMutex
	n  int
	at toCounts
}

type countsBehind struct{ of *FormatBehind }

func (c countsBehind) Format(fmt.State, rune) { c.of.n++ }

type toCounts *countsBehind

func NewFormatBehind() *FormatBehind {
	f := &FormatBehind{}
	f.at = &countsBehind{f}
	return f
}

func (f *FormatBehind) Text() string {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return fmt.Sprint(f.at)
}

func (f *FormatBehind) Count() int {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.n
}

// StringWithin has a method String that writes in a field of an embedded struct.
type StringWithin struct {
	mu sync.RWMutex
	n  int
}

type saysWithin struct{ of *StringWithin }

func (s saysWithin) String() string {
	s.of.n++
	return "within"
}

type holdsSays struct{ Says saysWithin }

type embedsSays struct{ holdsSays }

func NewStringWithin() *StringWithin { return &StringWithin{} }

func (s *StringWithin) Text() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return fmt.Sprint(embedsSays{holdsSays{saysWithin{s}}})
}

func (s *StringWithin) Count() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.n
}

// FormatReflected formats a reflect.Value, whose own value has such a method.
type FormatReflected struct {
	mu sync.RWMutex
	n  int
}

type countsReflected struct{ of *FormatReflected }

func (c *countsReflected) Format(fmt.State, rune) { c.of.n++ }

func NewFormatReflected() *FormatReflected { return &FormatReflected{} }

func (f *FormatReflected) Text() string {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return fmt.Sprint(reflect.ValueOf(&countsReflected{f}))
}

func (f *FormatReflected) Count() int {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.n
}

// InGlobal has a constructor that puts what it makes into a package variable, where an operation finds it.
type InGlobal struct {
	mu sync.Mutex
	n  int
}

var inGlobal *InGlobal

func NewInGlobal() *InGlobal {
	inGlobal = &InGlobal{}
	return inGlobal
}

func (i *InGlobal) Change(n int) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.n += n
	return i.n
}

func (i *InGlobal) Last(n int) int { return inGlobal.n + n }

// InAtomicGlobal does that with an atomic pointer.
type InAtomicGlobal struct {
	mu sync.Mutex
	n  int
}

var inAtomicGlobal atomic.Pointer[InAtomicGlobal]

func NewInAtomicGlobal() *InAtomicGlobal {
	i := &InAtomicGlobal{}
	inAtomicGlobal.Store(i)
	return i
}

func (i *InAtomicGlobal) Change(n int) int {
	inAtomicGlobal.Load().n++
	i.mu.Lock()
	defer i.mu.Unlock()
	i.n += n
	return i.n
}

// InReflectedGlobal does that by package reflect, in what a package variable leads to.
type InReflectedGlobal struct {
	mu   sync.Mutex
	cell *Cell
}

type cellHolder struct{ Cell *Cell }

var reflectedGlobal = &cellHolder{}

func NewInReflectedGlobal() *InReflectedGlobal {
	i := &InReflectedGlobal{cell: &Cell{}}
	reflect.ValueOf(reflectedGlobal).Elem().Field(0).Set(reflect.ValueOf(i.cell))
	return i
}

func (i *InReflectedGlobal) Change(n int) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.cell.N += n
	return i.cell.N
}

func (i *InReflectedGlobal) Last() *Cell { return reflectedGlobal.Cell }

// StartsLater starts a goroutine in an operation.
type StartsLater struct {
	mu sync.Mutex
	n  int
}

func NewStartsLater() *StartsLater { return &StartsLater{} }

func (s *StartsLater) Spend(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	go s.more(n)
	return s.n
}

func (s *StartsLater) more(n int) { s.n += n }

// HeldName returns a cell of a type with a name such as the harness gives.
type HeldName struct {
	mu   sync.Mutex
	cell *pangolinCell
}

type pangolinCell struct{ N int }

func NewHeldName() *HeldName { return &HeldName{cell: &pangolinCell{}} }

func (h *HeldName) Change(n int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cell.N += n
	return h.cell.N
}

func (h *HeldName) Cell() *pangolinCell {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cell
}

// RecoversLate recovers a panic of a function that has taken the lock, and given it back by a deferred call.
type RecoversLate struct {
	mu sync.Mutex
	n  int
}

func NewRecoversLate() *RecoversLate { return &RecoversLate{} }

func (r *RecoversLate) divide(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n += 12 / n
	return r.n
}

func (r *RecoversLate) Spend(n int) (out int) {
	defer func() {
		if recover() != nil {
			out = r.n
		}
	}()
	return r.divide(n)
}

// RecoversAgain recovers in a deferred call whose own panic another one recovers, which has put a cell in before.
type RecoversAgain struct {
	mu   sync.Mutex
	cell *Cell
}

func NewRecoversAgain() *RecoversAgain { return &RecoversAgain{cell: &Cell{}} }

func (r *RecoversAgain) put(c *Cell) {
	defer func() { recover() }()
	defer func() {
		recover()
		r.cell = c
		panic("again")
	}()
	panic("put")
}

func (r *RecoversAgain) Change(n int) int {
	c := &Cell{n}
	r.mu.Lock()
	r.put(c)
	r.mu.Unlock()
	c.N++
	return c.N
}

func (r *RecoversAgain) Add() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cell.N += 10
	return r.cell.N
}

// Finalized has a constructor that lets its cell be written when another one is not reached any more.
type Finalized struct {
	mu   sync.Mutex
	cell *Cell
}

func NewFinalized() *Finalized {
	runtime.SetFinalizer(new(Cell), func(*Cell) { globalCell.N++ })
	return &Finalized{cell: globalCell}
}

func (f *Finalized) Change(n int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cell.N += n
	return f.cell.N
}

// SharedMap counts in a map that all of its collections share, each under its own lock.
type SharedMap struct{ mu sync.Mutex }

var sharedCounts = map[int]int{}

func NewSharedMap() *SharedMap { return &SharedMap{} }

func (s *SharedMap) Count(x int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	sharedCounts[x]++
	return sharedCounts[x]
}

// Holds keeps the lock if there is nothing to take.
type Holds struct {
	mu sync.Mutex
	n  int
}

func NewHolds() *Holds { return &Holds{n: 1} }

func (h *Holds) Take() int {
	h.mu.Lock()
	if h.n == 0 {
		return -1
	}
	h.n--
	n := h.n
	h.mu.Unlock()
	return n
}

// Appended changes a cell behind the lock that it has found in a slice of its own.
type Appended struct {
	mu    sync.Mutex
	cells []*Cell
}

func NewAppended() *Appended { return &Appended{cells: []*Cell{new(Cell)}} }

func (a *Appended) Change(x int) {
	a.mu.Lock()
	list := append([]*Cell(nil), a.cells...)
	a.mu.Unlock()
	list[0].N += x
}

func (a *Appended) Sum() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cells[0].N
}

// TriesOnce does nothing where another call has the lock.
type TriesOnce struct {
	mu sync.Mutex
	n  int
}

func NewTriesOnce() *TriesOnce { return &TriesOnce{} }

func (t *TriesOnce) Step() int {
	if !t.mu.TryLock() {
		return -1
	}
	defer t.mu.Unlock()
	t.n++
	return t.n
}
