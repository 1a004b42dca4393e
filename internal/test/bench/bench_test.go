// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"context"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"pangolin/internal/client"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/engine/outcomes"
	"pangolin/internal/explore"
	"pangolin/internal/front"
	"pangolin/internal/ir"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// Benchmarks of searches, machine and programs, in states per second.

// meter counts what a benchmark's searches did and what they allocated.
type meter struct {
	before              runtime.MemStats
	began               time.Duration
	states, transitions uint64
	bytes               float64
}

func newMeter(b *testing.B) *meter {
	m := new(meter)
	runtime.GC()
	runtime.ReadMemStats(&m.before)
	m.began = cpu(b)
	b.ResetTimer()
	return m
}

func (m *meter) add(states, transitions uint64, bytes int64) {
	m.states += states
	m.transitions += transitions
	m.bytes += float64(bytes)
}

// report gives states of one search, transitions per second of processor time, bytes that the search itself keeps for each state at its peak, and allocations for
// each transition, those of setting up included.
func (m *meter) report(b *testing.B) {
	used := (cpu(b) - m.began).Seconds()
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	n := float64(b.N)
	b.ReportMetric(float64(m.states)/n, "states")
	b.ReportMetric(used/n, "cpu-s")
	b.ReportMetric(float64(m.transitions)/used, "transitions/cpu-s")
	b.ReportMetric(float64(after.Mallocs-m.before.Mallocs)/float64(m.transitions), "allocs/transition")
	if m.bytes > 0 {
		b.ReportMetric(m.bytes/float64(m.states), "B/state")
	}
}

// measure runs a verification again and again.
func measure(b *testing.B, s structure, opt bounded.Options) {
	sub := s.subject(b)
	m := newMeter(b)
	for range b.N {
		r := verify(b, sub, opt)
		if opt.OneByOne {
			r.PeakBytes = 0 // of one of many searches
		}
		m.add(r.States, r.Transitions, r.PeakBytes)
	}
	m.report(b)
}

// BenchmarkVerify_3x2 verifies three threads with two calls each.
func BenchmarkVerify_3x2(b *testing.B) {
	for _, s := range structures {
		b.Run(s.name, func(b *testing.B) { measure(b, s, linear(perThread(b, s.kind, 3, 2))) })
	}
}

// BenchmarkVerify_Unreduced does the same without any reduction: every access is a step of
// its own, and threads, items and objects' histories are told apart.
func BenchmarkVerify_Unreduced(b *testing.B) {
	for _, s := range structures[:2] {
		b.Run(s.name, func(b *testing.B) {
			skipLong(b)
			opt := linear(perThread(b, s.kind, 3, 2))
			opt.Reduce = unreduced()
			measure(b, s, opt)
		})
	}
}

// BenchmarkMachine_Unreduced explores whole programs, three threads with two calls each,
// without any reduction, without an oracle and without looking for cycles: the machine, the
// store and the search alone.
func BenchmarkMachine_Unreduced(b *testing.B) {
	for _, name := range []string{"treiber", "msqueue", "harris"} {
		b.Run(name, func(b *testing.B) {
			var peak int64
			runAll(b, name, rawOptions(&peak), &peak)
		})
	}
}

// rawOptions explore without any reduction, and note the memory that the search takes at
// most.
func rawOptions(peak *int64) outcomes.Options {
	return outcomes.Options{NoCycles: true, Progress: func(p explore.Progress) { *peak = max(*peak, p.Bytes) }}
}

// BenchmarkRunAll explores a program as pangolin run -all does.
func BenchmarkRunAll(b *testing.B) {
	b.Run("treiber", func(b *testing.B) {
		runAll(b, "treiber", outcomes.Options{Reductions: vm.AllReductions}, new(int64))
	})
}

func loadProgram(tb testing.TB, name string) *ir.Program {
	prog, err := front.Load(front.Share(context.Background()), front.Request{Patterns: []string{"./testdata/raw/" + name}, Roots: []string{"main"}})
	if err != nil {
		tb.Fatal(err)
	}
	return prog
}

func runAll(b *testing.B, name string, opt outcomes.Options, peak *int64) {
	prog := loadProgram(b, name)
	m := newMeter(b)
	for range b.N {
		r, err := outcomes.Explore(context.Background(), prog, prog.Roots[0], opt)
		if err != nil || !r.Complete || len(r.Outcomes) != 1 {
			b.Fatal(err, r)
		}
		m.add(r.States, r.Transitions, *peak)
	}
	m.report(b)
}

// BenchmarkLockFreeList verifies Herlihy and Shavit's lock-free list in configurations of
// COLLECT's Table 1, E without its bound on preemptions, and in the scope of 3 threads and
// 6 steps.
func BenchmarkLockFreeList(b *testing.B) {
	s := structureNamed(b, "harris")
	b.Run("D", func(b *testing.B) { measure(b, s, linear(preset(b, s.kind, "D"))) })
	b.Run("D/clients", func(b *testing.B) {
		opt := linear(preset(b, s.kind, "D"))
		opt.OneByOne = true
		measure(b, s, opt)
	})
	b.Run("E", func(b *testing.B) { measure(b, s, linear(preset(b, s.kind, "E"))) })
	b.Run("3x6", func(b *testing.B) {
		skipLong(b)
		measure(b, s, linear(steps(b, s, 6)))
	})
}

// BenchmarkLockFreeQueue verifies the Michael-Scott queue with 3 threads and 7 steps.
func BenchmarkLockFreeQueue(b *testing.B) {
	s := structureNamed(b, "msq")
	b.Run("3x7", func(b *testing.B) {
		skipLong(b)
		measure(b, s, linear(steps(b, s, 7)))
	})
}

// steps is configuration E with another number of steps.
func steps(tb testing.TB, s structure, n int) client.Scope {
	scope := preset(tb, s.kind, "E")
	scope.Steps.To = n
	return scope
}

func skipLong(b *testing.B) {
	if !level.All() {
		b.Skip("takes minutes: -level all")
	}
}

// BenchmarkCommand runs the whole command as its user would: a cold process, a warm
// build cache, a small collection in configuration B.
func BenchmarkCommand(b *testing.B) {
	exe := filepath.Join(b.TempDir(), "pangolin")
	if out, err := exec.Command("go", "build", "-o", exe, "pangolin/cmd/pangolin").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	if exec.Command(exe, "help", "verify").Run() != nil {
		b.Skip("the command has no verify yet")
	}
	b.ResetTimer()
	for range b.N {
		cmd := exec.Command(exe, "verify", "-config", "B", "-type", "LockFreeStack", "pangolin/collections/stack")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
}
