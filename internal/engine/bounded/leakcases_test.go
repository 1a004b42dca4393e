// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import "strings"

// leakCase is a type whose operations start goroutines. In its source, $ stands for the type's name.
type leakCase struct {
	name   string
	source string // declarations
	use    string // statements that use a new object x so that its goroutines leak, if they can
	calls  string // of the witness; "" if nothing leaks
	about  string // parts, separated by |, of the sentence about a leak
}

// sendsCaptured is a case that Go's own profile (1.26) misses. While it looks for leaks it hides from the collector the channels at which
// goroutines wait, but not the memory of what they send; and that is the closure, which holds the channel.
const sendsCaptured = "send-of-a-captured-variable"

// leakCases are types that leak, and types that are like them and do not.
func leakCases() []leakCase {
	list := []leakCase{
		// These leak.
		{"send-after-timeout", `func (x *$) Get(v int) int { c := make(chan int); go func(v int) { c <- v }(v); select { case v := <-c: return v; case <-time.After(time.Nanosecond): return 0 } }`,
			`x.Get(1)`, "1: Get(0)", "the goroutine that Get(0) starts|chan send|since the select at"},
		{"first-of-two", `func (x *$) First() int { c := make(chan int); for i := range 2 { go func(i int) { c <- i }(i) }; <-c; return 0 }`,
			`x.First()`, "1: First()", "chan send|since the chan receive at"},
		{"error-before-receive", `func (x *$) Try(v int) bool { c := make(chan int); go func(v int) { c <- v }(v); if v > 0 { return false }; <-c; return true }`,
			`x.Try(1)`, "1: Try(1)", "the goroutine that Try(1) starts|chan send"},
		{"generator-abandoned", `func count$() <-chan int { c := make(chan int); go func() { for i := 0; i < 3; i++ { c <- i } }(); return c }
			func (x *$) One() int { for i := range count$() { return i }; return -1 }`,
			`x.One()`, "1: One()", "chan send|since the chan receive at"},
		{"range-without-close", `func (x *$) Add(v int) { c := make(chan int); go func() { for range c { } }(); c <- v }`,
			`x.Add(1)`, "1: Add(0)", "chan receive|since the chan send at"},
		{"context-never-cancelled", `func (x *$) Watch() { ctx, _ := context.WithCancel(context.Background()); go func() { <-ctx.Done() }() }`,
			`x.Watch()`, "1: Watch()", "chan receive|of a context that nobody can cancel"},
		{"quit-and-context-lost", `func (x *$) Watch() { ctx, _ := context.WithCancel(context.Background()); quit := make(chan int); go func() { select { case <-ctx.Done(): case <-quit: } }() }`,
			`x.Watch()`, "1: Watch()", "select"},
		{"stopped-timer", `func (x *$) Arm() { t := time.NewTimer(time.Hour); go func() { <-t.C }(); t.Stop() }`,
			`x.Arm()`, "1: Arm()", "chan receive|of a timer or ticker that does not fire"},
		{"stopped-ticker", `func (x *$) Tick() { t := time.NewTicker(time.Hour); t.Stop(); go func() { for range t.C { } }() }`,
			`x.Tick()`, "1: Tick()", "chan receive"},
		{"after-func-stopped", `func (x *$) Arm() { c := make(chan int); t := time.AfterFunc(time.Hour, func() { close(c) }); go func() { <-c }(); t.Stop() }`,
			`x.Arm()`, "1: Arm()", "chan receive"},
		{"wait-group-of-too-many", `func (x *$) Run() { var wg sync.WaitGroup; wg.Add(2); go wg.Done(); go func() { wg.Wait() }() }`,
			`x.Run()`, "1: Run()", "sync.WaitGroup.Wait"},
		{"cond-without-signal", `func (x *$) Wait() { c := sync.NewCond(new(sync.Mutex)); go func() { c.L.Lock(); c.Wait(); c.L.Unlock() }() }`,
			`x.Wait()`, "1: Wait()", "sync.Cond.Wait"},
		{"semaphore-kept", `func (x *$) Run() { sem := make(chan bool, 1); sem <- true; go func() { sem <- true; <-sem }() }`,
			`x.Run()`, "1: Run()", "chan send"},
		{"mutex-never-unlocked", `func (x *$) Run() { mu := new(sync.Mutex); mu.Lock(); go func() { mu.Lock(); mu.Unlock() }() }`,
			`x.Run()`, "1: Run()", "sync.Mutex.Lock"},
		{"pipeline-abandoned", `func (x *$) Run() { a, b := make(chan int), make(chan int); go func() { for v := range a { b <- v } }(); a <- 1 }`,
			`x.Run()`, "1: Run()", "chan send"},
		{"two-stages-abandoned", `func (x *$) Run() { a, b := make(chan int), make(chan int); go func() { for range 3 { a <- 1 } }(); go func() { for v := range a { b <- v } }(); <-b }`,
			`x.Run()`, "1: Run()", "chan send|since the chan receive at"},
		{"two-that-wait-for-each-other", `func (x *$) Run() { a, b := make(chan int), make(chan int); go func() { <-a; b <- 1 }(); go func() { <-b; a <- 1 }() }`,
			`x.Run()`, "1: Run()", "chan receive|and one more"},
		{"group-returns-at-first-error", `type group$ struct { wg sync.WaitGroup; once sync.Once; err int; failed chan bool }
			func (g *group$) Go(f func() int) { g.wg.Add(1); go func() { defer g.wg.Done(); if err := f(); err > 0 { g.once.Do(func() { g.err = err; close(g.failed) }) } }() }
			func (x *$) Run() int { g, c := &group${failed: make(chan bool)}, make(chan int); g.Go(func() int { return 1 }); g.Go(func() int { c <- 1; return 0 }); <-g.failed; return g.err }`,
			`x.Run()`, "1: Run()", "chan send"},
		{"worker-of-old-channel", `type $ struct { mu sync.Mutex; jobs chan int }
			func (x *$) Restart() { x.mu.Lock(); defer x.mu.Unlock(); jobs := make(chan int); x.jobs = jobs; go func() { for range jobs { } }() }`,
			`x.Restart(); x.Restart()`, "Restart()", "chan receive"},
		{"nil-channel-of-zero-value", `type $ struct { quit chan int }
			func (x *$) Start() { go func() { <-x.quit }() }`,
			`x.Start()`, "1: Start()", "chan receive (nil chan)"},
		{"constructor", `type $ struct { n atomic.Int64 }
			func New$() *$ { c := make(chan int); go func() { <-c }(); return new($) }
			func (x *$) Inc() { x.n.Add(1) }`,
			`x.Inc()`, "1: Inc()", "the goroutine that the constructor starts"},
		{"subscriber-taken-out", `type $ struct { mu sync.Mutex; subs map[int]chan int }
			func (x *$) Sub(v int) { x.mu.Lock(); defer x.mu.Unlock(); if x.subs == nil { x.subs = map[int]chan int{} }; if x.subs[v] == nil { c := make(chan int); x.subs[v] = c; go func() { for range c { } }() } }
			func (x *$) Unsub(v int) { x.mu.Lock(); defer x.mu.Unlock(); delete(x.subs, v) }`,
			`x.Sub(1); x.Unsub(1)`, "Unsub(0)", "chan receive|in Unsub(0)"},
		{"read-lock-twice", `func (x *$) Run() { mu := new(sync.RWMutex); mu.RLock(); go func() { mu.Lock(); mu.Unlock() }() }`,
			`x.Run()`, "1: Run()", "sync.RWMutex.Lock"},
		{"only-if-late", `type $ struct { mu sync.Mutex; waiter chan int }
			func (x *$) Serve() { x.mu.Lock(); c := x.waiter; x.waiter = nil; x.mu.Unlock(); if c != nil { go func() { c <- 1 }() } }
			func (x *$) Ask() { c := make(chan int); x.mu.Lock(); x.waiter = c; x.mu.Unlock()
				select { case <-c: case <-time.After(time.Microsecond): } }`,
			`go x.Serve(); x.Ask(); x.Serve()`, "Ask()", "the goroutine that Serve() starts|chan send"},
		{sendsCaptured, `func (x *$) Try(v int) { c := make(chan int); go func() { c <- v }() }`,
			`x.Try(1)`, "1: Try(0)", "chan send"},
		{"started-by-a-goroutine", `func (x *$) Run() { c := make(chan int); go func() { go func() { <-c }() }() }`,
			`x.Run()`, "1: Run()", "the goroutine that Run() starts"},

		// These do not.
		{"send-buffered", `func (x *$) Get(v int) int { c := make(chan int, 1); go func() { c <- v }(); select { case v := <-c: return v; case <-time.After(time.Millisecond): return 0 } }`,
			`x.Get(1)`, "", ""},
		{"both-received", `func (x *$) Both() { c := make(chan int); for i := range 2 { go func() { c <- i }() }; <-c; <-c }`,
			`x.Both()`, "", ""},
		{"worker-of-the-object", `type $ struct { jobs chan int }
			func New$() *$ { x := &${make(chan int)}; go func() { for range x.jobs { } }(); return x }
			func (x *$) Put(v int) { x.jobs <- v }`,
			`x.Put(1)`, "", ""},
		{"worker-started-once", `type $ struct { once sync.Once; jobs chan int }
			func (x *$) Put(v int) { x.once.Do(func() { x.jobs = make(chan int); go func() { for range x.jobs { } }() }); x.jobs <- v }`,
			`x.Put(1)`, "", ""},
		{"generator-with-quit", `func (x *$) One() int { c, quit := make(chan int), make(chan bool); defer close(quit)
				go func() { for i := 0; i < 3; i++ { select { case c <- i: case <-quit: return } } }(); return <-c }`,
			`x.One()`, "", ""},
		{"range-with-close", `func (x *$) Add(v int) { c := make(chan int); go func() { for range c { } }(); c <- v; close(c) }`,
			`x.Add(1)`, "", ""},
		{"context-cancelled", `func (x *$) Watch() { ctx, cancel := context.WithCancel(context.Background()); defer cancel(); go func() { <-ctx.Done() }() }`,
			`x.Watch()`, "", ""},
		{"context-times-out", `func (x *$) Watch() { ctx, _ := context.WithTimeout(context.Background(), time.Millisecond); go func() { <-ctx.Done() }() }`,
			`x.Watch()`, "", ""},
		{"context-kept-in-the-object", `type $ struct { mu sync.Mutex; cancel func() }
			func (x *$) Watch() { x.mu.Lock(); defer x.mu.Unlock(); if x.cancel == nil { ctx, cancel := context.WithCancel(context.Background()); x.cancel = cancel; go func() { <-ctx.Done() }() } }`,
			`x.Watch()`, "", ""},
		{"timer-to-come", `func (x *$) Arm() { go func() { <-time.After(time.Hour) }() }`,
			`x.Arm()`, "", ""},
		{"after-func-to-come", `func (x *$) Arm() { c := make(chan int); time.AfterFunc(time.Hour, func() { close(c) }); go func() { <-c }() }`,
			`x.Arm()`, "", ""},
		{"ticker-that-nobody-stops", `type $ struct { once sync.Once; n atomic.Int64 }
			func (x *$) Tick() { x.once.Do(func() { t := time.NewTicker(time.Hour); go func() { for range t.C { x.n.Store(1) } }() }) }`,
			`x.Tick()`, "", ""},
		{"timer-that-fires-into-nothing", `func (x *$) Get() int { select { case <-time.After(time.Hour): return 1; default: return 0 } }`,
			`x.Get()`, "", ""},
		{"wait-group-in-time", `func (x *$) Run() { var wg sync.WaitGroup; wg.Go(func() { }); go func() { wg.Wait() }() }`,
			`x.Run()`, "", ""},
		{"cond-of-the-object", `type $ struct { mu sync.Mutex; c *sync.Cond; ready bool }
			func New$() *$ { x := new($); x.c = sync.NewCond(&x.mu); return x }
			func (x *$) Wait() { go func() { x.mu.Lock(); for !x.ready { x.c.Wait() }; x.mu.Unlock() }() }
			func (x *$) Set() { x.mu.Lock(); x.ready = true; x.c.Broadcast(); x.mu.Unlock() }`,
			`x.Wait(); x.Set()`, "", ""},
		{"semaphore-given-back", `func (x *$) Run() { sem := make(chan bool, 1); for range 2 { go func() { sem <- true; <-sem }() } }`,
			`x.Run()`, "", ""},
		{"mutex-unlocked", `func (x *$) Run() { mu := new(sync.Mutex); mu.Lock(); go func() { mu.Lock(); mu.Unlock() }(); mu.Unlock() }`,
			`x.Run()`, "", ""},
		{"group-that-waits", `func (x *$) Run() { var wg sync.WaitGroup; c := make(chan int, 2); for i := range 2 { wg.Add(1); go func() { defer wg.Done(); c <- i }() }; wg.Wait() }`,
			`x.Run()`, "", ""},
		{"restart-closes", `type $ struct { mu sync.Mutex; jobs chan int }
			func (x *$) Restart() { x.mu.Lock(); defer x.mu.Unlock(); if x.jobs != nil { close(x.jobs) }; jobs := make(chan int); x.jobs = jobs; go func() { for range jobs { } }() }`,
			`x.Restart(); x.Restart()`, "", ""},
		{"package-variable", `var jobs$ = make(chan int)
			func (x *$) Start() { go func() { <-jobs$ }() }`,
			`x.Start()`, "", ""},
		{"subscriber-closed", `type $ struct { mu sync.Mutex; subs map[int]chan int }
			func (x *$) Sub(v int) { x.mu.Lock(); defer x.mu.Unlock(); if x.subs == nil { x.subs = map[int]chan int{} }; if x.subs[v] == nil { c := make(chan int); x.subs[v] = c; go func() { for range c { } }() } }
			func (x *$) Unsub(v int) { x.mu.Lock(); defer x.mu.Unlock(); if c := x.subs[v]; c != nil { close(c); delete(x.subs, v) } }`,
			`x.Sub(1); x.Unsub(1)`, "", ""},
		{"sleeper", `func (x *$) Run() { go func() { time.Sleep(time.Hour) }() }`,
			`x.Run()`, "", ""},
		{"late-server-does-not-wait", `type $ struct { mu sync.Mutex; waiter chan int }
			func (x *$) Serve() { x.mu.Lock(); c := x.waiter; x.waiter = nil; x.mu.Unlock(); if c != nil { go func() { select { case c <- 1: default: } }() } }
			func (x *$) Ask() { c := make(chan int); x.mu.Lock(); x.waiter = c; x.mu.Unlock()
				select { case <-c: case <-time.After(time.Microsecond): } }`,
			`go x.Serve(); x.Ask(); x.Serve()`, "", ""},
		{"iterator-not-stopped", `func (x *$) One() int { next, _ := iter.Pull(func(yield func(int) bool) { for i := 0; i < 3 && yield(i); i++ { } }); v, _ := next(); return v }`,
			`x.One()`, "", ""},
		{"reached-by-one-who-spins", `type $ struct { once sync.Once }
			func (x *$) Run() { x.once.Do(func() { c := make(chan int); go func() { <-c }(); go func() { for { select { case <-c: default: time.Sleep(time.Hour) } } }() }) }`,
			`x.Run()`, "", ""},
		{"behind-a-worker", `type $ struct { once sync.Once; jobs chan int }
			func (x *$) Start() { x.once.Do(func() { c := make(chan int); x.jobs = make(chan int); go func() { <-c }(); go func() { for range x.jobs { }; close(c) }() }) }`,
			`x.Start()`, "", ""},
		{"held-by-a-call-that-waits", `type $ struct { jobs chan int }
			func New$() *$ { return &${make(chan int, 1)} }
			func (x *$) Take() { c := make(chan int); go func() { <-c }(); <-x.jobs; close(c) }
			func (x *$) Put() { x.jobs <- 1 }`,
			`go x.Take(); x.Put()`, "", ""},
		{"channel-for-the-caller", `type sub$ struct { C chan int }
			func (x *$) Sub() *sub$ { s := &sub${make(chan int)}; go func() { s.C <- 1 }(); return s }`,
			`kept = append(kept, x.Sub())`, "", ""},
		{"function-for-the-caller", `func (x *$) Sub() func() { c := make(chan int); go func() { <-c }(); return func() { close(c) } }`,
			`kept = append(kept, x.Sub())`, "", ""},
		{"context-of-the-caller", `func (x *$) Watch(ctx context.Context) { if ctx.Done() != nil { go func() { <-ctx.Done() }() } }`,
			`ctx, cancel := context.WithCancel(context.Background()); x.Watch(ctx); cancel()`, "", ""},
	}
	for i := range list {
		l := &list[i]
		if !strings.Contains(l.source, "type $ struct") {
			l.source = "type $ struct { }\n" + l.source
		}
		name := strings.ReplaceAll("Case-"+l.name, "-", "_")
		l.source, l.use = strings.ReplaceAll(l.source, "$", name), strings.ReplaceAll(l.use, "$", name)
	}
	return list
}

// typ is the name of the case's type.
func (l *leakCase) typ() string { return strings.ReplaceAll("Case-"+l.name, "-", "_") }

// leakImports are the imports that a text needs.
func leakImports(text string) string {
	imports := ""
	for _, p := range []string{"context", "iter", "runtime", "sync", "sync/atomic", "time"} {
		if name := p[strings.LastIndexByte(p, '/')+1:] + "."; strings.Contains(strings.ReplaceAll(text, "runtime.", "run."), strings.Replace(name, "runtime.", "run.", 1)) {
			imports += "import \"" + p + "\"\n"
		}
	}
	return imports
}

// program is a program that uses the type, and keeps the object in a package variable.
func (l *leakCase) program() string {
	made := "new(" + l.typ() + ")"
	if strings.Contains(l.source, "func New"+l.typ()) {
		made = "New" + l.typ() + "()"
	}
	body := l.source + "\n\nvar kept []any\n\nfunc main() { x := " + made + "; kept = append(kept, x); " + l.use + " }\n"
	return "package main\n\n" + leakImports(body) + "\n" + body
}
