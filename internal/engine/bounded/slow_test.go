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

// Small collections twice: as Go source, and as lists of accesses to a few words that the test
// executes itself, in every order, judging each by every order of its calls. It shares nothing with
// the machine, the search and the monitor, and is as slow as it is plain.

// memory is the words of a collection; local is what a call knows, and returns in its first word.
type (
	memory [3]int
	local  [3]int
)

// access executes one access, and says which comes next; -1 if the call returns.
type access func(m *memory, l *local) int

// then is an access that is followed by access next.
func then(next int, do func(m *memory, l *local)) access {
	return func(m *memory, l *local) int { do(m, l); return next }
}

type twice struct {
	name, source string
	operations   map[string][]access
}

var twices = []twice{
	{"an increment in two steps", `
type Box struct{ a atomic.Int64 }
func (b *Box) Inc() { b.a.Store(b.a.Load() + 1) }
func (b *Box) Get() int { return int(b.a.Load()) }`,
		map[string][]access{
			"Inc": {then(1, func(m *memory, l *local) { l[1] = m[0] }), then(-1, func(m *memory, l *local) { m[0] = l[1] + 1 })},
			"Get": {then(-1, func(m *memory, l *local) { l[0] = m[0] })},
		}},
	{"numbers that are given twice", `
type Box struct{ a atomic.Int64 }
func (b *Box) Next() int { n := b.a.Load(); b.a.Store(n + 1); return int(n) }`,
		map[string][]access{
			"Next": {then(1, func(m *memory, l *local) { l[0] = m[0] }), then(-1, func(m *memory, l *local) { m[0] = l[0] + 1 })},
		}},
	{"a sum while one part has changed", `
type Box struct{ a, b atomic.Int64 }
func (b *Box) Move() { b.a.Add(-1); b.b.Add(1) }
func (b *Box) Sum() int { x := b.a.Load(); return int(x + b.b.Load()) }`,
		map[string][]access{
			"Move": {then(1, func(m *memory, _ *local) { m[0]-- }), then(-1, func(m *memory, _ *local) { m[1]++ })},
			"Sum":  {then(1, func(m *memory, l *local) { l[1] = m[0] }), then(-1, func(m *memory, l *local) { l[0] = l[1] + m[1] })},
		}},
	{"a loop that is right beside a store that is not", `
type Box struct{ a atomic.Int64 }
func (b *Box) Inc() { for { n := b.a.Load(); if b.a.CompareAndSwap(n, n+1) { return } } }
func (b *Box) Double() { b.a.Store(2 * b.a.Load()) }
func (b *Box) Get() int { return int(b.a.Load()) }`,
		map[string][]access{
			"Inc": {then(1, func(m *memory, l *local) { l[1] = m[0] }), func(m *memory, l *local) int {
				if m[0] != l[1] {
					return 0
				}
				m[0]++
				return -1
			}},
			"Double": {then(1, func(m *memory, l *local) { l[1] = m[0] }), then(-1, func(m *memory, l *local) { m[0] = 2 * l[1] })},
			"Get":    {then(-1, func(m *memory, l *local) { l[0] = m[0] })},
		}},
	{"a lock that two can take", `
type Box struct{ a, b atomic.Int64 }
func (b *Box) Try() bool {
	if b.a.Load() == 1 { return false }
	b.a.Store(1)
	b.b.Add(1)
	return true
}
func (b *Box) Owners() int { return int(b.b.Load()) }`,
		map[string][]access{
			"Try": {func(m *memory, _ *local) int {
				if m[0] == 1 {
					return -1
				}
				return 1
			}, then(2, func(m *memory, _ *local) { m[0] = 1 }), then(-1, func(m *memory, l *local) { m[1]++; l[0] = 1 })},
			"Owners": {then(-1, func(m *memory, l *local) { l[0] = m[1] })},
		}},
	{"a message before its text", `
type Box struct{ ready, text atomic.Int64 }
func (b *Box) Send() { b.ready.Store(1); b.text.Store(7) }
func (b *Box) Get() int { if b.ready.Load() == 0 { return -1 }; return int(b.text.Load()) }`,
		map[string][]access{
			"Send": {then(1, func(m *memory, _ *local) { m[0] = 1 }), then(-1, func(m *memory, _ *local) { m[1] = 7 })},
			"Get": {func(m *memory, l *local) int {
				if m[0] == 0 {
					l[0] = -1
					return -1
				}
				return 1
			}, then(-1, func(m *memory, l *local) { l[0] = m[1] })},
		}},
}

// called is a call of an execution: by whom, when it began and when it returned what.
type called struct {
	thread, from, to int // to: -1 as long as it has not returned
	operation        string
	result           int
	at               int // its next access
	local            local
}

// run is an execution in progress of a client: for each thread the operations that it calls.
type run struct {
	of          *twice
	client      [][]string
	memory      memory
	calls       []called
	next        []int // call of each thread
	order       []int // which thread made each access
	preemptions int
}

func (r *run) clone() *run {
	c := *r
	c.calls, c.next, c.order = slices.Clone(r.calls), slices.Clone(r.next), slices.Clone(r.order)
	return &c
}

// running is the index of a thread's call in progress, or -1.
func (r *run) running(thread int) int {
	return slices.IndexFunc(r.calls, func(c called) bool { return c.thread == thread && c.to < 0 })
}

// step lets a thread make its next access, which begins a call if none is in progress; false if it
// has nothing left to do.
func (r *run) step(thread int) bool {
	k := r.running(thread)
	if k < 0 {
		if r.next[thread] == len(r.client[thread]) {
			return false
		}
		r.calls = append(r.calls, called{thread: thread, from: len(r.order), to: -1, operation: r.client[thread][r.next[thread]]})
		r.next[thread]++
		k = len(r.calls) - 1
	}
	if n := len(r.order); n > 0 && r.order[n-1] != thread && r.running(r.order[n-1]) >= 0 {
		r.preemptions++
	}
	c := &r.calls[k]
	c.at = r.of.operations[c.operation][c.at](&r.memory, &c.local)
	if c.at < 0 {
		c.to, c.result = len(r.order), c.local[0]
	}
	r.order = append(r.order, thread)
	return true
}

// explained says that some order of the calls, of which those that have not returned may be missing
// and return what they like, puts each call before those that began after its return, and gives the results when one
// call is executed after the other.
func (r *run) explained(m memory, done []bool) bool {
	left := false
	for i := range r.calls {
		left = left || !done[i] && r.calls[i].to >= 0
	}
	if !left {
		return true
	}
	for i := range r.calls {
		c := &r.calls[i]
		first := !done[i]
		for j := range r.calls {
			first = first && (done[j] || r.calls[j].to < 0 || r.calls[j].to >= c.from)
		}
		if !first {
			continue
		}
		after, l := m, local{}
		for at := 0; at >= 0; {
			at = r.of.operations[c.operation][at](&after, &l)
		}
		if c.to >= 0 && l[0] != c.result {
			continue
		}
		done[i] = true
		good := r.explained(after, done)
		done[i] = false
		if good {
			return true
		}
	}
	return false
}

func (r *run) wrong() bool { return !r.explained(memory{}, make([]bool, len(r.calls))) }

// each tries every way to go on, and gives the executions that are over or wrong.
func (r *run) each(yield func(r *run, wrong bool)) {
	over := true
	for t := range r.client {
		if c := r.clone(); c.step(t) {
			over = false
			if c.wrong() {
				yield(c, true)
				continue
			}
			c.each(yield)
		}
	}
	if over {
		yield(r, false)
	}
}

// fewest is the number of preemptions of a client's wrong execution with the fewest; -1 if none is wrong.
func (x *twice) fewest(client [][]string) int {
	best := -1
	(&run{of: x, client: client, next: make([]int, len(client))}).each(func(r *run, wrong bool) {
		if wrong && (best < 0 || r.preemptions < best) {
			best = r.preemptions
		}
	})
	return best
}

// harmed is the first access of an execution behind which none that goes on from there is right,
// counted from 1; 0 if there is none.
func (x *twice) harmed(client [][]string, order []int) int {
	r := &run{of: x, client: client, next: make([]int, len(client))}
	for k := 0; ; k++ {
		right := false
		r.each(func(_ *run, wrong bool) { right = right || !wrong })
		if !right {
			return k
		}
		if k == len(order) {
			return 0
		}
		r.step(order[k])
		if r.wrong() {
			return k + 1
		}
	}
}

// clientOf is who calls what in a witness, and who made each of its accesses.
func clientOf(w *verdict.Witness) (client [][]string, order []int) {
	client = make([][]string, w.Threads)
	for _, e := range w.History {
		client[e.Thread-1] = append(client[e.Thread-1], e.Operation)
	}
	for i := range w.Steps {
		if w.Steps[i].Access != nil {
			order = append(order, w.Steps[i].Thread-1)
		}
	}
	return client, order
}

// Of a witness no call, and with it no thread, and no preemption can be dropped, and the damage is done
// by the access behind which every way to go on is wrong: by an enumeration of all executions.
func TestWitness_IsSmallAndMarkedByEnumeration(t *testing.T) {
	level.SkipShort(t, "enumerates executions")
	for i := range twices {
		x := &twices[i]
		v := verifySource(t, "package example\n\nimport \"sync/atomic\"\n\nvar _ atomic.Int64\n"+x.source, pangolin.Request{Kind: "object", Oracle: "self"})
		if v.Violation == nil || v.Violation.Class != "history" {
			t.Errorf("%s: %s %s", x.name, v.Status, v.Reason)
			continue
		}
		w := v.Violation.Execution
		client, order := clientOf(w)
		r := &run{of: x, client: client, next: make([]int, len(client))}
		for _, thread := range order {
			r.step(thread)
		}
		if !r.wrong() || len(r.calls) != len(w.History) {
			t.Errorf("%s: the execution is right: %s", x.name, w.Client)
			continue
		}
		for thread := range client {
			for k := range client[thread] {
				less := slices.Clone(client)
				less[thread] = slices.Delete(slices.Clone(client[thread]), k, k+1)
				if x.fewest(less) >= 0 {
					t.Errorf("%s: of %s call %d of thread %d can be dropped", x.name, w.Client, k+1, thread+1)
				}
			}
		}
		if best := x.fewest(client); best != r.preemptions {
			t.Errorf("%s: %s has %d preemptions, and %d suffice", x.name, w.Client, r.preemptions, best)
		}
		marked := 0
		for i := range w.Steps[:w.Damage] {
			if w.Steps[i].Access != nil {
				marked++
			}
		}
		if harm := x.harmed(client, order); harm != marked {
			t.Errorf("%s: the damage is marked at access %d of %v, and done by access %d: %s", x.name, marked, order, harm, w.Client)
		}
		t.Log(strings.TrimSpace(w.Client), order, r.preemptions, marked)
	}
}
