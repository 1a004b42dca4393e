// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"fmt"
	"reflect"
	"testing"

	"pangolin"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// A limit on work ends a search at the same state each time, whatever the number of workers, and says so; a greater one later, or not at all.
// The oracle of the type is its own code, whose work counts as well.
func TestRun_EndsByWorkNotByTime(t *testing.T) {
	level.SkipShort(t, "verifies a type several times")
	bounded.SearchTogether(t)
	dir := modules.Dir(t, "package example\n\nimport \"sync\"\n\ntype Counter struct {\n\tmu sync.Mutex\n\tn int\n}\n\nfunc (c *Counter) Inc() { c.mu.Lock(); c.n++; go c.Get(); c.mu.Unlock() }\n"+
		"func (c *Counter) Get() int { c.mu.Lock(); defer c.mu.Unlock(); return c.n }\n")
	p, err := pangolin.Prepare(modules.Context, pangolin.Request{Dir: dir, Oracle: "self", Scope: pangolin.Scope{Threads: "2..2", Steps: "1..3"}})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := p.Jobs(modules.Context)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := bounded.Run(t.Context(), bounded.Options{Job: *jobs[0]})
	if err != nil || whole.Incomplete != "" || whole.Violation != nil {
		t.Fatal(whole, err)
	}
	var last uint64
	for _, limit := range []uint64{0, 20_000, 60_000, 1 << 40} {
		for i, workers := range []int{1, 1, 4} {
			opt := bounded.Options{Job: *jobs[0]}
			opt.Workers, opt.Meter = workers, vm.NewMeter(limit, func() {})
			r, err := bounded.Run(t.Context(), opt)
			if err != nil || r.Violation != nil {
				t.Fatal(r, err)
			}
			if i > 0 && r.States != last {
				t.Errorf("limit %d, %d workers: %d states, and %d before", limit, workers, r.States, last)
			}
			if i == 0 && r.States <= last && limit > 0 {
				t.Errorf("limit %d: %d states, and %d with a smaller one", limit, r.States, last)
			}
			last = r.States
			want := fmt.Sprintf("the limit on work was reached after %d states", r.States)
			if limit == 1<<40 {
				want = ""
			}
			if r.Incomplete != want {
				t.Errorf("limit %d: %q, want %q", limit, r.Incomplete, want)
			}
		}
	}
	if last != whole.States {
		t.Errorf("%d states with a limit that is not reached, %d without", last, whole.States)
	}
}

// What is dropped from a witness ends with what machines have done, not with the time that it took: with the same limit the same is dropped,
// with none nothing, with more no less. The oracle of one type is its own code, whose work counts as well.
func TestSmall_EndsByWorkNotByTime(t *testing.T) {
	level.SkipShort(t, "verifies two types several times")
	for _, c := range []struct{ name, source, oracle string }{
		{"a counter", "type Counter struct{ n atomic.Int64 }\nfunc (c *Counter) Inc() { c.n.Store(c.n.Load() + 1) }\nfunc (c *Counter) Get() int64 { return c.n.Load() }", ""},
		{"by its own code", "type Counter struct{ n atomic.Int64 }\nfunc (c *Counter) Inc() { n := c.n.Load(); go c.n.Load(); c.n.Store(n + 1) }\nfunc (c *Counter) Get() int64 { return c.n.Load() }", "self"},
	} {
		dir := modules.Dir(t, "package example\n\nimport \"sync/atomic\"\n\n"+c.source+"\n")
		p, err := pangolin.Prepare(modules.Context, pangolin.Request{Dir: dir, Oracle: pangolin.Oracle(c.oracle), Scope: pangolin.Scope{Threads: "3..3", PerThread: 0, Steps: "1..6"}})
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := p.Jobs(modules.Context)
		if err != nil {
			t.Fatal(err)
		}
		opt := bounded.Options{Job: *jobs[0]}
		var calls []int
		for _, work := range []uint64{0, 30_000, 300_000, 3_000_000, 60_000_000} {
			var first bounded.Recording
			for again := range 2 {
				res, err := bounded.Run(t.Context(), opt)
				if err != nil || res.Violation == nil {
					t.Fatal(c.name, err)
				}
				was := res.Violation
				bounded.Shrink(t.Context(), opt, res, work)
				if work == 0 && res.Violation != was {
					t.Errorf("%s: something is dropped without work", c.name)
				}
				if again == 0 {
					first = res.Violation.Recording
				} else if !reflect.DeepEqual(first, res.Violation.Recording) {
					t.Errorf("%s, work %d: two witnesses", c.name, work)
				}
			}
			if n := len(calls); n > 0 && len(first.Calls) > calls[n-1] {
				t.Errorf("%s: more work drops less: %d calls behind %d", c.name, len(first.Calls), calls[n-1])
			}
			calls = append(calls, len(first.Calls))
		}
		if calls[0] == calls[len(calls)-1] {
			t.Errorf("%s: nothing is dropped: %v calls", c.name, calls)
		}
	}
}
