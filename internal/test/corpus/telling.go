// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Told is a program in which a goroutine writes x and does one thing, and another does the other and reads x: a data race or not. Every
// program tells somewhere without ordering, so that races are decided by what orders them: a row that is clean
// shows that an edge is there, one that is a race that none is.
type Told struct {
	Name, Imports, Vars, Start, One, Other string
	Race                                   bool
}

// Tellings is a table of operations that order, or tell without ordering (doc/races.md).
func Tellings() []Told { return told }

var told = []Told{
	// What tells without ordering.
	{"len of a channel", "", "c = make(chan int, 1)", "", "x = 1; c <- 0", "for len(c) == 0 { runtime.Gosched() }; println(x)", true},
	{"len of a channel, then receive", "", "c = make(chan int, 1)", "", "x = 1; c <- 0", "for len(c) == 0 { runtime.Gosched() }; <-c; println(x)", false},
	{"len of a channel that is drained", "", "c = make(chan int, 1)", "c <- 0", "x = 1; <-c", "for len(c) == 1 { runtime.Gosched() }; println(x)", true},
	{"len of a channel that is drained, then send", "", "c = make(chan int, 1)", "c <- 0", "x = 1; <-c", "for len(c) == 1 { runtime.Gosched() }; c <- 0; println(x)", false},
	{"default of a send", "", "c = make(chan int, 1)", "", "x = 1; c <- 0", "select { case c <- 1: <-c; default: println(x) }", true},
	{"default of a send, then receive", "", "c = make(chan int, 1)", "", "x = 1; c <- 0", "select { case c <- 1: <-c; default: <-c; println(x) }", false},
	{"default of a receive", "", "c = make(chan int, 1)", "c <- 0", "x = 1; <-c", "select { case <-c: c <- 0; default: println(x) }", true},
	{"default of a receive, then send", "", "c = make(chan int, 1)", "c <- 0", "x = 1; <-c", "select { case <-c: c <- 0; default: c <- 0; println(x) }", false},
	{"TryLock that fails", "", "m sync.Mutex", "", "x = 1; m.Lock()", "if !m.TryLock() { println(x) }", true},
	{"TryLock that fails, then Lock", "", "m sync.Mutex", "", "x = 1; m.Lock(); m.Unlock()", "if !m.TryLock() { m.Lock(); println(x) }", false},
	{"TryLock that succeeds", "", "m sync.Mutex", "", "m.Lock(); x = 1; m.Unlock()", "if m.TryLock() { println(x) }", false},
	{"TryRLock that fails", "", "m sync.RWMutex", "", "x = 1; m.Lock()", "if !m.TryRLock() { println(x) }", true},
	{"TryRLock that fails, then RLock", "", "m sync.RWMutex", "", "x = 1; m.Lock(); m.Unlock()", "if !m.TryRLock() { m.RLock(); println(x) }", false},
	{"TryRLock that succeeds", "", "m sync.RWMutex", "", "m.Lock(); x = 1; m.Unlock()", "if m.TryRLock() { println(x) }", false},
	{"TryLock that fails for a reader", "", "m sync.RWMutex", "", "x = 1; m.RLock()", "if !m.TryLock() { println(x) }", true},
	{"TryLock that fails for a reader, then Lock", "", "m sync.RWMutex", "", "x = 1; m.RLock(); m.RUnlock()", "if !m.TryLock() { m.Lock(); println(x) }", false},
	{"send on a closed channel", "", "c = make(chan int, 1)", "", "x = 1; close(c)", "if panics(func() { c <- 0 }) { println(x) }", true},
	{"send on a closed channel, then receive", "", "c = make(chan int, 1)", "", "x = 1; close(c)", "if panics(func() { c <- 0 }) { <-c; println(x) }", false},
	{"close of a closed channel", "", "c = make(chan int)", "", "x = 1; panics(func() { close(c) })", "if panics(func() { close(c) }) { println(x) }", true},
	{"close of a closed channel, then receive", "", "c = make(chan int)", "", "x = 1; panics(func() { close(c) })", "if panics(func() { close(c) }) { <-c; println(x) }", false},
	{"the second of two receives", "", "c = make(chan int, 2)", "c <- 1; c <- 2", "x = 1; <-c", "if <-c == 2 { println(x) }", true},
	{"the second of two receives, one buffered", "", "c = make(chan int, 1)", "c <- 1", "x = 1; <-c; c <- 2", "if <-c == 2 { println(x) }", false},
	{"the end of a closed channel", "", "c = make(chan int, 1)", "c <- 1; close(c)", "x = 1; <-c", "if _, ok := <-c; !ok { println(x) }", true},
	{"the end of a closed channel, closed behind", "", "c = make(chan int, 1)", "c <- 1", "x = 1; <-c; close(c)", "if _, ok := <-c; !ok { println(x) }", false},
	{"NumGoroutine", "", "", "", "x = 1", "for runtime.NumGoroutine() > 1 { runtime.Gosched() }; println(x)", true},
	{"NumGoroutine, then receive", "", "", "", "x = 1", "for runtime.NumGoroutine() > 1 { runtime.Gosched() }; <-done; done <- true; println(x)", false},
	{"Unlock of what another has locked", "", "m sync.Mutex", "", "x = 1; m.Lock()", "m.Unlock(); println(x)", true},
	{"Unlock of what another has locked and told of", "", "m sync.Mutex; c = make(chan int)", "", "x = 1; m.Lock(); c <- 0", "<-c; m.Unlock(); println(x)", false},
	{"RUnlock of what another has locked", "", "m sync.RWMutex", "", "x = 1; m.RLock()", "m.RUnlock(); println(x)", true},
	{"Unlock of what another has locked for writing", "", "m sync.RWMutex", "", "x = 1; m.Lock()", "m.Unlock(); println(x)", true},
	{"Done of what another has added", "", "g sync.WaitGroup", "", "x = 1; g.Add(1)", "if !panics(g.Done) { println(x) }", true},
	{"Done of what another has added, then Wait", "", "g sync.WaitGroup", "g.Add(1)", "x = 1; g.Done()", "g.Wait(); println(x)", false},
	{"Stop of a stopped timer", `"time"`, "t = time.NewTimer(time.Hour)", "", "x = 1; t.Stop()", "if !t.Stop() { println(x) }", true},
	{"Reset of a stopped timer", `"time"`, "t = time.NewTimer(time.Hour)", "", "x = 1; t.Stop()", "if !t.Reset(time.Hour) { println(x) }", true},
	{"Stop of a timer that another resets", `"time"`, "t = time.NewTimer(time.Hour)", "t.Stop()", "x = 1; t.Reset(time.Hour)", "if t.Stop() { println(x) }", true},
	// What tells nothing without ordering, be it that it does not order.
	{"default of a receive without a buffer", "", "c = make(chan int)", "", "x = 1; close(c)", "select { case <-c: println(x); default: }", false},
	{"default of a context", `"context"`, "ctx, cancel = context.WithCancel(context.Background())", "", "x = 1; cancel()", "select { case <-ctx.Done(): println(x); default: }", false},
	{"Err of a context", `"context"`, "ctx, cancel = context.WithCancel(context.Background())", "", "x = 1; cancel()", "if ctx.Err() != nil { println(x) }", false},
	{"readers among each other", "", "m sync.RWMutex", "", "x = 1; m.RLock(); m.RUnlock()", "m.RLock(); println(x); m.RUnlock()", true},
	{"readers among each other, told", "", "m sync.RWMutex; c = make(chan int, 1)", "", "x = 1; m.RLock(); m.RUnlock(); c <- 0", "for len(c) == 0 { runtime.Gosched() }; m.RLock(); println(x); m.RUnlock()", true},
	// What orders.
	{"Mutex", "", "m sync.Mutex", "", "m.Lock(); x = 1; m.Unlock()", "m.Lock(); println(x); m.Unlock()", false},
	{"Mutex taken too late", "", "m sync.Mutex; c = make(chan int, 1)", "", "m.Lock(); m.Unlock(); x = 1; c <- 0", "for len(c) == 0 { runtime.Gosched() }; m.Lock(); println(x); m.Unlock()", true},
	{"RWMutex, writer and reader", "", "m sync.RWMutex", "", "m.Lock(); x = 1; m.Unlock()", "m.RLock(); println(x); m.RUnlock()", false},
	{"RWMutex, reader and writer", "", "m sync.RWMutex", "", "m.RLock(); println(x); m.RUnlock()", "m.Lock(); x = 1; m.Unlock()", false},
	{"channel without a buffer", "", "c = make(chan int)", "", "x = 1; c <- 0", "<-c; println(x)", false},
	{"channel without a buffer, the other way", "", "c = make(chan int)", "", "x = 1; <-c", "c <- 0; println(x)", false},
	{"channel with a buffer", "", "c = make(chan int, 2)", "", "x = 1; c <- 0", "<-c; println(x)", false},
	{"channel with a buffer, the second value", "", "c = make(chan int, 2)", "c <- 0", "x = 1; c <- 0", "<-c; <-c; println(x)", false},
	{"channel with a buffer, the other way", "", "c = make(chan int, 1)", "c <- 0", "x = 1; <-c", "c <- 0; println(x)", false},
	{"channel with a buffer of two, the other way", "", "c = make(chan int, 2)", "c <- 0; c <- 0", "x = 1; <-c", "c <- 0; println(x)", false},
	{"channel with a buffer of two, room left", "", "c = make(chan int, 2); d = make(chan int, 1)", "c <- 0", "x = 1; <-c; d <- 0", "for len(d) == 0 { runtime.Gosched() }; c <- 0; println(x)", true},
	{"close of a channel", "", "c = make(chan int)", "", "x = 1; close(c)", "<-c; println(x)", false},
	{"close of a channel with something in it", "", "c = make(chan int, 1); d = make(chan int, 1)", "c <- 0", "x = 1; close(c); d <- 0", "for len(d) == 0 { runtime.Gosched() }; <-c; println(x)", true},
	{"select", "", "c = make(chan int, 1); d = make(chan int)", "", "x = 1; c <- 0", "select { case <-c: println(x); case <-d: }", false},
	{"go", "", "c = make(chan int, 1)", "", "x = 1; go func() { x = 2; c <- 0 }()", "<-c; println(x)", false},
	{"go, behind it", "", "c = make(chan int, 1)", "", "go func() { c <- 0 }(); x = 1", "<-c; println(x)", true},
	{"atomic store and load", `"sync/atomic"`, "a atomic.Int32", "", "x = 1; a.Store(1)", "if a.Load() == 1 { println(x) }", false},
	{"atomic add and add", `"sync/atomic"`, "a atomic.Int32", "", "x = 1; a.Add(1)", "if a.Add(1) == 2 { println(x) }", false},
	{"atomic swap and swap", `"sync/atomic"`, "a atomic.Int32", "", "x = 1; a.Swap(1)", "if a.Swap(2) == 1 { println(x) }", false},
	{"compare-and-swap", `"sync/atomic"`, "a atomic.Int32", "", "x = 1; a.Store(1)", "if a.CompareAndSwap(1, 2) { println(x) }", false},
	{"compare-and-swap that fails", `"sync/atomic"`, "a atomic.Int32", "", "x = 1; a.Store(1)", "if !a.CompareAndSwap(0, 2) { println(x) }", false},
	{"compare-and-swap that fails, and is not seen", `"sync/atomic"`, "a atomic.Int32; c = make(chan int, 1)", "", "x = 1; a.CompareAndSwap(7, 8); c <- 0", "for len(c) == 0 { runtime.Gosched() }; a.Load(); println(x)", true},
	{"atomic store over a store", `"sync/atomic"`, "a atomic.Int32; c = make(chan int, 1)", "", "x = 1; a.Store(1); c <- 0", "for len(c) == 0 { runtime.Gosched() }; a.Store(2); a.Load(); println(x)", true},
	{"atomic swap over a store", `"sync/atomic"`, "a atomic.Int32; c = make(chan int, 1)", "", "x = 1; a.Store(1); c <- 0", "for len(c) == 0 { runtime.Gosched() }; a.Swap(2); println(x)", false},
	{"atomic.Value", `"sync/atomic"`, "v atomic.Value", "", "x = 1; v.Store(1)", "if v.Load() != nil { println(x) }", false},
	{"atomic.Value, compare-and-swap that fails", `"sync/atomic"`, "v atomic.Value", "v.Store(0)", "x = 1; v.Store(1)", "if !v.CompareAndSwap(0, 2) { println(x) }", false},
	{"sync.Map", "", "m sync.Map", "", "x = 1; m.Store(1, 1)", "if _, ok := m.Load(1); ok { println(x) }", false},
	{"sync.Map, LoadOrStore that loads", "", "m sync.Map", "", "x = 1; m.Store(1, 1)", "if _, ok := m.LoadOrStore(1, 2); ok { println(x) }", false},
	{"sync.Map, LoadOrStore that stores", "", "m sync.Map", "", "x = 1; m.LoadOrStore(1, 1)", "if _, ok := m.Load(1); ok { println(x) }", false},
	{"sync.Map, LoadOrStore that loads, and is not seen", "", "m sync.Map; c = make(chan int, 1)", "m.Store(1, 1)", "x = 1; m.LoadOrStore(1, 2); c <- 0", "for len(c) == 0 { runtime.Gosched() }; m.Load(1); println(x)", true},
	{"sync.Map, CompareAndSwap that fails", "", "m sync.Map", "m.Store(1, 0)", "x = 1; m.Store(1, 1)", "if !m.CompareAndSwap(1, 0, 2) { println(x) }", false},
	{"sync.Map, what is gone", "", "m sync.Map", "m.Store(1, 1)", "x = 1; m.Delete(1)", "if _, ok := m.Load(1); !ok { println(x) }", false},
	{"sync.Map, Range", "", "m sync.Map", "", "x = 1; m.Store(1, 1)", "m.Range(func(k, v any) bool { println(x); return false })", false},
	{"sync.Pool", "", "p sync.Pool", "", "x = 1; p.Put(1)", "if p.Get() != nil { println(x) }", false},
	{"sync.Pool, nothing got", "", "p sync.Pool; c = make(chan int, 1)", "", "x = 1; p.Put(1); c <- 0", "for len(c) == 0 { runtime.Gosched() }; if p.Get() == nil { println(x) }", true},
	{"Once", "", "o sync.Once", "", "o.Do(func() { x = 1 })", "o.Do(func() { x = 2 }); println(x)", false},
	{"OnceFunc", "", "f = sync.OnceFunc(func() { x = 1 })", "", "f()", "f(); println(x)", false},
	{"WaitGroup", "", "g sync.WaitGroup", "g.Add(1)", "x = 1; g.Done()", "g.Wait(); println(x)", false},
	{"WaitGroup.Go", "", "g sync.WaitGroup", "", "g.Go(func() { x = 1 }); g.Wait(); println(x)", "", false},
	{"WaitGroup, behind Done", "", "g sync.WaitGroup; c = make(chan int, 1)", "g.Add(1)", "g.Done(); x = 1; c <- 0", "for len(c) == 0 { runtime.Gosched() }; g.Wait(); println(x)", true},
	{"Cond", "", "m sync.Mutex; v = sync.NewCond(&m); b bool", "", "m.Lock(); x = 1; b = true; m.Unlock(); v.Signal()", "m.Lock(); for !b { v.Wait() }; m.Unlock(); println(x)", false},
	{"Cond, by the signal alone", "", "m sync.Mutex; v = sync.NewCond(&m)", "", "m.Lock(); m.Unlock(); x = 1; v.Signal()", "m.Lock(); v.Wait(); m.Unlock(); println(x)", false},
	{"Cond, by a broadcast alone", "", "m sync.Mutex; v = sync.NewCond(&m)", "", "m.Lock(); m.Unlock(); x = 1; v.Broadcast()", "m.Lock(); v.Wait(); m.Unlock(); println(x)", false},
	{"Cond, behind the signal", "", "m sync.Mutex; v = sync.NewCond(&m)", "", "v.Signal(); x = 1", "m.Lock(); v.Wait(); m.Unlock(); println(x)", true},
	{"AfterFunc", `"time"`, "c = make(chan int)", "", "x = 1; time.AfterFunc(0, func() { println(x); c <- 0 })", "<-c", false},
	{"AfterFunc, behind it", `"time"`, "c = make(chan int)", "", "time.AfterFunc(0, func() { println(x); c <- 0 }); x = 1", "<-c", true},
	{"a timer's channel", `"time"`, "t = time.NewTimer(time.Hour)", "t.Stop()", "x = 1; t.Reset(0)", "<-t.C; println(x)", false},
	// What is not a word of its own.
	{"a node that is unlinked", `"sync/atomic"`, "p atomic.Pointer[node]; c = make(chan int, 1)", "p.Store(new(node))", "q := p.Load(); q.v = 1; q = nil; c <- 0", "for len(c) == 0 { runtime.Gosched() }; q := p.Swap(nil); println(q.v)", true},
	{"an atomic word, written plainly", `"sync/atomic"`, "a int32; c = make(chan int, 1)", "", "atomic.StoreInt32(&a, 1); c <- 0", "for len(c) == 0 { runtime.Gosched() }; a = 2", true},
	{"an atomic word, read plainly", `"sync/atomic"`, "a int32; c = make(chan int, 1)", "", "println(a); c <- 0", "for len(c) == 0 { runtime.Gosched() }; atomic.StoreInt32(&a, 1)", true},
	{"a map", "", "m = map[int]int{}; c = make(chan int, 1)", "", "m[1] = 1; c <- 0", "for len(c) == 0 { runtime.Gosched() }; println(m[2])", true},
	{"copy", "", "s = []int{1, 2}; c = make(chan int, 1)", "", "copy(s, []int{3}); c <- 0", "for len(c) == 0 { runtime.Gosched() }; println(s[0])", true},
	{"copy, another element", "", "s = []int{1, 2}; c = make(chan int, 1)", "", "copy(s, []int{3}); c <- 0", "for len(c) == 0 { runtime.Gosched() }; println(s[1])", false},
	{"reads", "", "c = make(chan int, 1)", "", "println(x); c <- 0", "for len(c) == 0 { runtime.Gosched() }; println(x)", false},
}

const tellingProgram = `package main

import (
	"runtime"
	"sync"
	%s
)

type node struct{ v int }

var (
	x    int
	done = make(chan bool, 1)
	tell sync.Mutex
	%s
)

// panics says whether f panics.
func panics(f func()) (b bool) {
	defer func() { b = recover() != nil }()
	f()
	return false
}

func main() {
	%s
	runtime.Gosched()
	panics(func() {})
	%s
	go func() {
		%s
		done <- true
	}()
	%s
	<-done
}
`

// Source is the program.
func (t *Told) Source() string { return t.source("tell.Lock(); tell.TryLock()") }

// Untold is the program that tells nowhere else than in its two halves.
func (t *Told) Untold() string { return t.source("tell.Lock()") }

// Local is Untold with variables of main's own: who is the last to reach them accesses them locally, and may have been told all the same.
func (t *Told) Local() string {
	before, rest, _ := strings.Cut(t.Untold(), "var (")
	vars, rest, _ := strings.Cut(rest, "\n)\n")
	return before + strings.Replace(rest, "func main() {", "func main() {\n\tvar ("+vars+"\n)\n\t_ = x\n", 1)
}

func (t *Told) source(first string) string {
	split := func(list string) string { return strings.ReplaceAll(list, "; ", "\n\t") }
	return fmt.Sprintf(tellingProgram, split(t.Imports), split(t.Vars), first, t.Start, t.One, t.Other)
}

// Telling is a random program of three goroutines that order their accesses, or tell without ordering them. The same seed gives the same program.
func Telling(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 29))
	access := func() string { return []string{"x = 1", "use(x)", "y = 1", "use(y)"}[r.IntN(4)] }
	body := func() string {
		var b strings.Builder
		for range 2 + r.IntN(2) {
			s := steps[r.IntN(len(steps))]
			if r.IntN(3) == 0 {
				s = "X"
			}
			for strings.Contains(s, "X") {
				s = strings.Replace(s, "X", access(), 1)
			}
			b.WriteString("\t\t" + strings.ReplaceAll(s, "; ", "\n\t\t") + "\n")
		}
		return b.String()
	}
	return fmt.Sprintf(randomTelling, body(), body(), body())
}

// steps are what its goroutines do; X is an access.
var steps = []string{
	"m.Lock(); X; m.Unlock()", "m.Lock(); X", "panics(func() { if m.TryLock() { X; m.Unlock() } })", "if !m.TryLock() { X } else { m.Unlock() }",
	"rw.RLock(); X; rw.RUnlock()", "rw.Lock(); X; rw.Unlock()", "if !rw.TryRLock() { X } else { rw.RUnlock() }", "if rw.TryLock() { X; rw.Unlock() }", "rw.RLock(); X",
	"select { case c <- 0: default: X }", "select { case <-c: X; default: }", "select { case <-c: default: X }", "if len(c) == 1 { X }", "c <- 0",
	"select { case d <- 1: default: }", "select { case v := <-d: if v == 2 { X }; default: }", "if len(d) == 1 { X }", "X; <-d",
	"select { case e <- 0: X; default: }", "select { case <-e: X; default: }", "X; e <- 0", "<-e; X",
	"if panics(func() { close(c) }) { X }", "if panics(func() { close(d) }) { X }", "if _, ok := <-d; !ok { X }",
	"a.Store(1)", "if a.Load() == 1 { X }", "if !a.CompareAndSwap(0, 2) { X }", "if a.Add(1) == 2 { X }", "X; a.Store(2)",
	"if panics(g.Done) { X }", "g.Add(1)", "X; panics(g.Done)", "o.Do(func() { X })", "p.Put(1); X", "if p.Get() != nil { X }",
	"X; k.Store(1, 1)", "if _, ok := k.Load(1); ok { X }", "k.Delete(1)", "if _, ok := k.LoadOrStore(1, 2); ok { X }", "go func() { X }()",
	"if runtime.NumGoroutine() < 3 { X }",
}

const randomTelling = `package main

import (
	"runtime"
	"sync"
	"sync/atomic"
)

var (
	x, y int
	m    sync.Mutex
	rw   sync.RWMutex
	c    = make(chan int, 1)
	d    = make(chan int, 2)
	e    = make(chan int)
	a    atomic.Int32
	g    sync.WaitGroup
	o    sync.Once
	p    sync.Pool
	k    sync.Map
)

func use(int) {}

func panics(f func()) (b bool) {
	defer func() { b = recover() != nil }()
	f()
	return false
}

func main() {
	_, _, _, _, _, _ = &m, &rw, &a, &g, &o, &p
	runtime.Gosched()
	d <- 1
	d <- 2
	done := make(chan bool)
	go func() {
%s		done <- true
	}()
	go func() {
%s		done <- true
	}()
	func() {
%s	}()
	<-done
	<-done
}
`
