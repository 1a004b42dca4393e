// SPDX-License-Identifier: BSD-3-Clause

package sources

// Dependent are types a step of which depends on more than the heap and its own thread, or changes more. Engines that remember
// what steps did are held against themselves without on each. The type is Box, made by New.
func Dependent() []Named {
	list := []Named{
		{"another thread that waits at a channel", `
type Box struct{ c chan int; n atomic.Int64 }
func New() *Box { b := &Box{c: make(chan int)}; go func() { for range b.c { b.n.Add(1) } }(); return b }
func (b *Box) Give() { b.c <- 1 }
func (b *Box) Look() int { return int(b.n.Load()) }`},
		{"a decision", `
type Box struct{ n atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Draw() { b.n.Store(int64(rand.Intn(2))); b.n.Load() }
func (b *Box) Add() int { return int(b.n.Add(1)) }`},
		{"goroutines that begin and end", `
type Box struct{ n atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Start() { go b.n.Add(1); b.n.Load() }
func (b *Box) Look() int { b.n.Load(); return int(b.n.Load()) }`},
		{"how many goroutines there are", `
type Box struct{ n atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Start() { go b.n.Load() }
func (b *Box) Count() { b.n.Load(); b.n.Store(int64(runtime.NumGoroutine())) }`},
		{"a lock that another thread holds", `
type Box struct{ mu sync.Mutex; n int }
func New() *Box { return &Box{} }
func (b *Box) Keep() { b.mu.TryLock(); b.n++ }
func (b *Box) Drop() { b.mu.TryLock(); b.mu.Unlock() }`},
		{"what an object holds that leaves the heap", `
type node struct{ by int }
type Box struct { mu sync.Mutex; at *node; seen int }
func New() *Box { return &Box{at: &node{}} }
func (b *Box) A() { b.mu.Lock(); b.at.by = 1; b.at = &node{}; b.mu.Unlock() }
func (b *Box) B() { b.mu.Lock(); b.at.by = 2; b.at = &node{}; b.mu.Unlock() }
func (b *Box) Look() int { b.mu.Lock(); n := b.at; b.mu.Unlock(); b.mu.Lock(); defer b.mu.Unlock(); b.seen = n.by; return b.seen }`},
		{"what an object holds that leaves the heap, of which nobody is told", `
type node struct{ by int }
type Box struct { mu sync.Mutex; at *node; seen int }
func New() *Box { return &Box{at: &node{}} }
func (b *Box) A() { b.mu.Lock(); b.at.by = 1; b.at = &node{}; b.mu.Unlock() }
func (b *Box) B() { b.mu.Lock(); b.at.by = 2; b.at = &node{}; b.mu.Unlock() }
func (b *Box) Look() { b.mu.Lock(); n := b.at; b.mu.Unlock(); b.mu.Lock(); b.seen = n.by; b.mu.Unlock() }`},
		{"an object of its own that one leads to which leaves the heap", `
type node struct{ next *node; n int }
type Box struct { mu sync.Mutex; at *node; seen int }
func New() *Box { return &Box{at: &node{}} }
func (b *Box) A() { m := &node{n: 1}; b.mu.Lock(); b.at.next = m; b.at = &node{}; b.mu.Unlock(); b.mu.Lock(); b.seen = m.n; m.n = 2; b.mu.Unlock() }
func (b *Box) Look() { b.mu.Lock(); n := b.at; b.mu.Unlock(); b.mu.Lock(); if n.next != nil { b.seen = n.next.n }; b.mu.Unlock() }`},
		{"an object that two others lead to which leaves the heap", `
type node struct{ n atomic.Int64 }
type Box struct{ at atomic.Pointer[node] }
func New() *Box { b := &Box{}; b.at.Store(&node{}); return b }
func (b *Box) Renew() { b.at.Store(&node{}) }
func (b *Box) Bump() { n := b.at.Load(); n.n.Add(1); n.n.Add(n.n.Load()) }`},
		{"objects that are alike and that two others lead to, which leave the heap", `
type node struct{ n atomic.Int64 }
type Box struct{ l, r atomic.Pointer[node] }
func New() *Box { b := &Box{}; b.l.Store(&node{}); b.r.Store(&node{}); return b }
func (b *Box) Renew() { b.l.Store(&node{}); b.r.Store(&node{}) }
func (b *Box) Both() { l, r := b.l.Load(), b.r.Load(); l.n.Add(1); r.n.Add(1); l.n.Add(r.n.Load()) }`},
		{"objects that refer to each other and leave the heap together", `
type node struct{ n atomic.Int64; next atomic.Pointer[node] }
type Box struct{ at atomic.Pointer[node] }
func ring() *node { a, b := &node{}, &node{}; a.next.Store(b); b.next.Store(a); return a }
func New() *Box { b := &Box{}; b.at.Store(ring()); return b }
func (b *Box) Renew() { b.at.Store(ring()) }
func (b *Box) Walk() { n := b.at.Load(); n.n.Add(1); n = n.next.Load(); n.n.Add(2); n.next.Load().n.Load() }`},
		{"a lock in an object that leaves the heap", `
type node struct{ mu sync.Mutex; n int }
type Box struct{ at atomic.Pointer[node] }
func New() *Box { b := &Box{}; b.at.Store(&node{}); return b }
func (b *Box) Renew() { b.at.Store(&node{}) }
func (b *Box) Bump() int { n := b.at.Load(); n.mu.Lock(); n.n++; m := n.n; n.mu.Unlock(); return m }`},
		{"a lock that is held in an object to which only others lead, and which leaves the heap", `
type node struct{ mu sync.Mutex; n int }
type Box struct{ at atomic.Pointer[node] }
func New() *Box { b := &Box{}; b.at.Store(&node{}); return b }
func (b *Box) Renew() { n := b.at.Load(); n.mu.TryLock(); b.at.Store(&node{}) }
func (b *Box) Try() { n := b.at.Load(); if n.mu.TryLock() { n.n++; n.mu.Unlock() } }`},
		{"an operation that panics", `
type Box struct{ n atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Add() int { return int(b.n.Add(1)) }
func (b *Box) Burst() { if b.n.Add(1) > 1 { panic("full") } }`},
		{"a program that ends", `
type Box struct{ n atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Add() { b.n.Add(1) }
func (b *Box) Spawn() { if b.n.Add(1) > 1 { go panic("over") }; b.n.Load() }`},
		{"another thread that waits at a channel now and then", `
type Box struct{ c chan int; n atomic.Int64 }
func New() *Box { b := &Box{c: make(chan int)}; go func() { for range b.c { b.n.Load(); b.n.Load() } }(); return b }
func (b *Box) Give() { b.n.Load(); b.c <- 1; b.n.Load() }
func (b *Box) Look() { b.n.Load(); b.n.Load() }`},
		{"another thread that offers what a call chooses among", `
type Box struct{ c, d chan int; n atomic.Int64 }
func New() *Box { b := &Box{c: make(chan int), d: make(chan int)}; go func() { for { b.n.Load(); b.c <- 1; b.n.Load(); b.d <- 2 } }(); return b }
func (b *Box) Get() { b.n.Load(); select { case <-b.c: b.n.Load(); case <-b.d: } }
func (b *Box) Look() { b.n.Load(); b.n.Load() }`},
		{"an access that another thread is about to make", `
type Box struct{ n atomic.Int64; x int }
func New() *Box { return &Box{} }
func (b *Box) Check() { b.n.Load(); b.n.Load() }
func (b *Box) Get() int { return b.x }
func (b *Box) Set() { b.n.Load(); b.x = 1 }`},
		{"a thread's number that it alone holds for a while", numbers + `
type Box struct{ owner, n atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Take() { me := pangolinThread() + 1; if b.n.Load() == 0 && b.owner.Load() != me { b.owner.CompareAndSwap(0, me) } }
func (b *Box) Give() { me := pangolinThread() + 1; b.n.Store(1); if b.owner.Load() == me { b.owner.Store(0) }; b.n.Store(0) }`},
		{"the number of another thread, which the heap has no more", numbers + `
type Box struct{ last, seen atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Mark() { b.last.Store(pangolinThread() + 1) }
func (b *Box) Wipe() { b.last.Store(0) }
func (b *Box) Keep() { of := b.last.Load(); if b.last.Load() != of { b.seen.Store(of) } }
func (b *Box) Same() { if b.last.Load() == b.seen.Load() { b.seen.Load() } }`},
		{"threads' numbers that change places in the heap", numbers + `
type Box struct{ mu sync.Mutex; first, second atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Push() { me := pangolinThread() + 1; b.second.Store(b.first.Swap(me)) }
func (b *Box) Turn() { b.mu.Lock(); b.first.Store(b.second.Swap(b.first.Load())); b.mu.Unlock() }
func (b *Box) Mine() { me := pangolinThread() + 1; if b.first.Load() == me { b.second.Load() } else if b.second.Load() == me { b.first.Store(me) } }`},
		{"a thread's number in an object that leaves the heap", numbers + `
type node struct{ by int64; next *node }
type Box struct{ at atomic.Pointer[node]; n atomic.Int64 }
func New() *Box { b := &Box{}; b.at.Store(&node{}); return b }
func (b *Box) Renew() { b.at.Store(&node{by: pangolinThread() + 1, next: &node{by: pangolinThread() + 2}}) }
func (b *Box) Wipe() { b.at.Store(&node{}) }
func (b *Box) Look() { n := b.at.Load(); b.n.Load(); if n.by != pangolinThread() + 1 && n.next != nil { b.n.Swap(n.next.by) } }`},
		{"the numbers of two threads in one object each, to which two others lead", numbers + `
type node struct{ by atomic.Int64 }
type Box struct{ l, r atomic.Pointer[node] }
func New() *Box { b := &Box{}; b.l.Store(&node{}); b.r.Store(&node{}); return b }
func (b *Box) Sign() { l, r, me := b.l.Load(), b.r.Load(), pangolinThread() + 1; if !l.by.CompareAndSwap(0, me) { r.by.Store(me) }; l.by.Load(); r.by.Load() }
func (b *Box) Renew() { b.l.Store(&node{}); b.r.Store(&node{}) }`},
		{"the number of a goroutine that has ended", numbers + `
type Box struct{ last, n atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Start() { go func() { b.last.Store(pangolinThread() + 1); b.n.Load() }() }
func (b *Box) Mine() { me := pangolinThread() + 1; if b.last.Swap(me) == me { b.n.Add(1) } }`},
		{"the numbers of two goroutines that have ended, which are exchanged in one step", numbers + `
type Box struct{ mu sync.Mutex; first, second int64; n atomic.Int64 }
func New() *Box { b := &Box{}; var wg sync.WaitGroup; for _, p := range []*int64{&b.first, &b.second} { wg.Go(func() { b.mu.Lock(); *p = pangolinThread() + 1; b.mu.Unlock() }); wg.Wait() }; return b }
func (b *Box) Turn() { b.mu.Lock(); b.first, b.second = b.second, b.first; b.mu.Unlock() }
func (b *Box) Keep() { b.mu.Lock(); of := b.first; b.mu.Unlock(); b.mu.Lock(); if b.first == of { b.n.Add(1) }; b.mu.Unlock() }`},
		{"the numbers of more goroutines than can be told apart", numbers + `
type Box struct{ by [40]int64; n atomic.Int64 }
func New() *Box { b := &Box{}; var wg sync.WaitGroup; for i := range b.by { wg.Add(1); go func() { b.by[i] = pangolinThread() + 1; wg.Done() }(); wg.Wait() }; return b }
func (b *Box) Look() { if b.n.Load(); b.by[0] != b.by[1] { b.n.Add(1) } }`},
		{"a thread's number in its panic", numbers + `
type Box struct{ last atomic.Int64 }
func New() *Box { return &Box{} }
func (b *Box) Burst() { defer func() { recover(); b.last.Load() }(); me := pangolinThread() + 1; if b.last.Swap(me) != me { panic(me) } }
func (b *Box) Wipe() { b.last.Store(0) }`},
	}
	const head = "package example\n\nimport (\n\t\"math/rand\"\n\t\"runtime\"\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\n" +
		"var (\n\t_ sync.Mutex\n\t_ atomic.Int64\n\t_ = runtime.NumCPU\n\t_ = rand.Intn\n)\n"
	for i := range list {
		list[i].Source = head + list[i].Source
	}
	return list
}

// numbers asks for a thread's number without package mark.
const numbers = `
func pangolinThread() int64
`

// Named is the source of a file, and what it shows.
type Named struct{ Name, Source string }
