// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pangolin/internal/farm"
	"pangolin/internal/farm/client"
	"pangolin/internal/farm/queue"
	"pangolin/internal/farm/worker"
)

// used is the CPU time that a process has taken, and the most memory that it has had, in bytes.
func used(s *os.ProcessState) (cpu time.Duration, memory int64) {
	return s.UserTime() + s.SystemTime(), s.SysUsage().(*syscall.Rusage).Maxrss << 10
}

// A server on an empty directory answers after a third of a second of CPU time, and has less than 60 MB in memory then. The wall time is
// that and what other processes of the machine take.
func TestServe_IsReadyAtOnce(t *testing.T) {
	const most, room = 300 * time.Millisecond, 60_000_000
	f := install(t, 0)
	leastCPU, leastWall, leastMemory := time.Hour, time.Hour, int64(1<<40)
	for i := range 3 {
		if err := f.server.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = f.server.Wait()
		f.dir = filepath.Join(t.TempDir(), fmt.Sprint("farm", i))
		began := time.Now()
		f.serve()
		server, err := farm.At(f.url(), "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := server.Info(t.Context()); err != nil {
			t.Fatal(err)
		}
		leastWall = min(leastWall, time.Since(began))
		if err := f.server.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = f.server.Wait()
		cpu, memory := used(f.server.ProcessState)
		leastCPU, leastMemory = min(leastCPU, cpu), min(leastMemory, memory)
		f.serve()
	}
	t.Logf("ready after %v of CPU time, %v by the clock, with %d bytes in memory", leastCPU, leastWall, leastMemory)
	if leastCPU > most || leastMemory > room {
		t.Errorf("ready after %v of CPU time, want at most %v, with %d bytes in memory, want at most %d", leastCPU, most, leastMemory, room)
	}
}

// What the farm costs beside the work: a task that takes no time goes from a client to the server, to a worker, and its result back. Each
// write of the server is on the disk before it counts.
func BenchmarkFarm_Overhead(b *testing.B) {
	f := install(b, 0)
	server, err := farm.At(f.url(), "", nil)
	if err != nil {
		b.Fatal(err)
	}
	info, err := server.Info(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	conn, id, err := worker.Connect(b.Context(), server, info.Tool)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	q, err := queue.Join(conn)
	if err != nil {
		b.Fatal(err)
	}
	w := &worker.Worker{ID: id, Tool: info.Tool, Slots: 4, Fetch: server.Bundle, Queue: q, Patience: time.Minute, Log: func(text string) { b.Log(text) },
		Run: func(_ context.Context, j *farm.Job, _ func(uint64)) (*farm.Output, error) {
			return &farm.Output{Text: j.Task, Same: j.Task, Lasting: true}, nil
		}}
	working, stop := context.WithCancel(b.Context())
	var all sync.WaitGroup
	all.Go(func() { _ = w.Work(working) })
	defer func() { stop(); all.Wait() }()
	c := &client.Client{Server: server, Tool: info.Tool, Note: func(text string) { b.Log(text) }}
	if err := c.Open(b.Context()); err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	bundle := []byte("sources")
	before, was := ownCPU(b), serverCPU(b, f.server)
	b.ResetTimer()
	var orders sync.WaitGroup
	slots := make(chan struct{}, 256)
	for i := range b.N {
		slots <- struct{}{}
		orders.Go(func() {
			defer func() { <-slots }()
			text := fmt.Appendf(nil, "task %d of %d %1000d", i, b.N, before)
			if _, err := c.Send(b.Context(), &farm.Order{Name: "bench", Task: text, Bundle: farm.Digest(bundle)}, bundle, func(uint64) {}); err != nil {
				b.Error(err)
			}
		})
	}
	orders.Wait()
	b.StopTimer()
	perTask := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(b.N) }
	b.ReportMetric(perTask(ownCPU(b)-before), "client+worker-cpu-ms/op")
	b.ReportMetric(perTask(serverCPU(b, f.server)-was), "server-cpu-ms/op")
}

// ownCPU is the CPU time of this process.
func ownCPU(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// serverCPU is the CPU time of a running process, in the kernel's ticks of 10 ms.
func serverCPU(b *testing.B, c *exec.Cmd) time.Duration {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	var user, system int64
	_, behind, _ := strings.Cut(string(text), ") ") // the name may have spaces
	fields := strings.Fields(behind)
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		b.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}
