package native

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// copies is a register that stores what is written twice; late one whose reads miss it.
const (
	copies = "type R struct{ now, old atomic.Int64 }\n\nfunc (r *R) Write(x int) { r.now.Store(int64(x)); r.old.Store(int64(x)) }\n\n" +
		"func (r *R) Read() int64 { return r.old.Load() }\n\nfunc (r *R) Fresh() int64 { return r.now.Load() }"
	late = "type R struct{ now, old atomic.Int64 }\n\nfunc (r *R) Write(x int) { r.now.Store(int64(x)) }\n\nfunc (r *R) Read() int64 { return r.old.Load() }"
)

var (
	copiesOps = []Op{{Name: "Write", Role: "write"}, {Name: "Read", Role: "read"}, {Name: "Fresh", Role: "read"}}
	lateOps   = copiesOps[:2]
)

// judgeCases are small collections, each with one client and the classes of what is wrong.
var judgeCases = []struct {
	name, code, make string
	ops              []Op
	oracle           string
	property         Property
	client           Client
	want             []Class
}{
	{
		// Both read 0, both write 1: the second Inc returns 1 again.
		name: "a counter that loads and stores", oracle: "counter", property: Linear, make: "new(C)",
		code:   "type C struct{ n atomic.Int64 }\n\nfunc (c *C) Inc() int64 { v := c.n.Load() + 1; c.n.Store(v); return v }",
		ops:    []Op{{Name: "Inc", Role: "inc"}},
		client: Client{Threads: [][]Call{{{Op: 0}}, {{Op: 0}}}}, want: []Class{History},
	},
	{
		name: "the same by its own measure", oracle: "self", property: Linear, make: "new(C)",
		code:   "type C struct{ n atomic.Int64 }\n\nfunc (c *C) Inc() int64 { v := c.n.Load() + 1; c.n.Store(v); return v }",
		ops:    []Op{{Name: "Inc"}},
		client: Client{Threads: [][]Call{{{Op: 0}}, {{Op: 0}}}}, want: []Class{History},
	},
	{
		name: "a counter that adds", oracle: "counter", property: Linear, make: "new(C)",
		code:   "type C struct{ n atomic.Int64 }\n\nfunc (c *C) Inc() int64 { return c.n.Add(1) }",
		ops:    []Op{{Name: "Inc", Role: "inc"}},
		client: Client{Threads: [][]Call{{{Op: 0}, {Op: 0}}, {{Op: 0}}}},
	},
	{
		name: "a counter without protection", oracle: "self", property: Linear, make: "new(C)",
		code:   "type C struct{ n int }\n\nfunc (c *C) Inc() int { c.n++; return c.n }",
		ops:    []Op{{Name: "Inc"}},
		client: Client{Threads: [][]Call{{{Op: 0}}, {{Op: 0}}}}, want: []Class{History, Racing},
	},
	{
		// Both find nothing, and each gets an object of its own: one after the other, both get the same.
		name: "objects made by whoever looks first, twice", oracle: "self", property: Linear, make: "new(C)",
		code:   "type C struct{ p atomic.Pointer[int] }\n\nfunc (c *C) Get() *int {\n\tif p := c.p.Load(); p != nil {\n\t\treturn p\n\t}\n\tp := new(int)\n\tc.p.Store(p)\n\treturn p\n}",
		ops:    []Op{{Name: "Get"}},
		client: Client{Threads: [][]Call{{{Op: 0}}, {{Op: 0}}}}, want: []Class{History},
	},
	{
		name: "objects made once", oracle: "self", property: Linear, make: "new(C)",
		code:   "type C struct{ p atomic.Pointer[int] }\n\nfunc (c *C) Get() *int {\n\tc.p.CompareAndSwap(nil, new(int))\n\treturn c.p.Load()\n}",
		ops:    []Op{{Name: "Get"}},
		client: Client{Threads: [][]Call{{{Op: 0}, {Op: 0}}, {{Op: 0}}}},
	},
	{
		// Whoever comes first gets the first object: which one that is has no name.
		name: "objects given to whoever asks", oracle: "self", property: Linear, make: "&C{a: [3]*int{new(int), new(int), new(int)}}",
		code:   "type C struct {\n\ta [3]*int\n\tn atomic.Int32\n}\n\nfunc (c *C) Get() *int { return c.a[c.n.Add(1)-1] }",
		ops:    []Op{{Name: "Get"}},
		client: Client{Threads: [][]Call{{{Op: 0}, {Op: 0}}, {{Op: 0}}}},
	},
	{
		name: "timers that fire when all calls have returned", oracle: "self", property: Linear, make: "new(C)",
		code:   "type C struct{ x int }\n\nfunc (c *C) Do() { time.AfterFunc(1, func() { c.x = 1 }) }",
		ops:    []Op{{Name: "Do"}},
		client: Client{Threads: [][]Call{{{Op: 0}, {Op: 0}}}}, want: []Class{Racing},
	},
	{
		name: "a condition whose lock is read beside a signal", oracle: "self", property: Linear, make: "newC()",
		code:   "type C struct{ c *sync.Cond }\n\nfunc newC() *C { return &C{sync.NewCond(new(sync.Mutex))} }\n\nfunc (c *C) Do() { c.c.L.Lock(); c.c.L.Unlock(); c.c.Broadcast() }",
		ops:    []Op{{Name: "Do"}},
		client: Client{Threads: [][]Call{{{Op: 0}}, {{Op: 0}}}},
	},
	{
		name: "a variable that is changed behind the start of its reader", oracle: "self", property: Linear, make: "new(C)",
		code:   "type C struct{ y int }\n\nfunc (c *C) Do(v int) int { go func() { c.y = v }(); v++; return v }",
		ops:    []Op{{Name: "Do"}},
		client: Client{Threads: [][]Call{{{Op: 0, Args: []int64{0}}}}}, want: []Class{Racing},
	},
	{
		// The first Take forgets the lock, if there is nothing.
		name: "a lock that is not given back", oracle: "queue", property: Linear, make: "new(Q)",
		code: "type Q struct {\n\tmu sync.Mutex\n\ta []int\n}\n\nfunc (q *Q) Put(x int) { q.mu.Lock(); q.a = append(q.a, x); q.mu.Unlock() }\n\n" +
			"func (q *Q) Take() (int, bool) {\n\tq.mu.Lock()\n\tif len(q.a) == 0 {\n\t\treturn 0, false\n\t}\n\tx := q.a[0]\n\tq.a = q.a[1:]\n\tq.mu.Unlock()\n\treturn x, true\n}",
		ops:    []Op{{Name: "Put", Role: "put"}, {Name: "Take", Role: "take"}},
		client: Client{Threads: [][]Call{{{Op: 0, Args: []int64{7}}}, {{Op: 1}}}}, want: []Class{Stuck},
	},
	{
		// Take waits, as it may, unless the Put was lost.
		name: "a channel as a queue", oracle: "queue", property: Linear, make: "Q(make(chan int, 2))",
		code:   "type Q chan int\n\nfunc (q Q) Put(x int) { q <- x }\n\nfunc (q Q) Take() int { return <-q }",
		ops:    []Op{{Name: "Put", Role: "put"}, {Name: "Take", Role: "take!"}},
		client: Client{Threads: [][]Call{{{Op: 0, Args: []int64{7}}}, {{Op: 1}, {Op: 1}}}},
	},
	{
		name: "the same by its own measure, stuck", oracle: "self", property: Linear, make: "Q(make(chan int, 2))",
		code:   "type Q chan int\n\nfunc (q Q) Put(x int) { q <- x }\n\nfunc (q Q) Take() int { return <-q }",
		ops:    []Op{{Name: "Put"}, {Name: "Take"}},
		client: Client{Threads: [][]Call{{{Op: 0, Args: []int64{7}}}, {{Op: 1}, {Op: 1}}}},
	},
	{
		// An actor's goroutine belongs to the constructor.
		name: "an actor", oracle: "self", property: Linear, make: "newActor()",
		code: "type A struct{ c chan chan int }\n\nfunc newActor() *A {\n\ta := &A{make(chan chan int)}\n\tgo func() {\n\t\tfor n := 1; ; n++ {\n\t\t\t(<-a.c) <- n\n\t\t}\n\t}()\n\treturn a\n}\n\n" +
			"func (a *A) Next() int { r := make(chan int); a.c <- r; return <-r }",
		ops:    []Op{{Name: "Next"}},
		client: Client{Pre: []Call{{Op: 0}}, Threads: [][]Call{{{Op: 0}}, {{Op: 0}}}},
	},
	{
		// Fresh sees what Write has stored first, Read what it stores last: between them
		// the value that is read goes back. Nothing orders the Write before one and behind the
		// other, but without a moment of quiescence a thread's own calls have no order.
		name: "a register with copies", oracle: "register", property: Linear, make: "new(R)", code: copies, ops: copiesOps,
		client: Client{Threads: [][]Call{{{Op: 0, Args: []int64{5}}}, {{Op: 2}, {Op: 1}}}}, want: []Class{History},
	},
	{
		name: "the same, sequentially consistent", oracle: "register", property: SC, make: "new(R)", code: copies, ops: copiesOps,
		client: Client{Threads: [][]Call{{{Op: 0, Args: []int64{5}}}, {{Op: 2}, {Op: 1}}}}, want: []Class{History},
	},
	{
		name: "the same, quiescently consistent", oracle: "register", property: Quiescent, make: "new(R)", code: copies, ops: copiesOps,
		client: Client{Threads: [][]Call{{{Op: 0, Args: []int64{5}}}, {{Op: 2}, {Op: 1}}}},
	},
	{
		// The Read that comes when the Write has returned misses it: real time orders them, and so
		// does the quiescence between them, but no thread's program does.
		name: "a register whose reads are late", oracle: "register", property: Linear, make: "new(R)", code: late, ops: lateOps,
		client: Client{Threads: [][]Call{{{Op: 0, Args: []int64{5}}}, {{Op: 1}}}}, want: []Class{History},
	},
	{
		name: "the same, sequentially consistent, late", oracle: "register", property: SC, make: "new(R)", code: late, ops: lateOps,
		client: Client{Threads: [][]Call{{{Op: 0, Args: []int64{5}}}, {{Op: 1}}}},
	},
	{
		name: "the same, quiescently consistent, late", oracle: "register", property: Quiescent, make: "new(R)", code: late, ops: lateOps,
		client: Client{Threads: [][]Call{{{Op: 0, Args: []int64{5}}}, {{Op: 1}}}}, want: []Class{History},
	},
	{
		// A thread misses its own Write: its program orders the two calls.
		name: "a register whose writer reads late", oracle: "register", property: SC, make: "new(R)", code: late, ops: lateOps,
		client: Client{Threads: [][]Call{{{Op: 0, Args: []int64{5}}, {Op: 1}}}}, want: []Class{History},
	},
	{
		// A call has begun when the goroutine sends that it has started, though its own first turn comes later: what takes
		// that value has not returned before it.
		name: "calls that receive what they have sent by a goroutine", oracle: "self", property: Linear, make: "&Q{c: make(chan int, 1)}",
		code:   "type Q struct{ c chan int }\n\nfunc (q *Q) One() int {\n\tgo func() { q.c <- 1 }()\n\treturn <-q.c\n}\n\nfunc (q *Q) Two() int {\n\tgo func() { q.c <- 2 }()\n\treturn <-q.c\n}\n",
		ops:    []Op{{Name: "One"}, {Name: "Two"}},
		client: Client{Threads: [][]Call{{{Op: 0}}, {{Op: 1}}}}, want: []Class{History},
	},
	{
		// Put waits for what it has started, and not for ever: one call after another, nobody sees the 1.
		name: "a call that waits for its own goroutine", oracle: "self", property: Linear, make: "new(P)", ops: []Op{{Name: "Put"}, {Name: "Get"}},
		code: "type P struct {\n\tn  atomic.Int32\n\twg sync.WaitGroup\n}\n\nfunc (p *P) Put() {\n\tp.n.Store(1)\n\tp.wg.Add(1)\n\tgo func() { p.n.Store(0); p.wg.Done() }()\n\tp.wg.Wait()\n}\n\n" +
			"func (p *P) Get() {\n\tif p.n.Load() == 1 {\n\t\tpanic(\"half done\")\n\t}\n}\n",
		client: Client{Threads: [][]Call{{{Op: 0}}, {{Op: 1}}}}, want: []Class{Panicked},
	},
	{
		// The compiler calls nothing where it reads a string's bytes, but they change: only the first of two calls is to find "ab".
		name: "a string over a buffer that is compared, then written", oracle: "self", property: Linear, make: newLent, ops: []Op{{Name: "Do"}},
		code:   lent + "func (l *L) Do() bool {\n\tr := unsafe.String(&l.buf[0], 2) < \"s\"\n\tl.mu.Lock()\n\tcopy(l.buf, \"yz\")\n\tl.mu.Unlock()\n\treturn r\n}\n",
		client: Client{Threads: [][]Call{{{Op: 0}}, {{Op: 0}}}}, want: []Class{History, Racing},
	},
	{
		name: "a string over a buffer that is used as a key, then written", oracle: "self", property: Linear, make: newLent, ops: []Op{{Name: "Do"}},
		code:   lent + "func (l *L) Do() int {\n\tr := l.m[unsafe.String(&l.buf[0], 2)]\n\tl.mu.Lock()\n\tl.buf[0] = 'z'\n\tl.mu.Unlock()\n\treturn r\n}\n",
		client: Client{Threads: [][]Call{{{Op: 0}}, {{Op: 0}}}}, want: []Class{History, Racing},
	},
	{
		name: "a string over a buffer that is joined, then written", oracle: "self", property: Linear, make: newLent, ops: []Op{{Name: "Do"}},
		code:   lent + "func (l *L) Do() string {\n\tr := l.str + unsafe.String(&l.buf[0], 2)\n\tl.mu.Lock()\n\tl.buf[0] = 'z'\n\tl.mu.Unlock()\n\treturn r\n}\n",
		client: Client{Threads: [][]Call{{{Op: 0}}, {{Op: 0}}}}, want: []Class{History, Racing},
	},
	{
		name: "a string over a buffer that is compared under the lock of who writes", oracle: "self", property: Linear, make: newLent, ops: []Op{{Name: "Do"}},
		code:   lent + "func (l *L) Do() bool {\n\tl.mu.Lock()\n\tdefer l.mu.Unlock()\n\tr := unsafe.String(&l.buf[0], 2) < \"s\"\n\tcopy(l.buf, \"yz\")\n\treturn r\n}\n",
		client: Client{Threads: [][]Call{{{Op: 0}}, {{Op: 0}}}},
	},
}

// lent has a buffer over which strings are made.
const (
	lent    = "type L struct {\n\tmu  sync.Mutex\n\tbuf []byte\n\tstr string\n\tm   map[string]int\n}\n\n"
	newLent = "&L{buf: []byte(\"ab\"), str: \"s\", m: map[string]int{\"ab\": 1}}"
)

// TestJudge_BeginsEachClientWithFreshVariables has a package whose constructor counts.
func TestJudge_BeginsEachClientWithFreshVariables(t *testing.T) {
	level.SkipShort(t, "builds a driver")
	code := "package p\n\nvar made = []int{40}\n\ntype C struct{}\n\nfunc New() C { made[0]++; return C{} }\n\nfunc (C) Made() int { return made[0] }\n"
	client := Client{Threads: [][]Call{{{Op: 0}}}}
	answers, err := Judge(context.Background(), []Trial{{Property: Linear, Clients: []Client{client, client}, Subject: Subject{
		Name: "counted", Files: map[string]string{"p.go": code}, New: "New()", Ops: []Op{{Name: "Made"}}, Oracle: "self"}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range answers[0] {
		if want := []string{"1:0-1 Made[]=[41]"}; !slices.Equal(j.Histories, want) {
			t.Errorf("client %d: %q, want %q %s", i, j.Histories, want, j.Fault)
		}
	}
}

func TestJudge_FindsWhatIsWrong(t *testing.T) {
	level.SkipShort(t, "builds a program for each trial")
	var trials []Trial
	for _, c := range judgeCases {
		text := "package p\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n\t\"time\"\n\t\"unsafe\"\n)\n\nvar _ unsafe.Pointer\n\nvar _ sync.Mutex\n\nvar _ atomic.Int32\n\nvar _ time.Time\n\n" + c.code
		trials = append(trials, Trial{Property: c.property, Clients: []Client{c.client},
			Subject: Subject{Name: c.name, Files: map[string]string{"p.go": text}, New: c.make, Ops: c.ops, Oracle: c.oracle}})
	}
	answers, err := Judge(context.Background(), trials, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range answers {
		j := a[0]
		if j.Fault != "" || j.TooBig != "" || !slices.Equal(j.Classes, judgeCases[i].want) {
			t.Errorf("%s: %v, want %v (%s%s)", judgeCases[i].name, j.Classes, judgeCases[i].want, j.Fault, j.TooBig)
			for _, h := range j.Histories {
				t.Log(h)
			}
		}
	}
}

// Where not all executions of one call after another are known, what they do excuses or accuses nobody.
func TestWeigh_AccusesNobodyByWhatIsNotKnown(t *testing.T) {
	trial := &Trial{Property: Linear, Subject: Subject{Oracle: "self", Ops: []Op{{Name: "Get"}}}}
	client := Client{Threads: [][]Call{{{}}}}
	shown := trialAnswer{Histories: []history{{Results: [][][]string{nil, {{"1"}}}, Ending: "exit", Events: []event{{Thread: 1}, {Thread: 1, Return: true}}}}}
	for _, c := range []struct {
		alone trialAnswer
		want  []Class
	}{
		{trialAnswer{}, []Class{History}},
		{trialAnswer{TooBig: "1 schedules"}, nil},
		{shown, nil},
	} {
		if got := weigh(trial, client, []trialAnswer{shown, c.alone}); !slices.Equal(got.Classes, c.want) {
			t.Errorf("%+v: %v, want %v", c.alone, got.Classes, c.want)
		}
	}
}

// A call that waits without having taken a turn, at a nil channel, has begun all the same.
func TestJudge_NotesCallsThatTakeNoTurn(t *testing.T) {
	level.SkipShort(t, "compiles programs natively")
	code := "package p\n\ntype C struct{ c chan int }\n\nfunc (o *C) Wait() { o.c = nil; <-o.c }\n\nfunc (o *C) Get() int { return 1 }\n"
	answers, err := Judge(context.Background(), []Trial{{Property: Linear, Clients: []Client{{Threads: [][]Call{{{Op: 1}, {Op: 0}}}}}, Subject: Subject{
		Name: "waits", Files: map[string]string{"p.go": code}, New: "new(C)", Ops: []Op{{Name: "Wait"}, {Name: "Get"}}, Oracle: "self"}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if j := answers[0][0]; len(j.Histories) != 1 || !strings.Contains(j.Histories[0], "Wait[]=…") {
		t.Errorf("%q %s", j.Histories, j.Fault)
	}
}

// SPDX-License-Identifier: BSD-3-Clause
