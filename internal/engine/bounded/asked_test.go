// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"testing"

	"pangolin"
	"pangolin/internal/engine"
	"pangolin/internal/engines"
	"pangolin/verdict"
)

// A question about a subject is answered as if none had been asked before: with few states it does not become known whether Put lets Get return, with
// more it does, whatever was asked first.
func TestDecide_IsAsIfNothingHadBeenAskedBefore(t *testing.T) {
	dir := modules.Dir(t, `package example

import "sync"

type Box struct {
	mu sync.Mutex
	c  *sync.Cond
	n  int
}

func NewBox() *Box { b := &Box{}; b.c = sync.NewCond(&b.mu); return b }

func (b *Box) Get() int { b.mu.Lock(); defer b.mu.Unlock(); for b.n == 0 { b.c.Wait() }; b.n--; return b.n }

func (b *Box) Put() { b.mu.Lock(); defer b.mu.Unlock(); b.n = 1; b.c.Signal() }
`)
	p, err := pangolin.Prepare(modules.Context, pangolin.Request{Dir: dir, Oracle: "self", Scope: pangolin.Scope{Threads: "1..2", Steps: "1..1"}})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := p.Jobs(modules.Context)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engines.Find("bounded", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, states := range []uint64{0, 3, 0, 3, 0} {
		j := *jobs[0]
		j.MaxStates = states
		v, err := e.Decide(t.Context(), &j, engine.Events{})
		if err != nil {
			t.Fatal(err)
		}
		want := verdict.Verified
		if states > 0 {
			want = verdict.Unknown
		}
		if v.Status != want {
			t.Errorf("at most %d states: %s (%s), want %s", states, v.Status, v.Reason, want)
		}
	}
}
