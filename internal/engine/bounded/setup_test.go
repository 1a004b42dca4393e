// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// The constructor and the pre-adds go on beside the goroutines that they start.
func TestSetup_GoesOnBesideGoroutines(t *testing.T) {
	level.SkipShort(t, "verifies many small types")
	const head = "package example\n\nimport \"sync/atomic\"\n\nvar _ atomic.Int64\n"
	// actor is a queue that a goroutine keeps; loop is what it does with a request.
	actor := func(fields, begin, loop string) string {
		return head + `
type request struct{ v int; reply chan answer }
type answer struct{ v int; ok bool }

type Queue struct {
	put, get chan request
	` + fields + `
}

func NewQueue() *Queue {
	q := &Queue{put: make(chan request), get: make(chan request)}
	go q.serve()
	` + begin + `
	return q
}

func (q *Queue) serve() {
	var list []int
	for {
		select {
		case r := <-q.put:
			list = append(list, r.v)
			r.reply <- answer{}
		case r := <-q.get:
			if len(list) == 0 {
				r.reply <- answer{}
				continue
			}
			r.reply <- answer{list[0], true}
			list = list[1:]
			` + loop + `
		}
	}
}

func (q *Queue) Enqueue(v int) {
	r := request{v, make(chan answer)}
	q.put <- r
	<-r.reply
}

func (q *Queue) Dequeue() (int, bool) {
	r := request{0, make(chan answer)}
	q.get <- r
	a := <-r.reply
	return a.v, a.ok
}
`
	}
	for _, c := range []struct {
		name, source string
		preAdds      string
		status       verdict.Status
		class, what  string // of a violation; what of its summary or of the error
	}{
		{"pre-adds to an actor", actor("", "", ""), "1", verdict.Verified, "", ""},
		{"pre-adds to an actor, several", actor("", "", ""), "2", verdict.Verified, "", ""},
		{"an actor that loses an item", actor("", "", "if len(list) == 1 { list = nil }"), "2", verdict.Violated, "history", ""},
		{"the constructor writes what its goroutine reads", head + `
type Box struct{ n, started int }
func NewBox() *Box { b := &Box{}; go func() { b.started = b.n }(); b.n = 1; return b }
func (b *Box) Get() int { return 1 }`, "0", verdict.Violated, "race", "Box"},
		{"the constructor writes before it starts a goroutine", head + `
type Box struct{ n int; a atomic.Int64 }
func NewBox() *Box { b := &Box{n: 1}; go func() { b.a.Store(int64(b.n)) }(); return b }
func (b *Box) Get() int { return b.n }`, "0", verdict.Verified, "", ""},
		{"the constructor waits for its goroutine", head + `
type Box struct{ n int }
func NewBox() *Box { b := &Box{}; c := make(chan int); go func() { b.n = 1; close(c) }(); <-c; return b }
func (b *Box) Get() int { return b.n }`, "0", verdict.Verified, "", ""},
		{"the constructor spins until its goroutine has begun", head + `
type Box struct{ on atomic.Bool }
func NewBox() *Box { b := &Box{}; go b.on.Store(true); for !b.on.Load() {}; return b }
func (b *Box) Get() bool { return b.on.Load() }`, "0", verdict.Verified, "", ""},
		{"the constructor does not wait for its goroutine", head + `
type Box struct{ n atomic.Int64 }
func NewBox() *Box { b := &Box{}; go b.n.Store(1); b.n.Store(2); return b }
func (b *Box) Get() int { return int(b.n.Load()) }
func (b *Box) Bad() { if b.n.Load() == 1 { panic("overwritten") } }`, "0", verdict.Verified, "", ""}, // self knows that, too
		{"a goroutine of the constructor crashes", head + `
type Box struct{ n atomic.Int64 }
func NewBox() *Box { b := &Box{}; go func() { if b.n.Load() == 1 { panic("seen") } }(); b.n.Store(1); b.n.Store(2); return b }
func (b *Box) Get() int { return 1 }`, "0", verdict.Violated, "panic", "seen"},
		{"the constructor waits for ever if its goroutine is fast", head + `
type Box struct{ c chan int; n atomic.Int64 }
func NewBox() *Box {
	b := &Box{c: make(chan int)}
	go func() { if b.n.Load() == 0 { b.c <- 1 } }()
	b.n.Store(1)
	<-b.c
	return b
}
func (b *Box) Get() int { return 1 }`, "0", "", "", "the constructor does not return"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, s := range []pangolin.Search{{}, {Reduce: "none"}, {Clients: true}} {
				r := pangolin.Request{Scope: pangolin.Scope{Threads: "1..2", Steps: "1..2", PreAdds: pangolin.Range(c.preAdds)}, Search: s}
				if c.preAdds == "0" {
					r.Kind, r.Type = "object", "Box"
				}
				v, err := trySource(t, c.source, r)
				if err != nil {
					if c.status != "" || !strings.Contains(err.Error(), c.what) {
						t.Errorf("%+v: %v", s, err)
					}
					continue
				}
				class, summary := "", ""
				if v.Violation != nil {
					class, summary = v.Violation.Class, v.Violation.Summary
				}
				if v.Status != c.status || class != c.class || !strings.Contains(summary, c.what) {
					t.Errorf("%+v: %s %q %s; want %s %q", s, v.Status, class, v.Reason, c.status, c.class)
				}
			}
		})
	}
}
