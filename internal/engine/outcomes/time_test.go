// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/test/corpus"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// timed is a program that waits, or asks for the time, with how it can end under each notion of time, decided by hand.
type timed struct {
	name string
	body string // of function run; "-" before each word that it prints
	// any and virtual are the outcomes, sorted: what is printed, or the kind of the outcome.
	any, virtual []string
	// alone: it cannot be run in a bubble, where it does not end or panics.
	alone bool
}

// timedPrograms are the table.
var timedPrograms = []timed{
	{"shorter sleep first", `go func() { time.Sleep(time.Second); print("a") }(); time.Sleep(2 * time.Second); print("b")`,
		[]string{"a b", "b", "b a"}, []string{"a b"}, false},
	{"longer sleep last", `go func() { time.Sleep(3 * time.Second); print("a") }(); time.Sleep(2 * time.Second); print("b"); time.Sleep(2 * time.Second)`,
		[]string{"a b", "b", "b a"}, []string{"b a"}, false},
	{"equal sleeps", `c := make(chan bool); go func() { time.Sleep(time.Second); print("a"); c <- true }(); time.Sleep(time.Second); print("b"); <-c`,
		[]string{"a b", "b a"}, []string{"a b", "b a"}, false},
	{"sleep for no time", `c := make(chan bool); go func() { print("a"); c <- true }(); time.Sleep(0); print("b"); <-c`,
		[]string{"a b", "b a"}, []string{"a b", "b a"}, false},
	{"time-out against work", `c := make(chan int, 1); go func() { time.Sleep(time.Second); c <- 1 }()
		select { case <-c: print("done"); case <-time.After(2 * time.Second): print("late") }; time.Sleep(time.Minute)`,
		[]string{"done", "late"}, []string{"done"}, false},
	{"time-out that comes first", `c := make(chan int, 1); go func() { time.Sleep(3 * time.Second); c <- 1 }()
		select { case <-c: print("done"); case <-time.After(2 * time.Second): print("late") }; time.Sleep(time.Minute)`,
		[]string{"done", "late"}, []string{"late"}, false},
	{"time-out at once", `c := make(chan int, 1); go func() { time.Sleep(2 * time.Second); c <- 1 }()
		select { case <-c: print("done"); case <-time.After(2 * time.Second): print("late") }; time.Sleep(time.Minute)`,
		[]string{"done", "late"}, []string{"done", "late"}, false},
	{"elapsed after a sleep", `start := time.Now(); time.Sleep(time.Second); if time.Since(start) == time.Second { print("exact") } else { print("other") }`,
		[]string{"other"}, []string{"exact"}, false},
	{"deadline asserted", `start := time.Now(); time.Sleep(time.Second); time.Sleep(time.Second); if time.Since(start) < 3*time.Second { print("in time") } else { print("late") }`,
		[]string{"in time", "late"}, []string{"in time"}, false},
	{"poll a flag", `var done atomic.Bool; go func() { time.Sleep(5 * time.Second); done.Store(true) }(); for !done.Load() { time.Sleep(time.Second) }; print("done")`,
		[]string{"done"}, []string{"done"}, false},
	{"poll until a deadline", `end := time.Now().Add(5 * time.Second); n := 0; for time.Now().Before(end) { time.Sleep(time.Second); if n < 9 { n++ } }; if n == 5 { print("five") } else { print("other") }`,
		[]string{"five", "other"}, []string{"five"}, false},
	{"poll with time.After", `c := make(chan int); go func() { time.Sleep(2500 * time.Millisecond); close(c) }()
		for { select { case <-c: print("closed"); return; case <-time.After(time.Second): } }`,
		[]string{"closed"}, []string{"closed"}, false},
	{"poll for ever", `for { time.Sleep(time.Second) }`, []string{"endless"}, []string{"endless"}, true},
	{"tick for ever", `for range time.NewTicker(time.Second).C { }`, []string{"endless"}, []string{"endless"}, true},
	{"who waits for room goes before who comes later", `c := make(chan int, 1); c <- 0; go func() { c <- 1 }(); time.Sleep(time.Second); <-c
		select { case c <- 2: print("first"); default: print("later") }`,
		[]string{"first", "later"}, []string{"later"}, false},
	{"who waits for a value goes before who comes later", `c, d := make(chan int, 1), make(chan int, 1); go func() { d <- <-c }(); time.Sleep(time.Second); c <- 1
		select { case <-c: print("first"); default: print("later"); <-d }`,
		[]string{"first", "later"}, []string{"later"}, false},
	{"poll for ever with time.After", `c := make(chan int); for { select { case <-c: return; case <-time.After(time.Second): } }`,
		[]string{"endless"}, []string{"endless"}, true},
	{"a timer set anew for ever", `t := time.NewTimer(time.Second); for { <-t.C; t.Reset(time.Second) }`, []string{"endless"}, []string{"endless"}, true},
	{"a ticker and a flag", `var done atomic.Bool; t := time.NewTicker(time.Second); for !done.Load() { <-t.C }; print("done")`,
		[]string{"endless"}, []string{"endless"}, true},
	{"time-outs one after the other for ever", `for { start := time.Now(); for time.Since(start) < 3*time.Second { time.Sleep(time.Second) } }`,
		[]string{"endless"}, []string{"endless"}, true},
	{"look how long it is since the last time for ever", `last := time.Now(); for { time.Sleep(time.Second); if time.Since(last) >= time.Second { last = time.Now() } }`,
		[]string{"endless"}, []string{"endless"}, true},
	{"two poll for ever", `go func() { for { time.Sleep(time.Second) } }(); for { time.Sleep(1500 * time.Millisecond) }`, []string{"endless"}, []string{"endless"}, true},
	{"poll the clock without a pause", `for start := time.Now(); time.Since(start) < time.Second; { runtime.Gosched() }; print("over")`,
		[]string{"over"}, []string{"endless"}, true},
	{"poll for ever with a start", `start := time.Now(); for { time.Sleep(time.Second); if time.Since(start) < 0 { print("back") } }`,
		[]string{"endless"}, []string{"limit"}, true},
	{"keep the start without looking", `type server struct { started time.Time; n int }; s := &server{started: time.Now()}; for { time.Sleep(time.Second); s.n ^= 1 }`,
		[]string{"endless"}, []string{"endless"}, true},
	{"poll with the last time", `last := time.Now(); for n := 0; n < 2; { time.Sleep(400 * time.Millisecond); if time.Since(last) >= time.Second { last = time.Now(); n++ } }; print("two")`,
		[]string{"two"}, []string{"two"}, false},
	{"ticks in an interval", `t := time.NewTicker(time.Second); end := time.After(3500 * time.Millisecond); n := 0
		for { select { case <-t.C: if n < 4 { n++ }; case <-end: t.Stop(); print(fmt.Sprint(n)); return } }`,
		[]string{"0", "1", "2", "3", "4"}, []string{"3"}, false},
	{"a slow reader misses ticks", `t := time.NewTicker(time.Second); time.Sleep(3500 * time.Millisecond); <-t.C; select { case <-t.C: print("two"); default: print("one") }; t.Stop()`,
		[]string{"one", "two"}, []string{"one"}, false},
	{"stopped in time", `c := make(chan bool, 1); t := time.AfterFunc(time.Second, func() { c <- true }); time.Sleep(time.Millisecond); if t.Stop() { print("stopped") } else { print("fired") }`,
		[]string{"fired", "stopped"}, []string{"stopped"}, false},
	{"stopped too late", `c := make(chan bool, 1); t := time.AfterFunc(time.Second, func() { c <- true }); time.Sleep(time.Minute); if t.Stop() { print("stopped") } else { print("fired") }`,
		[]string{"fired", "stopped"}, []string{"fired"}, false},
	{"functions set off in a loop", `var wg sync.WaitGroup; for i := range 3 { wg.Add(1); time.AfterFunc(time.Duration(3-i)*time.Second, func() { defer wg.Done(); print(fmt.Sprint(i)) }) }; wg.Wait()`,
		[]string{"0 1 2", "0 2 1", "1 0 2", "1 2 0", "2 0 1", "2 1 0"}, []string{"2 1 0"}, false},
	{"functions set off in a loop and stopped", `n := 0; for range 3 { if time.AfterFunc(time.Second, func() {}).Stop() { n++ } }; print(fmt.Sprint(n))`,
		[]string{"0", "1", "2", "3"}, []string{"3"}, false},
	{"a function that sets itself off again", `self, done := make(chan *time.Timer, 1), make(chan bool); n := 0
		self <- time.AfterFunc(time.Second, func() { t := <-self; print("x"); if n++; n == 3 { done <- t.Stop(); return }; self <- t; t.Reset(time.Second) }); if <-done { print("active") }`,
		[]string{"x x x"}, []string{"x x x"}, false},
	{"a function that sets itself off again for ever", `self := make(chan *time.Timer, 1); self <- time.AfterFunc(time.Second, func() { t := <-self; self <- t; t.Reset(time.Second) }); select {}`,
		[]string{"endless"}, []string{"endless"}, true},
	{"a function set off anew in a loop for ever", `c := make(chan bool); for { time.AfterFunc(time.Second, func() { c <- true }); <-c }`,
		[]string{"endless"}, []string{"endless"}, true},
	{"stopped at the moment", `c := make(chan bool, 1); t := time.AfterFunc(time.Second, func() { c <- true }); time.Sleep(time.Second); if t.Stop() { print("stopped") } else { <-c; print("fired") }`,
		[]string{"fired", "stopped"}, []string{"fired", "stopped"}, false},
	{"reset while it waits", `t := time.AfterFunc(2*time.Second, func() { print("f") }); time.Sleep(time.Second); if t.Reset(2 * time.Second) { print("active") } else { print("expired") }; time.Sleep(time.Minute)`,
		[]string{"active", "active f", "expired", "expired f", "expired f f", "f active", "f expired", "f expired f", "f f expired"}, []string{"active f"}, false},
	{"reset after it has fired", `t := time.AfterFunc(time.Second, func() { print("f") }); time.Sleep(2 * time.Second); if t.Reset(time.Second) { print("active") } else { print("expired") }; time.Sleep(time.Minute)`,
		[]string{"active", "active f", "expired", "expired f", "expired f f", "f active", "f expired", "f expired f", "f f expired"}, []string{"f expired f"}, false},
	{"stopped and reset", `t := time.AfterFunc(time.Second, func() { print("f") }); if !t.Stop() { print("late") }; t.Reset(2 * time.Second); time.Sleep(time.Minute)`,
		[]string{"", "f", "f late", "f late f", "late", "late f", "late f f"}, []string{"f"}, false},
	{"two that stop each other", `var mu sync.Mutex; var ts [2]*time.Timer; done := make(chan bool); mu.Lock()
		for i := range ts { ts[i] = time.AfterFunc(time.Duration(1+i)*time.Second, func() { mu.Lock(); defer mu.Unlock(); stopped := ts[1-i].Stop(); if stopped { print(fmt.Sprint(i)) } else { print("both") }; done <- stopped }) }
		mu.Unlock(); if !<-done { <-done }`,
		[]string{"0", "1", "both both"}, []string{"0"}, false},
	{"two that stop each other at the moment", `var mu sync.Mutex; var ts [2]*time.Timer; done := make(chan bool, 2); mu.Lock()
		for i := range ts { ts[i] = time.AfterFunc(time.Second, func() { mu.Lock(); defer mu.Unlock(); stopped := ts[1-i].Stop(); if stopped { print("alone") } else { print("both") }; done <- stopped }) }
		mu.Unlock(); if !<-done { <-done }`,
		[]string{"alone", "both both"}, []string{"alone", "both both"}, false},
	{"a stopped timer does not move the clock", `start := time.Now(); t := time.NewTimer(time.Second); t.Stop(); time.Sleep(2 * time.Second); if time.Since(start) == 2*time.Second { print("two") } else { print("other") }`,
		[]string{"other"}, []string{"two"}, false},
	{"reset to later", `start := time.Now(); t := time.NewTimer(time.Second); t.Reset(3 * time.Second); <-t.C; print(time.Since(start).String())`,
		[]string{"0s", "876000h0m0s"}, []string{"3s"}, false},
	{"context times out", `ctx, cancel := context.WithTimeout(context.Background(), time.Second); defer cancel()
		select { case <-ctx.Done(): print("over"); case <-time.After(time.Minute): print("late") }`,
		[]string{"late", "over"}, []string{"over"}, false},
	{"context in time", `ctx, cancel := context.WithTimeout(context.Background(), time.Minute); defer cancel(); time.Sleep(time.Second); if ctx.Err() == nil { print("alive") } else { print("over") }`,
		[]string{"alive", "over"}, []string{"alive"}, false},
	{"retry with a growing pause", `start := time.Now(); for d := time.Second; d < 8*time.Second; d *= 2 { time.Sleep(d) }; if time.Since(start) == 7*time.Second { print("seven") } else { print("other") }`,
		[]string{"other"}, []string{"seven"}, false},
	{"who waits for a lock lets time pass", `var mu sync.Mutex; mu.Lock(); c := make(chan bool); go func() { mu.Lock(); print("locked"); mu.Unlock(); c <- true }(); time.Sleep(time.Second); print("slept"); mu.Unlock(); <-c`,
		[]string{"slept locked"}, []string{"slept locked"}, true},
	{"who spins does not", `var done atomic.Bool; go func() { time.Sleep(time.Second); done.Store(true) }(); for !done.Load() { runtime.Gosched() }; print("done")`,
		[]string{"done"}, []string{"endless"}, true},
	{"nobody waits for a timer", `c := make(chan int); <-c`, []string{"deadlock"}, []string{"deadlock"}, true},
	{"times as numbers", `start := time.Now().UnixNano(); time.Sleep(time.Second); if time.Now().UnixNano()-start == int64(time.Second) { print("exact") } else { print("other") }`,
		[]string{"other"}, []string{"exact"}, false},
	{"the date", `if y := time.Now().Year(); y == 2000 { print("2000") } else { print("other") }`,
		[]string{"other"}, []string{"2000"}, false},
	{"times as keys", `m := map[time.Time]int{time.Now(): 1}; time.Sleep(time.Second); m[time.Now()] = 2; print(fmt.Sprint(len(m)))`,
		[]string{"1", "2"}, []string{"2"}, false},
	{"equal times", `a := time.Now(); time.Sleep(1); b := time.Now(); time.Sleep(1); if a == b { print("equal") } else { print("different") }`,
		[]string{"different", "equal"}, []string{"different"}, false},
	{"before the zero time", `var last time.Time; if time.Since(last) > time.Hour && !time.Now().Before(last) && time.Now().After(last) && last.Add(time.Hour).Before(time.Now()) { print("long ago") } else { print("not") }`,
		[]string{"long ago"}, []string{"long ago"}, false},
	{"two deadlines", `a := time.Now().Add(time.Second); b := a.Add(time.Second); now := time.Now(); switch { case now.After(b): print("both"); case now.After(a): print("first"); default: print("none") }`,
		[]string{"both", "first", "none"}, []string{"none"}, false},
	{"times in a channel and an interface", `c := make(chan any, 1); c <- time.Now(); time.Sleep(time.Second); if t := (<-c).(time.Time); time.Since(t) == time.Second { print("second") } else { print("other") }`,
		[]string{"other"}, []string{"second"}, false},
	{"times in a closure and a map", `start := time.Now(); f := func() time.Duration { return time.Since(start) }; m := map[int]time.Time{1: start}; time.Sleep(time.Second); if f() == time.Second && time.Since(m[1]) == time.Second { print("second") } else { print("other") }`,
		[]string{"other"}, []string{"second"}, false},
	{"the time that a timer sends", `start := time.Now(); at := <-time.After(time.Second); if at.Sub(start) == time.Second { print("second") } else { print("other") }`,
		[]string{"other"}, []string{"second"}, false},
}

// source is the program as a main.
func (p *timed) source() string {
	text := "package main\n\nimport (\n\"context\"\n\"fmt\"\n\"os\"\n\"runtime\"\n\"sync\"\n\"sync/atomic\"\n\"time\"\n)\n\n" +
		"var (\n_ = context.Background\n_ = fmt.Sprint\n_ sync.Mutex\n_ atomic.Int64\n_ = runtime.Gosched\n_ time.Time\n)\n\n"
	return text + "func print(s string) { os.Stdout.WriteString(s + \" \") }\n\nfunc run() {\n" + p.body + "\n}\n\nfunc main() { run() }\n"
}

// endings are how the program can end.
func (p *timed) endings(t *testing.T, loaded func() (*ir.Program, error), time subject.Time, opt outcomes.Options) []string {
	t.Helper()
	prog, err := loaded()
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	copied := *prog
	copied.Clock = subject.ClockOf(prog, time)
	opt.MaxStates = 20_000
	r, err := outcomes.Explore(context.Background(), &copied, copied.Roots[0], opt)
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	var list []string
	if !r.Complete {
		list = append(list, "limit")
	}
	for _, o := range r.Outcomes {
		text := strings.TrimSpace(o.Stdout)
		switch o.Kind {
		case outcomes.Endless:
			text = "endless"
		case outcomes.Deadlock:
			text = "deadlock"
		case outcomes.Race:
			text = "race"
		case outcomes.Panicked:
			text = o.Panic
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	slices.Sort(list)
	return list
}

// TestTime_OutcomesAreThoseOfTheTable explores each program under both notions of time, with all reductions and with none; each
// outcome is executed again without any.
func TestTime_OutcomesAreThoseOfTheTable(t *testing.T) {
	loads := together(t, timedSources())
	for i, p := range timedPrograms {
		t.Run(p.name, func(t *testing.T) {
			for _, set := range []vm.Reductions{outcomes.Applicable, vm.Fusing, 0} {
				if set != outcomes.Applicable && !level.More() && (level.Short() || i%4 != 0) {
					continue
				}
				opt := outcomes.Options{Reductions: set, Schedules: set == outcomes.Applicable}
				for time, want := range map[subject.Time][]string{subject.AnyTime: p.any, subject.VirtualTime: p.virtual} {
					if got := p.endings(t, loads[i], time, opt); !slices.Equal(got, want) {
						t.Errorf("time %s, reductions %s: %q, want %q", time, set, got, want)
					}
				}
			}
		})
	}
}

func timedSources() (list []corpus.Program) {
	for i := range timedPrograms {
		list = append(list, corpus.Program{Name: fmt.Sprint("timed", i), Source: timedPrograms[i].source()})
	}
	return list
}

// TestTime_VirtualIsThatOfBubbles runs the programs natively in bubbles of testing/synctest: what is seen there is among the
// outcomes, and where there is one, it is that.
func TestTime_VirtualIsThatOfBubbles(t *testing.T) {
	level.SkipShort(t, "compiles natively")
	dir := t.TempDir()
	text := "package m\n\nimport (\n\"context\"\n\"fmt\"\n\"runtime\"\n\"strings\"\n\"sync\"\n\"sync/atomic\"\n\"testing\"\n\"testing/synctest\"\n\"time\"\n)\n\n" +
		"var (\n_ = context.Background\n_ = fmt.Sprint\n_ sync.Mutex\n_ atomic.Int64\n_ = runtime.Gosched\n_ time.Time\n)\n\n" +
		"var (\nmu sync.Mutex\nout []string\n)\n\nfunc print(s string) { mu.Lock(); defer mu.Unlock(); out = append(out, s) }\n\n"
	for i, p := range timedPrograms {
		if p.alone {
			continue
		}
		text += fmt.Sprintf("func run%d() {\n%s\n}\n\nfunc Test%d(t *testing.T) {\nout = nil\nvar first string\nsynctest.Test(t, func(t *testing.T) {\nrun%d()\nfirst = strings.Join(out, \" \")\n})\nfmt.Printf(\"%d: %%s\\n\", first)\n}\n\n", i, p.body, i, i, i)
	}
	for name, content := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "m_test.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-count=5", "-vet=off", "-v", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	got, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	seen := map[int]int{}
	for line := range strings.Lines(string(got)) {
		var i int
		number, out, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if n, _ := fmt.Sscan(number, &i); !ok || n == 0 || fmt.Sprint(i) != number {
			continue
		}
		seen[i]++
		if p := timedPrograms[i]; !slices.Contains(p.virtual, out) {
			t.Errorf("%s: %q natively, which is not among %q", p.name, out, p.virtual)
		}
	}
	for i, p := range timedPrograms {
		if !p.alone && seen[i] != 5 {
			t.Errorf("%s: %d runs natively", p.name, seen[i])
		}
	}
}
