// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// leaking is a program whose goroutines leak, or do not.
type leaking struct {
	name string
	body string   // of its functions, behind the imports
	want []string // "goroutine [what it waits for]" of each leak, sorted; none: nothing leaks
}

// leaks are programs that leave goroutines behind that wait for ever.
func leaks() []leaking {
	return []leaking{
		{"send-after-timeout", `func main() { c := make(chan int); go func() { c <- 1 }(); select { case <-c: case <-time.After(1): } }`, []string{"main.func1 [chan send]"}},
		{"range-without-close", `func main() { c := make(chan int); go func() { for range c { } }(); c <- 1 }`, []string{"main.func1 [chan receive]"}},
		{"nil-channel", `func main() { go func() { var c chan int; <-c }() }`, []string{"main.func1 [chan receive (nil chan)]"}},
		{"empty-select", `func main() { go func() { select {} }() }`, []string{"main.func1 [select (no cases)]"}},
		{"first-of-three", `func main() { c := make(chan int); for range 3 { go func() { c <- 1 }() }; <-c }`, []string{"main.func1 [chan send]"}},
		{"generator-abandoned", `func count() chan int { c := make(chan int); go func() { for i := 0; i < 3; i++ { c <- i } }(); return c }
			func main() { for i := range count() { if i == 1 { break } } }`, []string{"count.func1 [chan send]"}},
		{"mutex-never-unlocked", `func main() { mu := new(sync.Mutex); mu.Lock(); go func() { mu.Lock(); mu.Unlock() }() }`, []string{"main.func1 [sync.Mutex.Lock]"}},
		{"lock-order", `func main() { a, b := new(sync.Mutex), new(sync.Mutex)
			go func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() }()
			go func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() }() }`, []string{"main.func1 [sync.Mutex.Lock]", "main.func2 [sync.Mutex.Lock]"}},
		{"read-lock-twice", `func main() { mu := new(sync.RWMutex)
			go func() { mu.RLock(); mu.RLock(); mu.RUnlock(); mu.RUnlock() }()
			go func() { mu.Lock(); mu.Unlock() }() }`, []string{"main.func1 [sync.RWMutex.RLock]", "main.func2 [sync.RWMutex.Lock]"}},
		{"wait-group-of-too-many", `func main() { wg := new(sync.WaitGroup); wg.Add(2); go wg.Done(); go func() { wg.Wait() }() }`, []string{"main.func1 [sync.WaitGroup.Wait]"}},
		{"signal-before-wait", `func main() { c := sync.NewCond(new(sync.Mutex))
			go func() { c.L.Lock(); c.Wait(); c.L.Unlock() }(); c.Signal() }`, []string{"main.func1 [sync.Cond.Wait]"}},
		{"context-never-cancelled", `func main() { ctx, _ := context.WithCancel(context.Background()); go func() { <-ctx.Done() }() }`, []string{"main.func1 [chan receive]"}},
		{"background-done", `func main() { go func() { <-context.Background().Done() }() }`, []string{"main.func1 [chan receive (nil chan)]"}},
		{"stopped-timer", `func main() { t := time.NewTimer(time.Hour); go func() { <-t.C }(); t.Stop() }`, []string{"main.func1 [chan receive]"}},
		{"after-func-stopped", `func main() { c := make(chan int); t := time.AfterFunc(1, func() { close(c) }); go func() { <-c }(); t.Stop() }`, []string{"main.func2 [chan receive]"}},
		{"semaphore-kept", `func main() { sem := make(chan bool, 1); sem <- true; go func() { sem <- true; <-sem }() }`, []string{"main.func1 [chan send]"}},
		{"error-before-receive", `func try(fail bool) { c := make(chan error); go func() { c <- nil }(); if fail { return }; <-c }
			func main() { try(false); try(true) }`, []string{"try.func1 [chan send]"}},
		{"two-that-wait-for-each-other", `func main() { a, b := make(chan int), make(chan int)
			go func() { <-a; b <- 1 }(); go func() { <-b; a <- 1 }() }`, []string{"main.func1 [chan receive]", "main.func2 [chan receive]"}},
		{"behind-a-leak", `func main() { a, b := make(chan int), make(chan int)
			go func() { <-a; close(b) }(); go func() { <-b }() }`, []string{"main.func1 [chan receive]", "main.func2 [chan receive]"}},
		{"worker-without-quit", `type pool struct { jobs, quit chan int }
			func (p *pool) work() { for { select { case <-p.jobs: case <-p.quit: return } } }
			func main() { p := &pool{make(chan int), make(chan int)}; go p.work(); p.jobs <- 1 }`, []string{"(*pool).work [select]"}},
		{"channel-of-channels", `func main() { requests := make(chan chan int, 1); reply := make(chan int); requests <- reply; go func() { <-reply }() }`, []string{"main.func1 [chan receive]"}},
		{"variable-set-to-nil", `var c chan int
			func main() { d := make(chan int); c = d; go func() { <-d }(); c = nil }`, []string{"main.func1 [chan receive]"}},
		{"iterator-that-waits", `func main() { go func() { next, _ := iter.Pull(func(yield func(int) bool) { <-make(chan int) }); next() }() }`, []string{"main.func1.func1 [chan receive]"}},
		{"timer-received-twice", `func main() { t := time.NewTimer(1); go func() { <-t.C; <-t.C }() }`, []string{"main.func1 [chan receive]"}},
		{"after-func-that-sends", `func main() { c := make(chan int); time.AfterFunc(1, func() { c <- 1 }) }`, []string{"main.func1 [chan send]"}},
		{"context-after-func-lost", `func main() { ctx, _ := context.WithCancel(context.Background()); c := make(chan int); context.AfterFunc(ctx, func() { close(c) }); go func() { <-c }() }`, []string{"main.func2 [chan receive]"}},
		{"child-of-a-lost-context", `func main() { ctx, _ := context.WithCancel(context.Background()); child, _ := context.WithCancel(ctx); go func() { <-child.Done() }() }`, []string{"main.func1 [chan receive]"}},
		{"once-in-progress", `func main() { var once sync.Once; c := make(chan int); go once.Do(func() { <-c }) }`, []string{"(*sync.Once).Do [chan receive]"}},
		{"waits-in-a-defer", `func main() { c := make(chan int); go func() { defer func() { <-c }() }() }`, []string{"main.func1 [chan receive]"}},
		{"sends-itself", `func main() { c := make(chan any); go func() { c <- c }() }`, []string{"main.func1 [chan send]"}},
		{"ticker-goes-on", `func main() { t := time.NewTicker(1); c := make(chan int); go func() { for range 2 { <-t.C }; c <- 1 }() }`, []string{"main.func1 [chan send]"}},
	}
}

// noLeaks are programs that leave nobody behind who waits for ever.
func noLeaks() []leaking {
	return []leaking{
		{"buffered", `func main() { c := make(chan int, 1); go func() { c <- 1 }(); select { case <-c: case <-time.After(1): } }`, nil},
		{"closed", `func main() { c := make(chan int); go func() { for range c { } }(); c <- 1; close(c) }`, nil},
		{"package-variable", `var jobs = make(chan int)
			func main() { go func() { for range jobs { } }(); jobs <- 1 }`, nil},
		{"made-in-main-and-kept", `var jobs chan int
			func main() { jobs = make(chan int); go func() { for range jobs { } }(); jobs <- 1 }`, nil},
		{"in-a-map-of-a-variable", `var all = map[string]chan int{}
			func main() { c := make(chan int); all["a"] = c; go func() { <-c }() }`, nil},
		{"global-mutex", `var mu sync.Mutex
			func main() { mu.Lock(); go func() { mu.Lock(); mu.Unlock() }() }`, nil},
		{"global-cond", `var c = sync.NewCond(new(sync.Mutex))
			func main() { go func() { c.L.Lock(); c.Wait(); c.L.Unlock() }() }`, nil},
		{"quit-closed-late", `func main() { quit := make(chan int); go func() { <-quit }(); go close(quit) }`, nil},
		{"timer-to-come", `func main() { go func() { <-time.After(time.Hour) }() }`, nil},
		{"second-case-to-come", `func main() { go func() { select { case <-make(chan int): case <-time.After(time.Hour): } }() }`, nil},
		{"ticker-to-come", `func main() { go func() { t := time.NewTicker(time.Hour); <-t.C; t.Stop() }() }`, nil},
		{"after-func-to-come", `func main() { c := make(chan int); time.AfterFunc(1, func() { close(c) }); go func() { <-c }() }`, nil},
		{"context-times-out", `func main() { ctx, _ := context.WithTimeout(context.Background(), 1); go func() { <-ctx.Done() }() }`, nil},
		{"context-cancelled", `func main() { ctx, cancel := context.WithCancel(context.Background()); defer cancel(); go func() { <-ctx.Done() }() }`, nil},
		{"spins", `func main() { go func() { for { } }() }`, nil},
		{"sleeps", `func main() { go func() { for { time.Sleep(1) } }() }`, nil},
		{"reached-by-one-who-spins", `func main() { c := make(chan int); go func() { <-c }(); go func() { for { select { case <-c: default: } } }() }`, nil},
		{"reached-by-one-who-waits-for-a-timer", `func main() { c := make(chan int); go func() { <-c }(); go func() { <-time.After(1); close(c) }() }`, nil},
		{"wait-group-in-time", `func main() { var wg sync.WaitGroup; wg.Go(func() { }); go func() { wg.Wait() }() }`, nil},
		{"lock-handed-on", `func main() { mu := new(sync.Mutex); for range 2 { go func() { mu.Lock(); mu.Unlock() }() } }`, nil},
		{"semaphore-given-back", `func main() { sem := make(chan bool, 1); for range 2 { go func() { sem <- true; <-sem }() } }`, nil},
		{"once", `func main() { var once sync.Once; for range 2 { go once.Do(func() { }) } }`, nil},
		{"ended-by-os-exit", `func main() { c := make(chan int); go func() { <-c }(); os.Exit(0) }`, nil},
		{"timer-set-again-by-a-sleeper", `func main() { t := time.NewTimer(time.Hour); t.Stop(); go func() { <-t.C }(); go func() { time.Sleep(1); t.Reset(1) }() }`, nil},
		{"context-cancelled-by-a-timer", `func main() { ctx, cancel := context.WithCancel(context.Background()); time.AfterFunc(1, cancel); go func() { <-ctx.Done() }() }`, nil},
		{"child-of-a-context-that-times-out", `func main() { ctx, _ := context.WithTimeout(context.Background(), 1); child, _ := context.WithCancel(ctx); go func() { <-child.Done() }() }`, nil},
		{"mutex-unlocked-by-a-timer", `func main() { mu := new(sync.Mutex); mu.Lock(); time.AfterFunc(1, mu.Unlock); go func() { mu.Lock(); mu.Unlock() }() }`, nil},
		{"closure-in-a-variable", `var f func()
			func main() { c := make(chan int); f = func() { close(c) }; go func() { <-c }() }`, nil},
		{"pointer-inside", `var p *int
			func main() { x := new(struct { wg sync.WaitGroup; n int }); x.wg.Add(1); p = &x.n; go func() { x.wg.Wait() }() }`, nil},
		{"popped-of-a-slice", `var s []chan int
			func main() { s = []chan int{make(chan int)}; c := s[0]; s = s[:0]; go func() { <-c }() }`, nil},
		{"semaphore-of-sleepers", `func main() { sem := make(chan int, 1); for range 2 { go func() { sem <- 1; time.Sleep(1); <-sem }() } }`, nil},
		{"iterator-not-stopped", `func main() { next, _ := iter.Pull(func(yield func(int) bool) { for i := 0; i < 3 && yield(i); i++ { } }); next() }`, nil},
		{"iterator-of-two-not-begun", `func main() { iter.Pull2(func(yield func(int, int) bool) { yield(1, 2) }) }`, nil},
		{"iterator-in-a-goroutine-that-stays", `var c = make(chan int)
			func main() { go func() { next, stop := iter.Pull(func(yield func(int) bool) { yield(1) }); defer stop(); next(); <-c }() }`, nil},
		{"nobody-is-started", `func main() { c := make(chan int, 1); c <- 1 }`, nil},
	}
}

// TestLeaks_AreThoseOfTheTable explores each program with all reductions and with none, and executes what shows a leak again.
func TestLeaks_AreThoseOfTheTable(t *testing.T) {
	for _, l := range slices.Concat(leaks(), noLeaks()) {
		for _, set := range []vm.Reductions{outcomes.Applicable, 0} {
			if set == 0 && level.Short() {
				continue
			}
			if got := leaksOf(t, l, set); !slices.Equal(got, l.want) {
				t.Errorf("%s with %s: %q, want %q", l.name, set, got, l.want)
			}
		}
	}
}

// leaksOf are the leaks of a program, each with a schedule.
func leaksOf(t *testing.T, l leaking, set vm.Reductions) []string {
	t.Helper()
	return leaksWith(t, l, set, false)
}

// leaksWith is leaksOf, perhaps without the goroutines that the end of main cuts off by design.
func leaksWith(t *testing.T, l leaking, set vm.Reductions, cutOff bool) (list []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	text := "package main\n\n"
	for _, p := range []string{"context", "iter", "os", "sync", "time"} {
		if strings.Contains(l.body, p+".") {
			text += "import \"" + p + "\"\n"
		}
	}
	if err := os.WriteFile(file, []byte(text+l.body), 0o666); err != nil {
		t.Fatal(err)
	}
	prog, err := load(file)
	if err != nil {
		t.Fatalf("%s: %v", l.name, err)
	}
	r, err := outcomes.Explore(context.Background(), prog, prog.Roots[0], outcomes.Options{Reductions: set, Leaks: true, CutOff: cutOff, Schedules: true, MaxStates: maxStates})
	if err != nil {
		t.Fatalf("%s: %v", l.name, err)
	}
	if !r.Complete {
		t.Errorf("%s: %s%v", l.name, r.Limit, r.Fault)
	}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		switch {
		case o.Kind != outcomes.Leak:
		case o.Schedule == nil || o.Schedule.Witness == nil || len(o.Schedule.Witness.Waiting) == 0:
			t.Errorf("%s: no execution shows %s", l.name, o.Involved[0])
		}
		if text := ""; o.Kind == outcomes.Leak {
			text = o.Involved[0].Goroutine + " [" + o.Involved[0].For + "]"
			if !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}
