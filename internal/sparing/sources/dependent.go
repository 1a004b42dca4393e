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
	}
	const head = "package example\n\nimport (\n\t\"math/rand\"\n\t\"runtime\"\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\n" +
		"var (\n\t_ sync.Mutex\n\t_ atomic.Int64\n\t_ = runtime.NumCPU\n\t_ = rand.Intn\n)\n"
	for i := range list {
		list[i].Source = head + list[i].Source
	}
	return list
}

// Named is the source of a file, and what it shows.
type Named struct{ Name, Source string }
