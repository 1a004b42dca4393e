// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// register is a register with more fields and statements, under a lock.
func register(fields, store string) string {
	return `package example

import "sync"

// R is a register.
//
//pangolin:kind register
type R struct {
	mu sync.Mutex
	v  int
	` + fields + `
}

type node struct{ older *node }

var _ = node{}.older

func (r *R) Load() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.v
}

func (r *R) Store(v int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.v = v
	` + store + `
}
`
}

// What grows with any number of calls is named; what does not grow without end is verified.
func TestGrowing_IsNamed(t *testing.T) {
	const unknown = verdict.Unknown
	for i, c := range []struct {
		name, source string
		status       verdict.Status
		reason       []string
	}{
		{"a counter", register("n int", "r.n++"), unknown, []string{"example.R.n, written at example.go:28, grows", "Store"}},
		{"a chain", register("old *node", "r.old = &node{r.old}"), unknown, []string{"a chain of objects example.node, linked by older, made at example.go:28"}},
		{"a slice", register("all []int", "r.all = append(r.all, v)"), unknown, []string{"grows: "}},
		{"the numbers in what an interface holds", register("box any", "n, _ := r.box.(int); r.box = n + 1"), unknown, []string{"grows: "}},
		{"a number on its own", register("box *int", "if r.box == nil { r.box = new(int) }; *r.box++"), unknown, []string{"the values of type int grow: "}},
		{"a counter that goes round", register("n int", "r.n = (r.n + 1) % 300"), verdict.Verified, nil},
		{"a chain that is cut", register("old *node; n int", "r.old = &node{r.old}\nif r.n++; r.n == 5 {\nr.n, r.old = 0, nil\n}"), verdict.Verified, nil},
		{"garbage", register("old *node", "r.old = &node{r.old}\nr.old.older = nil"), verdict.Verified, nil},
		{"a counter, as its oracle", "package example\n\nimport \"sync/atomic\"\n\ntype C struct{ n atomic.Int64 }\n\nfunc (c *C) Inc() { c.n.Add(1) }\nfunc (c *C) Get() int { return int(c.n.Load()) }\n", unknown,
			[]string{"example.C.n, written at example.go:7, grows", "Inc"}},
		{"a delayed thread holds a chain", queueOf("n.next.Load()"), unknown, []string{"a chain of objects example.node, linked by next, made at example.go:"}},
		{"each ninth is lost", register("n int", "if r.n++; r.n == 9 {\nr.n, r.v = 0, 0\n}"), verdict.Violated, nil},
		{"something grows, and the fifth is lost", register("n, all int", "r.all++\nif r.n++; r.n == 5 {\nr.n, r.v = 0, 0\n}"), verdict.Violated, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if level.Out(i, 2) {
				t.Skip("every second will do; -level more tries all")
			}
			r := pangolin.Request{Dir: modules.Dir(t, c.source), Scope: pangolin.Scope{Steps: pangolin.AnySteps}, Search: pangolin.Search{MaxStates: 30_000}}
			p, err := pangolin.Prepare(modules.Context, r)
			if err != nil {
				t.Fatal(err)
			}
			list, err := p.Verify(modules.Context, r.Search)
			if err != nil || len(list) != 1 || list[0].Status != c.status {
				t.Fatal(err, list)
			}
			for _, text := range c.reason {
				if !strings.Contains(list[0].Reason, text) {
					t.Errorf("%q lacks %q", list[0].Reason, text)
				}
			}
		})
	}
}

// queueOf is Michael and Scott's queue without a tail, whose Dequeue reads the next node in a way of its own.
func queueOf(next string) string {
	return `package example

import "sync/atomic"

type Queue struct{ head atomic.Pointer[node] }

type node struct {
	item int
	next atomic.Pointer[node]
}

func New() *Queue {
	q := &Queue{}
	q.head.Store(&node{})
	return q
}

func (q *Queue) Enqueue(item int) {
	last := q.head.Load()
	for {
		if next := last.next.Load(); next != nil {
			last = next
		} else if last.next.CompareAndSwap(nil, &node{item: item}) {
			return
		}
	}
}

func (q *Queue) Dequeue() (int, bool) {
	for {
		n := q.head.Load()
		next := ` + next + `
		if next == nil {
			return 0, false
		}
		if q.head.CompareAndSwap(n, next) {
			return next.item, true
		}
	}
}
`
}
