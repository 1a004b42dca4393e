// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// Calls that return only together are not judged by calls that are made one after the other.
// That calls wait, or meet, excuses nothing else.
func TestSelf_DoesNotJudgeCallsThatMeet(t *testing.T) {
	level.SkipShort(t, "verifies many small types")
	const head = `package example

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

var (
	_ sync.Mutex
	_ atomic.Int64
	_ time.Duration
	_ = runtime.Gosched
)

`
	const barrier = `
type Box struct { mu sync.Mutex; c *sync.Cond; n, gen int }
func New() *Box { b := &Box{}; b.c = sync.NewCond(&b.mu); return b }
func (b *Box) Await() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	g := b.gen
	if b.n++; b.n == PARTIES {
		b.n = 0
		b.gen++
		b.c.Broadcast()
		return g
	}
	for g == b.gen {
		b.c.Wait()
	}
	return g
}`
	const sema = `
type Box struct { mu sync.Mutex; c *sync.Cond; n int }
func New() *Box { b := &Box{n: 1}; b.c = sync.NewCond(&b.mu); return b }
func (b *Box) Down() { b.mu.Lock(); HOW b.n == 0 { b.c.Wait() }; b.n--; b.mu.Unlock() }
func (b *Box) Up() { b.mu.Lock(); b.n++; b.c.Signal(); b.mu.Unlock() }
func (b *Box) Value() int { b.mu.Lock(); defer b.mu.Unlock(); return b.n }`
	for _, c := range []struct {
		name, source string
		status       verdict.Status
	}{
		{"an exchanger", `
type offer struct { v int; back chan int }
type Box struct{ c chan offer }
func New() *Box { return &Box{make(chan offer)} }
func (b *Box) Exchange(v int) int {
	o := offer{v, make(chan int, 1)}
	select {
	case b.c <- o:
		return <-o.back
	case p := <-b.c:
		p.back <- v
		return p.v
	}
}`, verdict.Unknown},
		{"an exchanger that spins", `
type slot struct{ v int; got atomic.Int64 }
type Box struct{ p atomic.Pointer[slot] }
func (b *Box) Exchange(v int) int {
	s := &slot{v: v}
	for {
		if b.p.CompareAndSwap(nil, s) {
			for s.got.Load() == 0 { runtime.Gosched() }
			return int(s.got.Load()) - 1
		}
		if o := b.p.Load(); o != nil && b.p.CompareAndSwap(o, nil) {
			o.got.Store(int64(v) + 1)
			return o.v
		}
	}
}`, verdict.Unknown},
		{"an exchanger beside goroutines of its constructor", `
type offer struct { v int; back chan int }
type Box struct{ c chan offer; n atomic.Int64 }
func New() *Box {
	b := &Box{c: make(chan offer)}
	go b.n.Store(1)
	time.AfterFunc(time.Second, func() { b.n.Store(2) })
	return b
}
func (b *Box) Exchange(v int) int {
	o := offer{v, make(chan int, 1)}
	select {
	case b.c <- o:
		return <-o.back
	case p := <-b.c:
		p.back <- v
		return p.v
	}
}`, verdict.Unknown},
		{"a lock that is tried, beside a goroutine of the constructor", `
type Box struct{ mu, other sync.Mutex; n atomic.Int64 }
func New() *Box { b := &Box{}; time.AfterFunc(time.Second, func() { b.n.Store(3) }); return b }
func (b *Box) Add(v int) int { if b.mu.TryLock() { b.other.Lock(); b.other.Unlock(); b.mu.Unlock() } else { v++ }; return v }`, verdict.Violated},
		{"an unbuffered channel", `
type Box struct{ c chan int }
func New() *Box { return &Box{make(chan int)} }
func (b *Box) Give(v int) { b.c <- v }
func (b *Box) Get() int { return <-b.c }`, verdict.Unknown},
		{"a taker who is served while a giver looks", `
type Box struct{ mu sync.Mutex; c chan int }
func New() *Box { return &Box{c: make(chan int, 9)} }
func (b *Box) Put() int { b.mu.Lock(); defer b.mu.Unlock(); b.c <- 1; return len(b.c) }
func (b *Box) Take() int { return <-b.c }`, verdict.Unknown},
		{"a taker who is served while a giver looks, and waits again", `
type Box struct{ mu sync.Mutex; c chan int; d chan int }
func New() *Box { return &Box{c: make(chan int, 9)} }
func (b *Box) Put() int { b.mu.Lock(); defer b.mu.Unlock(); b.c <- 1; return len(b.c) }
func (b *Box) Take() int { return <-b.c + <-b.d }`, verdict.Unknown},
		{"a taker who gives what he has been given while a giver looks", `
type Box struct{ mu sync.Mutex; c, d chan int }
func New() *Box { return &Box{c: make(chan int, 9), d: make(chan int, 9)} }
func (b *Box) Put() int { b.mu.Lock(); defer b.mu.Unlock(); b.c <- 1; return len(b.d) }
func (b *Box) Take() int { b.d <- <-b.c; return 0 }`, verdict.Violated},
		{"a taker in a select who is served while a giver looks", `
type Box struct{ mu sync.Mutex; c, d chan int }
func New() *Box { return &Box{c: make(chan int, 9), d: make(chan int)} }
func (b *Box) Put() int { b.mu.Lock(); defer b.mu.Unlock(); b.c <- 1; return len(b.c) }
func (b *Box) Take() (n int) { select { case n = <-b.c: case n = <-b.c: }; return n }`, verdict.Unknown},
		{"a taker who is served by a goroutine before the one who has started it", `
type Box struct{ c chan int }
func New() *Box { return &Box{make(chan int, 2)} }
func (b *Box) Take() int { return <-b.c }
func (b *Box) Fetch() int { go func() { b.c <- 1 }(); return <-b.c }`, verdict.Unknown},
		{"a giver whose room is made while a taker looks", `
type Box struct{ c chan int }
func New() *Box { return &Box{make(chan int, 1)} }
func (b *Box) Put(v int) { b.c <- v; b.c <- v }
func (b *Box) Take() int { v := <-b.c; return v*4 + len(b.c) }`, verdict.Unknown},
		{"a taker who looks before and after", `
type Box struct{ c chan int; n atomic.Int64 }
func New() *Box { return &Box{c: make(chan int, 2)} }
func (b *Box) Put() int { b.c <- 1; return int(b.n.Load()) }
func (b *Box) Take() int { n := b.n.Load(); <-b.c; b.n.Store(n + 1); return int(n) }`, verdict.Violated},
		{"a barrier of two", strings.Replace(barrier, "PARTIES", "2", 1), verdict.Unknown},
		{"a barrier of three", strings.Replace(barrier, "PARTIES", "3", 1), verdict.Unknown},
		{"a semaphore", strings.Replace(sema, "HOW", "for", 1), verdict.Verified},
		{"a semaphore that does not look again", strings.Replace(sema, "HOW", "if", 1), verdict.Violated},
		{"an update around a pause", `
type Box struct{ n atomic.Int64 }
func (b *Box) Inc() int { v := b.n.Load(); time.Sleep(time.Second); b.n.Store(v + 1); return int(v) }`, verdict.Violated},
		{"a result from before a look that is repeated", `
type Box struct{ n, open atomic.Int64 }
func (b *Box) Get() int { v := b.n.Load(); for b.open.Load() == 0 { runtime.Gosched() }; return int(v) }
func (b *Box) Inc() { b.n.Add(1) }
func (b *Box) Open() { b.open.Store(1) }`, verdict.Violated},
		{"an update around the wait for a lock", `
type Box struct{ n atomic.Int64; mu sync.Mutex }
func (b *Box) Inc() int { v := b.n.Load(); b.mu.Lock(); b.n.Store(v + 1); b.mu.Unlock(); return int(v) }`, verdict.Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := strings.Replace(c.source, "PARTIES", "2", 1)
			v := verifySource(t, head+source, pangolin.Request{Kind: "object", Oracle: "self", Scope: pangolin.Scope{Threads: "1..3", Steps: "1..5"}})
			if v.Status != c.status || c.status == verdict.Unknown && !strings.Contains(v.Reason, "return only if others meet them") {
				t.Errorf("%s: %s", v.Status, v.Reason)
			}
		})
	}
}
