// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// locked is a queue under a lock with a body for Enqueue and one for Dequeue.
func locked(fields, enqueue, dequeue string) string {
	return `package example

import "sync"

type Queue struct {
	mu   sync.Mutex
	list []int
	` + fields + `
}

func (q *Queue) Enqueue(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	` + enqueue + `
}

func (q *Queue) Dequeue() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return 0, false
	}
	v := q.list[0]
	q.list = q.list[1:]
	` + dequeue + `
	return v, true
}
`
}

// Items have numbers in the order of their invocations only as long as the code does not
// look at them: what looks is verified with equal items, in any order, zero included.
func TestItems_ThatTheCodeLooksAtAreChosen(t *testing.T) {
	const put = "q.list = append(q.list, v)"
	few := pangolin.Scope{Threads: "1..2", Steps: "1..3", PreAdds: "0..1"}
	for i, c := range []struct {
		name, source string
		status       verdict.Status
		generic      bool
	}{
		{"only copied", locked("", put, ""), verdict.Verified, true},
		{"compared with what is there: equal ones dropped", locked("", "for _, w := range q.list { if w == v { return } }\n"+put, ""), verdict.Violated, false},
		{"compared with the last one", locked("last int", "if v == q.last { return }\n q.last = v\n"+put, ""), verdict.Violated, false},
		{"sorted: a priority queue", locked("", "i := 0\nfor i < len(q.list) && q.list[i] <= v { i++ }\nq.list = append(q.list[:i:i], append([]int{v}, q.list[i:]...)...)", ""), verdict.Violated, false},
		{"zero is taken for nothing", locked("", "if v == 0 { return }\n"+put, ""), verdict.Violated, false},
		{"a key of a map", locked("seen map[int]bool", "if q.seen == nil { q.seen = map[int]bool{} }\nif q.seen[v] { return }\nq.seen[v] = true\n"+put, ""), verdict.Violated, false},
		{"an index", locked("at [8]bool", "if q.at[v] { return }\nq.at[v] = true\n"+put, ""), verdict.Violated, false},
		{"in an interface", locked("last any", "if any(v) == q.last { return }\nq.last = v\n"+put, ""), verdict.Violated, false},
		{"calculated with", locked("", "q.list = append(q.list, v&^1)", ""), verdict.Violated, false},
		{"calculated with, rightly", locked("", "q.list = append(q.list, v+1-1)", ""), verdict.Verified, false},
		{"printed", locked("", "println(v)\n"+put, ""), verdict.Verified, false},
		{"bits of an atomic", "package example\n\nimport \"sync/atomic\"\n\ntype Queue struct{ n atomic.Int64 }\n\nfunc (q *Queue) Enqueue(v int) { q.n.Store(int64(v)); q.n.Or(4) }\nfunc (q *Queue) Dequeue() (int, bool) { v := q.n.Swap(0); return int(v), v != 0 }\n", verdict.Violated, false},
		{"a switch", locked("", "switch v {\ncase 2: return\n}\n"+put, ""), verdict.Violated, false},
		{"zero instead of the item", locked("", put, "v = 0"), verdict.Violated, true},
		{"another number instead of the item", locked("", put, "v = 1"), verdict.Violated, false},
		{"the length instead of the item", locked("", put, "v = len(q.list)"), verdict.Violated, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if level.Out(i, 2) {
				t.Skip("every second will do, the first in short; -level more tries all")
			}
			p, err := pangolin.Prepare(modules.Context, pangolin.Request{Dir: modules.Dir(t, c.source), Kind: "queue", Scope: few, Specification: pangolin.Specification{Expect: "violated"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []pangolin.Search{{}, {Reduce: "none"}, {Clients: true}} {
				list, err := p.Verify(modules.Context, s)
				if err != nil {
					t.Fatal(err)
				}
				v := list[0]
				if v.Status != c.status || c.status == verdict.Verified && v.Scope.Options.GenericValues != c.generic {
					t.Errorf("%+v: %s %s, generic values %v; want %s, %v", s, v.Status, v.Reason, v.Scope.Options.GenericValues, c.status, c.generic)
				}
			}
		})
	}
}

// Zero, which code returns that has nothing to return, is no item.
func TestItems_AreNotZero(t *testing.T) {
	const forgetful = `package example

import "sync"

type Map struct {
	mu sync.Mutex
	m  map[int]int
}

func (m *Map) Store(k, v int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.m == nil {
		m.m = map[int]int{}
	}
	m.m[k] = v
}

func (m *Map) Load(k int) (int, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.m[k]
	return v, ok
}

func (m *Map) LoadAndDelete(k int) (int, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.m[k]
	delete(m.m, k)
	return m.m[k], ok
}
`
	// With one value for all items that they could be, the first one would do.
	for _, s := range []pangolin.Search{{}, {Reduce: "none"}, {Clients: true}} {
		v := verifySource(t, forgetful, pangolin.Request{Scope: pangolin.Scope{Config: "B"}, Search: s})
		if v.Status != verdict.Violated || v.Violation.Class != "history" {
			t.Errorf("%+v: %s %s", s, v.Status, v.Reason)
		}
	}
}

// An item that is its own priority is no name: a priority queue that only copies what it holds is
// wrong in the order in which it gives it back.
func TestItems_AreNotRenamedWhereTheyArePriorities(t *testing.T) {
	const source = `package example

import "sync"

type PriorityQueue struct {
	mu   sync.Mutex
	list []int
}

func (q *PriorityQueue) Add(v int) { q.mu.Lock(); q.list = append(q.list, v); q.mu.Unlock() }

func (q *PriorityQueue) RemoveMin() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return 0, false
	}
	v := q.list[0]
	q.list = q.list[1:]
	return v, true
}
`
	v := verifySource(t, source, pangolin.Request{Kind: "pqueue", Oracle: "pqueue", Scope: pangolin.Scope{Threads: "1..2", Steps: "1..3", PreAdds: "0..1"}})
	if v.Status != verdict.Violated || v.Violation.Class != "history" || v.Scope.GenericValues {
		t.Errorf("%s: %s, generic values %v", v.Status, v.Reason, v.Scope.GenericValues)
	}
}
