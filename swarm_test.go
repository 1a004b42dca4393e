// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pangolin"
	"pangolin/internal/task"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// swarmOf makes a swarm's verdicts, so many searches at a time.
func swarmOf(t *testing.T, r pangolin.Request, atOnce int) []verdict.Verdict {
	t.Helper()
	r.Search.Workers = atOnce
	list, err := pangolin.Verify(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// timeless is a verdict as JSON, with its witness and without times and memory.
func timeless(t *testing.T, v verdict.Verdict) string {
	t.Helper()
	v.Seconds, v.PeakBytes, v.Cached = 0, 0, false
	for i := range v.Asked {
		v.Asked[i].Seconds = 0
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if v.Violation == nil {
		return string(text)
	}
	witness, err := json.Marshal(v.Violation.Execution)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + string(witness)
}

// The usual search comes to no violation in so few states; of the swarm's searches one does, and it is the same one whatever is made at the same time. With
// fewer searches than that there is none.
func TestSwarm_FindsWhatOneSearchMisses(t *testing.T) {
	level.SkipShort(t, "some forty searches, each of which compiles the type")
	r := pangolin.Request{Packages: []string{"pangolin/collections/deque.SnarkDeque"}, Scope: pangolin.Scope{Config: "D"}, Search: pangolin.Search{MaxStates: 1000}}
	if list := swarmOf(t, r, 1); list[0].Status != verdict.Unknown {
		t.Fatalf("the usual search: %s", list[0].Status)
	}
	r.Search.Swarm = 16
	first := swarmOf(t, r, 1)[0]
	if first.Status != verdict.Violated || first.Swarm.Found < 2 || first.Swarm.Searches != 16 || first.Swarm.Early != 0 {
		t.Fatalf("%s, %+v", first.Status, first.Swarm)
	}
	want := timeless(t, first)
	for _, atOnce := range []int{3} {
		if got := timeless(t, swarmOf(t, r, atOnce)[0]); got != want {
			t.Errorf("%d at a time:\n%s\none at a time:\n%s", atOnce, got, want)
		}
	}
	replayed, err := pangolin.Replay(t.Context(), "", first.Violation.Execution)
	if err != nil || replayed == nil {
		t.Errorf("the witness: %v", err)
	}
	found := first.Swarm.Found
	r.Search.Swarm = found - 1
	if v := swarmOf(t, r, 2)[0]; v.Status != verdict.Unknown || v.Swarm.Found != 0 || v.States <= first.States/2 {
		t.Errorf("%d searches: %s, %+v, %d states", found-1, v.Status, v.Swarm, v.States)
	}
}

// Where each search covers the whole scope nothing is verified all the same; and results of searches are kept.
func TestSwarm_NeverVerifies(t *testing.T) {
	r := pangolin.Request{Packages: []string{"pangolin/collections/stack.LockFreeStack"}, Property: "linear,sc", Scope: pangolin.Scope{Config: "B"},
		Search: pangolin.Search{Swarm: 5, MaxStates: 1 << 20, Cache: t.TempDir()}}
	var told []verdict.Verdict
	r.Events.Verdict = func(v verdict.Verdict) { told = append(told, v) }
	list := swarmOf(t, r, 2)
	if len(list) != 2 || len(told) != 2 {
		t.Fatalf("%d verdicts, %d told", len(list), len(told))
	}
	for i, v := range list {
		if v.Status != verdict.Unknown || v.Cause != verdict.Limited || v.Swarm == nil || !strings.Contains(v.Reason, "verified without a swarm") || v.Proof != nil || timeless(t, told[i]) != timeless(t, v) {
			t.Errorf("%s: %s, %s", v.Property, v.Status, v.Reason)
		}
	}
	begun := time.Now()
	for i, v := range swarmOf(t, r, 1) {
		if timeless(t, v) != timeless(t, list[i]) {
			t.Errorf("from what is kept:\n%s\nbefore:\n%s", timeless(t, v), timeless(t, list[i]))
		}
	}
	t.Logf("again in %v", time.Since(begun))
}

// A limit on time that ends searches before the one that has found a violation is told: another run may come to another one.
func TestSwarm_TellsOfLimitsOnTime(t *testing.T) {
	r := pangolin.Request{Packages: []string{"pangolin/collections/deque.SnarkDeque"}, Scope: pangolin.Scope{Config: "D"}, Search: pangolin.Search{MaxStates: 1000, Swarm: 3, Timeout: time.Nanosecond}}
	if v := swarmOf(t, r, 1)[0]; v.Status != verdict.Unknown || v.Swarm == nil || v.Swarm.Early != 3 {
		t.Errorf("%s %s %+v", v.Status, v.Reason, v.Swarm)
	}
}

// The least number counts, also where a search with a greater one ends long before; those that are not needed any more are stopped.
func TestSwarm_StopsSearchesThatAreNotNeeded(t *testing.T) {
	level.SkipShort(t, "some twenty searches, each of which compiles the type")
	r := pangolin.Request{Packages: []string{"pangolin/collections/deque.SnarkDeque"}, Scope: pangolin.Scope{Config: "D"}, Search: pangolin.Search{MaxStates: 1000, Swarm: 30}}
	first := swarmOf(t, r, 2)[0]
	want, found := timeless(t, first), first.Swarm.Found
	stopped := make(chan int, 30)
	r.Events.Elsewhere = func(ctx context.Context, a *task.Away) (task.Sent, error) {
		k := a.Task.Terms.Search.Variant
		if k >= found { // is never done
			<-ctx.Done()
			stopped <- k
			return task.Sent{}, ctx.Err()
		}
		time.Sleep(time.Duration(found-k) * 20 * time.Millisecond)
		text, err := json.Marshal(a.Task)
		if err != nil {
			return task.Sent{}, err
		}
		e, lasting, err := (&task.Here{Workers: 1}).Answer(ctx, text)
		return task.Sent{Text: e.Text, Lasting: lasting, By: "a test"}, err
	}
	if got := timeless(t, swarmOf(t, r, 1)[0]); got != want {
		t.Errorf("elsewhere:\n%s\nhere:\n%s", got, want)
	}
	for range 30 - found {
		select {
		case <-stopped:
		case <-time.After(10 * time.Second):
			t.Fatal("a search that is not needed any more goes on")
		}
	}
}

func TestSwarm_RefusesRequests(t *testing.T) {
	for _, c := range []struct {
		why    string
		search pangolin.Search
		change func(*pangolin.Request)
	}{
		{"wants Request.Search.MaxStates", pangolin.Search{Swarm: 2}, nil},
		{"at least 1", pangolin.Search{Swarm: -1, MaxStates: 5}, nil},
		{"want 1 to", pangolin.Search{Swarm: 1_000_000, MaxStates: 5}, nil},
		{"does not go with", pangolin.Search{Swarm: 2, MaxStates: 5, Min: true}, nil},
		{"does not go with", pangolin.Search{Swarm: 2, MaxStates: 5, Clients: true}, nil},
		{"leave no checkpoints", pangolin.Search{Swarm: 2, MaxStates: 5, Resume: true}, nil},
		{"engine bounded", pangolin.Search{Swarm: 2, MaxStates: 5}, func(r *pangolin.Request) { r.Engine = "refine" }},
		{"engine bounded", pangolin.Search{Swarm: 2, MaxStates: 5}, func(r *pangolin.Request) { r.Property = "lock-free" }},
		{"all contradict", pangolin.Search{Swarm: 2, MaxStates: 5}, func(r *pangolin.Request) { r.Property = "all" }},
		{"nothing to prove", pangolin.Search{Swarm: 2, MaxStates: 5}, func(r *pangolin.Request) { r.Scope.Prove = "auto" }},
	} {
		r := pangolin.Request{Packages: []string{"pangolin/collections/stack.LockFreeStack"}, Search: c.search}
		if c.change != nil {
			c.change(&r)
		}
		if _, err := pangolin.Verify(t.Context(), r); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%+v: %v; want %q", r.Search, err, c.why)
		}
	}
}
