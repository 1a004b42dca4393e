// SPDX-License-Identifier: BSD-3-Clause

package force_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/force"
	"pangolin/internal/front"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// Witnesses forced on the runtime: published defects, a table of constructs, and what must not succeed.

// TestTest_ForcesThePublishedDefects forces schedules of doc/defects on the runtime as it
// comes: with -level more the first of each class, without the first of all.
func TestTest_ForcesThePublishedDefects(t *testing.T) {
	level.SkipShort(t, "compiles copies of the collections")
	files, err := filepath.Glob("../../doc/defects/witnesses/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	seen := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w, err := verdict.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if seen[w.Class] && !level.All() {
				t.Skip("another schedule of this class is forced; -level all forces all")
			}
			if len(seen) == 1 && !level.More() {
				t.Skip("a schedule of one class is forced; -level more forces one of each class")
			}
			seen[w.Class] = true
			test, dir, err := force.Test(context.Background(), "../..", w)
			if err != nil {
				t.Fatal(err)
			}
			r, err := force.Run(context.Background(), test, dir)
			if err != nil || !r.Reproduced {
				t.Errorf("%v\n%.3000s", err, r.Output)
			}
		})
	}
}

// forced finds a violation of a package and forces it.
func forced(t *testing.T, source string) (*verdict.Witness, force.Result) {
	t.Helper()
	level.SkipShort(t, "compiles a copy of a package")
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.26\n", "example.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, err := pangolin.Verify(front.Share(t.Context()), pangolin.Request{Dir: dir})
	if err != nil || len(list) != 1 || list[0].Violation == nil {
		t.Fatal(err, list)
	}
	w := list[0].Violation.Execution
	text, where, err := force.Test(t.Context(), dir, w)
	if err != nil {
		t.Fatal(err)
	}
	r, err := force.Run(t.Context(), text, where)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "pangolin/") {
		t.Error("the test imports something of ours")
	}
	return w, r
}

// The detector reports the two accesses of a race, though they are forced to meet.
func TestTest_LetsTheDetectorReportARace(t *testing.T) {
	w, r := forced(t, `package example

type Counter struct{ n int }

func (c *Counter) Inc() { c.n++ }

func (c *Counter) Get() int { return c.n }
`)
	if w.Class != "race" || !r.Reproduced || !strings.Contains(r.Output, "WARNING: DATA RACE") {
		t.Errorf("%s\n%s", w.Class, r.Output)
	}
}

// Each construct by which threads meet is forced: what a thread does behind the schedule's end
// waits as well, a call of the library that waits is one turn and coming back another.
func TestTest_ForcesEachConstruct(t *testing.T) {
	for i, c := range []struct{ name, class, source string }{
		{"locks taken behind the schedule's last step", "deadlock", `package example

import "sync"

type Pair struct {
	a, b sync.Mutex
	x    int
}

func (p *Pair) Inc() {
	p.a.Lock()
	defer p.a.Unlock()
	p.b.Lock()
	defer p.b.Unlock()
	p.x++
}

func (p *Pair) Get() int {
	p.b.Lock()
	defer p.b.Unlock()
	p.a.Lock()
	defer p.a.Unlock()
	return p.x
}
`},
		{"two accesses on a line, the second of another thread in between", "history", `package example

import "sync/atomic"

type Bank struct{ a, b atomic.Int64 }

func (k *Bank) Transfer() { k.a.Add(-1); k.b.Add(1) }

func (k *Bank) Total() int64 { return k.a.Load() + k.b.Load() }
`},
		{"a condition that wakes the wrong one", "deadlock", `package example

import "sync"

//pangolin:kind queue
//pangolin:protocol bounded(1)
type Buffer struct {
	mu      sync.Mutex
	changed sync.Cond
	items   []int
}

func NewBuffer() *Buffer {
	b := new(Buffer)
	b.changed.L = &b.mu
	return b
}

func (b *Buffer) Put(item int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) == 1 {
		b.changed.Wait()
	}
	b.items = append(b.items, item)
	b.changed.Signal()
}

func (b *Buffer) Take() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) == 0 {
		b.changed.Wait()
	}
	item := b.items[0]
	b.items = b.items[1:]
	b.changed.Signal()
	return item
}
`},
		{"a place behind a pointer that is read, set to what is read", "history", `package example

import "sync"

type pair struct{ both [2]*int }

type Counter struct {
	mu sync.Mutex
	p  *pair
}

func NewCounter() *Counter {
	c := &Counter{p: new(pair)}
	c.set(0)
	return c
}

func (c *Counter) set(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.p.both[0] = &n
	c.p.both = [2]*int{c.p.both[0], c.p.both[0]}
}

func (c *Counter) Inc() { c.set(c.Get() + 1) }

func (c *Counter) Get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return *c.p.both[1]
}
`},
		{"a helper that is called through an interface", "history", `package example

import "sync/atomic"

type adder interface{ add(*atomic.Int64) }

type slow struct{}

func (slow) add(n *atomic.Int64) { n.Store(n.Load() + 1) }

type Counter struct {
	n  atomic.Int64
	by adder
}

func NewCounter() *Counter { return &Counter{by: slow{}} }

func (c *Counter) Inc() { c.by.add(&c.n) }

func (c *Counter) Get() int64 { return c.n.Load() }
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if level.Out(i, 6) {
				t.Skip("some will do; -level more forces all")
			}
			w, r := forced(t, c.source)
			if w.Class != c.class || !r.Reproduced {
				t.Errorf("a %s, reproduced %t\n%s", w.Class, r.Reproduced, r.Output)
			}
		})
	}
}

// A schedule whose code has been corrected since does not show anything, and the test fails.
func TestTest_FailsWhenTheCodeIsCorrect(t *testing.T) {
	const wrong = `package example

import "sync/atomic"

type Counter struct{ n atomic.Int64 }

func (c *Counter) Inc() { c.n.Store(c.n.Load() + 1) }

func (c *Counter) Get() int64 { return c.n.Load() }
`
	w, r := forced(t, wrong)
	if !r.Reproduced {
		t.Fatalf("%s", r.Output)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.26\n",
		"example.go": strings.Replace(wrong, "c.n.Store(c.n.Load() + 1)", "c.n.Add(1)", 1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, where, err := force.Test(t.Context(), dir, w)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := force.Run(t.Context(), text, where); err != nil || r.Reproduced {
		t.Errorf("%v, reproduced %t\n%s", err, r.Reproduced, r.Output)
	}
}

// What does not compile was not tried: the result says so, with the compiler's first words, and
// does not say that the schedule shows nothing.
func TestRun_SaysWhenNothingCompiles(t *testing.T) {
	const source = `package example

import "sync/atomic"

type Counter struct{ n atomic.Int64 }

func (c *Counter) Inc() { c.n.Store(c.n.Load() + 1) }

func (c *Counter) Get() int64 { return c.n.Load() }
`
	level.SkipShort(t, "compiles a copy of a package")
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example\n\ngo 1.26\n")
	write("example.go", source)
	list, err := pangolin.Verify(front.Share(t.Context()), pangolin.Request{Dir: dir, Search: pangolin.Search{MaxStates: 10_000}})
	if err != nil || len(list) != 1 || list[0].Violation == nil {
		t.Fatal(err, list)
	}
	text, where, err := force.Test(t.Context(), dir, list[0].Violation.Execution)
	if err != nil {
		t.Fatal(err)
	}
	run := func(text []byte) string {
		t.Helper()
		r, err := force.Run(t.Context(), text, where)
		if err != nil || r.Reproduced {
			t.Errorf("%v, reproduced %t\n%s", err, r.Reproduced, r.Output)
		}
		return r.Cannot
	}
	broken := strings.Replace(string(text), "zz_forced.Call(1)", "zz_forced.NoSuchCall(1)", 1)
	if why := run([]byte(broken)); !strings.HasPrefix(why, "the copy that waits for its turns does not compile: ") || !strings.Contains(why, "NoSuchCall") {
		t.Errorf("a broken copy: %q", why)
	}
	if why := run([]byte(strings.Replace(string(text), `"forced result 2 = 1"`, `"forced result 2 = 7"`, 1))); why != "" {
		t.Errorf("one that compiles: %q", why)
	}
	write("other_test.go", "package example\n\nvar _ int = \"text\"\n")
	if why := run(text); !strings.HasPrefix(why, "the package does not compile with its tests: ") || !strings.Contains(why, "other_test.go:3") {
		t.Errorf("broken tests of the package: %q", why)
	}
}

// A module in the module cache, where the go command replaces no files, is copied for the test, and made
// new enough for it; its own tests are left behind.
func TestRun_CopiesModulesOfTheCache(t *testing.T) {
	level.SkipShort(t, "compiles a copy of a package")
	cache := t.TempDir()
	dir := filepath.Join(cache, "example.org", "box@v1.0.0")
	for name, text := range map[string]string{
		"go.mod":                "module example.org/box\n\ngo 1.13\n",
		"inner/counter.go":      "package inner\n\nimport \"sync/atomic\"\n\ntype Counter struct{ n int64 }\n\nfunc (c *Counter) Inc() { atomic.StoreInt64(&c.n, atomic.LoadInt64(&c.n)+1) }\n\nfunc (c *Counter) Get() int64 { return atomic.LoadInt64(&c.n) }\n",
		"inner/counter_test.go": "package inner\n\nimport _ \"example.org/missing\"\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, err := pangolin.Verify(front.Share(t.Context()), pangolin.Request{Dir: dir, Packages: []string{"./inner"}})
	if err != nil || len(list) != 1 || list[0].Violation == nil {
		t.Fatal(err, list)
	}
	text, where, err := force.Test(t.Context(), dir, list[0].Violation.Execution)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := force.Run(t.Context(), text, where); err != nil || r.Reproduced || r.Cannot == "" {
		t.Errorf("with its broken tests: %v, %+v", err, r)
	}
	t.Setenv("GOMODCACHE", cache)
	t.Setenv("GOFLAGS", "-mod=mod")
	if r, err := force.Run(t.Context(), text, where); err != nil || !r.Reproduced {
		t.Errorf("as a module of the cache: %v, %+v", err, r)
	}
}
