// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/history"
	"pangolin/internal/collection"
	"pangolin/internal/front"
	"pangolin/internal/test/level"
	"pangolin/oracle"
)

// besideTypes have goroutines that go on when an operation has returned.
var besideTypes = map[string]string{
	"an operation starts one": `
type Box struct{ n atomic.Int64 }
func (b *Box) Kick() { go b.n.Add(1) }
func (b *Box) Get() int { return int(b.n.Load()) }`,
	"one of two steps, read in two": `
type Box struct{ n atomic.Int64 }
func (b *Box) Kick() { go func() { b.n.Add(1); b.n.Add(2) }() }
func (b *Box) Twice() int { return int(10*b.n.Load() + b.n.Load()) }`,
	"the constructor starts one that never rests": `
type Box struct{ n atomic.Int64 }
func NewBox() *Box { b := &Box{}; go func() { for { b.n.Store(1); b.n.Store(0) } }(); return b }
func (b *Box) Get() int { return int(b.n.Load()) }
func (b *Box) Set(v int) { b.n.Store(int64(v)) }`,
	"a timer": `
type Box struct{ n atomic.Int64 }
func (b *Box) Set() { time.AfterFunc(time.Second, func() { b.n.Add(1) }) }
func (b *Box) Get() int { return int(b.n.Swap(0)) }`,
	"one that ends the program": `
type Box struct{ n atomic.Int64 }
func (b *Box) Kick() { go func() { if b.n.Add(1) == 2 { panic("two") } }() }
func (b *Box) Get() int { return int(b.n.Load()) }`,
	"one that waits, and is waited for": `
type Box struct{ in, out chan int }
func NewBox() *Box {
	b := &Box{make(chan int, 1), make(chan int, 1)}
	go func() { for v := range b.in { b.out <- v + 1 } }()
	return b
}
func (b *Box) Put(v int) { b.in <- v }
func (b *Box) Get() int { return <-b.out }`,
	"one that an operation may come behind": `
type Box struct{ n atomic.Int64 }
func (b *Box) Kick() { go b.n.Store(1); b.n.Store(2) }
func (b *Box) Get() int { return int(b.n.Load()) }`,
	"an operation that decides": `
type Box struct{ n int; c, d chan int }
func NewBox() *Box { b := &Box{c: make(chan int), d: make(chan int)}; close(b.c); close(b.d); return b }
func (b *Box) Kick() { select { case <-b.c: b.n = 1; case <-b.d: b.n = 2 } }
func (b *Box) Get() int { return b.n }`,
	"under a lock": `
type Box struct{ mu sync.Mutex; n int }
func (b *Box) Kick(v int) { go func() { b.mu.Lock(); defer b.mu.Unlock(); b.n = 2*b.n + v }() }
func (b *Box) Get() int { b.mu.Lock(); defer b.mu.Unlock(); return b.n }`,
}

// What the oracle self says of all sequences of three calls does not depend on which of the states that lead
// to the same are kept.
func TestEarliest_ChangesNoAnswer(t *testing.T) {
	level.SkipShort(t, "asks a dozen types everything, twice")
	smaller := false
	for _, name := range slices.Sorted(maps.Keys(besideTypes)) {
		t.Run(name, func(t *testing.T) {
			reduced, all := selfOf(t, besideTypes[name]), selfOf(t, besideTypes[name])
			all.unreduced = true
			if err := all.begin(); err != nil {
				t.Fatal(err)
			}
			a, b := &answers{o: reduced}, &answers{o: all}
			a.after(t, "", reduced.Initial(), 3)
			b.after(t, "", all.Initial(), 3)
			if got, want := strings.Join(a.lines, "\n"), strings.Join(b.lines, "\n"); got != want {
				t.Errorf("reduced:\n%s\nall:\n%s", got, want)
			}
			if a.members > b.members {
				t.Errorf("%d states are kept of %d", a.members, b.members)
			}
			smaller = smaller || a.members < b.members
		})
	}
	if !smaller {
		t.Error("nothing is ever left out")
	}
}

// answers are what an oracle says along sequences of calls.
type answers struct {
	o       *self
	lines   []string
	members int
	lenient bool // an answer may be withdrawn
}

func (a *answers) after(t *testing.T, calls string, s oracle.State, more int) {
	a.members += len(members(s))
	if more == 0 {
		return
	}
	for i := range a.o.subject.Operations {
		c := oracle.Call{Op: i, Args: history.Tuple{}}
		for range a.o.subject.Operations[i].Client.Params {
			c.Args = c.Args.Append(history.IntValue(int64(more)))
		}
		outcomes, err := a.o.Outcomes(s, c)
		if a.lenient && errors.Is(err, errWithdrawn) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		called := fmt.Sprint(calls, " ", a.o.subject.Operations[i].Name)
		a.lines = append(a.lines, fmt.Sprint(called, " may wait: ", a.o.MayBlock(s, c)))
		slices.SortFunc(outcomes, func(x, y oracle.Outcome) int { return strings.Compare(x.Result.String(), y.Result.String()) })
		for _, out := range outcomes {
			with := called + " = " + out.Result.String()
			a.lines = append(a.lines, with)
			a.after(t, with, out.Next, more-1)
		}
	}
}

func selfOf(t *testing.T, source string) *self {
	t.Helper()
	_, s := loadSelf(t, source)
	return s.Spec.(*self)
}

// loadSelf loads the type Box that some source declares, which its own code judges.
func loadSelf(t *testing.T, source string) (*Order, *Subject) {
	t.Helper()
	dir := t.TempDir()
	head := "package example\n\nimport (\n\"sync\"\n\"sync/atomic\"\n\"time\"\n)\n\nvar (\n_ sync.Mutex\n_ atomic.Int64\n_ time.Duration\n)\n"
	for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.26\n", "example.go": head + source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	listed, err := front.List(front.Share(t.Context()), dir, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	order := &Order{Listed: listed[0], Overrides: collection.Overrides{Type: "Box", Oracle: collection.SelfOracle}}
	s, err := order.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return order, s
}

// What the oracle self says is the same whether its machines pass over what is guarded and frozen or do not, also
// where an assumption is withdrawn on the way.
func TestSettled_ChangesNoAnswer(t *testing.T) {
	level.SkipShort(t, "asks a dozen types everything, twice")
	types := maps.Clone(besideTypes)
	types["a guard that is none, as is seen late"] = `
type Box struct{ mu sync.Mutex; n, calls int }
func (b *Box) Kick() { b.mu.Lock(); b.calls++; late := b.calls == 2; b.mu.Unlock(); go func() {
	if late { b.n = b.n + 2 } else { b.mu.Lock(); b.n++; b.mu.Unlock() } }() }
func (b *Box) Get() int { b.mu.Lock(); defer b.mu.Unlock(); x := b.n; return 10*x + b.n }`
	types["a field that is written late"] = `
type Box struct{ p atomic.Pointer[cell]; calls atomic.Int64 }
type cell struct{ n int }
func NewBox() *Box { b := &Box{}; b.p.Store(&cell{1}); return b }
func (b *Box) Kick() { n := b.calls.Add(1); go func() { if n == 2 { b.p.Load().n = 7 } }() }
func (b *Box) Get() int { return 10*b.p.Load().n + b.p.Load().n }`
	withdrawn := 0
	for _, name := range slices.Sorted(maps.Keys(types)) {
		t.Run(name, func(t *testing.T) {
			plain, reduced := &answers{o: selfOf(t, types[name])}, &answers{o: selfOf(t, types[name])}
			plain.after(t, "", plain.o.Initial(), 3)
			times := 0
			if err := Settled(reduced.o, func() error {
				times++
				reduced.lines, reduced.members, reduced.lenient = nil, 0, true
				reduced.after(t, "", reduced.o.Initial(), 3)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if got, want := strings.Join(reduced.lines, "\n"), strings.Join(plain.lines, "\n"); got != want {
				t.Errorf("with assumptions:\n%s\nwithout:\n%s", got, want)
			}
			withdrawn += times - 1
		})
	}
	if withdrawn == 0 {
		t.Error("nothing is ever withdrawn")
	}
}

// Each variant of a type is judged by an oracle self of its own: one that judges two searches at a time would end with the first of them what the
// other one assumes, and its answers.
func TestVariant_HasAnOracleSelfOfItsOwn(t *testing.T) {
	order, original := loadSelf(t, `
type Box struct{ n atomic.Int64 }
func (b *Box) Add() int64 { return b.n.Add(1) }`)
	path := order.Listed.File("example.go")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var specs []oracle.Spec
	for range 2 {
		s, err := order.Variant(t.Context(), original, path, text)
		if err != nil {
			t.Fatal(err)
		}
		specs = append(specs, s.Spec)
	}
	one, other := specs[0], specs[1]
	err = Settled(one, func() error {
		assumed := one.(*self).assumed
		if err := Settled(other, func() error { return nil }); err != nil {
			return err
		}
		if now := one.(*self).assumed; assumed == nil || now != assumed {
			t.Errorf("the search of another variant has replaced what is assumed: %p, was %p", now, assumed)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
