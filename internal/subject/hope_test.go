// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"maps"
	"slices"
	"testing"

	"pangolin/history"
	"pangolin/internal/test/level"
	"pangolin/oracle"
)

// waitingTypes wait for others. Decided is whether some of their waiting is decided without a search.
var waitingTypes = map[string]struct {
	decided bool
	source  string
}{
	"nobody sends, and an object without bounds": {true, `
type Box struct{ a, b atomic.Int64; c chan int }
func NewBox() *Box { return &Box{c: make(chan int)} }
func (b *Box) Wait() { <-b.c }
func (b *Box) Add(n int) { b.a.Add(int64(n)); b.b.Add(b.a.Load()) }`},
	"somebody sends": {false, `
type Box struct{ c chan int }
func NewBox() *Box { return &Box{make(chan int)} }
func (b *Box) Wait() { <-b.c }
func (b *Box) Add(n int) { select { case b.c <- n: default: } }`},
	"somebody closes what it was given as": {false, `
type done chan struct{}
type Box struct{ c done; once sync.Once }
func NewBox() *Box { return &Box{c: make(done)} }
func (b *Box) Wait() { <-(<-chan struct{})(b.c) }
func (b *Box) Close() { b.once.Do(func() { close(b.c) }) }`},
	"somebody receives": {false, `
type Box struct{ c chan int }
func NewBox() *Box { return &Box{make(chan int)} }
func (b *Box) Put(n int) { b.c <- n }
func (b *Box) Get() int { select { case v := <-b.c: return v; default: return -1 } }`},
	"a receiver alone sends nothing": {true, `
type Box struct{ c chan int }
func NewBox() *Box { return &Box{make(chan int)} }
func (b *Box) Get() int { return <-b.c }
func (b *Box) Try() int { select { case v := <-b.c: return v; default: return -1 } }`},
	"a goroutine beside the operations sends when it is told to": {false, `
type Box struct{ in chan bool; c chan int }
func NewBox() *Box { b := &Box{make(chan bool), make(chan int)}; go func() { for range b.in { b.c <- 1 } }(); return b }
func (b *Box) Get() int { return <-b.c }
func (b *Box) Tell() { b.in <- true }`},
	"a channel of its own, that it hands to others": {false, `
type Box struct{ mu sync.Mutex; waiting []chan int }
func (b *Box) Get() int { c := make(chan int, 1); b.mu.Lock(); b.waiting = append(b.waiting, c); b.mu.Unlock(); return <-c }
func (b *Box) Put(n int) { b.mu.Lock(); defer b.mu.Unlock(); for _, c := range b.waiting { c <- n }; b.waiting = nil }`},
	"a channel of its own, which a goroutine has": {false, `
type Box struct{ go_ chan int }
func NewBox() *Box { return &Box{make(chan int)} }
func (b *Box) Get() int { c := make(chan int); go func() { c <- <-b.go_ }(); return <-c }
func (b *Box) Put(n int) { select { case b.go_ <- n: default: } }`},
	"a channel of its own": {true, `
type Box struct{ n atomic.Int64 }
func (b *Box) Get() int { if b.n.Load() == 1 { c := make(chan int); select { case v := <-c: return v; case c <- 2: } }; return 0 }
func (b *Box) Put(n int) { b.n.Store(1) }
func (b *Box) Meet() { c := make(chan int, 1); c <- 1; <-c }`},
	"a nil channel": {true, `
type Box struct{ never chan int; n atomic.Int64 }
func (b *Box) Get() int { if b.n.Load() == 1 { return <-b.never }; return 0 }
func (b *Box) Put(n int) { b.n.Store(1); c := make(chan int, 1); c <- 1 }`},
	"a lock that is kept": {false, `
type Box struct{ mu sync.Mutex; n int }
func (b *Box) Take() { b.mu.Lock() }
func (b *Box) Give() { if b.mu.TryLock() { b.n++ }; b.mu.Unlock() }`},
	"a condition": {false, `
type Box struct{ mu sync.Mutex; c *sync.Cond; n int }
func NewBox() *Box { b := &Box{}; b.c = sync.NewCond(&b.mu); return b }
func (b *Box) Get() int { b.mu.Lock(); defer b.mu.Unlock(); for b.n == 0 { b.c.Wait() }; b.n--; return b.n }
func (b *Box) Put() { b.mu.Lock(); defer b.mu.Unlock(); b.n = 1; b.c.Signal() }`},
	"a lock of its own, that nobody gives back": {true, `
type Box struct{ n atomic.Int64 }
func (b *Box) Get() int { var mu sync.Mutex; mu.Lock(); if b.n.Load() == 1 { mu.Lock() }; return 0 }
func (b *Box) Put() { b.n.Store(1) }`},
	"a lock of its own, which a goroutine gives back": {false, `
type Box struct{ c chan int }
func NewBox() *Box { return &Box{make(chan int, 1)} }
func (b *Box) Get() { var mu sync.Mutex; mu.Lock(); go func() { <-b.c; mu.Unlock() }(); mu.Lock() }
func (b *Box) Put() { select { case b.c <- 1: default: } }`},
	"a loop that looks at a channel, and at something else": {false, `
type Box struct{ on atomic.Bool; c chan int }
func (b *Box) Open() { b.on.Store(true) }
func NewBox() *Box { return &Box{c: make(chan int)} }
func (b *Box) Wait() { for { select { case <-b.c: return; default: }; if b.on.Load() { return } } }`},
	"a loop": {false, `
type Box struct{ on atomic.Bool }
func (b *Box) Open() { b.on.Store(true) }
func (b *Box) Wait() { for !b.on.Load() {} }`},
}

// What is decided about waiting without a search is what the search finds.
func TestHope_WithoutSearchIsThatOfTheSearch(t *testing.T) {
	for i, name := range slices.Sorted(maps.Keys(waitingTypes)) {
		t.Run(name, func(t *testing.T) {
			if level.Out(i, 3) {
				t.Skip("every third will do, the first in short; -level more tries all")
			}
			c := waitingTypes[name]
			s := &seeing{o: selfOf(t, c.source)}
			s.after(t, s.o.Initial(), 3)
			if s.decided != c.decided || !s.waits {
				t.Errorf("decided without a search: %v, want %v (waits: %v)", s.decided, c.decided, s.waits)
			}
		})
	}
}

// seeing compares along sequences of calls.
type seeing struct {
	o              *self
	waits, decided bool
}

func (c *seeing) after(t *testing.T, s oracle.State, more int) {
	for i := range c.o.subject.Operations {
		call := oracle.Call{Op: i, Args: history.Tuple{}}
		for range c.o.subject.Operations[i].Client.Params {
			call.Args = call.Args.Append(history.IntValue(int64(more)))
		}
		_, rest := c.o.names(s)
		for _, state := range c.o.waits(call, members(rest)...) {
			c.waits = true
			if !c.o.hopeless(state) {
				continue
			}
			c.decided = true
			for _, h := range helpers[:3] {
				h.most = 1 << 12
				if hope, _, _ := c.o.hopesWith([][]uint64{state}, h); hope {
					t.Errorf("%s: %d calls let it return", c.o.subject.Operations[i].Name, h.calls)
				}
			}
		}
		first := c.o.MayBlock(s, call)
		clear(c.o.blocks)
		if again := c.o.MayBlock(s, call); again != first {
			t.Errorf("%s may wait: %v, and remembered %v", c.o.subject.Operations[i].Name, first, again)
		}
		if more == 1 {
			continue
		}
		outcomes, err := c.o.Outcomes(s, call)
		if err != nil {
			t.Fatal(err)
		}
		for _, out := range outcomes {
			c.after(t, out.Next, more-1)
		}
	}
}

// Of several states in which a call waits, one may be without hope: what is remembered of all of them is not remembered of each.
func TestHope_OfSeveralStatesIsNotThatOfEach(t *testing.T) {
	o := selfOf(t, `
type Box struct{ on, never atomic.Bool }
func (b *Box) Never() { for !b.never.Load() {} }
func (b *Box) Open() { b.on.Store(true) }
func (b *Box) Wait() { for !b.on.Load() {} }`)
	_, rest := o.names(o.Initial())
	never, wait := oracle.Call{Op: 0}, oracle.Call{Op: 2}
	before := members(rest)[0]
	a, b := o.waits(never, before), o.waits(wait, before)
	if !o.hopes(slices.Concat(a, b), wait, before) {
		t.Error("Wait has no hope")
	}
	if o.hopes(a, never, before) {
		t.Error("Never has hope")
	}
}

// A call that waits for a lock which it has taken itself is let go by a call that gives back others' locks, and by nothing else: other calls need not be
// searched to the end, which change the object without bounds here.
func TestHope_OfWhoWaitsForItself(t *testing.T) {
	const more = "; func (b *Box) Add(n int) { b.a.Add(int64(n)); b.c.Add(b.a.Load()) }"
	const box = "type Box struct { mu sync.Mutex; rw sync.RWMutex; a, c atomic.Int64; on chan bool }; func NewBox() *Box { return &Box{on: make(chan bool, 1)} }; "
	for name, c := range map[string]struct {
		source    string
		may, open bool
	}{
		"locks twice":                       {"func (b *Box) A() { b.mu.Lock(); b.mu.Lock() }", false, false},
		"reads, and then writes":            {"func (b *Box) A() { b.rw.RLock(); b.rw.Lock() }", false, false},
		"writes, and then reads":            {"func (b *Box) A() { b.rw.Lock(); b.rw.RLock() }", false, false},
		"another call gives the lock back":  {"func (b *Box) A() { b.mu.Lock(); b.mu.Lock() }; func (b *Box) Give() { b.mu.Unlock() }", true, false},
		"a goroutine gives the lock back":   {"func (b *Box) A() { b.mu.Lock(); go func() { <-b.on; b.mu.Unlock() }(); b.mu.Lock() }; func (b *Box) On() { b.on <- true }", true, false},
		"a goroutine waits for nobody":      {"func (b *Box) A() { b.mu.Lock(); go func() { <-b.on; b.mu.Unlock() }(); b.mu.Lock() }", true, true},
		"an earlier call has the lock":      {"func (b *Box) A() { b.mu.Lock() }", true, true},
		"waits for a channel with the lock": {"func (b *Box) A() { b.mu.Lock(); <-b.on }; func (b *Box) On() { if b.a.Load() < 0 { b.on <- true } }", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := selfOf(t, box+c.source+more)
			may := false
			if err := Settled(o, func() error {
				Within(t.Context(), o, 1<<8)
				s, call := o.Initial(), oracle.Call{Op: slices.IndexFunc(o.subject.Operations, func(op Operation) bool { return op.Name == "A" })}
				outcomes, err := o.Outcomes(s, call)
				if len(outcomes) > 0 { // it waits when it is called again
					s = outcomes[0].Next
				}
				may = o.MayBlock(s, call)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if may != c.may || (Unsettled(o) != "") != c.open {
				t.Errorf("A may wait: %t, want %t; not settled: %q", may, c.may, Unsettled(o))
			}
		})
	}
}

// Tries that decide nothing have one budget for all states of a search.
func TestHope_IsTriedWithinABudget(t *testing.T) {
	o := selfOf(t, `
type Box struct{ a, b atomic.Int64; c chan int }
func NewBox() *Box { return &Box{c: make(chan int)} }
func (b *Box) Wait() { <-b.c }
func (b *Box) Add(n int) { if b.a.Add(int64(n)) < 0 { b.c <- n }; b.b.Add(b.a.Load()) }`)
	s := o.Initial()
	wait, add := oracle.Call{Op: 1}, oracle.Call{Op: 0, Args: history.Tuple{}.Append(history.IntValue(1))}
	if o.subject.Operations[0].Name == "Wait" {
		t.Fatal("the operations are in another order")
	}
	const states = 12
	for range states {
		if !o.MayBlock(s, wait) {
			t.Fatal("not allowed to wait, although nothing was decided")
		}
		outcomes, err := o.Outcomes(s, add)
		if err != nil {
			t.Fatal(err)
		}
		s = outcomes[0].Next
	}
	if most := uint64(mostInVain + 2*mostHelped + states*4*fewestHelped); o.vain > most || o.vain < mostInVain {
		t.Errorf("%d states tried in vain, want %d to %d", o.vain, mostInVain, most)
	}
	if Unsettled(o) == "" {
		t.Error("not told")
	}
}

// What a question could not settle does not count for the next one, nor is it remembered as an answer; for the question as part of which it was asked it does.
func TestAsking_ForgetsWhatEarlierQuestionsDidNotSettle(t *testing.T) {
	o := selfOf(t, waitingTypes["a condition"].source)
	get := oracle.Call{Op: slices.IndexFunc(o.subject.Operations, func(op Operation) bool { return op.Name == "Get" })}
	ask := func(states uint64, want string) {
		t.Helper()
		Within(t.Context(), o, states)
		if !o.MayBlock(o.initial, get) {
			t.Error("Get may not wait, although Put lets it return")
		}
		if is := Unsettled(o); is != want {
			t.Errorf("with %d states it is told %q, want %q", states, is, want)
		}
	}
	const why = "2 states did not tell whether other calls could let Get return where it waits alone (oracle self)"
	first := Asking(o)
	ask(2, why)
	first()
	second := Asking(o)
	ask(0, "")
	inner := Asking(o)
	ask(2, why)
	inner()
	if Unsettled(o) == "" {
		t.Error("what a part of the question did not settle does not count")
	}
	second()
	third := Asking(o)
	ask(2, why)
	again := Asking(o) // the answer is not taken from the memory, which would not say that nothing was settled
	ask(2, why)
	again()
	third()
}

// A call that waits for more than helpers usually pass is let go by an argument of its own size, or by the next one; a panic of such
// a call lets nobody go.
func TestHope_ArgumentsOfTheCallsOwnSize(t *testing.T) {
	source := func(more, set string) string {
		return `
type Box struct{ v atomic.Int64 }
func (b *Box) Await(v int) { for !(b.v.Load() ` + more + ` int64(v)) {} }
func (b *Box) Set(v int) { ` + set + `; b.v.Store(int64(v)) }`
	}
	for _, c := range []struct {
		name, source string
		arg          int64
		want         bool
	}{
		{"as large", source(">=", ""), 3, true},
		{"larger by one", source(">", ""), 2, true},
		{"a large one", source(">=", ""), 100, true},
		{"refused", source(">=", "if v > 2 { return }"), 3, false},
		{"panics", source(">=", "if v > 2 { panic(v) }"), 3, false},
		{"between two others", `
type Box struct{ staged, stage atomic.Int64 }
func (b *Box) Await(v int) { for b.stage.Load() != 2 || b.staged.Load() != int64(v) {} }
func (b *Box) Set(v int) { b.staged.CompareAndSwap(0, int64(v)) }
func (b *Box) Open() { b.stage.Store(1) }
func (b *Box) Publish() { if b.stage.Load() == 1 { b.stage.Store(2) } }`, 3, true},
		{"between two others, in vain", `
type Box struct{ staged, stage atomic.Int64 }
func (b *Box) Await(v int) { for b.stage.Load() != 2 || b.staged.Load() != int64(v) {} }
func (b *Box) Set(v int) { if v < 3 { b.staged.Store(int64(v)) } }
func (b *Box) Open() { b.stage.Store(1) }
func (b *Box) Publish() { if b.stage.Load() == 1 { b.stage.Store(2) } }`, 3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := selfOf(t, c.source)
			if got := o.MayBlock(o.Initial(), oracle.Call{Args: history.Of(history.IntValue(c.arg))}); got != c.want {
				t.Errorf("Await(%d) may wait: %v, want %v", c.arg, got, c.want)
			}
		})
	}
}

// Where each call leaves a goroutine behind, helpers that make any number of calls end with a few of them: states of thousands of goroutines take
// minutes, and decide nothing either.
func TestHope_CallsThatLeaveGoroutinesEnd(t *testing.T) {
	o := selfOf(t, `
type Box struct{ on atomic.Bool; never chan int }
func NewBox() *Box { return &Box{never: make(chan int)} }
func (b *Box) Leave() { go func() { b.never <- 1 }() }
func (b *Box) Wait() { for !b.on.Load() {} }`)
	wait := oracle.Call{Op: slices.IndexFunc(o.subject.Operations, func(op Operation) bool { return op.Name == "Wait" })}
	_, rest := o.names(o.Initial())
	waiting := o.waits(wait, members(rest)...)
	hope, complete, states := o.hopesWith(waiting, helping{threads: 3, calls: anyNumber, most: mostHelped >> 2})
	if hope || complete || states >= mostHelped>>2 {
		t.Errorf("hope %t, complete %t, %d states", hope, complete, states)
	}
	if o.MayBlock(o.Initial(), wait) {
		t.Error("Wait may wait, although nobody stores to what it reads")
	}
	if why := Unsettled(o); why != "" {
		t.Error(why)
	}
}
