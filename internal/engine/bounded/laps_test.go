// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"fmt"
	"slices"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// Collections whose calls can go on for ever, twice, as those of slow_test.go. All threads can
// always go on, every call returns when nobody interferes, and none has a result.
var endlessTwices = []struct {
	class string
	twice
}{
	{"livelock", twice{"two that let the other go first", `
type Box struct{ a, b atomic.Int64 }
func (x *Box) Left() { x.a.Store(1); for x.b.Load() == 1 {}; x.a.Store(0) }
func (x *Box) Right() { x.b.Store(1); for x.a.Load() == 1 {}; x.b.Store(0) }`,
		map[string][]access{"Left": politely(0, 1), "Right": politely(1, 0)},
	}},
	{"livelock", twice{"a ticket that is given twice", `
type Box struct{ next, serving atomic.Int64 }
func (b *Box) Work() {
	t := b.next.Load()
	b.next.Store(t + 1)
	for b.serving.Load() != t {}
	b.serving.Store(t + 1)
}`,
		map[string][]access{"Work": {
			then(1, func(m *memory, l *local) { l[0] = m[0] }),
			then(2, func(m *memory, l *local) { m[0] = l[0] + 1 }),
			unless(3, func(m *memory, l *local) bool { return m[1] != l[0] }, 2),
			then(-1, func(m *memory, l *local) { m[1] = l[0] + 1 }),
		}},
	}},
	{"livelock", twice{"a state that is waited for when it is over", `
type Box struct{ a atomic.Int64 }
func (b *Box) Send() { b.a.Store(1); b.a.Store(2) }
func (b *Box) Receive() { if b.a.Load() == 1 { for b.a.Load() != 1 {} } }`,
		map[string][]access{
			"Send": {then(1, func(m *memory, _ *local) { m[0] = 1 }), then(-1, func(m *memory, _ *local) { m[0] = 2 })},
			"Receive": {
				unless(-1, func(m *memory, _ *local) bool { return m[0] == 1 }, 1),
				unless(-1, func(m *memory, _ *local) bool { return m[0] != 1 }, 1),
			},
		},
	}},
	{"nontermination", twice{"two that write until they read what they wrote", `
type Box struct{ a atomic.Int64 }
func (b *Box) Left() { for { b.a.Store(1); if b.a.Load() == 1 { return } } }
func (b *Box) Right() { for { b.a.Store(2); if b.a.Load() == 2 { return } } }`,
		map[string][]access{"Left": insisting(1), "Right": insisting(2)},
	}},
	{"nontermination", twice{"one that insists, between two writes of another", `
type Box struct{ a, b atomic.Int64 }
func (x *Box) Left() {
	x.b.Store(1)
	x.b.Store(0)
	for { x.a.Store(1); if x.a.Load() == 1 { return } }
}
func (x *Box) Right() {
	if x.b.Load() == 0 { return }
	for { x.a.Store(2); if x.a.Load() == 2 { return } }
}`,
		map[string][]access{
			"Left": {
				then(1, func(m *memory, _ *local) { m[1] = 1 }),
				then(2, func(m *memory, _ *local) { m[1] = 0 }),
				then(3, func(m *memory, _ *local) { m[0] = 1 }),
				unless(-1, func(m *memory, _ *local) bool { return m[0] != 1 }, 2),
			},
			"Right": {
				unless(1, func(m *memory, _ *local) bool { return m[1] == 0 }, -1),
				then(2, func(m *memory, _ *local) { m[0] = 2 }),
				unless(-1, func(m *memory, _ *local) bool { return m[0] != 2 }, 1),
			},
		},
	}},
	{"livelock", twice{"two that insist, and then one waits for what is over", `
type Box struct{ a, b atomic.Int64 }
func (x *Box) Left() {
	for { x.a.Store(1); if x.a.Load() == 1 { break } }
	x.b.Store(1)
	x.b.Store(2)
}
func (x *Box) Right() {
	for { x.a.Store(2); if x.a.Load() == 2 { break } }
	if x.b.Load() == 1 { for x.b.Load() != 1 {} }
}`,
		map[string][]access{
			"Left": {
				then(1, func(m *memory, _ *local) { m[0] = 1 }),
				unless(2, func(m *memory, _ *local) bool { return m[0] != 1 }, 0),
				then(3, func(m *memory, _ *local) { m[1] = 1 }),
				then(-1, func(m *memory, _ *local) { m[1] = 2 }),
			},
			"Right": {
				then(1, func(m *memory, _ *local) { m[0] = 2 }),
				unless(2, func(m *memory, _ *local) bool { return m[0] != 2 }, 0),
				unless(-1, func(m *memory, _ *local) bool { return m[1] == 1 }, 3),
				unless(-1, func(m *memory, _ *local) bool { return m[1] != 1 }, 3),
			},
		},
	}},
	{"nontermination", twice{"two that insist, on two words one after the other", `
type Box struct{ a, b atomic.Int64 }
func (x *Box) Left() {
	for { x.a.Store(1); if x.a.Load() == 1 { break } }
	for { x.b.Store(1); if x.b.Load() == 1 { break } }
}
func (x *Box) Right() {
	for { x.a.Store(2); if x.a.Load() == 2 { break } }
	for { x.b.Store(2); if x.b.Load() == 2 { break } }
}`,
		map[string][]access{"Left": insistingTwice(1), "Right": insistingTwice(2)},
	}},
}

// unless is an access that is followed by access next, and by another if something holds.
func unless(next int, holds func(m *memory, l *local) bool, other int) access {
	return func(m *memory, l *local) int {
		if holds(m, l) {
			return other
		}
		return next
	}
}

// politely sets a word and waits for another to be 0.
func politely(mine, yours int) []access {
	return []access{
		then(1, func(m *memory, _ *local) { m[mine] = 1 }),
		unless(2, func(m *memory, _ *local) bool { return m[yours] == 1 }, 1),
		then(-1, func(m *memory, _ *local) { m[mine] = 0 }),
	}
}

// insisting writes a number until it reads it.
func insisting(n int) []access {
	return []access{then(1, func(m *memory, _ *local) { m[0] = n }), unless(-1, func(m *memory, _ *local) bool { return m[0] != n }, 0)}
}

// insistingTwice does that with one word and then with another.
func insistingTwice(n int) []access {
	return []access{
		then(1, func(m *memory, _ *local) { m[0] = n }), unless(2, func(m *memory, _ *local) bool { return m[0] != n }, 0),
		then(3, func(m *memory, _ *local) { m[1] = n }), unless(-1, func(m *memory, _ *local) bool { return m[1] != n }, 2),
	}
}

// state is all that the rest of an execution depends on.
func (r *run) state() string {
	s := fmt.Sprint(r.memory, r.next)
	for t := range r.client {
		if k := r.running(t); k >= 0 {
			s += fmt.Sprint(" ", t, r.calls[k].at, r.calls[k].local)
		}
	}
	return s
}

// busy is the threads that have a call in progress.
func (r *run) busy() (list []int) {
	for t := range r.client {
		if r.running(t) >= 0 {
			list = append(list, t)
		}
	}
	return list
}

// lap says whether all calls have been made and those in progress can go on for ever from here, each of
// them, and come back here again and again: a nontermination; a livelock if they can do nothing else.
func (r *run) lap() (class string) {
	for t := range r.client {
		if r.next[t] < len(r.client[t]) {
			return ""
		}
	}
	type edge struct {
		thread   int
		from, to string
	}
	var edges []edge
	seen, work := map[string]bool{r.state(): true}, []*run{r}
	for len(work) > 0 {
		at := work[0]
		work = work[1:]
		for _, t := range at.busy() {
			to := at.clone()
			to.step(t)
			edges = append(edges, edge{t, at.state(), to.state()})
			if !seen[to.state()] {
				seen[to.state()] = true
				work = append(work, to)
			}
		}
	}
	back := map[string]bool{r.state(): true}
	for more := true; more; {
		more = false
		for _, e := range edges {
			if back[e.to] && !back[e.from] {
				back[e.from], more = true, true
			}
		}
	}
	moved := map[int]bool{}
	for _, e := range edges {
		if back[e.from] && back[e.to] {
			moved[e.thread] = true
		}
	}
	switch {
	case len(moved) == 0 || len(moved) < len(r.busy()):
		return ""
	case len(back) == len(seen):
		return "livelock"
	}
	return "nontermination"
}

// stem is the number of preemptions with which a client comes to the beginning of a lap of a class; -1 if it
// does not with up to four.
func (x *twice) stem(client [][]string, class string) int {
	for bound := range 5 {
		seen, work := map[string]bool{}, []*run{{of: x, client: client, next: make([]int, len(client))}}
		for len(work) > 0 {
			at := work[len(work)-1]
			work = work[:len(work)-1]
			if at.lap() == class {
				return bound
			}
			for t := range client {
				to := at.clone()
				if !to.step(t) || to.preemptions > bound {
					continue
				}
				if key := fmt.Sprint(to.state(), t, to.preemptions); !seen[key] {
					seen[key] = true
					work = append(work, to)
				}
			}
		}
	}
	return -1
}

// Of an execution without end no call can be dropped, and no preemption of its stem; where the witness says that its
// lap begins, one begins. The same holds of the witness that is asked to be minimal.
func TestWitness_WithoutEndIsSmallByEnumeration(t *testing.T) {
	level.SkipShort(t, "enumerates executions")
	for i := range endlessTwices {
		x := &endlessTwices[i]
		for _, least := range []bool{false, true} {
			v := verifySource(t, "package example\n\nimport \"sync/atomic\"\n\n"+x.source,
				pangolin.Request{Kind: "object", Oracle: "self", Search: pangolin.Search{Min: least}})
			if v.Violation == nil || v.Violation.Class != x.class {
				t.Errorf("%s: %s %s %+v", x.name, v.Status, v.Reason, v.Violation)
				continue
			}
			checkStem(t, &x.twice, x.class, v.Violation.Execution)
		}
	}
}

// checkStem holds a witness against all executions of its client, and of those with a call less.
func checkStem(t *testing.T, x *twice, class string, w *verdict.Witness) {
	t.Helper()
	client, _ := clientOf(w)
	r := &run{of: x, client: client, next: make([]int, len(client))}
	for k := range w.Steps[:w.Loop-1] {
		if w.Steps[k].Access != nil {
			r.step(w.Steps[k].Thread - 1)
		}
	}
	if got := r.lap(); got != class {
		t.Errorf("%s: behind %v a lap of the class %q begins: %s", x.name, r.order, got, w.Client)
	}
	if best := x.stem(client, class); best != r.preemptions {
		t.Errorf("%s: the stem of %s is %v, and %d preemptions suffice for it", x.name, w.Client, r.order, best)
	}
	for thread := range client {
		for k := range client[thread] {
			less := slices.Clone(client)
			less[thread] = slices.Delete(slices.Clone(client[thread]), k, k+1)
			if x.stem(less, class) >= 0 {
				t.Errorf("%s: of %s call %d of thread %d can be dropped", x.name, w.Client, k+1, thread+1)
			}
		}
	}
	t.Log(w.Client, r.order, r.preemptions)
}
