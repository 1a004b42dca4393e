// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"
	"time"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// The code itself is the oracle, one operation at a time: goroutines that operations and
// the constructor start go on beside it, timers fire, and what can never return is not
// excused.
func TestSelf_IsTheCodeWithOneOperationAtATime(t *testing.T) {
	const head = `package example

import (
	"sync"
	"sync/atomic"
	"time"
)

var (
	_ sync.Mutex
	_ atomic.Int64
	_ time.Duration
)

`
	for i, c := range []struct {
		name, source, protocol string
		status                 verdict.Status
		class                  string
	}{
		{"package initialisation starts a goroutine that counts", `
var n atomic.Int64
func init() { go n.Add(1) }
type Box struct{ m atomic.Int64 }
func (b *Box) Get() int { return int(n.Load() + b.m.Load()) }
func (b *Box) Inc() { b.m.Add(1) }`, "", verdict.Verified, ""},
		{"an operation starts a goroutine that counts", `
type Box struct{ n atomic.Int64 }
func (b *Box) Kick() { go b.n.Add(1) }
func (b *Box) Get() int { return int(b.n.Load()) }`, "", verdict.Verified, ""},
		{"the constructor starts a goroutine that counts", `
type Box struct{ n atomic.Int64 }
func NewBox() *Box { b := &Box{}; go b.n.Store(7); return b }
func (b *Box) Get() int { return int(b.n.Load()) }`, "", verdict.Verified, ""},
		{"a goroutine of an operation works while the next one runs", `
type Box struct{ n atomic.Int64 }
func (b *Box) Kick() { go func() { b.n.Add(1); b.n.Add(1) }() }
func (b *Box) Twice() int { return int(10*b.n.Load() + b.n.Load()) }`, "", verdict.Verified, ""},
		{"a timer fires or not", `
type Box struct{ n atomic.Int64 }
func (b *Box) Set() { time.AfterFunc(time.Second, func() { b.n.Store(1) }) }
func (b *Box) Get() int { return int(b.n.Load()) }`, "", verdict.Verified, ""},
		{"a time-out that only a timer brings", `
type Box struct{ c chan int }
func NewBox() *Box { return &Box{make(chan int, 1)} }
func (b *Box) Put(v int) { select { case b.c <- v: default: } }
func (b *Box) Get() int { select { case v := <-b.c: return v; case <-time.After(time.Second): return -1 } }`, "", verdict.Verified, ""},
		{"an actor answers", `
type Box struct{ req chan chan int }
func NewBox() *Box {
	b := &Box{make(chan chan int)}
	go func() { n := 0; for c := range b.req { n++; c <- n } }()
	return b
}
func (b *Box) Next() int { c := make(chan int); b.req <- c; return <-c }`, "", verdict.Verified, ""},
		{"an actor answers, but two may get the same", `
type Box struct{ req chan chan int; n atomic.Int64 }
func NewBox() *Box {
	b := &Box{req: make(chan chan int)}
	for range 2 {
		go func() { for c := range b.req { n := b.n.Load() + 1; b.n.Store(n); c <- int(n) } }()
	}
	return b
}
func (b *Box) Next() int { c := make(chan int); b.req <- c; return <-c }`, "", verdict.Violated, "history"},
		{"a forgotten Unlock", `
type Box struct{ mu sync.Mutex; n int }
func (b *Box) Inc() { b.mu.Lock(); b.n++; b.mu.Unlock() }
func (b *Box) Reset() { b.mu.Lock(); b.n = 0 }`, "", verdict.Violated, "deadlock"},
		{"a forgotten Unlock, nonblocking by the user's word", `
type Box struct{ mu sync.Mutex; n int }
func (b *Box) Inc() { b.mu.Lock(); b.n++; b.mu.Unlock() }
func (b *Box) Reset() { b.mu.Lock(); b.n = 0 }`, "nonblocking", verdict.Violated, "deadlock"},
		{"a token that is not put back", `
type Box struct{ c chan struct{} }
func NewBox() *Box { b := &Box{make(chan struct{}, 1)}; b.c <- struct{}{}; return b }
func (b *Box) Use() { <-b.c }`, "", verdict.Violated, "deadlock"},
		{"a semaphore", `
type Box struct{ c chan struct{} }
func NewBox() *Box { return &Box{make(chan struct{}, 1)} }
func (b *Box) Down() { b.c <- struct{}{} }
func (b *Box) Up() { select { case <-b.c: default: } }`, "", verdict.Verified, ""},
		{"a semaphore, nonblocking by the user's word", `
type Box struct{ c chan struct{} }
func NewBox() *Box { return &Box{make(chan struct{}, 1)} }
func (b *Box) Down() { b.c <- struct{}{} }
func (b *Box) Up() { select { case <-b.c: default: } }`, "nonblocking", verdict.Violated, "deadlock"},
		{"a latch", `
type Box struct{ once sync.Once; c chan struct{} }
func NewBox() *Box { return &Box{c: make(chan struct{})} }
func (b *Box) Open() { b.once.Do(func() { close(b.c) }) }
func (b *Box) Wait() { <-b.c }`, "", verdict.Verified, ""},
		{"a crash in what an operation has started", `
type Box struct{ n atomic.Int64 }
func (b *Box) Kick() { b.n.Add(1); go func() { if b.n.Load() > 1 { panic("twice") } }() }
func (b *Box) Get() int { return int(b.n.Load()) }`, "", verdict.Violated, "panic"},
		{"a fatal error", `
type Box struct{ mu sync.Mutex; n int }
func (b *Box) Twice() { b.mu.Lock(); b.n++; b.mu.Unlock(); if b.n > 1 { b.mu.Unlock() } }`, "", verdict.Violated, "panic"},
		{"an operation that spins until another has begun", `
type Box struct{ on atomic.Bool }
func (b *Box) Open() { b.on.Store(true) }
func (b *Box) Wait() { for !b.on.Load() {} }`, "", verdict.Verified, ""},
		{"an operation that waits where nobody can help, and would not if another one came first", `
type Box struct{ mu sync.Mutex; stale, closed bool; never chan int }
func (b *Box) Forget() { b.mu.Lock(); defer b.mu.Unlock(); b.stale = true }
func (b *Box) Put() bool { b.mu.Lock(); defer b.mu.Unlock(); if b.stale && !b.closed { <-b.never }; return !b.closed }
func (b *Box) Close() { b.mu.Lock(); defer b.mu.Unlock(); b.closed = true }`, "", verdict.Violated, "deadlock"},
		{"a race beside one who counts to ten thousand", `
type Box struct{ turn atomic.Int64; n int }
func (b *Box) Wait() { for i := 0; b.turn.Load() < 2; { if i == 10000 { time.Sleep(1); i = 0 } else { i++ } }; b.turn.Store(0) }
func (b *Box) Inc() { b.turn.Add(1); b.n++ }`, "", verdict.Violated, "race"},
		{"an operation that spins for nothing", `
type Box struct{ on atomic.Bool }
func (b *Box) Open() { b.on.Store(false) }
func (b *Box) Wait() { for !b.on.Load() {} }`, "", verdict.Violated, "livelock"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if level.Out(i, 2) {
				t.Skip("every second will do, the first in short; -level more tries all")
			}
			r := pangolin.Request{Kind: "object", Protocol: c.protocol, Scope: pangolin.Scope{Threads: "1..2", Steps: "1..2"}}
			v := verifySource(t, head+c.source+"\n", r)
			class := ""
			if v.Violation != nil {
				class = v.Violation.Class
			}
			if v.Status != c.status || class != c.class {
				t.Errorf("%s %q: %s; want %s %q", v.Status, class, v.Reason, c.status, c.class)
			}
			r.Scope = pangolin.Scope{Threads: "1", Steps: "1"}
			if v := verifySource(t, head+c.source+"\n", r); c.status == verdict.Verified && c.protocol == "" && v.Status != verdict.Verified {
				t.Errorf("one call of one thread: %s: %s", v.Status, v.Reason)
			}
		})
	}
}

// The limit on time holds for what the oracle executes, and what it could not decide is
// unknown.
func TestSelf_GivesUpInTime(t *testing.T) {
	level.SkipShort(t, "searches as far as a limit")
	const source = `package example

import "sync/atomic"

type Box struct{ n atomic.Int64 }

func (b *Box) All() {
	for range 24 {
		go func() { b.n.Add(1); b.n.Load() }()
	}
}

func (b *Box) Get() int { return int(b.n.Load()) }
`
	v := verifySource(t, source, pangolin.Request{Kind: "object", Scope: pangolin.Scope{Threads: "1", Steps: "1..2"},
		Search: pangolin.Search{Timeout: 300 * time.Millisecond}})
	if v.Status != verdict.Unknown || !strings.Contains(v.Reason, "time") {
		t.Errorf("%s: %s", v.Status, v.Reason)
	}
}

// Whether other calls could let a call return that waits alone is tried with so many states only. A verdict
// that would rest on a hope beyond them is unknown, and says so.
func TestSelf_SaysWhatItHasGivenUp(t *testing.T) {
	level.SkipShort(t, "verifies several types")
	source := func(add string) string {
		return "package example\n\nimport \"sync/atomic\"\n\ntype Box struct {\n\ta, b atomic.Int64\n\tc    chan int\n}\n\n" +
			"func NewBox() *Box { return &Box{c: make(chan int)} }\n\nfunc (b *Box) Wait() { <-b.c }\n\nfunc (b *Box) Add(n int) { " + add + " }\n"
	}
	for _, c := range []struct {
		add    string
		states uint64
		told   bool
	}{
		{"if b.a.Add(int64(n)) < 0 { b.c <- n }; b.b.Add(b.a.Load())", 1000, true},
		{"if b.a.Add(int64(n)) < 0 { b.c <- n }; b.b.Add(b.a.Load())", 0, true},
		{"b.a.Add(int64(n)); b.b.Add(b.a.Load())", 0, false}, // nobody sends
		{"b.a.Store(1)", 0, false},
		{"select { case b.c <- n: default: }", 1000, false},
	} {
		v, err := trySource(t, source(c.add), pangolin.Request{Kind: "object", Oracle: "self", Type: "Box",
			Scope: pangolin.Scope{Threads: "1..2", Steps: "1..1"}, Search: pangolin.Search{MaxStates: c.states}})
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Contains(v.Reason, "did not tell whether other calls could let Wait return where it waits alone")
		if got != c.told || got && v.Status != verdict.Unknown {
			t.Errorf("%s, up to %d states: %s %q", c.add, c.states, v.Status, v.Reason)
		}
	}
}
