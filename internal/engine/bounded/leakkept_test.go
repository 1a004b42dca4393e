// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"slices"
	"strings"
	"testing"
)

// keptCases are types whose users hold what their goroutines wait for, in ways that the driving file does not, and types like them that
// leak all the same. The part about is of an assumption, if nothing leaks.
func keptCases() []leakCase {
	const contexts = "a goroutine that waits at a nil channel has not leaked: "
	list := []leakCase{
		{name: "context-of-the-constructor", source: `func New$(ctx context.Context) *$ { go func() { <-ctx.Done() }(); return new($) }
			func (x *$) Get() int { return 0 }`, about: contexts + "the constructor is given context.Background()"},
		{name: "context-of-a-call", source: `func (x *$) Watch(ctx context.Context) { go func() { <-ctx.Done() }() }`,
			about: contexts + "Watch is given context.Background()"},
		{name: "context-or-lost-channel", source: `func (x *$) Watch(ctx context.Context) { c := make(chan int); go func() { select { case <-ctx.Done(): case <-c: } }() }`,
			about: contexts + "Watch is given context.Background()"},
		{name: "function-of-the-constructor", source: `func New$(started func(stop func())) *$ { c := make(chan int); go func() { <-c }(); started(func() { close(c) }); return new($) }
			func (x *$) Get() int { return 0 }`, about: "takes func(stop func()), which callers keep"},
		{name: "channel-in-options", source: `type Options$ struct { Done chan int }
			func New$(o Options$) *$ { go func() { <-o.Done }(); return new($) }
			func (x *$) Get() int { return 0 }`, about: ", which callers keep"},
		{name: "wait-group-of-the-constructor", source: `func New$(wg *sync.WaitGroup) *$ { wg.Add(1); go func() { wg.Wait() }(); return new($) }
			func (x *$) Get() int { return 0 }`, about: "takes *sync.WaitGroup, which callers keep"},
		{name: "function-that-is-given-a-function", source: `func (x *$) With(f func(stop func())) { c := make(chan int); go func() { <-c }(); f(func() { close(c) }) }`,
			about: "With takes func(stop func()), which callers keep"},
		{name: "function-that-is-given-a-channel", source: `func (x *$) With(f func(c chan int) int) int { c := make(chan int); go func() { c <- 1 }(); return f(c) }`,
			about: "With takes func(c chan int) int, which callers keep"},
		{name: "function-that-is-given-anything", source: `func (x *$) Range(f func(k int, v any) bool) { c := make(chan int); go func() { <-c }(); f(1, c) }`,
			about: "Range takes func(k int, v any) bool, which callers keep"},
		{name: "any-result", source: `func (x *$) Sub() any { c := make(chan int); go func() { <-c }(); return c }`,
			about: "Sub returns any, which callers keep"},
		{name: "iterator-over-channels", source: `func (x *$) All() iter.Seq[chan int] { return func(yield func(chan int) bool) { c := make(chan int); go func() { <-c }(); yield(c) } }`,
			about: "All returns iter.Seq[chan int], which callers keep"},
		{name: "error-with-a-channel", source: `type busy$ struct { release chan int }
			func (*busy$) Error() string { return "busy" }
			type $ struct { mu sync.Mutex }
			func (x *$) Do() error { if x.mu.TryLock() { return nil }; c := make(chan int); go func() { <-c }(); return &busy${c} }`,
			about: "Do returns an error, which callers keep, and example.busy"},
		{name: "finalizer", source: `type handle$ struct { quit chan int }
			func (x *$) Get() int { q := make(chan int); go func() { <-q }(); h := &handle${q}; runtime.SetFinalizer(h, func(h *handle$) { close(h.quit) }); return 0 }`,
			about: "finalizers never run, and where the code sets some goroutine leaks are not looked for"},

		// These leak.
		{name: "function-that-is-given-a-context", source: `func (x *$) With(f func(ctx context.Context) error) error { ctx, cancel := context.WithCancel(context.Background()); _ = cancel; go func() { <-ctx.Done() }(); return f(ctx) }`,
			calls: "1: With(func #0)", about: "of a context that nobody can cancel"},
		{name: "iterator-over-ints", source: `func (x *$) All() iter.Seq[int] { c := make(chan int); go func() { c <- 1 }(); return func(yield func(int) bool) { yield(1) } }`,
			calls: "1: All()", about: "chan send"},
		{name: "error-without-a-channel", source: `type busy$ struct { n int; err error }
			func (*busy$) Error() string { return "busy" }
			func (x *$) Do() error { c := make(chan int); go func() { <-c }(); return &busy${n: 1} }`,
			calls: "1: Do()", about: "chan receive"},
		{name: "function-that-is-given-an-int", source: `func (x *$) With(f func(v int) int) int { c := make(chan int); go func() { c <- 1 }(); return f(1) }`,
			calls: "1: With(func #0)", about: "chan send"},
		{name: "lost-channel-beside-a-context", source: `func (x *$) Do(ctx context.Context) error { c := make(chan int); go func() { c <- 1 }(); select { case <-c: return nil; case <-ctx.Done(): return ctx.Err() } }`,
			calls: "1: Do(", about: "chan send|since the select at"},
		{name: "constructor-with-context", source: `func New$(ctx context.Context) *$ { c := make(chan int); go func() { select { case <-c: } }(); return new($) }
			func (x *$) Get() int { return 0 }`, calls: "1: Get()", about: "the goroutine that the constructor starts"},
	}
	for i := range list {
		l := &list[i]
		if !strings.Contains(l.source, "type $ struct") {
			l.source = "type $ struct { n int }\n" + l.source
		}
		l.source = strings.ReplaceAll(l.source, "$", l.typ())
	}
	return list
}

// TestLeak_UsersMayHoldIt verifies each type of the table with all reductions and with none.
func TestLeak_UsersMayHoldIt(t *testing.T) {
	for _, l := range keptCases() {
		for _, set := range []string{"all", "none"} {
			t.Run(l.name+" "+set, func(t *testing.T) {
				v := l.verify(t, set)
				if why := l.wrong(v); why != "" {
					t.Errorf("%s, reductions %s: %s", l.name, set, why)
				}
				if l.calls == "" && !slices.ContainsFunc(v.Assumptions, func(a string) bool { return strings.Contains(a, l.about) }) {
					t.Errorf("%s, reductions %s: the verdict assumes %q; want %s", l.name, set, v.Assumptions, l.about)
				}
			})
		}
	}
}
