// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"context"
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

func TestVerify_NothingIsDeafToTheLimitOnTime(t *testing.T) {
	level.SkipShort(t, "verifies a hundred packages, a tenth of a second each")
	servers := map[string]string{}
	for _, p := range serverPackages(t) {
		servers[p.name+"/"+p.file] = p.source
	}
	deaf := map[string]string{"buffer/buffer.go": buffer, "long/long.go": long}
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
		last := time.Now()
		r.Events.Verdict = func(v verdict.Verdict) {
			// Two seconds beside the fifth are for a machine that has other things to do: what was deaf took minutes.
			if took := time.Since(last); took > limit*6/5+2*time.Second {
				t.Errorf("%s: %v with a limit of %v: %s %s", v.Collection, took, limit, v.Status, v.Reason)
			}
			last = time.Now()
		}
		if _, err := pangolin.Verify(front.Share(context.Background()), r.Request); err != nil {
			t.Error(err)
		}
	}
}
