// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"context"
	"runtime"
	"syscall"
	"testing"
	"time"

	"pangolin"
	"pangolin/internal/front"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// A limit on time ends everything that is done on the way to a verdict, whatever that is.

// buffer waits in its constructor for nobody, has a goroutine beside its operations and operations that meet it: the code itself is the
// oracle, which explores what could let each waiting call return.
const buffer = `package buffer

type Buffer struct {
	input, output chan int
	length        chan int
}

func NewBuffer() *Buffer {
	b := &Buffer{input: make(chan int), output: make(chan int), length: make(chan int)}
	go b.run()
	return b
}

func (b *Buffer) In() chan<- int  { return b.input }
func (b *Buffer) Out() <-chan int { return b.output }
func (b *Buffer) Len() int        { return <-b.length }
func (b *Buffer) Close()          { close(b.input) }

func (b *Buffer) run() {
	var items []int
	for in := b.input; in != nil || len(items) > 0; {
		var out chan int
		first := 0
		if len(items) > 0 {
			out, first = b.output, items[0]
		}
		select {
		case v, ok := <-in:
			if !ok {
				in = nil
				continue
			}
			items = append(items, v)
		case out <- first:
			items = items[1:]
		case b.length <- len(items):
		}
	}
	close(b.output)
}
`

// long computes within an operation, without any access that others see.
const long = `package long

import "sync"

type Sum struct {
	mu sync.Mutex
	n  int
}

func (s *Sum) Add(v int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range 1 << 30 {
		s.n ^= i * v
	}
	return s.n
}

func (s *Sum) Get() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}
`

// hope has a Wait of which no search tells whether it may return: what others do has no bounds, and lets it return where nobody comes.
const hope = `package hope

import "sync/atomic"

type Box struct {
	a, b atomic.Int64
	c    chan int
}

func NewBox() *Box { return &Box{c: make(chan int)} }

func (b *Box) Wait() { <-b.c }

func (b *Box) Add(n int) {
	if b.a.Add(int64(n)) < 0 {
		b.c <- n
	}
	b.b.Add(b.a.Load())
}
`

// processor is the time of processors that this process has used.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestVerify_NothingIsDeafToTheLimitOnTime(t *testing.T) {
	level.SkipShort(t, "verifies a hundred packages, a tenth of a second each")
	servers := map[string]string{}
	for _, p := range serverPackages(t) {
		servers[p.name+"/"+p.file] = p.source
	}
	deaf := map[string]string{"buffer/buffer.go": buffer, "long/long.go": long, "hope/hope.go": hope}
	for _, r := range []struct {
		pangolin.Request
		limit time.Duration
	}{
		{pangolin.Request{Dir: writeModule(t, deaf), Packages: []string{"./..."}}, 3 * time.Second},
		{pangolin.Request{Dir: writeModule(t, servers), Packages: []string{"./..."}}, 100 * time.Millisecond},
		{pangolin.Request{Packages: []string{"./collections/..."}}, 100 * time.Millisecond},
	} {
		limit := r.limit
		if level.More() {
			limit = max(limit, time.Second)
		}
		r.Search.Timeout = limit
		last := processor(t)
		r.Events.Verdict = func(v verdict.Verdict) {
			// Time of processors is measured, of which a machine that has other things to do gives less; each may be used. Two seconds
			// are for loading, which no limit ends: what was deaf took minutes.
			now := processor(t)
			if took := now - last; took > (limit*6/5+2*time.Second)*time.Duration(runtime.GOMAXPROCS(0)) {
				t.Errorf("%s: %v of processors with a limit of %v: %s %s", v.Collection, took, limit, v.Status, v.Reason)
			}
			last = now
		}
		if _, err := pangolin.Verify(front.Share(context.Background()), r.Request); err != nil {
			t.Error(err)
		}
	}
}
