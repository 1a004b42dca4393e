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

// Calls that go round a loop in which others see nothing: the search notices after a thousand instructions or
// many more, and the recording has none for the lap. What is in the lap has to be found by the replay.
var roundNothing = []struct {
	name, kind, source string
	reads              string // the variable that is read on the lap; "": the lap has no access at all
	longest            int    // steps of each thread that the witness has at most
	class              string // of the violation
}{
	{"an empty loop", "counter", `
type Counter struct{ n atomic.Int64 }
func (b *Counter) inc() { b.n.Add(1); for {} }`, "", 3, "livelock"},
	{"an empty loop behind nothing", "counter", `
type Counter struct{ n int }
func (b *Counter) inc() { for {} }`, "", 1, "livelock"},
	{"memory of its own", "counter", `
type node struct{ v int }
type Counter struct{ n atomic.Int64 }
func (b *Counter) inc() { m := &node{}; b.n.Add(1); for m.v < 3 { m.v = 1 - m.v } }`, "", 3, "livelock"},
	{"what nobody writes", "counter", `
type Counter struct{ limit atomic.Int64 }
func New() *Counter { return &Counter{} }
func (b *Counter) inc() { for b.limit.Load() == 0 {} }`, ".limit", 12, "livelock"},
	{"two variables that nobody writes", "counter", `
type Counter struct{ p *atomic.Int64; n atomic.Int64 }
func New() *Counter { return &Counter{p: new(atomic.Int64)} }
func (b *Counter) inc() { b.n.Add(1); for b.p.Load() == 0 {} }`, ".p", 24, "livelock"},
	{"behind more than the search watches", "counter", `
type node struct{ v int }
type Counter struct{ limit atomic.Int64 }
func New() *Counter { return &Counter{} }
func (b *Counter) inc() { m := &node{}; for range 500 { m.v++ }; for b.limit.Load() == 0 {} }`, ".limit", 2000, "livelock"},
	{"a long way behind", "counter", `
type node struct{ v int }
type Counter struct{ limit atomic.Int64 }
func New() *Counter { return &Counter{} }
func (b *Counter) inc() { m := &node{}; for range 20_000 { m.v++ }; for b.limit.Load() == 0 {} }`, ".limit", 2000, "livelock"},
	{"a long round", "counter", `
type Counter struct{ table [100]int }
func New() *Counter { return &Counter{} }
func (b *Counter) inc() { for i := 0; ; i = (i + 1) % len(b.table) { if b.table[i] != 0 { return } } }`, "[99]", 1000, "livelock"},
	{"a loop in a loop, in a function", "counter", `
type Counter struct{ limit atomic.Int64 }
func New() *Counter { return &Counter{} }
func (b *Counter) full() bool { n := 0; for range 5 { n += int(b.limit.Load()) }; return n > 0 }
func (b *Counter) inc() { defer b.limit.Load(); for !b.full() {} }`, ".limit", 60, "livelock"},
	{"what all write", "counter", `
type Counter struct{ a atomic.Int64 }
func (b *Counter) inc() { b.a.Store(1); for b.a.Load() == 1 {} }`, ".a", 14, "livelock"},
	{"what only this thread still has", "counter", `
type node struct{ v atomic.Int64 }
type Counter struct{ at atomic.Pointer[node] }
func New() *Counter { b := &Counter{}; b.at.Store(&node{}); return b }
func (b *Counter) inc() { m := b.at.Swap(&node{}); for m.v.Load() == 0 {} }`, ".v", 14, "livelock"},
	{"what only this thread still has, a long way behind", "counter", `
type node struct{ v atomic.Int64 }
type Counter struct{ at atomic.Pointer[node] }
func New() *Counter { b := &Counter{}; b.at.Store(&node{}); return b }
func (b *Counter) inc() { m, n := b.at.Swap(&node{}), 0; for range 9000 { n++ }; for m.v.Load() != int64(n) {} }`, ".v", 40, "livelock"},
	{"two who let the other go first", "object", `
type Box struct{ a, b atomic.Int64 }
func (x *Box) Left() { x.a.Store(1); for x.b.Load() == 1 {}; x.a.Store(0) }
func (x *Box) Right() { x.b.Store(1); for x.a.Load() == 1 {}; x.b.Store(0) }`, ".a", 14, "livelock"},
	{"draws until one fits", "counter", `
type Counter struct{ n, sum atomic.Int64 }
func (b *Counter) inc() { m := map[int]bool{1: true, 2: true}; for { for k := range m { if k == 1 { return }; break } } }`, "", 3, "nontermination"},
	{"draws behind an access", "counter", `
type Counter struct{ n, sum atomic.Int64 }
func (b *Counter) inc() { m := map[int]bool{1: true, 2: true}; b.n.Add(1); for { for k := range m { if k == 1 { return }; break } } }`, "", 4, "nontermination"},
	{"draws beside what nobody writes", "counter", `
type Counter struct{ limit, sum atomic.Int64 }
func (b *Counter) inc() { m := map[int]bool{1: true, 2: true}; for { for k := range m { if k == 1 && b.limit.Load() == 0 { return }; break } } }`, "", 3, "nontermination"},
	{"draws twice in a round", "counter", `
type Counter struct{ n, sum atomic.Int64 }
func (b *Counter) inc() { m := map[int]bool{1: true, 2: true}; for { s := 0; for k := range m { s += k; break }; for k := range m { s += k; break }; if s == 3 { return } } }`, "", 3, "nontermination"},
}

// A witness of such a call says what repeats, no more rounds than one or two, and can be read and replayed, however it was made smaller.
func TestWitness_WithoutEndIsReadAgain(t *testing.T) {
	level.SkipShort(t, "verifies each of the types in four ways")
	one := 1
	ways := []pangolin.Search{{}, {AsFound: true}, {Min: true}, {Preempt: &one}}
	for i, c := range roundNothing {
		t.Run(c.name, func(t *testing.T) {
			source := "package example\n\nimport \"sync/atomic\"\n\nvar _ atomic.Int64\n" + c.source
			switch {
			case c.class == "nontermination": // a call may return
				source += "\nfunc (b *Counter) IncrementAndGet() int { b.inc(); return int(b.sum.Add(1)) }"
			case c.kind == "counter":
				source += "\nfunc (b *Counter) IncrementAndGet() int { b.inc(); return 1 }"
			}
			dir, done := modules.Take(t, source)
			defer done()
			oracle := map[string]pangolin.Oracle{"object": "self"}[c.kind]
			p, err := pangolin.Prepare(modules.Context, pangolin.Request{Dir: dir, Kind: c.kind, Oracle: oracle, Specification: pangolin.Specification{Expect: "violated"}})
			if err != nil {
				t.Fatal(err)
			}
			for k, s := range ways {
				if k > 0 && k != 1+i%(len(ways)-1) && !level.More() {
					continue // with -level more each in all ways
				}
				list, err := p.Verify(modules.Context, s)
				if err != nil {
					t.Fatal(err)
				}
				if list[0].Violation == nil || list[0].Violation.Class != c.class {
					t.Errorf("%+v: %s %s %+v", s, list[0].Status, list[0].Reason, list[0].Violation)
					continue
				}
				checkLap(t, dir, list[0].Violation.Execution, c.reads, c.longest)
			}
		})
	}
}

// checkLap looks at a witness, and at what comes of it when it has been written, read and replayed.
func checkLap(t *testing.T, dir string, w *verdict.Witness, reads string, longest int) {
	t.Helper()
	text, err := w.Text()
	if err != nil {
		t.Fatal(err)
	}
	read, err := verdict.Parse(text)
	if err != nil {
		t.Errorf("%s cannot be read: %v", w.Client, err)
		return
	}
	again, err := pangolin.Replay(modules.Context, dir, read)
	if err != nil {
		t.Errorf("%s cannot be replayed: %v", w.Client, err)
		return
	}
	if got, err := again.Text(); err != nil || string(got) != string(text) {
		t.Errorf("%s is another when it is replayed (%v)", w.Client, err)
	}
	if len(w.Steps) > longest*w.Threads {
		t.Errorf("%s has %d steps; %d of each thread suffice", w.Client, len(w.Steps), longest)
	}
	if w.Unseen() != (reads == "") || w.Unseen() != (w.Loop == 0) {
		t.Errorf("%s: the lap begins at step %d of %d, and the loop reads %q", w.Client, w.Loop, len(w.Steps), reads)
		return
	}
	if w.Loop > 0 && !slices.ContainsFunc(w.Steps[w.Loop-1:], func(s verdict.Step) bool { return s.Access != nil && strings.HasSuffix(s.Access.Field, reads) }) {
		t.Errorf("%s: nobody reads %s on the lap: %+v", w.Client, reads, w.Steps[w.Loop-1:])
	}
}
