// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/front"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// What a request overrides is judged by the kind and the protocol of the collection that
// was found, never by those of another.
func TestClients_OverridesAreThoseOfTheCollectionsKind(t *testing.T) {
	for _, c := range []struct {
		request pangolin.Request
		threads [2]int
		fails   string
	}{
		{pangolin.Request{Packages: []string{"./collections/pqueue.SkipQueue"}, Scope: pangolin.Scope{DistinctPriorities: pangolin.On}}, [2]int{1, 3}, ""},
		{pangolin.Request{Packages: []string{"./collections/queue.SynchronousDualQueue"}, Scope: pangolin.Scope{Config: "B", Threads: "3..3"}}, [2]int{3, 3}, ""},
		{pangolin.Request{Packages: []string{"./collections/list.LazyList"}, Scope: pangolin.Scope{DistinctPriorities: pangolin.On}}, [2]int{}, "Request.Scope.DistinctPriorities does not go with a set"},
		{pangolin.Request{Packages: []string{"./collections/list.LazyList"}, Scope: pangolin.Scope{Config: "B", Threads: "3..3"}}, [2]int{}, "3 threads cannot share 2 steps"},
	} {
		_, err := pangolin.Prepare(repository, c.request)
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%v: %v", c.request.Packages, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", c.request.Packages, err)
			continue
		}
		list, err := pangolin.Clients(repository, c.request, false)
		if err != nil || len(list) != 1 || list[0].Scope.Threads != c.threads {
			t.Errorf("%v: %v %v", c.request.Packages, list, err)
		}
	}
}

// The scope of a configuration in which something differs is not called by its name.
func TestClients_ABoundOnPreemptionsIsNoConfiguration(t *testing.T) {
	none, two := 0, 2
	for _, c := range []struct {
		config  string
		preempt *int
		preset  string
	}{{"D", nil, "D"}, {"D", &none, ""}, {"E", &two, "E"}, {"E", &none, ""}} {
		list, err := pangolin.Clients(repository, pangolin.Request{Kind: "queue", Scope: pangolin.Scope{Config: c.config}, Search: pangolin.Search{Preempt: c.preempt}}, false)
		if err != nil || list[0].Scope.Preset != c.preset {
			t.Errorf("%v: %+v %v", c, list, err)
		}
	}
}

// Roles may name an operation that the oracle of the kind does not know: then the same code judges all.
func TestVerify_KnowsRolesOfAnyOperation(t *testing.T) {
	dir := writeModule(t, map[string]string{"queue.go": `package example

import "sync"

type Queue struct {
	mu     sync.Mutex
	list   []int
	closed chan struct{}
}

func NewQueue() *Queue {
	q := &Queue{closed: make(chan struct{})}
	go func() { <-q.closed }()
	return q
}

func (q *Queue) Enqueue(v int) { q.mu.Lock(); defer q.mu.Unlock(); q.list = append(q.list, v) }

func (q *Queue) Dequeue() (v int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) > 0 {
		v, ok, q.list = q.list[0], true, q.list[1:]
	}
	return v, ok
}

func (q *Queue) Close() { q.closed <- struct{}{} }
`})
	list, err := pangolin.Verify(front.Share(t.Context()), pangolin.Request{Dir: dir, Scope: pangolin.Scope{Config: "B"}, Roles: "Close:once"})
	if err != nil || len(list) != 1 || list[0].Status != "verified" || len(list[0].LeftOut) > 0 || list[0].Scope.Bounds.Roles != "Close:once" {
		t.Error(err, list)
	}
	if list[0].Oracle != "self" {
		t.Errorf("judged by %s", list[0].Oracle)
	}
	_, err = pangolin.Verify(front.Share(t.Context()), pangolin.Request{Dir: dir, Scope: pangolin.Scope{Config: "B"}, Roles: "Shut:once"})
	if err == nil || !strings.Contains(err.Error(), "no operation Shut") {
		t.Error(err)
	}
}

// What is called last comes behind every other call, and nothing behind it: in the search of all clients at once as in
// that of one after the other.
func TestVerify_CallsLast(t *testing.T) {
	level.SkipShort(t, "verifies five types in many scopes")
	const log = `package example

import "sync"

type Log struct {
	mu    sync.Mutex
	lines []int
}

func (l *Log) Write(v int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, v)
	return len(l.lines)
}

func (l *Log) Close() int {
	n := len(l.lines)
	l.lines = nil
	return n
}
`
	for _, c := range []struct {
		name, source, roles string
		want                verdict.Status
	}{
		{"last", log, "Close:last", verdict.Verified},
		{"once", log, "Close:once", verdict.Violated},
		{"another is last", log, "Write:last", verdict.Violated}, // two may still close
		{"a goroutine goes on", strings.Replace(log, "l.lines = append(l.lines, v)", "go func() { l.lines = append(l.lines, v) }()", 1), "Close:last", verdict.Violated},
		{"a line is lost", strings.Replace(log, "l.lines = append(l.lines, v)", "lines := l.lines\n\tl.mu.Unlock()\n\tl.mu.Lock()\n\tl.lines = append(lines, v)", 1), "Close:last", verdict.Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := modules.Dir(t, c.source)
			for _, bounds := range []pangolin.Scope{{Threads: "1..2", Steps: "1..3"}, {Threads: "2..2", PerThread: 2}, {Threads: "2..2", Steps: "3..3"}} {
				var clients [2]json.Number
				for i, single := range []bool{false, true} {
					list, err := pangolin.Verify(modules.Context, pangolin.Request{Dir: dir, Scope: bounds, Roles: c.roles, Property: "linear", Search: pangolin.Search{Clients: single}})
					if err != nil || len(list) != 1 || list[0].Status != c.want {
						t.Errorf("%+v, one by one %v: %v, want %s", bounds, single, list, c.want)
						continue
					}
					assumed := strings.Contains(strings.Join(list[0].Assumptions, "\n"), "is called when every other call has returned")
					if clients[i] = list[0].Effort.Clients; assumed != strings.Contains(c.roles, ":last") {
						t.Errorf("assumptions %q", list[0].Assumptions)
					}
				}
				if clients[0] != clients[1] {
					t.Errorf("%+v: %s and %s clients", bounds, clients[0], clients[1])
				}
			}
		})
	}
}

// What is called first comes before every other call, and what is called alone beside none: in the search of all clients at once as in
// that of one after the other.
func TestVerify_CallsFirstAndAlone(t *testing.T) {
	level.SkipShort(t, "verifies seven types in many scopes")
	const limit = `package example

import "sync"

type Limit struct {
	mu    sync.Mutex
	n, most int
}

func (l *Limit) Set(v int) { l.most = v }

func (l *Limit) Add() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.n >= l.most {
		return false
	}
	l.n++
	return true
}
`
	const unordered = `package example

type Limit struct{ c chan int }

func (l *Limit) Set(v int) {
	if len(l.c) == 0 {
		l.c = make(chan int, 1)
	}
}

func (l *Limit) Add() bool {
	select {
	case l.c <- 1:
		return true
	default:
		return false
	}
}
`
	late := strings.Replace(limit, "	l.n++\n", "	l.n++\n	go func() { l.mu.Lock(); l.n += l.most - l.most; l.mu.Unlock() }()\n", 1)
	for _, c := range []struct {
		name, source, roles string
		want                verdict.Status
	}{
		{"first", limit, "Set:first", verdict.Verified},
		{"alone", limit, "Set:alone", verdict.Verified},
		{"both", limit, "Set:first,Add:alone", verdict.Verified},
		{"once", limit, "Set:once", verdict.Violated},
		{"another is first", limit, "Add:first", verdict.Violated}, // two may still set
		{"a goroutine goes on behind what is alone", late, "Set:alone", verdict.Violated},
		{"before what is first there is none", late, "Set:first", verdict.Verified},
		{"what tells without ordering is ordered by the role", unordered, "Set:first", verdict.Verified},
		{"and if it is alone", unordered, "Set:alone", verdict.Verified},
		{"not by another's", unordered, "Add:first", verdict.Violated},
		{"the others are wrong", strings.Replace(limit, "l.mu.Lock()", "", 1), "Set:first", verdict.Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := modules.Dir(t, c.source)
			for _, bounds := range []pangolin.Scope{{Threads: "1..2", Steps: "1..3"}, {Threads: "2..2", PerThread: 2}, {Threads: "2..2", Steps: "3..3"}} {
				var clients [2]json.Number
				for i, single := range []bool{false, true} {
					list, err := pangolin.Verify(modules.Context, pangolin.Request{Dir: dir, Scope: bounds, Kind: "object", Roles: c.roles, Property: "linear", Search: pangolin.Search{Clients: single}})
					if err != nil || len(list) != 1 || list[0].Status != c.want {
						t.Errorf("%+v, one by one %v: %v %v, want %s", bounds, single, list, err, c.want)
						continue
					}
					text := strings.Join(list[0].Assumptions, "\n")
					if strings.Contains(text, "Set is called before all other calls") != strings.Contains(c.roles, "Set:first") || strings.Contains(text, "Set is called while no other") != strings.Contains(c.roles, "Set:alone") {
						t.Errorf("assumptions %q", list[0].Assumptions)
					}
					clients[i] = list[0].Effort.Clients
				}
				if clients[0] != clients[1] {
					t.Errorf("%+v: %s and %s clients", bounds, clients[0], clients[1])
				}
			}
		})
	}
}

// An operation is given the user's function, which is executed like the rest: what it makes wrong of a right type is
// found, and the witness knows it.
func TestVerify_GivesTheUsersFunctions(t *testing.T) {
	level.SkipShort(t, "verifies a type several times")
	dir := writeModule(t, map[string]string{"cell.go": `package example

import "sync/atomic"

type Cell struct{ n atomic.Int64 }

func (c *Cell) Update(f func(int64) int64) int64 {
	for {
		old := c.n.Load()
		if n := f(old); c.n.CompareAndSwap(old, n) {
			return n
		}
	}
}

func double(n int64) int64 { return 2*n + 1 }

var calls int64

func counting(n int64) int64 { calls++; return n + calls }

func other(n int) int { return n }
`})
	for give, want := range map[string]string{"": "verified", "Update=double": "verified", "Update=counting": "violated", "Update=other": "it is of type func(n int) int, and Update takes func(int64) int64",
		"Update=missing": "does not take missing: the package has no function of this name", "Change=double": "Change is to be given double, and is no operation", "Update": "want METHOD=FUNCTION"} {
		out := t.TempDir()
		list, err := pangolin.Verify(front.Share(t.Context()), pangolin.Request{Dir: dir, Type: "Cell", Scope: pangolin.Scope{Config: "B"}, Give: give, Out: out})
		if err != nil || len(list) != 1 {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", give, err, want)
			}
			continue
		}
		v := list[0]
		if string(v.Status) != want {
			t.Errorf("%s: %s, want %s", give, v.Status, want)
		}
		if v.Violation != nil {
			w, err := pangolin.Replay(t.Context(), dir, v.Violation.Execution)
			if err != nil || w.Class != v.Violation.Class {
				t.Errorf("%s: the witness does not show it: %v", give, err)
			}
		}
	}
}

// What cannot be given is told in the same way where no type is named.
func TestVerify_SaysWhatCannotBeGiven(t *testing.T) {
	level.SkipShort(t, "loads a type several times")
	dir := writeModule(t, map[string]string{"cell.go": `package example

import "sync/atomic"

type Cell struct{ n atomic.Int64 }

func (c *Cell) Update(f func(int64) int64) int64 { return c.n.Add(f(1)) }

func (c *Cell) Set(n int64) { c.n.Store(n) }

func other(n int) int { return n }
`})
	for give, want := range map[string]string{
		"Update=other":   "example.Cell: Update does not take other: it is of type func(n int) int, and Update takes func(int64) int64",
		"Update=missing": "example.Cell: Update does not take missing: the package has no function of this name",
		"Set=other":      "example.Cell: Set does not take other: Set takes no function",
		"Shut=other":     "example.Cell: Shut is to be given other, and is no operation",
	} {
		if _, err := pangolin.Verify(front.Share(t.Context()), pangolin.Request{Dir: dir, Give: give}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", give, err, want)
		}
	}
}
