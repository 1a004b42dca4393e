// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/history"
	"pangolin/internal/test/level"
	"pangolin/oracle"
)

// withinSubjects are the specifications of which calls take one of the first k items.
func withinSubjects(t testing.TB, k int) (list []subject) {
	item, ok := oracle.SlotItem, oracle.SlotOK
	for _, s := range []subject{
		bound(t, "queue", oracle.Queue, oracle.Protocol{}, op(oracle.Put), op(oracle.Take, item, ok), op(oracle.Peek, item, ok)),
		bound(t, "stack", oracle.Stack, oracle.Protocol{}, op(oracle.Put), op(oracle.Take, item, ok), op(oracle.Peek, item, ok)),
		bound(t, "pqueue", oracle.PQueue, oracle.Protocol{}, op(oracle.Put), op(oracle.Take, item, ok), op(oracle.Peek, item, ok)),
		bound(t, "deque", oracle.Deque, oracle.Protocol{}, op(oracle.PutFront), op(oracle.PutBack), op(oracle.TakeFront, item, ok), op(oracle.TakeBack, item, ok), op(oracle.PeekBack, item, ok)),
	} {
		for i, o := range s.ops {
			if len(o.Results) == 0 {
				continue
			}
			spec, err := oracle.Within(s.spec, i, k)
			if err != nil {
				t.Fatal(err)
			}
			s.spec = spec
		}
		list = append(list, s)
	}
	return list
}

// held is an item with its priority (0 where there is none).
type held struct{ item, priority int64 }

// withinHistory is a random history of at most 7 calls, in which takes and peeks return whatever is there, or was, or is not.
func withinHistory(rng *rand.Rand, s subject, k int) history.History {
	threads := 1 + rng.IntN(3)
	h := history.History{Threads: threads}
	pending, known := make([]*history.Event, threads), []held{}
	for made, next := 0, int64(0); made < 7 || slices.ContainsFunc(pending, func(e *history.Event) bool { return e != nil }); {
		thread := rng.IntN(threads)
		if e := pending[thread]; e != nil {
			if e.Phase, pending[thread] = history.Respond, nil; len(s.ops[e.Method].Results) > 0 {
				e.Result = history.Of(history.IntValue(0), history.BoolValue(false))
				if n := len(known); n > 0 && rng.IntN(5) > 0 {
					at := rng.IntN(min(n, k+1))
					if rng.IntN(2) == 0 {
						at = n - 1 - at
					}
					e.Result = history.Of(history.IntValue(known[at].item), history.BoolValue(true))
					if name := s.ops[e.Method].Role; name == oracle.Take || name == oracle.TakeFront || name == oracle.TakeBack {
						known = slices.Delete(known, at, at+1)
					}
				}
			}
			h.Events = append(h.Events, *e)
			continue
		}
		if made == 7 {
			continue
		}
		made++
		e := history.Event{Phase: history.Invoke, Thread: thread, Method: rng.IntN(len(s.ops))}
		if rng.IntN(3) == 0 {
			e.Method = 0
		}
		e.Name = s.ops[e.Method].Name
		if params := s.ops[e.Method].Params; len(params) > 0 {
			if next++; rng.IntN(6) == 0 {
				next--
			}
			one := held{item: next}
			e.Args = history.Ints(next)
			if len(params) > 1 {
				one.priority = rng.Int64N(3)
				e.Args = history.Ints(next, one.priority)
			}
			if known = append(known, one); s.ops[e.Method].Role == oracle.PutFront {
				known = slices.Insert(known[:len(known)-1], 0, one)
			}
			slices.SortStableFunc(known, func(a, b held) int { return int(a.priority - b.priority) })
		}
		pending[thread] = &e
		h.Events = append(h.Events, e)
	}
	return h
}

// literalWithin is the definition: some order of the calls, each of which has its result of a list. done are those that are in it so far.
func literalWithin(ops []history.Operation, s subject, k int, done []int, items []held) bool {
	if len(done) == len(ops) {
		return true
	}
	for x := range ops {
		if slices.Contains(done, x) || slices.ContainsFunc(ops, func(o history.Operation) bool {
			return o.Precedes(ops[x]) && !slices.ContainsFunc(done, func(y int) bool { return ops[y] == o })
		}) {
			continue
		}
		for _, next := range executedWithin(items, s, ops[x], k) {
			if literalWithin(ops, s, k, append(slices.Clone(done), x), next) {
				return true
			}
		}
	}
	return false
}

// executedWithin are the lists that may be held behind a call, in the order of the puts (PutFront puts at the beginning); none if the call cannot have its result.
func executedWithin(items []held, s subject, op history.Operation, k int) (list [][]held) {
	role, back := s.ops[op.Method].Role, false
	switch role {
	case oracle.Put, oracle.PutBack:
		one := held{item: op.Args.At(0).Int}
		if s.kind == oracle.PQueue {
			one.priority = op.Args.At(1).Int
		}
		return [][]held{append(slices.Clone(items), one)}
	case oracle.PutFront:
		return [][]held{append([]held{{item: op.Args.At(0).Int}}, items...)}
	case oracle.TakeBack, oracle.PeekBack:
		back = true
	}
	if s.kind == oracle.Stack {
		back = true
	}
	if op.Result.At(1) != history.BoolValue(true) {
		if len(items) > 0 {
			return nil
		}
		return [][]held{items}
	}
	// lesser is how many items are nearer than that at a place.
	lesser := func(at int) int {
		switch {
		case s.kind == oracle.PQueue:
			n := 0
			for _, other := range items {
				if other.priority < items[at].priority {
					n++
				}
			}
			return n
		case back:
			return len(items) - 1 - at
		}
		return at
	}
	for at := range items {
		if items[at].item == op.Result.At(0).Int && lesser(at) < k {
			if role == oracle.Peek || role == oracle.PeekBack {
				return [][]held{items}
			}
			list = append(list, slices.Delete(slices.Clone(items), at, at+1))
		}
	}
	return list
}

func TestWithin_AgreesWithTheDefinitionOnRandomHistories(t *testing.T) {
	n := 300
	switch {
	case level.All():
		n = 100_000
	case level.More():
		n = 10_000
	case level.Short():
		n = 40
	}
	for k := 1; k <= 3; k++ {
		for _, s := range withinSubjects(t, k) {
			m, rng, right := monitor(t, s.spec, Linear), rand.New(rand.NewPCG(5, uint64(k))), 0
			for range n {
				h := withinHistory(rng, s, k)
				want := literalWithin(h.Operations(), s, k, nil, nil)
				if got := judged(m, h); got != want {
					t.Fatalf("%s within %d: monitor %t, definition %t\n%s", s.name, k, got, want, h)
				}
				if want {
					right++
				}
			}
			if t.Logf("%s within %d: %d of %d are right", s.name, k, right, n); right == 0 || right == n {
				t.Errorf("%s within %d: histories of one sort are missing", s.name, k)
			}
		}
	}
}
