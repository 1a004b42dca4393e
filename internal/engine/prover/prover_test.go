// SPDX-License-Identifier: BSD-3-Clause

package prover

import (
	"strings"
	"testing"

	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/internal/test/sources"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Tests which of the three provers answers, with four small collections.

const head = "package example\n\nimport \"sync/atomic\"\n\n"

// A stack of cells: no number of items is bounded in its proof.
const stack = head + `
type Stack struct{ top atomic.Pointer[cell] }

type cell struct {
	item int
	next *cell
}

func (s *Stack) Push(item int) {
	for {
		top := s.top.Load()
		if s.top.CompareAndSwap(top, &cell{item, top}) {
			return
		}
	}
}

func (s *Stack) Pop() (int, bool) {
	for {
		top := s.top.Load()
		if top == nil {
			return 0, false
		}
		if s.top.CompareAndSwap(top, top.next) {
			return top.item, true
		}
	}
}
`

// A set of numbers below 64, a bit for each: no chain of cells.
const bits = head + `
type Set struct{ bits atomic.Uint64 }

func (s *Set) Add(x int) bool      { return s.bits.Or(1<<x)>>x&1 == 0 }
func (s *Set) Remove(x int) bool   { return s.bits.And(^(1 << x))>>x&1 == 1 }
func (s *Set) Contains(x int) bool { return s.bits.Load()>>x&1 == 1 }
`

// A queue whose Puts take the next place of a slice.
const placed = head + `
type Queue struct {
	back  atomic.Int64
	items []atomic.Pointer[int]
}

func New() *Queue { return &Queue{items: make([]atomic.Pointer[int], 4)} }

func (q *Queue) Enqueue(x int) { q.items[q.back.Add(1)-1].Store(&x) }

func (q *Queue) Dequeue() int {
	for {
		for i := range q.back.Load() {
			if item := q.items[i].Swap(nil); item != nil {
				return *item
			}
		}
	}
}
`

// Code with goroutines of its own is outside of what either engine proves.
const started = head + `
type Set struct{ bits atomic.Uint64 }

func (s *Set) Add(x int) bool {
	go s.bits.Load()
	return s.bits.Or(1<<x)>>x&1 == 0
}
func (s *Set) Remove(x int) bool   { return s.bits.And(^(1 << x))>>x&1 == 1 }
func (s *Set) Contains(x int) bool { return s.bits.Load()>>x&1 == 1 }
`

func TestAttempt_AsksForAProofWithoutBoundsFirst(t *testing.T) {
	modules := sources.New()
	defer modules.Remove()
	for _, c := range []struct {
		what, source, kind string
		engine             string
		status             verdict.Status
		outside            bool
	}{
		{"a stack of cells", stack, "stack", "unbounded", verdict.Proved, false},
		{"a set of bits", bits, "set", "cmp", verdict.Proved, false},
		{"a set that forgets to add", strings.Replace(bits, "s.bits.Or(1<<x)", "s.bits.Load()", 1), "set", "cmp", verdict.Unknown, false},
		{"a queue in a slice", placed, "queue", "places", verdict.Proved, false},
		{"a queue in a slice that leaves its items there", strings.Replace(placed, "Swap(nil)", "Load()", 1), "queue", "places", verdict.Unknown, false},
		{"a set that starts goroutines", started, "set", "", verdict.Unknown, true},
	} {
		q := find.Query{Dir: modules.Dir(t, c.source), Packages: []string{"."}, Note: func(string, ...any) {},
			Overrides: func([]string) (collection.Overrides, error) {
				o := collection.Overrides{Kind: oracle.Kind(c.kind)}
				if strings.Contains(c.source, "func New()") {
					o.Protocol = &oracle.Protocol{Kind: oracle.Blocking}
				}
				return o, nil
			}}
		found, _, err := q.Find(modules.Context)
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %v %v", c.what, found, err)
		}
		order := subject.Order{Listed: found[0].Listed, Patterns: found[0].Patterns, Overrides: found[0].Overrides}
		s, err := order.Load(modules.Context)
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		j := &engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Reduce: engine.AllReductions}}
		v, _, err := attempt(modules.Context, j, engine.Events{})
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		if v.Status != c.status || c.engine != "" && v.Engine != c.engine || outside(v) != c.outside {
			t.Errorf("%s: %s by %s, outside of the fragment: %t (%s); want %s by %s, %t", c.what, v.Status, v.Engine, outside(v), v.Reason, c.status, c.engine, c.outside)
		}
	}
}
