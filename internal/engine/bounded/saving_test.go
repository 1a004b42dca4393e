// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/cache"
	"pangolin/internal/checkpoint"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// long are requests whose searches are written down, of every kind of search there is.
var long = []struct {
	name string
	r    pangolin.Request
}{
	{"a stack that points judge", of("stack.LockFreeStack", "3x6x0", "")},
	{"a queue with items by name", of("queue.LockFreeQueue", "2x3", "")},
	{"a set with keys by rank", of("list.LockFreeList", "2x3", "")},
	{"locks", of("list.FineList", "2x3", "")},
	{"a queue, violated", of("queue.LockFreeQueueRecycle", "A", "")},
	{"an optimistic list", of("list.OptimisticList", "A", "")},
	{"a stack with oracle self", withOracle(of("stack.LockFreeStack", "2x3", ""), "self")},
	{"a queue with oracle self", withOracle(of("queue.UnboundedQueue", "2x2", ""), "self")},
	{"sequential consistency", of("queue.LockFreeQueue", "2x3", "sc")},
	{"quiescent consistency", of("queue.LockFreeQueue", "2x3", "quiescent")},
	{"a lock that is taken again", of("lock.Reentrant", "2x3", "")},
	{"an elimination stack, which spins", of("stack.EliminationBackoffStack", "A", "")},
	{"waiting for others", of("queue.SynchronousDualQueue", "A", "")},
	{"waiting", withNew(of("queue.BoundedQueue", "A", ""), "NewBoundedQueue[int](1)", "bounded(1)")},
	{"a priority queue", of("pqueue.SkipQueue", "2x2", "")},
	{"a hash set", of("hashset.LockFreeHashSet", "A", "")},
	{"several scopes", of("stack.LockFreeStack", "1x2+2x2+2x3", "")},
	{"a bound on preemptions", func() pangolin.Request {
		r := of("list.LazyList", "2x3", "")
		n := 2
		r.Search.Preempt = &n
		return r
	}()},
	{"no reductions", func() pangolin.Request {
		r := of("stack.LockFreeStack", "2x2", "")
		r.Search.Reduce = "none"
		return r
	}()},
}

func of(typ, config, property string) pangolin.Request {
	pkg, name, _ := strings.Cut(typ, ".")
	r := pangolin.Request{Packages: []string{"pangolin/collections/" + pkg + "." + name}}
	r.Scope.Config, r.Property, r.Expect = config, pangolin.Properties(property), "violated" // no hints
	return r
}

func withNew(r pangolin.Request, made, protocol string) pangolin.Request {
	r.New, r.Protocol = made, protocol
	return r
}

func withOracle(r pangolin.Request, oracle string) pangolin.Request {
	r.Oracle = pangolin.Oracle(oracle)
	return r
}

// plain is a verdict as text, without what differs from run to run.
func plain(t *testing.T, list []verdict.Verdict) string {
	t.Helper()
	var all []string
	for _, v := range list {
		v.Seconds, v.PeakBytes, v.Resumed = 0, 0, 0
		for i := range v.Asked {
			v.Asked[i].Seconds = 0
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
		if v.Violation != nil {
			text, err := json.Marshal(v.Violation.Execution)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(text))
		}
	}
	return strings.Join(all, "\n")
}

// killed is a run in a directory, of which copies are made at some moments: what a process that is killed then leaves behind.
type killed struct {
	dir  *cache.Dir
	told []string
	left []string // the copies
}

const aKey = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

// leaves verifies and copies the directory after some of the checkpoints.
func leaves(t *testing.T, r pangolin.Request, path string, every uint64, resume bool, after func(n int) bool) (string, *killed) {
	t.Helper()
	d, err := cache.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	k, n := &killed{dir: d}, 0
	s := &checkpoint.Session{Dir: d, Key: aKey, Resume: resume, Pace: checkpoint.Pace{Every: every}, Tell: func(text string) { k.told = append(k.told, text) }}
	s.Wrote = func() {
		if n++; after(n) {
			copied := t.TempDir()
			if err := os.CopyFS(copied, os.DirFS(path)); err != nil {
				t.Error(err)
			}
			k.left = append(k.left, copied)
		}
	}
	list, err := pangolin.Verify(checkpoint.With(modules.Context, s), r)
	if err != nil {
		t.Fatal(err)
	}
	return plain(t, list), k
}

// A run that goes on from any checkpoint of one that was killed has its verdict, with the same counts and the same witness.
func TestCheckpoints_HaveTheVerdictOfOneRun(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	each := 2
	if level.More() {
		each = 12
	}
	kills := 0
	for i, c := range long {
		if level.Out(i, 2) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			list, err := pangolin.Verify(modules.Context, c.r)
			if err != nil {
				t.Fatal(err)
			}
			want, states := plain(t, list), uint64(0)
			for i := range list {
				states = max(states, list[i].Searched())
			}
			every := max(1, states/40)
			never := func(int) bool { return false }
			_, all := leaves(t, c.r, t.TempDir(), every, false, func(int) bool { return true })
			if len(all.left) == 0 {
				t.Skipf("%d states leave no checkpoint", states)
			}
			for range each {
				from := all.left[rng.IntN(len(all.left))]
				got, k := leaves(t, c.r, from, every, true, never)
				if kills++; got != want {
					t.Fatalf("%v\n%s\nwant\n%s", k.told, got, want)
				}
				if len(k.told) == 0 || !strings.Contains(k.told[0], "goes on from the checkpoint") {
					t.Fatalf("it says %q", k.told)
				}
			}
		})
	}
	t.Logf("%d kills", kills)
}

// A search by points goes on from its own checkpoint: the last one is not of the search before it, whose states have been counted.
func TestCheckpoints_AreLeftBySearchesByPoints(t *testing.T) {
	r := of("stack.LockFreeStack", "3x6x0", "")
	want, all := leaves(t, r, t.TempDir(), 100, false, func(int) bool { return true })
	if !strings.Contains(want, `"by_points"`) || len(all.left) == 0 {
		t.Fatalf("%d checkpoints\n%s", len(all.left), want)
	}
	d, err := cache.Open(all.left[len(all.left)-1])
	if err != nil {
		t.Fatal(err)
	}
	s := &checkpoint.Session{Dir: d, Key: aKey, Resume: true, Pace: checkpoint.Pace{Every: 100}, Tell: func(string) {}}
	list, err := pangolin.Verify(checkpoint.With(modules.Context, s), r)
	if err != nil || len(list) != 1 || list[0].Resumed != 1 || plain(t, list) != want {
		t.Errorf("%v, resumed %d times\n%s\nwant\n%s", err, list[0].Resumed, plain(t, list), want)
	}
}
