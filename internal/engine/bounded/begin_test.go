// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// An invocation goes with the operation's first access, but goroutines and timers that the operation has
// started before may come in between.
func TestInvocation_LetsWhatItHasStartedGoFirst(t *testing.T) {
	const head = "package example\n\nimport (\n\t\"context\"\n\t\"sync\"\n\t\"sync/atomic\"\n\t\"time\"\n)\n\nvar (\n\t_ sync.Mutex\n\t_ atomic.Int64\n\t_ time.Time\n\t_ context.Context\n)\n\n" +
		"type Box struct {\n\tn, k int\n\ta    atomic.Int64\n\tmu   sync.Mutex\n}\n\nfunc NewBox() *Box { return new(Box) }\n\nfunc (b *Box) Get() int { return b.n }\n\n"
	for i, c := range []struct {
		name, op string
		class    string // of the violation; "": verified
	}{
		{"a goroutine comes before the first access", `func (b *Box) Op() { var a atomic.Int64; go a.Store(1); if a.Load() == 1 { b.n++ } }`, "race"},
		{"a goroutine comes before the first lock", `func (b *Box) Op() { var mu sync.Mutex; k := 0; go func() { mu.Lock(); k = 1; mu.Unlock() }(); mu.Lock(); if k == 1 { b.n++ }; mu.Unlock() }`, "race"},
		{"a timer fires before it is stopped", `func (b *Box) Op() { t := time.AfterFunc(time.Hour, func() { b.n++ }); t.Stop() }`, "race"},
		{"a timer has fired when it is stopped", `func (b *Box) Op() { t := time.AfterFunc(time.Hour, func() {}); if !t.Stop() { b.n++ } }`, "race"},
		{"a timer fires before it is set again", `func (b *Box) Op() { t := time.AfterFunc(time.Hour, func() {}); if !t.Reset(time.Hour) { b.n++ }; t.Stop() }`, "race"},
		{"a timer that sends", `func (b *Box) Op() { t := time.NewTimer(time.Hour); go func() { <-t.C; b.n++ }(); t.Stop() }`, "race"},
		{"a context is cancelled before it is asked", `func (b *Box) Op() { ctx, cancel := context.WithCancel(context.Background()); go cancel(); if ctx.Err() != nil { b.n++ } }`, "race"},
		{"a goroutine of a wait group", `func (b *Box) Op() { var a atomic.Int64; var wg sync.WaitGroup; wg.Go(func() { a.Store(1) }); if a.Load() == 1 { b.n++ }; wg.Wait() }`, "race"},
		{"a send to who is there", `func (b *Box) Op() { c := make(chan int); go func() { <-c }(); select { case c <- 1: b.n++; default: close(c) } }`, "race"},
		{"a goroutine that comes later", `func (b *Box) Op() { var a atomic.Int64; if a.Load() == 1 { b.n++ }; c := make(chan int); go func() { a.Store(1); close(c) }(); <-c }`, ""},
		{"a goroutine that is waited for first", `func (b *Box) Op() { var a atomic.Int64; c := make(chan int); go func() { <-c; a.Store(1) }(); if a.Load() == 1 { b.n++ }; close(c) }`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if level.Out(i, 1) {
				t.Skip("the first will do in short")
			}
			for k, reduce := range []string{"", "none", "fusing", "steps"} {
				if k > 0 && k != 1+i%3 && !level.More() {
					continue // with -level more each in all ways
				}
				v := verifySource(t, head+c.op, pangolin.Request{Kind: "object", Oracle: "self", Type: "Box",
					Scope: pangolin.Scope{Threads: "1..2", Steps: "1..2"}, Program: pangolin.Program{Leaks: "none"}, Search: pangolin.Search{Reduce: pangolin.Reduce(reduce)}})
				switch {
				case c.class == "" && v.Status != verdict.Verified, c.class != "" && (v.Violation == nil || v.Violation.Class != c.class):
					t.Errorf("with %q: %s %s", reduce, v.Status, v.Reason)
				}
			}
		})
	}
}
