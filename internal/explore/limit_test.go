// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"pangolin/internal/store"
	"pangolin/internal/test/level"
)

// endless has states without end: its limit is never reached.
var endless = counters{agents: 3, limit: 1 << 40}

func TestRun_VisitsNoMoreThanMaxStates(t *testing.T) {
	for _, opt := range configurations() {
		var mu sync.Mutex
		visits := uint64(0)
		opt.MaxStates = 500
		opt.Visit = func(Cursor, Trail, int) Action {
			mu.Lock()
			defer mu.Unlock()
			visits++
			return Continue
		}
		got := Run(context.Background(), endless, opt)
		if got.States != 500 || visits != 500 || got.Limit != LimitStates || got.Complete || got.Stopped {
			t.Errorf("%s: %d visits, %+v", name(opt), visits, got)
		}
	}
}

func TestRun_IsCompleteWithExactlyMaxStates(t *testing.T) {
	for _, opt := range configurations() {
		opt.MaxStates = 27
		got := Run(context.Background(), counters{agents: 3, limit: 2}, opt)
		if got.States != 27 || got.Limit != NoLimit || !got.Complete {
			t.Errorf("%s: %+v", name(opt), got)
		}
	}
}

func TestRun_EndsAtMaxBytes(t *testing.T) {
	level.SkipShort(t, "fills memory")
	for _, opt := range configurations() {
		opt.MaxBytes = 3 << 20
		got := Run(context.Background(), endless, opt)
		if got.Limit != LimitBytes || got.Complete || got.PeakBytes <= opt.MaxBytes || got.PeakBytes > 2*opt.MaxBytes {
			t.Errorf("%s: %+v", name(opt), got)
		}
	}
}

func TestRun_EndsAtTheTimeout(t *testing.T) {
	for _, opt := range configurations() {
		opt.Timeout = 20 * time.Millisecond
		opt.MaxBytes = 1 << 30 // in case it does not
		got := Run(context.Background(), endless, opt)
		if got.Limit != LimitTime || got.Complete {
			t.Errorf("%s: %+v", name(opt), got)
		}
	}
}

func TestRun_EndsWhenTheContextIsCancelled(t *testing.T) {
	for _, opt := range configurations() {
		ctx, cancel := context.WithCancel(context.Background())
		var once sync.Once
		opt.MaxBytes = 1 << 30
		opt.Visit = func(_ Cursor, _ Trail, depth int) Action {
			if depth == 20 {
				once.Do(cancel)
			}
			return Continue
		}
		got := Run(ctx, endless, opt)
		if got.Limit != LimitCancelled || got.Complete {
			t.Errorf("%s: %+v", name(opt), got)
		}
	}
}

// What stops a search from outside is known whenever the search ends because of it.
func TestRun_NeverEndsEarlyWithoutAReason(t *testing.T) {
	for range 100 {
		ctx, cancel := context.WithCancel(context.Background())
		got := Run(ctx, endless, Options{MaxBytes: 1 << 30, ProgressEvery: 100, Progress: func(Progress) {
			cancel()
			time.Sleep(time.Millisecond) // the search notices while it reports
		}})
		if got.Limit != LimitCancelled || got.Complete || got.Stopped {
			t.Fatalf("%+v", got)
		}
	}
}

func TestRun_DoesNothingInACancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, opt := range configurations() {
		got := Run(ctx, endless, opt)
		if got.States != 0 || got.Limit != LimitCancelled {
			t.Errorf("%s: %+v", name(opt), got)
		}
	}
}

func TestRun_StopsWhenTheVisitorSaysSo(t *testing.T) {
	for _, opt := range configurations() {
		opt.Visit = func(_ Cursor, _ Trail, depth int) Action {
			if depth == 7 {
				return Stop
			}
			return Continue
		}
		got := Run(context.Background(), endless, opt)
		if !got.Stopped || got.Complete || got.Limit != NoLimit || got.Depth != 7 {
			t.Errorf("%s: %+v", name(opt), got)
		}
	}
}

func TestRun_ReportsProgressByCountOfStates(t *testing.T) {
	for _, opt := range configurations() {
		opt.ProgressEvery = 100
		var list []Progress
		opt.Progress = func(p Progress) { list = append(list, p) }
		got := Run(context.Background(), counters{agents: 3, limit: 9}, opt)
		if len(list) < 9 || len(list) > 10 {
			t.Errorf("%s: %d reports of 1000 states; want 10", name(opt), len(list))
		}
		for i, p := range list {
			if opt.Workers == 1 && p.States != uint64(100*(i+1)) || p.States > got.States || p.Bytes <= 0 || p.Depth > got.Depth {
				t.Errorf("%s: report %d: %+v", name(opt), i, p)
			}
		}
	}
}

// faulty panics in some state.
type faulty struct{ counters }

type faultyCursor struct{ Cursor }

func (f faulty) NewCursor() Cursor { return faultyCursor{f.counters.NewCursor()} }

func (f faultyCursor) Step(m Move, c *Choices) {
	f.Cursor.Step(m, c)
	if f.Cursor.(*counting).count[1] == 5 {
		panic(errors.New("the system is broken"))
	}
}

func TestRun_PanicsInItsCallerWhenTheSystemDoes(t *testing.T) {
	for _, opt := range configurations() {
		checkPanics(t, name(opt), "the system is broken", func() {
			Run(context.Background(), faulty{counters{agents: 3, limit: 9}}, opt)
		})
	}
}

func TestOptions_ThatContradictThemselvesAreRefused(t *testing.T) {
	for want, opt := range map[string]Options{
		"workers":        {Workers: -1},
		"unknown order":  {Order: 2},
		"unknown store":  {Store: 7},
		"depth-first":    {Order: BreadthFirst, Cycles: true},
		"edges are":      {Order: BreadthFirst, OnEdge: func(*Edge) Action { return Continue }},
		"without Cycles": {OnComponent: func(*Component) Action { return Continue }},
		"negative limit": {MaxBytes: -1},
	} {
		checkPanics(t, fmt.Sprintf("%+v", opt.Order), want, func() { Run(context.Background(), endless, opt) })
	}
}

func TestResult_SaysHowManyCollisionsToExpect(t *testing.T) {
	sys := counters{agents: 2, limit: 31}
	for kind, want := range map[store.Kind]float64{store.Hash64: 1.0 / (1 << 45), store.Hash128: 0x1p-109, store.Exact: 0} {
		got := Run(context.Background(), sys, Options{Store: kind})
		if got.States != 1024 || got.Store != kind || got.Collisions != want {
			t.Errorf("%v: %+v; want %g collisions", kind, got, want)
		}
	}
}
