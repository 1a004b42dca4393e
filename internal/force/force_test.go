// SPDX-License-Identifier: BSD-3-Clause

package force_test

import (
	"archive/zip"
	"bytes"
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
			test, err := force.Test(t.Context(), "../..", w, drive("../..", w))
			if err != nil {
				t.Fatal(err)
			}
			r, err := test.Run(t.Context())
			if err != nil || !r.Reproduced {
				t.Errorf("%v\n%.3000s", err, r.Output)
			}
		})
	}
}

// drive gives the file through which a witness's operations can be called.
func drive(dir string, w *verdict.Witness) force.Drive {
	return func(ctx context.Context) (*verdict.Harness, error) { return pangolin.Harness(ctx, dir, w) }
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
	test, err := force.Test(t.Context(), dir, w, drive(dir, w))
	if err != nil {
		t.Fatal(err)
	}
	r, err := test.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(test.Text), "pangolin/") {
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
		{"a function that is given", "history", `package example

import "sync/atomic"

type Cell struct{ n atomic.Int64 }

func (c *Cell) Update(f func(int64) int64) int64 {
	v := f(c.n.Load())
	c.n.Store(v)
	return v
}
`},
		{"a context, and a result that is an object", "history", `package example

import (
	"context"
	"sync/atomic"
)

type Item struct{ n int }

type Pool struct{ free atomic.Pointer[Item] }

func NewPool() *Pool {
	p := new(Pool)
	p.free.Store(new(Item))
	return p
}

func (p *Pool) Get(ctx context.Context) (*Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x := p.free.Load()
	p.free.Store(nil)
	return x, nil
}
`},
		{"goroutines that calls start", "history", `package example

import "sync/atomic"

type Counter struct{ n atomic.Int64 }

func (c *Counter) Inc() {
	done := make(chan bool)
	go func() {
		c.n.Store(c.n.Load() + 1)
		done <- true
	}()
	<-done
}

func (c *Counter) Get() int64 { return c.n.Load() }
`},
		{"a function of sync/atomic beside a plain read", "race", `package example

import (
	"sync/atomic"
	"unsafe"
)

type Box struct{ p unsafe.Pointer }

func (b *Box) Set(n int) { b.set(&n) }

func (b *Box) set(n *int) {
	atomic.StorePointer(&b.p, unsafe.Pointer(n))
}

func (b *Box) Get() int {
	if p := (*int)(b.p); p != nil {
		return *p
	}
	return 0
}
`},
		{"a goroutine that is left", "leak", `package example

import "time"

type Fetcher struct{}

func (f *Fetcher) Get(key int) (int, bool) {
	answer := make(chan int)
	go func() { answer <- key }()
	select {
	case v := <-answer:
		return v, true
	case <-time.After(time.Millisecond):
		return 0, false
	}
}
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
	test, err := force.Test(t.Context(), dir, w, drive(dir, w))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := test.Run(t.Context()); err != nil || r.Reproduced {
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
	test, err := force.Test(t.Context(), dir, list[0].Violation.Execution, nil)
	if err != nil {
		t.Fatal(err)
	}
	run := func(text []byte) string {
		t.Helper()
		changed := *test
		changed.Text = text
		r, err := changed.Run(t.Context())
		if err != nil || r.Reproduced {
			t.Errorf("%v, reproduced %t\n%s", err, r.Reproduced, r.Output)
		}
		return r.Cannot
	}
	broken := strings.Replace(string(test.Text), "zz_forced.Call(1)", "zz_forced.NoSuchCall(1)", 1)
	if why := run([]byte(broken)); !strings.HasPrefix(why, "the copy that waits for its turns does not compile: ") || !strings.Contains(why, "NoSuchCall") {
		t.Errorf("a broken copy: %q", why)
	}
	if why := run([]byte(strings.Replace(string(test.Text), `"forced result 2 = 1"`, `"forced result 2 = 7"`, 1))); why != "" {
		t.Errorf("one that compiles: %q", why)
	}
	write("other_test.go", "package example\n\nvar _ int = \"text\"\n")
	if why := run(test.Text); !strings.HasPrefix(why, "the package does not compile with its tests: ") || !strings.Contains(why, "other_test.go:3") {
		t.Errorf("broken tests of the package: %q", why)
	}
}

// A module in the module cache, where the go command replaces no files, is copied for the test, and made
// new enough for it; its own tests are left behind, and nothing of it all is.
func TestRun_CopiesModulesOfTheCache(t *testing.T) {
	level.SkipShort(t, "compiles a copy of a package")
	const counter = "package inner\n\nimport \"sync/atomic\"\n\ntype Counter struct{ n int64 }\n\nfunc (c *Counter) Inc() { atomic.StoreInt64(&c.n, atomic.LoadInt64(&c.n)+1) }\n\nfunc (c *Counter) Get() int64 { return atomic.LoadInt64(&c.n) }\n"
	files := map[string]string{"inner/counter.go": counter, "inner/counter_test.go": "package inner\n\nimport _ \"example.org/missing\"\n"}
	proxy, temporary := t.TempDir(), t.TempDir()
	publish(t, proxy, "example.org/box", "v1.0.0", files)
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module user\n\ngo 1.26\n\nrequire example.org/box v1.0.0\n", "user.go": "package user\n\nimport _ \"example.org/box/inner\"\n"} {
		write(t, dir, name, text)
	}
	for name, value := range map[string]string{"GOPROXY": "file://" + proxy, "GOMODCACHE": filepath.Join(t.TempDir(), "cache"), "GOSUMDB": "off", "GOFLAGS": "-mod=mod -modcacherw", "TMPDIR": temporary} {
		t.Setenv(name, value)
	}
	list, err := pangolin.Verify(front.Share(t.Context()), pangolin.Request{Dir: dir, Packages: []string{"example.org/box/inner"}})
	if err != nil || len(list) != 1 || list[0].Violation == nil {
		t.Fatal(err, list)
	}
	before := listing(t, dir)
	test, err := force.Test(t.Context(), dir, list[0].Violation.Execution, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := test.Run(t.Context()); err != nil || !r.Reproduced || !test.Cached {
		t.Errorf("%v, %+v", err, r)
	}
	if after := listing(t, dir); after != before {
		t.Errorf("the user's module was\n%s\nand is\n%s", before, after)
	}
	if left := listing(t, temporary); left != "" {
		t.Errorf("this is left: %s", left)
	}
}

// publish puts a module without a go.mod into a directory from which the go command takes modules.
func publish(t *testing.T, proxy, path, version string, files map[string]string) {
	t.Helper()
	dir := filepath.Join(proxy, path, "@v")
	write(t, dir, version+".info", `{"Version":"`+version+`"}`)
	write(t, dir, version+".mod", "module "+path+"\n")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(path + "@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, dir, version+".zip", b.String())
}

// listing is all files of a directory, with their texts.
func listing(t *testing.T, dir string) string {
	t.Helper()
	text := ""
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		text += name + "\n" + string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
