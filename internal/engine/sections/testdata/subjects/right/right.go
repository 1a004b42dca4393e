// SPDX-License-Identifier: BSD-3-Clause

// Package right has types under one lock, which are linearizable and free of data races. Not all of them are proved: what is refused says so.
package right

import (
	"container/list"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Registry is a map and a slice under an RWMutex. What is returned is a copy.
type Registry struct {
	mu    sync.RWMutex
	names map[string]int
	order []string
}

func NewRegistry() *Registry { return &Registry{names: map[string]int{}} }

// ErrKnown is returned for a name that is there.
var ErrKnown = errors.New("known")

func (r *Registry) Register(name string, id int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.names[name]; ok {
		return ErrKnown
	}
	r.names[name] = id
	r.order = append(r.order, name)
	return nil
}

func (r *Registry) Find(name string) (int, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	id, ok := r.names[name]
	return id, ok
}

func (r *Registry) Names() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	out := make([]string, len(r.order))
	copy(out, r.order)
	return out
}

// Ages is a cache with struct values, which are copied under the lock and used behind it.
type Ages struct {
	mu    sync.Mutex
	items map[string]aged
	round int
}

type aged struct{ value, since int }

func NewAges() *Ages { return &Ages{items: map[string]aged{}} }

func (a *Ages) Keep(name string, value int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.round++
	a.items[name] = aged{value, a.round}
}

func (a *Ages) Age(name string) (value, age int) {
	a.mu.Lock()
	it, now := a.items[name], a.round
	a.mu.Unlock()
	return it.value, now - it.since
}

// Sorted returns what it has, sorted in its own memory, behind the lock.
type Sorted struct {
	mu   sync.Mutex
	have []int
}

func NewSorted() *Sorted { return &Sorted{} }

func (s *Sorted) Note(x int) {
	s.mu.Lock()
	s.have = append(s.have, x)
	s.mu.Unlock()
}

func (s *Sorted) All() []int {
	s.mu.Lock()
	out := append([]int(nil), s.have...)
	s.mu.Unlock()
	sort.Ints(out)
	return out
}

// Cloned copies by slices.Clone, which appends to a part of the slice that has no room.
type Cloned struct {
	mu   sync.RWMutex
	have []int
}

func NewCloned() *Cloned { return &Cloned{} }

func (c *Cloned) Note(x int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.have = append(c.have, x)
}

func (c *Cloned) All() []int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Clone(c.have)
}

// InClosure gives the lock back in a deferred function that changes a result.
type InClosure struct {
	mu    sync.Mutex
	calls int
	total int
}

func NewInClosure() *InClosure { return &InClosure{} }

func (c *InClosure) Spend(n int) (left int) {
	c.mu.Lock()
	defer func() {
		c.calls++
		left += c.calls
		c.mu.Unlock()
	}()
	c.total += n
	return c.total
}

// Callback calls what it is given while it has the lock.
type Callback struct {
	mu   sync.Mutex
	have map[string]int
}

func NewCallback() *Callback { return &Callback{have: map[string]int{}} }

func (c *Callback) Update(name string, f func(int) int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.have[name] = f(c.have[name])
	return c.have[name]
}

func (c *Callback) locked(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

func (c *Callback) Sum() (sum int) {
	c.locked(func() {
		for _, n := range c.have {
			sum += n
		}
	})
	return sum
}

// ByPointer has its lock in an object of its own, which the constructor makes.
type ByPointer struct {
	mu    *sync.Mutex
	total int
}

func NewByPointer() *ByPointer { return &ByPointer{mu: new(sync.Mutex)} }

func (b *ByPointer) Spend(n int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.total += n
	return b.total
}

// Embeds has the lock in an embedded struct, with methods of its own.
type Embeds struct {
	guarded
	names []string
}

type guarded struct {
	sync.Mutex
	uses int
}

func (g *guarded) enter() { g.Lock(); g.uses++ }

func NewEmbeds() *Embeds { return &Embeds{} }

func (e *Embeds) Name(name string) int {
	e.enter()
	defer e.Unlock()
	e.names = append(e.names, name)
	return len(e.names)
}

func (e *Embeds) Uses() int {
	e.Lock()
	defer e.Unlock()
	return e.uses
}

// Inside has all of it in an inner object, which a fixed pointer leads to.
type Inside struct{ core *core }

type core struct {
	mu   sync.RWMutex
	have map[int]int
}

func NewInside() *Inside { return &Inside{&core{have: map[int]int{}}} }

func (i *Inside) Put(k, v int) { i.core.put(k, v) }

func (c *core) put(k, v int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.have[k] = v
}

func (i *Inside) Has(k int) bool {
	c := i.core
	c.mu.RLock()
	_, ok := c.have[k]
	c.mu.RUnlock()
	return ok
}

// Tree is a search tree, with recursion under the lock.
type Tree struct {
	mu   sync.Mutex
	root *node
}

type node struct {
	key, count  int
	left, right *node
}

func NewTree() *Tree { return &Tree{} }

func (t *Tree) Note(key int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	var n int
	t.root, n = t.root.note(key)
	return n
}

func (n *node) note(key int) (*node, int) {
	switch {
	case n == nil:
		return &node{key: key, count: 1}, 1
	case key < n.key:
		l, c := n.left.note(key)
		n.left = l
		return n, c
	case key > n.key:
		r, c := n.right.note(key)
		n.right = r
		return n, c
	}
	n.count++
	return n, n.count
}

func (t *Tree) Keys() (out []int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.root.walk(func(k int) { out = append(out, k) })
	return out
}

func (n *node) walk(f func(int)) {
	if n != nil {
		n.left.walk(f)
		f(n.key)
		n.right.walk(f)
	}
}

// Ring is a linked list with a cursor.
type Ring struct {
	mu  sync.Mutex
	now *link
}

type link struct {
	name string
	next *link
}

func NewRing() *Ring { return &Ring{} }

func (r *Ring) Join(name string) {
	l := &link{name: name}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil {
		l.next = l
		r.now = l
		return
	}
	l.next = r.now.next
	r.now.next = l
}

func (r *Ring) Turn() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil {
		return ""
	}
	r.now = r.now.next
	return r.now.name
}

// Fails returns errors of a type of its own, which are made in the call.
type Fails struct {
	mu   sync.Mutex
	left int
}

type tooMuch struct{ asked, left int }

func (t *tooMuch) Error() string {
	if t.asked > t.left+1 {
		return "much too much"
	}
	return "too much"
}

func NewFails() *Fails { return &Fails{left: 2} }

func (f *Fails) Spend(n int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n > f.left {
		return &tooMuch{n, f.left}
	}
	f.left -= n
	return nil
}

// Clocked reads the clock under the lock.
type Clocked struct {
	mu    sync.Mutex
	last  time.Time
	count int
}

func NewClocked() *Clocked { return &Clocked{} }

func (c *Clocked) Hit() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if now.Sub(c.last) > time.Hour {
		c.count = 0
	}
	c.last = now
	c.count++
	return c.count
}

// Generic is one of any types.
type Generic[K comparable, V any] struct {
	mu   sync.RWMutex
	have map[K]*box[V]
}

type box[V any] struct{ value V }

func NewGeneric[K comparable, V any]() *Generic[K, V] { return &Generic[K, V]{have: map[K]*box[V]{}} }

func (g *Generic[K, V]) Put(k K, v V) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if b := g.have[k]; b != nil {
		b.value = v
		return
	}
	g.have[k] = &box[V]{v}
}

func (g *Generic[K, V]) Ask(k K) (v V, ok bool) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	b, ok := g.have[k]
	if ok {
		v = b.value
	}
	return v, ok
}

// Limits is read without the lock where nobody writes: a word, a map and a slice of an object that the constructor made.
type Limits struct {
	mu     sync.Mutex
	limits *limits
	most   int
	used   map[string]int
}

type limits struct {
	of    map[string]int64
	order []string
}

func NewLimits() *Limits {
	return &Limits{limits: &limits{map[string]int64{"v00": 1, "v01": 2}, []string{"v00", "v01"}}, most: 3, used: map[string]int{}}
}

func (l *Limits) Use(name string) bool {
	most, ok := l.limits.of[name]
	if !ok {
		most = int64(l.most)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if int64(l.used[name]) >= most {
		return false
	}
	l.used[name]++
	return true
}

func (l *Limits) Most() int { return l.most }

// Replaced is a slice that is never written once others have it: who changes it makes a new one. So it is returned as it is.
type Replaced struct {
	mu   sync.Mutex
	have []uint16
}

func NewReplaced() *Replaced { return &Replaced{} }

func (r *Replaced) Note(x int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := make([]uint16, len(r.have)+1)
	copy(next, r.have)
	next[len(r.have)] = uint16(x)
	r.have = next
}

func (r *Replaced) Have() []uint16 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.have
}

// Builds makes a text in its own memory.
type Builds struct {
	mu   sync.Mutex
	have []string
}

func NewBuilds() *Builds { return &Builds{} }

func (b *Builds) Note(x string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.have = append(b.have, x)
}

func (b *Builds) Text() string {
	b.mu.Lock()
	list := append([]string{}, b.have...)
	b.mu.Unlock()
	return strings.Join(list, ";")
}

// Shapes keeps interface values, whose methods it calls under the lock.
type Shapes struct {
	mu   sync.Mutex
	have []shape
}

type shape interface{ grow(n int) int }

type square struct{ side int }

type oblong struct{ a, b int }

func (s *square) grow(n int) int { s.side += n; return s.side * s.side }
func (o *oblong) grow(n int) int { o.a += n; return o.a * o.b }

func NewShapes() *Shapes { return &Shapes{} }

func (s *Shapes) Make(wide bool, n int) int {
	var x shape = &square{n}
	if wide {
		x = &oblong{n, 2}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.have = append(s.have, x)
	return len(s.have)
}

func (s *Shapes) Grow(n int) (area int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.have {
		area += x.grow(n)
	}
	return area
}

// Early gives the lock back on each way out by itself.
type Early struct {
	mu   sync.Mutex
	have map[int]bool
}

func NewEarly() *Early { return &Early{have: map[int]bool{}} }

func (e *Early) First(x int) bool {
	e.mu.Lock()
	if e.have[x] {
		e.mu.Unlock()
		return false
	}
	e.have[x] = true
	e.mu.Unlock()
	return true
}

func (e *Early) Forget() int {
	e.mu.Lock()
	n := len(e.have)
	clear(e.have)
	e.mu.Unlock()
	return n
}

// Guarded recovers what a callback panics with, in a function that neither takes the lock nor gives it back.
type Guarded struct {
	mu     sync.Mutex
	total  int
	failed int
}

func NewGuarded() *Guarded { return &Guarded{} }

func (g *Guarded) Divide(n int) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.total += divided(100, n, &g.failed)
	return g.total + g.failed
}

func divided(a, b int, failed *int) (out int) {
	defer func() {
		if recover() != nil {
			*failed++
		}
	}()
	return a / b
}

// Hook is a function that the constructor sets and nobody changes.
type Hook struct {
	mu   sync.Mutex
	hook func(int) int
	have int
}

func NewHook() *Hook {
	step := 3
	return &Hook{hook: func(x int) int { return x + step }}
}

func (h *Hook) Step() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.have = h.hook(h.have)
	return h.have
}

// Keys has keys that are structs and arrays.
type Keys struct {
	mu   sync.Mutex
	have map[key][2]int
}

type key struct {
	name string
	n    [2]int
}

func NewKeys() *Keys { return &Keys{have: map[key][2]int{}} }

func (k *Keys) Count(name string, n int) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	at := key{name, [2]int{n, n + 1}}
	e := k.have[at]
	e[n&1]++
	k.have[at] = e
	return e[0] - e[1]
}

// AnyLock has its lock as an interface value.
type AnyLock struct {
	mu sync.Locker
	n  int
}

func NewAnyLock() *AnyLock { return &AnyLock{mu: &sync.Mutex{}} }

func (a *AnyLock) Spend(n int) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n += n
	return a.n
}

// Counted counts atomically, under the lock.
type Counted struct {
	mu    sync.RWMutex
	have  map[string]string
	calls atomic.Int64
	last  atomic.Pointer[string]
}

func NewCounted() *Counted { return &Counted{have: map[string]string{}} }

func (c *Counted) Put(k, v string) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.have[k] = v
	c.last.Store(&v)
	return c.calls.Add(1)
}

func (c *Counted) Last() (string, int64) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if p := c.last.Load(); p != nil {
		return *p, c.calls.Load()
	}
	return "", 0
}

// Listed is a cache that forgets what was not used for longest, by package list.
type Listed struct {
	mu    sync.Mutex
	list  *list.List
	items map[string]*list.Element
}

type entry struct {
	key string
	n   int
}

func NewListed() *Listed { return &Listed{list: list.New(), items: map[string]*list.Element{}} }

func (l *Listed) Put(k string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, ok := l.items[k]; ok {
		e.Value.(*entry).n = n
		l.list.MoveToFront(e)
		return
	}
	l.items[k] = l.list.PushFront(&entry{k, n})
	if l.list.Len() > 2 {
		old := l.list.Back()
		delete(l.items, l.list.Remove(old).(*entry).key)
	}
}

func (l *Listed) Use(k string) (int, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.items[k]
	if !ok {
		return 0, false
	}
	l.list.MoveToFront(e)
	return e.Value.(*entry).n, true
}

// Made has a constructor that calls its own operation, which takes the lock, reads the clock, formats, counts in a package variable, and makes a channel.
type Made struct {
	mu    sync.Mutex
	have  map[string]int
	since time.Time
	text  string
	wakes chan bool
}

var made int

func NewMade() *Made {
	m := &Made{have: map[string]int{}, since: time.Now(), wakes: make(chan bool, 1)}
	made++
	if m.mu.TryLock() {
		m.mu.Unlock()
	}
	m.Note("v00")
	m.text = fmt.Sprintf("%d of %v", made, m.have)
	return m
}

func (m *Made) Note(x string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.have[x]++
	return m.have[x]
}

func (m *Made) Text() string { return m.text }

// Explains returns errors with texts that are formatted behind the lock, and wraps one of a package variable.
type Explains struct {
	mu   sync.Mutex
	have map[string]int
}

func NewExplains() *Explains { return &Explains{have: map[string]int{}} }

func (e *Explains) Note(x string, n int) error {
	e.mu.Lock()
	old, ok := e.have[x]
	if !ok {
		e.have[x] = n
	}
	e.mu.Unlock()
	switch {
	case ok && old > n:
		return fmt.Errorf("%q has %d", x, old)
	case ok:
		return fmt.Errorf("%q: %w", x, ErrKnown)
	}
	return nil
}

// Shows formats what it has, with the lock.
type Shows struct {
	mu   sync.RWMutex
	have []int
}

func NewShows() *Shows { return &Shows{} }

func (s *Shows) Note(x int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.have = append(s.have, x)
}

func (s *Shows) String() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return fmt.Sprint("have ", s.have)
}

// Words is a map that nobody changes.
type Words map[string]int

func NewWords() *Words { return &Words{"v00": 1} }

func (w *Words) Of(x string) int { return (*w)[x] }

// The types that follow are right, and refused.

// Retries takes the lock twice in an operation. The first section changes nothing that the second one does not look at again.
type Retries struct {
	mu   sync.Mutex
	have map[int]int
}

func NewRetries() *Retries { return &Retries{have: map[int]int{}} }

func (r *Retries) Square(x int) int {
	r.mu.Lock()
	y, ok := r.have[x]
	r.mu.Unlock()
	if ok {
		return y
	}
	y = x * x
	r.mu.Lock()
	defer r.mu.Unlock()
	r.have[x] = y
	return y
}

// TwoLocks has a lock for each of two independent parts.
type TwoLocks struct {
	left  side
	right side
}

type side struct {
	mu sync.Mutex
	n  int
}

func NewTwoLocks() *TwoLocks { return &TwoLocks{} }

func (s *side) spend(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n += n
	return s.n
}

func (t *TwoLocks) SpendLeft(n int) int  { return t.left.spend(n) }
func (t *TwoLocks) SpendRight(n int) int { return t.right.spend(n) }

// Recovers gives the lock back in the function that recovers.
type Recovers struct {
	mu    sync.Mutex
	total int
}

func NewRecovers() *Recovers { return &Recovers{} }

func (r *Recovers) Divide(n int) (out int) {
	r.mu.Lock()
	defer func() {
		if recover() != nil {
			out = -1
		}
		r.mu.Unlock()
	}()
	r.total += 100 / n
	return r.total
}

// Tries does nothing where somebody else has the lock.
type Tries struct {
	mu sync.Mutex
	n  int
}

func NewTries() *Tries { return &Tries{} }

func (t *Tries) Spend(n int) int {
	if t.mu.TryLock() {
		t.mu.Unlock()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n += n
	return t.n
}

// Once makes its map when it is first asked for, by a sync.Once, and has a lock for what is in it.
type Once struct {
	once sync.Once
	mu   sync.Mutex
	have map[int]int
}

func NewOnce() *Once { return &Once{} }

func (o *Once) Count(x int) int {
	o.once.Do(func() { o.have = map[int]int{} })
	o.mu.Lock()
	defer o.mu.Unlock()
	o.have[x]++
	return o.have[x]
}

// Upper looks up letters behind the lock, in tables of package unicode with arrays in them: it is not known that nobody writes these.
type Upper struct {
	mu   sync.Mutex
	last string
}

func NewUpper() *Upper { return &Upper{} }

func (u *Upper) Swap(x string) string {
	u.mu.Lock()
	last := u.last
	u.last = x
	u.mu.Unlock()
	return strings.ToUpper(last)
}

// Table reads an element of an array that the constructor made, without the lock: it is not known whether it is another array's that is written.
type Table struct {
	mu    sync.Mutex
	fixed [4]int
	used  [4]int
}

func NewTable() *Table { return &Table{fixed: [4]int{1, 2, 3, 4}} }

func (t *Table) Most(x int) int { return t.fixed[x&3] }

func (t *Table) Use(x int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.used[x&3]++
	return t.used[x&3]
}

// RecoversOuter recovers a panic of a function that has deferred a call itself.
type RecoversOuter struct {
	mu     sync.Mutex
	n      int
	failed int
}

func NewRecoversOuter() *RecoversOuter { return &RecoversOuter{} }

func (r *RecoversOuter) Divide(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.try(n)
	return r.n + r.failed
}

func (r *RecoversOuter) try(n int) {
	defer func() { recover() }()
	r.divide(n)
}

func (r *RecoversOuter) divide(n int) {
	defer func() { r.failed++ }()
	r.n += 12 / n
}
