// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"slices"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// The damage is done by the access behind which no order of what follows is right, and that
// is not always the last one.
func TestDamage_IsTheStepBehindWhichNothingIsRight(t *testing.T) {
	level.SkipShort(t, "bisects executions")
	const shared = "package example\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar _ sync.Mutex\nvar _ atomic.Int64\n\n"
	for _, c := range []struct {
		name, source, access string
		calls                int // that have not begun when the damage is done
	}{
		{"a lost increment", `type Counter struct{ n atomic.Int64 }
func (c *Counter) Inc()       { c.n.Store(c.n.Load() + 1) }
func (c *Counter) Get() int64 { return c.n.Load() }
`, "write Counter#1.n = 1 (was 1)", 1},
		{"locks taken in two orders", `type Stack struct {
	a, b sync.Mutex
	list []int
}
func (s *Stack) Push(x int) { s.a.Lock(); s.b.Lock(); s.list = append(s.list, x); s.b.Unlock(); s.a.Unlock() }
func (s *Stack) Pop() (int, bool) {
	s.b.Lock()
	s.a.Lock()
	defer s.b.Unlock()
	defer s.a.Unlock()
	if len(s.list) == 0 { return 0, false }
	x := s.list[len(s.list)-1]
	s.list = s.list[:len(s.list)-1]
	return x, true
}
`, "Lock Stack#1.b", 0},
		{"one that is right if only asked earlier", `type Register struct{ a, b atomic.Int64 }
func (r *Register) Write(v int64) { r.a.Store(v); r.b.Store(v) }
func (r *Register) Read() int64 { return r.b.Load() }
`, "", -1}, // it is a register: nothing is wrong
	} {
		v := verifySource(t, shared+c.source, pangolin.Request{})
		if v.Violation == nil {
			if c.access != "" {
				t.Errorf("%s: %s", c.name, v.Status)
			}
			continue
		}
		w := v.Violation.Execution
		if w.Damage == 0 || w.Steps[w.Damage-1].Access == nil || w.Steps[w.Damage-1].Access.String() != c.access {
			t.Errorf("%s: damage at step %d of %+v", c.name, w.Damage, w.Steps)
			continue
		}
		later := 0
		for _, e := range w.History {
			if e.Invoked > w.Damage {
				later++
			}
		}
		if later != c.calls {
			t.Errorf("%s: %d calls begin behind the damage, want %d", c.name, later, c.calls)
		}
	}
}

// A call returns in the turn in which the goroutine that it has started makes an access: asked whether all is lost
// before that access, the state has what was returned.
func TestDamage_KnowsWhatHasReturnedWithinATurn(t *testing.T) {
	v := verifySource(t, `package example

import "sync"

type Box struct {
	mu sync.Mutex
	n  int
}

func NewBox() *Box { return &Box{} }

func (b *Box) Start() int { go b.add(); return 1 }

func (b *Box) add() { b.n++ }

func (b *Box) Stop() { b.mu.Unlock() }
`, pangolin.Request{Type: "Box", Oracle: "self", Roles: "Start:once",
		Scope: pangolin.Scope{Threads: "2..2", Steps: "2..2", PreAdds: "0..0"}, Search: pangolin.Search{Clients: true}})
	if v.Violation == nil || v.Violation.Class != "panic" {
		t.Errorf("%+v", v)
	}
}

// A thread that is stuck says what it waits at, which locks it holds, and who holds that one.
func TestWaiting_NamesHolders(t *testing.T) {
	v := verifySource(t, `package example

import "sync"

type Box struct{ a, b sync.Mutex }

func (x *Box) Set() { x.a.Lock(); x.b.Lock(); x.b.Unlock(); x.a.Unlock() }
func (x *Box) Get() { x.b.Lock(); x.a.Lock(); x.a.Unlock(); x.b.Unlock() }
`, pangolin.Request{Kind: "object", Oracle: "self"})
	if v.Violation == nil || v.Violation.Class != "deadlock" {
		t.Fatalf("%+v", v)
	}
	w := v.Violation.Execution
	for _, s := range w.Waiting {
		if s.At == "" || len(s.HeldBy) != 1 || s.HeldBy[0] == s.Thread || len(s.Holds) > 1 {
			t.Errorf("%+v", s)
			continue
		}
		for _, o := range w.Waiting {
			if o.Thread == s.HeldBy[0] && !slices.Contains(o.Holds, s.At) {
				t.Errorf("thread %d waits for %s, which thread %d is said to hold, and not to: %v", s.Thread, s.At, o.Thread, o.Holds)
			}
		}
		if stack := w.Stack(s.Frame); len(stack) == 0 || !strings.HasPrefix(stack[0].Function, "(*Box).") && !stack[0].Library {
			t.Errorf("the stack %v", stack)
		}
	}
}

// A race inside the standard library has the user's line, the whole stack, and the locks held.
func TestRace_HasTheLineOfTheUser(t *testing.T) {
	v := verifySource(t, `package example

import (
	"container/list"
	"sync"
)

type Queue struct {
	mu   sync.Mutex
	list *list.List
}

func NewQueue() *Queue { return &Queue{list: list.New()} }

func (q *Queue) Enqueue(x int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list.PushBack(x)
}

func (q *Queue) Dequeue() (int, bool) {
	e := q.list.Front() // line 21
	if e == nil {
		return 0, false
	}
	return q.list.Remove(e).(int), true
}
`, pangolin.Request{})
	if v.Violation == nil || v.Violation.Class != "race" {
		t.Fatalf("%+v", v)
	}
	w := v.Violation.Execution
	held := 0
	for _, c := range w.Race {
		stack := w.Stack(c.Frame)
		if c.File != "example.go" || len(stack) < 2 || stack[0].File != "container/list/list.go" || !stack[0].Library || stack[0].Model {
			t.Errorf("%s with the stack %v", c, stack)
		}
		held += len(c.Holds)
	}
	if held != 1 {
		t.Errorf("%d locks are held, want one: %+v", held, w.Race)
	}
}

// A panic has the calls in progress where it began, though deferred calls ran since.
func TestCrash_HasTheStackWhereItBegan(t *testing.T) {
	v := verifySource(t, `package example

type Stack struct{ list []int }

func (s *Stack) Pop() (int, bool) { return 0, false }

func (s *Stack) Push(x int) {
	defer func() { _ = len(s.list) }()
	s.put(x)
}

func (s *Stack) put(x int) { s.list[-1+len(s.list)] = x }
`, pangolin.Request{Scope: pangolin.Scope{Threads: "1..1"}})
	if v.Violation == nil || v.Violation.Class != "panic" {
		t.Fatalf("%+v", v)
	}
	w := v.Violation.Execution
	if w.Crash == nil || w.Crash.Thread != 1 || !strings.Contains(w.Crash.Text, "index out of range [-1]") {
		t.Fatalf("%+v", w.Crash)
	}
	var lines []verdict.Place
	for _, f := range w.Stack(w.Crash.Frame) {
		lines = append(lines, f.Place)
	}
	if len(lines) < 2 || lines[0].Function != "(*Stack).put" || lines[0].Line != 12 || lines[1].Function != "(*Stack).Push" || lines[1].Line != 9 {
		t.Errorf("%v", lines)
	}
}
