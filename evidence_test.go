// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// container is a type under a lock: its name, what it adds with, what it removes with, and
// from which end.
func container(typ, add, remove, take string) string {
	return `package example

import "sync"

type ` + typ + ` struct {
	mu   sync.Mutex
	list []int
}

func (b *` + typ + `) ` + add + `(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = append(b.list, v)
}

func (b *` + typ + `) ` + remove + `() (v int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.list) - 1
	if n < 0 {
		return 0, false
	}
	` + take + `
	return v, true
}
`
}

func counter(start, get string) string {
	return `package example

import "sync/atomic"

type Counter struct{ n atomic.Int64 }

func NewCounter() *Counter { c := &Counter{}; c.n.Store(` + start + `); return c }

func (c *Counter) Inc() { c.n.Add(1) }

func (c *Counter) Get() int { return ` + get + ` }
`
}

// full refuses what it is given if a condition holds.
func full(typ, condition string) string {
	text := container(typ, "Enqueue", "Dequeue", "v = b.list[0]\nb.list = b.list[1:]")
	text = strings.Replace(text, "Enqueue(v int) {", "Enqueue(v int) bool {", 1)
	return strings.Replace(text, "b.list = append(b.list, v)", "if "+condition+" {\nreturn false\n}\nb.list = append(b.list, v)\nreturn true", 1)
}

// waiting is a queue under a lock that waits, while a condition holds, for somebody to add or take, until it is closed.
func waiting(typ, empty, take, full string) string {
	if full == "" {
		full = "false"
	}
	return `package example

import "sync"

type ` + typ + ` struct {
	mu     sync.Mutex
	moved  *sync.Cond
	list   []int
	closed bool
}

func New() *` + typ + ` {
	b := &` + typ + `{}
	b.moved = sync.NewCond(&b.mu)
	return b
}

func (b *` + typ + `) Put(v int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ` + full + ` && !b.closed {
		b.moved.Wait()
	}
	if b.closed {
		return false
	}
	b.list = append(b.list, v)
	b.moved.Broadcast()
	return true
}

func (b *` + typ + `) Get() (v int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ` + empty + ` && !b.closed {
		b.moved.Wait()
	}
	if len(b.list) == 0 {
		return 0, false
	}
	` + take + `
	b.moved.Broadcast()
	return v, true
}
`
}

// bag holds an item as often as it was added.
func bag(typ string) string {
	return `package example

import "sync"

type ` + typ + ` struct {
	mu sync.Mutex
	m  map[int]int
}

func New() *` + typ + ` { return &` + typ + `{m: map[int]int{}} }

func (b *` + typ + `) Add(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m[v]++
}

func (b *` + typ + `) Remove(v int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.m[v] == 0 {
		return false
	}
	b.m[v]--
	return true
}

func (b *` + typ + `) Contains(v int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.m[v] > 0
}
`
}

// What a collection does when one thread uses it decides between kinds that names leave
// open, and is taken rather than what names of methods tell. What the type is called, and
// kinds and oracles that the user names, it cannot excuse.
func TestEvidence_DecidesWhatNamesLeaveOpen(t *testing.T) {
	const (
		first    = "v = b.list[0]\nb.list = b.list[1:]"
		last     = "v = b.list[n]\nb.list = b.list[:n]"
		smallest = "at := 0\nfor i := range b.list {\nif b.list[i] < b.list[at] {\nat = i\n}\n}\nv = b.list[at]\nb.list = append(b.list[:at:at], b.list[at+1:]...)"
		wrong    = "v = b.list[n/2]\nb.list = append(b.list[:n/2:n/2], b.list[n/2+1:]...)"
	)
	for i, c := range []struct {
		name, source, kind, oracle string
		status                     verdict.Status
		wantKind, wantOracle, says string
	}{
		{"last in first out by Push and Pop", container("Box", "Push", "Pop", last), "", "", verdict.Verified, "stack", "stack", ""},
		{"first in first out by Push and Pop", container("Box", "Push", "Pop", first), "", "", verdict.Verified, "queue", "queue", "it is no stack"},
		{"neither, by Push and Pop", container("Box", "Push", "Pop", wrong), "", "", verdict.Verified, "stack", "self", "no kind agrees with what one thread sees"},
		{"last in first out by Enqueue and Dequeue", container("Box", "Enqueue", "Dequeue", last), "", "", verdict.Verified, "stack", "stack", "it is no queue, by whose oracle one thread is wrong"},
		{"neither, by Enqueue and Dequeue", container("Box", "Enqueue", "Dequeue", wrong), "", "", verdict.Verified, "queue", "self", "no kind agrees with what one thread sees"},
		{"a queue that is none", container("WorkQueue", "Enqueue", "Dequeue", wrong), "", "", verdict.Violated, "queue", "queue", "one thread alone is wrong by the oracle queue, which it is called"},
		{"last in first out, called a queue", container("WorkQueue", "Push", "Pop", last), "", "", verdict.Violated, "queue", "queue", "one thread alone is wrong by the oracle queue, which it is called"},
		{"the smallest first, called a queue", container("WorkQueue", "Push", "Pop", smallest), "", "", verdict.Verified, "pqueue", "pqueue", "it is no queue, by whose oracle one thread is wrong"},
		{"a queue of two places", full("Queue", "len(b.list) == 2"), "", "", verdict.Verified, "queue", "queue", "it holds 2 items at most, as one thread sees"},
		{"a box of two places", full("Box", "len(b.list) == 2"), "", "", verdict.Verified, "queue", "queue", "it holds 2 items at most, as one thread sees"},
		{"a queue that refuses what it has", full("Queue", "len(b.list) > 0 && b.list[0] == v"), "", "", verdict.Violated, "queue", "queue", "one thread alone is wrong by the oracle queue, which it is called"},
		{"first in first out by DeleteMin", container("Box", "Add", "DeleteMin", first), "", "", verdict.Violated, "pqueue", "pqueue", "one thread alone is wrong by the oracle pqueue, as the name DeleteMin tells"},
		{"first in first out by RemoveMin", container("Box", "Put", "RemoveMin", first), "", "", verdict.Violated, "pqueue", "pqueue", "as the name RemoveMin tells"},
		{"last in first out by PopMin", container("Box", "Push", "PopMin", last), "", "", verdict.Violated, "pqueue", "pqueue", "as the name PopMin tells"},
		{"in the middle by ExtractMin", container("Box", "Insert", "ExtractMin", wrong), "", "", verdict.Violated, "pqueue", "pqueue", "as the name ExtractMin tells"},
		{"the smallest first by DeleteMin", container("Box", "Add", "DeleteMin", smallest), "", "", verdict.Verified, "pqueue", "pqueue", ""},
		{"first in first out by DeleteMin, by the user's word a queue", container("Box", "Add", "DeleteMin", first), "", "self", verdict.Verified, "pqueue", "self", ""},
		{"a priority queue of two places", strings.NewReplacer("v = b.list[0]\nb.list = b.list[1:]", smallest, "Enqueue", "Add", "Dequeue", "DeleteMin").Replace(full("Box", "len(b.list) == 2")), "", "", verdict.Verified, "pqueue", "pqueue", "it holds 2 items at most, as one thread sees"},
		{"what else a priority queue says", container("Box", "Add", "DeleteMin", smallest) + "\nfunc (b *Box) Len() int { b.mu.Lock(); defer b.mu.Unlock(); return min(1, len(b.list)) }\n", "", "", verdict.Verified, "pqueue", "self", "no kind agrees"},
		{"a bag", bag("Bag"), "", "", verdict.Verified, "set", "self", "no kind agrees"},
		{"a bag that is called a set", bag("HashSet"), "", "", verdict.Violated, "set", "set", "one thread alone is wrong by the oracle set, which it is called"},
		{"a bag by a set's oracle", bag("Bag"), "", "set", verdict.Violated, "set", "set", "one thread alone is wrong by the oracle set: "},
		{"first in first out, called a stack", container("Stack", "Push", "Pop", first), "", "", verdict.Violated, "stack", "stack", "one thread alone is wrong by the oracle stack"},
		{"first in first out, a stack by the user's word", container("Box", "Push", "Pop", first), "stack", "", verdict.Violated, "stack", "stack", "one thread alone is wrong by the oracle stack"},
		{"first in first out, by a stack's oracle", container("Box", "Push", "Pop", first), "", "stack", verdict.Violated, "stack", "stack", "one thread alone is wrong by the oracle stack"},
		{"a counter from 0", counter("0", "int(c.n.Load())"), "", "", verdict.Verified, "counter", "counter", ""},
		{"a counter from 1", counter("1", "int(c.n.Load())"), "", "", verdict.Verified, "counter", "self", "no kind agrees"},
		{"a counter from 1, by the user's word", counter("1", "int(c.n.Load())"), "counter", "", verdict.Violated, "counter", "counter", "one thread alone is wrong"},
		{"a counter that only two threads find wrong", strings.Replace(counter("0", "int(c.n.Load())"), "c.n.Add(1)", "c.n.Store(c.n.Load() + 1)", 1), "", "", verdict.Violated, "counter", "counter", "no order"},
		{"a counter from 1 that loses", strings.Replace(counter("1", "int(c.n.Load())"), "c.n.Add(1)", "c.n.Store(c.n.Load() + 1)", 1), "", "", verdict.Violated, "counter", "self", "no order"},
		{"a queue that waits", waiting("Queue", "len(b.list) == 0", "v = b.list[0]\nb.list = b.list[1:]", ""), "", "", verdict.Verified, "queue", "queue", "Get waits where there is nothing, as one thread sees"},
		{"a queue of two places that waits", waiting("Queue", "len(b.list) == 0", "v = b.list[0]\nb.list = b.list[1:]", "len(b.list) == 2"), "", "", verdict.Verified, "queue", "queue", "it holds 2 items at most, and Get and Put wait"},
		{"a queue that waits, last in first out", waiting("Queue", "len(b.list) == 0", "v = b.list[len(b.list)-1]\nb.list = b.list[:len(b.list)-1]", ""), "", "", verdict.Violated, "queue", "queue", "one thread alone is wrong by the oracle queue, which it is called"},
		{"a queue that waits where there is an item", waiting("Queue", "len(b.list) < 2", "v = b.list[0]\nb.list = b.list[1:]", ""), "", "", verdict.Violated, "queue", "queue", "wait"},
		{"a queue that keeps its lock", strings.Replace(container("Queue", "Put", "Get", first), "return 0, false", "b.mu.Lock()\nreturn 0, false", 1), "", "", verdict.Violated, "queue", "queue", "wait"},
		{"a runtime error is no evidence", container("Box", "Push", "Pop", "v = b.list[n+1]"), "", "", verdict.Violated, "stack", "stack", "out of range"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if level.OutOf(i, 8, 2) {
				t.Skip("every second will do, and every eighth in short; -level more tries all")
			}
			r := pangolin.Request{Dir: modules.Dir(t, c.source), Kind: c.kind, Oracle: pangolin.Oracle(c.oracle), Scope: pangolin.Scope{Config: "D"}}
			if c.status == verdict.Violated {
				r.Expect = "violated" // no hints
			}
			list, err := pangolin.Verify(modules.Context, r)
			if err != nil {
				t.Fatal(err)
			}
			v := list[0]
			said := v.Reason + strings.Join(v.Assumptions, "\n")
			if contradicted := strings.Contains(said, "no kind agrees") || strings.Contains(said, "it is no "); contradicted != (v.Unlike != "") || contradicted && !strings.HasPrefix(v.Except(), "not a "+v.Unlike) {
				t.Errorf("%q: unlike %q, the headline says %q", said, v.Unlike, v.Except())
			}
			if v.Status != c.status || v.Kind != c.wantKind || v.Oracle != c.wantOracle || !strings.Contains(said, c.says) {
				t.Errorf("%s %s, oracle %s: %s", v.Kind, v.Status, v.Oracle, said)
			}
		})
	}
}

// What returns a value of which no name tells whether it is that of before or that of after is read as
// one thread sees it; what contradicts both is wrong, however many threads there are, and not verified
// against itself. The witness is that of the reading that takes more calls to contradict. It replays.
func TestEvidence_ReadsWhatNoNameTells(t *testing.T) {
	cell := func(toggle, read string) string {
		return `package example

import "sync/atomic"

type Flag struct{ v uint32 }

func (b *Flag) Load() bool { return atomic.LoadUint32(&b.v)` + read + ` }
func (b *Flag) CAS(old, new bool) bool { return atomic.CompareAndSwapUint32(&b.v, number(old), number(new)) }
func (b *Flag) Store(new bool) { atomic.StoreUint32(&b.v, number(new)) }
func (b *Flag) Swap(new bool) bool { return atomic.SwapUint32(&b.v, number(new))` + read + ` }
func (b *Flag) Toggle() bool {
` + toggle + `
}

func number(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
`
	}
	loop := func(returns string) string {
		return "\tfor {\n\t\told := b.Load()\n\t\tif b.CAS(old, !old) {\n\t\t\treturn " + returns + "\n\t\t}\n\t}"
	}
	level.SkipShort(t, "verifies five types")
	const lost = "\told := b.Load()\n\tb.Store(!old)\n\treturn old"
	for _, c := range []struct {
		name, source string
		status       verdict.Status
		assumes      string
		threads      int // that the witness takes
	}{
		{"the old value", cell(loop("old"), " == 1"), verdict.Verified, "Toggle returns the old value", 0},
		{"the new value", cell(loop("!old"), " == 1"), verdict.Verified, "Toggle returns the new value", 0},
		{"an update that is lost", cell(lost, " == 1"), verdict.Violated, "Toggle returns the old value", 2},
		{"two numbers for one value", cell("\treturn (atomic.AddUint32(&b.v, 1) - 1)&1 == 1", "&1 == 1"), verdict.Violated, "contradicts either reading of what Toggle returns", 1},
		{"neither", cell("\tb.v = 1 - b.v\n\treturn true", " == 1"), verdict.Violated, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := modules.Dir(t, c.source)
			list, err := pangolin.Verify(modules.Context, pangolin.Request{Dir: dir, Scope: pangolin.Scope{Config: "D"}})
			if err != nil || len(list) != 1 {
				t.Fatal(err)
			}
			v := list[0]
			if v.Status != c.status || v.Oracle != "register" || !strings.Contains(strings.Join(v.Assumptions, "\n"), c.assumes) {
				t.Errorf("%s by %s: %s, assuming %q", v.Status, v.Oracle, v.Reason, v.Assumptions)
			}
			if v.Violation == nil {
				return
			}
			w := v.Violation.Execution
			busy := map[int]bool{}
			for _, e := range w.History {
				busy[e.Thread] = true
			}
			if c.threads > 0 && len(busy) != c.threads {
				t.Errorf("the witness is %s", w.Client)
			}
			if again, err := pangolin.Replay(modules.Context, dir, w); err != nil || again.Class != w.Class {
				t.Errorf("it does not replay: %v", err)
			}
		})
	}
}
