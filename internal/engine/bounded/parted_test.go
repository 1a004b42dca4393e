// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"fmt"
	"testing"

	"pangolin"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/test/level"
	"pangolin/internal/test/sources"
	"pangolin/verdict"
)

// searched are packages and scopes, larger than those that are searched without reductions too:
// without -level more the smaller ones.
var searched = []struct{ pkg, typ, config, more string }{
	{"pangolin/collections/list", "LockFreeList", "3x2x1", "3x3x1"},
	{"pangolin/collections/list", "LazyList", "3x2x1", "3x2x1"},
	{"pangolin/collections/queue", "LockFreeQueue", "3x3x0", "3x3x1"},
	{"pangolin/collections/queue", "SynchronousDualQueue", "3x2x0", "3x3x0"},
	{"pangolin/collections/stack", "EliminationBackoffStack", "2x2x0", "2x3x0"},
	{"pangolin/collections/hashset", "LockFreeHashSet", "2x2x0", "2x3x0"},
	{"pangolin/collections/pqueue", "SkipQueue", "2x2x0", "2x2x0"},
	{"pangolin/collections/hashset", "RefinableHashSetRepaired", "2x2x0", "3x1x1"},
	{"pangolin/collections/pqueue", "FineGrainedHeapFair", "2x2x0", "3x2x0"},
}

// What a remembered step gives is what the machine gives that executes it; and the parts of a
// state, put together, are the words that the machine saves.
func TestParts_AreTheStatesOfTheMachine(t *testing.T) {
	for i, c := range searched {
		t.Run(c.typ, func(t *testing.T) {
			if level.Out(i, 1) {
				t.Skip("the first collection will do in short")
			}
			if level.More() {
				c.config = c.more
			}
			p := prepare(t, c.pkg, c.typ, c.config)
			recalls, states := bounded.Doubt(t)
			counted(t, p, pangolin.Search{Workers: 1})
			if recalls.Load() == 0 || recalls.Load() > states.Load() {
				t.Errorf("%d steps were recalled on the way to %d states", recalls.Load(), states.Load())
			}
		})
	}
}

// What a step may depend on beside the heap and its own thread, and what it may change beside them.
func TestParts_KnowWhatAStepDependsOn(t *testing.T) {
	level.SkipShort(t, "executes every step twice")
	for _, c := range sources.Dependent() {
		t.Run(c.Name, func(t *testing.T) {
			recalls, _ := bounded.Doubt(t)
			req := pangolin.Request{Type: "Box", New: "New()", Oracle: "self", Scope: pangolin.Scope{Config: "3x3x0"}}
			with, err := trySource(t, c.Source, req)
			if err != nil {
				t.Fatal(err)
			}
			req.Search.Reduce = "fusing,frozen,symmetry,items,keys,guarded"
			without, err := trySource(t, c.Source, req)
			if err != nil || with.States != without.States || with.Transitions != without.Transitions || with.Status != without.Status {
				t.Errorf("%d states, %d transitions, %s; without remembered steps %d, %d, %s %v", with.States, with.Transitions, with.Status,
					without.States, without.Transitions, without.Status, err)
			}
			t.Log(with.Status, with.States, with.Reason, recalls.Load())
		})
	}
}

// The order of the threads is that of their parts, for those as well who ask the machine: an execution with timers, to which only those lead
// who have started them and the goroutines that wait for them, is repeated thread by thread.
func TestParts_TellTheOrderOfTheThreads(t *testing.T) {
	const source = `package example

import "time"

type Box struct{ n int }

func New() *Box { return &Box{} }

func (b *Box) Try() bool { return time.AfterFunc(time.Hour, func() { b.n++ }).Stop() }
func (b *Box) Get() int { return 1 }
`
	v, err := trySource(t, source, pangolin.Request{Type: "Box", New: "New()", Oracle: "self", Scope: pangolin.Scope{Threads: "1..2", Steps: "1..3"}})
	if err != nil {
		t.Fatal(err)
	}
	if v.Violation == nil || v.Violation.Class != "race" {
		t.Errorf("%s %s %d", v.Status, v.Reason, v.Effort.States)
	}
}

// Where there is no room for parts, states are saved as words, and steps that have been forgotten are
// executed again: neither changes what is found, nor how many states there are.
func TestParts_WithoutRoomGiveTheSame(t *testing.T) {
	level.SkipShort(t, "searches many times")
	for i, c := range crossChecked[:7] {
		t.Run(c.pkg[len("pangolin/collections/"):]+" "+c.typ, func(t *testing.T) {
			if i%3 != 0 && !level.More() {
				t.Skip("every third will do; -level more tries all")
			}
			p := prepare(t, c.pkg, c.typ, c.config)
			want := counted(t, p, pangolin.Search{Workers: 1})
			if got := counted(t, p, pangolin.Search{Workers: 1, Reduce: "fusing,frozen,symmetry,items,keys,guarded"}); got != want {
				t.Errorf("without remembered steps:\n%s\nwith them:\n%s", got, want)
			}
			for _, room := range [][2]int64{{0, 1 << 20}, {2000, 1 << 20}, {20000, 1 << 20}, {1 << 20, 0}, {1 << 20, 5000}, {20000, 5000}} {
				t.Run(fmt.Sprint(room), func(t *testing.T) {
					bounded.Cramp(t, room[0], room[1])
					bounded.Doubt(t)
					if got := counted(t, p, pangolin.Search{Workers: 1}); got != want {
						t.Errorf("%s\nwith more room:\n%s", got, want)
					}
				})
			}
		})
	}
}

// counted is what a search finds, with its states and transitions.
func counted(t *testing.T, p *pangolin.Prepared, s pangolin.Search) string {
	t.Helper()
	list, err := p.Verify(repository, s)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, v := range list {
		text += fmt.Sprintln(v.Collection, v.Status, v.States, v.Transitions)
		if v.Violation != nil {
			text += fmt.Sprintln(v.Violation.Summary, v.Violation.Execution.Steps)
		}
	}
	return text
}

// Two calls that take an item out of the heap by the same effect, of which one still holds the item and the other has returned it:
// what the effect does to a third, which holds the item too, is known from the other, but the state behind the one cannot be
// taken apart.
func TestParts_KnowWhoHoldsAnItem(t *testing.T) {
	level.SkipShort(t, "executes every step twice")
	const source = `package example

import "sync/atomic"

type node struct { v int; next *node }
type Stack struct { top atomic.Pointer[node]; n atomic.Int64 }

func (s *Stack) Push(v int) {
	for x := (&node{v: v}); ; {
		x.next = s.top.Load()
		if s.top.CompareAndSwap(x.next, x) { return }
	}
}

func (s *Stack) take() (int, bool) {
	for {
		x := s.top.Load()
		if x == nil { return 0, false }
		if s.top.CompareAndSwap(x, x.next) { return x.v, true }
	}
}

func (s *Stack) TryPop() (int, bool) { return s.take() }
func (s *Stack) Pop() (int, bool) { v, ok := s.take(); s.n.Add(1); return v, ok }

func (s *Stack) Peek() (v int, ok bool) {
	if x := s.top.Load(); x != nil { v, ok = x.v, true }
	s.n.Add(1)
	return v, ok
}
`
	recalls, _ := bounded.Doubt(t)
	req := pangolin.Request{Kind: "stack", Scope: pangolin.Scope{Config: "D"}}
	with, err := trySource(t, source, req)
	if err != nil {
		t.Fatal(err)
	}
	if with.Status != verdict.Verified || recalls.Load() == 0 {
		t.Errorf("%s %s, %d steps recalled", with.Status, with.Reason, recalls.Load())
	}
	req.Search.Reduce = "fusing,frozen,symmetry,items,keys,guarded"
	without, err := trySource(t, source, req)
	if err != nil || with.States != without.States || with.Transitions != without.Transitions {
		t.Errorf("%d states, %d transitions; without remembered steps %d, %d %v", with.States, with.Transitions, without.States, without.Transitions, err)
	}
}
